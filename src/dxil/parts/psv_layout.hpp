// The one description of PSV0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <unshade/core/archive/stream_words.hpp>
#include <unshade/dxil/psv.hpp>

#include "dxil/parts/shared_fields.hpp"

namespace unshade::dxil {

/// A mask as registers and components: `0.xyz 2.w`. Context: its bytes.
extern const FieldType kComponentMaskType;

inline constexpr Bits kPsvColumnBits[] = {kPsvColumns, kPsvStartColumn, kPsvAllocated};
inline constexpr FieldType kPsvColumnType{FieldKind::bits, "columns", nullptr, kPsvColumnBits};
inline constexpr Bits kPsvStreamBits[] = {kPsvDynamicMask, kPsvStream};
inline constexpr FieldType kPsvStreamType{FieldKind::bits, "dynamic mask and stream", nullptr, kPsvStreamBits};

// Names of the members of an array.
inline constexpr const char* kNumThreads[] = {"num_threads_x", "num_threads_y", "num_threads_z"};

/// A flag of one byte.
template <class Archive>
void psv_flag(Archive& a, const char* name, std::uint8_t& flag, View& reserved, std::size_t size) {
  a.u8(name, flag);
  parts::opaque_bytes(a, "reserved", reserved, size);
}

/// Bytes: 16, a union by stage. src: DXC DxilPipelineStateValidation.h, VSInfo to ASInfo
template <class Archive>
void describe(Archive& a, PsvStageInfo& s, const ShaderKind& kind) {
  switch (kind) {
    case ShaderKind::vertex: psv_flag(a, "output_position_present", s.output_position_present, s.reserved, 15); break;
    case ShaderKind::hull:
      a.u32("input_control_point_count", s.input_control_point_count);
      a.u32("output_control_point_count", s.output_control_point_count);
      a.enum32("tessellator_domain", s.tessellator_domain);
      a.enum32("tessellator_output", s.tessellator_output, part_field_type(s.tessellator_output));
      break;
    case ShaderKind::domain:
      a.u32("input_control_point_count", s.input_control_point_count);
      psv_flag(a, "output_position_present", s.output_position_present, s.reserved_middle, 3);
      a.enum32("tessellator_domain", s.tessellator_domain);
      parts::opaque_bytes(a, "reserved", s.reserved, 4);
      break;
    case ShaderKind::geometry:
      a.enum32("input_primitive", s.input_primitive, part_field_type(s.input_primitive));
      a.enum32("output_topology", s.output_topology, part_field_type(s.output_topology));
      a.u32("output_stream_mask", s.output_stream_mask, kHex);
      psv_flag(a, "output_position_present", s.output_position_present, s.reserved, 3);
      break;
    case ShaderKind::pixel:
      a.u8("depth_output", s.depth_output);
      psv_flag(a, "sample_frequency", s.sample_frequency, s.reserved, 14);
      break;
    case ShaderKind::mesh:
      a.u32("group_shared_bytes", s.group_shared_bytes);
      a.u32("group_shared_bytes_dependent_on_view_id", s.group_shared_bytes_dependent_on_view_id);
      a.u32("payload_bytes", s.payload_bytes);
      a.u16("max_output_vertices", s.max_output_vertices);
      a.u16("max_output_primitives", s.max_output_primitives);
      break;
    case ShaderKind::amplification:
      a.u32("payload_bytes", s.payload_bytes);
      parts::opaque_bytes(a, "reserved", s.reserved, 12);
      break;
    default: parts::opaque_bytes(a, "reserved", s.reserved, 16); break;
  }
}

/// Bytes: 2, a union by stage, from version 1 on.
template <class Archive>
void psv_counts(Archive& a, PsvRuntimeInfo& i) {
  switch (i.kind) {
    case ShaderKind::geometry: a.u16("max_vertex_count", i.max_vertex_count); break;
    case ShaderKind::hull:
    case ShaderKind::domain: psv_flag(a, "patch_constant_vectors", i.patch_or_primitive_vectors, i.reserved, 1); break;
    case ShaderKind::mesh:
      a.u8("primitive_vectors", i.patch_or_primitive_vectors);
      a.enum8("mesh_topology", i.mesh_topology);
      break;
    default: parts::opaque_bytes(a, "reserved", i.reserved, 2); break;
  }
}

/// Bytes: `size`, after it. src: DXC DxilPipelineStateValidation.h, PSVRuntimeInfo0 to 4
template <class Archive>
void describe(Archive& a, PsvRuntimeInfo& i) {
  if constexpr (Archive::kReads) {
    // The stage follows the union that depends on it.
    if (const auto ahead = a.peek32(24); ahead && i.size >= kPsvInfoBytes[1]) i.kind = static_cast<ShaderKind>(*ahead & 0xff);
  }
  if constexpr (kIsValueArchive<Archive>) {
    if (i.version() >= 1) a.enum8("kind", i.kind);
  }
  a.record("stage", i.stage, i.kind);
  a.u32("min_wave_lanes", i.min_wave_lanes);
  a.u32("max_wave_lanes", i.max_wave_lanes);
  const unsigned version = i.version();
  if (version >= 1) {
    if constexpr (!kIsValueArchive<Archive>) a.enum8("kind", i.kind);
    a.u8("uses_view_id", i.uses_view_id);
    psv_counts(a, i);
    a.u8("input_element_count", i.input_element_count, kCount);
    a.u8("output_element_count", i.output_element_count, kCount);
    a.u8("patch_element_count", i.patch_element_count, kCount);
    a.u8("input_vectors", i.input_vectors);
    for (std::size_t stream = 0; stream < kStreamCount; ++stream) a.u8(kOutputVectors[stream], i.output_vectors[stream]);
  }
  if (version >= 2)
    for (std::size_t axis = 0; axis < 3; ++axis) a.u32(kNumThreads[axis], i.num_threads[axis]);
  if constexpr (kIsValueArchive<Archive>) {
    if (version >= 3) a.string_at("entry_name", i.entry_name);
  } else {
    if (version >= 3) a.u32("entry_name", i.entry_name.offset, kOffset);
  }
  if (version >= 4) a.u32("group_shared_memory_bytes", i.group_shared_memory_bytes);
  parts::extra(a, i.extra, i.size, kPsvInfoBytes[version]);
}

/// Bytes: 16; 24 from version 2 on. src: PSVResourceBindInfo0 and 1
template <class Archive>
void describe(Archive& a, PsvResource& r, const std::uint32_t& stride) {
  a.enum32("type", r.type);
  a.u32("space", r.space);
  a.u32("lower_bound", r.lower_bound);
  a.u32("upper_bound", r.upper_bound);
  const bool has_kind = stride >= kPsvResourceBytes[1];
  if (has_kind) {
    a.enum32("kind", r.kind);
    a.u32("flags", r.flags, kPsvResourceFlags);
  }
  parts::extra(a, r.extra, stride, kPsvResourceBytes[has_kind ? 1 : 0]);
}

/// Bytes: 16. src: PSVSignatureElement0
template <class Archive>
void describe(Archive& a, PsvSignatureElement& e, const parts::TextTable& texts, const std::uint32_t& stride) {
  parts::text_in(a, "semantic_name", e.semantic_name, texts);
  a.u32("semantic_indexes", e.semantic_indexes);
  a.u8("rows", e.rows);
  a.u8("start_row", e.start_row);
  a.u8("columns", e.column_bits, kPsvColumnType);
  a.enum8("semantic_kind", e.semantic_kind);
  a.enum8("component_type", e.component_type);
  a.enum8("interpolation", e.interpolation);
  a.u8("dynamic_mask_and_stream", e.stream_bits, kPsvStreamType);
  a.u8("reserved", e.reserved, kHex);
  parts::extra(a, e.extra, stride, kPsvElementBytes);
}

/// u32: bytes from one record to the next. Documents state it if it is not the usual one.
template <class Archive>
void psv_stride(Archive& a, const char* name, std::uint32_t& stride, std::uint32_t usual) {
  if constexpr (kIsValueArchive<Archive>) {
    if constexpr (kReadsValues<Archive>) {
      if (!a.has(name)) stride = usual;
    } else if (stride == usual) {
      return;
    }
    a.u32(name, stride);
    constexpr std::uint32_t kMost = 256;  // nothing is known of longer records
    if (stride < kPsvResourceBytes[0] || stride > kMost) a.fail(ErrorCode::bad_value, name, "unknown record stride");
  } else {
    a.u32(name, stride);
  }
}

/// A name for one of several things by their streams: that of the first has no number.
inline const char* psv_stream_name(const char* name, std::uint32_t index) {
  static constexpr const char* kNames[][kStreamCount] = {
      {"view_id_outputs", "view_id_outputs_1", "view_id_outputs_2", "view_id_outputs_3"},
      {"input_outputs", "input_outputs_1", "input_outputs_2", "input_outputs_3"},
  };
  for (const auto& names : kNames)
    if (index < kStreamCount && std::string_view(name) == names[0]) return names[index];
  return name;
}

/// Numbers of 32 bits, `size` bytes together if a document has them.
template <class Archive>
void psv_numbers(Archive& a, const char* name, View& bytes, std::size_t size) {
  static_assert(kIsValueArchive<Archive>);
  a.numbers(name, bytes, Numbers::hex);
  if constexpr (kReadsValues<Archive>) {
    if (!bytes.empty() && bytes.size() != size)
      a.fail(ErrorCode::bad_value, name, "expected " + std::to_string(size / 4) + " numbers, found " + std::to_string(bytes.size() / 4));
  }
}

template <class Archive>
void psv_mask(Archive& a, const char* name, ComponentMask& mask, std::uint8_t vectors, std::uint32_t index = kNoIndex) {
  const std::size_t size = ComponentMask::bytes_of(vectors);
  if (size == 0) return;
  if constexpr (kIsValueArchive<Archive>) return psv_numbers(a, psv_stream_name(name, index), mask.bytes, size);
  if (!Archive::kReads && mask.bytes.size() != size) return a.padding(size);
  a.raw(name, mask.bytes, size, kComponentMaskType, index, static_cast<std::uint32_t>(size));
}

template <class Archive>
void psv_table(Archive& a, const char* name, DependencyTable& table, std::uint8_t inputs, std::uint8_t outputs,
               std::uint32_t index = kNoIndex) {
  const std::size_t each = ComponentMask::bytes_of(outputs);
  const std::size_t size = each * 4 * inputs;
  if (size == 0) return;
  if constexpr (kIsValueArchive<Archive>) return psv_numbers(a, psv_stream_name(name, index), table.bytes, size);
  if (!Archive::kReads && table.bytes.size() != size) return a.padding(size);
  table.input_vectors = inputs;
  table.output_vectors = outputs;
  if constexpr (Archive::kRecords) {
    a.group(name, index, [&] {
      View row;
      for (std::uint32_t i = 0; i < std::uint32_t{4} * inputs && a.ok(); ++i)
        a.raw("input", row, each, kComponentMaskType, i, static_cast<std::uint32_t>(each));
    });
  } else {
    a.raw(name, table.bytes, size);
  }
}

template <class Archive>
void psv_elements(Archive& a, Psv& p, const parts::TextTable& texts) {
  const PsvRuntimeInfo& info = p.info;
  if constexpr (!kIsValueArchive<Archive>) {
    if (info.input_element_count == 0 && info.output_element_count == 0 && info.patch_element_count == 0) return;
  }
  psv_stride(a, "element_stride", p.element_stride, kPsvElementBytes);
  if (Archive::kReads && a.ok() && p.element_stride < kPsvElementBytes)
    return a.fail_at(ErrorCode::bad_value, a.position() - 4, "element_stride", "smaller than an element");
  a.records("inputs", p.inputs, info.input_element_count, p.element_stride, texts, p.element_stride);
  a.records("outputs", p.outputs, info.output_element_count, p.element_stride, texts, p.element_stride);
  a.records("patch_or_primitives", p.patch_or_primitives, info.patch_element_count, p.element_stride, texts, p.element_stride);
}

template <class Archive>
void psv_dependencies(Archive& a, Psv& p) {
  const PsvRuntimeInfo& info = p.info;
  const ShaderKind kind = info.kind;
  const std::uint32_t streams = kind == ShaderKind::geometry ? kStreamCount : 1;
  if (info.uses_view_id != 0) {
    for (std::uint32_t i = 0; i < streams; ++i) psv_mask(a, "view_id_outputs", p.view_id_outputs[i], info.output_vectors[i], i);
    if (kind == ShaderKind::hull || kind == ShaderKind::mesh)
      psv_mask(a, "view_id_patch_or_primitives", p.view_id_patch_or_primitives, info.patch_or_primitive_vectors);
  }
  if (kind != ShaderKind::mesh)
    for (std::uint32_t i = 0; i < streams; ++i)
      psv_table(a, "input_outputs", p.input_outputs[i], info.input_vectors, info.output_vectors[i], i);
  if (kind == ShaderKind::hull)
    psv_table(a, "input_patch_constants", p.input_patch_constants, info.input_vectors, info.patch_or_primitive_vectors);
  if (kind == ShaderKind::domain)
    psv_table(a, "patch_constant_outputs", p.patch_constant_outputs, info.patch_or_primitive_vectors, info.output_vectors[0]);
}

/// What follows the resources from version 1 on.
template <class Archive>
void psv_version_1(Archive& a, Psv& p) {
  auto texts_bytes = static_cast<std::uint32_t>(p.strings.size());
  a.u32("strings_bytes", texts_bytes, kCount);
  if (Archive::kReads && texts_bytes > a.rest()) {
    if (a.ok())
      a.fail_at(ErrorCode::truncated, a.position() - 4, "strings_bytes",
                std::to_string(texts_bytes) + " bytes needed, " + std::to_string(a.rest()) + " left");
    return;
  }
  const parts::TextTable texts{a.position(), texts_bytes};
  parts::text_table(a, "strings", p.strings, texts_bytes);
  if constexpr (Archive::kReads) {
    if (p.info.version() >= 3 && a.ok()) {
      const auto found = p.strings.c_string(p.info.entry_name.offset);
      if (!found) return a.fail_at(ErrorCode::out_of_range, 4 + kPsvInfoBytes[2], "entry_name", "no zero-terminated string at this offset");
      if (!found->empty()) a.at(texts.at + p.info.entry_name.offset, [&] { a.string_here("entry_name", p.info.entry_name.text); });
    }
  }
  auto index_count = static_cast<std::uint32_t>(p.semantic_indexes.size());
  a.u32("semantic_index_count", index_count, kCount);
  if constexpr (Archive::kReads) {
    View list;
    if (index_count != 0) u32_list(a, "semantic_indexes", list, index_count);
    p.semantic_indexes.resize(list.size() / 4);
    for (std::size_t i = 0; i < p.semantic_indexes.size(); ++i) p.semantic_indexes[i] = list_u32(list, i);
  } else if constexpr (kIsValueArchive<Archive>) {
    a.u32_list("semantic_indexes", p.semantic_indexes);
  } else {
    for (std::uint32_t& index : p.semantic_indexes) a.u32("semantic_indexes", index);
  }
  psv_elements(a, p, texts);
  psv_dependencies(a, p);
}

/// Source: DXC DxilPipelineStateValidation.h, DxilPipelineStateValidation::ReadOrWrite.
template <class Archive>
void describe(Archive& a, Psv& p) {
  a.u32("runtime_info_bytes", p.info.size);
  if (Archive::kReads && a.ok() && p.info.size < kPsvInfoBytes[0])
    return a.fail_at(ErrorCode::bad_value, 0, "runtime_info_bytes", "smaller than the runtime information of version 0");
  a.record("runtime_info", p.info);
  auto resource_count = static_cast<std::uint32_t>(p.resources.size());
  a.u32("resource_count", resource_count, kCount);
  if (resource_count != 0 || kReadsValues<Archive>) {
    psv_stride(a, "resource_stride", p.resource_stride, kPsvResourceBytes[p.info.version() >= 2 ? 1 : 0]);
    if (Archive::kReads && a.ok() && p.resource_stride < kPsvResourceBytes[0])
      return a.fail_at(ErrorCode::bad_value, a.position() - 4, "resource_stride", "smaller than a resource of version 0");
    a.records("resources", p.resources, resource_count, p.resource_stride, p.resource_stride);
  }
  if (p.info.version() >= 1) psv_version_1(a, p);
  parts::rest(a, "extra", p.extra, kUnknown);
}

}  // namespace unshade::dxil
