#include "unpack/streams/blocks.hpp"

#include <zlib.h>

#include <limits>

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4.h>
#include <zstd.h>
#endif

namespace unshade::unpack {

#if defined(UNSHADE_HAS_ARCHIVES)
std::optional<std::size_t> unpack_lz4_block_within(View packed, std::span<std::byte> out) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (packed.size() > kMost || out.size() > kMost) return std::nullopt;
  const int size = LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), reinterpret_cast<char*>(out.data()),
                                       static_cast<int>(packed.size()), static_cast<int>(out.size()));
  return size < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(size));
}

std::optional<std::vector<std::byte>> unpack_zstd_block(View packed, std::size_t most) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > most) return std::nullopt;
  std::vector<std::byte> out(static_cast<std::size_t>(size));
  if (ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()) != out.size()) return std::nullopt;
  return out;
}
#else
std::optional<std::size_t> unpack_lz4_block_within(View, std::span<std::byte>) { return std::nullopt; }
std::optional<std::vector<std::byte>> unpack_zstd_block(View, std::size_t) { return std::nullopt; }
#endif

bool unpack_lz4_block(View packed, std::span<std::byte> out) { return unpack_lz4_block_within(packed, out) == out.size(); }

bool unpack_zlib_block(View packed, std::span<std::byte> out) {
  auto size = static_cast<uLongf>(out.size());
  const int status = uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                                static_cast<uLong>(packed.size()));
  return status == Z_OK && size == out.size();
}

}  // namespace unshade::unpack
