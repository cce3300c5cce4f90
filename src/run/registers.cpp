#include "run/registers.hpp"

// Constants of the PICA200 by their registers, whether the file gives them names or not.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {
namespace {

/// A buffer for each class of registers, with the whole class (`c`) and each register (`c0`) as variables.
const shader::Reflection& uniform_registers() {
  static const shader::Reflection kAll = [] {
    shader::Reflection made;
    made.family = shader::Family::pica;
    const auto add = [&](const std::string& name, shader::BaseType base, std::uint32_t columns, std::uint32_t count) {
      constexpr std::uint32_t kRegisterBytes = 16;
      shader::Buffer buffer;
      buffer.name = name;
      buffer.size = count * kRegisterBytes;
      for (const std::uint32_t elements : {0U, count}) {
        shader::Type type;
        type.type_class = columns == 1 ? shader::TypeClass::scalar : shader::TypeClass::vector;
        type.base = base;
        type.rows = 1;
        type.columns = columns;
        type.elements = elements;
        made.types.push_back(std::move(type));
      }
      const auto add_variable = [&](std::string own, std::uint32_t type, std::uint32_t first, std::uint32_t registers) {
        shader::Variable variable;
        variable.name = std::move(own);
        variable.type = type;
        variable.offset = first * kRegisterBytes;
        variable.size = registers * kRegisterBytes;
        buffer.variables.push_back(std::move(variable));
      };
      const auto types = static_cast<std::uint32_t>(made.types.size());
      add_variable(name, types - 1, 0, count);
      for (std::uint32_t at = 0; at < count; ++at) add_variable(name + std::to_string(at), types - 2, at, 1);
      made.buffers.push_back(std::move(buffer));
    };
    add("c", shader::BaseType::float_, 4, pica::kFloatConstants);
    add("i", shader::BaseType::int_, 4, pica::kIntConstants);
    add("b", shader::BaseType::bool_, 1, pica::kBoolConstants);
    return made;
  }();
  return kAll;
}

}  // namespace

std::optional<RegisterConstant> register_named(const RunOptions& options, std::string_view name) {
  if (options.reflection == nullptr || !shader::traits_of(options.reflection->family).has_uniform_registers) return std::nullopt;
  const shader::Reflection& registers = uniform_registers();
  for (const shader::Buffer& buffer : registers.buffers) {
    const auto found = std::ranges::find(buffer.variables, name, &shader::Variable::name);
    if (found != buffer.variables.end()) return RegisterConstant{&registers, &buffer, &*found};
  }
  return std::nullopt;
}

}  // namespace unshade::run
