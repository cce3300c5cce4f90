// Pictures in files: textures with levels, layers and blocks in DDS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/result.hpp>

namespace unshade::picture {

/// A texture as texel::Descriptor describes it: the levels of a layer one after the other, then the next layer.
struct Picture {
  std::uint32_t format = 0;  ///< of DXGI_FORMAT
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t depth = 1;
  std::uint32_t layers = 1;
  std::uint32_t levels = 1;
  bool is_cube = false;  ///< layers are faces
  std::vector<std::byte> bytes;
};

/// Bytes that a picture takes; 0 if its format is not known.
std::uint64_t picture_bytes(const Picture& picture);

/// The first level and layer in R8G8B8A8_UNORM; what is sRGB stays as it is stored. Errors: bad_value for formats of integers; truncated.
Result<Picture> as_rgba8(const Picture& picture);

/// A DDS file, with DX10's header or without. src: docs of Direct3D, "Programming Guide for DDS"; DirectXTex, DDS.h
/// Errors: bad_magic, truncated, unsupported for formats that DXGI does not have, limit above 1 GiB.
Result<Picture> read_dds(std::span<const std::byte> file);
/// With DX10's header.
std::vector<std::byte> write_dds(const Picture& picture);

}  // namespace unshade::picture
