// The one description of a container's header, part index and part headers.
#pragma once

#include <unshade/core/archive/reader.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxcontainer {

struct PartHeader {
  std::uint32_t fourcc = 0;
  std::uint32_t size = 0;
};

struct ContainerHeader {
  View digest;
  std::uint16_t major_version = 1;
  std::uint16_t minor_version = 0;
  std::uint32_t size = 0;
  std::uint32_t part_count = 0;
};

struct PartOffset {
  std::uint32_t offset = 0;
};

/// Bytes: 32. Source: DXC DxilContainer.h, DxilContainerHeader.
template <class Archive>
void describe(Archive& a, ContainerHeader& h) {
  a.expect32("magic", kMagic, kFourCC, ErrorCode::bad_magic);
  a.raw("digest", h.digest, 16);
  a.u16("major_version", h.major_version);
  a.u16("minor_version", h.minor_version);
  a.u32("size", h.size);
  a.u32("part_count", h.part_count);
}

/// Bytes: 4. Offset of a part's header from the start of the container.
template <class Archive>
void describe(Archive& a, PartOffset& o) {
  a.u32("offset", o.offset, kOffset);
}

/// Bytes: 8; the part's data follows.
template <class Archive>
void describe(Archive& a, PartHeader& h) {
  a.u32("fourcc", h.fourcc, kFourCC);
  a.u32("size", h.size);
}

}  // namespace unshade::dxcontainer
