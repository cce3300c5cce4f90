// Builds small containers for tests: token programs from opcodes and operands, and the parts around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/signature.hpp>

namespace unshade::test {

using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

inline void append32(Bytes& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}
inline void set32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}
inline Bytes bytes_of(const Words& words) {
  Bytes bytes;
  for (const std::uint32_t word : words) append32(bytes, word);
  return bytes;
}

// --- operands: one token each, then their indexes ----------------------------------------------------------------------------------------

inline constexpr std::uint32_t kFourComponents = 2;
inline constexpr std::uint32_t kIdentity = 0xe4;  // swizzle xyzw

/// Bits of an operand token that tell its type and its immediate indexes.
inline std::uint32_t operand_type(dxbc::OperandType type, std::size_t dimensions) {
  return static_cast<std::uint32_t>(type) << 12 | static_cast<std::uint32_t>(dimensions) << 20;
}
inline Words with_indexes(std::uint32_t token, std::initializer_list<std::uint32_t> indexes) {
  Words words{token};
  words.insert(words.end(), indexes);
  return words;
}
/// A register with a write mask.
inline Words masked(dxbc::OperandType type, std::initializer_list<std::uint32_t> indexes, std::uint32_t mask = 0xf) {
  return with_indexes(operand_type(type, indexes.size()) | kFourComponents | mask << 4, indexes);
}
/// A register with a swizzle.
inline Words swizzled(dxbc::OperandType type, std::initializer_list<std::uint32_t> indexes, std::uint32_t swizzle = kIdentity) {
  return with_indexes(operand_type(type, indexes.size()) | kFourComponents | 1U << 2 | swizzle << 4, indexes);
}
/// One component of a register.
inline Words component(dxbc::OperandType type, std::initializer_list<std::uint32_t> indexes, std::uint32_t lane = 0) {
  return with_indexes(operand_type(type, indexes.size()) | kFourComponents | 2U << 2 | lane << 4, indexes);
}
/// A register without components: samplers, null, streams.
inline Words bare(dxbc::OperandType type, std::initializer_list<std::uint32_t> indexes = {}) {
  return with_indexes(operand_type(type, indexes.size()), indexes);
}
/// A register of one component: output depth.
inline Words scalar(dxbc::OperandType type) { return {operand_type(type, 0) | 1U}; }
inline Words literal(std::uint32_t value) { return {operand_type(dxbc::OperandType::immediate32, 0) | 1U, value}; }
inline Words literal4(std::uint32_t value) {
  return {operand_type(dxbc::OperandType::immediate32, 0) | kFourComponents, value, value, value, value};
}
inline Words temp(std::uint32_t n, std::uint32_t mask = 0xf) { return masked(dxbc::OperandType::temp, {n}, mask); }
inline Words read_temp(std::uint32_t n) { return swizzled(dxbc::OperandType::temp, {n}); }
inline Words temp_x(std::uint32_t n) { return component(dxbc::OperandType::temp, {n}); }

// --- programs ----------------------------------------------------------------------------------------------------------------------------

/// Tokens of a program. Lengths are filled in.
struct ProgramBuilder {
  dxbc::Stage stage = dxbc::Stage::pixel;
  std::uint32_t major = 5;
  std::uint32_t minor = 0;
  Words tokens;

  /// An instruction: its control bits as they stand in the opcode token, then operands and words as they follow it.
  ProgramBuilder& op(dxbc::Opcode opcode, std::initializer_list<Words> rest = {}, std::uint32_t controls = 0) {
    std::uint32_t length = 1;
    for (const Words& words : rest) length += static_cast<std::uint32_t>(words.size());
    tokens.push_back(static_cast<std::uint32_t>(opcode) | controls | length << 24);
    for (const Words& words : rest) tokens.insert(tokens.end(), words.begin(), words.end());
    return *this;
  }
  /// An immediate constant buffer of so many dwords.
  ProgramBuilder& immediate_buffer(std::uint32_t dwords) {
    tokens.push_back(static_cast<std::uint32_t>(dxbc::Opcode::customdata) | 3U << 11);
    tokens.push_back(dwords + 2);
    tokens.insert(tokens.end(), dwords, 0);
    return *this;
  }
  Bytes bytes() const {
    Words words{static_cast<std::uint32_t>(stage) << 16 | major << 4 | minor, static_cast<std::uint32_t>(tokens.size() + 2)};
    words.insert(words.end(), tokens.begin(), tokens.end());
    return bytes_of(words);
  }
};

// --- containers --------------------------------------------------------------------------------------------------------------------------

struct BuiltPart {
  std::uint32_t fourcc;
  Bytes data;
};

inline void sign(Bytes& container) {
  const auto digest = dxcontainer::compute_digest(View(container));
  std::copy(digest.begin(), digest.end(), container.begin() + 4);
}

/// A container with a valid digest.
inline Bytes build_container(const std::vector<BuiltPart>& parts) {
  Bytes bytes;
  append32(bytes, dxcontainer::kMagic);
  bytes.resize(20);
  append32(bytes, 1);
  append32(bytes, 0);
  append32(bytes, static_cast<std::uint32_t>(parts.size()));
  std::size_t offset = dxcontainer::kHeaderBytes + 4 * parts.size();
  for (const BuiltPart& part : parts) {
    append32(bytes, static_cast<std::uint32_t>(offset));
    offset += dxcontainer::kPartHeaderBytes + part.data.size();
  }
  for (const BuiltPart& part : parts) {
    append32(bytes, part.fourcc);
    append32(bytes, static_cast<std::uint32_t>(part.data.size()));
    bytes.insert(bytes.end(), part.data.begin(), part.data.end());
  }
  set32(bytes, 24, static_cast<std::uint32_t>(bytes.size()));
  sign(bytes);
  return bytes;
}

/// One element of a signature, read or written completely.
inline dxcontainer::SignatureElement element(std::string_view semantic, std::uint32_t reg, std::uint8_t mask = 0xf,
                                             std::uint8_t used_mask = 0xf,
                                             dxcontainer::SystemValue value = dxcontainer::SystemValue::undefined,
                                             std::uint32_t index = 0) {
  dxcontainer::SignatureElement e;
  e.semantic.text = semantic;
  e.semantic_index = index;
  e.system_value = value;
  e.component_type = dxcontainer::ComponentType::float32;
  e.register_index = reg;
  e.mask = mask;
  e.used_mask = used_mask;
  return e;
}

inline Bytes signature(std::uint32_t fourcc, std::vector<dxcontainer::SignatureElement> elements) {
  dxcontainer::Signature s;
  s.layout = dxcontainer::signature_layout(fourcc);
  s.elements.items = std::move(elements);
  return dxcontainer::write_signature(s);
}

}  // namespace unshade::test
