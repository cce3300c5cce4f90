// The one description of the class linkage part.
#pragma once

#include <unshade/core/archive/archive.hpp>
#include <unshade/dxbc/class_linkage.hpp>

namespace unshade::dxbc {

/// Bytes: 12.
template <class Archive>
void describe(Archive& a, ClassType& t) {
  a.string_at("name", t.name);
  a.u16("id", t.id);
  a.u16("constant_buffer_stride", t.constant_buffer_stride);
  a.u16("texture_count", t.texture_count);
  a.u16("sampler_count", t.sampler_count);
}

/// Bytes: 16.
template <class Archive>
void describe(Archive& a, ClassInstance& i) {
  a.string_at("name", i.name);
  a.u16("type", i.type);
  a.u16("elements", i.elements);
  a.u16("constant_buffer", i.constant_buffer);
  a.u16("constant_buffer_offset", i.constant_buffer_offset);
  a.u16("texture", i.texture, kHex);
  a.u16("sampler", i.sampler, kHex);
}

/// Bytes: 2.
template <class Archive>
void describe(Archive& a, ClassTypeId& i) {
  a.u16("type", i.type);
}

/// Bytes: 4.
template <class Archive>
void describe(Archive& a, FunctionTableId& i) {
  a.u32("table", i.table);
}

/// Bytes: 16. `left` is what the tables of ids may still take up of the part: they do not overlap.
template <class Archive>
void describe(Archive& a, InterfaceSlot& s, [[maybe_unused]] std::size_t* const& left) {
  a.u32("span", s.span);
  auto count = static_cast<std::uint32_t>(s.types.size());
  a.u32("type_count", count, kCount);
  if constexpr (Archive::kReads) {
    if (count > *left / 6) return a.fail(ErrorCode::overlap, "types", "the tables of ids exceed the part");
    *left -= std::size_t{6} * count;
  }
  a.records_at("types", s.types, count, 2);
  a.records_at("tables", s.tables, count, 4);
  if constexpr (kReadsValues<Archive>) {
    if (s.tables.size() != s.types.size())
      a.fail(ErrorCode::bad_value, "tables",
             std::to_string(s.tables.size()) + " function tables, expected one for each of " + std::to_string(s.types.size()) + " types");
  }
}

inline constexpr std::uint32_t kClassLinkageBytes = 36;

/// Bytes: 36, and the targets of the offsets.
template <class Archive>
void describe(Archive& a, ClassLinkage& l) {
  auto instance_count = static_cast<std::uint32_t>(l.instances.size());
  auto type_count = static_cast<std::uint32_t>(l.types.size());
  auto slot_records = static_cast<std::uint32_t>(l.slots.size());
  a.u32("instance_count", instance_count, kCount);
  a.u32("type_count", type_count, kCount);
  a.u32("slot_record_count", slot_records, kCount);
  a.u32("slot_count", l.slot_count);
  a.records_at("instances", l.instances, instance_count, 16);
  a.records_at("types", l.types, type_count, 12);
  std::size_t left = 0;
  if constexpr (Archive::kReads) left = a.part().size();
  a.records_at("slots", l.slots, slot_records, 16, &left);
  a.u64("reserved", l.reserved, kHex);
}

/// Gives everything in a class linkage part that was made the place that fxc would give it.
void place_as_fxc(ClassLinkage& linkage);

}  // namespace unshade::dxbc
