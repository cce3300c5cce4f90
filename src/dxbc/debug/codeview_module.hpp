// The stream of a module: symbols and line tables.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/core/view.hpp>

#include "dxbc/debug/codeview_symbols.hpp"

namespace unshade::dxbc::codeview {

/// DEBUG_S_LINES: one line record. Bytes: 8.
struct Line {
  std::uint32_t code_offset = 0;  // bytes from the offset in the subsection's header
  std::uint32_t bits = 0;
};
template <class Archive>
void describe(Archive& a, Line& l) {
  a.u32("code_offset", l.code_offset, kOffset);
  a.u32("bits", l.bits, kLineBits);
}
/// Columns of one line record. Bytes: 4.
struct Column {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
};
template <class Archive>
void describe(Archive& a, Column& c) {
  a.u16("first", c.first);
  a.u16("last", c.last);
}
/// Lines of one file.
struct LineBlock {
  std::uint32_t file = 0;  // offset of a record in the file checksums
  std::uint32_t count = 0;
  std::uint32_t bytes = 0;
  std::vector<Line> lines;
  std::vector<Column> columns;
};
template <class Archive>
void describe(Archive& a, LineBlock& b, bool has_columns) {
  const std::size_t from = a.position();
  a.u32("file", b.file, kOffset);
  counted(a, "count", b.count, "lines");
  const std::size_t bytes_at = a.position();
  a.u32("bytes", b.bytes, kCount);
  a.records("lines", b.lines, b.count, 8);
  if (has_columns) a.records("columns", b.columns, b.count, 4);
  if (kMakesStream<Archive> && has_columns && b.columns.size() != b.lines.size())
    a.fail(ErrorCode::bad_value, "columns", "the number of columns differs from the number of lines");
  set_size<std::uint32_t>(a, bytes_at, a.position() - from);
  if (a.ok() && Archive::kReads && b.bytes != a.position() - from)
    a.fail_at(ErrorCode::bad_value, from + 8, "bytes", "differs from the size of the lines");
}
struct LinesHeader {
  std::uint32_t code_offset = 0;
  std::uint16_t segment = 0;
  std::uint16_t flags = 0;
  std::uint32_t code_bytes = 0;
};
template <class Archive>
void describe(Archive& a, LinesHeader& h) {
  a.u32("code_offset", h.code_offset, kOffset);
  a.u16("segment", h.segment);
  a.u16("flags", h.flags, kLinesFlags);
  a.u32("code_bytes", h.code_bytes);
}

/// DEBUG_S_FILECHKSMS: one file.
struct FileChecksum {
  std::uint32_t name = 0;  // offset in the string table
  std::uint8_t bytes = 0;
  std::uint8_t kind = 0;
  View checksum;
};
template <class Archive>
void describe(Archive& a, FileChecksum& f) {
  a.u32("name", f.name, kOffset);
  const std::size_t bytes_at = a.position();
  a.u8("checksum_bytes", f.bytes, kCount);
  a.u8("checksum_kind", f.kind, kChecksumKind);
  a.raw("checksum", f.checksum, f.bytes);
  set_size<std::uint8_t>(a, bytes_at, f.checksum.size());
  a.align(4);
}

/// DEBUG_S_INLINEELINES: where a function that was inlined begins.
struct InlineeLine {
  std::uint32_t function = 0;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t extra_count = 0;
  View extra_files;
};
template <class Archive>
void describe(Archive& a, InlineeLine& l, bool has_extra_files) {
  a.u32("function", l.function, kHex);
  a.u32("file", l.file, kOffset);
  a.u32("line", l.line);
  if (!has_extra_files) return;
  counted(a, "extra_file_count", l.extra_count, "extra_files");
  u32_list(a, "extra_files", l.extra_files, l.extra_count);
}

/// A subsection of a module's line tables.
template <class Archive, class Visitor>
void subsection(Archive& a, Visitor& visitor) {
  SubsectionKind kind{};
  std::uint32_t bytes = 0;
  const std::size_t from = a.position();
  a.enum32("kind", kind);
  const std::size_t bytes_at = a.position();
  a.u32("bytes", bytes, kCount);
  if (Archive::kReads && a.ok() && bytes > a.rest())
    return a.fail_at(ErrorCode::truncated, bytes_at, "bytes", "the subsection exceeds the stream");
  const std::size_t start = a.position();
  const std::size_t end = start + bytes;
  switch (kind) {
    case SubsectionKind::lines: {
      LinesHeader header;
      a.record("header", header);
      for (std::uint32_t k = 0; more(a, "files", k, left_until(a, end) >= 12); ++k) {
        LineBlock block;
        a.group("files", k, [&] { describe(a, block, (header.flags & kHasColumns) != 0); });
        if (a.ok()) visitor.on_lines(header, block);
      }
      break;
    }
    case SubsectionKind::file_checksums:
      for (std::uint32_t k = 0; more(a, "files", k, left_until(a, end) >= 6); ++k) {
        FileChecksum file;
        const auto offset = static_cast<std::uint32_t>(a.position() - start);
        a.group("files", k, [&] { describe(a, file); });
        if (a.ok()) visitor.on_file(offset, file);
      }
      break;
    case SubsectionKind::inlinee_lines: {
      std::uint32_t signature = 0;  // 1: with a list of further files
      a.u32("signature", signature);
      for (std::uint32_t k = 0; more(a, "functions", k, left_until(a, end) >= 12); ++k) {
        InlineeLine inlinee;
        a.group("functions", k, [&] { describe(a, inlinee, signature == 1); });
        if (a.ok()) visitor.on_inlinee(inlinee);
      }
      break;
    }
    case SubsectionKind::symbols: symbols(a, end, visitor); break;
    default: break;
  }
  if (!a.ok()) return;
  View rest;
  if constexpr (kMakesStream<Archive>) {
    a.raw("unknown", rest, 0);
    set_size<std::uint32_t>(a, bytes_at, a.position() - start);
  } else {
    if (a.position() > end) return a.fail_at(ErrorCode::overlap, from, "", "the records exceed the subsection");
    if (a.position() < end) a.raw("unknown", rest, end - a.position(), kUnknown);
  }
  a.align(4);
}

/// The symbols, line tables and global references of one module. What makes a module of a document puts its sizes here.
template <class Visitor>
struct Module {
  std::uint32_t symbol_bytes = 0;
  std::uint32_t old_line_bytes = 0;
  std::uint32_t line_bytes = 0;
  Visitor* visitor = nullptr;
};
template <class Archive, class Visitor>
void describe(Archive& a, Module<Visitor>& m) {
  a.expect32("signature", 4);  // CV_SIGNATURE_C13
  const std::size_t symbols_end = m.symbol_bytes;
  symbols(a, symbols_end, *m.visitor);
  if (kMakesStream<Archive>) m.symbol_bytes = static_cast<std::uint32_t>(a.position());
  View old;
  if (kMakesStream<Archive> || m.old_line_bytes != 0) a.raw("old_lines", old, m.old_line_bytes);
  m.old_line_bytes = static_cast<std::uint32_t>(old.size());
  const std::size_t lines_start = a.position();
  const std::size_t lines_end = lines_start + m.line_bytes;
  for (std::uint32_t i = 0; more(a, "subsections", i, left_until(a, lines_end) >= 8); ++i)
    a.group("subsections", i, [&] { subsection(a, *m.visitor); });
  if (kMakesStream<Archive>) m.line_bytes = static_cast<std::uint32_t>(a.position() - lines_start);
  if constexpr (kMakesStream<Archive>) {
    if (!a.has("global_references")) return;
  } else if (!a.ok() || a.rest() < 4) {
    return;
  }
  std::uint32_t bytes = 0;
  View references;
  const std::size_t bytes_at = a.position();
  a.u32("global_reference_bytes", bytes, kCount);
  u32_list(a, "global_references", references, bytes / 4);
  set_size<std::uint32_t>(a, bytes_at, references.size());
}
struct NoModuleVisitor : NoVisitor {
  void on_lines(const LinesHeader&, const LineBlock&) {}
  void on_file(std::uint32_t, const FileChecksum&) {}
  void on_inlinee(const InlineeLine&) {}
};

}  // namespace unshade::dxbc::codeview
