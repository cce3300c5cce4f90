// Textures, typed buffers, and what they are asked.
#include <algorithm>
#include <array>
#include <bit>

#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/texture_operands.hpp>
#include <unshade/texel/samples.hpp>

#include "write/operand_reader.hpp"
#include "write/specializations.hpp"
#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {
namespace {

using ir::BufferExtra;
using ir::TextureExtra;
using Bits = spirv::ImageOperands;

/// Operands of an image instruction behind a mask.
struct ImageOperandList {
  Word mask = 0;
  std::vector<Word> words;
  void add(Bits bit, std::initializer_list<Word> more) {
    mask |= word(bit);
    words.insert(words.end(), more);
  }
  void append_to(std::vector<Word>& all) const {
    if (mask == 0) return;
    all.push_back(mask);
    all.insert(all.end(), words.begin(), words.end());
  }
};

bool is_buffer(const TextureExtra& extra) { return extra.dimension == ResourceDimension::buffer; }

}  // namespace

Word FunctionWriter::vector(Word component, std::span<const Word> parts) {
  if (parts.size() == 1) return parts[0];
  return op(Opcode::composite_construct, out_.vector_type(component, static_cast<unsigned>(parts.size())), parts);
}

ir::TextureOperands<Id> FunctionWriter::texture_operands(const TextureExtra& extra) {
  ir::TextureOperands<Id> made;
  OperandReader reader{operands().subspan(ir::texture_handles(inst_->op))};
  ir::describe(reader, inst_->op, extra, made);
  return made;
}

// A component of a texel as the type of the operation.
Word FunctionWriter::texel_value(const Writer::Image& image, Word component) {
  const Type to = inst_->type;
  const Word of = word_type(to);
  if (image.texel == of) return component;
  if (image.is_real && to == Type::f16) return op(Opcode::f_convert, of, {component});
  if (!image.is_real && ir::is_integer(to) && ir::bit_width(to) < 32) return op(Opcode::u_convert, of, {component});
  return op(Opcode::bitcast, of, {component});
}

// The type of what an instruction gives: a vector of four texels' components or one value; with a code before it if `has_status`.
Word FunctionWriter::result_of(const Writer::Image& image, unsigned count, bool has_status) {
  const Word texel = out_.vector_type(image.texel, count);
  if (!has_status) return texel;
  out_.capability(Capability::sparse_residency);
  const Word both[] = {out_.int_type(32), texel};
  return out_.struct_type(both);
}

