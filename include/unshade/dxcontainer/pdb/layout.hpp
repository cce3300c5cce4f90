// The description of the stream that every program database has.
#pragma once

#include <cstddef>
#include <cstdint>

#include <unshade/core/archive/stream_words.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxcontainer::pdb {

/// A bit set of a hash table: u32 words, and those.
template <class Archive>
void hash_table_bits(Archive& a, const char* count_name, const char* name, View& words) {
  auto count = static_cast<std::uint32_t>(words.size() / 4);
  counted(a, count_name, count, name);
  u32_list(a, name, words, count);
}

inline constexpr std::size_t kInformationStream = 1;
inline constexpr std::size_t kGuidBytes = 16;

/// The information stream: who wrote the database when, and the names of streams.
struct Information {
  std::uint32_t version = 0;
  std::uint32_t signature = 0;
  std::uint32_t age = 0;
  View guid;
  std::uint32_t name_bytes = 0;
  View names;
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  View present;
  View deleted;
  View entries;  // u32 offset in names, u32 stream
  std::uint32_t last_item = 0;
  View features;
};
template <class Archive>
void describe(Archive& a, Information& s) {
  a.u32("version", s.version);
  a.u32("signature", s.signature, kHex);
  a.u32("age", s.age);
  a.raw("guid", s.guid, kGuidBytes);
  expect_size(a, "guid", s.guid, kGuidBytes);
  const std::size_t bytes_at = a.position();
  a.u32("name_bytes", s.name_bytes, kCount);
  stream_texts(a, "stream_names", s.names, s.name_bytes);
  set_size<std::uint32_t>(a, bytes_at, s.names.size());
  a.u32("count", s.count);
  a.u32("capacity", s.capacity);
  hash_table_bits(a, "present_words", "present", s.present);
  hash_table_bits(a, "deleted_words", "deleted", s.deleted);
  u32_list(a, "entries", s.entries, std::size_t{s.count} * 2);
  expect_size(a, "entries", s.entries, std::size_t{s.count} * 8, 4);
  if (more(a, "features", 0, a.rest() >= 4)) a.u32("last_item", s.last_item);
  if (more(a, "features", 0, a.rest() != 0)) u32_list(a, "features", s.features, a.rest() / 4);
}

}  // namespace unshade::dxcontainer::pdb
