#include <unshade/dxbc/class_linkage.hpp>

#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxbc/parts/class_linkage_layout.hpp"

namespace unshade::dxbc {

Result<ClassLinkage> parse_class_linkage(const dxcontainer::Part& part) { return dxcontainer::parse_model<ClassLinkage>(part); }

void record_class_linkage(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<ClassLinkage>(part, tree, group);
}

std::vector<std::byte> write_class_linkage(const ClassLinkage& linkage) { return write_part(linkage); }

}  // namespace unshade::dxbc
