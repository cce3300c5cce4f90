// What other files are packed in, by the first bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/core/view.hpp>

namespace unshade::unpack {

class Budget;
class Feed;
struct ArchiveReader;
struct Range;

/// A form of archive or compressed file.
struct Packing {
  std::string_view id;      ///< `zip`
  std::size_t offset = 0;   ///< of the magic number, in bytes
  std::string_view magic;   ///< bytes
  bool needs_seek = false;  ///< its directory is at its end, so that all of it must be at hand
  /// Whether the file is one, if the magic number is not enough.
  bool (*is)(View head) = nullptr;
  /// Reads its members; see read_archive(), which null stands for.
  void (*read)(Feed& packed, Budget& budget, const ArchiveReader& reader) = nullptr;
  bool holds_streams = false;  ///< its members are searched for compressed streams unasked
  bool has_gaps = false;       ///< its directory says where members lie, so that other bytes may lie before and between them
  /// Reads what members lie in a gap; needs ArchiveReader::covers.
  void (*read_gap)(Feed& packed, const Range& gap, Budget& budget, const ArchiveReader& reader) = nullptr;
};

std::span<const Packing> packings();
/// So many first bytes tell the packing of a file.
inline constexpr std::size_t kPackingHead = 0x8008;
/// The packing of a file that begins with these bytes, or null.
const Packing* packing_of(View head);

/// Whether a file that begins with these bytes holds streams among others, and is searched for them unasked: caches of shaders, assets of
/// Unity.
bool holds_streams(View head);

}  // namespace unshade::unpack
