// Writes a part whose description runs from its first byte to its last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/archive/writer.hpp>

namespace unshade::dxil::parts {

/// The bytes of the part: not padded beyond what the description writes.
template <class T, class... Context>
std::vector<std::byte> write_exact(T model, const Context&... context) {
  Writer writer(std::byte{0});
  describe(writer, model, context...);
  return writer.finish(static_cast<std::uint32_t>(writer.position()));
}

}  // namespace unshade::dxil::parts
