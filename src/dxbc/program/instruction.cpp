// The fields of an instruction's opcode token and words.
#include <unshade/dxbc/program.hpp>

#include <unshade/dxcontainer/words.hpp>

#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc {

namespace bits = program::token;

dxcontainer::ResourceDimension dimension_of(std::uint32_t token_dimension) {
  // src: d3d12TokenizedProgramFormat.hpp, d3dcommon.h
  constexpr std::uint32_t kStructuredBuffer = 12;
  for (const dxcontainer::Shape& shape : dxcontainer::kShapes)
    if (shape.token_number == token_dimension) return shape.dimension;
  return token_dimension == kStructuredBuffer ? dxcontainer::ResourceDimension::buffer : dxcontainer::ResourceDimension::unknown;
}

bool Instruction::saturates() const { return bits::kSaturate.get(token) != 0; }
bool Instruction::tests_nonzero() const { return bits::kNonZero.get(token) != 0; }
WriteMask Instruction::precise() const {
  const bool has_destination = info != nullptr && info->shape.starts_with('d');
  return has_destination ? WriteMask(bits::kPrecise.get(token)) : WriteMask();
}
InfoType Instruction::info_type() const {
  const std::uint32_t type = bits::kReturnType.get(token);
  // sampleinfo knows float and uint only. src: D3D10_SB_INSTRUCTION_RETURN_TYPE
  return opcode() == Opcode::sampleinfo && type == 1 ? InfoType::uint : static_cast<InfoType>(type);
}
Sync Instruction::sync() const {
  return {bits::kSyncUavGlobal.get(token) != 0, bits::kSyncUavGroup.get(token) != 0, bits::kSyncGroupMemory.get(token) != 0,
          bits::kSyncThreads.get(token) != 0};
}
std::uint32_t Instruction::declared_dimension() const { return bits::kDimension.get(token); }
std::uint32_t Instruction::sample_count() const { return bits::kSampleCount.get(token); }
bool Instruction::is_globally_coherent() const { return bits::kGloballyCoherent.get(token) != 0; }
bool Instruction::is_rasterizer_ordered() const { return bits::kRasterizerOrdered.get(token) != 0; }
bool Instruction::has_counter() const { return bits::kHasCounter.get(token) != 0; }
bool Instruction::is_dynamically_indexed() const { return bits::kDynamicIndexed.get(token) != 0; }
SamplerMode Instruction::sampler_mode() const { return static_cast<SamplerMode>(bits::kSamplerMode.get(token)); }
dxcontainer::Interpolation Instruction::interpolation() const {
  return static_cast<dxcontainer::Interpolation>(bits::kInterpolation.get(token));
}
CustomData Instruction::custom_data() const { return static_cast<CustomData>(bits::kCustomDataClass.get(token)); }
std::uint32_t Instruction::declared_value() const {
  const Bits field = program::control_field(info->control);
  return field.count != 0 ? field.get(token) : words[0];
}

std::uint32_t Instruction::system_value_name() const { return word_count == 0 ? 0 : bits::kName.get(words[0]); }
std::uint32_t Instruction::array_length() const { return words[2] >> 16; }

std::uint32_t Instruction::used_tokens() const {
  std::uint32_t used = head_tokens_ + word_count + static_cast<std::uint32_t>(data.size() / 4);
  if (opcode() == Opcode::dcl_function_table) ++used;  // the count of bodies
  for (unsigned i = 0; i < operand_count; ++i) used += operands[i].token_count;
  return used;
}

}  // namespace unshade::dxbc
