#include "ir/entry.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <unshade/ir/lower_spirv.hpp>

namespace unshade::ir {

std::string name_with_stage(std::string_view name, Stage stage) { return std::string(name) + ':' + std::string(id(stage)); }

// Entry points of one name have another execution model each. src: SPIR-V 2.16.1
Result<std::size_t> entry_named(std::span<const NamedEntry> all, std::string_view name, Stage stage, const char* path) {
  if (all.empty()) return Error{ErrorCode::missing, 0, path, "the module has no entry point"};
  if (name.empty()) {
    const auto first = std::ranges::find(all, stage, &NamedEntry::stage);
    return first == all.end() ? std::size_t{0} : static_cast<std::size_t>(first - all.begin());
  }
  std::optional<std::size_t> found;
  std::string names;
  bool are_several = false;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const std::string with_stage = name_with_stage(all[at].name, all[at].stage);
    if (with_stage == name) return at;
    if (all[at].name != name) continue;
    are_several = found.has_value();
    names += (found ? ", `" : "`") + with_stage + '`';
    if (!found) found = at;
  }
  if (!found) return Error{ErrorCode::missing, 0, path, "the module has no entry point `" + std::string(name) + '`'};
  if (!are_several) return *found;
  return Error{ErrorCode::bad_value, 0, path,
               "several entry points are called `" + std::string(name) + "`; name one with its stage: " + names};
}

}  // namespace unshade::ir