void FunctionWriter::define_texel(const Writer::Image& image, Word made, bool has_status) {
  const bool is_scalar =
      inst_->op != Op::gather && TextureExtra(inst_->extra).has_reference && (inst_->op == Op::sample || inst_->op == Op::sample_implicit);
  const unsigned values = inst_->results - (has_status ? 1U : 0U);
  Word status = 0;
  if (has_status) {
    // all bits or none, as that of a buffer
    const Word code = op(Opcode::composite_extract, out_.int_type(32), {made, 0});
    const Word is_mapped = op(Opcode::image_sparse_texels_resident, out_.bool_type(), {code});
    status = select({out_.int_type(32), is_mapped, u32(0xffff'ffff), u32(0)});
    made = op(Opcode::composite_extract, out_.vector_type(image.texel, is_scalar ? 1 : 4), {made, 1});
  }
  const unsigned texel_width = image.is_wide ? 64 : 32;
  if (!is_scalar && ir::bit_width(inst_->type) == texel_width) {
    if (inst_->results == 1) return define_part(id_, made, 0, image.texel, 4);
    Tuple tuple;
    tuple.composite = made;
    tuple.part_type = image.texel;
    tuple.width = 4;
    tuple.status = status;
    if (has_status) tuple.status_at = values;
    tuple_of_[id_] = static_cast<std::uint32_t>(tuples_.size());
    tuples_.push_back(tuple);
    return;
  }
  std::vector<Word> members;
  if (image.is_wide && ir::bit_width(inst_->type) == 32) {
    const Word word32 = out_.int_type(32);
    const Word pair = op({Opcode::bitcast, out_.vector_type(word32, 2), {op(Opcode::composite_extract, image.texel, {made, 0})}});
    for (unsigned k = 0; k < values; ++k)
      members.push_back(k < 2 ? as(inst_->type, Type::i32, op(Opcode::composite_extract, word32, {pair, k}))
                              : constant(inst_->type, k == 3 ? 1 : 0));
  }
  for (unsigned k = 0; k < values && members.size() < values; ++k) {
    const Word component = is_scalar ? made : op(Opcode::composite_extract, image.texel, {made, k});
    members.push_back(texel_value(image, component));
  }
  if (has_status) members.push_back(status);
  define_members(members);
}

bool FunctionWriter::images() {
  switch (inst_->op) {
    case Op::sample:
    case Op::sample_implicit:
    case Op::gather: return sample(), true;
    case Op::texel_load: return texel_load(), true;
    case Op::texel_store: return texel_store(), true;
    case Op::texel_atomic: return texel_atomic(), true;
    case Op::query_size:
    case Op::query_levels:
    case Op::query_samples:
    case Op::query_lod: return query(), true;
    case Op::sample_position: return sample_position(), true;
    case Op::access_mapped: return define(id_, op({Opcode::i_not_equal, out_.bool_type(), {operand(0), u32(0)}})), true;
    default: return false;
  }
}

// A program may take a resource of a heap for another than it is: undefined, and not valid here.
bool FunctionWriter::is_shaped(const Handle& of, ResourceDimension dimension) {
  const ResourceDimension declared = writer_.module.resources[of.resource].dimension;
  if (declared == dimension && dimension != ResourceDimension::unknown) return true;
  writer_.unsupported("accessing a resource of dimension " + std::string(id(declared)) + " as a " + std::string(id(dimension)));
  return false;
}

void FunctionWriter::sample() {
  const TextureExtra of(extra());
  const Handle texture = handle(operands()[0]), sampler = handle(operands()[1]);
  if (texture.resource == kNone || sampler.resource == kNone || !is_shaped(texture, of.dimension)) return;
  const auto o = texture_operands(of);
  const Writer::Image& image = writer_.image(texture.resource, inst_->type);
  const Word loaded = load_resource(image.variable, texture, false, false);
  const Word loaded_sampler = load_resource(writer_.sampler(sampler.resource), sampler, true, false);
  const Word both = op(Opcode::sampled_image, out_.sampled_image_type(image.type), {loaded, loaded_sampler});
  if (texture.is_non_uniform || sampler.is_non_uniform) out_.decorate(both, Decoration::non_uniform);
  const bool gathers = inst_->op == Op::gather;
  const bool is_explicit = inst_->op == Op::sample;
  if (inst_->op == Op::sample_implicit) writer_.uses_derivatives(false);
  const unsigned dimensions = of.dimension_count();
  ImageOperandList more;
  if (of.has_bias) more.add(Bits::bias, {value(o.bias)});
  if (of.has_lod) more.add(Bits::lod, {value(o.lod)});
  if (of.has_gradient) {
    const Word x = vector_of(std::span(o.ddx).first(dimensions));
    more.add(Bits::grad, {x, vector_of(std::span(o.ddy).first(dimensions))});
  }
  if (is_explicit && !of.has_lod && !of.has_gradient) more.add(Bits::lod, {constant(Type::f32, 0)});
  if (of.has_offset && of.four_offsets) {
    std::array<Word, 4> each{};
    bool all_known = true;
    for (unsigned k = 0; k < 4; ++k) {
      const auto one = std::span(o.offsets).subspan(std::size_t{k} * dimensions, dimensions);
      all_known = all_known && std::ranges::all_of(one, [&](Id id) { return known(id).has_value(); });
      each[k] = vector_of(one);
    }
    out_.capability(Capability::image_gather_extended);
    if (!all_known) return writer_.unsupported("gather with four offsets that are not constant");
    more.add(Bits::const_offsets, {out_.composite_constant(out_.array_type(out_.vector_type(out_.int_type(32), dimensions), 4), each)});
  } else if (of.has_offset) {
    const auto list = std::span(o.offsets).first(dimensions);
    const bool is_constant = std::ranges::all_of(list, [&](Id id) { return known(id).has_value(); });
    if (is_constant) {
      more.add(Bits::const_offset, {vector_of(list)});
    } else {
      out_.capability(Capability::image_gather_extended);
      if (!gathers) return writer_.unsupported("sampling at an offset that is computed");
      more.add(Bits::offset, {vector_of(list)});
    }
  }
  if (of.has_min_lod) {
    out_.capability(Capability::min_lod);
    more.add(Bits::min_lod, {value(o.min_lod)});
  }
  std::vector<Word> words{both, vector_of(std::span(o.coordinates).first(of.coordinate_count()))};
  if (of.has_reference) {
    words.push_back(value(o.reference));
  } else if (gathers) {
    words.push_back(u32(of.component));
  }
  more.append_to(words);
  const bool is_scalar = of.has_reference && !gathers;
  Opcode what = Opcode::nop;
  if (gathers) {
    what = of.has_reference ? (of.has_status ? Opcode::image_sparse_dref_gather : Opcode::image_dref_gather)
                            : (of.has_status ? Opcode::image_sparse_gather : Opcode::image_gather);
  } else if (is_explicit) {
    what = of.has_reference ? (of.has_status ? Opcode::image_sparse_sample_dref_explicit_lod : Opcode::image_sample_dref_explicit_lod)
                            : (of.has_status ? Opcode::image_sparse_sample_explicit_lod : Opcode::image_sample_explicit_lod);
  } else {
    what = of.has_reference ? (of.has_status ? Opcode::image_sparse_sample_dref_implicit_lod : Opcode::image_sample_dref_implicit_lod)
                            : (of.has_status ? Opcode::image_sparse_sample_implicit_lod : Opcode::image_sample_implicit_lod);
  }
  define_texel(image, op(what, result_of(image, is_scalar ? 1 : 4, of.has_status), words), of.has_status);
}

// Integer coordinates; of a cube the face comes with the layer.
Word FunctionWriter::texel_place(const TextureExtra& extra, const ir::TextureOperands<Id>& o) {
  const Word word32 = out_.int_type(32);
  if (extra.dimension == ResourceDimension::texture_cube_array) {
    const Word six = op(Opcode::i_mul, word32, {value(o.coordinates[3]), u32(6)});
    const Word parts[] = {value(o.coordinates[0]), value(o.coordinates[1]), op(Opcode::i_add, word32, {six, value(o.coordinates[2])})};
    return vector(word32, parts);
  }
  return vector_of(std::span(o.coordinates).first(extra.coordinate_count()));
}

void FunctionWriter::texel_load() {
  const bool is_typed_buffer = inst_->op == Op::buffer_load;
  const TextureExtra of = is_typed_buffer ? TextureExtra(ResourceDimension::buffer) : TextureExtra(extra());
  const bool has_status = is_typed_buffer ? BufferExtra(extra()).has_status : of.has_status;
  const Handle from = handle(operands()[0]);
  if (from.resource == kNone || !is_shaped(from, of.dimension)) return;
  const Writer::Image& image = writer_.image(from.resource, inst_->type);
  const Word loaded = load_resource(image.variable, from, false, image.is_storage);
  std::vector<Word> words{loaded};
  if (is_typed_buffer) {
    words.push_back(operand(1));
  } else {
    const auto o = texture_operands(of);
    Word place = texel_place(of, o);
    ImageOperandList more;
    const bool is_multisampled = of.has_sample;
    if (of.has_lod && !image.is_storage && !is_multisampled) more.add(Bits::lod, {value(o.lod)});
    if (of.has_offset) {
      const auto list = std::span(o.offsets).first(of.dimension_count());
      if (std::ranges::all_of(list, [&](Id id) { return known(id).has_value(); }) && !image.is_storage) {
        more.add(Bits::const_offset, {vector_of(list)});
      } else {
        std::vector<Word> parts;
        for (const Id id : list) parts.push_back(value(id));
        if (of.is_array()) parts.push_back(u32(0));
        const Word type = out_.vector_type(out_.int_type(32), of.coordinate_count());
        place = op(Opcode::i_add, type, {place, vector(out_.int_type(32), parts)});
      }
    }
    if (is_multisampled) more.add(Bits::sample, {value(o.sample)});
    if (dxcontainer::is_cube(of.dimension) && !image.is_storage) writer_.unsupported("loading texels of a cube texture without a sampler");
    words.push_back(place);
    more.append_to(words);
  }
  const Opcode what = image.is_storage ? (has_status ? Opcode::image_sparse_read : Opcode::image_read)
                      : has_status     ? Opcode::image_sparse_fetch
                                       : Opcode::image_fetch;
  define_texel(image, op(what, result_of(image, 4, has_status), words), has_status);
}

void FunctionWriter::texel_store() {
  const bool is_typed_buffer = inst_->op == Op::buffer_store;
  const TextureExtra of = is_typed_buffer ? TextureExtra(ResourceDimension::buffer) : TextureExtra(extra());
  const Handle to = handle(operands()[0]);
  if (to.resource == kNone || !is_shaped(to, of.dimension)) return;
  const Writer::Image& image = writer_.image(to.resource, inst_->type);
  const Word loaded = load_resource(image.variable, to, false, true);
  std::vector<Id> values;
  Word place = 0;
  ImageOperandList more;
  if (is_typed_buffer) {
    place = operand(1);
    values.assign(operands().begin() + 2, operands().end());
  } else {
    const auto o = texture_operands(of);
    place = texel_place(of, o);
    if (of.has_sample) more.add(Bits::sample, {value(o.sample)});
    for (const Id id : o.values)
      if (id != kNone) values.push_back(id);
  }
  std::vector<Word> parts;
  if (image.is_wide && ir::bit_width(inst_->type) == 32 && values.size() > 1) {
    const Word pair[] = {as(Type::i32, inst_->type, value(values[0])), as(Type::i32, inst_->type, value(values[1]))};
    parts.push_back(op(Opcode::bitcast, image.texel, {vector(out_.int_type(32), pair)}));
    values.clear();
  }
  for (const Id id : values) {
    Word part = value(id);
    if (image.texel != word_type(inst_->type)) {
      const bool is_small = ir::bit_width(inst_->type) < 32;
      part = op(!is_small ? Opcode::bitcast : image.is_real ? Opcode::f_convert : Opcode::u_convert, image.texel, {part});
    }
    parts.push_back(part);
  }
  while (parts.size() < 4 && !parts.empty()) parts.push_back(parts.back());
  std::vector<Word> words{loaded, place, vector(image.texel, parts)};
  more.append_to(words);
  body_.put(Opcode::image_write, words);
}

void FunctionWriter::texel_atomic() {
  const bool is_typed_buffer = inst_->op == Op::buffer_atomic;
  const TextureExtra of = is_typed_buffer ? TextureExtra(ResourceDimension::buffer) : TextureExtra(extra());
  const ir::AtomicOp what = is_typed_buffer ? BufferExtra(extra()).op : of.op;
  const Handle to = handle(operands()[0]);
  if (to.resource == kNone || !is_shaped(to, of.dimension)) return;
  const Writer::Image& image = writer_.image(to.resource, inst_->type);
  std::vector<Id> values;
  Word place = 0;
  Word sample = u32(0);
  if (is_typed_buffer) {
    place = operand(1);
    values.assign(operands().begin() + 2, operands().end());
  } else {
    const auto o = texture_operands(of);
    place = texel_place(of, o);
    if (of.has_sample) sample = value(o.sample);
    for (const Id id : o.values)
      if (id != kNone) values.push_back(id);
  }
  Words indexes;
  add_index(indexes, to, StorageClass::uniform_constant, false, false);
  const Word variable = pointer(StorageClass::uniform_constant, image.type, image.variable.id, indexes);
  const Word texel = op(Opcode::image_texel_pointer, out_.pointer_type(StorageClass::image, image.texel), {variable, place, sample});
  // the pointer's type is that of texels, which may have a sign
  const Type type = inst_->type;
  std::vector<Word> words;
  for (const Id id : values) words.push_back(image.texel == word_type(type) ? value(id) : op(Opcode::bitcast, image.texel, {value(id)}));
  atomic_type_ = image.texel;
  const Word made = atomic(what, type, texel, u32(word(spirv::Scope::device)), words);
  atomic_type_ = 0;
  define(id_, image.texel == word_type(type) ? made : op(Opcode::bitcast, word_type(type), {made}));
}

Word FunctionWriter::target_samples() { return writer_.specialization(write::target_samples()); }

// The standard pattern of the number of samples that the texture has, from a table of all patterns one after the other.
void FunctionWriter::sample_position() {
  const bool of_target = operands().size() < 2;
  const Handle from = of_target ? Handle{} : handle(operands()[0]);
  if (!of_target && from.resource == kNone) return;
  const Word word32 = out_.int_type(32), f32 = word_type(Type::f32), b1 = out_.bool_type(), pair = out_.vector_type(f32, 2);
  Word count = 0;
  if (of_target) {
    count = target_samples();
  } else {
    const Writer::Image& image = writer_.image(from.resource, Type::f32);
    const Word loaded = load_resource(image.variable, from, false, image.is_storage);
    out_.capability(Capability::image_query);
    count = op(Opcode::image_query_samples, word32, {loaded});
  }
  std::vector<Word> places;
  for (const std::uint32_t samples : {1U, 2U, 4U, 8U, 16U}) {
    for (const texel::SamplePlace& place : texel::sample_pattern(samples)) {
      const auto real = [&](int sixteenths) {
        return constant(Type::f32, std::bit_cast<std::uint32_t>(static_cast<float>(sixteenths) / 16));
      };
      const Word both[] = {real(place[0]), real(place[1])};
      places.push_back(out_.composite_constant(pair, both));
    }
  }
  const Variable table = writer_.table(out_.array_type(pair, static_cast<std::uint32_t>(places.size())), places);
  // 1 + 2 + 4 + ... are before the pattern of a power of two
  const Word number = operand(operands().size() - 1);
  const Word inside =
      op(Opcode::logical_and, b1, {op(Opcode::u_less_than, b1, {number, count}), op(Opcode::u_less_than_equal, b1, {count, u32(16)})});
  const Word at = op(Opcode::i_add, word32, {op(Opcode::i_sub, word32, {count, u32(1)}), number});
  const Word indexes[] = {select({word32, inside, at, u32(0)})};
  const Word found = op(Opcode::load, pair, {pointer(table.storage, pair, table.id, indexes)});
  std::vector<Word> parts;
  for (std::uint32_t axis = 0; axis < 2; ++axis)
    parts.push_back(select({f32, inside, op(Opcode::composite_extract, f32, {found, axis}), constant(Type::f32, 0)}));
  define_members(parts);
}

void FunctionWriter::query() {
  const TextureExtra of(extra());
  const Word word32 = out_.int_type(32);
  if (operands().empty()) return define(id_, target_samples());
  const Handle from = handle(operands()[0]);
  if (from.resource == kNone) return;
  const ir::Resource& resource = writer_.module.resources[from.resource];
  const bool is_typed =
      resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed || resource.kind == ResourceKind::tbuffer;
  if (inst_->op == Op::query_size && !is_typed) {
    const Variable& buffer = writer_.storage_buffer(from.resource, 4);
    Words indexes;
    add_index(indexes, from, StorageClass::storage_buffer, false, false);
    const Word base = pointer(buffer.storage, buffer.type, buffer.id, indexes);
    const Word length = op(Opcode::array_length, word32, {base, 0});
    return define(id_, resource.stride != 0 ? length : op(Opcode::shift_left_logical, word32, {length, u32(2)}));
  }
  const Writer::Image& image = writer_.image(from.resource, Type::f32);
  const Word loaded = load_resource(image.variable, from, false, image.is_storage);
  out_.capability(Capability::image_query);
  switch (inst_->op) {
    case Op::query_levels: return define(id_, op(Opcode::image_query_levels, word32, {loaded}));
    case Op::query_samples: return define(id_, op(Opcode::image_query_samples, word32, {loaded}));
    case Op::query_lod: {
      writer_.uses_derivatives(false);
      const Handle sampler = handle(operands()[1]);
      if (sampler.resource == kNone) return;
      const auto o = texture_operands(of);
      const Word both = op({Opcode::sampled_image,
                            out_.sampled_image_type(image.type),
                            {loaded, load_resource(writer_.sampler(sampler.resource), sampler, true, false)}});
      const Word f32 = word_type(Type::f32);
      const Word made =
          op({Opcode::image_query_lod, out_.vector_type(f32, 2), {both, vector_of(std::span(o.coordinates).first(of.dimension_count()))}});
      const Word parts[] = {op(Opcode::composite_extract, f32, {made, 0}), op(Opcode::composite_extract, f32, {made, 1})};
      return define_members(parts);
    }
    default: break;
  }
  const bool is_cube = dxcontainer::is_cube(of.dimension);
  const unsigned count = is_buffer(of) ? 1 : (is_cube ? 2 : of.dimension_count()) + (of.is_array() ? 1U : 0U);
  const bool is_multisampled = of.dimension == ResourceDimension::texture2d_ms || of.dimension == ResourceDimension::texture2d_ms_array;
  const Word size = out_.vector_type(word32, count);
  Word made = 0;
  if (image.is_storage || is_buffer(of) || is_multisampled) {
    made = op(Opcode::image_query_size, size, {loaded});
  } else {
    made = op(Opcode::image_query_size_lod, size, {loaded, of.has_lod ? operand(1) : u32(0)});
  }
  std::vector<Word> parts;
  for (unsigned k = 0; k < count; ++k) parts.push_back(count == 1 ? made : op(Opcode::composite_extract, word32, {made, k}));
  if (writer_.is_exact() && of.has_lod && !image.is_storage && !is_multisampled && known(operands()[1]) != std::uint64_t{0}) {
    // of a level that is not there all are 0
    const Word inside = op({Opcode::u_less_than, out_.bool_type(), {operand(1), op(Opcode::image_query_levels, word32, {loaded})}});
    for (Word& part : parts) part = select({word32, inside, part, u32(0)});
  }
  define_members(parts);
}

}  // namespace unshade::write::spirv_writer
