// The one description of RDAT.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <unshade/dxil/rdat.hpp>

#include "dxil/parts/rdat_records_layout.hpp"
#include "dxil/parts/shared_fields.hpp"

namespace unshade::dxil {

/// Sizes of a record: those of its first version, without which it is not read, and of the newest.
struct RdatRecordBytes {
  std::uint32_t first = 0;
  std::uint32_t newest = 0;
};

/// Calls f(table, sizes, context...) with the table of a type, and context for its records. False for types that are no tables.
template <class F>
bool with_rdat_table(Rdat& r, RdatPartType type, F&& f) {
  const auto same = [](std::uint32_t bytes) { return RdatRecordBytes{bytes, bytes}; };
  switch (type) {
    case RdatPartType::resource_table: f(r.resources, same(32)); return true;
    case RdatPartType::function_table: f(r.functions, RdatRecordBytes{kRdatFunctionBytes[0], kRdatFunctionBytes[1]}); return true;
    case RdatPartType::subobject_table: f(r.subobjects, same(24)); return true;
    case RdatPartType::node_id_table: f(r.node_ids, same(8)); return true;
    case RdatPartType::node_io_attribute_table: f(r.node_io_attributes, same(8)); return true;
    case RdatPartType::node_function_attribute_table: f(r.node_function_attributes, same(8)); return true;
    case RdatPartType::node_io_table: f(r.node_ios, same(8)); return true;
    case RdatPartType::node_shader_table: f(r.node_shaders, same(20)); return true;
    case RdatPartType::signature_element_table: f(r.signature_elements, RdatRecordBytes{14, 16}); return true;
    case RdatPartType::vertex_shader_table: f(r.vertex_shaders, same(16), ShaderKind::vertex); return true;
    case RdatPartType::pixel_shader_table: f(r.pixel_shaders, same(8), ShaderKind::pixel); return true;
    case RdatPartType::hull_shader_table: f(r.hull_shaders, same(48), ShaderKind::hull); return true;
    case RdatPartType::domain_shader_table: f(r.domain_shaders, RdatRecordBytes{38, 40}, ShaderKind::domain); return true;
    case RdatPartType::geometry_shader_table: f(r.geometry_shaders, same(28), ShaderKind::geometry); return true;
    case RdatPartType::compute_shader_table: f(r.compute_shaders, same(8), ShaderKind::compute); return true;
    case RdatPartType::mesh_shader_table: f(r.mesh_shaders, RdatRecordBytes{45, 48}, ShaderKind::mesh); return true;
    case RdatPartType::amplification_shader_table: f(r.amplification_shaders, same(12), ShaderKind::amplification); return true;
    case RdatPartType::pdb_info_table: f(r.pdb_infos, same(44)); return true;
    case RdatPartType::pdb_source_table: f(r.pdb_sources, same(8)); return true;
    case RdatPartType::pdb_library_table: f(r.pdb_libraries, same(12)); return true;
    default: return false;
  }
}

/// Pieces in the order in which dxc writes them. src: DxilRDATWriter in DXC DxilContainerAssembler.cpp
inline constexpr RdatPartType kRdatOrder[] = {
    RdatPartType::string_buffer,
    RdatPartType::resource_table,
    RdatPartType::function_table,
    RdatPartType::index_arrays,
    RdatPartType::raw_bytes,
    RdatPartType::subobject_table,
    RdatPartType::node_id_table,
    RdatPartType::node_function_attribute_table,
    RdatPartType::node_io_attribute_table,
    RdatPartType::node_io_table,
    RdatPartType::node_shader_table,
    RdatPartType::signature_element_table,
    RdatPartType::vertex_shader_table,
    RdatPartType::pixel_shader_table,
    RdatPartType::hull_shader_table,
    RdatPartType::domain_shader_table,
    RdatPartType::geometry_shader_table,
    RdatPartType::compute_shader_table,
    RdatPartType::mesh_shader_table,
    RdatPartType::amplification_shader_table,
    RdatPartType::pdb_info_table,
    RdatPartType::pdb_source_table,
    RdatPartType::pdb_library_table,
};

/// The buffer of a type, or null.
inline View* rdat_buffer(Rdat& r, RdatPartType type) {
  switch (type) {
    case RdatPartType::string_buffer: return &r.strings;
    case RdatPartType::index_arrays: return &r.index_arrays;
    case RdatPartType::raw_bytes: return &r.raw_bytes;
    default: return nullptr;
  }
}

/// u32 count, that many u32, again and again. Each is named by its dword offset, by which records refer to it.
template <class Archive>
void index_arrays(Archive& a, View& arrays, std::size_t size) {
  if constexpr (Archive::kRecords) {
    arrays = a.part().clamped(a.position(), size);
    View piece;
    std::size_t at = 0;
    while (size - at >= 4 && a.ok()) {
      const std::size_t count = arrays.load_unchecked<std::uint32_t>(at);
      if (count > (size - at) / 4 - 1) break;
      const std::size_t bytes = 4 + 4 * count;
      a.raw("array", piece, bytes, kIndexArray, static_cast<std::uint32_t>(at / 4), static_cast<std::uint32_t>(bytes));
      at += bytes;
    }
    if (at < size) a.raw("rest", piece, size - at, kUnknown);
  } else {
    a.raw("arrays", arrays, size);
  }
}

/// u32 count, u32 stride, records.
template <class Archive, class Row, class... Context>
void rdat_rows(Archive& a, RdatTable<Row>& table, std::size_t size, const RdatBuffers& in, const Context&... context) {
  auto count = static_cast<std::uint32_t>(table.rows.size());
  a.u32("count", count);
  a.u32("stride", table.stride);
  if (Archive::kReads && a.ok()) {
    const std::size_t room = size - kRdatTableHeaderBytes;
    if (count != 0 && (table.stride == 0 || count > room / table.stride))
      return a.fail_at(ErrorCode::truncated, a.position() - 8, "count",
                       std::to_string(count) + " records of " + std::to_string(table.stride) + " bytes exceed the remaining " +
                           std::to_string(room) + " bytes");
  }
  a.records("records", table.rows, count, table.stride, context..., in, table.stride);
  const std::size_t behind = Archive::kReads ? size - kRdatTableHeaderBytes - std::size_t{count} * table.stride : table.extra.size();
  if (a.ok() && behind != 0) a.raw("extra", table.extra, behind, kUnknown);
}

/// What follows the header of a piece.
template <class Archive>
void rdat_content(Archive& a, Rdat& r, RdatPart& part, std::size_t size, const RdatBuffers& in) {
  if (part.kept) {
    if (size != 0) a.raw("data", part.data, size);
    return;
  }
  if (View* buffer = rdat_buffer(r, part.type); buffer != nullptr) {
    if (part.type == RdatPartType::string_buffer) return parts::text_table(a, "strings", *buffer, size);
    if (part.type == RdatPartType::index_arrays) return index_arrays(a, *buffer, size);
    if (size != 0) a.raw("bytes", *buffer, size);
    return;
  }
  with_rdat_table(r, part.type, [&](auto& table, RdatRecordBytes, const auto&... context) { rdat_rows(a, table, size, in, context...); });
}

/// Bytes of what follows the header of a piece, as it will be written.
inline std::size_t rdat_content_bytes(Rdat& r, const RdatPart& part) {
  if (part.kept) return part.data.size();
  if (const View* buffer = rdat_buffer(r, part.type); buffer != nullptr) return buffer->size();
  std::size_t size = 0;
  with_rdat_table(r, part.type, [&](const auto& table, RdatRecordBytes, const auto&...) {
    size = kRdatTableHeaderBytes + table.rows.size() * table.stride + table.extra.size();
  });
  return size;
}

/// Bytes of all that a model's records and buffers hold.
inline std::uint64_t rdat_bytes(Rdat& r) {
  std::uint64_t sum = 0;
  for (const RdatPartType type : kRdatOrder) {
    if (const View* const buffer = rdat_buffer(r, type)) sum += buffer->size();
    with_rdat_table(r, type, [&](const auto& table, const auto&...) { sum += std::uint64_t{table.stride} * table.size(); });
  }
  return sum;
}

/// Whether a piece is kept as it is instead of being read: of an unknown type, a repetition, a table of records shorter than known.
inline bool rdat_is_kept(Rdat& r, RdatPartType type, View data, const std::vector<RdatPart>& before) {
  for (const RdatPart& other : before)
    if (other.type == type && !other.kept) return true;
  if (rdat_buffer(r, type) != nullptr) return false;
  bool is_short = false;
  const bool is_table = with_rdat_table(r, type, [&](const auto&, RdatRecordBytes bytes, const auto&...) {
    is_short = data.size() < kRdatTableHeaderBytes || data.u32(4).value_or(0) < bytes.first;
  });
  return !is_table || is_short;
}

/// Pieces may be in any order, but must not overlap.
template <class Archive>
void rdat_check_overlap(Archive& a, const std::vector<RdatPart>& parts) {
  std::vector<const RdatPart*> order;
  order.reserve(parts.size());
  for (const RdatPart& part : parts) order.push_back(&part);
  std::sort(order.begin(), order.end(), [](const RdatPart* x, const RdatPart* y) { return x->offset < y->offset; });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i]->offset < order[i - 1]->offset + kRdatPieceHeaderBytes + order[i - 1]->data.size())
      return a.fail_at(ErrorCode::overlap, order[i]->offset, "part_offsets", "RDAT parts overlap");
}

