// Shaders out of what was read, and what to do with a file that is none.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli {

/// What to do with a file of another kind: `; unshade scan game.exe lists the shaders inside`. Empty if nothing is known. `name` is that
/// of an input.
std::string advice_on(View file, std::string_view name);

/// For verbs that take files of one family: the error for another file, which says what it is and what to do with it. `expected`: `a
/// SHBIN`.
Error other_family(const Input& input, std::string_view expected);

/// A document of TOML, YAML or JSON; nothing, and a complaint, if it is none. Texts that are something else, listings, sources of shading
/// languages and the kinds of `others` (FileKind::id), are told by what they are. `expected`: `a case`.
std::optional<Value> open_document(const Input& input, std::string_view expected, std::span<const std::string_view> others, Io& io);

/// shader::open(), whose error for a file that is no shader says what to do with it.
Result<shader::Shader> open_input(const Input& input);

}  // namespace unshade::cli
