// The streams around types and modules: names, sources, the list of modules, hashes of symbols.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/pdb/layout.hpp>

#include "dxbc/debug/codeview_symbols.hpp"

namespace unshade::dxbc::codeview {

using dxcontainer::pdb::hash_table_bits;

/// The information stream (1), which any program database has.
using Information = dxcontainer::pdb::Information;

/// The string table ("/names"), and the one of the same shape in the module stream's edit-and-continue data.
struct StringTable {
  std::uint32_t signature = 0;
  std::uint32_t hash_version = 0;
  std::uint32_t bytes = 0;
  View strings;
  std::uint32_t bucket_count = 0;
  View buckets;
  std::uint32_t count = 0;
};
template <class Archive>
void describe(Archive& a, StringTable& s) {
  a.expect32("signature", 0xeffeeffe);
  a.u32("hash_version", s.hash_version);
  const std::size_t bytes_at = a.position();
  a.u32("bytes", s.bytes, kCount);
  stream_texts(a, "strings", s.strings, s.bytes);
  set_size<std::uint32_t>(a, bytes_at, s.strings.size());
  counted(a, "bucket_count", s.bucket_count, "buckets");
  u32_list(a, "buckets", s.buckets, s.bucket_count);
  a.u32("count", s.count);
}

/// One file of "/src/headerblock". Bytes: 40.
struct SourceHeader {
  std::uint32_t bytes = 0;
  std::uint32_t version = 0;
  std::uint32_t crc = 0;
  std::uint32_t source_bytes = 0;
  std::uint32_t file_name = 0;
  std::uint32_t object_name = 0;
  std::uint32_t stream_name = 0;
  std::uint8_t compression = 0;
  std::uint8_t flags = 0;
  std::uint16_t padding = 0;
  std::uint64_t reserved = 0;
};
template <class Archive>
void describe(Archive& a, SourceHeader& h) {
  a.u32("bytes", h.bytes);
  a.u32("version", h.version);
  a.u32("crc", h.crc, kHex);
  a.u32("source_bytes", h.source_bytes);
  a.u32("file_name", h.file_name, kOffset);
  a.u32("object_name", h.object_name, kOffset);
  a.u32("stream_name", h.stream_name, kOffset);
  a.u8("compression", h.compression);
  a.u8("flags", h.flags, kHex);
  a.u16("reserved_word", h.padding);
  a.u64("reserved", h.reserved);
}
struct SourceHeaderEntry {
  std::uint32_t key = 0;
  SourceHeader header;
};
template <class Archive>
void describe(Archive& a, SourceHeaderEntry& e) {
  a.u32("key", e.key, kOffset);
  describe(a, e.header);
}
constexpr std::size_t kReservedWords = 11;
/// "/src/headerblock"
struct SourceHeaders {
  std::uint32_t version = 0;
  std::uint32_t bytes = 0;
  std::uint64_t file_time = 0;
  std::uint32_t age = 0;
  View reserved;
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  View present;
  View deleted;
  std::vector<SourceHeaderEntry> entries;
};
template <class Archive>
void describe(Archive& a, SourceHeaders& s) {
  a.u32("version", s.version);
  const std::size_t bytes_at = a.position();
  a.u32("bytes", s.bytes, kCount);
  a.u64("file_time", s.file_time, kHex);
  a.u32("age", s.age);
  u32_list(a, "reserved", s.reserved, kReservedWords);
  expect_size(a, "reserved", s.reserved, kReservedWords * 4, 4);
  counted(a, "count", s.count, "entries");
  a.u32("capacity", s.capacity);
  hash_table_bits(a, "present_words", "present", s.present);
  hash_table_bits(a, "deleted_words", "deleted", s.deleted);
  a.records("entries", s.entries, s.count, 44);
  set_size<std::uint32_t>(a, bytes_at, a.position());
}

/// A section's part in a module. Bytes: 28.
struct SectionContribution {
  std::uint16_t section = 0;
  std::uint16_t padding1 = 0;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t flags = 0;
  std::uint16_t module = 0;
  std::uint16_t padding2 = 0;
  std::uint32_t data_crc = 0;
  std::uint32_t relocation_crc = 0;
};
template <class Archive>
void describe(Archive& a, SectionContribution& c) {
  a.u16("section", c.section);
  a.u16("reserved_1", c.padding1);
  a.u32("offset", c.offset, kOffset);
  a.u32("bytes", c.bytes);
  a.u32("flags", c.flags, kHex);
  a.u16("module", c.module);
  a.u16("reserved_2", c.padding2);
  a.u32("data_crc", c.data_crc, kHex);
  a.u32("relocation_crc", c.relocation_crc, kHex);
}

/// Sizes in the stream of each module, by the stream's number.
struct ModuleSizes {
  std::uint32_t symbol_bytes = 0;
  std::uint32_t old_line_bytes = 0;
  std::uint32_t line_bytes = 0;
};
using AllModuleSizes = std::unordered_map<std::uint32_t, ModuleSizes>;

/// A module as stream 3 lists it. Bytes: 64, two texts, padding to a multiple of 4.
struct ModuleInfo {
  std::uint32_t opened = 0;
  SectionContribution contribution;
  std::uint16_t flags = 0;
  std::uint16_t stream = 0;
  std::uint32_t symbol_bytes = 0;
  std::uint32_t old_line_bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint16_t file_count = 0;
  std::uint16_t padding = 0;
  std::uint32_t file_names = 0;
  std::uint32_t source_name = 0;
  std::uint32_t compiler_name = 0;
  std::string_view name;
  std::string_view object;
};
/// `sizes`: what they are if a document does not state them.
template <class Archive>
void describe(Archive& a, ModuleInfo& m, const AllModuleSizes* sizes = nullptr) {
  a.u32("opened", m.opened, kHex);
  a.record("contribution", m.contribution);
  a.u16("flags", m.flags, kHex);
  a.u16("stream", m.stream);
  if (kMakesStream<Archive> && sizes != nullptr) {
    if (const auto found = sizes->find(m.stream); found != sizes->end())
      std::tie(m.symbol_bytes, m.old_line_bytes, m.line_bytes) =
          std::tie(found->second.symbol_bytes, found->second.old_line_bytes, found->second.line_bytes);
  }
  a.u32("symbol_bytes", m.symbol_bytes, kExtent);
  a.u32("old_line_bytes", m.old_line_bytes, kExtent);
  a.u32("line_bytes", m.line_bytes, kExtent);
  a.u16("file_count", m.file_count);
  a.u16("reserved", m.padding);
  a.u32("file_names", m.file_names, kOffset);
  a.u32("source_name", m.source_name, kOffset);
  a.u32("compiler_name", m.compiler_name, kOffset);
  a.string_here("name", m.name);
  a.string_here("object", m.object);
  a.align(4);
}

/// One segment of the section map. Bytes: 20.
struct SectionMapEntry {
  std::uint16_t flags = 0;
  std::uint16_t overlay = 0;
  std::uint16_t group = 0;
  std::uint16_t frame = 0;
  std::uint16_t section_name = 0;
  std::uint16_t class_name = 0;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};
template <class Archive>
void describe(Archive& a, SectionMapEntry& e) {
  a.u16("flags", e.flags, kHex);
  a.u16("overlay", e.overlay);
  a.u16("group", e.group);
  a.u16("frame", e.frame);
  a.u16("section_name", e.section_name);
  a.u16("class_name", e.class_name);
  a.u32("offset", e.offset, kOffset);
  a.u32("bytes", e.bytes);
}

/// Stream 3 ("DBI"): modules and where other streams are.
struct DebugInterface {
  std::uint32_t signature = 0;
  std::uint32_t version = 0;
  std::uint32_t age = 0;
  std::uint16_t global_stream = 0;
  std::uint16_t build = 0;
  std::uint16_t public_stream = 0;
  std::uint16_t library_version = 0;
  std::uint16_t symbol_stream = 0;
  std::uint16_t library_build = 0;
  std::uint32_t module_bytes = 0;
  std::uint32_t contribution_bytes = 0;
  std::uint32_t section_map_bytes = 0;
  std::uint32_t file_info_bytes = 0;
  std::uint32_t type_server_bytes = 0;
  std::uint32_t type_server_index = 0;
  std::uint32_t debug_header_bytes = 0;
  std::uint32_t edit_bytes = 0;
  std::uint16_t flags = 0;
  std::uint16_t machine = 0;
  std::uint32_t reserved = 0;
  std::vector<ModuleInfo> modules;
  View debug_header;  // u16 streams; the sixth holds the section headers
  const AllModuleSizes* sizes = nullptr;
};
template <class Archive>
void describe(Archive& a, DebugInterface& d) {
  a.u32("signature", d.signature, kHex);
  a.u32("version", d.version);
  a.u32("age", d.age);
  a.u16("global_stream", d.global_stream);
  a.u16("build", d.build, kHex);
  a.u16("public_stream", d.public_stream);
  a.u16("library_version", d.library_version);
  a.u16("symbol_stream", d.symbol_stream);
  a.u16("library_build", d.library_build);
  const std::size_t module_at = a.position();
  a.u32("module_bytes", d.module_bytes, kCount);
  const std::size_t contribution_at = a.position();
  a.u32("contribution_bytes", d.contribution_bytes, kCount);
  const std::size_t section_map_at = a.position();
  a.u32("section_map_bytes", d.section_map_bytes, kCount);
  const std::size_t file_info_at = a.position();
  a.u32("file_info_bytes", d.file_info_bytes, kCount);
  const std::size_t type_server_at = a.position();
  a.u32("type_server_bytes", d.type_server_bytes, kCount);
  a.u32("type_server_index", d.type_server_index);
  const std::size_t debug_header_at = a.position();
  a.u32("debug_header_bytes", d.debug_header_bytes, kCount);
  const std::size_t edit_at = a.position();
  a.u32("edit_bytes", d.edit_bytes, kCount);
  a.u16("flags", d.flags, kHex);
  a.u16("machine", d.machine, kHex);
  a.u32("reserved", d.reserved);

  // A run of the stream that f reads, if `member` is in the document; what it leaves is unknown. A document cannot tell that.
  const auto run = [&a](const char* name, std::size_t bytes_at, std::uint32_t bytes, const char* member, auto&& f) {
    if (!a.ok()) return;
    const std::size_t from = a.position();
    if constexpr (kMakesStream<Archive>) {
      if (a.has(member)) f(from);
      return set_size<std::uint32_t>(a, bytes_at, a.position() - from);
    } else {
      if (bytes == 0) return;
      if (Archive::kReads && bytes > a.rest())
        return a.fail(ErrorCode::truncated, name, std::to_string(bytes) + " bytes needed, " + std::to_string(a.rest()) + " left");
      const std::size_t end = from + bytes;
      f(end);
      if (!a.ok() || !Archive::kReads) return;
      if (a.position() > end) return a.fail(ErrorCode::overlap, name, "the fields exceed the substream");
      if (a.position() == end) return;
      if (kTellsStream<Archive>) return a.fail(ErrorCode::unsupported, name, "unknown bytes");
      View rest;
      const std::size_t left = end - a.position();
      a.raw(left < 4 ? "padding" : "unknown", rest, left, left < 4 ? kPadding : kUnknown);
    }
  };
  run("module_bytes", module_at, d.module_bytes, "modules", [&](std::size_t end) {
    while (more(a, "modules", static_cast<std::uint32_t>(d.modules.size()), left_until(a, end) >= 66))
      a.group("modules", static_cast<std::uint32_t>(d.modules.size()), [&] { describe(a, d.modules.emplace_back(), d.sizes); });
  });
  run("contribution_bytes", contribution_at, d.contribution_bytes, "contribution_version", [&](std::size_t end) {
    std::uint32_t version = 0;
    a.u32("contribution_version", version, kHex);
    if (version != 0xf12eba2d) return;  // the first version: no other is written any more
    std::vector<SectionContribution> contributions;
    a.records("contributions", contributions, left_until(a, end) / 28, 28);
  });
  run("section_map_bytes", section_map_at, d.section_map_bytes, "section_count", [&](std::size_t end) {
    std::uint16_t count = 0;
    std::uint16_t logical_count = 0;
    a.u16("section_count", count);
    a.u16("logical_section_count", logical_count);
    std::vector<SectionMapEntry> map;
    a.records("section_map", map, left_until(a, end) / 20, 20);
  });
  run("file_info_bytes", file_info_at, d.file_info_bytes, "module_indices", [&](std::size_t end) {
    std::uint16_t module_count = 0;
    std::uint16_t file_count = 0;
    View indices;
    View counts;
    View list;
    counted(a, "module_count", module_count, "module_indices");
    a.u16("file_count", file_count);
    u16_list(a, "module_indices", indices, module_count);
    u16_list(a, "module_file_counts", counts, module_count);
    expect_size(a, "module_file_counts", counts, std::size_t{module_count} * 2, 2);
    std::size_t names = 0;
    for (std::size_t i = 0; i < counts.size() / 2; ++i) names += counts.u16(i * 2).value_or(0);
    u32_list(a, "file_name_offsets", list, names);
    expect_size(a, "file_name_offsets", list, names * 4, 4);
    stream_texts(a, "file_names", list, left_until(a, end));
  });
  run("type_server_bytes", type_server_at, d.type_server_bytes, "type_servers", [&](std::size_t end) {
    View bytes;
    a.raw("type_servers", bytes, left_until(a, end));
  });
  run("edit_bytes", edit_at, d.edit_bytes, "edit_strings", [&](std::size_t) {
    StringTable table;
    a.record("edit_strings", table);
  });
  run("debug_header_bytes", debug_header_at, d.debug_header_bytes, "debug_streams",
      [&](std::size_t end) { u16_list(a, "debug_streams", d.debug_header, left_until(a, end) / 2); });
}

/// The hash of global or public symbols: it follows from their names (symbol_hash()).
struct SymbolHash {
  std::uint32_t signature = 0;
  std::uint32_t version = 0;
  std::uint32_t record_bytes = 0;
  std::uint32_t bucket_bytes = 0;
  View records;
  View buckets;
};
template <class Archive>
void describe(Archive& a, SymbolHash& h) {
  a.expect32("signature", 0xffffffff);
  a.u32("version", h.version, kHex);
  const std::size_t record_at = a.position();
  a.u32("record_bytes", h.record_bytes, kCount);
  const std::size_t bucket_at = a.position();
  a.u32("bucket_bytes", h.bucket_bytes, kCount);
  u32_list(a, "records", h.records, h.record_bytes / 4, true);
  u32_list(a, "buckets", h.buckets, h.bucket_bytes / 4, true);
  set_size<std::uint32_t>(a, record_at, h.records.size());
  set_size<std::uint32_t>(a, bucket_at, h.buckets.size());
}

/// The stream of public symbols: a header of 28 bytes, the hash, the address map.
struct PublicSymbols {
  std::uint32_t hash_bytes = 0;
  std::uint32_t address_bytes = 0;
  std::uint32_t thunk_count = 0;
  std::uint32_t thunk_bytes = 0;
  std::uint16_t thunk_section = 0;
  std::uint16_t padding = 0;
  std::uint32_t thunk_table = 0;
  std::uint32_t section_count = 0;
  SymbolHash hash;
  View addresses;
};
template <class Archive>
void describe(Archive& a, PublicSymbols& p) {
  const std::size_t hash_at = a.position();
  a.u32("hash_bytes", p.hash_bytes, kCount);
  const std::size_t address_at = a.position();
  a.u32("address_bytes", p.address_bytes, kCount);
  a.u32("thunk_count", p.thunk_count);
  a.u32("thunk_bytes", p.thunk_bytes);
  a.u16("thunk_section", p.thunk_section);
  a.u16("reserved", p.padding);
  a.u32("thunk_table", p.thunk_table, kOffset);
  a.u32("section_count", p.section_count);
  const std::size_t from = a.position();
  a.record("hash", p.hash);
  set_size<std::uint32_t>(a, hash_at, a.position() - from);
  u32_list(a, "addresses", p.addresses, p.address_bytes / 4);
  set_size<std::uint32_t>(a, address_at, p.addresses.size());
}

/// An image section header: fxc writes one that stands for the token program. Bytes: 40.
struct SectionHeader {
  View name;
  std::uint32_t virtual_bytes = 0;
  std::uint32_t virtual_address = 0;
  std::uint32_t raw_bytes = 0;
  std::uint32_t raw_offset = 0;
  std::uint32_t relocations = 0;
  std::uint32_t line_numbers = 0;
  std::uint16_t relocation_count = 0;
  std::uint16_t line_count = 0;
  std::uint32_t flags = 0;
};
template <class Archive>
void describe(Archive& a, SectionHeader& h) {
  if constexpr (kIsStreamArchive<Archive>) {
    a.spelled("name", h.name, kSectionNameBytes, kSectionNameSpelling);
  } else {
    a.raw("name", h.name, kSectionNameBytes, kText);
  }
  a.u32("virtual_bytes", h.virtual_bytes);
  a.u32("virtual_address", h.virtual_address, kHex);
  a.u32("raw_bytes", h.raw_bytes);
  a.u32("raw_offset", h.raw_offset, kOffset);
  a.u32("relocations", h.relocations, kOffset);
  a.u32("line_numbers", h.line_numbers, kOffset);
  a.u16("relocation_count", h.relocation_count);
  a.u16("line_count", h.line_count);
  a.u32("flags", h.flags, kHex);
}

/// The stream of symbols that the hashes point into.
struct SymbolStream {};
template <class Archive>
void describe(Archive& a, SymbolStream&) {
  NoVisitor none;
  symbols(a, a.position() + a.rest(), none);
}

/// A source text or other bytes as one field.
struct Whole {
  const char* name;
  const FieldType* type;
  View bytes;
};
template <class Archive>
void describe(Archive& a, Whole& w) {
  if (a.rest() != 0) a.raw(w.name, w.bytes, a.rest(), *w.type);
}

}  // namespace unshade::dxbc::codeview