/// A name for the group of a piece.
inline const char* rdat_part_name(RdatPartType type) {
  const std::string_view name = id(type);
  return name.empty() ? "part" : name.data();  // the names are literals
}

template <class Archive>
void describe(Archive& a, Rdat& r) {
  a.u32("version", r.version, kHex);
  if (Archive::kReads && a.ok() && r.version != kRdatVersion)
    return a.fail_at(ErrorCode::unsupported, 0, "version", "expected version 0x10");
  auto count = static_cast<std::uint32_t>(r.parts.size());
  a.u32("part_count", count);
  RdatBuffers in;
  std::size_t end = 0;
  if constexpr (Archive::kReads) {
    View offsets;
    if (count != 0) u32_list(a, "part_offsets", offsets, count);
    if (!a.ok()) return;
    end = a.position();
    const View all = a.part();
    // Records refer to texts that may follow them: find those first.
    for (std::size_t i = 0; i < count && in.texts.at == 0; ++i) {
      const std::size_t at = list_u32(offsets, i);
      if (all.u32(at) != static_cast<std::uint32_t>(RdatPartType::string_buffer)) continue;
      in.texts = {at + kRdatPieceHeaderBytes, all.clamped(at + kRdatPieceHeaderBytes, all.u32(at + 4).value_or(0)).size()};
    }
    r.parts.reserve(count);
    for (std::uint32_t i = 0; i < count && a.ok(); ++i) {
      RdatPart part;
      part.offset = list_u32(offsets, i);
      const auto type = static_cast<RdatPartType>(all.u32(part.offset).value_or(0));
      const std::size_t field = a.position() - std::size_t{4} * (count - i);
      if (part.offset < 8 + std::size_t{4} * count || !all.holds(part.offset, kRdatPieceHeaderBytes))
        return a.fail_at(ErrorCode::out_of_range, field, "part_offsets", "the header of the part exceeds RDAT");
      a.at(part.offset, [&] {
        a.group(rdat_part_name(type), id(type).empty() ? i : kNoIndex, [&] {
          std::uint32_t size = 0;
          a.enum32("type", part.type);
          a.u32("size", size);
          if (size > a.rest()) {
            return a.fail_at(ErrorCode::truncated, a.position() - 4, "size",
                             std::to_string(size) + " bytes needed, " + std::to_string(a.rest()) + " left");
          }
          part.data = all.clamped(a.position(), size);
          part.kept = rdat_is_kept(r, part.type, part.data, r.parts);
          rdat_content(a, r, part, size, in);
          end = std::max(end, part.offset + std::size_t{kRdatPieceHeaderBytes} + size);
        });
      });
      r.parts.push_back(part);
    }
    rdat_check_overlap(a, r.parts);
  } else {
    for (RdatPart& part : r.parts) a.u32("part_offsets", part.offset, kOffset);
    end = a.position();
    for (RdatPart& part : r.parts) {
      a.at(part.offset, [&] {
        const std::size_t size = rdat_content_bytes(r, part);
        auto stated = static_cast<std::uint32_t>(size);
        a.enum32("type", part.type);
        a.u32("size", stated);
        rdat_content(a, r, part, size, in);
        end = std::max(end, part.offset + std::size_t{kRdatPieceHeaderBytes} + size);
      });
    }
  }
  if (a.ok()) a.at(end, [&] { parts::rest(a, "extra", r.extra, kUnknown); });
}

