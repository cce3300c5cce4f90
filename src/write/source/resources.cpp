// Resources, inputs and outputs, messages: operands of the calls that languages have for them.
#include <algorithm>

#include <unshade/ir/message.hpp>

#include "write/operand_reader.hpp"
#include "write/source/function_writer.hpp"
#include "write/source/prepare.hpp"

namespace unshade::write::source {

using ir::BufferExtra;
using ir::BufferKind;
using ir::TextureExtra;

ResourceUse FunctionWriter::resource(Id handle) {
  const ir::Inst& inst = f_.insts[handle];
  if (inst.op == Op::handle_from_heap) {
    const ir::Resource& of = writer_.module.resources[inst.extra];
    const Address address = address_of(f_, f_.operands_of(handle)[0]);
    const std::string index = index_text({address.bytes, address.terms});
    std::string text = has_heap_type(of) ? target_.heap_resource(inst.extra, index, ir::has(inst.flags, ir::Flags::non_uniform)) : "";
    if (!text.empty()) return {inst.extra, std::move(text)};
  }
  if (inst.op != Op::handle) {
    writer_.unsupported(inst.op == Op::handle_from_heap ? "resources of a descriptor heap"
                                                        : "a resource that is chosen when the shader runs");
    return {};
  }
  ResourceUse made{inst.extra, writer_.resource_name(inst.extra)};
  const ir::Resource& of = writer_.module.resources[inst.extra];
  if (of.count != 1) {
    const Id index = f_.operands_of(handle)[0];
    const Address address = address_of(f_, index);
    Index text{address.bytes, address.terms};
    std::string at = index_text(text);
    if (ir::has(inst.flags, ir::Flags::non_uniform) && !known(index)) at = target_.varying_index(at);
    made.text += '[' + at + ']';
  }
  return made;
}

TextureCall FunctionWriter::texture_call(Id id) {
  const ir::Inst& inst = f_.insts[id];
  const auto operands = f_.operands_of(id);
  TextureCall made;
  made.op = inst.op;
  made.results = inst.results;
  if (inst.op == Op::query_samples || inst.op == Op::sample_position) {
    const std::size_t with = inst.op == Op::query_samples ? 1 : 2;
    if (operands.size() >= with) made.texture = resource(operands[0]);
    if (inst.op == Op::sample_position) made.sample = one(operands.back(), Base::int_);
    return made;
  }
  const std::size_t handles = ir::texture_handles(inst.op);
  if (inst.op == Op::sampler_feedback) made.feedback = resource(operands[0]);
  made.texture = resource(operands[handles > 2 ? 1 : 0]);
  const bool is_typed_buffer = inst.op == Op::buffer_load || inst.op == Op::buffer_store || inst.op == Op::buffer_atomic;
  const auto store_values = [&](std::span<const Id> values) {
    if (values.empty() || made.texture.resource == kNone) return;
    const ir::Resource& of = writer_.module.resources[made.texture.resource];
    Base base = ir::is_float(inst.type) ? Base::float_ : of.return_type == dxcontainer::ReturnType::sint ? Base::int_ : Base::uint_;
    if (of.return_type != dxcontainer::ReturnType::sint && of.return_type != dxcontainer::ReturnType::uint &&
        of.return_type != dxcontainer::ReturnType::none && of.return_type != dxcontainer::ReturnType::mixed)
      base = Base::float_;
    if (const Base texel = target_.texel_base(made.texture.resource); bits_of(texel) == 64) {
      made.value = wide_texel(values, texel);
      return;
    }
    const std::size_t width = std::min<std::size_t>(values.size(), target_.texel_width(made.texture.resource));
    made.value = full(values.first(width), base);
  };
  // GLSL counts texels by signed integers
  const Base place_base = target_.mixes_signs() ? Base::uint_ : Base::int_;
  if (is_typed_buffer) {
    const BufferExtra extra(inst.extra);
    made.extra = TextureExtra(dxcontainer::ResourceDimension::buffer);
    made.extra.op = extra.op;
    made.extra.has_status = extra.has_status;
    made.place = loosely(operands.subspan(1, 1), place_base);
    if (inst.op == Op::buffer_store) store_values(operands.subspan(2));
    return made;
  }
  made.extra = TextureExtra(inst.extra);
  if (inst.op == Op::query_size || inst.op == Op::query_levels) {
    if (made.extra.has_lod && operands.size() > 1) made.lod = loosely(operands.subspan(1, 1), place_base);
    return made;
  }
  if (handles > 1) made.sampler = resource(operands[handles - 1]);
  ir::TextureOperands<Id> o;
  OperandReader reader{operands.subspan(handles)};
  ir::describe(reader, inst.op, made.extra, o);
  const bool samples = handles > 1;
  const Base number = samples ? Base::float_ : Base::int_;
  const unsigned dimensions = made.extra.dimension_count();
  const unsigned coordinates = inst.op == Op::query_lod ? dimensions : made.extra.coordinate_count();
  const Base base = samples ? Base::float_ : inst.op == Op::texel_load ? Base::int_ : place_base;
  if (coordinates > 0) made.place = widened(loosely(std::span(o.coordinates).first(coordinates), base), coordinates);
  if (made.extra.has_bias) made.bias = one(o.bias, Base::float_);
  if (made.extra.has_lod) made.lod = one(o.lod, number);
  if (made.extra.has_gradient) {
    made.ddx = full(std::span(o.ddx).first(dimensions), Base::float_);
    made.ddy = full(std::span(o.ddy).first(dimensions), Base::float_);
  }
  if (made.extra.has_offset) {
    if (made.extra.four_offsets) {
      for (unsigned k = 0; k < 4; ++k)
        made.offsets.push_back(full(std::span(o.offsets).subspan(std::size_t{k} * dimensions, dimensions), Base::int_));
    } else {
      made.offset = full(std::span(o.offsets).first(dimensions), Base::int_);
    }
  }
  if (made.extra.has_reference) made.reference = one(o.reference, Base::float_);
  if (made.extra.has_min_lod) made.min_lod = one(o.min_lod, Base::float_);
  if (made.extra.has_sample) made.sample = one(o.sample, Base::int_);
  if (inst.op == Op::texel_store) {
    std::size_t count = 0;
    while (count < 4 && o.values[count] != kNone) ++count;
    store_values(std::span(o.values).first(count));
  }
  return made;
}

// What is stored in a texel of 64 bits: a number, or its two words.
Expression FunctionWriter::wide_texel(Ids values, Base base) {
  if (ir::bit_width(ir::result_type(f_, values[0])) == 64) return one(values[0], base);
  ir::Inst pack;
  pack.op = Op::pack64;
  pack.type = Type::i64;
  const Expression words[] = {one(values[0], Base::uint_),
                              values.size() > 1 ? one(values[1], Base::uint_) : Expression{"0", Level::postfix, {Base::uint_, 1}, true}};
  const auto made = target_.operation(pack, words, {Base::uint64, 1});
  if (!made) unsupported_operation(Op::pack64);
  return made ? as(*made, base) : words[0];
}

// Components of an element: what its vertex and row are.
ElementUse FunctionWriter::element_use(Ids ids) {
  const ir::Inst& inst = f_.insts[ids[0]];
  const ir::ElementExtra extra(inst.extra);
  ElementUse made;
  made.signature = extra.signature;
  made.element = extra.element;
  const auto operands = f_.operands_of(ids[0]);
  std::size_t next = 0;
  const auto text = [&](Id id) {
    const Address address = address_of(f_, id);
    return index_text({address.bytes, address.terms});
  };
  if (extra.has_vertex) made.vertex = text(operands[next++]);
  if (extra.has_row) made.row = text(operands[next++]);
  for (const Id id : ids) made.columns.push_back(ir::ElementExtra(f_.insts[id].extra).column);
  return made;
}

// An output that goes on with the components of the one before, to the same place.
bool FunctionWriter::goes_on(Id first, Id next) const {
  const ir::Inst &a = f_.insts[first], &b = f_.insts[next];
  if (a.op != b.op || a.operand_count != b.operand_count) return false;
  const auto x = f_.operands_of(first), y = f_.operands_of(next);
  if (a.op == Op::output) {
    const ir::ElementExtra of(a.extra), other(b.extra);
    return of.signature == other.signature && of.element == other.element && of.has_vertex == other.has_vertex &&
           of.has_row == other.has_row && std::equal(x.begin(), x.end() - 1, y.begin());
  }
  return a.op == Op::store && a.extra == b.extra && a.type == b.type && a.flags == b.flags;
}

void FunctionWriter::outputs(Statements& into, Ids list_of) {
  std::vector<Id> ids(list_of.begin(), list_of.end());
  std::ranges::sort(ids, {}, [&](Id id) { return ir::ElementExtra(f_.insts[id].extra).column; });
  std::vector<Id> values;
  for (const Id id : ids) values.push_back(f_.operands_of(id).back());
  ElementUse use = element_use(ids);
  use.is_precise = are_fixed(values, base_of(values[0]));
  ValueType type;
  const std::string to = target_.output(use, type);
  Expression value;
  if (type.base == Base::bool_) {
    const Expression bits = list(values, Base::uint_);
    value = {bits.in(Level::equality) + " != " + target_.literal(bits.type.base, 0, false), Level::equality, type};
  } else {
    value = widened(loosely(values, type.base), ids.size());
  }
  Statement& made = add(into, StatementKind::assign, to, ids[0]);
  made.value = target_.assigned(use, std::move(value));
}

// What members of a buffer follow; nothing: it is no structured buffer, and no block.
std::optional<std::string> FunctionWriter::buffer_prefix(const ResourceUse& buffer, Id access) {
  if (!writer_.has_memory(buffer.resource)) return std::nullopt;
  const Memory& memory = writer_.memory_of(buffer.resource);
  if (BufferExtra(f_.insts[access].extra).kind == BufferKind::structured)
    return target_.element_of(buffer, loosely(f_.operands_of(access).subspan(1, 1), Base::uint_));
  return memory.name.empty() ? memory.name : buffer.text;
}

// The scalar so many bytes after the begin of an access. Indexes of blocks are variables, if they have such.
std::optional<ScalarPlace> FunctionWriter::buffer_place(const Memory& memory, Id access, std::uint32_t after, unsigned bytes) const {
  const auto find = [&](const IsKept& is_kept) {
    Address address = buffer_address(f_, access, is_kept);
    address.bytes += after;
    auto found = memory.layout.at(address);
    return found && bits_of(found->base) == bytes * 8 ? std::move(found) : std::nullopt;
  };
  if (!memory.block.empty())
    if (auto found = find([&](Id id) { return plan_.place(id).variable != kNone; })) return found;
  return find({});
}

// The number of elements of an open array, as SPIR-V's OpArrayLength is computed: bytes less those before it, by the stride.
std::optional<Expression> FunctionWriter::length(Ids ids) {
  if (ids.size() != 1 || f_.insts[ids[0]].op != Op::udiv) return std::nullopt;
  const auto divided = f_.operands_of(ids[0]);
  Id from = divided[0];
  std::uint64_t start = 0;
  if (f_.insts[from].op == Op::isub) {
    start = known(f_.operands_of(from)[1]).value_or(~std::uint64_t{0});
    from = f_.operands_of(from)[0];
  }
  if (f_.insts[from].op == Op::umax) {
    const auto both = f_.operands_of(from);
    const std::size_t at = known(both[1]) ? 0 : 1;
    if (known(both[1 - at]) != start) return std::nullopt;
    from = both[at];
  }
  if (f_.insts[from].op == Op::get) from = f_.operands_of(from)[0];
  if (f_.insts[from].op != Op::query_size || f_.insts[f_.operands_of(from)[0]].op != Op::handle) return std::nullopt;
  const std::uint32_t number = f_.insts[f_.operands_of(from)[0]].extra;
  if (!writer_.has_memory(number) || writer_.memory_of(number).block.empty()) return std::nullopt;
  const Memory& memory = writer_.memory_of(number);
  const ByteLayout::Part* const array = memory.layout.open_array();
  const ByteLayout::Member& member = memory.layout.parts[memory.layout.root].members.back();
  if (array == nullptr || member.offset != start || known(divided[1]) != array->stride) return std::nullopt;
  const ResourceUse buffer = resource(f_.operands_of(from)[0]);
  return target_.length_of(memory.name.empty() ? member.name : buffer.text + '.' + member.name);
}

// A load is done again for its status.
Expression FunctionWriter::status_of(Id load) {
  const ir::Inst& inst = f_.insts[load];
  std::optional<Expression> made;
  if (inst.op == Op::buffer_load && BufferExtra(inst.extra).kind != BufferKind::typed) {
    const BufferExtra extra(inst.extra);
    const auto operands = f_.operands_of(load);
    const ResourceUse buffer = resource(operands[0]);
    Expression address = loosely(operands.subspan(1, 1), Base::uint_);
    if (extra.kind != BufferKind::structured && extra.has_offset && known(operands[2]) != std::uint64_t{0})
      address = binary("+", Level::sum, address, loosely(operands.subspan(2, 1), Base::uint_), address.type);
    const unsigned words = (inst.results - 1U) * ir::bit_width(inst.type) / 32;
    if (buffer.resource != kNone) made = target_.buffer_status(buffer, address, std::clamp(words, 1U, 4U));
  } else {
    made = target_.texture_status(texture_call(load));
  }
  if (made) return *std::move(made);
  unsupported_operation(Op::access_mapped);
  return {"0", Level::postfix, {}};
}

Expression FunctionWriter::buffer_load(Id id, std::span<const std::uint8_t> members) {
  const ir::Inst& inst = f_.insts[id];
  const BufferExtra extra(inst.extra);
  const auto operands = f_.operands_of(id);
  const ResourceUse buffer = resource(operands[0]);
  const Expression nothing{"0", Level::postfix, {}};
  if (buffer.resource == kNone) return nothing;
  const unsigned bytes = ir::bit_width(inst.type) / 8;
  if (const auto prefix = buffer_prefix(buffer, id)) {
    const Memory& memory = writer_.memory_of(buffer.resource);
    std::vector<ScalarPlace> all;
    for (const std::uint8_t member : members)
      if (auto found = buffer_place(memory, id, member * bytes, bytes)) all.push_back(*std::move(found));
    if (all.size() == members.size()) return read(*prefix, all);
    if (auto made = read_members(*prefix, memory.layout, buffer_address(f_, id), inst.type, members)) return *std::move(made);
    refuse_member();
    return nothing;
  }
  Expression address = loosely(operands.subspan(1, 1), Base::uint_);
  if (extra.has_offset) {
    const Expression more = loosely(operands.subspan(2, 1), Base::uint_);
    if (known(operands[2]) != std::uint64_t{0}) address = binary("+", Level::sum, address, more, address.type);
  }
  const unsigned last = *std::ranges::max_element(members);
  const Base base =
      bytes == 4 ? Base::uint_ : ModuleWriter::base_of(inst.type, ir::is_float(inst.type) ? ir::Declared::real : ir::Declared::unsigned_);
  const Expression whole = target_.raw_load(buffer, address, {base, static_cast<std::uint8_t>(last + 1)});
  return swizzled(whole.text, whole.type.width, members, whole.type.base);
}

void FunctionWriter::buffer_store(Statements& into, Id id) {
  const ir::Inst& inst = f_.insts[id];
  const BufferExtra extra(inst.extra);
  const auto operands = f_.operands_of(id);
  if (extra.kind == BufferKind::typed) {
    add(into, StatementKind::text, target_.texel_store(texture_call(id)), id);
    return;
  }
  const ResourceUse buffer = resource(operands[0]);
  if (buffer.resource == kNone) return;
  const unsigned bytes = ir::bit_width(inst.type) / 8;
  const auto values = operands.subspan(extra.has_offset ? 3 : 2);
  if (const auto prefix = buffer_prefix(buffer, id)) {
    const Memory& memory = writer_.memory_of(buffer.resource);
    std::vector<ScalarPlace> all;
    for (unsigned k = 0; k < values.size(); ++k) {
      const auto found = buffer_place(memory, id, k * bytes, bytes);
      if (!found) return store_parts(into, id, *prefix, memory.layout, buffer_address(f_, id), values);
      all.push_back(*found);
    }
    for (std::size_t at = 0; at < all.size();) {
      std::size_t end = at + 1;
      // a column of a matrix is a vector in GLSL alone
      const bool is_vector = all[at].kind == ScalarPlace::Kind::vector ||
                             (all[at].kind == ScalarPlace::Kind::columns && target_.words() == ShadingLanguage::glsl);
      while (end < all.size() && is_vector && all[end].kind == all[at].kind && all[at].path == all[end].path &&
             all[at].vector == all[end].vector && all[at].component.terms.empty() && all[end].component.terms.empty())
        ++end;
      if (at != 0) (void)buffer_prefix(resource(operands[0]), id);
      const Target_ to = place_text(*prefix, std::span(all).subspan(at, end - at));
      Expression value = widened(loosely(values.subspan(at, end - at), to.type.base), to.type.width);
      Statement& made = add(into, StatementKind::assign, to.text, id);
      made.value = std::move(value);
      at = end;
    }
    return;
  }
  Expression address = loosely(operands.subspan(1, 1), Base::uint_);
  if (extra.has_offset) {
    const Expression more = loosely(operands.subspan(2, 1), Base::uint_);
    if (known(operands[2]) != std::uint64_t{0}) address = binary("+", Level::sum, address, more, address.type);
  }
  const Base base =
      bytes == 4 ? Base::uint_ : ModuleWriter::base_of(inst.type, ir::is_float(inst.type) ? ir::Declared::real : ir::Declared::unsigned_);
  const Expression value = widened(bytes == 4 ? loosely(values, base) : list(values, base), values.size());
  add(into, StatementKind::text, target_.raw_store(buffer, address, value), id);
}

// Numbers that are stored as several words each: all are computed before the first word is written.
void FunctionWriter::store_parts(Statements& into, Id id, const std::string& element, const ByteLayout& layout, const Address& address,
                                 Ids values) {
  const Type type = ir::result_type(f_, values[0]);
  const unsigned bytes = ir::bit_width(type) / 8, unit = bits_of(layout.parts[0].base) / 8;
  if (bytes <= unit) return refuse_member();
  const Base whole = ModuleWriter::base_of(type, ir::Declared::unsigned_);
  const Base part = unit == 2 ? Base::uint16 : Base::uint_;
  std::string before, after;
  for (unsigned k = 0; k < values.size(); ++k) {
    const std::string name = writer_.names.claim("stored", k, Names::Kind::local);
    before += target_.type_name({whole, 1}) + ' ' + name + " = " + list(values.subspan(k, 1), whole).text + "; ";
    for (unsigned at = 0; at < bytes; at += unit) {
      Address to = address;
      to.bytes += k * bytes + at;
      const auto found = places(layout, to, 1, unit);
      if (!found) return refuse_member();
      const Target_ place = place_text(element, *found);
      const std::string bits = at == 0 ? name : name + " >> " + std::to_string(8 * at);
      const Expression value{target_.type_name({part, 1}) + '(' + bits + ')', Level::postfix, {part, 1}};
      after += place.text + " = " + as(value, place.type.base).text + "; ";
    }
  }
  add(into, StatementKind::text, "{ " + before + after + '}', id);
}

void FunctionWriter::atomic(Statements& into, Id id) {
  const ir::Inst& inst = f_.insts[id];
  const auto operands = f_.operands_of(id);
  Target::AtomicPlace place;
  ResourceUse buffer;
  std::span<const Id> values;
  ir::AtomicOp what = ir::AtomicOp::add;
  const unsigned bytes = ir::bit_width(inst.type) / 8;
  const bool is_texel = inst.op == Op::texel_atomic || (inst.op == Op::buffer_atomic && BufferExtra(inst.extra).kind == BufferKind::typed);
  if (bytes != 4 && bytes != 8) return writer_.unsupported("atomic operations on " + std::to_string(8 * bytes) + " bits");
  if (inst.op == Op::atomic) {
    const ir::AtomicExtra extra(inst.extra);
    what = extra.op;
    const Memory& memory = writer_.variable(extra.variable);
    if (memory.is_flat) {
      if (bytes != 4) return writer_.unsupported("local memory of several widths");
      place.text = flat_place(memory, operands[0], 0);
      place.base = memory.layout.parts[0].base;
    } else {
      const auto found = places(memory.layout, address_of(f_, operands[0]), 1, bytes);
      if (!found) return writer_.unsupported("local memory of several widths");
      const Target_ to = place_text(memory.name, *found);
      place.text = to.text;
      place.base = to.type.base;
    }
    values = operands.subspan(1);
  } else if (is_texel) {
    const TextureCall call = texture_call(id);
    if (call.texture.resource == kNone) return;
    what = call.extra.op;
    place.text = target_.texel_place(call);
    place.is_texel = true;
    place.base = target_.texel_base(call.texture.resource);
    values = operands.subspan(operands.size() - (what == ir::AtomicOp::compare_exchange ? 2 : 1));
  } else {
    const BufferExtra extra(inst.extra);
    what = extra.op;
    buffer = resource(operands[0]);
    if (buffer.resource == kNone) return;
    values = operands.subspan(extra.has_offset ? 3 : 2);
    if (const auto prefix = buffer_prefix(buffer, id)) {
      const Memory& memory = writer_.memory_of(buffer.resource);
      const auto found = buffer_place(memory, id, 0, bytes);
      if (!found) return refuse_member();
      const Target_ to = place_text(*prefix, {&*found, 1});
      place.text = to.text;
      place.base = to.type.base;
    } else {
      place.raw = &buffer;
      if (bytes == 8) place.base = Base::uint64;
      place.address = loosely(operands.subspan(1, 1), Base::uint_);
      if (extra.has_offset) {
        const Expression more = loosely(operands.subspan(2, 1), Base::uint_);
        if (known(operands[2]) != std::uint64_t{0}) place.address = binary("+", Level::sum, place.address, more, place.address.type);
      }
    }
  }
  if (is_real(place.base)) return writer_.unsupported("atomic operations on words that are floats elsewhere");
  std::vector<Expression> parts;
  for (const Id value : values) parts.push_back(one(value, place.base));
  std::string result;
  if (plan_.uses().count[id] != 0) {
    const Place to = plan_.place(id);
    mention(to.variable);
    LocalVariable& variable = variables_[to.variable];
    if (!is_typed_[to.variable] && !plan_.variables()[to.variable].is_web) {
      variable.type = {place.base, plan_.variables()[to.variable].width};
      is_typed_[to.variable] = true;
      variable.type_name = target_.type_name(variable.type);
    }
    const std::uint8_t component[] = {to.component};
    place.result = variable.type.base;
    result = swizzled(variable.name, variable.type.width, component, variable.type.base).text;
  }
  add(into, StatementKind::text, target_.atomic(what, place, parts, result), id);
}

// The corners of a primitive, which follow each other.
void FunctionWriter::mesh_index(Statements& into, Id id) {
  const std::uint32_t corners = ir::corners_of(writer_.module.info.mesh_topology);
  const Id primitive = f_.operands_of(id)[0];
  std::vector<Id> ids;
  for (Id next = id; next != kNone && ids.size() < corners; next = f_.next[next]) {
    if (f_.insts[next].op != Op::mesh_index) {
      if (f_.insts[next].results == 0 || plan_.is_named(next)) break;
      continue;
    }
    const auto operands = f_.operands_of(next);
    if (operands[0] != primitive || known(operands[1]) != ids.size()) break;
    ids.push_back(next);
  }
  if (ids.size() != corners) return writer_.unsupported("indices of a primitive that are not written at once");
  std::vector<Expression> list;
  for (const Id index : ids) {
    is_done_[index] = true;
    list.push_back(one(f_.operands_of(index)[2], Base::uint_));
  }
  statement(into, target_.mesh_primitive(one(primitive, Base::uint_), list), id);
}

// The format as it is, but for vectors, which are shown component by component, and what a string may not have.
void FunctionWriter::message(Statements& into, Id id) {
  const ir::MessageFormat& of = writer_.module.messages[f_.insts[id].extra];
  Ids values = f_.operands_of(id);
  std::string format = "\"";
  std::vector<Expression> shown;
  ir::FormatParts parts(of.text);
  while (const auto part = parts.next()) {
    if (part->conversion == 0) {
      for (const char c : part->text) {
        if (c == '"' || c == '\\') format += '\\';
        if (c == '%') format += '%';
        if (c == '\n') {
          format += "\\n";
        } else if (c == '\t') {
          format += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          // three digits of base 8, as C has them
          for (const int shift : {6, 3, 0}) (shift == 6 ? format += '\\' : format) += static_cast<char>('0' + (c >> shift & 7));
        } else {
          format += c;
        }
      }
      continue;
    }
    const std::size_t count = std::min<std::size_t>(part->values, values.size());
    std::string conversion(part->text);
    if (const std::size_t v = conversion.find('v'); v != std::string::npos) {
      const std::size_t digits = conversion.find_first_not_of("0123456789", v + 1);
      conversion.erase(v, digits - v);
    }
    const bool is_wide = count != 0 && !part->is_real() && ir::bit_width(ir::result_type(f_, values[0])) == 64;
    if (is_wide && conversion.find('l') == std::string::npos) conversion.insert(conversion.size() - 1, "l");
    for (std::size_t k = 0; k < count; ++k) {
      const Type type = ir::result_type(f_, values[k]);
      const bool is_signed = part->conversion == 'd' || part->conversion == 'i';
      const ir::Declared how = part->is_real() ? ir::Declared::real : is_signed ? ir::Declared::signed_ : ir::Declared::unsigned_;
      (format += k == 0 ? "" : ", ") += conversion;
      shown.push_back(one(values[k], ModuleWriter::base_of(type, how)));
    }
    values = values.subspan(count);
  }
  statement(into, target_.message(of.kind, format + '"', shown), id);
}

}  // namespace unshade::write::source
