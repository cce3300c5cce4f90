// The descriptions of SRCI and PDBI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxil/source_info.hpp>

#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/rdat_layout.hpp"
#include "dxil/parts/shared_fields.hpp"

namespace unshade::dxil {

// --- what a section holds. A part is written from the bytes of its sections; these are written for new ones ----------------------------

/// Where an entry ends by the size it states.
template <class Archive>
void source_entry_end(Archive& a, std::size_t from, std::uint32_t aligned_bytes) {
  if constexpr (Archive::kReads) {
    if (!a.ok()) return;
    const std::size_t used = a.position() - from;
    if (aligned_bytes < used) return a.fail_at(ErrorCode::bad_value, from, "aligned_bytes", "smaller than the entry");
    if (aligned_bytes > used) a.padding(aligned_bytes - used);
  } else {
    a.align(4);
  }
}

/// A text whose size counts its zero.
template <class Archive>
void source_text(Archive& a, const char* name, std::string_view& text, std::uint32_t size) {
  if (!Archive::kReads) return a.string_here(name, text);
  sized_text(a, name, text, size);
  if (!text.empty() && text.back() == '\0') text.remove_suffix(1);
}

/// Bytes: 16, the name, zeros up to a multiple of 4. src: DXC DxilContainer.h, DxilSourceInfo_SourceNamesEntry
template <class Archive>
void describe(Archive& a, SourceName& n) {
  const std::size_t from = a.position();
  std::uint32_t aligned_bytes = aligned_entry_bytes(16, n.name);
  auto name_bytes = static_cast<std::uint32_t>(n.name.size() + 1);
  a.u32("aligned_bytes", aligned_bytes);
  a.u32("flags", n.flags, kHex);
  a.u32("name_bytes", name_bytes);
  a.u32("content_bytes", n.content_bytes);
  source_text(a, "name", n.name, name_bytes);
  source_entry_end(a, from, aligned_bytes);
}

/// Bytes: 12, the content, zeros up to a multiple of 4. src: DxilSourceInfo_SourceContentsEntry
template <class Archive>
void describe(Archive& a, SourceContent& c) {
  const std::size_t from = a.position();
  std::uint32_t aligned_bytes = aligned_entry_bytes(12, c.content);
  auto content_bytes = static_cast<std::uint32_t>(c.content.size() + 1);
  a.u32("aligned_bytes", aligned_bytes);
  a.u32("flags", c.flags, kHex);
  a.u32("content_bytes", content_bytes);
  source_text(a, "content", c.content, content_bytes);
  source_entry_end(a, from, aligned_bytes);
}

/// Name and value, each with its zero.
template <class Archive>
void describe(Archive& a, SourceArgument& argument) {
  a.string_here("name", argument.name);
  a.string_here("value", argument.value);
}

/// `count` entries of at least `least` bytes.
template <class Archive, class T>
void source_entries(Archive& a, const char* name, std::vector<T>& items, std::uint32_t count, std::size_t least) {
  if constexpr (Archive::kReads) {
    if (a.ok() && count > a.rest() / least)
      return a.fail(ErrorCode::truncated, name,
                    std::to_string(count) + " entries exceed the remaining " + std::to_string(a.rest()) + " bytes");
    items.reserve(count);
    for (std::uint32_t i = 0; i < count && a.ok(); ++i) a.group(name, i, [&] { describe(a, items.emplace_back()); });
  } else {
    a.records(name, items, count, 0);
  }
}

/// Bytes: 10, then the entries. src: DxilSourceInfo_SourceNames
struct SourceNames {
  std::uint32_t flags = 0;
  std::vector<SourceName> names;
  std::uint32_t count = 0;  ///< to be written: how many entries
  View entries;             ///< and their bytes, each padded by itself, as the part's first entry is not aligned to 4
  View padding;
};
template <class Archive>
void describe(Archive& a, SourceNames& s) {
  std::uint32_t count = s.count;
  auto entries_bytes = static_cast<std::uint16_t>(s.entries.size());
  a.u32("flags", s.flags, kHex);
  a.u32("count", count);
  a.u16("entries_bytes", entries_bytes);
  if (!Archive::kReads && !s.entries.empty()) {
    a.raw("names", s.entries, s.entries.size());
  } else {
    source_entries(a, "names", s.names, count, 16);
  }
  parts::rest(a, "padding", s.padding, kPadding);
}

/// The contents, inflated if need be.
struct SourceContents {
  std::uint32_t count = 0;
  std::vector<SourceContent> contents;
  View padding;
};
template <class Archive>
void describe(Archive& a, SourceContents& s) {
  source_entries(a, "contents", s.contents, s.count, 12);
  parts::rest(a, "padding", s.padding, kPadding);
}

/// Bytes: 20, then the entries, compressed or not. src: DxilSourceInfo_SourceContents
struct SourceContentsSection {
  std::uint32_t aligned_bytes = 0;  ///< zero in what dxc writes
  std::uint16_t flags = 0;
  Compression compression = Compression::none;
  std::uint32_t uncompressed_bytes = 0;
  std::uint32_t count = 0;
  View entries;
  View padding;
};
template <class Archive>
void describe(Archive& a, SourceContentsSection& s) {
  auto entries_bytes = static_cast<std::uint32_t>(s.entries.size());
  a.u32("aligned_bytes", s.aligned_bytes);
  a.u16("flags", s.flags, kHex);
  a.enum16("compression", s.compression);
  a.u32("entries_bytes", entries_bytes);
  a.u32("uncompressed_bytes", s.uncompressed_bytes);
  a.u32("count", s.count);
  if constexpr (Archive::kRecords) {
    if (s.compression == Compression::none && entries_bytes <= a.rest()) {
      const std::size_t at = a.position();
      SourceContents contents;
      contents.count = s.count;
      parts::nested(a, a.part().clamped(at, entries_bytes), contents);
      return a.at(at + entries_bytes, [&] { parts::rest(a, "padding", s.padding, kPadding); });
    }
  }
  a.raw("entries", s.entries, entries_bytes);
  parts::rest(a, "padding", s.padding, kPadding);
}

/// Bytes: 12, then the arguments. src: DxilSourceInfo_Args
struct SourceArguments {
  std::uint32_t flags = 0;
  std::vector<SourceArgument> arguments;
  View padding;
};
template <class Archive>
void describe(Archive& a, SourceArguments& s) {
  auto count = static_cast<std::uint32_t>(s.arguments.size());
  std::uint32_t bytes = 0;
  for (const SourceArgument& argument : s.arguments) bytes += static_cast<std::uint32_t>(argument.name.size() + argument.value.size() + 2);
  a.u32("flags", s.flags, kHex);
  a.u32("bytes", bytes);
  a.u32("count", count);
  if (Archive::kReads || s.arguments.empty()) {
    source_entries(a, "arguments", s.arguments, count, 2);
  } else {
    for (SourceArgument& argument : s.arguments) describe(a, argument);  // no two have the same size
  }
  parts::rest(a, "padding", s.padding, kPadding);
}

// --- the part -------------------------------------------------------------------------------------------------------------------------

/// Bytes: 8, then the data. src: DxilSourceInfoSection
template <class Archive>
void describe(Archive& a, SourceSection& s) {
  auto size = static_cast<std::uint32_t>(kSourceHeaderBytes + s.data.size());
  const std::size_t from = a.position();
  a.u32("aligned_bytes", size);
  a.u16("flags", s.flags, kHex);
  a.enum16("type", s.type);
  if constexpr (Archive::kReads) {
    if (!a.ok()) return;
    if (size < kSourceHeaderBytes) return a.fail_at(ErrorCode::bad_value, from, "aligned_bytes", "smaller than the header of a section");
    if (size - kSourceHeaderBytes > a.rest()) return a.fail_at(ErrorCode::truncated, from, "aligned_bytes", "the section exceeds the part");
  }
  if constexpr (Archive::kRecords) {
    s.data = a.part().clamped(from + kSourceHeaderBytes, size - kSourceHeaderBytes);
    const auto as = [&](auto model) { parts::nested(a, s.data, model); };
    switch (s.type) {
      case SourceInfoSection::names: return as(SourceNames{});
      case SourceInfoSection::contents: return as(SourceContentsSection{});
      case SourceInfoSection::arguments: return as(SourceArguments{});
    }
  }
  a.raw("data", s.data, size - kSourceHeaderBytes);
}

/// Bytes: 8, then the sections. src: DxilSourceInfo
template <class Archive>
void describe(Archive& a, SourceInfo& i) {
  std::size_t at = kSourceHeaderBytes;
  for (const SourceSection& section : i.sections) at += kSourceHeaderBytes + section.data.size();
  auto size = static_cast<std::uint32_t>(at);
  auto count = static_cast<std::uint16_t>(i.sections.size());
  a.u32("aligned_bytes", size);
  a.u16("flags", i.flags, kHex);
  a.u16("section_count", count);
  at = kSourceHeaderBytes;
  for (std::uint32_t n = 0; n < count && a.ok(); ++n) {
    if (Archive::kReads) i.sections.emplace_back();
    SourceSection& section = i.sections[n];
    a.at(at, [&] { a.group("sections", n, [&] { describe(a, section); }); });
    at += kSourceHeaderBytes + section.data.size();
  }
  a.at(at, [&] { parts::rest(a, "extra", i.extra, kUnknown); });
}

/// Bytes: 12, then RDAT, compressed or not. src: DXC DxilContainer.h, DxilShaderPDBInfo
template <class Archive>
void describe(Archive& a, PdbInfoPart& p) {
  auto size = static_cast<std::uint32_t>(p.data.size());
  a.u16("version", p.version);
  a.enum16("compression", p.compression);
  a.u32("bytes", size, kCount);
  a.u32("uncompressed_bytes", p.uncompressed_bytes);
  if constexpr (Archive::kRecords) {
    if (p.compression == Compression::none && size <= a.rest()) {
      const std::size_t at = a.position();
      Rdat rdat;
      parts::nested(a, a.part().clamped(at, size), rdat);
      return a.at(at + size, [&] { parts::rest(a, "padding", p.extra, kPadding); });
    }
  }
  a.raw("data", p.data, size);
  parts::rest(a, "padding", p.extra, kPadding);
}

}  // namespace unshade::dxil
