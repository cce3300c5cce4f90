#include <unshade/dxbc/statistics.hpp>

#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxbc/parts/statistics_layout.hpp"

namespace unshade::dxbc {

Result<Statistics> parse_statistics(const dxcontainer::Part& part) { return dxcontainer::parse_model<Statistics>(part); }

void record_statistics(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<Statistics>(part, tree, group);
}

std::vector<std::byte> write_statistics(const Statistics& statistics) { return write_part(statistics); }

}  // namespace unshade::dxbc
