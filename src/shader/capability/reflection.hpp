// Reflections of the families.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct ReflectionRow {
  Family family = Family::unknown;
  Result<Reflection> (*reflect)(const Shader& shader) = nullptr;
};

const ReflectionRow& reflection_row(Family family);

}  // namespace unshade::shader::capability
