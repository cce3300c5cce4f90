// The records of RDAT, and the buffers that they refer to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/archive/stream_words.hpp>
#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxil/rdat.hpp>

#include "dxil/parts/program_header_layout.hpp"
#include "dxil/parts/shared_fields.hpp"

namespace unshade::dxil {

/// Bit i names ShaderKind i.
extern const FieldType kStageSet;
/// Numbers of an index array. Context: its bytes, its count among them.
extern const FieldType kIndexArray;
/// A reference to an index array or a record.
extern const FieldType kReference;

inline constexpr std::uint32_t kRdatVersion = 0x10;
inline constexpr std::uint32_t kRdatPieceHeaderBytes = 8;
inline constexpr std::uint32_t kRdatTableHeaderBytes = 8;

inline constexpr NamedValue kRdatResourceFlagValues[] = {{0x1, "globally_coherent"}, {0x2, "counter"},     {0x4, "rasterizer_ordered"},
                                                         {0x8, "dynamic_indexing"},  {0x10, "atomics_64"}, {0x20, "reorder_coherent"}};
inline constexpr NameTable kRdatResourceFlagNames{kRdatResourceFlagValues};
inline constexpr FieldType kRdatResourceFlags{FieldKind::flags, "RDAT resource flags", &kRdatResourceFlagNames};

inline constexpr NamedValue kRdatShaderFlagValues[] = {{0x1, "node_program_entry"},
                                                       {0x2, "output_position_present"},
                                                       {0x4, "depth_output"},
                                                       {0x8, "sample_frequency"},
                                                       {0x10, "uses_view_id"}};
inline constexpr NameTable kRdatShaderFlagNames{kRdatShaderFlagValues};
inline constexpr FieldType kRdatShaderFlags{FieldKind::flags, "RDAT shader flags", &kRdatShaderFlagNames};

// src: DXC DxilConstants.h, NodeIOFlags and NodeIOKind, which is made of them
inline constexpr NamedValue kNodeIoKindValues[] = {{0x00, "invalid"},
                                                   {0x06, "node_output"},
                                                   {0x09, "empty_input"},
                                                   {0x0a, "empty_output"},
                                                   {0x16, "node_output_array"},
                                                   {0x1a, "empty_output_array"},
                                                   {0x21, "thread_node_input_record"},
                                                   {0x25, "rw_thread_node_input_record"},
                                                   {0x26, "thread_node_output_records"},
                                                   {0x41, "group_node_input_records"},
                                                   {0x45, "rw_group_node_input_records"},
                                                   {0x46, "group_node_output_records"},
                                                   {0x61, "dispatch_node_input_record"},
                                                   {0x65, "rw_dispatch_node_input_record"}};
inline constexpr NameTable kNodeIoKindNames{kNodeIoKindValues};
inline constexpr Bits kNodeIoBits[] = {{"kind", 0, 7, &kNodeIoKindNames},
                                       {"reserved", 7, 1},
                                       {"track_rw_input_sharing", 8, 1},
                                       {"globally_coherent", 9, 1},
                                       {"reserved", 10, 22}};
inline constexpr FieldType kNodeIoFlags{FieldKind::bits, "node input or output flags", nullptr, kNodeIoBits};

inline constexpr FieldType kDispatchGrid{FieldKind::bits, "dispatch grid", nullptr, kDispatchGridBits};

inline constexpr Bits kRdatColumnBits[] = {kRdatColumns, kRdatStartColumn, kRdatStream};
inline constexpr FieldType kRdatColumnType{FieldKind::bits, "columns and stream", nullptr, kRdatColumnBits};
inline constexpr Bits kRdatMaskBits[] = {kRdatUsageMask, kRdatDynamicMask};
inline constexpr FieldType kRdatMaskType{FieldKind::bits, "usage and dynamic masks", nullptr, kRdatMaskBits};

template <class Archive>
void describe(Archive& a, RdatBytes& b) {
  a.u32("offset", b.offset, kOffset);
  a.u32("size", b.size);
}

/// Index arrays and bytes of records while they are a document, where they are inline.
struct RdatHeap {
  explicit RdatHeap(const Rdat* model = nullptr, std::uint64_t most_bytes = 0) : from(model), most(most_bytes) {}

