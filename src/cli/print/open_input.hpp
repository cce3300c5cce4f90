// Shaders out of what was read, and what to do with a file that is none.
#pragma once

#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli {

/// What to do with a file of another kind: `; unshade scan game.exe lists the shaders inside`. Empty if nothing is known. `name` is that
/// of an input.
std::string advice_on(View file, std::string_view name);

/// shader::open(), whose error for a file that is no shader says what to do with it.
Result<shader::Shader> open_input(const Input& input);

}  // namespace unshade::cli
