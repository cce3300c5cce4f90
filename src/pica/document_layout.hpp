// Instructions as documents of SHBIN have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/text.hpp>
#include <unshade/pica/instruction.hpp>

#include "pica/shbin_layout.hpp"

namespace unshade::pica {

namespace words {

inline constexpr NamedValue kOpcodes[] = {
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) {static_cast<std::uint32_t>(Opcode::id), text},
#include <unshade/pica/instructions.def>
#undef PICA_OP
};
inline constexpr NameTable kOpcodeNames{kOpcodes};
inline constexpr FieldType kOpcodeType{FieldKind::enumeration, "opcode", &kOpcodeNames};

inline std::string source_text(std::uint32_t number) {
  Text text;
  print_source(text, number);
  return text.str();
}
inline std::string destination_text(std::uint32_t number) {
  Text text;
  print_destination(text, number);
  return text.str();
}
inline std::string comparison_text(std::uint32_t number) { return std::string(id(static_cast<Comparison>(number))); }
inline std::string index_text(std::uint32_t number) { return std::string(id(static_cast<Index>(number))); }

/// A number that prints as a name: those of registers and of enumerations that are made by functions.
template <class Archive>
std::uint32_t named(Archive& a, const char* name, std::uint32_t value, std::uint32_t count, std::string (*print)(std::uint32_t)) {
  std::string text = kReadsValues<Archive> ? std::string() : print(value);
  std::string_view view = text;
  a.string_here(name, view);
  if constexpr (kReadsValues<Archive>) {
    if (!a.has(name) && view.empty()) return value;
    for (std::uint32_t i = 0; i < count; ++i)
      if (print(i) == view) return i;
    a.fail(ErrorCode::bad_value, name, "unknown register or name");
  }
  return value;
}

/// A number that is left out if it is zero.
template <class Archive, class T>
void unless_zero(Archive& a, const char* name, T& value) {
  auto number = static_cast<std::uint32_t>(value);
  if (kReadsValues<Archive> || number != 0) a.u32(name, number);
  if constexpr (kReadsValues<Archive>) {
    if (static_cast<std::uint32_t>(static_cast<T>(number)) != number) a.fail(ErrorCode::bad_value, name, "the value is too large");
    value = static_cast<T>(number);
  }
}

template <class Archive>
void describe_instruction(Archive& a, Instruction& i) {
  constexpr const char* kSources[] = {"source1", "source2", "source3"};
  auto opcode = static_cast<std::uint32_t>(i.opcode);
  a.u32("opcode", opcode, kOpcodeType);
  i.opcode = static_cast<Opcode>(opcode);
  const Format format = format_of(i.opcode);
  if (has_destination(format)) i.destination = static_cast<std::uint8_t>(named(a, "destination", i.destination, 32, destination_text));
  const unsigned sources = source_count(format);
  for (unsigned s = 0; s < sources; ++s) i.source[s] = static_cast<std::uint8_t>(named(a, kSources[s], i.source[s], 128, source_text));
  if (kReadsValues<Archive> || i.index != Index::none)
    i.index = static_cast<Index>(named(a, "index", static_cast<std::uint32_t>(i.index), 4, index_text));
  if (has_descriptor(format)) a.u8("descriptor", i.descriptor);
  if (i.opcode == Opcode::cmp) {
    i.compare_x = static_cast<Comparison>(named(a, "compare_x", static_cast<std::uint32_t>(i.compare_x), 8, comparison_text));
    i.compare_y = static_cast<Comparison>(named(a, "compare_y", static_cast<std::uint32_t>(i.compare_y), 8, comparison_text));
  }
  unless_zero(a, "condition", i.condition);
  unless_zero(a, "ref_x", i.ref_x);
  unless_zero(a, "ref_y", i.ref_y);
  unless_zero(a, "uniform", i.uniform);
  unless_zero(a, "target", i.target);
  unless_zero(a, "count", i.count);
  unless_zero(a, "vertex", i.vertex);
  unless_zero(a, "primitive", i.primitive);
  unless_zero(a, "inverted", i.inverted);
  unless_zero(a, "rest", i.rest);
}

/// The first field that was not encoded; null if all were.
inline const char* lost_field(const Instruction& stated, const Instruction& encoded) {
  if (encoded.opcode != stated.opcode) return "opcode";
  if (encoded.destination != stated.destination) return "destination";
  constexpr const char* kSources[] = {"source1", "source2", "source3"};
  for (unsigned s = 0; s < 3; ++s)
    if (encoded.source[s] != stated.source[s]) return kSources[s];
  if (encoded.index != stated.index) return "index";
  if (encoded.descriptor != stated.descriptor) return "descriptor";
  if (encoded.compare_x != stated.compare_x) return "compare_x";
  if (encoded.compare_y != stated.compare_y) return "compare_y";
  if (encoded.condition != stated.condition) return "condition";
  if (encoded.ref_x != stated.ref_x) return "ref_x";
  if (encoded.ref_y != stated.ref_y) return "ref_y";
  if (encoded.uniform != stated.uniform) return "uniform";
  if (encoded.target != stated.target) return "target";
  if (encoded.count != stated.count) return "count";
  if (encoded.vertex != stated.vertex) return "vertex";
  if (encoded.primitive != stated.primitive) return "primitive";
  if (encoded.inverted != stated.inverted) return "inverted";
  if (encoded.rest != stated.rest) return "rest";
  return nullptr;
}

}  // namespace words

/// Bytes: 4.
template <class Archive>
void describe(Archive& a, CodeWord& c) {
  static_assert(kIsValueArchive<Archive>);
  constexpr const char* kWord = "word";  // if fields would not give it back
  if constexpr (kReadsValues<Archive>) {
    if (a.has(kWord)) return a.u32(kWord, c.word, kHex);
    Instruction instruction;
    words::describe_instruction(a, instruction);
    c.word = encode(instruction);
    if (const char* const lost = words::lost_field(instruction, decode(c.word)))
      a.fail(ErrorCode::bad_value, lost, "the value is not valid for instructions of this opcode");
  } else {
    Instruction instruction = decode(c.word);
    if (instruction.opcode == Opcode::unknown || encode(instruction) != c.word) return a.u32(kWord, c.word, kHex);
    words::describe_instruction(a, instruction);
  }
}

}  // namespace unshade::pica
