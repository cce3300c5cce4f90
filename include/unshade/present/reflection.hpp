// The reflection as JSON: docs/reference/json/reflect.schema.json.
#pragma once

#include <optional>
#include <string_view>

#include <unshade/present/json.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::present {

/// One file's object. `hlsl`: the declarations as shader::print_hlsl() prints them, if they are asked for.
void write_reflection(std::string_view file, const shader::Reflection& reflection, std::optional<std::string_view> hlsl, Json& json);

}  // namespace unshade::present
