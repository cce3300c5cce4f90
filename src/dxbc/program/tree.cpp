// The field tree of a token program: every token by name, with the instruction's text at its opcode token.
#include <algorithm>

#include <unshade/core/archive/reader.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>

#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc {

namespace {

constexpr NamedValue kStageValues[] = {{0, "pixel"}, {1, "vertex"}, {2, "geometry"}, {3, "hull"}, {4, "domain"}, {5, "compute"}};
constexpr NameTable kStageNames{kStageValues};
constexpr Bits kVersionBits[] = {program::token::kMinor,
                                 program::token::kMajor,
                                 {program::token::kStage.name, program::token::kStage.first, program::token::kStage.count, &kStageNames}};
constexpr FieldType kVersionType{FieldKind::bits, "version token", nullptr, kVersionBits};

constexpr NamedValue kExtendedTypes[] = {{0, "empty"}, {1, "sample_controls"}, {2, "resource_dimension"}, {3, "resource_return_types"}};
constexpr NameTable kExtendedTypeNames{kExtendedTypes};
constexpr Bits kExtendedType{program::token::kExtendedType.name, program::token::kExtendedType.first, program::token::kExtendedType.count,
                             &kExtendedTypeNames};
constexpr Bits kSampleControlBits[] = {kExtendedType, program::token::kOffsetU, program::token::kOffsetV, program::token::kOffsetW};
constexpr FieldType kSampleControlType{FieldKind::bits, "extended opcode token", nullptr, kSampleControlBits};
constexpr Bits kResourceDimensionBits[] = {kExtendedType,
                                           {program::token::kExtendedDimension.name, program::token::kExtendedDimension.first,
                                            program::token::kExtendedDimension.count, &program::kResourceDimensionNames},
                                           program::token::kExtendedStride};
constexpr FieldType kResourceDimensionType{FieldKind::bits, "extended opcode token", nullptr, kResourceDimensionBits};
constexpr Bits kReturnTypeBits[] = {kExtendedType, program::token::kExtendedReturnTypes};
constexpr FieldType kExtendedReturnTypesType{FieldKind::bits, "extended opcode token", nullptr, kReturnTypeBits};

constexpr Bits kOperandBits[] = {program::token::kOperandType,
                                 program::token::kComponents,
                                 program::token::kSelection,
                                 program::token::kSwizzleLanes,
                                 program::token::kDimensions,
                                 program::token::kIndexRepresentation[0],
                                 program::token::kIndexRepresentation[1],
                                 program::token::kIndexRepresentation[2],
                                 program::token::kExtended};
constexpr FieldType kOperandType{FieldKind::bits, "operand token", nullptr, kOperandBits};
constexpr Bits kExtendedOperandBits[] = {program::token::kExtendedType,
                                         program::token::kModifier,
                                         {program::token::kMinPrecision.name, program::token::kMinPrecision.first,
                                          program::token::kMinPrecision.count, &program::kMinPrecisionNames},
                                         program::token::kNonUniform};
constexpr FieldType kExtendedOperandType{FieldKind::bits, "extended operand token", nullptr, kExtendedOperandBits};
constexpr FieldType kNameType{FieldKind::enumeration, "system value name", &program::kNameNames};

// The text of the instruction that begins at the field. The context is the program's version token.
void print_instruction(Text& out, View bytes, std::uint32_t context) {
  Program program;
  program.major = static_cast<std::uint8_t>(program::token::kMajor.get(context));
  program.minor = static_cast<std::uint8_t>(program::token::kMinor.get(context));
  program.stage = static_cast<Stage>(program::token::kStage.get(context));
  const auto length = [&]() -> std::size_t {
    const std::uint32_t word = bytes.u32(0).value_or(0);
    const std::size_t stated =
        program::token::kOpcode.get(word) == static_cast<std::uint32_t>(Opcode::customdata) || program::token::kLength.get(word) == 0
            ? bytes.u32(4).value_or(1)
            : program::token::kLength.get(word);
    return std::min(stated, bytes.size() / 4);
  }();
  Decoder decoder(program, bytes.clamped(0, 4 * length));
  Instruction instruction;
  if (decoder.at_end() || !decoder.next(instruction)) return;
  if (instruction.opcode() == Opcode::customdata) {
    out << "customdata ";
    print_enumerator(out, program::token::kCustomDataClass.get(instruction.token), program::kCustomDataClassNames);
    return;
  }
  list_instruction(instruction, program, out);
}
constexpr FieldType kInstructionType{FieldKind::custom, "opcode token", nullptr, {}, print_instruction};

class ProgramRecorder {
 public:
  ProgramRecorder(Tree& tree, std::uint32_t group, const Program& program, std::uint32_t version)
      : tree_(tree), group_(group), program_(program), version_(version) {}

