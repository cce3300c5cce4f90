// The description of SDBG, the debug part that fxc wrote before SPDB: a header of counts and offsets, tables of records, all offsets from
// the end of the header.
// src: RenderDoc's dxbc_sdbg.h, which worked it out. No file with this part has been seen here, so nothing of it is observed.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/core/archive/stream_words.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxbc::sdbg {

inline constexpr std::uint32_t kHeaderBytes = 84;

/// Bytes: 16. Offsets into the text database.
struct File {
  std::uint32_t name_offset = 0;
  std::uint32_t name_bytes = 0;
  std::uint32_t source_offset = 0;
  std::uint32_t source_bytes = 0;
};
template <class Archive>
void describe(Archive& a, File& f) {
  a.u32("name_offset", f.name_offset, kOffset);
  a.u32("name_bytes", f.name_bytes);
  a.u32("source_offset", f.source_offset, kOffset);
  a.u32("source_bytes", f.source_bytes);
}

/// One instruction of the token program that is no declaration. Bytes: 396.
struct Instruction {
  std::uint32_t number = 0;
  std::uint32_t opcode = 0;
  View before_register;
  std::int32_t destination_register = 0;
  View behind_register;
  View mask;        // four i32: the component, or -1 if it is not written
  View components;  // four records of 36 bytes: variable, bounds
  View behind_components;
  std::uint32_t symbol = 0;
  std::uint32_t call_depth = 0;
  std::uint32_t scope_count = 0;
  std::uint32_t scope_offset = 0;
  std::uint32_t type_count = 0;
  std::uint32_t type_offset = 0;
};
template <class Archive>
void describe(Archive& a, Instruction& i) {
  a.u32("number", i.number);
  a.u32("opcode", i.opcode);
  a.raw("unknown", i.before_register, 8, kUnknown);
  a.i32("destination_register", i.destination_register);
  a.raw("unknown", i.behind_register, 4, kUnknown);
  a.raw("mask", i.mask, 16, kU32List);
  a.raw("components", i.components, 144, kU32List);
  a.raw("unknown", i.behind_components, 188, kUnknown);
  a.u32("symbol", i.symbol);
  a.u32("call_depth", i.call_depth);
  a.u32("scope_count", i.scope_count);
  a.u32("scope_offset", i.scope_offset, kOffset);
  a.u32("type_count", i.type_count);
  a.u32("type_offset", i.type_offset, kOffset);
}

/// Bytes: 24.
struct Variable {
  std::uint32_t symbol = 0;
  std::uint32_t type = 0;
  View unknown;
  std::int32_t type_record = 0;
  std::uint32_t component = 0;  // or the bits of a constant
};
template <class Archive>
void describe(Archive& a, Variable& v) {
  a.u32("symbol", v.symbol);
  a.u32("type", v.type);
  a.raw("unknown", v.unknown, 8, kUnknown);
  a.i32("type_record", v.type_record);
  a.u32("component", v.component);
}

/// Bytes: 24.
struct Input {
  std::uint32_t variable = 0;
  std::uint32_t kind = 0;  // 0 input signature, 2 constant buffer, 6 texture, 7 sampler
  std::int32_t buffer_register = 0;
  std::uint32_t offset = 0;
  std::uint32_t component = 0;
  std::int32_t initial_value = 0;
};
template <class Archive>
void describe(Archive& a, Input& i) {
  a.u32("variable", i.variable);
  a.u32("kind", i.kind);
  a.i32("buffer_register", i.buffer_register);
  a.u32("offset", i.offset);
  a.u32("component", i.component);
  a.i32("initial_value", i.initial_value);
}

/// A place in a source file. Bytes: 20.
struct Symbol {
  std::int32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  std::uint32_t name_bytes = 0;
  std::uint32_t name_offset = 0;
};
template <class Archive>
void describe(Archive& a, Symbol& s) {
  a.i32("file", s.file);
  a.u32("line", s.line);
  a.u32("character", s.character);
  a.u32("name_bytes", s.name_bytes);
  a.u32("name_offset", s.name_offset, kOffset);
}

