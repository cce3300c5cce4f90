// DXContainer: the file that holds both DXBC (token programs) and DXIL (bitcode), as a list of parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxcontainer {

/// The four characters of a part as they are in the file, read as a little-endian integer.
constexpr std::uint32_t fourcc(const char (&text)[5]) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return value;
}

inline constexpr std::uint32_t kMagic = fourcc("DXBC");
inline constexpr std::size_t kHeaderBytes = 32;
inline constexpr std::size_t kPartHeaderBytes = 8;

/// The role of a part in its container.
enum class PartRole : std::uint8_t { other, module, level9, input, output, patch, tokens };
/// Which request of stripping removes a part. Of statistics: beside bitcode the part is reflection.
enum class StripClass : std::uint8_t { never, debug, debug_name, reflection, statistics, private_data, root_signature };
/// What tells the same as the bytes of a part.
enum class PartMeaning : std::uint8_t {
  own,        ///< nothing: other bytes are another meaning
  code,       ///< the instructions
  interface,  ///< the reflection
  none        ///< the part has no meaning of its own: names, sources, hashes, counts
};

/// A kind of part that has a name: a row of parts.def, whose legend says what the columns are.
struct PartKind {
  std::uint32_t fourcc;
  const char* name;  ///< the FourCC as text: the name in paths
  PartRole role;
  StripClass strip;
  PartMeaning meaning;
  bool is_bitcode, has_stream, has_min_precision;
  std::uint8_t token_place, level9_place, module_place;
  std::string_view summary;  ///< what the part holds

  bool is_signature() const { return role >= PartRole::input && role <= PartRole::patch; }
};

/// Every part kind known by name, in no order that matters.
std::span<const PartKind> part_kinds();
/// The kind of a FourCC, or null.
const PartKind* find_part_kind(std::uint32_t fourcc);
/// The role of a FourCC.
PartRole role_of(std::uint32_t fourcc);

/// One part. Borrows the file's bytes.
struct Part {
  std::uint32_t fourcc = 0;
  std::uint32_t offset = 0;  ///< of the part's header, bytes from the start of the container
  View data;                 ///< what follows the 8-byte header

  /// `ISGN`, or `part` if the FourCC is unknown: static text for paths.
  const char* name() const;
};

using Digest = std::array<std::byte, 16>;

/// A parsed container. Borrows the file's bytes; parts are in the order of the part index, whatever their offsets.
struct Container {
  View file;  ///< from the magic to the end of the bytes given, trailing bytes included
  Digest digest{};
  std::uint16_t major_version = 1;
  std::uint16_t minor_version = 0;
  std::uint32_t size = 0;  ///< as the header states it; not above file.size()
  std::vector<Part> parts;

  /// The first part of a kind, or null.
  const Part* find(std::uint32_t fourcc) const;
  /// The part of a role that counts: of several kinds the one that supersedes the others, of several parts of it the first; or null.
  const Part* find(PartRole role) const;
  /// The first part of the kinds given, in their order of preference, or null.
  const Part* find_any(std::initializer_list<std::uint32_t> fourccs) const;
};

/// Whether the bytes begin like a DXContainer.
bool is_container(View file);

/// Reads the header and the part index. Parts may be unaligned, overlap, repeat and be unknown; that is for validation to judge.
/// Errors: bad_magic; truncated if header, index or a part reach beyond the bytes or the stated size; out_of_range if a part's
/// offset lies inside the header and index.
/// Source: docs/reference/formats/dxcontainer.md, "Container".
Result<Container> parse_container(View file);

/// Adds header and part index to a tree, and a group per part, whose indexes in the tree come back in part order.
std::vector<std::uint32_t> record_container(const Container& container, Tree& tree);

}  // namespace unshade::dxcontainer
