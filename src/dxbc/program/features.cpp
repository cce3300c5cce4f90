#include <unshade/dxbc/program/features.hpp>

#include <string_view>

#include <unshade/dxbc/program/declarations.hpp>
#include <unshade/dxbc/program/rules.hpp>

#include "dxbc/program/enum_text.hpp"

namespace unshade::dxbc::program {

ShaderModel model_of(const Program& program) {
  if (program.major > 5) return ShaderModel::sm5_1;
  if (program.major == 5) return program.minor == 0 ? ShaderModel::sm5_0 : ShaderModel::sm5_1;
  return program.minor == 0 ? ShaderModel::sm4_0 : ShaderModel::sm4_1;
}

std::string model_text(ShaderModel model) {
  const auto at = static_cast<unsigned>(model);
  return std::to_string(4 + at / 2) + '.' + std::to_string(at % 2);
}

bool is_in_model(Opcode opcode, const Program& program) {
  return find_opcode(static_cast<std::uint32_t>(opcode))->since <= model_of(program);
}

Features features_of(Opcode opcode, const Program& program) {
  const OpcodeInfo& info = *find_opcode(static_cast<std::uint32_t>(opcode));
  Features features = 0;
  if (is_in_model(opcode, program)) {
    if (info.has(traits::extended_shader)) features |= kShaderExtensions;
  } else if (program.major == 4 && info.has(traits::raw_structured) && (bit(program.stage) & kCompute) == 0) {
    features |= kRawStructured4;
  }
  const bool extension = info.has(traits::extended_double);
  if (extension || info.has(traits::gives_double) || info.shape.find('g') != std::string_view::npos) features |= kDoubles;
  if (extension) features |= kDoubleExtensions;
  if (info.has(traits::tiled)) features |= kTiled;
  return features;
}

namespace {

constexpr auto kFirstPatch = static_cast<std::uint32_t>(dxcontainer::InputPrimitive::patch_1);

/// Something that an instruction names, and the first shader model that has it; empty: nothing is newer than 4.0.
struct NamedSince {
  std::string what;
  ShaderModel since = ShaderModel::sm4_0;
};

NamedSince newer_control(const Instruction& instruction) {
  switch (instruction.info->control) {
    case Control::dim:
      if (dimension_of(instruction.declared_dimension()) == dxcontainer::ResourceDimension::texture_cube_array)
        return {"texturecubearray", ShaderModel::sm4_1};
      if ((access::dimension(instruction.declared_dimension()) & access::multisampled) != 0 && instruction.sample_count() == 0)
        return {"a multisampled texture without a sample count", ShaderModel::sm4_1};
      break;
    case Control::interpolation:
      if (is_sample_interpolation(instruction.interpolation()))
        return {std::string(kInterpolationNames.find(static_cast<std::uint32_t>(instruction.interpolation()))), ShaderModel::sm4_1};
      break;
    case Control::primitive:
      if (instruction.declared_value() >= kFirstPatch) return {"a patch", ShaderModel::sm5_0};
      break;
    default: break;
  }
  if (instruction.info->shape.find('n') != std::string_view::npos && instruction.system_value_name() == kNameSampleIndex)
    return {std::string(kNameNames.find(kNameSampleIndex)), ShaderModel::sm4_1};
  return {};
}

}  // namespace

// src: functional specification of Direct3D 11.3, the summaries of changes from D3D10 to D3D10.1 and D3D11.
std::string model_fault(const Instruction& instruction, const Program& program) {
  const ShaderModel model = model_of(program);
  const auto fault = [&](std::string_view what, ShaderModel since) {
    return model < since && !what.empty() ? std::string(what) + ", which needs shader model " + model_text(since) : std::string{};
  };
  const NamedSince control = newer_control(instruction);
  if (std::string text = fault(control.what, control.since); !text.empty()) return text;
  if (instruction.info->counted == Counted::dcl) return {};
  if (!instruction.precise().empty() && model < ShaderModel::sm5_0) return fault("precise", ShaderModel::sm5_0);
  if (instruction.has_resource_dimension || instruction.has_return_types) {
    if (std::string text = fault("a stated resource dimension or return type", ShaderModel::sm5_0); !text.empty()) return text;
  }
  const auto last = instruction.operand_count - 1U;
  if (instruction.opcode() == Opcode::ld_ms && instruction.operand_count != 0) {
    if (instruction.operands[last].type != OperandType::immediate32)
      if (std::string text = fault("a sample index that is not a literal", ShaderModel::sm4_1); !text.empty()) return text;
    if (program.stage != Stage::pixel) return fault("a multisampled load outside of pixel shaders", ShaderModel::sm4_1);
  }
  if (instruction.opcode() == Opcode::gather4 && instruction.operand_count != 0) {
    const Operand& sampler = instruction.operands[last];
    if (sampler.components == 4 && sampler.swizzle()[0] != 0) return fault("another component than x", ShaderModel::sm5_0);
  }
  return {};
}

}  // namespace unshade::dxbc::program
