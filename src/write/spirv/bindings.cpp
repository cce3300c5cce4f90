// Resources as variables with a set and a binding.
#include <algorithm>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/lower_pica.hpp>

#include "write/spirv/writer.hpp"

namespace unshade::write::spirv_writer {
namespace {

using dxcontainer::ReturnType;
using spirv::Dim;

/// Of a constant buffer whose size no one states: what Direct3D allows.
constexpr std::uint32_t kMostVectors = 4096;

ImageShape shape_of(const ir::Resource& resource) {
  ImageShape made;
  switch (resource.dimension) {
    case ResourceDimension::buffer: made.dim = Dim::buffer; break;
    case ResourceDimension::texture1d:
    case ResourceDimension::texture1d_array: made.dim = Dim::dim_1d; break;
    case ResourceDimension::texture3d: made.dim = Dim::dim_3d; break;
    case ResourceDimension::texture_cube:
    case ResourceDimension::texture_cube_array: made.dim = Dim::cube; break;
    default: made.dim = Dim::dim_2d; break;
  }
  made.is_arrayed = resource.dimension == ResourceDimension::texture1d_array || resource.dimension == ResourceDimension::texture2d_array ||
                    resource.dimension == ResourceDimension::texture2d_ms_array ||
                    resource.dimension == ResourceDimension::texture_cube_array;
  made.is_multisampled =
      resource.dimension == ResourceDimension::texture2d_ms || resource.dimension == ResourceDimension::texture2d_ms_array;
  made.is_storage = is_uav(resource.kind);
  return made;
}

// What the shape asks for. src: SPIR-V 3.8, Dim
void require(ModuleWriter& out, const ImageShape& shape) {
  const bool is_storage = shape.is_storage;
  if (shape.dim == Dim::dim_1d) out.capability(is_storage ? Capability::image1d : Capability::sampled1d);
  if (shape.dim == Dim::buffer) out.capability(is_storage ? Capability::image_buffer : Capability::sampled_buffer);
  if (shape.dim == Dim::cube && shape.is_arrayed)
    out.capability(is_storage ? Capability::image_cube_array : Capability::sampled_cube_array);
  if (shape.is_multisampled && is_storage) out.capability(Capability::storage_image_multisample);
  if (shape.is_multisampled && shape.is_arrayed && is_storage) out.capability(Capability::image_ms_array);
  if (is_storage && shape.format == spirv::ImageFormat::unknown) {
    out.capability(Capability::storage_image_read_without_format);
    out.capability(Capability::storage_image_write_without_format);
  }
}

}  // namespace

void Writer::find_names() {
  if (reflection_ == nullptr) return;
  for (std::uint32_t row = 0; row < reflection_->resources.size(); ++row) {
    const shader::Resource& one = reflection_->resources[row];
    reflected_.emplace(std::tuple(letter_of(one.kind), one.space, one.bind_point), row);
  }
}

const shader::Resource* Writer::reflected(const ir::Resource& resource) const {
  if (resource.heap) return nullptr;
  const auto found = reflected_.find({letter_of(resource.kind), resource.space, resource.first_register});
  return found == reflected_.end() ? nullptr : &reflection_->resources[found->second];
}

// What has no name, here or in the reflection, is called by its register, as in Direct3D: t3, u0,space1.
// Of a heap, with what is found there.
std::string Writer::name_of(const ir::Resource& resource) const {
  if (resource.heap && resource.kind != ResourceKind::sampler) {
    const bool is_typed = resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed;
    std::string name = resource.name + '.' + std::string(id(resource.kind));
    if (is_typed) (name += '.') += id(resource.dimension);
    if (is_typed) (name += '.') += id(resource.return_type);
    if (resource.stride != 0) (name += '.') += std::to_string(resource.stride);
    return name;
  }
  if (!resource.name.empty() || resource.in_set) return resource.name;
  if (const shader::Resource* const row = reflected(resource); row != nullptr && !row->name.empty()) return row->name;
  const std::string space = resource.space == 0 ? "" : ",space" + std::to_string(resource.space);
  return letter_of(resource.kind) + std::to_string(resource.first_register) + space;
}

Variable Writer::bind(std::uint32_t resource, Word type, StorageClass storage, std::string_view name) {
  const ir::Resource& of = module.resources[resource];
  Word declared = type;
  if (of.count == 0) {
    out.capability(Capability::runtime_descriptor_array);
    if (out.version() < 0x0001'0500) out.extension("SPV_EXT_descriptor_indexing");
    declared = out.runtime_array_type(type);
  } else if (of.count != 1) {
    declared = out.array_type(type, of.count);
  }
  if (of.space == kPushConstants) storage = StorageClass::push_constant;
  Variable made = declare(declared, storage, name);
  made.type = type;
  if (storage == StorageClass::push_constant) return made;
  const Place place = places_.of(resource);
  out.decorate(made.id, Decoration::descriptor_set, {place.set});
  out.decorate(made.id, Decoration::binding, {place.binding});
  if (bound_[resource] == kNotBound) {
    if (auto refused = places_.take(resource, name)) refuse(*std::move(refused));
    bound_[resource] = static_cast<std::uint32_t>(bindings_.size());
    bindings_.push_back({std::string(name), of.kind, of.space, of.first_register, of.count, place.set, place.binding});
  }
  return made;
}

const Variable& Writer::constant_buffer(std::uint32_t resource) {
  const auto found = constant_buffers_.find(resource);
  if (found != constant_buffers_.end()) return found->second;
  const ir::Resource& of = module.resources[resource];
  const Word vectors = out.array_type(out.vector_type(out.int_type(32), 4), of.bytes == 0 ? kMostVectors : (of.bytes + 15) / 16, 16);
  const Word members[] = {vectors};
  const Word block = out.new_struct_type(members);
  out.name(block, "type." + name_of(of));
  out.decorate(block, Decoration::block);
  out.decorate_member(block, 0, Decoration::offset, {0});
  return constant_buffers_.emplace(resource, bind(resource, block, StorageClass::uniform, name_of(of))).first->second;
}

const Writer::NamedBlock* Writer::named_block(std::uint32_t resource) {
  const auto found = named_blocks_.find(resource);
  if (found != named_blocks_.end()) return found->second ? &*found->second : nullptr;
  std::optional<NamedBlock>& made = named_blocks_[resource];
  const ir::Resource& of = module.resources[resource];
  if (reflection_ == nullptr) return nullptr;
  std::vector<BlockLayout::Source> sources;
  if (of.bytes == ir::pica_uniforms::kBytes && reflection_->family == shader::Family::pica) {
    // three kinds of registers, which are one buffer here
    for (const shader::Buffer& buffer : reflection_->buffers) {
      if (buffer.name.ends_with('c')) sources.push_back({&buffer, ir::pica_uniforms::real(0, 0), 1});
      if (buffer.name.ends_with('i')) sources.push_back({&buffer, ir::pica_uniforms::integer(0, 0), 1});
      if (buffer.name.ends_with('b')) sources.push_back({&buffer, ir::pica_uniforms::boolean(0), 4});
    }
    std::ranges::sort(sources, {}, &BlockLayout::Source::base);
  } else {
    const shader::Resource* const row = reflected(of);
    if (row != nullptr && row->buffer < reflection_->buffers.size()) sources.push_back({&reflection_->buffers[row->buffer], 0, 1});
  }
  if (sources.empty()) return nullptr;
  auto layout = BlockLayout::of(*reflection_, sources, name_of(of), out);
  if (!layout) return nullptr;
  const Variable variable = bind(resource, layout->block(), StorageClass::uniform, name_of(of));
  made = NamedBlock{variable, *std::move(layout)};
  return &*made;
}

const Variable& Writer::storage_buffer(std::uint32_t resource, unsigned word_bytes, bool is_real) {
  const std::tuple key{resource, word_bytes, is_real};
  const auto found = storage_buffers_.find(key);
  if (found != storage_buffers_.end()) return found->second;
  const ir::Resource& of = module.resources[resource];
  if (word_bytes == 2) out.capability(Capability::storage_buffer16_bit_access);
  Word element = is_real ? out.float_type(8 * word_bytes) : out.int_type(8 * word_bytes);
  std::uint32_t stride = word_bytes;
  if (of.stride != 0) {
    const Word words[] = {out.array_type(element, std::max(1U, of.stride / word_bytes), word_bytes)};
    element = out.new_struct_type(words);
    out.decorate_member(element, 0, Decoration::offset, {0});
    stride = of.stride;
  }
  const Word members[] = {out.runtime_array_type(element, stride)};
  const Word block = out.new_struct_type(members);
  out.name(block, "type." + name_of(of));
  out.decorate(block, Decoration::block);
  out.decorate_member(block, 0, Decoration::offset, {0});
  if (!is_uav(of.kind)) out.decorate_member(block, 0, Decoration::non_writable);
  const Variable made = bind(resource, block, StorageClass::storage_buffer, name_of(of));
  if (of.coherent) out.decorate(made.id, Decoration::coherent);
  if (out.version() < 0x0001'0300) out.extension("SPV_KHR_storage_buffer_storage_class");
  const bool has_other = std::ranges::any_of(storage_buffers_, [&](const auto& one) { return std::get<0>(one.first) == resource; });
  if (has_other) {
    for (const auto& [other, variable] : storage_buffers_)
      if (std::get<0>(other) == resource) out.decorate(variable.id, Decoration::aliased);
    out.decorate(made.id, Decoration::aliased);
  }
  return storage_buffers_.emplace(key, made).first->second;
}

const Variable& Writer::counter_buffer(std::uint32_t resource) {
  const auto found = counters_.find(resource);
  if (found != counters_.end()) return found->second;
  const ir::Resource& of = module.resources[resource];
  storage_buffer(resource, 4);  // whose counter it is, used or not
  const Word members[] = {out.int_type(32)};
  const Word block = out.new_struct_type(members);
  out.decorate(block, Decoration::block);
  out.decorate_member(block, 0, Decoration::offset, {0});
  Word type = block;
  if (of.count == 0) {
    out.capability(Capability::runtime_descriptor_array);
    type = out.runtime_array_type(block);
  } else if (of.count != 1) {
    type = out.array_type(block, of.count);
  }
  const Variable made = declare(type, StorageClass::storage_buffer, "counter.var." + name_of(of));
  const Place place = places_.of_counter(resource);
  out.decorate(made.id, Decoration::descriptor_set, {place.set});
  out.decorate(made.id, Decoration::binding, {place.binding});
  bindings_[bound_[resource]].counter_binding = place.binding;
  return counters_.emplace(resource, made).first->second;
}

// Texels that atomics change must have a format that is known, and those of 64 bits one type.
void Writer::find_accesses() {
  for (const ir::Function& function : module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        const ir::Inst& inst = function.insts[id];
        if (inst.op == ir::Op::input && module.stage == Stage::pixel && ir::ElementExtra(inst.extra).has_vertex)
          corners_.insert(ir::ElementExtra(inst.extra).element);
        if (inst.op == ir::Op::atomic && ir::bit_width(inst.type) == 64) wide_memory_.insert(ir::AtomicExtra(inst.extra).variable);
        const bool is_texel = inst.op == ir::Op::texel_load || inst.op == ir::Op::texel_store || inst.op == ir::Op::texel_atomic;
        const bool is_buffer = inst.op == ir::Op::buffer_load || inst.op == ir::Op::buffer_store || inst.op == ir::Op::buffer_atomic;
        const bool changes = inst.op == ir::Op::texel_atomic || inst.op == ir::Op::buffer_atomic;
        if (!is_texel && !(is_buffer && ir::BufferExtra(inst.extra).kind == ir::BufferKind::typed)) continue;
        const ir::Inst& handle = function.insts[function.operands_of(id)[0]];
        if (handle.op != ir::Op::handle && handle.op != ir::Op::handle_from_heap) continue;
        if (changes) with_atomics_.insert(handle.extra);
        if (ir::bit_width(inst.type) == 64) with_wide_texels_.insert(handle.extra);
      }
    }
  }
}

const Writer::Image& Writer::image(std::uint32_t resource, Type accessed) {
  const auto found = images_.find(resource);
  if (found != images_.end()) return found->second;
  const ir::Resource& of = module.resources[resource];
  Image made;
  made.is_storage = is_uav(of.kind);
  const bool is_wide = with_wide_texels_.contains(resource);
  made.is_wide = is_wide;
  switch (of.return_type) {
    case ReturnType::sint:
    case ReturnType::uint:
      made.is_real = false;
      made.texel = out.int_type(is_wide ? 64 : 32, of.return_type == ReturnType::sint);
      break;
    case ReturnType::none:
    case ReturnType::mixed:
      made.is_real = ir::is_float(accessed);
      made.texel = made.is_real ? out.float_type(32) : out.int_type(is_wide ? 64 : 32);
      break;
    default: made.texel = out.float_type(32); break;
  }
  if (is_wide && made.is_real) unsupported("texels of 64 bits that are floats");
  if (is_wide) {
    out.capability(Capability::int64_image_ext);
    out.extension("SPV_EXT_shader_image_int64");
  }
  ImageShape shape = shape_of(of);
  if (with_atomics_.contains(resource)) {
    using spirv::ImageFormat;
    const bool is_signed = of.return_type == ReturnType::sint;
    shape.format = made.is_real ? ImageFormat::r32f
                   : is_wide    ? (is_signed ? ImageFormat::r64i : ImageFormat::r64ui)
                   : is_signed  ? ImageFormat::r32i
                                : ImageFormat::r32ui;
  }
  require(out, shape);
  made.type = out.image_type(made.texel, shape);
  made.variable = bind(resource, made.type, StorageClass::uniform_constant, name_of(of));
  if (of.coherent && made.is_storage) out.decorate(made.variable.id, Decoration::coherent);
  return images_.emplace(resource, made).first->second;
}

const Variable& Writer::sampler(std::uint32_t resource) {
  const auto found = samplers_.find(resource);
  if (found != samplers_.end()) return found->second;
  return samplers_
      .emplace(resource, bind(resource, out.sampler_type(), StorageClass::uniform_constant, name_of(module.resources[resource])))
      .first->second;
}

}  // namespace unshade::write::spirv_writer
