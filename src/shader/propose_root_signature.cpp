// A root signature for shaders: the registers that they use, as parameters.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>
#include <unshade/dxcontainer/root_signature_words.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/root_signature.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

namespace {

namespace dc = dxcontainer;
using dc::DescriptorRangeType;
using dc::RootParameterType;
using dc::ShaderVisibility;

/// src: d3d12.h, D3D12_ROOT_SIGNATURE_FLAGS
constexpr std::uint32_t kAllowInputLayout = 0x1;
constexpr std::uint32_t kResourceHeapIndexed = 0x400;
constexpr std::uint32_t kSamplerHeapIndexed = 0x800;
/// src: d3d12shader.h, D3D_SHADER_REQUIRES_RESOURCE_DESCRIPTOR_HEAP_INDEXING and the one of samplers
constexpr std::uint64_t kRequiresResourceHeap = 0x0200'0000;
constexpr std::uint64_t kRequiresSamplerHeap = 0x0400'0000;
/// Of the 64 that there are, those that root descriptors may take.
constexpr std::uint64_t kMostDwords = 32;

using UsedRange = RootSignatureProposal::UsedRange;

std::uint32_t count_of(const UsedRange& range) { return range.last == dc::kUnbounded ? dc::kUnbounded : range.last - range.first + 1; }

ShaderVisibility visibility_of(Stage stage) {
  switch (stage) {
    case Stage::vertex: return ShaderVisibility::vertex;
    case Stage::hull: return ShaderVisibility::hull;
    case Stage::domain: return ShaderVisibility::domain;
    case Stage::geometry: return ShaderVisibility::geometry;
    case Stage::pixel: return ShaderVisibility::pixel;
    case Stage::amplification: return ShaderVisibility::amplification;
    case Stage::mesh: return ShaderVisibility::mesh;
    default: return ShaderVisibility::all;
  }
}

/// What the letter of its registers says.
DescriptorRangeType range_type(const Resource& resource) {
  const auto letters = register_letters(resource.kind);
  const auto* const word =
      std::ranges::find_if(dc::root_signature::kDescriptorWords, [&](const auto& w) { return letters.ends_with(w.letter); });
  return word != std::end(dc::root_signature::kDescriptorWords) ? word->range : DescriptorRangeType::srv;
}

/// Ranges that overlap become one: Direct3D refuses registers that are bound twice.
void join_overlapping(std::vector<UsedRange>& ranges) {
  std::ranges::sort(ranges, {}, [](const UsedRange& r) { return std::tuple(r.type, r.space, r.first); });
  std::vector<UsedRange> joined;
  for (const UsedRange& range : ranges) {
    UsedRange* const before = joined.empty() ? nullptr : &joined.back();
    if (before == nullptr || before->type != range.type || before->space != range.space || before->last < range.first) {
      joined.push_back(range);
      continue;
    }
    before->last = std::max(before->last, range.last);
    if (before->visibility != range.visibility) before->visibility = ShaderVisibility::all;
  }
  ranges = std::move(joined);
}

dc::DescriptorRange descriptor_range(const UsedRange& range) {
  dc::DescriptorRange made;
  made.type = range.type;
  made.count = count_of(range);
  made.base_register = range.first;
  made.space = range.space;
  made.offset_in_table = dc::root_signature::kAppendedOffset;
  return made;
}

/// Adds a range to the table of its visibility; samplers have tables of their own, and nothing can follow a range without an end.
void add_to_table(dc::RootSignature& signature, const UsedRange& range) {
  const bool is_sampler = range.type == DescriptorRangeType::sampler;
  for (dc::RootParameter& parameter : signature.parameters.items) {
    if (parameter.type != RootParameterType::descriptor_table || parameter.visibility != range.visibility) continue;
    const dc::DescriptorRange& last = parameter.ranges.items.back();
    if (last.count == dc::kUnbounded || range.last == dc::kUnbounded || (last.type == DescriptorRangeType::sampler) != is_sampler) continue;
    parameter.ranges.items.push_back(descriptor_range(range));
    return;
  }
  dc::RootParameter table;
  table.type = RootParameterType::descriptor_table;
  table.visibility = range.visibility;
  table.ranges.items.push_back(descriptor_range(range));
  signature.parameters.items.push_back(std::move(table));
}

}  // namespace

Result<void> RootSignatureProposal::add(const Shader& shader) {
  if (shader.container() == nullptr)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", "root signatures are of Direct3D: expected a DXContainer"};
  const auto reflection = reflect(shader);
  if (!reflection) return reflection.error();
  if (reflection->entry_points.size() != 1)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", "the root signatures of a library are subobjects"};
  const EntryPoint& entry = reflection->entry_points.front();
  for (const Resource& resource : reflection->resources) {
    const std::uint32_t last = resource.bind_count == 0 || resource.bind_count - 1 > dc::kUnbounded - resource.bind_point
                                   ? dc::kUnbounded
                                   : resource.bind_point + resource.bind_count - 1;
    ranges_.push_back({range_type(resource), resource.space, resource.bind_point, last, visibility_of(entry.stage)});
  }
  const bool has_vertex_inputs = entry.stage == Stage::vertex && std::ranges::any_of(entry.inputs, [](const SignatureElement& e) {
                                   return e.system_value == dc::SystemValue::undefined;
                                 });
  if (has_vertex_inputs) flags_ |= kAllowInputLayout;
  if ((entry.required_features & kRequiresResourceHeap) != 0) flags_ |= kResourceHeapIndexed;
  if ((entry.required_features & kRequiresSamplerHeap) != 0) flags_ |= kSamplerHeapIndexed;
  return {};
}

dc::RootSignature RootSignatureProposal::made() const {
  dc::RootSignature signature;
  signature.version = dc::RootSignatureVersion::v1_1;
  signature.flags = flags_;
  std::vector<UsedRange> ranges = ranges_;
  join_overlapping(ranges);
  for (const UsedRange& range : ranges) {
    if (range.type != DescriptorRangeType::cbv || count_of(range) != 1) continue;
    dc::RootParameter parameter;
    parameter.type = RootParameterType::cbv;
    parameter.visibility = range.visibility;
    parameter.shader_register = range.first;
    parameter.space = range.space;
    signature.parameters.items.push_back(std::move(parameter));
  }
  const bool has_root_buffers = dc::root_argument_dwords(signature) <= kMostDwords;
  if (!has_root_buffers) signature.parameters.items.clear();
  for (const UsedRange& range : ranges)
    if (!has_root_buffers || range.type != DescriptorRangeType::cbv || count_of(range) != 1) add_to_table(signature, range);
  return signature;
}

}  // namespace unshade::shader
