// Constant registers of the PICA200 as variables.
#pragma once

#include <optional>
#include <string_view>

#include <unshade/run/run.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::run {

/// A constant register of the PICA200, or all of a class: variables of a reflection of their own.
struct RegisterConstant {
  const shader::Reflection* reflection;
  const shader::Buffer* buffer;
  const shader::Variable* variable;
};
/// By `c5`, `i0`, `b3`, or `c`, `i`, `b`; nothing if the shader has no such registers. registers.cpp
std::optional<RegisterConstant> register_named(const RunOptions& options, std::string_view name);

}  // namespace unshade::run
