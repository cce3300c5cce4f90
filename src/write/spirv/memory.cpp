// Variables in memory as arrays of words, inputs and outputs.
#include <algorithm>
#include <bit>

#include <unshade/ir/extra.hpp>

#include "write/specializations.hpp"
#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {

Word FunctionWriter::pointer(StorageClass storage, Word type, Word base, std::span<const Word> indexes) {
  if (indexes.empty()) return base;
  Words words{base};
  words.append(indexes);
  return op(Opcode::access_chain, out_.pointer_type(storage, type), words);
}

// The index of a word: the offset in bytes, moved right, plus a number of words.
Word FunctionWriter::byte_index(Id offset, unsigned shift, std::uint32_t add) {
  const Word word32 = out_.int_type(32);
  if (const auto bytes = known(offset)) return u32(static_cast<std::uint32_t>(*bytes >> shift) + add);
  return sum(op(Opcode::shift_right_logical, word32, {value(offset), u32(shift)}), add);
}

Word FunctionWriter::sum(Word word, std::uint32_t add) {
  if (add == 0) return word;
  const auto number = out_.number_of(word);
  return number ? u32(*number + add) : op({Opcode::i_add, out_.int_type(32), {word, u32(add)}});
}

// A value from words of 32 bits of an array. What has fewer bits is in the low ones, from `low` on.
Word FunctionWriter::load_words(const Variable& from, std::span<const Word> before, Word index, Type type) {
  const Word word32 = out_.int_type(32);
  const auto load = [&](std::uint32_t add) {
    std::vector<Word> indexes(before.begin(), before.end());
    indexes.push_back(sum(index, add));
    return op(Opcode::load, word32, {pointer(from.storage, word32, from.id, indexes)});
  };
  const Word low = load(0);
  if (ir::bit_width(type) == 64) {
    const Word pair[] = {low, load(1)};
    return op({Opcode::bitcast, word_type(type), {vector(word32, pair)}});
  }
  return type == Type::i32 ? low : op(Opcode::bitcast, word_type(type), {low});
}

void FunctionWriter::store_words(const Variable& to, std::span<const Word> before, Word index, Type type, Word what) {
  const Word word32 = out_.int_type(32);
  const auto store = [&](std::uint32_t add, Word word) {
    std::vector<Word> indexes(before.begin(), before.end());
    indexes.push_back(sum(index, add));
    effect(Opcode::store, {pointer(to.storage, word32, to.id, indexes), word});
  };
  if (ir::bit_width(type) == 64) {
    const Word pair = op(Opcode::bitcast, out_.vector_type(word32, 2), {what});
    store(0, op(Opcode::composite_extract, word32, {pair, 0}));
    store(1, op(Opcode::composite_extract, word32, {pair, 1}));
    return;
  }
  store(0, type == Type::i32 ? what : op(Opcode::bitcast, word32, {what}));
}

// An index that is within an array whatever it is: what is out of bounds becomes the last.
Word FunctionWriter::within(Word index, std::optional<std::uint64_t> constant, std::uint32_t count) {
  if (constant || !writer_.is_exact()) return index;
  return glsl({Glsl::u_min, out_.int_type(32), {index, u32(count - 1)}});
}

