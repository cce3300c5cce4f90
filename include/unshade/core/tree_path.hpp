// Fields of a tree by their paths, and kinds of fields by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/tree.hpp>

namespace unshade {

/// The field of a path as Tree::path() gives it, the first if several have it; nothing if there is none. The root's path is empty.
std::optional<std::uint32_t> find_field(const Tree& tree, std::string_view path);

/// `group`, `unsigned`, `component_mask`.
std::string_view id(FieldKind kind);

}  // namespace unshade
