#include "index/packed_bytes.hpp"

#include <unshade/find/carve.hpp>

#if defined(UNSHADE_HAS_ARCHIVES)
#include <zstd.h>
#endif

namespace unshade::index {

namespace {

constexpr std::string_view kRaw = "raw";
constexpr std::string_view kZstd = "zstd";

}  // namespace

std::string_view pack_bytes(View bytes, std::vector<std::byte>& packed) {
#if defined(UNSHADE_HAS_ARCHIVES)
  constexpr int kLevel = 3;
  packed.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.bytes().data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) == 0 && size < bytes.size()) {
    packed.resize(size);
    return kZstd;
  }
#endif
  packed.assign(bytes.bytes().begin(), bytes.bytes().end());
  return kRaw;
}

std::optional<std::vector<std::byte>> unpack_bytes(std::string_view form, View packed, std::size_t size) {
  if (form == kRaw && packed.size() == size) return std::vector<std::byte>(packed.bytes().begin(), packed.bytes().end());
#if defined(UNSHADE_HAS_ARCHIVES)
  if (form == kZstd && size <= find::kLargestHit) {
    std::vector<std::byte> bytes(size);
    const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), packed.bytes().data(), packed.size());
    if (got == size) return bytes;
  }
#endif
  return std::nullopt;
}

}  // namespace unshade::index