bool FunctionWriter::memory() {
  const Word b1 = out_.bool_type();
  const Type type = inst_->type;
  const unsigned width = ir::bit_width(type);
  switch (inst_->op) {
    case Op::load:
    case Op::store: {
      std::uint32_t words = 0;
      const Variable& variable = writer_.memory(extra(), words);
      if (writer_.is_wide(extra())) return wide_access(variable, words), true;
      const Id offset = operands()[0];
      const bool is_load = inst_->op == Op::load;
      const std::uint32_t needed = width == 64 ? 2 : 1;
      const auto at = known(offset);
      // out of bounds loads give 0, stores are dropped
      if (words < needed || (at && *at / 4 + needed > words)) return is_load ? define(id_, constant(type, 0)), true : true;
      const Word index = byte_index(offset, 2, 0);
      const Word inside = within(index, at, words + 1 - needed);
      const Word is_inside = inside == index ? 0 : op(Opcode::i_equal, b1, {inside, index});
      if (width < 32) return small_access(variable, offset, inside, is_inside, is_load), true;
      if (is_load) {
        const Word loaded = load_words(variable, {}, inside, type);
        return define(id_, is_inside == 0 ? loaded : select({word_type(type), is_inside, loaded, constant(type, 0)})), true;
      }
      const Word what = operand(1);
      only_if(is_inside, [&] { store_words(variable, {}, inside, type, what); });
      return true;
    }
    case Op::atomic: {
      const ir::AtomicExtra of(extra());
      std::uint32_t words = 0;
      const Variable& variable = writer_.memory(of.variable, words);
      const bool is_wide = writer_.is_wide(of.variable);
      if (width != (is_wide ? 64U : 32U))
        return writer_.unsupported("atomic operations on " + std::to_string(width) + " bits of group memory"), true;
      const Id offset = operands()[0];
      const Word index[] = {within(byte_index(offset, is_wide ? 3 : 2, 0), known(offset), words)};
      const Type whole = is_wide ? Type::i64 : Type::i32;
      std::vector<Word> values;
      for (std::size_t at = 1; at < operands().size(); ++at) values.push_back(as(whole, type, operand(at)));
      const Word scope = u32(word(variable.storage == StorageClass::workgroup ? spirv::Scope::workgroup : spirv::Scope::invocation));
      const Word at = pointer(variable.storage, word_type(whole), variable.id, index);
      if (is_of_floats(of.op)) return define(id_, exchanged(of.op, type, whole, at, scope, operand(1))), true;
      const Word made = atomic(of.op, type, at, scope, values);
      return define(id_, as(type, whole, made)), true;
    }
    default: return false;
  }
}

// An atomic operation on floats in memory of integers: tried until no one else was there between.
Word FunctionWriter::exchanged(ir::AtomicOp what, Type type, Type whole, Word at, Word scope, Word operand) {
  if (whole == Type::i64) out_.capability(Capability::int64_atomics);
  const Word of = word_type(type), bits = word_type(whole);
  const Word header = out_.fresh(), body = out_.fresh(), next = out_.fresh(), after = out_.fresh(), again = out_.fresh();
  const Word first = op(Opcode::load, bits, {at});
  const Word before = label_;
  step_to(header);
  const Word old = op(Opcode::phi, bits, {first, before, again, next});
  effect(Opcode::loop_merge, {after, next, 0});
  step_to(body);
  const Word number = as(type, whole, old);
  const Word made = what == ir::AtomicOp::fadd ? op(Opcode::f_add, of, {number, operand})
                                               : glsl(what == ir::AtomicOp::fmin ? Glsl::n_min : Glsl::n_max, of, {number, operand});
  body_.put(Opcode::atomic_compare_exchange, {bits, again, at, scope, u32(0), u32(0), as(whole, type, made), old});
  effect(Opcode::branch_conditional, {op(Opcode::i_equal, out_.bool_type(), {again, old}), after, next});
  place(next);
  effect(Opcode::branch, {header});
  place(after);
  return as(type, whole, op(Opcode::copy_object, bits, {old}));
}

// Memory whose words have 8 bytes.
void FunctionWriter::wide_access(const Variable& variable, std::uint32_t words) {
  const Type type = inst_->type;
  if (ir::bit_width(type) != 64)
    return writer_.unsupported("group memory that atomic operations of 64 bits and accesses of other widths share");
  const Word of = word_type(Type::i64);
  const Id offset = operands()[0];
  const Word index[] = {within(byte_index(offset, 3, 0), known(offset), words)};
  const Word at = pointer(variable.storage, of, variable.id, index);
  if (inst_->op == Op::store) return effect(Opcode::store, {at, as(Type::i64, type, operand(1))});
  define(id_, as(type, Type::i64, op(Opcode::load, of, {at})));
}