  void record(const Instruction& instruction, std::uint32_t index) {
    first_ = instruction.bytes.file_offset();
    instruction_ = tree_.add({"instruction", &kGroup, group_, static_cast<std::uint32_t>(first_),
                              static_cast<std::uint32_t>(instruction.bytes.size()), index, 0});
    leaf(instruction_, "opcode", kInstructionType, 0, kNoIndex, version_);
    if (instruction.opcode() == Opcode::customdata) {
      leaf(instruction_, "length", kUnsigned, 1);
      custom_data(instruction);
      return;
    }
    if (instruction.info == nullptr) {
      for (std::uint32_t i = 1; i < instruction.length_tokens; ++i) leaf(instruction_, "token", kHex, i, i);
      return;
    }
    std::uint32_t at = 1;
    const std::uint32_t operand_at = instruction.operand_count != 0 ? instruction.operands[0].first_token : instruction.length_tokens;
    const bool is_table = instruction.info->shape == "T" || instruction.info->shape == "I";
    if (is_table && program::token::kExtended.get(instruction.token) != 0) leaf(instruction_, "length", kUnsigned, at++);
    for (std::uint32_t word = instruction.token; !is_table && program::token::kExtended.get(word) != 0 && at < operand_at;) {
      word = token_at(instruction, at);
      const std::uint32_t kind = program::token::kExtendedType.get(word);
      leaf(instruction_, "extended",
           kind == program::token::kExtendedSampleControls        ? kSampleControlType
           : kind == program::token::kExtendedResourceDimension   ? kResourceDimensionType
           : kind == program::token::kExtendedResourceReturnTypes ? kExtendedReturnTypesType
                                                                  : kHex,
           at++);
    }
    const bool is_real = instruction.info->spelling == " l";
    unsigned slot = 0;
    unsigned words = 0;
    for (const char c : instruction.info->shape) {
      switch (c) {
        case 'w': leaf(instruction_, "value", is_real ? kReal : kUnsigned, at++, words++); break;
        case 'n': leaf(instruction_, "name", kNameType, at++); break;
        case 't': leaf(instruction_, "return_types", kHex, at++); break;
        case 'S':
          if (program_.is_5_1()) leaf(instruction_, "space_or_size", kUnsigned, at++, words++);
          break;
        case 'T':
          leaf(instruction_, "table", kUnsigned, at++);
          leaf(instruction_, "count", kUnsigned, at++);
          break;
        case 'I':
          leaf(instruction_, "interface", kUnsigned, at++);
          leaf(instruction_, "call_sites", kUnsigned, at++);
          leaf(instruction_, "count_and_length", kHex, at++);
          break;
        case 'F':
          leaf(instruction_, "function", kUnsigned, at++);
          at = operand(instruction, slot, slot, instruction_);
          ++slot;
          break;
        default:
          at = operand(instruction, slot, slot, instruction_);
          ++slot;
          break;
      }
    }
    for (std::size_t i = 0; i + 4 <= instruction.data.size(); i += 4)
      leaf(instruction_, "entry", kUnsigned, at++, static_cast<std::uint32_t>(i / 4));
    for (std::uint32_t i = 0; at < instruction.length_tokens; ++at, ++i) leaf(instruction_, "unused", kHex, at, i);
  }

 private:
  static std::uint32_t token_at(const Instruction& instruction, std::uint32_t at) {
    return instruction.bytes.u32(std::size_t{4} * at).value_or(0);
  }

  void leaf(std::uint32_t parent, const char* name, const FieldType& type, std::uint32_t token, std::uint32_t index = kNoIndex,
            std::uint32_t context = 0) {
    tree_.add({name, &type, parent, static_cast<std::uint32_t>(first_ + std::uint64_t{4} * token), 4, index, context});
  }

