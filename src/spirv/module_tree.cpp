// The field tree of a module: the header, and every instruction down to its operands.
#include <algorithm>
#include <string>

#include <unshade/spirv/module.hpp>

#include "spirv/grammar/number_text.hpp"
#include "spirv/grammar/operands.hpp"

namespace unshade::spirv {

namespace {

// What a field's `context` says of its word: how to print it, in which byte order it is.
constexpr Bits kKind{"kind", 0, 8};
constexpr Bits kSet{"set", 8, 8};      // of an extended instruction
constexpr Bits kWidth{"width", 8, 8};  // of a number
constexpr Bits kFloat{"float", 16, 1};
constexpr Bits kSigned1{"signed", 17, 1};
constexpr Bits kSwapped{"swapped", 31, 1};

std::uint32_t word_of(View bytes, std::uint32_t context, std::size_t at = 0) {
  std::uint32_t word = bytes.u32(4 * at).value_or(0);
  if (kSwapped.get(context) != 0) word = word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
  return word;
}

void print_unknown(Text& out, std::uint32_t word) {
  out << "unknown(0x";
  out.hex(word) << ')';
}

void print_opcode(Text& out, View bytes, std::uint32_t context) {
  const std::uint32_t word = word_of(bytes, context);
  if (const OpcodeInfo* const info = find_opcode(word & 0xffff)) {
    out << "Op" << info->text;
  } else {
    print_unknown(out, word & 0xffff);
  }
  out << " words=";
  out.dec(word >> 16);
}

void print_version(Text& out, View bytes, std::uint32_t context) {
  const std::uint32_t word = word_of(bytes, context);
  out.dec(word >> 16 & 0xff) << '.';
  out.dec(word >> 8 & 0xff);
}

void print_generator(Text& out, View bytes, std::uint32_t context) {
  const std::uint32_t word = word_of(bytes, context);
  if (const std::string_view text = generator_text(word >> 16); !text.empty()) {
    out << text;
  } else {
    print_unknown(out, word >> 16);
  }
  out << ' ';
  out.dec(word & 0xffff);
}

void print_hex(Text& out, View bytes, std::uint32_t context) {
  out << "0x";
  out.hex(word_of(bytes, context));
}

void print_operand(Text& out, View bytes, std::uint32_t context) {
  const auto kind = static_cast<OperandKind>(kKind.get(context));
  const std::uint32_t word = word_of(bytes, context);
  switch (kind) {
    case OperandKind::id_result_type:
    case OperandKind::id_result:
    case OperandKind::id_ref:
    case OperandKind::id_scope:
    case OperandKind::id_memory_semantics:
      out << '%';
      out.dec(word);
      return;
    case OperandKind::literal_integer: out.dec(word); return;
    case OperandKind::literal_float:
    case OperandKind::literal_number: {
      const NumberType type{static_cast<std::uint8_t>(kWidth.get(context)), kFloat.get(context) != 0, kSigned1.get(context) != 0};
      std::uint64_t bits = word;
      if (type.words() == 2) bits |= std::uint64_t{word_of(bytes, context, 1)} << 32;
      if (!grammar::print_number(out, bits, type)) {
        out << "0x";
        out.hex(bits);
      }
      return;
    }
    case OperandKind::literal_string: {
      std::string text;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char c = static_cast<char>(word_of(bytes, context, i / 4) >> 8 * (i % 4) & 0xff);
        if (c == 0) break;
        text.push_back(c);
      }
      print_quoted(out, text);
      return;
    }
    case OperandKind::extended_instruction:
      if (const ExtendedInfo* const info = find_extended(static_cast<ExtendedSet>(kSet.get(context)), word)) {
        out << info->text;
      } else {
        out.dec(word);
      }
      return;
    case OperandKind::spec_constant_opcode:
      if (const OpcodeInfo* const info = find_opcode(word)) {
        out << info->text;
      } else {
        print_unknown(out, word);
      }
      return;
    default: break;
  }
  if (!is_enumeration(kind)) {
    out << "0x";
    out.hex(word);
  } else if (is_mask(kind)) {
    print_mask(out, kind, word);
  } else if (const Enumerant* const enumerant = find_enumerant(kind, word)) {
    out << enumerant->text;
  } else {
    print_unknown(out, word);
  }
}

constexpr FieldType kOpcodeType{FieldKind::custom, "opcode and word count", nullptr, {}, print_opcode};
constexpr FieldType kVersionType{FieldKind::custom, "version", nullptr, {}, print_version};
constexpr FieldType kGeneratorType{FieldKind::custom, "generator", nullptr, {}, print_generator};
constexpr FieldType kHexType{FieldKind::custom, "hexadecimal", nullptr, {}, print_hex};
/// Of an operand of words that all readers of trees can read: little-endian ones of a common kind. Others are printed here.
const FieldType* common_type(OperandKind kind, NumberType number) {
  if (kind == OperandKind::literal_integer) return &kUnsigned;
  if (kind == OperandKind::literal_string) return &kText;
  if (kind != OperandKind::literal_number && kind != OperandKind::literal_float) return nullptr;
  if (number.width == 32 || number.width == 64) return number.is_float ? &kReal : number.is_signed ? &kSigned : &kUnsigned;
  return nullptr;
}

constexpr FieldType kOperandType{FieldKind::custom, "operand", nullptr, {}, print_operand};

class ModuleRecorder {
 public:
  ModuleRecorder(Tree& tree, std::uint32_t group, View bytes, bool is_swapped)
      : tree_(tree), group_(group), start_(bytes.file_offset()), swapped_(kSwapped.put(0, is_swapped ? 1 : 0)) {}

