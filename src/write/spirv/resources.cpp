// Constant buffers, buffers and counters.
#include <algorithm>
#include <optional>

#include <unshade/ir/extra.hpp>

#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {

using ir::BufferExtra;
using ir::BufferKind;

FunctionWriter::Handle FunctionWriter::handle(Id id) {
  const ir::Inst& inst = function_.insts[id];
  if (inst.op != Op::handle && inst.op != Op::handle_from_heap) {
    writer_.unsupported("a resource that is chosen when the shader runs");
    return {};
  }
  const ir::Resource& of = writer_.module.resources[inst.extra];
  if (of.heap && of.kind == ResourceKind::texture && of.dimension == ResourceDimension::unknown) {
    writer_.unsupported("a resource of a descriptor heap of which the shader does not say what it is");
    return {};
  }
  return {inst.extra, function_.operands_of(id)[0], ir::has(inst.flags, ir::Flags::non_uniform)};
}

// The element of an array of resources, and what its index asks for.
void FunctionWriter::add_index(Words& indexes, const Handle& of, StorageClass storage, bool is_image, bool is_sampler) {
  if (writer_.module.resources[of.resource].count == 1) return;
  const auto place = known(of.index);
  if (place) return indexes.push_back(u32(static_cast<std::uint32_t>(*place)));
  indexes.push_back(value(of.index));
  const bool is_sampled = storage == StorageClass::uniform_constant && (is_image || is_sampler);
  out_.capability(storage == StorageClass::uniform          ? Capability::uniform_buffer_array_dynamic_indexing
                  : storage == StorageClass::storage_buffer ? Capability::storage_buffer_array_dynamic_indexing
                  : is_sampled                              ? Capability::sampled_image_array_dynamic_indexing
                                                            : Capability::storage_image_array_dynamic_indexing);
  if (!of.is_non_uniform) return;
  out_.capability(Capability::shader_non_uniform);
  if (out_.version() < 0x0001'0500) out_.extension("SPV_EXT_descriptor_indexing");
  out_.capability(storage == StorageClass::uniform          ? Capability::uniform_buffer_array_non_uniform_indexing
                  : storage == StorageClass::storage_buffer ? Capability::storage_buffer_array_non_uniform_indexing
                  : is_sampled                              ? Capability::sampled_image_array_non_uniform_indexing
                                                            : Capability::storage_image_array_non_uniform_indexing);
}

Word FunctionWriter::resource_pointer(const Variable& variable, const Handle& of, Word type, std::span<const Word> indexes) {
  Words all;
  add_index(all, of, variable.storage, false, false);
  const bool is_chosen = !all.empty();
  all.append(indexes);
  const Word made = pointer(variable.storage, type, variable.id, all);
  if (is_chosen && of.is_non_uniform) out_.decorate(made, Decoration::non_uniform);
  return made;
}

Word FunctionWriter::load_resource(const Variable& variable, const Handle& of, bool is_sampler, bool is_storage) {
  Words indexes;
  add_index(indexes, of, variable.storage, !is_storage && !is_sampler, is_sampler);
  const Word from = pointer(variable.storage, variable.type, variable.id, indexes);
  const Word made = op(Opcode::load, variable.type, {from});
  if (!indexes.empty() && of.is_non_uniform) {
    out_.decorate(from, Decoration::non_uniform);
    out_.decorate(made, Decoration::non_uniform);
  }
  return made;
}

bool FunctionWriter::resources() {
  switch (inst_->op) {
    case Op::handle:
    case Op::handle_from_heap:
    case Op::handle_null: return true;  // where it is used
    case Op::cbuffer_load: return constant_load(), true;
    case Op::buffer_load: return ir::BufferExtra(extra()).kind == BufferKind::typed ? texel_load() : buffer_load(), true;
    case Op::buffer_store: return ir::BufferExtra(extra()).kind == BufferKind::typed ? texel_store() : buffer_store(), true;
    case Op::buffer_atomic: return ir::BufferExtra(extra()).kind == BufferKind::typed ? texel_atomic() : buffer_atomic(), true;
    case Op::counter: return counter(), true;
    default: return false;
  }
}

// What the file itself gives is a constant: a register of which a byte is not 0.
bool FunctionWriter::own_constants(const Handle& from, std::uint64_t bytes) {
  const std::vector<std::byte>& initial = writer_.module.resources[from.resource].initial;
  const Type type = inst_->type;
  const std::uint32_t size = ir::bit_width(type) / 8;
  std::vector<Word> members;
  for (std::uint32_t k = 0; k < inst_->results; ++k) {
    const std::uint64_t at = bytes + std::uint64_t{k} * size, start = at / 16 * 16;
    if (initial.size() < 16 || start > initial.size() - 16 || at + size > start + 16) return false;
    const std::span<const std::byte> whole = std::span(initial).subspan(start, 16);
    if (std::ranges::all_of(whole, [](std::byte one) { return one == std::byte{}; })) return false;
    std::uint64_t bits = 0;
    for (std::uint32_t byte = 0; byte < size; ++byte) bits |= std::to_integer<std::uint64_t>(initial[at + byte]) << (8 * byte);
    members.push_back(constant(type, bits));
  }
  define_members(members);
  return true;
}

// Constants by the names that reflection has; false if one has none.
bool FunctionWriter::named_constants(const Handle& from, std::optional<std::uint64_t> bytes) {
  const Type type = inst_->type;
  if (bytes && own_constants(from, *bytes)) return true;
  const Writer::NamedBlock* const block = bytes ? writer_.named_block(from.resource) : nullptr;
  if (block == nullptr) return false;
  std::vector<BlockPlace> places;
  for (std::uint32_t k = 0; k < inst_->results; ++k) {
    auto place = block->layout.at(static_cast<std::uint32_t>(*bytes) + k * ir::bit_width(type) / 8);
    if (!place || ir::bit_width(place->as) != ir::bit_width(type)) return false;
    places.push_back(*std::move(place));
  }
  std::vector<Part> parts;
  std::uint64_t byte = *bytes;
  for (const BlockPlace& place : places) {
    Words indexes;
    for (const std::uint32_t index : place.path) indexes.push_back(u32(index));
    if (place.vector != 0 && writer_.module.resources[from.resource].count == 1 && is_row_shared(from.resource, byte)) {
      indexes.pop_back();
      const Word whole = constant_vector(block->variable, indexes, place.vector);
      parts.push_back({whole, place.path.back(), place.type, out_.width_of(place.vector), {}});
      byte += ir::bit_width(type) / 8;
      continue;
    }
    const Word loaded = op(Opcode::load, place.type, {resource_pointer(block->variable, from, place.type, indexes)});
    parts.push_back({loaded, kNone, place.type, 0, {}});
    byte += ir::bit_width(type) / 8;
  }
  define_parts(parts);
  return true;
}

// Rows of constant buffers of which several values are read are read as a whole.
void FunctionWriter::count_constants() {
  for (const BlockId block : function_.order) {
    for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
      const ir::Inst& inst = function_.insts[id];
      if (inst.op != Op::cbuffer_load) continue;
      const auto operands = function_.operands_of(id);
      const ir::Inst& of = function_.insts[operands[0]];
      const auto offset = known(operands[1]);
      if (of.op != Op::handle || !offset) continue;
      for (std::uint32_t k = 0; k < inst.results; ++k)
        ++constants_[{of.extra, (*offset + std::uint64_t{k} * ir::bit_width(inst.type) / 8) / 16}];
    }
  }
}

