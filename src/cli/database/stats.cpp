#include "cli/database/stats.hpp"

#include "cli/io/io.hpp"

namespace unshade::cli::database {

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
    {"faults", "files that could not be read to their end, or archives in them", &Stats::faults},
    {"places", "places of shaders", &Stats::places},
    {"shaders", "shaders of different bytes", &Stats::shaders},
    {"bytes", "bytes of them", &Stats::bytes},
    {"gone", "without a place: their files have changed or are gone", &Stats::gone},
    {"codes", "different code", &Stats::codes},
    {"programs", "different sequences of opcodes", &Stats::programs},
    {"interfaces", "different interfaces", &Stats::interfaces},
    {"names", "different names", &Stats::names},
};
constexpr std::size_t kCountColumn = 14;

}  // namespace

Stats stats_of(Connection& database, const std::string& path) {
  const auto count = [&](std::string_view sql) { return static_cast<std::uint64_t>(database.integer(sql)); };
  Stats stats;
  stats.size = Io::file_bytes(path).value_or(0);
  stats.files = count("select count(*) from file");
  stats.faults = count("select count(*) from file where fault is not null");
  stats.places = count("select count(*) from place");
  stats.shaders = count("select count(*) from shader");
  stats.bytes = count("select coalesce(sum(size), 0) from shader");
  stats.gone = count("select count(*) from shader s where not exists (select 1 from place where shader = s.id)");
  stats.codes = count("select count(distinct code) from shader");
  stats.programs = count("select count(*) from program");
  stats.interfaces = count("select count(*) from interface");
  stats.names = count("select count(*) from name");
  stats.keeps = kept_by(database);
  Statement kinds = database.prepare(
      "select k.family, k.profile, count(*), sum(s.size) from shader s join kind k on k.id = s.kind group by 1, 2 order by 3 desc, 1, 2");
  while (kinds.step())
    stats.kinds.push_back({std::string(kinds.text(0)), std::string(kinds.text(1)), static_cast<std::uint64_t>(kinds.integer(2)),
                           static_cast<std::uint64_t>(kinds.integer(3))});
  return stats;
}

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

}  // namespace unshade::cli::database
