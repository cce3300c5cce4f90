#include "cli/verbs/find/database_counts.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace unshade::cli::verbs {

namespace {

/// A count with its name, as people and JSON get it.
struct Count {
  std::string_view id;
  std::string_view text;
  std::uint64_t database::Stats::* count;
};
constexpr Count kCounts[] = {
    {"size", "bytes of the database", &database::Stats::size},
    {"files", "files", &database::Stats::files},
    {"faults", "files that could not be read to their end, or archives in them", &database::Stats::faults},
    {"places", "places of shaders", &database::Stats::places},
    {"shaders", "shaders of different bytes", &database::Stats::shaders},
    {"bytes", "bytes of them", &database::Stats::bytes},
    {"gone", "without a place: their files have changed or are gone", &database::Stats::gone},
    {"codes", "different code", &database::Stats::codes},
    {"programs", "different sequences of opcodes", &database::Stats::programs},
    {"interfaces", "different interfaces", &database::Stats::interfaces},
    {"names", "different names", &database::Stats::names},
};
constexpr std::size_t kCountColumn = 14;

}  // namespace

void print_stats(const std::string& path, const database::Stats& stats, Printer& out) {
  out.paint(Paint::heading);
  print_safely(out.text, path);
  out.paint(Paint::plain) << '\n';
  for (const Count& row : kCounts) out.text.dec(stats.*row.count, kCountColumn) << "  " << row.text << '\n';
  for (const database::KindCount& kind : stats.kinds) {
    out.text.dec(kind.shaders, kCountColumn) << "  " << kind.family;
    if (!kind.profile.empty()) print_safely(out.text << ' ', kind.profile);
    (out.text << ", ").dec(kind.bytes) << " bytes\n";
  }
}

void write_stats(const std::string& path, const database::Stats& stats, Json& json) {
  json.object([&] {
    json.member("file", path);
    for (const Count& row : kCounts) json.member(row.id, stats.*row.count);
    json.member("keeps_bytes", stats.keeps.bytes);
    json.member("keeps_words", stats.keeps.listings);
    json.objects("kinds", stats.kinds, [&](const database::KindCount& kind) {
      json.member("family", kind.family);
      json.text_or_null("profile", kind.profile);
      json.member("shaders", kind.shaders);
      json.member("bytes", kind.bytes);
    });
  });
}

}  // namespace unshade::cli::verbs