// 8 and 16 bits of a word.
void FunctionWriter::small_access(const Variable& variable, Id offset, Word index, Word is_inside, bool is_load) {
  const Word word32 = out_.int_type(32);
  const Type type = inst_->type;
  const Type whole = ir::bit_width(type) == 8 ? Type::i8 : Type::i16;
  const unsigned width = ir::bit_width(type);
  const auto bytes = known(offset);
  const Word low = bytes ? u32(static_cast<std::uint32_t>(*bytes & 3) * 8)
                         : op(Opcode::shift_left_logical, word32, {op(Opcode::bitwise_and, word32, {value(offset), u32(3)}), u32(3)});
  const Word place[] = {index};
  const Word at = pointer(variable.storage, word32, variable.id, place);
  if (is_load) {
    Word made = resized(op(Opcode::shift_right_logical, word32, {op(Opcode::load, word32, {at}), low}), Type::i32, whole);
    made = as(type, whole, made);
    return define(id_, is_inside == 0 ? made : select({word_type(type), is_inside, made, constant(type, 0)}));
  }
  const Word what = resized(as(whole, type, operand(1)), whole, Type::i32);
  if (variable.storage == StorageClass::workgroup)
    return only_if(is_inside, [&] { store_bits(at, spirv::Scope::workgroup, low, width, what); });
  const Word old = op(Opcode::load, word32, {at});
  const Word made = op(Opcode::bit_field_insert, word32, {old, what, low, u32(width)});
  effect(Opcode::store, {at, is_inside == 0 ? made : select({word32, is_inside, made, old})});
}

// --- inputs and outputs ------------------------------------------------------------------------------------------------------------------

// Up to the vector, of which the column is a component.
std::vector<Word> FunctionWriter::element_indexes(const ElementPlace& place, const ir::ElementExtra& extra, std::size_t& next) {
  std::vector<Word> indexes;
  const Word word32 = out_.int_type(32);
  const auto row_of = [&](Id row) { return within(value(row), known(row), std::max(1U, place.rows)); };
  if (extra.has_vertex) {
    const Word vertex = operand(next++);
    if (place.is_per_vertex) indexes.push_back(vertex);
  } else if (place.is_per_vertex && writer_.module.stage == Stage::pixel) {
    // without interpolation that of the first vertex
    const ir::Element& element = writer_.module.signatures.input[extra.element];
    if (element.interpolation != dxcontainer::Interpolation::constant)
      writer_.unsupported("an input that is interpolated, and of which the values of vertices are read");
    indexes.push_back(u32(0));
  } else if (place.is_per_vertex) {
    // its own control point; of the PICA200 the registers of a whole primitive, which are one vertex
    bool is_bool = false;
    indexes.push_back(writer_.module.stage == Stage::hull
                          ? op(Opcode::load, word32, {writer_.builtin(ir::Builtin::control_point_id, is_bool).id})
                          : u32(0));
  }
  Word row = 0;
  std::optional<std::uint64_t> known_row = 0;
  if (extra.has_row) {
    const Id id = operands()[next++];
    known_row = known(id);
    row = row_of(id);
  }
  if (extra.column >= place.columns)
    writer_.unsupported("component " + std::to_string(extra.column) + " of an input or output that has " + std::to_string(place.columns));
  if (place.is_flat_array) {
    if (known_row) {
      indexes.push_back(u32(place.first + static_cast<std::uint32_t>(*known_row) * place.columns + extra.column));
    } else {
      const Word scaled = op(Opcode::i_mul, word32, {row, u32(place.columns)});
      indexes.push_back(op(Opcode::i_add, word32, {scaled, u32(place.first + extra.column)}));
    }
  } else {
    if (place.is_array) indexes.push_back(known_row ? u32(static_cast<std::uint32_t>(*known_row)) : row);
  }
  return indexes;
}

