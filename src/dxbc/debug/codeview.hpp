// Shared by the descriptions of the CodeView records in a debug part. Those of symbols, type leaves, line tables and the streams around
// them are in codeview_NAME.hpp. Each record is a struct with a describe(); the walks over lists of records hand every record to a visitor.
// src: the record layouts as Microsoft publishes them in cvinfo.h (microsoft-pdb); which of them fxc writes, and how: observed in 76 files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/archive/stream_words.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxbc::codeview {

// --- enumerations ------------------------------------------------------------------------------------------------------------------

enum class SymbolKind : std::uint16_t {
  end = 0x0006,
  object_name = 0x1101,
  block = 0x1103,
  constant = 0x1107,
  user_type = 0x1108,
  public_symbol = 0x110e,
  local_procedure = 0x110f,
  global_procedure = 0x1110,
  procedure_reference = 0x1125,
  compile3 = 0x113c,
  environment = 0x113d,
  local = 0x113e,
  build_info = 0x114c,
  inline_site = 0x114d,
  inline_site_end = 0x114e,
  procedure_end = 0x114f,
  defrange_hlsl = 0x1150,
  global_data_hlsl = 0x1151,
  local_data_hlsl = 0x1152,
};

enum class LeafKind : std::uint16_t {
  procedure = 0x1008,
  member_function = 0x1009,
  argument_list = 0x1201,
  field_list = 0x1203,
  method_list = 0x1206,
  base_class = 0x1400,
  structure_class = 0x1504,
  structure = 0x1505,
  alias = 0x150a,
  member = 0x150d,
  method = 0x150f,
  one_method = 0x1511,
  strided_array = 0x1516,
  hlsl = 0x1517,
  modifier = 0x1518,
  interface_type = 0x1519,
  base_interface = 0x151a,
  vector = 0x151b,
  matrix = 0x151c,
  function_id = 0x1601,
  member_function_id = 0x1602,
};

enum class SubsectionKind : std::uint32_t { symbols = 0xf1, lines = 0xf2, strings = 0xf3, file_checksums = 0xf4, inlinee_lines = 0xf6 };

/// Whether a record closes the innermost procedure, block or inlined call.
constexpr bool is_scope_end(SymbolKind kind) {
  return kind == SymbolKind::end || kind == SymbolKind::inline_site_end || kind == SymbolKind::procedure_end;
}

const FieldType& field_type(SymbolKind);
const FieldType& field_type(LeafKind);
const FieldType& field_type(SubsectionKind);
extern const FieldType kRegisterFile;
extern const FieldType kLocationBits;
extern const FieldType kVariableFlags;
extern const FieldType kLineBits;
extern const FieldType kLinesFlags;
extern const FieldType kAnnotations;
extern const FieldType kGaps;
extern const FieldType kChecksumKind;
extern const FieldType kHlslTypeBits;
/// Names of the register files, by operand type.
extern const NameTable kRegisterFiles;

/// S_DEFRANGE_HLSL, the dword's low half after the register file.
inline constexpr Bits kDimensions{"dimensions", 0, 2};
inline constexpr Bits kIsMember{"is_member", 2, 1};
inline constexpr Bits kMemorySpace{"memory_space", 3, 4};
/// A line record's second dword.
inline constexpr Bits kLine{"line", 0, 24};
inline constexpr Bits kLineDelta{"line_delta", 24, 7};
inline constexpr Bits kIsStatement{"is_statement", 31, 1};
/// LF_HLSL
inline constexpr Bits kPropertyCount{"property_count", 0, 4};
/// S_LOCAL
inline constexpr std::uint16_t kIsParameter = 1;
inline constexpr std::uint16_t kIsReturnValue = 0x80;
/// DEBUG_S_LINES
inline constexpr std::uint16_t kHasColumns = 1;

// --- annotations -------------------------------------------------------------------------------------------------------------------

/// Steps of S_INLINESITE. src: cvinfo.h, BinaryAnnotationOpcode.
enum class Annotation : std::uint8_t {
  end = 0,
  code_offset = 1,
  code_offset_base = 2,
  advance_code = 3,
  code_length = 4,
  file = 5,
  advance_line = 6,
  line_delta = 7,
  range_kind = 8,
  column = 9,
  advance_column_end = 10,
  advance_code_and_line = 11,
  code_length_and_advance = 12,
  column_end = 13,
};