  // Adds an operand and those in its indexes; returns the token after it.
  std::uint32_t operand(const Instruction& instruction, unsigned slot, std::uint32_t index, std::uint32_t parent) {
    const Operand& op = instruction.operands[slot];
    const auto group =
        tree_.add({"operand", &kGroup, parent, static_cast<std::uint32_t>(first_ + 4U * op.first_token), 4U * op.token_count, index, 0});
    std::uint32_t at = op.first_token;
    const std::uint32_t end = at + op.token_count;
    std::uint32_t word = token_at(instruction, at);
    leaf(group, "operand_token", kOperandType, at++);
    while (program::token::kExtended.get(word) != 0 && at < end) {
      word = token_at(instruction, at);
      leaf(group, "extended", kExtendedOperandType, at++);
    }
    word = token_at(instruction, op.first_token);
    const std::uint32_t literals = op.type == OperandType::immediate32   ? op.components
                                   : op.type == OperandType::immediate64 ? (op.components == 4 ? 4U : 2U)
                                                                         : 0;
    for (std::uint32_t i = 0; i < literals; ++i) leaf(group, "literal", kHex, at++, i);
    for (unsigned i = 0; i < op.dimensions; ++i) {
      const std::uint32_t tokens = program::token::immediate_tokens(program::token::kIndexRepresentation[i].get(word));
      if (tokens == 2) leaf(group, "index_high", kUnsigned, at++, i);
      if (tokens != 0) leaf(group, "index", kUnsigned, at++, i);
      if (op.relative[i] != kNoOperand) at = operand(instruction, op.relative[i], i, group);
    }
    return end;
  }

  void custom_data(const Instruction& instruction) {
    const auto kind = static_cast<CustomData>(program::token::kCustomDataClass.get(instruction.token));
    const std::uint64_t start = instruction.data.file_offset();
    if (kind == CustomData::immediate_constant_buffer) {
      for (std::uint32_t i = 2; i < instruction.length_tokens; ++i) leaf(instruction_, "component", kHex, i, i - 2);
      return;
    }
    if (kind == CustomData::shader_message) {
      Instruction copy = instruction;
      if (const auto message = decode_shader_message(copy)) {
        const char* const kHead[] = {"message_id", "format_style", "characters", "operand_count", "operand_tokens"};
        for (std::uint32_t i = 0; i < 5; ++i) leaf(instruction_, kHead[i], i == 0 ? kHex : kUnsigned, i + 2);
        for (unsigned i = 0; i < copy.operand_count; ++i) operand(copy, i, i, instruction_);
        if (!message->format.empty()) {
          const auto text_at = static_cast<std::uint64_t>(message->format.data() - instruction.data.text().data());
          tree_.add({"format", &kText, instruction_, static_cast<std::uint32_t>(start + text_at),
                     static_cast<std::uint32_t>(message->format.size()), kNoIndex, 0});
          const std::uint64_t rest = text_at + message->format.size();
          if (rest < instruction.data.size())
            tree_.add({"padding", &kPadding, instruction_, static_cast<std::uint32_t>(start + rest),
                       static_cast<std::uint32_t>(instruction.data.size() - rest), kNoIndex, 0});
        }
        return;
      }
    }
    if (!instruction.data.empty())
      tree_.add({"data", &kBytes, instruction_, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(instruction.data.size()),
                 kNoIndex, 0});
  }

  Tree& tree_;
  std::uint32_t group_;
  const Program& program_;
  std::uint32_t version_;
  std::uint64_t first_ = 0;
  std::uint32_t instruction_ = 0;
};

}  // namespace

void record_program(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  TreeReader head(part.data, TreeRecorder(tree, group));
  std::uint32_t version = 0;
  std::uint32_t length = 0;
  head.u32("version", version, kVersionType);
  head.u32("length_tokens", length);
  const auto program = parse_program(part);
  if (!program) return tree.fail(program.error());
  ProgramRecorder recorder(tree, group, *program, version);
  Decoder decoder(*program);
  Instruction instruction;
  for (std::uint32_t i = 0; !decoder.at_end(); ++i) {
    if (!decoder.next(instruction)) return tree.fail(Error(decoder.error()).within(part.name()));
    recorder.record(instruction, i);
  }
}

}  // namespace unshade::dxbc
