#include <unshade/index/documents.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace unshade::index {

namespace {

/// A count with its name, as people and JSON get it.
struct Count {
  std::string_view id;
  std::string_view text;
  std::uint64_t Stats::* count;
};
constexpr Count kCounts[] = {
    {"size", "bytes of the database", &Stats::size},
    {"files", "files", &Stats::files},
    {"faults", "files, or archives in them, that could not be read completely", &Stats::faults},
    {"places", "places of shaders", &Stats::places},
    {"shaders", "shaders of different bytes", &Stats::shaders},
    {"bytes", "bytes of them", &Stats::bytes},
    {"gone", "without a place: their files were changed or removed", &Stats::gone},
    {"codes", "different code", &Stats::codes},
    {"programs", "different sequences of opcodes", &Stats::programs},
    {"interfaces", "different interfaces", &Stats::interfaces},
    {"names", "different names", &Stats::names},
};
constexpr std::size_t kCountColumn = 14;

using present::Json;
using present::Paint;
using present::Printer;

void print_place(const FoundPlace& place, Printer& out) {
  out.paint(Paint::heading);
  print_safely(out.text, place.path);
  out.text << place.layers;
  out.paint(Paint::plain) << ":0x";
  out.text.hex(place.offset, 8);
}

}  // namespace

void print_stats(const std::string& path, const Stats& stats, Printer& out) {
  out.paint(Paint::heading);
  print_safely(out.text, path);
  out.paint(Paint::plain) << '\n';
  for (const Count& row : kCounts) out.text.dec(stats.*row.count, kCountColumn) << "  " << row.text << '\n';
  for (const KindCount& kind : stats.kinds) {
    out.text.dec(kind.shaders, kCountColumn) << "  " << kind.family;
    if (!kind.profile.empty()) print_safely(out.text << ' ', kind.profile);
    (out.text << ", ").dec(kind.bytes) << " bytes\n";
  }
}

void write_stats(const std::string& path, const Stats& stats, Json& json) {
  json.object([&] {
    json.member("file", path);
    for (const Count& row : kCounts) json.member(row.id, stats.*row.count);
    json.member("keeps_bytes", stats.keeps.bytes);
    json.member("keeps_words", stats.keeps.listings);
    json.objects("kinds", stats.kinds, [&](const KindCount& kind) {
      json.member("family", kind.family);
      json.text_or_null("profile", kind.profile);
      json.member("shaders", kind.shaders);
      json.member("bytes", kind.bytes);
    });
  });
}

void write_totals(const std::string& path, const Totals& totals, std::span<const present::Fault> faults, Json& json) {
  begin_document(present::Schema::index, json);
  json.member("database", path);
  json.member("files", totals.files);
  json.member("unchanged", totals.unchanged);
  json.member("removed", totals.removed);
  json.member("bytes", totals.bytes);
  json.member("shaders", totals.shaders);
  json.member("new", totals.added);
  write_faults(faults, json);
  end_document(json);
}

void print_merged(const std::string& path, std::uint64_t databases, const Merged& merged, Printer& out) {
  print_safely(out.text, path);
  (out.text << ": ").dec(databases) << (databases == 1 ? " database, " : " databases, ");
  out.text.dec(merged.files) << (merged.files == 1 ? " file, " : " files, ");
  if (merged.replaced != 0) out.text.dec(merged.replaced) << " replaced, ";
  out.text.dec(merged.added) << (merged.added == 1 ? " new shader\n" : " new shaders\n");
}

void write_merged(const std::string& path, std::uint64_t databases, const Merged& merged, Json& json) {
  begin_document(present::Schema::index_merge, json);
  json.member("database", path);
  json.member("databases", databases);
  json.member("files", merged.files);
  json.member("replaced", merged.replaced);
  json.member("new", merged.added);
  end_document(json);
}

void print_found(const Found& found, bool all_places, Printer& out) {
  const FoundRow& row = found.row;
  print_place(row.places.front(), out);
  (out.text << "  ").dec(row.size) << " bytes  ";
  print_safely(out.text, row.family);
  if (!row.profile.empty()) print_safely(out.text << ' ', row.profile);
  if (found.similarity) (out.text << "  ").dec(static_cast<std::uint64_t>(*found.similarity * 100)) << '%';
  if (row.places.size() > 1 && !all_places) (out.text << "  in ").dec(row.places.size()) << " places";
  out.text << '\n';
  for (std::size_t i = 1; all_places && i < row.places.size(); ++i) {
    out.text << "  and ";
    print_place(row.places[i], out);
    out.text << '\n';
  }
  const bool has_context = !std::ranges::all_of(found.lines, &ListedLine::is_match);
  std::size_t before = 0;
  for (const ListedLine& line : found.lines) {
    if (before != 0 && line.number != before + 1 && has_context) out.text << "    --\n";
    before = line.number;
    out.text.dec(line.number, 6) << (line.is_match ? ": " : "- ");
    print_safely(out.text, line.text);
    out.text << '\n';
  }
}

void write_found(const Found& found, Printer& out) {
  const FoundRow& row = found.row;
  Json json(out, Json::Layout::compact);
  begin_document(present::Schema::search, json);
  json.bytes("xxh3", row.xxh3);
  json.member("family", row.family);
  json.text_or_null("stage", row.stage);
  json.text_or_null("profile", row.profile);
  json.text_or_null("creator", row.creator);
  json.member("size", row.size);
  json.key("instructions");
  row.instructions ? json.number(*row.instructions) : json.null();
  json.objects("places", row.places, [&](const FoundPlace& place) {
    json.member("file", place.path);
    json.member("layers", place.layers);
    json.member("offset", place.offset);
    json.member("certainty", place.certainty);
  });
  if (found.similarity) json.key("similarity"), json.real(*found.similarity);
  if (!found.lines.empty()) {
    json.objects("lines", found.lines, [&](const ListedLine& line) {
      json.member("line", std::uint64_t{line.number});
      json.member("text", line.text);
      json.member("match", line.is_match);
    });
  }
  end_document(json);
}

}  // namespace unshade::index
