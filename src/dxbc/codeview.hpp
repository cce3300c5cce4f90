// The descriptions of the CodeView records that a debug part holds: type leaves, symbols, line tables and the streams around them.
// Each record is a struct with a describe(); the walks over lists of records hand every record to a visitor.
// src: the record layouts as Microsoft publishes them in cvinfo.h (microsoft-pdb); which of them fxc writes, and how: observed in 76 files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

#include "dxcontainer/msf_layout.hpp"
#include "dxcontainer/pdb_layout.hpp"

namespace unshade::dxbc::codeview {

using dxcontainer::hash_table_bits;
using dxcontainer::kU16List;
using dxcontainer::kU32List;

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

/// S_DEFRANGE_HLSL, the dword's low half behind the register file.
inline constexpr Bits kDimensions{"dimensions", 0, 2};
inline constexpr Bits kIsMember{"is_member", 2, 1};
inline constexpr Bits kMemorySpace{"memory_space", 3, 4};
/// A line record's second dword.
inline constexpr Bits kLine{"line", 0, 24};
inline constexpr Bits kLineDelta{"line_delta", 24, 7};
inline constexpr Bits kIsStatement{"is_statement", 31, 1};
/// S_LOCAL
inline constexpr std::uint16_t kIsParameter = 1;
inline constexpr std::uint16_t kIsReturnValue = 0x80;
/// DEBUG_S_LINES
inline constexpr std::uint16_t kHasColumns = 1;

// --- shared pieces -----------------------------------------------------------------------------------------------------------------

inline bool is_zero(View bytes) {
  return std::all_of(bytes.bytes().begin(), bytes.bytes().end(), [](std::byte b) { return b == std::byte{0}; });
}

/// u16 length (of what follows it), u16 kind, and what the kind has. body(kind, end) reads up to `end`; what it leaves is padding where
/// it is under 4 bytes or all zero (observed: fxc leaves about 30 behind the name of S_LOCAL), else unknown.
template <class Kind, class Archive, class F>
void framed(Archive& a, const char* name, std::uint32_t index, F&& body) {
  a.group(name, index, [&] {
    std::uint16_t length = 0;
    const std::size_t from = a.position();
    a.u16("length", length);
    if (!a.ok()) return;
    if (length < 2 || length > a.rest())
      return a.fail_at(length < 2 ? ErrorCode::bad_value : ErrorCode::truncated, from, "length",
                       "a record of " + std::to_string(length) + " bytes, " + std::to_string(a.rest()) + " left");
    const std::size_t end = a.position() + length;
    Kind kind{};
    a.enum16("kind", kind);
    body(kind, end);
    if (!a.ok()) return;
    if (a.position() > end) return a.fail_at(ErrorCode::overlap, from, "", "fields reach beyond the end of the record");
    if (const std::size_t left = end - a.position(); left != 0) {
      View rest;
      const bool is_padding = left < 4 || is_zero(a.part().clamped(a.position(), left));
      a.raw(is_padding ? "padding" : "unknown", rest, left, is_padding ? kPadding : kUnknown);
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
    default: a.fail(ErrorCode::unsupported, name, "numeric leaf " + hex32(low));
  }
}

// --- symbols -----------------------------------------------------------------------------------------------------------------------

/// S_COMPILE3
struct Compile3 {
  std::uint32_t flags = 0;  // [7:0] language: 16 is HLSL
  std::uint16_t machine = 0;
  std::uint16_t frontend[4] = {};
  std::uint16_t backend[4] = {};
  std::string_view version;
};
template <class Archive>
void describe(Archive& a, Compile3& s) {
  a.u32("flags", s.flags, kHex);
  a.u16("machine", s.machine, kHex);
  for (std::uint16_t& number : s.frontend) a.u16("frontend_version", number);
  for (std::uint16_t& number : s.backend) a.u16("backend_version", number);
  a.string_here("version", s.version);
}

/// S_ENVBLOCK: pairs of key and value up to an empty key.
struct Environment {
  std::uint8_t flags = 0;
  std::string_view entry_point;
  std::string_view target;
  std::string_view compile_flags;
  std::string_view defines;
};
template <class Archive>
void describe(Archive& a, Environment& s, std::size_t end) {
  a.u8("flags", s.flags, kHex);
  while (left_until(a, end) != 0) {
    std::string_view key;
    std::string_view value;
    a.string_here("key", key);
    if (key.empty()) break;
    a.string_here("value", value);
    if (key == "hlslEntry") s.entry_point = value;
    if (key == "hlslTarget") s.target = value;
    if (key == "hlslFlags") s.compile_flags = value;
    if (key == "hlslDefines") s.defines = value;
  }
}

/// S_GPROC32, S_LPROC32
struct Procedure {
  std::uint32_t parent = 0;  // offsets of symbols are from the start of the module's stream
  std::uint32_t end = 0;
  std::uint32_t next = 0;
  std::uint32_t code_bytes = 0;
  std::uint32_t debug_start = 0;
  std::uint32_t debug_end = 0;
  std::uint32_t type = 0;
  std::uint32_t code_offset = 0;  // of the first instruction behind the declarations, bytes from the start of the token program
  std::uint16_t segment = 0;
  std::uint8_t flags = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Procedure& s) {
  a.u32("parent", s.parent, kOffset);
  a.u32("end", s.end, kOffset);
  a.u32("next", s.next, kOffset);
  a.u32("code_bytes", s.code_bytes);
  a.u32("debug_start", s.debug_start);
  a.u32("debug_end", s.debug_end);
  a.u32("type", s.type, kHex);
  a.u32("code_offset", s.code_offset, kOffset);
  a.u16("segment", s.segment);
  a.u8("flags", s.flags, kHex);
  a.string_here("name", s.name);
}

/// S_LOCAL
struct Local {
  std::uint32_t type = 0;
  std::uint16_t flags = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Local& s) {
  a.u32("type", s.type, kHex);
  a.u16("flags", s.flags, kVariableFlags);
  a.string_here("name", s.name);
}

/// S_DEFRANGE_HLSL: where a piece of the local before it lives.
struct Defrange {
  std::uint16_t register_file = 0;
  std::uint16_t bits = 0;
  std::uint16_t offset_in_variable = 0;
  std::uint16_t bytes = 0;
  std::uint32_t code_offset = 0;
  std::uint16_t segment = 0;
  std::uint16_t code_bytes = 0;
  View gaps;       // u16 offset from code_offset, u16 bytes
  View registers;  // u32 bytes, as many as dimensions
};
template <class Archive>
void describe(Archive& a, Defrange& s, std::size_t end) {
  a.u16("register_file", s.register_file, kRegisterFile);
  a.u16("bits", s.bits, kLocationBits);
  a.u16("offset_in_variable", s.offset_in_variable);
  a.u16("bytes", s.bytes);
  a.u32("code_offset", s.code_offset, kOffset);
  a.u16("segment", s.segment);
  a.u16("code_bytes", s.code_bytes);
  const std::size_t registers = std::size_t{kDimensions.get(s.bits)} * 4;
  const std::size_t left = left_until(a, end);
  if (Archive::kReads && a.ok() && left < registers) return a.fail(ErrorCode::truncated, "register_offsets", "the record ends before them");
  const std::size_t gaps = left > registers ? (left - registers) / 4 * 4 : 0;
  if (gaps != 0) a.raw("gaps", s.gaps, gaps, kGaps);
  a.raw("register_offsets", s.registers, registers, kU32List);
}

/// S_INLINESITE: a call that was inlined, and which instructions came of which of its lines.
struct InlineSite {
  std::uint32_t parent = 0;
  std::uint32_t end = 0;
  std::uint32_t function = 0;  // an item of the id stream
  View annotations;
};
template <class Archive>
void describe(Archive& a, InlineSite& s, std::size_t end) {
  a.u32("parent", s.parent, kOffset);
  a.u32("end", s.end, kOffset);
  a.u32("function", s.function, kHex);
  a.raw("annotations", s.annotations, left_until(a, end), kAnnotations);
}

/// S_BLOCK32
struct Block {
  std::uint32_t parent = 0;
  std::uint32_t end = 0;
  std::uint32_t code_bytes = 0;
  std::uint32_t code_offset = 0;
  std::uint16_t segment = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Block& s) {
  a.u32("parent", s.parent, kOffset);
  a.u32("end", s.end, kOffset);
  a.u32("code_bytes", s.code_bytes);
  a.u32("code_offset", s.code_offset, kOffset);
  a.u16("segment", s.segment);
  a.string_here("name", s.name);
}

/// S_GDATA_HLSL, S_LDATA_HLSL: a global and the slot it is bound to; 0xffff where it has none of a kind.
struct DataHlsl {
  std::uint32_t type = 0;
  std::uint16_t register_file = 0;
  std::uint16_t data_slot = 0;
  std::uint16_t data_offset = 0;
  std::uint16_t texture_slot = 0;
  std::uint16_t sampler_slot = 0;
  std::uint16_t view_slot = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, DataHlsl& s) {
  a.u32("type", s.type, kHex);
  a.u16("register_file", s.register_file, kRegisterFile);
  a.u16("data_slot", s.data_slot);
  a.u16("data_offset", s.data_offset);
  a.u16("texture_slot", s.texture_slot);
  a.u16("sampler_slot", s.sampler_slot);
  a.u16("view_slot", s.view_slot);
  a.string_here("name", s.name);
}

/// S_PROCREF
struct ProcedureReference {
  std::uint32_t sum = 0;
  std::uint32_t symbol = 0;
  std::uint16_t module = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, ProcedureReference& s) {
  a.u32("sum", s.sum, kHex);
  a.u32("symbol", s.symbol, kOffset);
  a.u16("module", s.module);
  a.string_here("name", s.name);
}

/// S_OBJNAME, S_UDT: a number and a name.
struct NumberAndName {
  std::uint32_t number = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, NumberAndName& s) {
  a.u32("number", s.number, kHex);
  a.string_here("name", s.name);
}

/// S_CONSTANT
struct Constant {
  std::uint32_t type = 0;
  std::uint32_t value = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Constant& s) {
  a.u32("type", s.type, kHex);
  numeric(a, "value", s.value);
  a.string_here("name", s.name);
}

/// S_PUB32
struct PublicSymbol {
  std::uint32_t flags = 0;
  std::uint32_t offset = 0;
  std::uint16_t segment = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, PublicSymbol& s) {
  a.u32("flags", s.flags, kHex);
  a.u32("offset", s.offset, kOffset);
  a.u16("segment", s.segment);
  a.string_here("name", s.name);
}

/// What no one wants to see.
struct NoVisitor {
  template <class T>
  void on(const T&) {}
  template <class T>
  void on(std::uint32_t, const T&) {}
  void on_end(SymbolKind) {}
};

/// One symbol record.
template <class Archive, class Visitor>
void symbol(Archive& a, std::uint32_t index, Visitor& visitor) {
  framed<SymbolKind>(a, "symbols", index, [&](SymbolKind kind, std::size_t end) {
    const auto plain = [&](auto record) {
      describe(a, record);
      if (a.ok()) visitor.on(record);
    };
    const auto bounded = [&](auto record) {
      describe(a, record, end);
      if (a.ok()) visitor.on(record);
    };
    switch (kind) {
      case SymbolKind::compile3: return plain(Compile3{});
      case SymbolKind::environment: return bounded(Environment{});
      case SymbolKind::global_procedure:
      case SymbolKind::local_procedure: return plain(Procedure{});
      case SymbolKind::local: return plain(Local{});
      case SymbolKind::defrange_hlsl: return bounded(Defrange{});
      case SymbolKind::inline_site: return bounded(InlineSite{});
      case SymbolKind::block: return plain(Block{});
      case SymbolKind::global_data_hlsl:
      case SymbolKind::local_data_hlsl: return plain(DataHlsl{});
      case SymbolKind::procedure_reference: return plain(ProcedureReference{});
      case SymbolKind::object_name:
      case SymbolKind::user_type: return plain(NumberAndName{});
      case SymbolKind::constant: return plain(Constant{});
      case SymbolKind::public_symbol: return plain(PublicSymbol{});
      case SymbolKind::build_info: {
        std::uint32_t item = 0;
        return a.u32("item", item, kHex);
      }
      case SymbolKind::end:
      case SymbolKind::inline_site_end:
      case SymbolKind::procedure_end: return visitor.on_end(kind);
    }
    // A kind unknown here: framed() keeps its bytes.
  });
}

/// Symbol records up to `end`.
template <class Archive, class Visitor>
void symbols(Archive& a, std::size_t end, Visitor& visitor) {
  for (std::uint32_t i = 0; left_until(a, end) >= 4; ++i) symbol(a, i, visitor);
}

// --- type leaves -------------------------------------------------------------------------------------------------------------------

/// LF_VECTOR
struct Vector {
  std::uint32_t element = 0;
  std::uint32_t count = 0;
  std::uint32_t bytes = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Vector& t) {
  a.u32("element", t.element, kHex);
  a.u32("count", t.count);
  numeric(a, "bytes", t.bytes);
  a.string_here("name", t.name);
}

/// LF_MATRIX
struct Matrix {
  std::uint32_t element = 0;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t stride = 0;     // bytes from one row (row-major) or column to the next
  std::uint8_t attributes = 0;  // bit 0: row-major
  std::uint32_t bytes = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Matrix& t) {
  a.u32("element", t.element, kHex);
  a.u32("rows", t.rows);
  a.u32("columns", t.columns);
  a.u32("stride", t.stride);
  a.u8("attributes", t.attributes, kHex);
  numeric(a, "bytes", t.bytes);
  a.string_here("name", t.name);
}

/// LF_STRIDED_ARRAY
struct StridedArray {
  std::uint32_t element = 0;
  std::uint32_t index_type = 0;
  std::uint32_t stride = 0;
  std::uint32_t bytes = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, StridedArray& t) {
  a.u32("element", t.element, kHex);
  a.u32("index_type", t.index_type, kHex);
  a.u32("stride", t.stride);
  numeric(a, "bytes", t.bytes);
  a.string_here("name", t.name);
}

/// LF_STRUCTURE, LF_CLASS, LF_INTERFACE
struct Structure {
  std::uint16_t count = 0;
  std::uint16_t properties = 0;
  std::uint32_t fields = 0;
  std::uint32_t derived = 0;
  std::uint32_t virtual_shape = 0;
  std::uint32_t bytes = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Structure& t) {
  a.u16("count", t.count);
  a.u16("properties", t.properties, kHex);
  a.u32("fields", t.fields, kHex);
  a.u32("derived", t.derived, kHex);
  a.u32("virtual_shape", t.virtual_shape, kHex);
  numeric(a, "bytes", t.bytes);
  a.string_here("name", t.name);
}

/// LF_HLSL: a texture, buffer, sampler, stream or minimum precision type.
struct Hlsl {
  std::uint32_t subtype = 0;
  std::uint16_t builtin = 0;
  std::uint16_t bits = 0;
  std::uint32_t properties[15] = {};
  std::uint32_t bytes = 0;
};
inline constexpr Bits kPropertyCount{"property_count", 0, 4};
template <class Archive>
void describe(Archive& a, Hlsl& t) {
  a.u32("subtype", t.subtype, kHex);
  a.u16("builtin", t.builtin, kHex);
  a.u16("bits", t.bits, kHlslTypeBits);
  for (std::uint32_t i = 0; i < kPropertyCount.get(t.bits); ++i) numeric(a, "property", t.properties[i]);
  numeric(a, "bytes", t.bytes);
}

/// LF_MODIFIER_EX
struct Modifier {
  std::uint32_t type = 0;
  std::uint16_t count = 0;
  View modifiers;
};
template <class Archive>
void describe(Archive& a, Modifier& t) {
  a.u32("type", t.type, kHex);
  a.u16("count", t.count);
  a.raw("modifiers", t.modifiers, std::size_t{t.count} * 2, kU16List);
}

/// LF_ALIAS
struct Alias {
  std::uint32_t type = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Alias& t) {
  a.u32("type", t.type, kHex);
  a.string_here("name", t.name);
}

/// LF_PROCEDURE
struct ProcedureType {
  std::uint32_t result = 0;
  std::uint8_t call = 0;
  std::uint8_t attributes = 0;
  std::uint16_t parameter_count = 0;
  std::uint32_t arguments = 0;
};
template <class Archive>
void describe(Archive& a, ProcedureType& t) {
  a.u32("result", t.result, kHex);
  a.u8("call", t.call);
  a.u8("attributes", t.attributes, kHex);
  a.u16("parameter_count", t.parameter_count);
  a.u32("arguments", t.arguments, kHex);
}

/// LF_MFUNCTION
struct MemberFunctionType {
  std::uint32_t result = 0;
  std::uint32_t class_type = 0;
  std::uint32_t this_type = 0;
  std::uint8_t call = 0;
  std::uint8_t attributes = 0;
  std::uint16_t parameter_count = 0;
  std::uint32_t arguments = 0;
  std::uint32_t this_adjust = 0;
};
template <class Archive>
void describe(Archive& a, MemberFunctionType& t) {
  a.u32("result", t.result, kHex);
  a.u32("class_type", t.class_type, kHex);
  a.u32("this_type", t.this_type, kHex);
  a.u8("call", t.call);
  a.u8("attributes", t.attributes, kHex);
  a.u16("parameter_count", t.parameter_count);
  a.u32("arguments", t.arguments, kHex);
  a.u32("this_adjust", t.this_adjust);
}

/// LF_ARGLIST
struct ArgumentList {
  std::uint32_t count = 0;
  View types;
};
template <class Archive>
void describe(Archive& a, ArgumentList& t) {
  a.u32("count", t.count);
  a.raw("types", t.types, std::size_t{t.count} * 4, kU32List);
}

/// LF_FUNC_ID, LF_MFUNC_ID
struct FunctionId {
  std::uint32_t scope = 0;  // or the class of a member function
  std::uint32_t type = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, FunctionId& t) {
  a.u32("scope", t.scope, kHex);
  a.u32("type", t.type, kHex);
  a.string_here("name", t.name);
}

/// LF_MEMBER, in a field list
struct Member {
  std::uint16_t attributes = 0;
  std::uint32_t type = 0;
  std::uint32_t offset = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Member& m) {
  a.u16("attributes", m.attributes, kHex);
  a.u32("type", m.type, kHex);
  numeric(a, "offset", m.offset);
  a.string_here("name", m.name);
}

/// LF_ONEMETHOD, in a field list
struct OneMethod {
  std::uint16_t attributes = 0;  // [4:2] 4 and 6: introduces a virtual method
  std::uint32_t type = 0;
  std::uint32_t virtual_offset = 0;
  std::string_view name;
};
inline constexpr Bits kMethodKind{"kind", 2, 3};
template <class Archive>
void describe(Archive& a, OneMethod& m) {
  a.u16("attributes", m.attributes, kHex);
  a.u32("type", m.type, kHex);
  const std::uint32_t kind = kMethodKind.get(m.attributes);
  if (kind == 4 || kind == 6) a.u32("virtual_offset", m.virtual_offset);
  a.string_here("name", m.name);
}

/// LF_METHOD, in a field list
struct Methods {
  std::uint16_t count = 0;
  std::uint32_t list = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Methods& m) {
  a.u16("count", m.count);
  a.u32("list", m.list, kHex);
  a.string_here("name", m.name);
}

/// LF_BCLASS, LF_BINTERFACE, in a field list
struct BaseClass {
  std::uint16_t attributes = 0;
  std::uint32_t type = 0;
  std::uint32_t offset = 0;
};
template <class Archive>
void describe(Archive& a, BaseClass& m) {
  a.u16("attributes", m.attributes, kHex);
  a.u32("type", m.type, kHex);
  numeric(a, "offset", m.offset);
}

/// LF_FIELDLIST: members side by side, each aligned by bytes 0xf1 to 0xf3 that count down to the next.
template <class Archive, class Visitor>
void field_list(Archive& a, std::size_t end, Visitor& visitor) {
  for (std::uint32_t i = 0; left_until(a, end) != 0;) {
    const auto next = a.part().u8(a.position());
    if (!next) return;
    if (*next >= 0xf0) {
      a.padding(std::min<std::size_t>(std::max<std::size_t>(1, *next & 15U), left_until(a, end)));
      continue;
    }
    bool known = true;
    a.group("members", i++, [&] {
      LeafKind kind{};
      a.enum16("kind", kind);
      const auto plain = [&](auto record) {
        describe(a, record);
        if (a.ok()) visitor.on(record);
      };
      switch (kind) {
        case LeafKind::member: return plain(Member{});
        case LeafKind::one_method: return plain(OneMethod{});
        case LeafKind::method: return plain(Methods{});
        case LeafKind::base_class:
        case LeafKind::base_interface: return plain(BaseClass{});
        default: known = false;  // without a length there is no way on
      }
    });
    if (!known) return;
  }
}

/// What opens the type stream (2) and the id stream (4). Bytes: 56.
struct TypeHeader {
  std::uint32_t version = 0;
  std::uint32_t header_bytes = 0;
  std::uint32_t first_index = 0;
  std::uint32_t end_index = 0;
  std::uint32_t record_bytes = 0;
  std::uint16_t hash_stream = 0;
  std::uint16_t padding = 0;
  std::uint32_t hash_key_bytes = 0;
  std::uint32_t bucket_count = 0;
  std::uint32_t hash_values_offset = 0;
  std::uint32_t hash_values_bytes = 0;
  std::uint32_t type_offsets_offset = 0;
  std::uint32_t type_offsets_bytes = 0;
  std::uint32_t hash_adjust_offset = 0;
  std::uint32_t hash_adjust_bytes = 0;
};
template <class Archive>
void describe(Archive& a, TypeHeader& h) {
  a.u32("version", h.version);
  a.u32("header_bytes", h.header_bytes);
  a.u32("first_index", h.first_index, kHex);
  a.u32("end_index", h.end_index, kHex);
  a.u32("record_bytes", h.record_bytes);
  a.u16("hash_stream", h.hash_stream);
  a.u16("auxiliary_hash_stream", h.padding, kHex);
  a.u32("hash_key_bytes", h.hash_key_bytes);
  a.u32("bucket_count", h.bucket_count);
  a.u32("hash_values_offset", h.hash_values_offset, kOffset);
  a.u32("hash_values_bytes", h.hash_values_bytes);
  a.u32("type_offsets_offset", h.type_offsets_offset, kOffset);
  a.u32("type_offsets_bytes", h.type_offsets_bytes);
  a.u32("hash_adjust_offset", h.hash_adjust_offset, kOffset);
  a.u32("hash_adjust_bytes", h.hash_adjust_bytes);
}

/// A whole type stream. The visitor is told the index of every record: on(index, record), and on_record(index) before its fields.
template <class Visitor>
struct TypeStream {
  TypeHeader header;
  Visitor* visitor;
};
template <class Archive, class Visitor>
void describe(Archive& a, TypeStream<Visitor>& s) {
  a.record("header", s.header);
  if (a.ok() && Archive::kReads && s.header.record_bytes > a.rest())
    return a.fail_at(ErrorCode::truncated, 16, "header/record_bytes", "the records reach beyond the end of the stream");
  const std::size_t end = a.position() + s.header.record_bytes;
  for (std::uint32_t index = s.header.first_index, i = 0; left_until(a, end) >= 4; ++index, ++i) {
    framed<LeafKind>(a, "types", i, [&](LeafKind kind, std::size_t record_end) {
      const auto plain = [&](auto record) {
        describe(a, record);
        if (a.ok()) s.visitor->on(index, record);
      };
      s.visitor->begin(index);
      switch (kind) {
        case LeafKind::vector: return plain(Vector{});
        case LeafKind::matrix: return plain(Matrix{});
        case LeafKind::strided_array: return plain(StridedArray{});
        case LeafKind::structure:
        case LeafKind::structure_class:
        case LeafKind::interface_type: return plain(Structure{});
        case LeafKind::hlsl: return plain(Hlsl{});
        case LeafKind::modifier: return plain(Modifier{});
        case LeafKind::alias: return plain(Alias{});
        case LeafKind::procedure: return plain(ProcedureType{});
        case LeafKind::member_function: return plain(MemberFunctionType{});
        case LeafKind::argument_list: return plain(ArgumentList{});
        case LeafKind::function_id:
        case LeafKind::member_function_id: return plain(FunctionId{});
        case LeafKind::field_list: return field_list(a, record_end, *s.visitor);
        case LeafKind::method_list: {
          View methods;
          return a.raw("methods", methods, left_until(a, record_end), kU32List);
        }
        default: return;  // framed() keeps the bytes
      }
    });
  }
}
struct NoTypeVisitor {
  void begin(std::uint32_t) {}
  template <class T>
  void on(std::uint32_t, const T&) {}
  template <class T>
  void on(const T&) {}
};

/// The stream a type header names: hashes of the records, where some of them begin, and moved ones.
struct TypeHash {
  const TypeHeader* layout;
  View values;
  View offsets;
  View adjust;
};
template <class Archive>
void describe(Archive& a, TypeHash& h) {
  const auto list = [&](const char* name, View& bytes, std::uint32_t size) {
    if (size != 0) a.raw(name, bytes, size, kU32List);
  };
  // observed: in this order, side by side from the start of the stream
  list("hash_values", h.values, h.layout->hash_values_bytes);
  list("type_offsets", h.offsets, h.layout->type_offsets_bytes);
  list("hash_adjust", h.adjust, h.layout->hash_adjust_bytes);
}

// --- lines -------------------------------------------------------------------------------------------------------------------------

/// DEBUG_S_LINES: one line record. Bytes: 8.
struct Line {
  std::uint32_t code_offset = 0;  // bytes from the offset in the subsection's header
  std::uint32_t bits = 0;
};
template <class Archive>
void describe(Archive& a, Line& l) {
  a.u32("code_offset", l.code_offset, kOffset);
  a.u32("bits", l.bits, kLineBits);
}
/// Columns of one line record. Bytes: 4.
struct Column {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
};
template <class Archive>
void describe(Archive& a, Column& c) {
  a.u16("first", c.first);
  a.u16("last", c.last);
}
/// Lines of one file.
struct LineBlock {
  std::uint32_t file = 0;  // offset of a record in the file checksums
  std::uint32_t count = 0;
  std::uint32_t bytes = 0;
  std::vector<Line> lines;
  std::vector<Column> columns;
};
template <class Archive>
void describe(Archive& a, LineBlock& b, bool has_columns) {
  const std::size_t from = a.position();
  a.u32("file", b.file, kOffset);
  a.u32("count", b.count);
  a.u32("bytes", b.bytes);
  a.records("lines", b.lines, b.count, 8);
  if (has_columns) a.records("columns", b.columns, b.count, 4);
  if (a.ok() && Archive::kReads && b.bytes != a.position() - from)
    a.fail_at(ErrorCode::bad_value, from + 8, "bytes", "not the size of the lines");
}
struct LinesHeader {
  std::uint32_t code_offset = 0;
  std::uint16_t segment = 0;
  std::uint16_t flags = 0;
  std::uint32_t code_bytes = 0;
};
template <class Archive>
void describe(Archive& a, LinesHeader& h) {
  a.u32("code_offset", h.code_offset, kOffset);
  a.u16("segment", h.segment);
  a.u16("flags", h.flags, kLinesFlags);
  a.u32("code_bytes", h.code_bytes);
}

/// DEBUG_S_FILECHKSMS: one file.
struct FileChecksum {
  std::uint32_t name = 0;  // offset in the string table
  std::uint8_t bytes = 0;
  std::uint8_t kind = 0;
  View checksum;
};
template <class Archive>
void describe(Archive& a, FileChecksum& f) {
  a.u32("name", f.name, kOffset);
  a.u8("checksum_bytes", f.bytes);
  a.u8("checksum_kind", f.kind, kChecksumKind);
  a.raw("checksum", f.checksum, f.bytes);
  a.align(4);
}

/// DEBUG_S_INLINEELINES: where a function that was inlined begins.
struct InlineeLine {
  std::uint32_t function = 0;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t extra_count = 0;
  View extra_files;
};
template <class Archive>
void describe(Archive& a, InlineeLine& l, bool has_extra_files) {
  a.u32("function", l.function, kHex);
  a.u32("file", l.file, kOffset);
  a.u32("line", l.line);
  if (!has_extra_files) return;
  a.u32("extra_file_count", l.extra_count);
  a.raw("extra_files", l.extra_files, std::size_t{l.extra_count} * 4, kU32List);
}

/// The symbols, line tables and global references of one module.
template <class Visitor>
struct Module {
  std::uint32_t symbol_bytes = 0;
  std::uint32_t old_line_bytes = 0;
  std::uint32_t line_bytes = 0;
  Visitor* visitor = nullptr;
};
template <class Archive, class Visitor>
void describe(Archive& a, Module<Visitor>& m) {
  a.expect32("signature", 4);  // CV_SIGNATURE_C13
  const std::size_t symbols_end = m.symbol_bytes;
  symbols(a, symbols_end, *m.visitor);
  View old;
  if (m.old_line_bytes != 0) a.raw("old_lines", old, m.old_line_bytes);
  const std::size_t lines_end = a.position() + m.line_bytes;
  for (std::uint32_t i = 0; left_until(a, lines_end) >= 8; ++i) {
    a.group("subsections", i, [&] {
      SubsectionKind kind{};
      std::uint32_t bytes = 0;
      const std::size_t from = a.position();
      a.enum32("kind", kind);
      a.u32("bytes", bytes);
      if (a.ok() && bytes > a.rest())
        return a.fail_at(ErrorCode::truncated, from + 4, "bytes", "the subsection reaches beyond the end of the stream");
      const std::size_t start = a.position();
      const std::size_t end = start + bytes;
      switch (kind) {
        case SubsectionKind::lines: {
          LinesHeader header;
          a.record("header", header);
          for (std::uint32_t k = 0; left_until(a, end) >= 12; ++k) {
            LineBlock block;
            a.group("files", k, [&] { describe(a, block, (header.flags & kHasColumns) != 0); });
            if (a.ok()) m.visitor->on_lines(header, block);
          }
          break;
        }
        case SubsectionKind::file_checksums:
          for (std::uint32_t k = 0; left_until(a, end) >= 6; ++k) {
            FileChecksum file;
            const auto offset = static_cast<std::uint32_t>(a.position() - start);
            a.group("files", k, [&] { describe(a, file); });
            if (a.ok()) m.visitor->on_file(offset, file);
          }
          break;
        case SubsectionKind::inlinee_lines: {
          std::uint32_t signature = 0;  // 1: with a list of further files
          a.u32("signature", signature);
          for (std::uint32_t k = 0; left_until(a, end) >= 12; ++k) {
            InlineeLine inlinee;
            a.group("functions", k, [&] { describe(a, inlinee, signature == 1); });
            if (a.ok()) m.visitor->on_inlinee(inlinee);
          }
          break;
        }
        case SubsectionKind::symbols: symbols(a, end, *m.visitor); break;
        default: break;
      }
      if (!a.ok()) return;
      if (a.position() > end) return a.fail_at(ErrorCode::overlap, from, "", "records reach beyond the end of the subsection");
      View rest;
      if (a.position() < end) a.raw("unknown", rest, end - a.position(), kUnknown);
      a.align(4);
    });
  }
  if (!Archive::kReads || !a.ok() || a.rest() < 4) return;
  std::uint32_t bytes = 0;
  View references;
  a.u32("global_reference_bytes", bytes);
  a.raw("global_references", references, bytes, kU32List);
}
struct NoModuleVisitor : NoVisitor {
  void on_lines(const LinesHeader&, const LineBlock&) {}
  void on_file(std::uint32_t, const FileChecksum&) {}
  void on_inlinee(const InlineeLine&) {}
};

// --- the streams around them -------------------------------------------------------------------------------------------------------

/// The information stream (1), which any program database has.
using Information = dxcontainer::PdbInformation;

/// The string table ("/names"), and the one of the same shape in the module stream's edit-and-continue data.
struct StringTable {
  std::uint32_t signature = 0;
  std::uint32_t hash_version = 0;
  std::uint32_t bytes = 0;
  View strings;
  std::uint32_t bucket_count = 0;
  View buckets;
  std::uint32_t count = 0;
};
template <class Archive>
void describe(Archive& a, StringTable& s) {
  a.expect32("signature", 0xeffeeffe);
  a.u32("hash_version", s.hash_version);
  a.u32("bytes", s.bytes);
  a.raw("strings", s.strings, s.bytes, kText);
  a.u32("bucket_count", s.bucket_count);
  a.raw("buckets", s.buckets, std::size_t{s.bucket_count} * 4, kU32List);
  a.u32("count", s.count);
}

/// One file of "/src/headerblock". Bytes: 40.
struct SourceHeader {
  std::uint32_t bytes = 0;
  std::uint32_t version = 0;
  std::uint32_t crc = 0;
  std::uint32_t source_bytes = 0;
  std::uint32_t file_name = 0;
  std::uint32_t object_name = 0;
  std::uint32_t stream_name = 0;
  std::uint8_t compression = 0;
  std::uint8_t flags = 0;
  std::uint16_t padding = 0;
  std::uint64_t reserved = 0;
};
template <class Archive>
void describe(Archive& a, SourceHeader& h) {
  a.u32("bytes", h.bytes);
  a.u32("version", h.version);
  a.u32("crc", h.crc, kHex);
  a.u32("source_bytes", h.source_bytes);
  a.u32("file_name", h.file_name, kOffset);
  a.u32("object_name", h.object_name, kOffset);
  a.u32("stream_name", h.stream_name, kOffset);
  a.u8("compression", h.compression);
  a.u8("flags", h.flags, kHex);
  a.u16("padding", h.padding);
  a.u64("reserved", h.reserved);
}
struct SourceHeaderEntry {
  std::uint32_t key = 0;
  SourceHeader header;
};
template <class Archive>
void describe(Archive& a, SourceHeaderEntry& e) {
  a.u32("key", e.key, kOffset);
  describe(a, e.header);
}
/// "/src/headerblock"
struct SourceHeaders {
  std::uint32_t version = 0;
  std::uint32_t bytes = 0;
  std::uint64_t file_time = 0;
  std::uint32_t age = 0;
  View reserved;
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  View present;
  View deleted;
  std::vector<SourceHeaderEntry> entries;
};
template <class Archive>
void describe(Archive& a, SourceHeaders& s) {
  a.u32("version", s.version);
  a.u32("bytes", s.bytes);
  a.u64("file_time", s.file_time, kHex);
  a.u32("age", s.age);
  a.raw("reserved", s.reserved, 44);
  a.u32("count", s.count);
  a.u32("capacity", s.capacity);
  hash_table_bits(a, "present_words", "present", s.present);
  hash_table_bits(a, "deleted_words", "deleted", s.deleted);
  a.records("entries", s.entries, s.count, 44);
}

/// A section's part in a module. Bytes: 28.
struct SectionContribution {
  std::uint16_t section = 0;
  std::uint16_t padding1 = 0;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t flags = 0;
  std::uint16_t module = 0;
  std::uint16_t padding2 = 0;
  std::uint32_t data_crc = 0;
  std::uint32_t relocation_crc = 0;
};
template <class Archive>
void describe(Archive& a, SectionContribution& c) {
  a.u16("section", c.section);
  a.u16("padding", c.padding1);
  a.u32("offset", c.offset, kOffset);
  a.u32("bytes", c.bytes);
  a.u32("flags", c.flags, kHex);
  a.u16("module", c.module);
  a.u16("padding", c.padding2);
  a.u32("data_crc", c.data_crc, kHex);
  a.u32("relocation_crc", c.relocation_crc, kHex);
}

/// A module as stream 3 lists it. Bytes: 64, two texts, padding to a multiple of 4.
struct ModuleInfo {
  std::uint32_t opened = 0;
  SectionContribution contribution;
  std::uint16_t flags = 0;
  std::uint16_t stream = 0;
  std::uint32_t symbol_bytes = 0;
  std::uint32_t old_line_bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint16_t file_count = 0;
  std::uint16_t padding = 0;
  std::uint32_t file_names = 0;
  std::uint32_t source_name = 0;
  std::uint32_t compiler_name = 0;
  std::string_view name;
  std::string_view object;
};
template <class Archive>
void describe(Archive& a, ModuleInfo& m) {
  a.u32("opened", m.opened, kHex);
  a.record("contribution", m.contribution);
  a.u16("flags", m.flags, kHex);
  a.u16("stream", m.stream);
  a.u32("symbol_bytes", m.symbol_bytes);
  a.u32("old_line_bytes", m.old_line_bytes);
  a.u32("line_bytes", m.line_bytes);
  a.u16("file_count", m.file_count);
  a.u16("padding", m.padding);
  a.u32("file_names", m.file_names, kOffset);
  a.u32("source_name", m.source_name, kOffset);
  a.u32("compiler_name", m.compiler_name, kOffset);
  a.string_here("name", m.name);
  a.string_here("object", m.object);
  a.align(4);
}

/// One segment of the section map. Bytes: 20.
struct SectionMapEntry {
  std::uint16_t flags = 0;
  std::uint16_t overlay = 0;
  std::uint16_t group = 0;
  std::uint16_t frame = 0;
  std::uint16_t section_name = 0;
  std::uint16_t class_name = 0;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};
template <class Archive>
void describe(Archive& a, SectionMapEntry& e) {
  a.u16("flags", e.flags, kHex);
  a.u16("overlay", e.overlay);
  a.u16("group", e.group);
  a.u16("frame", e.frame);
  a.u16("section_name", e.section_name);
  a.u16("class_name", e.class_name);
  a.u32("offset", e.offset, kOffset);
  a.u32("bytes", e.bytes);
}

/// Stream 3 ("DBI"): modules and where other streams are.
struct DebugInterface {
  std::uint32_t signature = 0;
  std::uint32_t version = 0;
  std::uint32_t age = 0;
  std::uint16_t global_stream = 0;
  std::uint16_t build = 0;
  std::uint16_t public_stream = 0;
  std::uint16_t library_version = 0;
  std::uint16_t symbol_stream = 0;
  std::uint16_t library_build = 0;
  std::uint32_t module_bytes = 0;
  std::uint32_t contribution_bytes = 0;
  std::uint32_t section_map_bytes = 0;
  std::uint32_t file_info_bytes = 0;
  std::uint32_t type_server_bytes = 0;
  std::uint32_t type_server_index = 0;
  std::uint32_t debug_header_bytes = 0;
  std::uint32_t edit_bytes = 0;
  std::uint16_t flags = 0;
  std::uint16_t machine = 0;
  std::uint32_t reserved = 0;
  std::vector<ModuleInfo> modules;
  View debug_header;  // u16 streams; the sixth holds the section headers
};
template <class Archive>
void describe(Archive& a, DebugInterface& d) {
  a.u32("signature", d.signature, kHex);
  a.u32("version", d.version);
  a.u32("age", d.age);
  a.u16("global_stream", d.global_stream);
  a.u16("build", d.build, kHex);
  a.u16("public_stream", d.public_stream);
  a.u16("library_version", d.library_version);
  a.u16("symbol_stream", d.symbol_stream);
  a.u16("library_build", d.library_build);
  a.u32("module_bytes", d.module_bytes);
  a.u32("contribution_bytes", d.contribution_bytes);
  a.u32("section_map_bytes", d.section_map_bytes);
  a.u32("file_info_bytes", d.file_info_bytes);
  a.u32("type_server_bytes", d.type_server_bytes);
  a.u32("type_server_index", d.type_server_index);
  a.u32("debug_header_bytes", d.debug_header_bytes);
  a.u32("edit_bytes", d.edit_bytes);
  a.u16("flags", d.flags, kHex);
  a.u16("machine", d.machine, kHex);
  a.u32("reserved", d.reserved);

  // A run of the stream that f reads; what it leaves is unknown.
  const auto run = [&a](const char* name, std::uint32_t bytes, auto&& f) {
    if (!a.ok() || bytes == 0) return;
    if (Archive::kReads && bytes > a.rest())
      return a.fail(ErrorCode::truncated, name, std::to_string(bytes) + " bytes needed, " + std::to_string(a.rest()) + " left");
    const std::size_t end = a.position() + bytes;
    f(end);
    if (!a.ok() || !Archive::kReads) return;
    if (a.position() > end) return a.fail(ErrorCode::overlap, name, "fields reach beyond the end of it");
    View rest;
    if (a.position() < end)
      a.raw(end - a.position() < 4 ? "padding" : "unknown", rest, end - a.position(), end - a.position() < 4 ? kPadding : kUnknown);
  };
  run("module_bytes", d.module_bytes, [&](std::size_t end) {
    while (left_until(a, end) >= 66)
      a.group("modules", static_cast<std::uint32_t>(d.modules.size()), [&] { describe(a, d.modules.emplace_back()); });
  });
  run("contribution_bytes", d.contribution_bytes, [&](std::size_t end) {
    std::uint32_t version = 0;
    a.u32("contribution_version", version, kHex);
    if (version != 0xf12eba2d) return;  // the first version: no other is written any more
    std::vector<SectionContribution> contributions;
    a.records("contributions", contributions, left_until(a, end) / 28, 28);
  });
  run("section_map_bytes", d.section_map_bytes, [&](std::size_t end) {
    std::uint16_t count = 0;
    std::uint16_t logical_count = 0;
    a.u16("section_count", count);
    a.u16("logical_section_count", logical_count);
    std::vector<SectionMapEntry> map;
    a.records("section_map", map, left_until(a, end) / 20, 20);
  });
  run("file_info_bytes", d.file_info_bytes, [&](std::size_t end) {
    std::uint16_t module_count = 0;
    std::uint16_t file_count = 0;
    View list;
    a.u16("module_count", module_count);
    a.u16("file_count", file_count);
    a.raw("module_indices", list, std::size_t{module_count} * 2, kU16List);
    a.raw("module_file_counts", list, std::size_t{module_count} * 2, kU16List);
    std::size_t names = 0;
    for (std::size_t i = 0; i < list.size() / 2; ++i) names += list.u16(i * 2).value_or(0);
    a.raw("file_name_offsets", list, names * 4, kU32List);
    a.raw("file_names", list, left_until(a, end), kText);
  });
  run("type_server_bytes", d.type_server_bytes, [&](std::size_t end) {
    View bytes;
    a.raw("type_servers", bytes, left_until(a, end));
  });
  run("edit_bytes", d.edit_bytes, [&](std::size_t) {
    StringTable table;
    a.record("edit_strings", table);
  });
  run("debug_header_bytes", d.debug_header_bytes,
      [&](std::size_t end) { a.raw("debug_streams", d.debug_header, left_until(a, end) / 2 * 2, kU16List); });
}

/// The hash of global or public symbols.
struct SymbolHash {
  std::uint32_t signature = 0;
  std::uint32_t version = 0;
  std::uint32_t record_bytes = 0;
  std::uint32_t bucket_bytes = 0;
  View records;
  View buckets;
};
template <class Archive>
void describe(Archive& a, SymbolHash& h) {
  a.expect32("signature", 0xffffffff);
  a.u32("version", h.version, kHex);
  a.u32("record_bytes", h.record_bytes);
  a.u32("bucket_bytes", h.bucket_bytes);
  a.raw("records", h.records, h.record_bytes, kU32List);
  a.raw("buckets", h.buckets, h.bucket_bytes, kU32List);
}

/// The stream of public symbols: a header of 28 bytes, the hash, the address map.
struct PublicSymbols {
  std::uint32_t hash_bytes = 0;
  std::uint32_t address_bytes = 0;
  std::uint32_t thunk_count = 0;
  std::uint32_t thunk_bytes = 0;
  std::uint16_t thunk_section = 0;
  std::uint16_t padding = 0;
  std::uint32_t thunk_table = 0;
  std::uint32_t section_count = 0;
  SymbolHash hash;
  View addresses;
};
template <class Archive>
void describe(Archive& a, PublicSymbols& p) {
  a.u32("hash_bytes", p.hash_bytes);
  a.u32("address_bytes", p.address_bytes);
  a.u32("thunk_count", p.thunk_count);
  a.u32("thunk_bytes", p.thunk_bytes);
  a.u16("thunk_section", p.thunk_section);
  a.u16("padding", p.padding);
  a.u32("thunk_table", p.thunk_table, kOffset);
  a.u32("section_count", p.section_count);
  a.record("hash", p.hash);
  a.raw("addresses", p.addresses, p.address_bytes, kU32List);
}

/// An image section header: fxc writes one that stands for the token program. Bytes: 40.
struct SectionHeader {
  View name;
  std::uint32_t virtual_bytes = 0;
  std::uint32_t virtual_address = 0;
  std::uint32_t raw_bytes = 0;
  std::uint32_t raw_offset = 0;
  std::uint32_t relocations = 0;
  std::uint32_t line_numbers = 0;
  std::uint16_t relocation_count = 0;
  std::uint16_t line_count = 0;
  std::uint32_t flags = 0;
};
template <class Archive>
void describe(Archive& a, SectionHeader& h) {
  a.raw("name", h.name, 8, kText);
  a.u32("virtual_bytes", h.virtual_bytes);
  a.u32("virtual_address", h.virtual_address, kHex);
  a.u32("raw_bytes", h.raw_bytes);
  a.u32("raw_offset", h.raw_offset, kOffset);
  a.u32("relocations", h.relocations, kOffset);
  a.u32("line_numbers", h.line_numbers, kOffset);
  a.u16("relocation_count", h.relocation_count);
  a.u16("line_count", h.line_count);
  a.u32("flags", h.flags, kHex);
}

/// The stream of symbols that the hashes point into.
struct SymbolStream {};
template <class Archive>
void describe(Archive& a, SymbolStream&) {
  NoVisitor none;
  symbols(a, a.position() + a.rest(), none);
}

/// A source text or other bytes as one field.
struct Whole {
  const char* name;
  const FieldType* type;
  View bytes;
};
template <class Archive>
void describe(Archive& a, Whole& w) {
  if (a.rest() != 0) a.raw(w.name, w.bytes, a.rest(), *w.type);
}

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

/// Reads one step at `at` and moves on; false at the end or where the bytes are cut off or mean nothing.
bool next_annotation(View bytes, std::size_t& at, AnnotationStep& step);
/// CodeView puts the sign into bit 0.
constexpr std::int32_t signed_annotation(std::uint32_t value) {
  const auto magnitude = static_cast<std::int32_t>(value >> 1);
  return (value & 1) != 0 ? -magnitude : magnitude;
}

}  // namespace unshade::dxbc::codeview
