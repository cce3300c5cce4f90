#include <unshade/run/reflected.hpp>

#include <algorithm>
#include <tuple>

#include <unshade/run/places.hpp>

namespace unshade::run {

using dxcontainer::ResourceKind;

namespace {

// storage buffers of SPIR-V are byte address buffers in the IR, and counters of structured buffers are not in each reflection
using BoundAt = std::tuple<char, std::uint32_t, std::uint32_t>;
constexpr char kStorageBuffer = 'B';  // one that is read, or one that is written
BoundAt bound_at(const shader::Resource& row) {
  if (row.kind == ResourceKind::push_constants) return {0, kPushConstantSpace, 0};
  return {row.kind == ResourceKind::storage_buffer ? kStorageBuffer : letter_of(row.kind), row.space, row.bind_point};
}
BoundAt bound_at(const ir::Resource& resource) {
  if (resource.space == kPushConstantSpace) return {0, kPushConstantSpace, 0};
  return {resource.in_set && is_raw(resource) ? kStorageBuffer : letter_of(resource.kind), resource.space, resource.first_register};
}

}  // namespace

ResourceRows::ResourceRows(const shader::Reflection& reflection) {
  for (const shader::Resource& row : reflection.resources) rows_[bound_at(row)].push_back(&row);
}

const shader::Resource* ResourceRows::find(const ir::Resource& resource) const {
  const auto found = rows_.find(bound_at(resource));
  if (found == rows_.end()) return nullptr;
  const auto own = std::ranges::find(found->second, resource.name, &shader::Resource::name);
  return own == found->second.end() ? found->second.front() : *own;
}

const shader::Resource* row_of(const ir::Resource& resource, const shader::Reflection& reflection) {
  const shader::Resource* found = nullptr;
  for (const shader::Resource& row : reflection.resources) {
    if (bound_at(row) != bound_at(resource)) continue;
    if (row.name == resource.name) return &row;
    if (found == nullptr) found = &row;
  }
  return found;
}

ir::Resource as_declared(const shader::Resource& row, const shader::Reflection& reflection, bool is_sampler) {
  ir::Resource made;
  made.name = row.name;
  made.kind = row.kind;
  if (row.kind == ResourceKind::combined_sampler) made.kind = is_sampler ? ResourceKind::sampler : ResourceKind::texture;
  if (row.kind == ResourceKind::input_attachment) made.kind = ResourceKind::texture;
  if (row.kind == ResourceKind::storage_buffer) made.kind = row.read_only ? ResourceKind::byte_address : ResourceKind::uav_byte_address;
  made.dimension = row.dimension;
  made.space = row.kind == ResourceKind::push_constants ? kPushConstantSpace : row.space;
  made.first_register = row.bind_point;
  made.count = row.bind_count;
  made.in_set = reflection.has_descriptor_sets();
  made.dimensions = row.dimensions;
  made.stride = row.stride;
  return made;
}

}  // namespace unshade::run
