// Sets and bindings of resources: one model for all writers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/write/spirv.hpp>

namespace unshade::write {

/// Whether shaders write to it.
bool is_uav(dxcontainer::ResourceKind kind);
/// The kind of register: `t`, `s`, `b` or `u`.
char letter_of(dxcontainer::ResourceKind kind);
/// The set of SPIR-V's push constants in the IR.
inline constexpr std::uint32_t kPushConstants = 0xffff'ffff;

struct Place {
  std::uint32_t set = 0, binding = 0;
  auto operator<=>(const Place&) const = default;
};

/// The places of a module's resources.
class Places {
 public:
  Places(const ir::Module& module, const Binding& binding);

  Place of(std::uint32_t resource) const;
  /// Of the buffer's counter; the same one each time.
  Place of_counter(std::uint32_t resource);
  /// Why a resource cannot be in its place, if it cannot: the model has none for it, or another, which has a name, is there.
  std::optional<Error> take(std::uint32_t resource, std::string_view name);

 private:
  std::optional<std::string> refused_by_sdl(const ir::Resource& resource) const;
  Place of_sdl(const ir::Resource& resource) const;
  bool shares(std::uint32_t one, std::uint32_t other) const;

  const ir::Module& module_;
  const Binding& binding_;
  std::uint32_t heap_set_ = 0;
  std::vector<std::uint32_t> numbers_;                                         ///< by resource, of one that counts declarations
  std::map<std::uint32_t, std::uint32_t> next_;                                ///< binding of a counter, by set
  std::map<std::uint32_t, Place> counters_;                                    ///< by resource
  std::map<Place, std::vector<std::pair<std::uint32_t, std::string>>> taken_;  ///< resources with their names
};

}  // namespace unshade::write