  void header(std::size_t bytes) {
    const auto above =
        tree_.add({"header", &kGroup, group_, static_cast<std::uint32_t>(start_), static_cast<std::uint32_t>(bytes), kNoIndex, 0});
    struct Word {
      const char* name;
      const FieldType* type;
      OperandKind kind;
    };
    static constexpr Word kWords[] = {{"magic", &kHexType, {}},
                                      {"version", &kVersionType, {}},
                                      {"generator", &kGeneratorType, {}},
                                      {"bound", &kOperandType, OperandKind::literal_integer},
                                      {"schema", &kOperandType, OperandKind::literal_integer}};
    for (std::uint32_t i = 0; i < std::size(kWords) && 4 * i + 4 <= bytes; ++i)
      leaf(above, kWords[i].name, *kWords[i].type, i, 1, kNoIndex, kKind.put(swapped_, static_cast<std::uint32_t>(kWords[i].kind)));
  }

  void instruction(const Instruction& instruction, const IdTable& ids, std::uint32_t index) {
    const std::uint32_t first = instruction.first_word();
    const auto above = tree_.add({"instruction", &kGroup, group_, static_cast<std::uint32_t>(start_ + std::uint64_t{4} * first),
                                  4 * instruction.word_count(), index, 0});
    leaf(above, "opcode", kOpcodeType, first, 1, kNoIndex, swapped_);
    decode_operands(instruction, ids, operands_);
    std::uint32_t run = 0;  // operands before this one with its name
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const Operand& operand = operands_[i];
      const bool is_like_next = i + 1 < operands_.size() && operands_[i + 1].name == operand.name;
      run = i != 0 && operands_[i - 1].name == operand.name ? run + 1 : 0;
      leaf(above, operand.name, kOperandType, first + operand.word, operand.words, run != 0 || is_like_next ? run : kNoIndex,
           context_of(operand, instruction, ids));
    }
  }

 private:
  std::uint32_t context_of(const Operand& operand, const Instruction& instruction, const IdTable& ids) const {
    std::uint32_t context = kKind.put(swapped_, static_cast<std::uint32_t>(operand.kind));
    if (operand.kind == OperandKind::extended_instruction) {
      context = kSet.put(context, static_cast<std::uint32_t>(ids.set(instruction.word(3))));
    } else if (operand.kind == OperandKind::literal_float || operand.kind == OperandKind::literal_number) {
      const NumberType type = operand.kind == OperandKind::literal_float ? NumberType{32, true, false} : operand.number;
      context = kSigned1.put(kFloat.put(kWidth.put(context, type.width), type.is_float ? 1 : 0), type.is_signed ? 1 : 0);
    }
    return context;
  }

  void leaf(std::uint32_t above, const char* name, const FieldType& type, std::uint32_t word, std::uint32_t words, std::uint32_t index,
            std::uint32_t context) {
    const FieldType* common = nullptr;
    if (&type == &kOperandType && swapped_ == 0) {
      const NumberType number{static_cast<std::uint8_t>(kWidth.get(context)), kFloat.get(context) != 0, kSigned1.get(context) != 0};
      common = common_type(static_cast<OperandKind>(kKind.get(context)), number);
    }
    tree_.add({name, common != nullptr ? common : &type, above, static_cast<std::uint32_t>(start_ + std::uint64_t{4} * word), 4 * words,
               index, context});
  }

  Tree& tree_;
  std::uint32_t group_;
  std::uint64_t start_;
  std::uint32_t swapped_;
  std::vector<Operand> operands_;
};

}  // namespace

void record_module(View bytes, Tree& tree, std::uint32_t group) {
  auto module = parse(bytes);
  if (!module) {
    // What comes before the fault is a module still, if the header is there.
    const std::uint64_t whole = module.error().offset - bytes.file_offset();
    tree.fail(std::move(module.error()));
    if (whole >= kHeaderBytes) module = parse(bytes.clamped(0, static_cast<std::size_t>(whole)));
  }
  if (!module) {
    if (is_module(bytes)) ModuleRecorder(tree, group, bytes, *bytes.u32(0) != kMagic).header(bytes.size());
    return;
  }
  ModuleRecorder recorder(tree, group, bytes, *bytes.u32(0) != kMagic);
  recorder.header(kHeaderBytes);
  const IdTable ids(*module);
  std::uint32_t index = 0;
  for (const Instruction instruction : *module) recorder.instruction(instruction, ids, index++);
}

}  // namespace unshade::spirv
