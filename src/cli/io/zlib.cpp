#include "cli/io/zlib.hpp"

#include <zlib.h>

#include <limits>

namespace unshade::cli {

namespace {

constexpr std::size_t kMost = std::numeric_limits<uInt>::max();

// Never writes more than the caller's bytes, whatever the stream would make.
bool run_inflate(std::span<const std::byte> zlib, std::span<std::byte> out, void*) {
  if (zlib.size() > kMost || out.size() > kMost) return false;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(zlib.data()));  // zlib does not change its input
  stream.avail_in = static_cast<uInt>(zlib.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool ended = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return ended;
}

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

dxil::Inflate zlib_inflate() { return {run_inflate, nullptr}; }
dxil::Deflate zlib_deflate() { return {run_deflate, nullptr}; }

}  // namespace unshade::cli