Word FunctionWriter::element_pointer(const ElementPlace& place, const ir::ElementExtra& extra, std::size_t& next) {
  std::vector<Word> indexes = element_indexes(place, extra, next);
  if (place.is_vector) indexes.push_back(u32(extra.column));
  return pointer(place.variable.storage, place.scalar, place.variable.id, indexes);
}

Word FunctionWriter::from_element(const ElementPlace& place, Word loaded) {
  const Word of = word_type(inst_->type);
  if (place.is_bool) return select({of, loaded, constant(inst_->type, place.true_bits), constant(inst_->type, 0)});
  Word made = loaded;
  if (place.has_reciprocal && ir::ElementExtra(extra()).column == 3)
    made = op(Opcode::f_div, place.scalar, {constant(Type::f32, std::bit_cast<std::uint32_t>(1.0F)), made});
  if (place.is_difference) made = op(Opcode::i_sub, place.scalar, {made, op(Opcode::load, place.scalar, {place.base.id})});
  return place.scalar == of ? made : op(Opcode::bitcast, of, {made});
}

Word FunctionWriter::builtin() {
  const ir::BuiltinExtra of(extra());
  const Type type = ir::info(of.builtin).type;
  if (of.builtin == ir::Builtin::is_helper) {
    out_.capability(Capability::demote_to_helper_invocation);
    out_.extension("SPV_EXT_demote_to_helper_invocation");  // in 1.6 too, which has no such instruction
    return op(Opcode::is_helper_invocation_ext, out_.bool_type(), {});
  }
  bool is_bool = false;
  const Variable& variable = writer_.builtin(of.builtin, is_bool);
  std::vector<Word> indexes;
  if (ir::info(of.builtin).components > 1) indexes.push_back(u32(of.component));
  if (of.builtin == ir::Builtin::coverage) indexes.push_back(u32(0));
  const Word loaded_type = is_bool ? out_.bool_type() : word_type(type);
  const Word loaded = op(Opcode::load, loaded_type, {pointer(variable.storage, loaded_type, variable.id, indexes)});
  return loaded_type == word_type(type) ? loaded : select({word_type(type), loaded, u32(1), u32(0)});
}

// The corners of a primitive are a vector: they are written together, by three operations in a row.
void FunctionWriter::mesh_index() {
  const std::uint32_t corners = ir::corners_of(writer_.module.info.mesh_topology);
  const auto corner = known(operands()[1]);
  if (!corner || *corner >= corners) return writer_.unsupported("corners of primitives whose number is computed");
  corners_[*corner] = operand(2);
  if (*corner + 1 != corners) return;
  const Word word32 = out_.int_type(32);
  const Word type = out_.vector_type(word32, corners);
  const BuiltIn which = corners == 3   ? BuiltIn::primitive_triangle_indices_ext
                        : corners == 2 ? BuiltIn::primitive_line_indices_ext
                                       : BuiltIn::primitive_point_indices_ext;
  const Variable all =
      writer_.builtin_variable(which, out_.array_type(type, std::max(1U, writer_.module.info.max_primitives)), StorageClass::output);
  const Word indexes[] = {operand(0)};
  effect(Opcode::store, {pointer(StorageClass::output, type, all.id, indexes), vector(word32, std::span(corners_).first(corners))});
}

// The type of an element's vector.
Word FunctionWriter::vector_of_element(const ElementPlace& place) const {
  Word type = place.variable.type;
  if (place.is_per_vertex) type = out_.element_of(type);
  return place.is_array ? out_.element_of(type) : type;
}

