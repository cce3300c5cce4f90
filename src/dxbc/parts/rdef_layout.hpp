// The one description of the resource definitions.
#pragma once

#include <unshade/core/archive/archive.hpp>
#include <unshade/dxbc/rdef.hpp>

namespace unshade::dxbc {

/// Facts of the header that the other records need.
struct RdefContext {
  RdefStrides strides;
  std::vector<Type>* types = nullptr;
  std::size_t* table_bytes = nullptr;  ///< what the tables of variables, members and interfaces may still take up: they do not overlap
};

/// Fails if a table does not fit into what the others left. Tables that share bytes would let a small part name any number of records.
template <class Archive>
void claim_table([[maybe_unused]] Archive& a, [[maybe_unused]] const char* name, [[maybe_unused]] std::size_t count,
                 [[maybe_unused]] std::size_t stride, [[maybe_unused]] std::size_t* left) {
  if constexpr (Archive::kReads) {
    if (stride != 0 && count > *left / stride) return a.fail(ErrorCode::overlap, name, "the tables exceed the part");
    *left -= count * stride;
  }
}

/// The strides that apply to a part: from its header if it states them, else those of shader model 4.
RdefStrides rdef_strides(View part);

/// u32 offset of a type record, 0 for none.
template <class Archive>
void describe_optional_type(Archive& a, const char* name, std::uint32_t& index, const RdefContext& context) {
  if constexpr (kIsValueArchive<Archive>) return a.optional_shared_at(name, index, *context.types, kNoType, context);
  bool absent = index == kNoType;
  if constexpr (Archive::kReads) absent = a.peek32().value_or(0) == 0;
  if (absent) {
    std::uint32_t zero = 0;
    a.u32(name, zero, kOffset);
    index = kNoType;
  } else {
    a.shared_at(name, index, *context.types, context);
  }
}

/// Bytes: 4. One interface that a class implements.
template <class Archive>
void describe(Archive& a, TypeReference& r, const RdefContext& context) {
  a.shared_at("type", r.type, *context.types, context);
}

/// Bytes: 12.
template <class Archive>
void describe(Archive& a, Member& m, const RdefContext& context) {
  a.string_at("name", m.name);
  a.shared_at("type", m.type, *context.types, context);
  a.u32("offset", m.offset);
}

/// Bytes: 16; 36 from 5.0 on.
template <class Archive>
void describe(Archive& a, Type& t, const RdefContext& context) {
  if constexpr (Archive::kReads) {
    if (a.position() % 4 != 0) a.fail(ErrorCode::bad_value, "class", "a type record must be aligned to 4 bytes");
  }
  a.enum16("class", t.variable_class);
  a.enum16("type", t.type);
  a.u16("rows", t.rows);
  a.u16("columns", t.columns);
  a.u16("elements", t.elements);
  auto member_count = static_cast<std::uint16_t>(t.members.size());
  a.u16("member_count", member_count, kCount);
  claim_table(a, "members", member_count, context.strides.member, context.table_bytes);
  a.records_at("members", t.members, member_count, context.strides.member, context);
  count_fits(a, "members", t.members, 16);
  if (!context.strides.has_class_info()) return;
  describe_optional_type(a, "subtype", t.subtype, context);
  describe_optional_type(a, "base_class", t.base_class, context);
  auto interface_count = static_cast<std::uint32_t>(t.interfaces.size());
  a.u32("interface_count", interface_count, kCount);
  claim_table(a, "interfaces", interface_count, 4, context.table_bytes);
  a.records_at("interfaces", t.interfaces, interface_count, 4, context);
  a.optional_string_at("name", t.name);
}

/// What documents call the list of shared types.
constexpr const char* pool_name(const Type&) { return "types"; }

/// The value that a variable is initialised with, for documents: numbers of its type.
template <class Archive>
void describe_default(Archive& a, Variable& v, const RdefContext& context) {
  Numbers how = Numbers::mixed;
  if (v.type < context.types->size()) {
    switch ((*context.types)[v.type].type) {
      case BaseType::float_:
      case BaseType::min8float:
      case BaseType::min10float:
      case BaseType::min16float: how = Numbers::real; break;
      case BaseType::bool_:
      case BaseType::uint_:
      case BaseType::min16uint: how = Numbers::uint; break;
      case BaseType::int_:
      case BaseType::min12int:
      case BaseType::min16int: how = Numbers::sint; break;
      default: break;
    }
  }
  View bytes = v.default_value.empty() ? View() : v.default_value[0].bytes;
  if constexpr (kReadsValues<Archive>) {
    v.default_value = {};
    v.default_value.offset = a.has("default_value") ? kUnplaced : 0;
    if (v.default_value.offset == 0) return;
    a.numbers("default_value", bytes, how);
    if (bytes.size() != v.size) return a.fail(ErrorCode::bad_value, "default_value", "the size of the value differs from the variable");
    v.default_value.items.push_back({bytes});
    a.u32("default_value@", v.default_value.offset, kOffset);
  } else if (!v.default_value.empty()) {
    a.numbers("default_value", bytes, how);
    a.u32("default_value@", v.default_value.offset, kOffset);
  }
}

/// Bytes: as many as the variable is large.
template <class Archive>
void describe(Archive& a, DefaultValue& d, const std::uint32_t& size) {
  a.raw("bytes", d.bytes, size);
}

/// u32 offset of the default value, 0 for none.
template <class Archive>
void describe_default_record(Archive& a, Variable& v) {
  std::size_t defaults = v.default_value.size();
  if constexpr (Archive::kReads) defaults = a.peek32().value_or(0) != 0 && v.size != 0 ? 1 : 0;
  if (!Archive::kReads && defaults == 0 && v.default_value.offset == kUnplaced) v.default_value.offset = 0;
  a.records_at("default_value", v.default_value, defaults, v.size, v.size);
}

/// Bytes: 24; 40 from 5.0 on.
template <class Archive>
void describe(Archive& a, Variable& v, const RdefContext& context) {
  a.string_at("name", v.name);
  a.u32("offset", v.offset);
  a.u32("size", v.size);
  a.u32("flags", v.flags, kVariableFlags);
  a.shared_at("type", v.type, *context.types, context);
  if constexpr (kIsValueArchive<Archive>) {
    describe_default(a, v, context);
  } else {
    describe_default_record(a, v);
  }
  if (!context.strides.has_variable_objects()) return;
  a.u32("start_texture", v.start_texture, kSigned);
  a.u32("texture_count", v.texture_count);
  a.u32("start_sampler", v.start_sampler, kSigned);
  a.u32("sampler_count", v.sampler_count);
}

/// Bytes: 24.
template <class Archive>
void describe(Archive& a, ConstantBuffer& b, const RdefContext& context) {
  a.optional_string_at("name", b.name);
  auto variable_count = static_cast<std::uint32_t>(b.variables.size());
  a.u32("variable_count", variable_count, kCount);
  claim_table(a, "variables", variable_count, context.strides.variable, context.table_bytes);
  a.records_at("variables", b.variables, variable_count, context.strides.variable, context);
  a.u32("size", b.size);
  a.u32("flags", b.flags, kBufferFlags);
  a.enum32("kind", b.kind);
}

/// Bytes: 32; 40 from 5.1 on.
template <class Archive>
void describe(Archive& a, Binding& b, const RdefContext& context) {
  a.string_at("name", b.name);
  a.enum32("kind", b.kind);
  a.enum32("return_type", b.return_type);
  a.enum32("dimension", b.dimension);
  a.u32("sample_count", b.sample_count, kSigned);
  a.u32("bind_point", b.bind_point);
  a.u32("bind_count", b.bind_count);
  a.u32("flags", b.flags, kBindingFlags);
  if (!context.strides.has_space()) return;
  a.u32("space", b.space);
  a.u32("id", b.id);
}

/// Records as long as a header says are written, also if only one of them is read: a header must not make a part large by itself.
template <class Archive>
void check_strides(Archive& a, const RdefStrides& s) {
  constexpr std::uint32_t kMost = 256;  // bytes; nothing is known of longer records
  if (s.header < 28 || s.header > kMost || s.constant_buffer < 24 || s.constant_buffer > kMost || s.binding < 32 || s.binding > kMost ||
      s.variable < 24 || s.variable > kMost || s.type < 16 || s.type > kMost || s.member < 12 || s.member > kMost)
    a.fail(ErrorCode::bad_value, "header", "unknown record stride");
}

/// The strides of a document: those of its magic, unless it states others.
template <class Archive>
void describe_strides(Archive& a, Rdef& r) {
  const RdefStrides standard = standard_strides(r.magic);
  if constexpr (kReadsValues<Archive>) r.strides = standard;
  a.optional_group("strides", r.strides != standard, [&] {
    a.u32("header", r.strides.header);
    a.u32("constant_buffer", r.strides.constant_buffer);
    a.u32("binding", r.strides.binding);
    a.u32("variable", r.strides.variable);
    a.u32("type", r.strides.type);
    a.u32("member", r.strides.member);
    check_strides(a, r.strides);
  });
}

/// Bytes: 28; 60 from 5.0 on.
template <class Archive>
void describe(Archive& a, Rdef& r) {
  std::size_t table_bytes = 0;
  if constexpr (Archive::kReads) {
    r.strides = rdef_strides(a.part());
    check_strides(a, r.strides);
    table_bytes = a.part().size();
  }
  if constexpr (kIsValueArchive<Archive>) {
    if (kReadsValues<Archive> || r.magic != 0) a.u32("magic", r.magic, kFourCC);  // none: the short header
    describe_strides(a, r);
  }
  const RdefContext context{r.strides, &r.types, &table_bytes};
  auto buffer_count = static_cast<std::uint32_t>(r.constant_buffers.size());
  auto binding_count = static_cast<std::uint32_t>(r.bindings.size());
  a.u32("constant_buffer_count", buffer_count, kCount);
  a.records_at("constant_buffers", r.constant_buffers, buffer_count, context.strides.constant_buffer, context);
  a.u32("binding_count", binding_count, kCount);
  a.records_at("bindings", r.bindings, binding_count, context.strides.binding, context);
  a.u8("minor_version", r.minor_version);
  a.u8("major_version", r.major_version);
  a.enum16("target", r.target);
  a.u32("flags", r.flags, kCompileFlags);
  a.string_at("creator", r.creator);
  if (context.strides.header < 60) return;
  if constexpr (kIsValueArchive<Archive>) return a.u32("interface_slots", r.interface_slots);
  a.u32("magic", r.magic, kHex);
  a.u32("header_bytes", r.strides.header);
  a.u32("constant_buffer_bytes", r.strides.constant_buffer);
  a.u32("binding_bytes", r.strides.binding);
  a.u32("variable_bytes", r.strides.variable);
  a.u32("type_bytes", r.strides.type);
  a.u32("member_bytes", r.strides.member);
  a.u32("interface_slots", r.interface_slots);
}

}  // namespace unshade::dxbc
