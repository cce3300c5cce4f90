#include <unshade/shader/listing.hpp>

#include <string>

#include "shader/capability/listing.hpp"

namespace unshade::shader {

Result<void> disassemble(const Shader& shader, Text& out, const ListingOptions& options) {
  const capability::ListingRow& row = capability::listing_row(shader.family);
  if (row.disassemble != nullptr) return row.disassemble(shader, out, options);
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "listings of the family " + std::string(id(shader.family)) + " are not supported"};
}

}  // namespace unshade::shader