// Whether outputs from this one on are of all components of a vector, with nothing between them that may not be moved: the last stores
// them.
bool FunctionWriter::gathers_outputs(Id first) {
  constexpr unsigned kMostBetween = 64;
  const ir::ElementExtra of(function_.insts[first].extra);
  const ElementPlace& place = writer_.element(of.signature, of.element);
  if (!place.is_vector || place.is_flat_array || place.is_bool || out_.width_of(vector_of_element(place)) != place.columns) return false;
  std::array<Id, 4> all{kNone, kNone, kNone, kNone};
  unsigned left = place.columns;
  const auto same_place = [&](Id id) {
    const auto a = function_.operands_of(first), b = function_.operands_of(id);
    return a.size() == b.size() && std::equal(a.begin(), a.end() - 1, b.begin());
  };
  unsigned steps = 0;
  for (Id id = first; id != kNone && steps < kMostBetween; id = function_.next[id], ++steps) {
    const ir::Inst& inst = function_.insts[id];
    if (inst.op != Op::output) {
      if (ir::info(inst.op).effects != ir::Effects::pure) return false;
      continue;
    }
    const ir::ElementExtra other(inst.extra);
    if (other.signature != of.signature || other.element != of.element) continue;
    if (inst.type != function_.insts[first].type || !same_place(id) || other.column >= place.columns || all[other.column] != kNone)
      return false;
    all[other.column] = id;
    if (--left != 0) continue;
    for (const Id one : all)
      if (one != kNone && one != id) stored_later_.insert(one);
    stored_with_.emplace(id, all);
    return true;
  }
  return false;
}

void FunctionWriter::store_output() {
  const ir::ElementExtra of(extra());
  const ElementPlace& place = writer_.element(of.signature, of.element);
  const ir::Element& element = writer_.module.signatures.of(of.signature)[of.element];
  std::size_t next = 0;
  const auto component = [&](Id from, std::uint32_t column) {
    Word what = value(from);
    if (writer_.options.flip_y && element.system_value == SystemValue::position && column == 1 && writer_.module.stage != Stage::hull)
      what = op(Opcode::f_negate, place.scalar, {what});
    if (place.is_bool) return op(Opcode::i_not_equal, place.scalar, {what, constant(inst_->type, 0)});
    return place.scalar == word_type(inst_->type) ? what : op(Opcode::bitcast, place.scalar, {what});
  };
  if (stored_later_.contains(id_)) return;
  if (!stored_with_.contains(id_)) {
    if (gathers_outputs(id_)) return;
    const Word to = element_pointer(place, of, next);
    return effect(Opcode::store, {to, component(operands()[next], of.column)});
  }
  const std::vector<Word> indexes = element_indexes(place, of, next);
  const Word vector_is = vector_of_element(place);
  std::vector<Id> values;
  for (const Id one : stored_with_.at(id_))
    if (one != kNone) values.push_back(function_.operands_of(one)[next]);
  const bool flips = writer_.options.flip_y && element.system_value == SystemValue::position && writer_.module.stage != Stage::hull;
  Word whole = 0;
  if (!flips) {
    whole = vector_of(values);
    if (place.scalar != word_type(inst_->type)) whole = op(Opcode::bitcast, vector_is, {whole});
  } else {
    std::vector<Word> parts;
    for (const Id one : values) parts.push_back(component(one, static_cast<std::uint32_t>(parts.size())));
    whole = op(Opcode::composite_construct, vector_is, parts);
  }
  effect(Opcode::store, {pointer(place.variable.storage, vector_is, place.variable.id, indexes), whole});
}

