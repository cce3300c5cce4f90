// The one description of the level 9 parts.
#pragma once

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/reader.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/level9/sm2_tokens.hpp>

namespace unshade::dxbc {

inline constexpr std::size_t kLevel9HeaderBytes = 36;
inline constexpr std::size_t kConstantBufferMappingBytes = 12;
inline constexpr std::size_t kScalarMappingBytes = 8;
inline constexpr std::size_t kSamplerMappingBytes = 4;
inline constexpr std::size_t kRuntimeConstantMappingBytes = 4;

/// Bytes: 12.
template <class Archive>
void describe(Archive& a, ConstantBufferMapping& m) {
  a.u16("buffer", m.buffer);
  a.u16("first_register", m.first_register);
  a.u16("register_count", m.register_count);
  a.u16("target", m.target);
  a.enum8("conversion_x", m.conversion[0]);
  a.enum8("conversion_y", m.conversion[1]);
  a.enum8("conversion_z", m.conversion[2]);
  a.enum8("conversion_w", m.conversion[3]);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, ScalarMapping& m) {
  a.u16("buffer", m.buffer);
  a.u16("source_register", m.source_register);
  a.u16("component", m.component);
  a.u16("target", m.target);
}

/// Bytes: 4.
template <class Archive>
void describe(Archive& a, SamplerMapping& m) {
  a.u8("resource", m.resource);
  a.u8("sampler", m.sampler);
  a.u8("target", m.target);
  a.u8("reserved", m.reserved);
}

/// Bytes: 4.
template <class Archive>
void describe(Archive& a, RuntimeConstantMapping& m) {
  a.enum16("constant", m.constant);
  a.u16("target", m.target);
}

/// u16 count and u16 offset, and the records there.
template <class Archive, class T>
void describe_mappings(Archive& a, const char* name, Table<T>& table, std::size_t stride) {
  if constexpr (kIsValueArchive<Archive>) {
    a.records_at(name, table, table.size(), stride);
    return count_fits(a, name, table, 16);
  }
  std::uint16_t count = static_cast<std::uint16_t>(table.size());
  std::uint16_t offset = static_cast<std::uint16_t>(table.offset);
  a.group(name, kNoIndex, [&] {
    a.u16("count", count);
    a.u16("offset", offset, kOffset);
  });
  if constexpr (Archive::kReads) table.offset = offset;
  // An empty table has an offset as well; it says nothing.
  if (count != 0 || !Archive::kReads) a.at(offset, [&] { a.records(name, table.items, count, stride); });
}

/// Bytes: 36, then the tables and the program.
template <class Archive>
void describe(Archive& a, Level9& l) {
  auto program_bytes = static_cast<std::uint32_t>(l.program.size());
  a.u32("size", l.size, kExtent);
  a.u32("version", l.version.token, sm2::kVersionToken);
  a.u32("program_bytes", program_bytes, kCount);
  a.u32("program_offset", l.program_offset, kOffset);
  describe_mappings(a, "constant_buffers", l.constant_buffers, kConstantBufferMappingBytes);
  describe_mappings(a, "integers", l.integers, kScalarMappingBytes);
  describe_mappings(a, "booleans", l.booleans, kScalarMappingBytes);
  describe_mappings(a, "samplers", l.samplers, kSamplerMappingBytes);
  describe_mappings(a, "runtime_constants", l.runtime_constants, kRuntimeConstantMappingBytes);
  a.at(l.program_offset, [&] {
    if constexpr (Archive::kRecords) {
      // Its tokens become leaves of their own (record_level9).
      if (auto program = a.part().sub(a.position(), program_bytes)) {
        l.program = *program;
      } else {
        a.fail(ErrorCode::truncated, "program", "the program exceeds the part");
      }
    } else {
      a.raw("program", l.program, program_bytes);
    }
  });
}

/// Gives the tables and the program their places, if one of them has none.
void place_as_fxc(Level9& level9);

}  // namespace unshade::dxbc
