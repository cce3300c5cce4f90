// What a handle stands for, if the code says it plainly.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "dxil/program/query.hpp"

namespace unshade::dxil::program {

struct HandleResource {
  ResourceClass resource_class = ResourceClass::invalid;
  ResourceKind kind = ResourceKind::invalid;
  std::uint32_t component_type = 0;   ///< typed buffers and textures
  std::uint32_t component_count = 0;  ///< 0: not known
  std::uint32_t size = 0;             ///< constant buffers, in bytes; 0: not known
  bool has_counter = false;
  bool is_comparison_sampler = false;
  bool from_heap = false;
};

/// Finds what handles stand for. Follows handles through annotations, but neither phi nodes nor selects.
class HandleFinder {
 public:
  explicit HandleFinder(const ProgramQuery& query);

  /// Nothing if it cannot be told.
  std::optional<HandleResource> find(const Body& body, std::uint32_t operand) const;

 private:
  HandleResource of(const ProgramResource& resource) const;
  std::optional<HandleResource> of_properties(const Body& body, std::uint32_t properties) const;

  const ProgramQuery& query_;
  std::unordered_map<std::uint32_t, const ProgramResource*> by_symbol_;  ///< value ids of globals
};

/// Whether kinds are of what a typed view can be of: textures and typed buffers.
bool is_typed(ResourceKind kind);
bool is_multisampled(ResourceKind kind);

}  // namespace unshade::dxil::program
