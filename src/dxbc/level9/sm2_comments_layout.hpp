// The one description of the comments a Direct3D 9 compiler leaves in its token streams: DBUG (lines, variables) and CTAB (constants).
// Offsets count from after the FourCC.
#pragma once

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/reader.hpp>
#include <unshade/dxbc/sm2.hpp>

namespace unshade::dxbc::sm2 {

inline constexpr std::size_t kFourCCBytes = 4;
inline constexpr std::size_t kSourceFileBytes = 4;
inline constexpr std::size_t kLineEntryBytes = 8;
inline constexpr std::size_t kVariableBytes = 20;
inline constexpr std::size_t kVariableWriteBytes = 12;
inline constexpr std::size_t kStructMemberBytes = 8;
inline constexpr std::size_t kConstantBytes = 20;

inline constexpr std::uint32_t kTypeBytes = 16;
inline constexpr std::uint32_t kDebugInfoBytes = 40;
inline constexpr std::uint32_t kConstantTableBytes = 28;

/// Where a document lists the types.
constexpr const char* pool_name(const Type&) { return "types"; }

/// The types of a comment, as a description passes them on: records refer to each other's.
struct TypePool {
  std::vector<Type>* types;
};

/// Bytes: 8. src: d3dx9shader.h, D3DXSHADER_STRUCTMEMBERINFO
template <class Archive>
void describe(Archive& a, StructMember& m, const TypePool& pool) {
  a.string_at("name", m.name);
  a.shared_at("type", m.type, *pool.types, pool);
}

/// Bytes: 16. src: d3dx9shader.h, D3DXSHADER_TYPEINFO
template <class Archive>
void describe(Archive& a, Type& t, const TypePool& pool) {
  a.enum16("class", t.type_class);
  a.enum16("base", t.base);
  a.u16("rows", t.rows);
  a.u16("columns", t.columns);
  a.u16("elements", t.elements);
  if constexpr (!Archive::kReads) t.member_count = static_cast<std::uint16_t>(t.members.size());
  a.u16("member_count", t.member_count, kCount);
  a.records_at("members", t.members, t.member_count, kStructMemberBytes, pool);
  count_fits(a, "members", t.members, 16);
}

/// Bytes: 4. src: d3dx9shader.h, D3DXSHADER_FILEINFO
template <class Archive>
void describe(Archive& a, SourceFile& f) {
  a.string_at("name", f.name);
}

/// Bytes: 8. src: d3dx9shader.h, D3DXSHADER_INSTRUCTIONINFO
template <class Archive>
void describe(Archive& a, LineEntry& l) {
  a.u16("line", l.line);
  a.u16("file", l.file);
  a.u32("offset", l.offset, kHex);
}

/// Bytes: 12. src: d3dx9shader.h, D3DXSHADER_WRITEINFO
template <class Archive>
void describe(Archive& a, VariableWrite& w) {
  a.u32("instruction", w.instruction);
  a.u16("x", w.components[0]);
  a.u16("y", w.components[1]);
  a.u16("z", w.components[2]);
  a.u16("w", w.components[3]);
}

/// Bytes: 20. src: d3dx9shader.h, D3DXSHADER_VARIABLEINFO
template <class Archive>
void describe(Archive& a, Variable& v, const TypePool& pool) {
  a.optional_string_at("scope", v.scope);
  a.string_at("name", v.name);
  a.shared_at("type", v.type, *pool.types, pool);
  a.table("writes", v.writes, kVariableWriteBytes);
}

/// Bytes: 40. src: d3dx9shader.h, D3DXSHADER_DEBUGINFO
template <class Archive>
void describe(Archive& a, DebugInfo& d) {
  const TypePool pool{&d.types};
  a.u32("size", d.size, kExtent);
  a.optional_string_at("creator", d.creator);
  a.optional_string_at("source", d.source);
  a.table("files", d.files, kSourceFileBytes);
  a.table("lines", d.lines, kLineEntryBytes);
  a.table("variables", d.variables, kVariableBytes, pool);
  a.optional_string_at("entry_point", d.entry_point);
}

/// Bytes: 20. src: d3dx9shader.h, D3DXSHADER_CONSTANTINFO
template <class Archive>
void describe(Archive& a, Constant& c, const TypePool& pool) {
  a.string_at("name", c.name);
  a.enum16("set", c.set);
  a.u16("register_index", c.register_index);
  a.u16("register_count", c.register_count);
  a.u16("reserved", c.reserved);
  a.shared_at("type", c.type, *pool.types, pool);
  if constexpr (kIsValueArchive<Archive>) {
    if constexpr (kReadsValues<Archive>) c.default_offset = a.has("default_value") ? kUnplaced : 0;
    if (c.default_offset == 0) return;
    a.numbers("default_value", c.default_value, c.set == RegisterSet::real ? Numbers::real : Numbers::sint);
    a.place("default_value", c.default_offset);
    if (kReadsValues<Archive> && a.ok() && c.default_value.size() != c.default_bytes())
      a.fail(ErrorCode::bad_value, "default_value", "the size of the value differs from its registers");
  } else {
    a.u32("default", c.default_offset, kOffset);
    if (c.default_offset != 0) a.at(c.default_offset, [&] { a.raw("default_value", c.default_value, c.default_bytes()); }, "default");
  }
}

/// Bytes: 28. src: d3dx9shader.h, D3DXSHADER_CONSTANTTABLE
template <class Archive>
void describe(Archive& a, ConstantTable& t) {
  const TypePool pool{&t.types};
  a.u32("size", t.size, kExtent);
  a.optional_string_at("creator", t.creator);
  a.u32("version", t.version, kHex);
  a.table("constants", t.constants, kConstantBytes, pool);
  a.u32("flags", t.flags, kHex);
  a.optional_string_at("target", t.target);
}

}  // namespace unshade::dxbc::sm2
