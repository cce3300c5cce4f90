#include "suite/scene/shader_file.hpp"

#include <unshade/shader/assemble.hpp>

namespace unshade::suite {

Result<std::vector<std::byte>> binary_of(std::vector<std::byte> file) {
  if (!shader::may_be_listing(View(file))) return file;
  return shader::binary_of(View(file));
}

}  // namespace unshade::suite
