#include "dxbc/debug/codeview_hash.hpp"

#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/bits/rounding.hpp>

#include "dxbc/debug/codeview_symbols.hpp"
#include "dxbc/debug/codeview_types.hpp"

namespace unshade::dxbc::codeview {

namespace {

/// hashStringV1: 32-bit words, then 16 bits, then 8, of a text without regard to case.
std::uint32_t name_hash(std::string_view name) {
  const View bytes(std::as_bytes(std::span(name.data(), name.size())));
  std::uint32_t hash = 0;
  std::size_t at = 0;
  for (; bytes.holds(at, 4); at += 4) hash ^= bytes.load_unchecked<std::uint32_t>(at);
  if (bytes.holds(at, 2)) {
    hash ^= bytes.load_unchecked<std::uint16_t>(at);
    at += 2;
  }
  if (bytes.holds(at, 1)) hash ^= bytes.load_unchecked<std::uint8_t>(at);
  constexpr std::uint32_t kLowerCase = 0x2020'2020;
  hash |= kLowerCase;
  hash ^= hash >> 11;
  return hash ^ hash >> 16;
}

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? value >> 1 ^ 0xedb8'8320 : value >> 1;
    table[i] = value;
  }
  return table;
}();

/// hashBufferV8: CRC-32 that begins with 0 and is not inverted.
std::uint32_t record_hash(View record) {
  std::uint32_t crc = 0;
  for (const std::byte byte : record.bytes()) crc = kCrcTable[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xff] ^ crc >> 8;
  return crc;
}

/// Structures are found by their names, unless these do not say which one it is.
struct NamedTypes : NoTypeVisitor {
  using NoTypeVisitor::on;
  std::map<std::uint32_t, std::string_view> names;
  void on(std::uint32_t index, const Structure& t) {
    constexpr std::uint16_t kForwardOrScoped = 0x0180;
    if ((t.properties & kForwardOrScoped) == 0) names.emplace(index, t.name);
  }
};

/// Offsets and names of symbols that are hashed.
struct Named {
  bool of_publics;
  std::uint32_t offset = 0;
  std::vector<std::pair<std::uint32_t, std::string_view>> symbols;

  template <class T>
  void on(const T& symbol) {
    if constexpr (requires { symbol.name; }) {
      if (std::is_same_v<T, PublicSymbol> == of_publics) symbols.emplace_back(offset, symbol.name);
    }
  }
  void on_end(SymbolKind) {}
};

}  // namespace

TypeHashes type_hashes(View type_stream) {
  NamedTypes named;
  TypeStream<NamedTypes> stream{{}, &named};
  Reader reader(type_stream);
  describe(reader, stream);
  TypeHashes made;
  if (!reader.ok() || stream.header.bucket_count == 0) return made;
  const View records = type_stream.clamped(kTypeHeaderBytes, stream.record_bytes);
  std::size_t last_run = ~std::size_t{0};
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < stream.count; ++i) {
    const std::uint32_t index = stream.header.first_index + i;
    const std::size_t bytes = std::size_t{records.u16(at).value_or(0)} + sizeof(std::uint16_t);
    const auto name = named.names.find(index);
    append_little_endian<std::uint32_t>(
        made.values,
        (name != named.names.end() ? name_hash(name->second) : record_hash(records.clamped(at, bytes))) % stream.header.bucket_count);
    if (at / kTypeRun != last_run) {
      last_run = at / kTypeRun;
      append_little_endian<std::uint32_t>(made.offsets, index);
      append_little_endian<std::uint32_t>(made.offsets, static_cast<std::uint32_t>(at));
    }
    at += bytes;
  }
  return made;
}

SymbolHashes symbol_hashes(View symbols, bool of_publics) {
  constexpr std::uint32_t kBuckets = 4096;
  constexpr std::uint32_t kBitmapBytes = 4 * divide_up(kBuckets + 1, 32);
  constexpr std::uint32_t kBytesInMemory = 12;  // of a record: what buckets count
  Named named{of_publics, 0, {}};
  Reader reader(symbols);
  Scopes scopes;
  for (std::uint32_t i = 0; reader.rest() >= 4; ++i) {
    named.offset = static_cast<std::uint32_t>(reader.position());
    symbol(reader, i, named, scopes);
  }
  SymbolHashes made;
  if (!reader.ok() || named.symbols.empty()) return made;
  std::multimap<std::uint32_t, std::uint32_t> by_bucket;
  for (const auto& [offset, name] : named.symbols) by_bucket.emplace(name_hash(name) % kBuckets, offset);
  made.buckets.resize(kBitmapBytes);
  std::uint32_t count = 0;
  std::uint32_t last = kBuckets;
  for (const auto& [bucket, offset] : by_bucket) {
    if (bucket != last) {
      made.buckets[bucket / 8] |= std::byte{1} << (bucket % 8);
      append_little_endian<std::uint32_t>(made.buckets, count * kBytesInMemory);
      last = bucket;
    }
    append_little_endian<std::uint32_t>(made.records, offset + 1);
    append_little_endian<std::uint32_t>(made.records, 1);
    ++count;
  }
  return made;
}

}  // namespace unshade::dxbc::codeview