  // Of a model that becomes a document. Shared arrays are repeated for each record, at most `most` bytes of them.
  const Rdat* from;
  std::uint64_t most;
  bool failed = false;  ///< a reference leads nowhere, or to too much

  // Of a document that becomes a model: the buffers that it states, then the inline data.
  std::vector<std::byte> strings;
  std::vector<std::byte> arrays;
  std::vector<std::byte> bytes;
  bool stated = false;  ///< things are where the document says

  bool take(std::uint64_t size) {
    failed = failed || size > most;
    if (!failed) most -= size;
    return !failed;
  }
  /// Their places after what is there already.
  std::uint32_t add_array(std::span<const std::uint32_t> numbers);
  std::uint32_t add_text(std::string_view text);
  std::uint32_t add_bytes(View view);
};

/// What records refer to.
struct RdatBuffers {
  // not explicit: records that have texts alone need no more
  RdatBuffers(const parts::TextTable& table = {}, RdatHeap* inline_things = nullptr) : texts(table), heap(inline_things) {}  // NOLINT

  parts::TextTable texts;
  RdatHeap* heap;  ///< of a document, otherwise null
};

enum class IndexesOf : unsigned char { numbers, texts };

/// u32: a reference to an index array. A document has the numbers, or the texts at these.
template <class Archive>
void index_array(Archive& a, const char* name, std::uint32_t& array, const RdatBuffers& in, IndexesOf what = IndexesOf::numbers) {
  if constexpr (!kIsValueArchive<Archive>) {
    a.u32(name, array, kReference);
  } else {
    RdatHeap& heap = *in.heap;
    std::vector<std::uint32_t> numbers;
    std::vector<std::string> texts;
    if constexpr (kReadsValues<Archive>) {
      array = kNullReference;
      if (!a.has(name)) return;
      what == IndexesOf::texts ? a.text_list(name, texts) : a.u32_list(name, numbers);
      a.place(name, array);
      if (!heap.stated) array = kNullReference;
      for (const std::string& text : texts) {
        if (text.find('\0') != std::string::npos) a.fail(ErrorCode::bad_value, name, "the text must not contain zeros");
        if (array == kNullReference) numbers.push_back(heap.add_text(text));
      }
      if (array == kNullReference) array = heap.add_array(numbers);
    } else {
      if (array == kNullReference) return;
      const RdatIndexes indexes = heap.from->indexes(array);
      if (indexes.empty() && heap.from->index_arrays.u32(std::size_t{4} * array).value_or(1) != 0) heap.failed = true;
      if (!heap.take(indexes.words.size())) return;
      for (std::size_t i = 0; i < indexes.size(); ++i) {
        if (what == IndexesOf::numbers) {
          numbers.push_back(indexes[i]);
          continue;
        }
        const auto text = heap.from->strings.c_string(indexes[i]);
        if (!text || !heap.take(text->size())) return static_cast<void>(heap.failed = true);
        texts.emplace_back(*text);
      }
      what == IndexesOf::texts ? a.text_list(name, texts, true) : a.u32_list(name, numbers, true);
      a.place(name, array);
    }
  }
}

/// u32 offset, u32 size. A document has the bytes themselves.
template <class Archive>
void bytes_in(Archive& a, const char* name, RdatBytes& reference, const RdatBuffers& in) {
  if constexpr (!kIsValueArchive<Archive>) {
    a.record(name, reference);
  } else {
    View bytes;
    if constexpr (kReadsValues<Archive>) {
      reference = {};
      if (!a.has(name)) return;
      a.raw(name, bytes, 0);
      reference.size = static_cast<std::uint32_t>(bytes.size());
      reference.offset = kUnplaced;
      a.place(name, reference.offset);
      if (reference.offset == kUnplaced || !in.heap->stated) reference.offset = in.heap->add_bytes(bytes);
    } else {
      if (reference.size == 0 && reference.offset == 0) return;
      bytes = in.heap->from->bytes(reference);
      if (bytes.size() != reference.size || bytes.empty()) in.heap->failed = true;
      if (!in.heap->take(bytes.size())) return;
      a.raw(name, bytes, bytes.size());
      a.place(name, reference.offset);
    }
  }
}

/// u32: number of a record in its table. A document leaves out the reference to nothing.
template <class Archive>
void record_number(Archive& a, const char* name, std::uint32_t& number) {
  if constexpr (kReadsValues<Archive>) {
    number = kNullReference;
  } else if constexpr (kIsValueArchive<Archive>) {
    if (number == kNullReference) return;
  }
  if constexpr (kIsValueArchive<Archive>) {
    a.u32(name, number);
  } else {
    a.u32(name, number, kReference);
  }
}

// src of the records: DXC RDAT_LibraryTypes.inl, RDAT_SubobjectTypes.inl, RDAT_PdbInfoTypes.inl. `in` is what they refer to; `stride`
// the bytes of a record.

/// Bytes: 32.
template <class Archive>
void describe(Archive& a, RdatResource& r, const RdatBuffers& in, const std::uint32_t& stride) {
  a.enum32("class", r.resource_class);
  a.enum32("kind", r.kind);
  a.u32("id", r.id);
  a.u32("space", r.space);
  a.u32("lower_bound", r.lower_bound);
  a.u32("upper_bound", r.upper_bound);
  parts::text_in(a, "name", r.name, in.texts);
  a.u32("flags", r.flags, kRdatResourceFlags);
  parts::extra(a, r.extra, stride, 32);
}

inline constexpr std::uint32_t kRdatFunctionBytes[] = {44, 52};

/// Bytes: 44; 52 from validator version 1.8 on.
template <class Archive>
void describe(Archive& a, RdatFunction& f, const RdatBuffers& in, const std::uint32_t& stride) {
  parts::text_in(a, "name", f.name, in.texts);
  parts::text_in(a, "unmangled_name", f.unmangled_name, in.texts);
  index_array(a, "resources", f.resources_array, in);
  index_array(a, "dependencies", f.dependencies_array, in, IndexesOf::texts);
  a.enum32("kind", f.kind);
  a.u32("payload_bytes", f.payload_bytes);
  a.u32("attribute_bytes", f.attribute_bytes);
  a.u64("features", f.features, dxcontainer::kFeatureFlags);
  a.u32("stages", f.stages, kStageSet);
  a.u32("min_shader_target", f.min_shader_target, kProgramVersionType);
  const bool is_newer = stride >= kRdatFunctionBytes[1];
  if (is_newer) {
    a.u8("min_wave_lanes", f.min_wave_lanes);
    a.u8("max_wave_lanes", f.max_wave_lanes);
    a.u16("shader_flags", f.shader_flags, kRdatShaderFlags);
    record_number(a, "shader_record", f.shader_record);
  }
  parts::extra(a, f.extra, stride, kRdatFunctionBytes[is_newer ? 1 : 0]);
}

/// Bytes: 24, of which 16 are a union by kind.
template <class Archive>
void describe(Archive& a, RdatSubobject& s, const RdatBuffers& in, const std::uint32_t& stride) {
  constexpr std::uint32_t kBytes = 24;
  std::uint32_t used = 8;
  a.enum32("kind", s.kind);
  parts::text_in(a, "name", s.name, in.texts);
  switch (s.kind) {
    case SubobjectKind::state_object_config:
      a.u32("flags", s.flags, kStateObjectFlags);
      used += 4;
      break;
    case SubobjectKind::global_root_signature:
    case SubobjectKind::local_root_signature:
      bytes_in(a, "root_signature", s.root_signature, in);
      used += 8;
      break;
    case SubobjectKind::subobject_to_exports_association:
      parts::text_in(a, "subobject", s.subobject, in.texts);
      index_array(a, "exports", s.exports_array, in, IndexesOf::texts);
      used += 8;
      break;
    case SubobjectKind::raytracing_shader_config:
      a.u32("max_payload_bytes", s.max_payload_bytes);
      a.u32("max_attribute_bytes", s.max_attribute_bytes);
      used += 8;
      break;
    case SubobjectKind::raytracing_pipeline_config:
      a.u32("max_recursion_depth", s.max_recursion_depth);
      used += 4;
      break;
    case SubobjectKind::hit_group:
      a.enum32("hit_group", s.hit_group);
      parts::text_in(a, "any_hit", s.any_hit, in.texts);
      parts::text_in(a, "closest_hit", s.closest_hit, in.texts);
      parts::text_in(a, "intersection", s.intersection, in.texts);
      used += 16;
      break;
    case SubobjectKind::raytracing_pipeline_config1:
      a.u32("max_recursion_depth", s.max_recursion_depth);
      a.u32("flags", s.flags, kPipelineFlags);
      used += 8;
      break;
  }
  const bool is_union_rest = stride == kBytes && used != 8;
  parts::opaque_bytes(a, is_union_rest ? "reserved" : "extra", s.extra, stride > used ? stride - used : 0,
                      is_union_rest ? kPadding : kUnknown);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, RdatNodeId& n, const RdatBuffers& in, const std::uint32_t& stride) {
  parts::text_in(a, "name", n.name, in.texts);
  a.u32("index", n.index);
  parts::extra(a, n.extra, stride, 8);
}

/// Bytes: 8, of which 4 are a union by kind.
template <class Archive>
void describe(Archive& a, RdatNodeFunctionAttribute& n, const RdatBuffers& in, const std::uint32_t& stride) {
  a.enum32("kind", n.kind);
  switch (n.kind) {
    case NodeFunctionAttribute::id:
    case NodeFunctionAttribute::share_input_of: record_number(a, "node_id", n.value); break;
    case NodeFunctionAttribute::num_threads:
    case NodeFunctionAttribute::dispatch_grid:
    case NodeFunctionAttribute::max_dispatch_grid: index_array(a, "array", n.value, in); break;
    default: a.u32("value", n.value); break;
  }
  parts::extra(a, n.extra, stride, 8);
}

/// Bytes: 8, of which 4 are a union by kind.
template <class Archive>
void describe(Archive& a, RdatNodeIoAttribute& n, const RdatBuffers&, const std::uint32_t& stride) {
  a.enum32("kind", n.kind);
  switch (n.kind) {
    case NodeIoAttribute::output_id: record_number(a, "node_id", n.value); break;
    case NodeIoAttribute::record_dispatch_grid: a.u32("dispatch_grid", n.value, kDispatchGrid); break;
    default: a.u32("value", n.value); break;
  }
  parts::extra(a, n.extra, stride, 8);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, RdatNodeIo& n, const RdatBuffers& in, const std::uint32_t& stride) {
  a.u32("flags", n.flags, kNodeIoFlags);
  index_array(a, "attributes", n.attributes_array, in);
  parts::extra(a, n.extra, stride, 8);
}

/// Bytes: 20.
template <class Archive>
void describe(Archive& a, RdatNodeShader& n, const RdatBuffers& in, const std::uint32_t& stride) {
  a.enum32("launch", n.launch, part_field_type(n.launch));
  a.u32("group_shared_bytes", n.group_shared_bytes);
  index_array(a, "attributes", n.attributes_array, in);
  index_array(a, "outputs", n.outputs_array, in);
  index_array(a, "inputs", n.inputs_array, in);
  parts::extra(a, n.extra, stride, 20);
}

/// Bytes: 14, and 2 up to the next multiple of 4.
template <class Archive>
void describe(Archive& a, RdatSignatureElement& e, const RdatBuffers& in, const std::uint32_t& stride) {
  parts::text_in(a, "semantic_name", e.semantic_name, in.texts);
  index_array(a, "semantic_indexes", e.semantic_indexes_array, in);
  a.enum8("semantic_kind", e.semantic_kind);
  a.enum8("component_type", e.component_type);
  a.enum8("interpolation", e.interpolation);
  a.u8("start_row", e.start_row);
  a.u8("columns_and_stream", e.column_bits, kRdatColumnType);
  a.u8("masks", e.mask_bits, kRdatMaskType);
  parts::opaque_bytes(a, "padding", e.extra, stride > 14 ? stride - 14 : 0);
}

/// By stage. Bytes: 16 vertex, 8 pixel, 48 hull, 40 domain, 28 geometry, 8 compute, 48 mesh, 12 amplification.
template <class Archive>
void describe(Archive& a, RdatStage& s, const ShaderKind& kind, const RdatBuffers& in, const std::uint32_t& stride) {
  const bool is_mesh = kind == ShaderKind::mesh;
  const bool has_group = kind == ShaderKind::compute || kind == ShaderKind::amplification || is_mesh;
  const bool has_patch = kind == ShaderKind::hull || kind == ShaderKind::domain;
  std::uint32_t known = 0;
  const auto array = [&](const char* name, std::uint32_t& value) {
    index_array(a, name, value, in);
    known += 4;
  };
  const auto bytes = [&](const char* name, RdatBytes& value) {
    bytes_in(a, name, value, in);
    known += 8;
  };
  if (!has_group) array("inputs", s.inputs_array);
  if (!has_group || is_mesh) array("outputs", s.outputs_array);
  if (has_patch || is_mesh) array("patch_or_primitives", s.patch_or_primitives_array);
  if (kind != ShaderKind::pixel && (!has_group || is_mesh)) bytes("view_id_outputs", s.view_id_outputs);
  if (kind == ShaderKind::hull || is_mesh) bytes("view_id_patch_or_primitives", s.view_id_patch_or_primitives);
  if (has_patch || kind == ShaderKind::geometry) bytes("input_outputs", s.input_outputs);
  if (has_patch) bytes("patch_constants", s.input_patch_constants);
  if (has_group) {
    array("num_threads", s.num_threads_array);
    a.u32("group_shared_bytes", s.group_shared_bytes);
    known += 4;
  }
  if (is_mesh) {
    a.u32("group_shared_bytes_dependent_on_view_id", s.group_shared_bytes_dependent_on_view_id);
    known += 4;
  }
  if (is_mesh || kind == ShaderKind::amplification) {
    a.u32("payload_bytes", s.payload_bytes);
    known += 4;
  }
  const auto byte = [&](const char* name, std::uint8_t& value) {
    a.u8(name, value);
    ++known;
  };
  const auto enumerator = [&](const char* name, auto& value) {
    a.enum8(name, value, part_field_type(value));
    ++known;
  };
  switch (kind) {
    case ShaderKind::hull:
      byte("input_control_point_count", s.input_control_point_count);
      byte("output_control_point_count", s.output_control_point_count);
      enumerator("tessellator_domain", s.tessellator_domain);
      enumerator("tessellator_output", s.tessellator_output);
      break;
    case ShaderKind::domain:
      byte("input_control_point_count", s.input_control_point_count);
      enumerator("tessellator_domain", s.tessellator_domain);
      break;
    case ShaderKind::geometry:
      enumerator("input_primitive", s.input_primitive);
      enumerator("output_topology", s.output_topology);
      byte("max_vertex_count", s.max_vertex_count);
      byte("output_stream_mask", s.output_stream_mask);
      break;
    case ShaderKind::mesh:
      a.u16("max_output_vertices", s.max_output_vertices);
      a.u16("max_output_primitives", s.max_output_primitives);
      known += 4;
      enumerator("mesh_topology", s.mesh_topology);
      break;
    default: break;
  }
  const std::uint32_t aligned = round_up(known, 4);
  parts::opaque_bytes(a, "padding", s.extra, stride > known ? stride - known : 0, stride > aligned ? kUnknown : kPadding);
}

/// Bytes: 44. Of the group of PDB information.
template <class Archive>
void describe(Archive& a, RdatPdbInfo& p, const RdatBuffers& in, const std::uint32_t& stride) {
  index_array(a, "sources", p.sources_array, in);
  index_array(a, "libraries", p.libraries_array, in);
  index_array(a, "arguments", p.arguments_array, in, IndexesOf::texts);
  bytes_in(a, "hash", p.hash, in);
  parts::text_in(a, "pdb_name", p.pdb_name, in.texts);
  a.u32("custom_toolchain_id", p.custom_toolchain_id);
  bytes_in(a, "custom_toolchain_data", p.custom_toolchain_data, in);
  bytes_in(a, "whole_dxil", p.whole_dxil, in);
  parts::extra(a, p.extra, stride, 44);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, RdatPdbSource& p, const RdatBuffers& in, const std::uint32_t& stride) {
  parts::text_in(a, "name", p.name, in.texts);
  parts::text_in(a, "content", p.content, in.texts);
  parts::extra(a, p.extra, stride, 8);
}

/// Bytes: 12.
template <class Archive>
void describe(Archive& a, RdatPdbLibrary& p, const RdatBuffers& in, const std::uint32_t& stride) {
  parts::text_in(a, "name", p.name, in.texts);
  bytes_in(a, "data", p.data, in);
  parts::extra(a, p.extra, stride, 12);
}

}  // namespace unshade::dxil