bool FunctionWriter::is_row_shared(std::uint32_t resource, std::uint64_t byte) const {
  const auto found = constants_.find({resource, byte / 16});
  return found != constants_.end() && found->second > 1;
}

bool FunctionWriter::is_multiple_of_16(Id id, unsigned depth) const {
  constexpr unsigned kDeepest = 4;
  if (const auto number = known(id)) return *number % 16 == 0;
  const ir::Inst& inst = function_.insts[id];
  const auto operands = function_.operands_of(id);
  if (depth == kDeepest) return false;
  switch (inst.op) {
    case Op::ishl: {
      const auto by = known(operands[1]);
      return by && (*by & 31) >= 4;
    }
    case Op::imul: return is_multiple_of_16(operands[0], depth + 1) || is_multiple_of_16(operands[1], depth + 1);
    case Op::iadd:
    case Op::isub: return is_multiple_of_16(operands[0], depth + 1) && is_multiple_of_16(operands[1], depth + 1);
    default: return false;
  }
}

void FunctionWriter::constant_load() {
  const Handle from = handle(operands()[0]);
  if (from.resource == kNone) return;
  const Type type = inst_->type;
  const Word word32 = out_.int_type(32);
  const Id offset = operands()[1];
  const auto bytes = known(offset);
  if (named_constants(from, bytes)) return;
  const Variable& buffer = writer_.constant_buffer(from.resource);
  const std::uint32_t size = ir::bit_width(type) / 8;
  const ir::Resource& of = writer_.module.resources[from.resource];
  const std::uint32_t end = of.bytes == 0 ? 65536 : (of.bytes + 15) / 16 * 16;
  const bool is_exact = writer_.is_exact();
  if (size == 4 && of.count == 1 && (bytes ? is_row_shared(from.resource, *bytes) : is_multiple_of_16(offset))) {
    // rows as a whole
    const Word row_type = out_.vector_type(word32, 4);
    std::vector<Part> parts;
    Word first = 0, row = 0, inside = 0, is_inside = 0;
    std::uint32_t of_row = 0;
    Word whole = 0, of_whole = 0;
    for (std::uint32_t k = 0; k < inst_->results; ++k) {
      const std::uint64_t byte = (bytes ? *bytes : 0) + std::uint64_t{4} * k;
      if (bytes && byte / 4 * 4 + 4 > end) {
        parts.push_back({u32(0), kNone, word32, 0, {}});
        continue;
      }
      const auto number = static_cast<std::uint32_t>(byte / 16);
      if (bytes) {
        inside = u32(number);
      } else if (first == 0 || of_row != number) {
        if (first == 0) first = op(Opcode::shift_right_logical, word32, {value(offset), u32(4)});
        row = inside = sum(first, number);
        if (is_exact) {
          inside = glsl(Glsl::u_min, word32, {row, u32(end / 16 - 1)});
          is_inside = op(Opcode::i_equal, out_.bool_type(), {row, inside});
        }
        of_row = number;
      }
      const Word indexes[] = {u32(0), inside};
      const auto component = static_cast<std::uint32_t>(byte / 4 % 4);
      const Word loaded = constant_vector(buffer, indexes, row_type);
      if (is_inside == 0) {
        parts.push_back({loaded, component, word32, 4, {}});
      } else if (out_.version() >= 0x0001'0400) {
        if (whole == 0 || of_whole != loaded) whole = select({row_type, is_inside, of_whole = loaded, out_.null_constant(row_type)});
        parts.push_back({whole, component, word32, 4, {}});
      } else {
        parts.push_back({select({word32, is_inside, extract(loaded, component, word32), u32(0)}), kNone, word32, 0, {}});
      }
    }
    return define_parts(parts);
  }
  // a word of the buffer, `add` bytes from the offset
  const auto word_at = [&](std::uint32_t add) -> Word {
    Words indexes{u32(0)};
    if (bytes) {
      const std::uint64_t place = *bytes + add;
      if (place / 4 * 4 + 4 > end) return u32(0);
      indexes.push_back(u32(static_cast<std::uint32_t>(place >> 4)));
      indexes.push_back(u32(static_cast<std::uint32_t>(place >> 2 & 3)));
    } else {
      Word place = value(offset);
      place = sum(place, add);
      const Word row = op(Opcode::shift_right_logical, word32, {place, u32(4)});
      const Word column = op(Opcode::bitwise_and, word32, {op(Opcode::shift_right_logical, word32, {place, u32(2)}), u32(3)});
      if (writer_.is_exact()) {
        const Word inside = glsl(Glsl::u_min, word32, {row, u32(end / 16 - 1)});
        indexes.append(std::array{inside, column});
        const Word loaded = op(Opcode::load, word32, {resource_pointer(buffer, from, word32, indexes)});
        return select({word32, op(Opcode::i_equal, out_.bool_type(), {row, inside}), loaded, u32(0)});
      }
      indexes.append(std::array{row, column});
    }
    return op(Opcode::load, word32, {resource_pointer(buffer, from, word32, indexes)});
  };
  std::vector<Word> members;
  for (std::uint32_t k = 0; k < inst_->results; ++k) {
    const std::uint32_t add = k * size;
    if (size == 8) {
      const Word pair[] = {word_at(add), word_at(add + 4)};
      members.push_back(op({Opcode::bitcast, word_type(type), {vector(word32, pair)}}));
    } else if (size == 4) {
      members.push_back(as(type, Type::i32, word_at(add)));
    } else {
      const Word whole = word_at(add);
      const Type narrow = size == 2 ? Type::i16 : Type::i8;
      Word low = 0;
      if (bytes) {
        low = u32(static_cast<std::uint32_t>((*bytes + add) & 3) * 8);
      } else {
        const Word place = sum(value(offset), add);
        low = op(Opcode::shift_left_logical, word32, {op(Opcode::bitwise_and, word32, {place, u32(3)}), u32(3)});
      }
      const Word moved = op(Opcode::shift_right_logical, word32, {whole, low});
      members.push_back(as(type, narrow, resized(moved, Type::i32, narrow)));
    }
  }
  define_members(members);
}

