// What is packed in a file.
#include <string>

#include <unshade/unpack/search.hpp>
#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string unpacking(View file) {
  using unpack::FoundShader;
  unpack::Search search;
  search.streams = true;
  const auto found = unpack::search_bytes("file", file, search);
  for (const FoundShader& shader : found.shaders) {
    if (shader.hit.size == 0) return "an empty shader";
    if (shader.layers == nullptr && shader.hit.offset + shader.hit.size > file.file_offset() + file.size())
      return "a hit outside of the file";
    if (shader.layers != nullptr && shader.layers->empty()) return "a shader of no layer";
  }
  for (const auto& fault : found.faults)
    if (fault.error.message.empty()) return "a fault without a message";
  return {};
}

}  // namespace unshade::fuzz
