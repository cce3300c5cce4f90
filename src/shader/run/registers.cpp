// Constants of the PICA200 by their registers, whether the file gives them names or not.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

#include "shader/run/bindings.hpp"
#include "shader/run/type_layout.hpp"

namespace unshade::shader::runner {
namespace {

/// A buffer for each class of registers, with the whole class (`c`) and each register (`c0`) as variables.
const Reflection& uniform_registers() {
  static const Reflection kAll = [] {
    Reflection made;
    made.family = Family::pica;
    const auto add = [&](const std::string& name, BaseType base, std::uint32_t columns, std::uint32_t count) {
      constexpr std::uint32_t kRegisterBytes = 16;
      Buffer buffer;
      buffer.name = name;
      buffer.size = count * kRegisterBytes;
      for (const std::uint32_t elements : {0U, count}) {
        Type type;
        type.type_class = columns == 1 ? TypeClass::scalar : TypeClass::vector;
        type.base = base;
        type.rows = 1;
        type.columns = columns;
        type.elements = elements;
        made.types.push_back(std::move(type));
      }
      const auto add_variable = [&](std::string own, std::uint32_t type, std::uint32_t first, std::uint32_t registers) {
        Variable variable;
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
    add("c", BaseType::float_, 4, pica::kFloatConstants);
    add("i", BaseType::int_, 4, pica::kIntConstants);
    add("b", BaseType::bool_, 1, pica::kBoolConstants);
    return made;
  }();
  return kAll;
}

}  // namespace

std::optional<RegisterConstant> register_named(const RunOptions& options, std::string_view name) {
  if (options.reflection == nullptr || !traits_of(options.reflection->family).has_uniform_registers) return std::nullopt;
  const Reflection& registers = uniform_registers();
  for (const Buffer& buffer : registers.buffers) {
    const auto found = std::ranges::find(buffer.variables, name, &Variable::name);
    if (found != buffer.variables.end()) return RegisterConstant{&registers, &buffer, &*found};
  }
  return std::nullopt;
}

}  // namespace unshade::shader::runner
