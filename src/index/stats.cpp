#include "index/stats.hpp"

#include <unshade/system/file.hpp>

#include "index/schema.hpp"

namespace unshade::index {

Stats stats_of(Connection& database, const std::string& path) {
  const auto count = [&](std::string_view sql) { return static_cast<std::uint64_t>(database.integer(sql)); };
  Stats stats;
  stats.size = system::regular_file_bytes(path).value_or(0);
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

}  // namespace unshade::index