/// Bytes: 20.
struct Scope {
  std::uint32_t kind = 0;  // 0 globals, 1 locals, 3 structure, 4 function
  std::uint32_t name_offset = 0;
  std::uint32_t name_bytes = 0;
  std::uint32_t tree_count = 0;
  std::uint32_t tree_offset = 0;
};
template <class Archive>
void describe(Archive& a, Scope& s) {
  a.u32("kind", s.kind);
  a.u32("name_offset", s.name_offset, kOffset);
  a.u32("name_bytes", s.name_bytes);
  a.u32("tree_count", s.tree_count);
  a.u32("tree_offset", s.tree_offset, kOffset);
}

/// Bytes: 44.
struct Type {
  std::uint32_t symbol = 0;
  std::uint32_t is_function = 0;
  std::uint32_t kind = 0;  // 0 scalar, 1 vector, 3 matrix, 4 texture or sampler
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::int32_t scope = 0;
  std::uint32_t array_dimensions = 0;
  std::uint32_t lengths_offset = 0;  // into the integer database
  std::uint32_t strides_offset = 0;
  std::uint32_t components = 0;
  std::int32_t variable = 0;
};
template <class Archive>
void describe(Archive& a, Type& t) {
  a.u32("symbol", t.symbol);
  a.u32("is_function", t.is_function);
  a.u32("kind", t.kind);
  a.u32("rows", t.rows);
  a.u32("columns", t.columns);
  a.i32("scope", t.scope);
  a.u32("array_dimensions", t.array_dimensions);
  a.u32("lengths_offset", t.lengths_offset, kOffset);
  a.u32("strides_offset", t.strides_offset, kOffset);
  a.u32("components", t.components);
  a.i32("variable", t.variable);
}

/// A table: u32 count, u32 offset from the end of the header.
template <class T>
struct Records {
  std::uint32_t count = 0;
  std::uint32_t offset = 0;
  std::vector<T> items;
};

struct Part {
  std::uint32_t header_bytes = kHeaderBytes;
  std::uint32_t compiler_offset = 0;
  std::uint32_t entry_offset = 0;
  std::uint32_t profile_offset = 0;
  std::uint32_t flags = 0;
  Records<File> files;
  Records<Instruction> instructions;
  Records<Variable> variables;
  Records<Input> inputs;
  Records<Symbol> symbols;
  Records<Scope> scopes;
  Records<Type> types;
  std::uint32_t integers_offset = 0;
  std::uint32_t texts_offset = 0;
  View integers;
  View texts;
};
template <class Archive>
void describe(Archive& a, Part& p) {
  a.expect32("header_bytes", kHeaderBytes, kHex, ErrorCode::unsupported);
  a.u32("compiler_offset", p.compiler_offset, kOffset);
  a.u32("entry_offset", p.entry_offset, kOffset);
  a.u32("profile_offset", p.profile_offset, kOffset);
  a.u32("flags", p.flags, kHex);
  const auto counted = [&a](const char* count, const char* offset, auto& records) {
    a.u32(count, records.count);
    a.u32(offset, records.offset, kOffset);
  };
  counted("file_count", "file_offset", p.files);
  counted("instruction_count", "instruction_offset", p.instructions);
  counted("variable_count", "variable_offset", p.variables);
  counted("input_count", "input_offset", p.inputs);
  counted("symbol_count", "symbol_offset", p.symbols);
  counted("scope_count", "scope_offset", p.scopes);
  counted("type_count", "type_offset", p.types);
  a.u32("integers_offset", p.integers_offset, kOffset);
  a.u32("texts_offset", p.texts_offset, kOffset);

  const auto table = [&a](const char* name, auto& records, std::size_t stride) {
    if (records.count == 0) return;
    a.at(std::size_t{kHeaderBytes} + records.offset, [&] { a.records(name, records.items, records.count, stride); });
  };
  table("files", p.files, 16);
  table("instructions", p.instructions, 396);
  table("variables", p.variables, 24);
  table("inputs", p.inputs, 24);
  table("symbols", p.symbols, 20);
  table("scopes", p.scopes, 20);
  table("types", p.types, 44);
  if (p.texts_offset > p.integers_offset)
    a.at(std::size_t{kHeaderBytes} + p.integers_offset,
         [&] { a.raw("integers", p.integers, (p.texts_offset - p.integers_offset) / 4 * 4, kU32List); });
  a.at(std::size_t{kHeaderBytes} + p.texts_offset, [&] { a.raw("texts", p.texts, a.rest(), kText); });
}

}  // namespace unshade::dxbc::sdbg
