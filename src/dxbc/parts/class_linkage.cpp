#include <unshade/dxbc/class_linkage.hpp>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/writer.hpp>

#include "dxbc/parts/class_linkage_layout.hpp"

namespace unshade::dxbc {

Result<ClassLinkage> parse_class_linkage(const dxcontainer::Part& part) {
  ClassLinkage linkage;
  if (auto read = read_part(part.data, part.name(), linkage); !read) return std::move(read).error();
  return linkage;
}

void record_class_linkage(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  ClassLinkage linkage;
  record_part(part.data, part.name(), tree, group, linkage);
}

std::vector<std::byte> write_class_linkage(const ClassLinkage& linkage) { return write_part(linkage); }

}  // namespace unshade::dxbc
