// Bytes of shaders as a database keeps them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::index {

/// Packs bytes if that makes them smaller. Returns how they are packed: `zstd`, `raw`.
std::string_view pack_bytes(View bytes, std::vector<std::byte>& packed);
/// The bytes, of which there are so many; nothing if they are not what was packed, or this build cannot unpack them.
std::optional<std::vector<std::byte>> unpack_bytes(std::string_view form, View packed, std::size_t size);

}  // namespace unshade::index