/// The part as a document: tables with everything that their records refer to. Where things are is left to place_as_dxc(), or stated with
/// the buffers they are in. Pieces that a document cannot have make it fail: see rdat_has_document().
template <class Archive>
void describe(Archive& a, Rdat& r, RdatHeap* const& heap) {
  static_assert(kIsValueArchive<Archive>);
  const auto buffer = [&](const char* name, View& bytes, std::vector<std::byte>& into) {
    a.layout_bytes(name, bytes);
    if constexpr (kReadsValues<Archive>) {
      heap->stated = heap->stated || !bytes.empty();
      into.assign(bytes.bytes().begin(), bytes.bytes().end());
    }
  };
  const RdatBuffers in({}, heap);
  buffer("strings", r.strings, heap->strings);
  buffer("index_arrays", r.index_arrays, heap->arrays);
  buffer("raw_bytes", r.raw_bytes, heap->bytes);
  // of older or newer records than known
  a.group("record_bytes", kNoIndex, [&] {
    for (const RdatPartType type : kRdatOrder) {
      with_rdat_table(r, type, [&](auto& table, RdatRecordBytes bytes, const auto&...) {
        if (kReadsValues<Archive>) table.stride = bytes.newest;
        if (kReadsValues<Archive> || (table.stride != bytes.newest && !table.empty())) a.u32(rdat_part_name(type), table.stride);
        if (kReadsValues<Archive> && table.stride < bytes.first)
          a.fail(ErrorCode::bad_value, rdat_part_name(type), "the record stride is smaller than in any known version");
      });
    }
  });
  for (const RdatPartType type : kRdatOrder) {
    with_rdat_table(r, type, [&](auto& table, RdatRecordBytes, const auto&... context) {
      a.records(rdat_part_name(type), table.rows, 0, 0, context..., in, table.stride);
    });
  }
}

/// Whether tables in dxc's order, with what they refer to, are all of a part.
inline bool rdat_has_document(const Rdat& r) {
  if (!r.extra.empty()) return false;
  const RdatPartType* next = std::begin(kRdatOrder);
  for (const RdatPart& part : r.parts) {
    next = std::find(next, std::end(kRdatOrder), part.type);
    if (part.kept || next == std::end(kRdatOrder)) return false;
  }
  return true;
}

/// Gives texts, index arrays and bytes the places that dxc would have given them, each once. `heap` keeps them.
void place_as_dxc(Rdat& rdat, RdatHeap& heap);

}  // namespace unshade::dxil
