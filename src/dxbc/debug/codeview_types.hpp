// Type leaves, and the streams of types and ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <unshade/core/view.hpp>

#include "dxbc/debug/codeview.hpp"

namespace unshade::dxbc::codeview {

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
template <class Archive>
void describe(Archive& a, Hlsl& t) {
  a.u32("subtype", t.subtype, kHex);
  a.u16("builtin", t.builtin, kHex);
  a.u16("bits", t.bits, kHlslTypeBits);
  for (std::uint32_t i = 0; i < kPropertyCount.get(t.bits); ++i) a.group("properties", i, [&] { numeric(a, "value", t.properties[i]); });
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
  counted(a, "count", t.count, "modifiers");
  u16_list(a, "modifiers", t.modifiers, t.count);
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
  counted(a, "count", t.count, "types");
  u32_list(a, "types", t.types, t.count);
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
  for (std::uint32_t i = 0; more(a, "members", i, left_until(a, end) != 0);) {
    if constexpr (!kMakesStream<Archive>) {
      const auto next = a.part().u8(a.position());
      if (!next) return;
      if (*next >= kLeafPadding) {
        a.padding(std::min<std::size_t>(std::max<std::size_t>(1, *next & 15U), left_until(a, end)));
        continue;
      }
    }
    bool known = true;
    const std::size_t from = a.position();
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
    if constexpr (kMakesStream<Archive>) {
      const std::string padding = leaf_padding(0, a.position() - from);
      a.put(View(std::as_bytes(std::span(padding))));
    }
  }
}

inline constexpr std::size_t kTypeHeaderBytes = 56;

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
/// The stream's sizes and what it says of its hashes follow from the records.
template <class Archive>
void describe(Archive& a, TypeHeader& h) {
  a.u32("version", h.version);
  a.u32("header_bytes", h.header_bytes);
  a.u32("first_index", h.first_index, kHex);
  a.u32("end_index", h.end_index, kDerivedHex);
  a.u32("record_bytes", h.record_bytes, kExtent);
  a.u16("hash_stream", h.hash_stream);
  a.u16("auxiliary_hash_stream", h.padding, kHex);
  a.u32("hash_key_bytes", h.hash_key_bytes);
  a.u32("bucket_count", h.bucket_count);
  a.u32("hash_values_offset", h.hash_values_offset, kDerivedOffset);
  a.u32("hash_values_bytes", h.hash_values_bytes, kExtent);
  a.u32("type_offsets_offset", h.type_offsets_offset, kDerivedOffset);
  a.u32("type_offsets_bytes", h.type_offsets_bytes, kExtent);
  a.u32("hash_adjust_offset", h.hash_adjust_offset, kDerivedOffset);
  a.u32("hash_adjust_bytes", h.hash_adjust_bytes, kExtent);
}

/// observed: the hash stream tells where the first record of each run of so many bytes begins.
inline constexpr std::size_t kTypeRun = 8192;

/// A whole type stream. The visitor is told the index of every record: on(index, record), and begin(index) before its fields.
template <class Visitor>
struct TypeStream {
  TypeHeader header;
  Visitor* visitor;
  // what describe() came to
  std::uint32_t count = 0;
  std::uint32_t record_bytes = 0;
  std::uint32_t runs = 0;  // of kTypeRun bytes
};
/// Puts what follows from the records into the header of their stream.
template <class Visitor>
void complete(TypeStream<Visitor>& s) {
  TypeHeader& h = s.header;
  h.end_index = h.first_index + s.count;
  h.record_bytes = s.record_bytes;
  h.hash_values_bytes = s.count * 4;
  h.type_offsets_offset = h.hash_values_bytes;
  h.type_offsets_bytes = s.runs * 8;
  h.hash_adjust_offset = h.type_offsets_offset + h.type_offsets_bytes;
}

template <class Archive, class Visitor>
void describe(Archive& a, TypeStream<Visitor>& s) {
  a.record("header", s.header);
  const std::size_t start = a.position();
  std::size_t last_run = ~std::size_t{0};
  s.count = s.runs = 0;
  if (a.ok() && Archive::kReads && s.header.record_bytes > a.rest())
    return a.fail_at(ErrorCode::truncated, 16, "header/record_bytes", "the records exceed the stream");
  const std::size_t end = a.position() + s.header.record_bytes;
  for (std::uint32_t index = s.header.first_index; more(a, "types", s.count, left_until(a, end) >= 4); ++index, ++s.count) {
    if (const std::size_t run = (a.position() - start) / kTypeRun; run != last_run) {
      last_run = run;
      ++s.runs;
    }
    framed<LeafKind>(a, "types", s.count, leaf_padding, [&](LeafKind kind, std::size_t record_end) {
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
          return u32_list(a, "methods", methods, left_until(a, record_end) / 4);
        }
        default: return;  // framed() keeps the bytes
      }
    });
  }
  s.record_bytes = static_cast<std::uint32_t>(a.position() - start);
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
  const TypeHeader* layout = nullptr;
  View values;
  View offsets;
  View adjust;
};
template <class Archive>
void describe(Archive& a, TypeHash& h) {
  const auto list = [&](const char* name, View& bytes, std::uint32_t size) {
    if (kMakesStream<Archive> || size != 0) u32_list(a, name, bytes, size / 4, true);
  };
  // observed: in this order, side by side from the start of the stream
  const TypeHeader sizes = h.layout != nullptr ? *h.layout : TypeHeader{};
  list("hash_values", h.values, sizes.hash_values_bytes);
  list("type_offsets", h.offsets, sizes.type_offsets_bytes);
  list("hash_adjust", h.adjust, sizes.hash_adjust_bytes);
}

}  // namespace unshade::dxbc::codeview
