// Containers that tests take apart and put together again.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>

namespace unshade::test {

/// Writes a little-endian dword where one fits.
inline void put_u32(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t value) {
  if (at > bytes.size() || bytes.size() - at < 4) return;
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

struct LoosePart {
  std::uint32_t fourcc = 0;
  std::vector<std::byte> data;
};

inline std::vector<LoosePart> loose_parts(const dxcontainer::Container& container) {
  std::vector<LoosePart> parts;
  for (const auto& part : container.parts) parts.push_back({part.fourcc, {part.data.bytes().begin(), part.data.bytes().end()}});
  return parts;
}

/// A container with these parts, one behind the other, its digest left zero.
inline std::vector<std::byte> container_of(const std::vector<LoosePart>& parts) {
  std::vector<std::byte> file(dxcontainer::kHeaderBytes + 4 * parts.size());
  put_u32(file, 0, dxcontainer::kMagic);
  put_u32(file, 20, 1);
  put_u32(file, 28, static_cast<std::uint32_t>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t at = file.size();
    put_u32(file, dxcontainer::kHeaderBytes + 4 * i, static_cast<std::uint32_t>(at));
    file.resize(at + dxcontainer::kPartHeaderBytes);
    put_u32(file, at, parts[i].fourcc);
    put_u32(file, at + 4, static_cast<std::uint32_t>(parts[i].data.size()));
    file.insert(file.end(), parts[i].data.begin(), parts[i].data.end());
  }
  put_u32(file, 24, static_cast<std::uint32_t>(file.size()));
  return file;
}

}  // namespace unshade::test
