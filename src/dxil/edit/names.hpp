// What renaming in modules and renaming in parts have in common.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/dxil/edit.hpp>

namespace unshade::dxil::edit {

/// What an element becomes whose row `index` a change names: its name, and how its indexes change. Errors: bad_value if an index would
/// fall below 0 or exceed 32 bits.
struct NewSemantic {
  std::string name;
  std::uint32_t shift = 0;  ///< modulo 2^32
};
Result<NewSemantic> new_semantic(std::string_view to, std::uint32_t index, std::span<const std::uint32_t> indexes);

/// `text` with one name for another, plain or as the name that a mangled one begins with (`\1?from@@...`); nothing if it is neither.
std::optional<std::string> renamed(std::string_view text, std::string_view from, std::string_view to);

/// What HLSL calls a function: `main` of `\1?main@@YAXXZ`. src: DXC DxilUtil.cpp, DemangleFunctionName
std::string_view plain_name(std::string_view name);

/// The id of a work graph node.
struct EditedNode {
  std::string name;
  std::uint32_t index = 0;
  auto operator<=>(const EditedNode&) const = default;
};
/// What a change makes of a node's id: `from` names it as `name`, whatever its index, or `name[index]`. Without an index in `to` it keeps
/// its own.
std::optional<EditedNode> renamed_node(const EditedNode& node, const Rename& change);

/// Errors: bad_value for names that cannot be written or mean something to the system.
Result<void> check(const Rename& change);

}  // namespace unshade::dxil::edit