bool FunctionWriter::interface() {
  const auto done = [&](Word made) { return define(id_, made), true; };
  switch (inst_->op) {
    case Op::input:
    case Op::output_load: {
      const ir::ElementExtra of(extra());
      const ElementPlace& place = writer_.element(of.signature, of.element);
      std::size_t next = 0;
      if (inst_->op == Op::input && place.is_vector && !place.is_flat_array && place.variable.storage == StorageClass::input) {
        const std::vector<Word> indexes = element_indexes(place, of, next);
        const Word whole = constant_vector(place.variable, indexes, vector_of_element(place));
        if (!place.has_reciprocal || of.column != 3)
          return define_part(id_, whole, of.column, place.scalar, out_.width_of(vector_of_element(place))), true;
        return done(from_element(place, extract(whole, of.column, place.scalar)));
      }
      return done(from_element(place, op(Opcode::load, place.scalar, {element_pointer(place, of, next)})));
    }
    case Op::output: return store_output(), true;
    case Op::interpolate: {
      const ir::ElementExtra of(extra());
      const ElementPlace& place = writer_.element(of.signature, of.element);
      std::size_t next = 0;
      const Word from = element_pointer(place, of, next);
      out_.capability(Capability::interpolation_function);
      Word made = 0;
      switch (of.place) {
        case ir::ElementExtra::Place::centroid: made = glsl(Glsl::interpolate_at_centroid, place.scalar, {from}); break;
        case ir::ElementExtra::Place::sample: made = glsl(Glsl::interpolate_at_sample, place.scalar, {from, operand(next)}); break;
        case ir::ElementExtra::Place::offset: {
          std::array<Word, 2> offsets{};
          const Word f32 = word_type(Type::f32);
          for (std::size_t k = 0; k < 2; ++k) {
            const Id one = operands()[next + k];
            offsets[k] = value(one);
            if (type(one) != Type::i32) continue;
            const Word sixteenths = op(Opcode::convert_s_to_f, f32, {offsets[k]});
            offsets[k] = op(Opcode::f_mul, f32, {sixteenths, constant(Type::f32, std::bit_cast<std::uint32_t>(1.0F / 16))});
          }
          made = glsl(Glsl::interpolate_at_offset, place.scalar, {from, vector(f32, offsets)});
          break;
        }
        case ir::ElementExtra::Place::centre: {
          const Word f32 = word_type(Type::f32);
          const Word none[] = {constant(Type::f32, 0), constant(Type::f32, 0)};
          made = glsl(Glsl::interpolate_at_offset, place.scalar, {from, vector(f32, none)});
          break;
        }
      }
      return done(from_element(place, made));
    }
    case Op::builtin: return done(builtin());
    case Op::interface_slot:
      return define(id_, op({Opcode::copy_object, out_.int_type(32), {writer_.specialization(interface_slot(extra()))}})), true;
    case Op::emit:
    case Op::cut:
      if (writer_.module.info.stream_topologies.size() > 1) {
        out_.capability(Capability::geometry_streams);
        effect(inst_->op == Op::emit ? Opcode::emit_stream_vertex : Opcode::end_stream_primitive, {u32(extra())});
      } else {
        body_.put(inst_->op == Op::emit ? Opcode::emit_vertex : Opcode::end_primitive, {});
      }
      return true;
    case Op::set_mesh_counts: return effect(Opcode::set_mesh_outputs_ext, {operand(0), operand(1)}), true;
    case Op::mesh_index: return mesh_index(), true;
    case Op::dispatch_mesh: {
      // a terminator: what follows is the return
      std::vector<Word> words{operand(0), operand(1), operand(2)};
      const auto& variables = writer_.module.variables;
      for (std::uint32_t at = 0; at < variables.size() && words.size() == 3; ++at) {
        std::uint32_t size = 0;
        if (variables[at].space == ir::Space::payload) words.push_back(writer_.memory(at, size).id);
      }
      body_.put(Opcode::emit_mesh_tasks_ext, words);
      label_ = 0;
      return true;
    }
    case Op::trap: return writer_.unsupported("stopping with a fault, as abort() does, which Vulkan does not have"), true;
    case Op::demote: {
      out_.capability(Capability::demote_to_helper_invocation);
      const auto condition = operands().empty() ? std::optional<std::uint64_t>(1) : known(operands()[0]);
      if (condition) {
        if (*condition != 0) body_.put(Opcode::demote_to_helper_invocation, {});
        return true;
      }
      const Word then = out_.fresh(), after = out_.fresh();
      effect(Opcode::selection_merge, {after, 0});
      effect(Opcode::branch_conditional, {operand(0), then, after});
      place(then);
      body_.put(Opcode::demote_to_helper_invocation, {});
      effect(Opcode::branch, {after});
      place(after);
      return true;
    }
    default: return false;
  }
}

}  // namespace unshade::write::spirv_writer
