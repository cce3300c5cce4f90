// Files of any size, read in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace unshade::unpack {

/// Part of a regular file; nothing if it cannot be read, or ends before.
std::optional<std::vector<std::byte>> read_part(const std::string& name, std::uint64_t offset, std::size_t bytes);

}  // namespace unshade::unpack
