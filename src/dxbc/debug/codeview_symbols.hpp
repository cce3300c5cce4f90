// Symbols: procedures, variables and where they live, inlined calls.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>

#include "dxbc/debug/codeview.hpp"

namespace unshade::dxbc::codeview {

/// Bytes: 8.
struct CompilerVersion {
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::uint16_t build = 0;
  std::uint16_t revision = 0;
};
template <class Archive>
void describe(Archive& a, CompilerVersion& v) {
  a.u16("major", v.major);
  a.u16("minor", v.minor);
  a.u16("build", v.build);
  a.u16("revision", v.revision);
}

/// S_COMPILE3
struct Compile3 {
  std::uint32_t flags = 0;  // [7:0] language: 16 is HLSL
  std::uint16_t machine = 0;
  CompilerVersion frontend;
  CompilerVersion backend;
  std::string_view version;
};
template <class Archive>
void describe(Archive& a, Compile3& s) {
  a.u32("flags", s.flags, kHex);
  a.u16("machine", s.machine, kHex);
  a.record("frontend", s.frontend);
  a.record("backend", s.backend);
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
  for (std::uint32_t i = 0; more(a, "entries", i, left_until(a, end) > 1 && a.part().u8(a.position()) != 0); ++i) {
    std::string_view key;
    std::string_view value;
    a.group("entries", i, [&] {
      a.string_here("key", key);
      a.string_here("value", value);
    });
    if (key == "hlslEntry") s.entry_point = value;
    if (key == "hlslTarget") s.target = value;
    if (key == "hlslFlags") s.compile_flags = value;
    if (key == "hlslDefines") s.defines = value;
  }
  a.padding(kMakesStream<Archive> || left_until(a, end) != 0 ? 1 : 0);  // the empty key
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
  std::uint32_t code_offset = 0;  // of the first instruction after the declarations, bytes from the start of the token program
  std::uint16_t segment = 0;
  std::uint8_t flags = 0;
  std::string_view name;
};
template <class Archive>
void describe(Archive& a, Procedure& s) {
  a.u32("parent", s.parent, kDerivedOffset);
  a.u32("end", s.end, kDerivedOffset);
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
  if (Archive::kReads && a.ok() && left < registers)
    return a.fail(ErrorCode::truncated, "register_offsets", "the record ends before the offsets");
  const std::size_t gaps = left > registers ? (left - registers) / 4 * 4 : 0;
  if constexpr (kIsStreamArchive<Archive>) {
    if (more(a, "gaps", 0, gaps != 0)) u16_list(a, "gaps", s.gaps, gaps / 2);
  } else if (gaps != 0) {
    a.raw("gaps", s.gaps, gaps, kGaps, kNoIndex, static_cast<std::uint32_t>(gaps));
  }
  u32_list(a, "register_offsets", s.registers, registers / 4);
  if (kMakesStream<Archive> && s.registers.size() != registers)
    a.fail(ErrorCode::bad_value, "register_offsets", "the number of offsets differs from the number of dimensions");
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
  a.u32("parent", s.parent, kDerivedOffset);
  a.u32("end", s.end, kDerivedOffset);
  a.u32("function", s.function, kHex);
  if constexpr (kIsStreamArchive<Archive>) {
    a.spelled("annotations", s.annotations, annotation_bytes(a.part().clamped(a.position(), left_until(a, end))), kAnnotationSpelling);
  } else {
    const std::size_t left = left_until(a, end);
    a.raw("annotations", s.annotations, left, kAnnotations, kNoIndex, static_cast<std::uint32_t>(left));
  }
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
  a.u32("parent", s.parent, kDerivedOffset);
  a.u32("end", s.end, kDerivedOffset);
  a.u32("code_bytes", s.code_bytes);
  a.u32("code_offset", s.code_offset, kOffset);
  a.u16("segment", s.segment);
  a.string_here("name", s.name);
}

/// S_GDATA_HLSL, S_LDATA_HLSL: a global and the slot it is bound to; 0xffff if it has none of a kind.
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

/// Procedures and calls that are open, with the facts needed to write their ends.
struct Scopes {
  struct Open {
    std::size_t record = 0;
    std::size_t end_at = 0;  ///< of the field; 0 if the document states it
  };
  std::vector<Open> open;
};

/// One symbol record.
template <class Archive, class Visitor>
void symbol(Archive& a, std::uint32_t index, Visitor& visitor, Scopes& scopes) {
  const std::size_t from = a.position();
  framed<SymbolKind>(a, "symbols", index, symbol_padding, [&](SymbolKind kind, std::size_t end) {
    if constexpr (kMakesStream<Archive>) {
      if (is_scope_end(kind) && !scopes.open.empty()) {
        if (scopes.open.back().end_at != 0) set_size<std::uint32_t>(a, scopes.open.back().end_at, from);
        scopes.open.pop_back();
      }
    }
    const auto scope = [&](auto& record) {
      if constexpr (kMakesStream<Archive>) {
        record.parent = scopes.open.empty() ? 0 : static_cast<std::uint32_t>(scopes.open.back().record);
        scopes.open.push_back({from, a.has("end") ? 0 : a.position() + sizeof(record.parent)});
      }
    };
    const auto plain = [&](auto record) {
      if constexpr (requires { record.parent; }) scope(record);
      describe(a, record);
      if (a.ok()) visitor.on(record);
    };
    const auto bounded = [&](auto record) {
      if constexpr (requires { record.parent; }) scope(record);
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
  Scopes scopes;
  for (std::uint32_t i = 0; more(a, "symbols", i, left_until(a, end) >= 4); ++i) symbol(a, i, visitor, scopes);
}

}  // namespace unshade::dxbc::codeview
