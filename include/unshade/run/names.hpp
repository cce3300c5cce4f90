// The names that an input or output of a shader has in cases, scenes and results.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/stage.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::run {

/// `TEXCOORD1` of a row of an element, whose indexes follow each other; the index 0 is left out. Of SPIR-V the name as reflection has it,
/// with the number of the row after it if there are several: `color`, `matrix[2]`.
std::string semantic_key(const ir::Element& element, std::uint32_t row);

/// Ways in which a key names an element. A key means what the first of them finds.
enum class NameKind : std::uint8_t {
  exact,     ///< as reflection of SPIR-V has it: `color`, `vertex.color`, `_12`; `matrix[2]`
  semantic,  ///< semantic_key() in any case
  first,     ///< the number of the first of a semantic: `COLOR0`
  alias,     ///< of SPIR-V: a member without its block, the semantic of HLSL in DXC's names, names of built-ins
};
inline constexpr NameKind kNameKinds[] = {NameKind::exact, NameKind::semantic, NameKind::first, NameKind::alias};

struct NamedRow {
  std::uint32_t row = 0;
  bool is_whole = false;  ///< all rows of an array or matrix
};
/// What a key means of an element; nothing if it does not name it in this way.
std::optional<NamedRow> row_named(const ir::Element& element, std::string_view key, NameKind kind);

/// The row that is in a register, by its number after `letter`: `v1`, `o1`. Of SPIR-V `location1`, too.
std::optional<std::uint32_t> row_in_register(const ir::Element& element, std::string_view key, char letter);

/// Names at the end of a message: ``: `a` or `b` ``; the first of many.
std::string listed(std::span<const std::string> names);

/// A value that a lane knows by itself: by its name in builtins.def; in Vulkan also by the name of the variable that reads it, of the
/// built-in, with `gl_` before it or not, and of HLSL. `reflection` may be null.
std::optional<ir::Builtin> builtin_named(std::string_view key, Stage stage, const shader::Reflection* reflection);

}  // namespace unshade::run