struct AnnotationStep {
  Annotation op = Annotation::end;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// Reads one step at `at` and moves on; false at the end or if the bytes are cut off or mean nothing.
bool next_annotation(View bytes, std::size_t& at, AnnotationStep& step);
/// Bytes of the steps from the start on.
std::size_t annotation_bytes(View bytes);
/// `advance_code_and_line=4,-1 code_length=3`
extern const Spelling kAnnotationSpelling;
/// A name of 8 bytes with zeros after it.
inline constexpr std::size_t kSectionNameBytes = 8;
extern const Spelling kSectionNameSpelling;
/// CodeView puts the sign into bit 0.
constexpr std::int32_t signed_annotation(std::uint32_t value) {
  const auto magnitude = static_cast<std::int32_t>(value >> 1);
  return (value & 1) != 0 ? -magnitude : magnitude;
}

// --- shared pieces -----------------------------------------------------------------------------------------------------------------

inline bool is_zero(View bytes) {
  return std::all_of(bytes.bytes().begin(), bytes.bytes().end(), [](std::byte b) { return b == std::byte{0}; });
}

/// What a compiler puts after the fields of a record so that the next one begins at a multiple of 4: a text of the bytes. `bytes`: of the
/// record so far.
using Padding = std::string (*)(std::uint32_t kind, std::size_t bytes);
/// observed: zeros; S_LOCAL has 29 of them in front.
std::string symbol_padding(std::uint32_t kind, std::size_t bytes);
inline constexpr std::uint8_t kLeafPadding = 0xf0;
/// observed: kLeafPadding and the number of bytes left, counting down.
std::string leaf_padding(std::uint32_t kind, std::size_t bytes);

/// u16 length (of what follows it), u16 kind, and what the kind has. body(kind, end) reads up to `end`; what it leaves is padding if
/// it is under 4 bytes or all zero, else unknown. A document states it if it is not the compiler's padding.
template <class Kind, class Archive, class F>
void framed(Archive& a, const char* name, std::uint32_t index, Padding padding, F&& body) {
  a.group(name, index, [&] {
    std::uint16_t length = 0;
    const std::size_t from = a.position();
    a.u16("length", length, kCount);
    if (!a.ok()) return;
    if (Archive::kReads && (length < 2 || length > a.rest()))
      return a.fail_at(length < 2 ? ErrorCode::bad_value : ErrorCode::truncated, from, "length",
                       "a record of " + std::to_string(length) + " bytes, but only " + std::to_string(a.rest()) + " left");
    const std::size_t end = a.position() + length;
    Kind kind{};
    a.enum16("kind", kind);
    body(kind, end);
    if (!a.ok()) return;
    View rest;
    const std::string usual = kIsStreamArchive<Archive> ? padding(static_cast<std::uint32_t>(kind), a.position() - from) : std::string();
    if constexpr (kMakesStream<Archive>) {
      if (a.has("padding") || a.has("unknown")) {
        a.raw("padding", rest, 0);
        rest = {};
        a.raw("unknown", rest, 0);
      } else {
        a.put(View(std::as_bytes(std::span(usual))));
      }
      set_size<std::uint16_t>(a, from, a.position() - from - sizeof(length));
    } else {
      if (a.position() > end) return a.fail_at(ErrorCode::overlap, from, "", "the fields exceed the record");
      const std::size_t left = end - a.position();
      if constexpr (kTellsStream<Archive>) {
        if (a.part().clamped(a.position(), left).text() == usual) return a.padding(left);
        if (left == 0) return a.add("padding", Value::bytes({}));
      }
      const bool is_padding = left < 4 || is_zero(a.part().clamped(a.position(), left));
      if (left != 0) a.raw(is_padding ? "padding" : "unknown", rest, left, is_padding ? kPadding : kUnknown);
    }
  });
}

/// Bytes from the cursor to `end`; 0 when a read went beyond it (framed() reports that).
template <class Archive>
std::size_t left_until(const Archive& a, std::size_t end) {
  return a.ok() && a.position() < end ? end - a.position() : 0;
}

/// An integer up to 0x7fff in two bytes, else a kind and the integer.
template <class Archive>
void numeric(Archive& a, const char* name, std::uint32_t& value) {
  if constexpr (kTellsStream<Archive>) {
    numeric(a.plain(), name, value);
    return a.add(name, Value::integer(value));
  } else if constexpr (kMakesStream<Archive>) {
    a.plain().u32(name, value);
    if (value < 0x8000) return a.number(static_cast<std::uint16_t>(value));
    a.number(static_cast<std::uint16_t>(value <= 0xffff ? 0x8002 : 0x8004));
    return value <= 0xffff ? a.number(static_cast<std::uint16_t>(value)) : a.number(value);
  } else {
    std::uint16_t low = 0;
    a.u16(name, low);
    value = low;
    if (low < 0x8000) return;
    switch (low) {
      case 0x8000: {
        std::uint8_t byte = 0;
        a.u8("value", byte);
        value = byte;
        break;
      }
      case 0x8001:
      case 0x8002: {
        a.u16("value", low);
        value = low;
        break;
      }
      case 0x8003:
      case 0x8004: a.u32("value", value); break;
      default: a.fail(ErrorCode::unsupported, name, "unknown numeric leaf " + hex32(low));
    }
  }
}

}  // namespace unshade::dxbc::codeview
