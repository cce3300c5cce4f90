#include <unshade/dxbc/statistics.hpp>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/writer.hpp>

#include "dxbc/parts/statistics_layout.hpp"

namespace unshade::dxbc {

Result<Statistics> parse_statistics(const dxcontainer::Part& part) {
  Statistics statistics;
  if (auto read = read_part(part.data, part.name(), statistics); !read) return std::move(read).error();
  return statistics;
}

void record_statistics(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  Statistics statistics;
  record_part(part.data, part.name(), tree, group, statistics);
}

std::vector<std::byte> write_statistics(const Statistics& statistics) { return write_part(statistics); }

}  // namespace unshade::dxbc
