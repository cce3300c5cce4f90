// The resources that handles refer to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include <unshade/dxil/program/call.hpp>

namespace unshade::dxil {

/// The two words of `%dx.types.ResourceProperties`, which annotate handles. src: DXC include/dxc/DXIL/DxilResourceProperties.h
struct ResourceProperties {
  ResourceClass resource_class = ResourceClass::invalid;
  ResourceKind kind = ResourceKind::invalid;
  std::uint32_t component_type = 0;   ///< a ComponentType; typed buffers and textures
  std::uint32_t component_count = 0;  ///< 0: not known
  std::uint32_t size = 0;             ///< constant buffers, in bytes; 0: not known
  std::uint32_t stride = 0;           ///< structured buffers, in bytes
  std::uint32_t feedback_kind = 0;    ///< textures of feedback
  bool is_uav = false;                ///< the bit, whatever the kind
  bool has_counter = false;
  bool is_comparison_sampler = false;
  bool raster_ordered = false;
  bool globally_coherent = false;
  bool reorder_coherent = false;

  ResourceProperties() = default;
  explicit ResourceProperties(const std::array<std::uint32_t, 2>& words);
  explicit ResourceProperties(const ProgramResource& resource);
};

struct HandleResource : ResourceProperties {
  const ProgramResource* record = nullptr;  ///< the range of registers; null if the handle is of a heap or the range is not declared
  std::uint32_t index = kNone;  ///< value id: of the register in its space, of the descriptor in its heap; kNone if index 0 is meant
  bool index_in_range = false;  ///< the index counts from the first register of the range: of libraries
  bool non_uniform = false;
  bool from_heap = false;
  bool of_samplers = false;  ///< the heap
};

/// Finds what handles stand for. Follows handles through annotations, but neither phi nodes nor selects. Borrows the query's module and
/// metadata.
class HandleFinder {
 public:
  explicit HandleFinder(const ProgramQuery& query);

  /// Nothing if it is not known.
  std::optional<HandleResource> find(const Body& body, std::uint32_t operand) const;

 private:
  const ProgramResource* declared(std::uint64_t resource_class, std::uint64_t id) const;
  const ProgramResource* bound(const Body& body, std::uint32_t bind) const;

  const ProgramQuery query_;
  std::unordered_map<std::uint32_t, const ProgramResource*> by_symbol_;  ///< value ids of globals
};

/// The two words of a constant `%dx.types.ResourceProperties`; nothing if the operand is none.
std::optional<std::array<std::uint32_t, 2>> property_words(const ModuleQuery& query, const Body& body, std::uint32_t operand);

/// Whether kinds are of what a typed view can be of: textures and typed buffers.
bool is_typed(ResourceKind kind);
bool is_multisampled(ResourceKind kind);

}  // namespace unshade::dxil
