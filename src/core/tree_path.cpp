#include <unshade/core/tree_path.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>

namespace unshade {

std::optional<std::uint32_t> find_field(const Tree& tree, std::string_view path) {
  const auto& fields = tree.fields();
  std::vector<bool> on_path(fields.size());
  on_path[0] = true;
  std::uint32_t found = 0;
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    std::string_view name = step;
    std::uint32_t index = kNoIndex;
    if (const auto bracket = step.rfind('['); bracket != std::string_view::npos && step.ends_with(']')) {
      const auto number = as_number<std::uint32_t>(step.substr(bracket + 1, step.size() - bracket - 2));
      if (!number) return std::nullopt;
      name = step.substr(0, bracket);
      index = *number;
    }
    // groups of the same name may be several; groups are before what is in them
    std::vector<bool> next(fields.size());
    found = 0;
    for (std::uint32_t i = static_cast<std::uint32_t>(fields.size()); i-- > 1;) {
      if (!on_path[fields[i].parent] || fields[i].index != index || fields[i].name != name) continue;
      next[i] = true;
      found = i;
    }
    if (found == 0) return std::nullopt;
    on_path = std::move(next);
  }
  return found;
}

std::string_view id(FieldKind kind) {
  switch (kind) {
    case FieldKind::group: return "group";
    case FieldKind::unsigned_integer: return "unsigned";
    case FieldKind::signed_integer: return "signed";
    case FieldKind::hexadecimal: return "hexadecimal";
    case FieldKind::offset: return "offset";
    case FieldKind::real: return "real";
    case FieldKind::enumeration: return "enumeration";
    case FieldKind::flags: return "flags";
    case FieldKind::bits: return "bits";
    case FieldKind::component_mask: return "component_mask";
    case FieldKind::fourcc: return "fourcc";
    case FieldKind::text: return "text";
    case FieldKind::bytes: return "bytes";
    case FieldKind::padding: return "padding";
    case FieldKind::unknown: return "unknown";
    case FieldKind::custom: return "custom";
  }
  return "unknown";
}

}  // namespace unshade
