#include "ir/pica/interface.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/pica/float24.hpp>

namespace unshade::ir::lower_pica {

std::map<std::uint32_t, std::uint32_t> given_words(const pica::Executable& executable) {
  std::map<std::uint32_t, std::uint32_t> made;
  for (const pica::Constant& constant : executable.constants) {
    const unsigned at = constant.register_index;
    if (constant.type == pica::ConstantType::boolean && at < pica::kBoolConstants) {
      made[pica_uniforms::boolean(at)] = constant.boolean() ? 1 : 0;
    }
    for (unsigned component = 0; component < 4; ++component) {
      if (constant.type == pica::ConstantType::integer && at < pica::kIntConstants) {
        made[pica_uniforms::integer(at, component)] = constant.integer(component);
      }
      if (constant.type == pica::ConstantType::real && at < pica::kFloatConstants) {
        made[pica_uniforms::real(at, component)] = std::bit_cast<std::uint32_t>(pica::from_float24(constant.real(component)));
      }
    }
  }
  return made;
}

void describe_interface(const pica::Executable& executable, Module& module) {
  Resource uniforms;
  uniforms.name = "uniforms";
  uniforms.bytes = pica_uniforms::kBytes;
  uniforms.initial.resize(pica_uniforms::kBytes);
  for (const auto& [at, word] : given_words(executable)) store_little_endian(uniforms.initial.data() + at, word);
  module.resources.push_back(std::move(uniforms));
  for (unsigned at = 0; at < pica::kInputs; ++at) {
    Element element;
    element.semantic = "v" + std::to_string(at);
    for (const pica::Uniform& uniform : executable.uniforms) {
      if (at < uniform.first || at > uniform.last || uniform.symbol.text.empty()) continue;
      element.semantic = uniform.symbol.text;
      element.semantic_index = at - uniform.first;
      break;
    }
    element.first_register = at;
    module.signatures.input.push_back(std::move(element));
  }
  for (const pica::OutputRecord& record : executable.outputs) {
    const unsigned mask = record.mask & 0xfU;
    if (mask == 0 || record.register_index >= pica::kOutputs) continue;
    Element element;
    element.semantic = id(record.type);
    if (element.semantic.empty()) element.semantic = "o" + std::to_string(record.register_index);
    const auto has_name = [&](const Element& other) { return other.semantic == element.semantic; };
    element.semantic_index = static_cast<std::uint32_t>(std::ranges::count_if(module.signatures.output, has_name));
    if (record.type == pica::Output::position) element.system_value = dxcontainer::SystemValue::position;
    element.first_register = record.register_index;
    element.first_column = static_cast<std::uint8_t>(std::countr_zero(mask));
    element.columns = static_cast<std::uint8_t>(std::bit_width(mask >> std::countr_zero(mask)));
    module.signatures.output.push_back(std::move(element));
  }
}

}  // namespace unshade::ir::lower_pica
