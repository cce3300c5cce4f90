#include <unshade/unpack/zlib.hpp>

#include <zlib.h>

#include <limits>

#include <unshade/core/inflate.hpp>

namespace unshade::unpack {

namespace {

constexpr std::size_t kMost = std::numeric_limits<uInt>::max();

bool run_deflate(std::span<const std::byte> content, std::vector<std::byte>& out, void*) {
  if (content.size() > kMost) return false;
  uLongf size = compressBound(static_cast<uLong>(content.size()));
  const std::size_t before = out.size();
  out.resize(before + size);
  const int status = compress2(reinterpret_cast<Bytef*>(out.data() + before), &size, reinterpret_cast<const Bytef*>(content.data()),
                               static_cast<uLong>(content.size()), Z_DEFAULT_COMPRESSION);
  out.resize(before + size);
  return status == Z_OK;
}

}  // namespace

dxil::Inflate zlib_inflate() {
  return {[](std::span<const std::byte> zlib, std::span<std::byte> out, void*) { return inflate_zlib(zlib, out); }, nullptr};
}
dxil::Deflate zlib_deflate() { return {run_deflate, nullptr}; }

}  // namespace unshade::unpack
