// XXH3 is xxHash's own, from its header alone: nothing is linked.
#include <unshade/find/checksums.hpp>

#if defined(UNSHADE_HAS_XXHASH)
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

namespace unshade::find {

#if defined(UNSHADE_HAS_XXHASH)

bool has_xxh3() { return true; }

std::array<std::byte, 16> xxh3_128(View bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.bytes().data(), bytes.size()));
  std::array<std::byte, 16> digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::byte>(canonical.digest[i]);
  return digest;
}

std::uint64_t xxh3_64(View bytes, std::uint64_t seed) { return XXH3_64bits_withSeed(bytes.bytes().data(), bytes.size(), seed); }

#else

bool has_xxh3() { return false; }

std::array<std::byte, 16> xxh3_128(View) { return {}; }

std::uint64_t xxh3_64(View, std::uint64_t) { return 0; }

#endif

}  // namespace unshade::find