// Where an access begins. A place within an element that is computed, and a word of which, is kept within it: what is beyond has another
// index then.
Words FunctionWriter::buffer_indexes(const Handle& of, const BufferExtra& extra, unsigned bytes) {
  const Word word32 = out_.int_type(32);
  const unsigned shift = bytes == 8 ? 3 : bytes == 4 ? 2 : 1;
  const std::uint32_t stride = writer_.module.resources[of.resource].stride;
  const auto first = operands()[1];
  if (extra.kind == BufferKind::structured) {
    if (stride == 0) writer_.unsupported("a structured buffer with a stride of 0");
    const Word within_element = extra.has_offset ? byte_index(operands()[2], shift, 0) : u32(0);
    // the product with the stride must not wrap around
    const bool may_wrap = writer_.is_exact() && !known(first);
    const Word index = may_wrap ? glsl(Glsl::u_min, word32, {value(first), u32(0x7fff'ffff / std::max(1U, stride))}) : value(first);
    return {u32(0), index, u32(0), within_element};
  }
  if (stride != 0) writer_.unsupported("bytes of a structured buffer");
  if (!extra.has_offset) return {u32(0), byte_index(first, shift, 0)};
  const auto a = known(first), b = known(operands()[2]);
  if (a && b) return {u32(0), u32(static_cast<std::uint32_t>(*a + *b) >> shift)};
  const Word sum = op(Opcode::i_add, word32, {value(first), value(operands()[2])});
  return {u32(0), op(Opcode::shift_right_logical, word32, {sum, u32(shift)})};
}

// Whether value `number` of an access is beyond its element of a structured buffer, where loads give 0 and stores are dropped.
bool FunctionWriter::is_beyond(const Handle& of, const BufferExtra& extra, std::uint32_t number) const {
  if (extra.kind != BufferKind::structured || !extra.has_offset) return false;
  const std::uint64_t offset = known(operands()[2]).value_or(0);
  return offset + std::uint64_t{number + 1} * ir::bit_width(inst_->type) / 8 > writer_.module.resources[of.resource].stride;
}

// Of a place in an element that is computed: moves the last index, of a value of `words` words of so many bytes, into the element. Gives
// whether it was there; 0: always.
Word FunctionWriter::keep_in_element(const Handle& of, const BufferExtra& extra, unsigned bytes, std::uint32_t words, Words& indexes) {
  if (!writer_.is_exact() || extra.kind != BufferKind::structured || !extra.has_offset || known(operands()[2])) return 0;
  const std::uint32_t all = writer_.module.resources[of.resource].stride / bytes;
  const Word index = indexes.back();
  indexes.back() = glsl({Glsl::u_min, out_.int_type(32), {index, u32(all - words)}});
  return op({Opcode::i_equal, out_.bool_type(), {indexes.back(), index}});
}

// Value `number` of 8 bits: moves the last index to its word. Gives the place of its low bit there.
Word FunctionWriter::bit_of_byte(const BufferExtra& extra, std::uint32_t number, Words& indexes) {
  const Word word32 = out_.int_type(32);
  const bool is_structured = extra.kind == BufferKind::structured;
  Word at = is_structured && !extra.has_offset ? u32(0) : value(operands()[is_structured ? 2 : 1]);
  if (!is_structured && extra.has_offset) at = op(Opcode::i_add, word32, {at, value(operands()[2])});
  at = sum(at, number);
  indexes.back() = op(Opcode::shift_right_logical, word32, {at, u32(2)});
  return op(Opcode::shift_left_logical, word32, {op(Opcode::bitwise_and, word32, {at, u32(3)}), u32(3)});
}

void FunctionWriter::buffer_load() {
  const Handle from = handle(operands()[0]);
  if (from.resource == kNone) return;
  const BufferExtra of(extra());
  const Type type = inst_->type;
  const Word word32 = out_.int_type(32);
  const unsigned width = ir::bit_width(type);
  const unsigned bytes = width == 16 ? 2 : 4;
  const std::uint32_t values = inst_->results - (of.has_status ? 1U : 0U);
  const Variable& buffer = writer_.storage_buffer(from.resource, bytes);
  const Words place = buffer_indexes(from, of, bytes);
  const Word word_is = out_.int_type(8 * bytes);
  std::vector<Word> members;
  for (std::uint32_t k = 0; k < values; ++k) {
    if (is_beyond(from, of, k)) {
      members.push_back(constant(type, 0));
      continue;
    }
    const std::uint32_t words = width == 64 ? 2 : 1;
    Words indexes = place;
    const Word low = width == 8 ? bit_of_byte(of, k, indexes) : 0;
    if (width != 8) indexes.back() = sum(indexes.back(), k * words);
    const Word is_inside = keep_in_element(from, of, bytes, words, indexes);
    const Word first = indexes.back();
    const auto word_at = [&](std::uint32_t add) {
      indexes.back() = sum(first, add);
      return op(Opcode::load, word_is, {resource_pointer(buffer, from, word_is, indexes)});
    };
    Word made = word_at(0);
    if (width == 64) {
      const Word pair[] = {made, word_at(1)};
      made = op({Opcode::bitcast, word_type(type), {vector(word32, pair)}});
    } else if (width == 8) {
      made = as(type, Type::i8, resized(op(Opcode::shift_right_logical, word32, {made, low}), Type::i32, Type::i8));
    } else {
      made = as(type, bytes == 2 ? Type::i16 : Type::i32, made);
    }
    members.push_back(is_inside == 0 ? made : select({word_type(type), is_inside, made, constant(type, 0)}));
  }
  // Vulkan has no loads of buffers that say it: what is bound has memory
  if (of.has_status) members.push_back(u32(0xffff'ffff));
  define_members(members);
}

void FunctionWriter::buffer_store() {
  const Handle to = handle(operands()[0]);
  if (to.resource == kNone) return;
  const BufferExtra of(extra());
  const Type type = inst_->type;
  const Word word32 = out_.int_type(32);
  const unsigned width = ir::bit_width(type);
  const unsigned bytes = width == 16 ? 2 : 4;
  const std::size_t first = of.has_offset ? 3 : 2;
  const Variable& buffer = writer_.storage_buffer(to.resource, bytes);
  const Words place = buffer_indexes(to, of, bytes);
  const Word word_is = out_.int_type(8 * bytes);
  for (std::size_t at = first; at < operands().size(); ++at) {
    const auto k = static_cast<std::uint32_t>(at - first);
    if (is_beyond(to, of, k)) continue;
    const std::uint32_t words = width == 64 ? 2 : 1;
    Words indexes = place;
    const Word low = width == 8 ? bit_of_byte(of, k, indexes) : 0;
    if (width != 8) indexes.back() = sum(indexes.back(), k * words);
    const Word what = operand(at);
    const Word is_inside = keep_in_element(to, of, bytes, words, indexes);
    const Word start = indexes.back();
    const auto pointer_to = [&](std::uint32_t add) {
      indexes.back() = sum(start, add);
      return resource_pointer(buffer, to, word_is, indexes);
    };
    only_if(is_inside, [&] {
      if (width == 64) {
        const Word pair = op(Opcode::bitcast, out_.vector_type(word32, 2), {what});
        effect(Opcode::store, {pointer_to(0), op(Opcode::composite_extract, word32, {pair, 0})});
        effect(Opcode::store, {pointer_to(1), op(Opcode::composite_extract, word32, {pair, 1})});
      } else if (width == 8) {
        store_bits(pointer_to(0), spirv::Scope::device, low, 8, resized(as(Type::i8, type, what), Type::i8, Type::i32));
      } else {
        effect(Opcode::store, {pointer_to(0), as(bytes == 2 ? Type::i16 : Type::i32, type, what)});
      }
    });
  }
}

// Some bits of a word of which others may store the rest at the same time.
void FunctionWriter::store_bits(Word at, spirv::Scope scope, Word low, unsigned width, Word what) {
  const Word word32 = out_.int_type(32);
  const Word mask = op(Opcode::shift_left_logical, word32, {u32((1U << width) - 1), low});
  const Word who = u32(word(scope)), relaxed = u32(0);
  op(Opcode::atomic_and, word32, {at, who, relaxed, op(Opcode::not_, word32, {mask})});
  op(Opcode::atomic_or, word32, {at, who, relaxed, op(Opcode::shift_left_logical, word32, {what, low})});
}

void FunctionWriter::buffer_atomic() {
  const Handle to = handle(operands()[0]);
  if (to.resource == kNone) return;
  const BufferExtra of(extra());
  const Type type = inst_->type;
  const unsigned bytes = ir::bit_width(type) / 8;
  if (bytes < 4) return writer_.unsupported("atomic operations on 16 bits of a buffer");
  const bool is_real = is_of_floats(of.op);
  const Type whole = is_real ? type : bytes == 8 ? Type::i64 : Type::i32;
  const Variable& buffer = writer_.storage_buffer(to.resource, bytes, is_real);
  Words indexes = buffer_indexes(to, of, bytes);
  const Word is_inside = keep_in_element(to, of, bytes, 1, indexes);
  std::vector<Word> values;
  for (std::size_t at = of.has_offset ? 3 : 2; at < operands().size(); ++at) values.push_back(as(whole, type, operand(at)));
  const Word before = label_;
  Word made = 0, from = 0;
  only_if(is_inside, [&] {
    const Word at = resource_pointer(buffer, to, word_type(whole), indexes);
    const Word scope = u32(word(spirv::Scope::device));
    made = as(type, whole, atomic(of.op, type, at, scope, values));
    from = label_;
  });
  if (is_inside != 0) made = op({Opcode::phi, word_type(type), {made, from, constant(type, 0), before}});
  define(id_, made);
}

bool FunctionWriter::is_of_floats(ir::AtomicOp what) {
  return what == ir::AtomicOp::fadd || what == ir::AtomicOp::fmin || what == ir::AtomicOp::fmax;
}

// On words of integers. `values`: the value, and what compare_exchange compares with.
Word FunctionWriter::atomic(ir::AtomicOp what, Type type, Word at, Word scope, std::span<const Word> values) {
  const Type whole = ir::bit_width(type) == 64 ? Type::i64 : Type::i32;
  if (whole == Type::i64) out_.capability(Capability::int64_atomics);
  const Word of = atomic_type_ != 0 ? atomic_type_ : word_type(whole);
  const Word relaxed = u32(0);
  using A = ir::AtomicOp;
  const auto simple = [&](Opcode opcode) { return op(opcode, of, {at, scope, relaxed, values[0]}); };
  switch (what) {
    case A::add: return simple(Opcode::atomic_i_add);
    case A::and_: return simple(Opcode::atomic_and);
    case A::or_: return simple(Opcode::atomic_or);
    case A::xor_: return simple(Opcode::atomic_xor);
    case A::smin: return simple(Opcode::atomic_s_min);
    case A::smax: return simple(Opcode::atomic_s_max);
    case A::umin: return simple(Opcode::atomic_u_min);
    case A::umax: return simple(Opcode::atomic_u_max);
    case A::exchange: return simple(Opcode::atomic_exchange);
    case A::compare_exchange: return op(Opcode::atomic_compare_exchange, of, {at, scope, relaxed, relaxed, values[0], values[1]});
    case A::fadd:
    case A::fmin:
    case A::fmax: return float_atomic(what, type, at, scope, values[0]);
    default: break;
  }
  writer_.unsupported("this atomic operation");
  return u32(0);
}

// On floats. src: SPV_EXT_shader_atomic_float_add, SPV_EXT_shader_atomic_float_min_max
Word FunctionWriter::float_atomic(ir::AtomicOp what, Type type, Word at, Word scope, Word operand) {
  const bool is_wide = type == Type::f64;
  const bool adds = what == ir::AtomicOp::fadd;
  if (adds) {
    out_.capability(is_wide ? Capability::atomic_float64_add_ext : Capability::atomic_float32_add_ext);
    out_.extension("SPV_EXT_shader_atomic_float_add");
  } else {
    out_.capability(is_wide ? Capability::atomic_float64_min_max_ext : Capability::atomic_float32_min_max_ext);
    out_.extension("SPV_EXT_shader_atomic_float_min_max");
  }
  const Opcode opcode = adds ? Opcode::atomic_f_add_ext : what == ir::AtomicOp::fmin ? Opcode::atomic_f_min_ext : Opcode::atomic_f_max_ext;
  return op({opcode, word_type(type), {at, scope, u32(0), operand}});
}

void FunctionWriter::counter() {
  const Handle of = handle(operands()[0]);
  if (of.resource == kNone) return;
  const Word word32 = out_.int_type(32);
  const Variable& buffer = writer_.counter_buffer(of.resource);
  const Word at = resource_pointer(buffer, of, word32, std::array{u32(0)});
  const Word device = u32(word(spirv::Scope::device));
  const bool up = static_cast<ir::Counter>(extra()) == ir::Counter::up;
  const Word before = op(Opcode::atomic_i_add, word32, {at, device, u32(0), u32(up ? 1 : 0xffff'ffff)});
  define(id_, up ? before : op(Opcode::i_sub, word32, {before, u32(1)}));
}

}  // namespace unshade::write::spirv_writer
