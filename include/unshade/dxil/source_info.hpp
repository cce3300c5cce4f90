// SRCI and PDBI: the sources in a debug file. Both may be compressed; the library brings no inflate of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {

/// How to undo zlib: fills `out`, whose size is that of the content, from a zlib stream. False if that fails or the sizes differ.
struct Inflate {
  bool (*run)(std::span<const std::byte> zlib, std::span<std::byte> out, void* user) = nullptr;
  void* user = nullptr;

  explicit operator bool() const { return run != nullptr; }
};

/// How to make a zlib stream: appends it to `out`. False if that fails.
struct Deflate {
  bool (*run)(std::span<const std::byte> content, std::vector<std::byte>& out, void* user) = nullptr;
  void* user = nullptr;

  explicit operator bool() const { return run != nullptr; }
};

struct SourceName {
  std::uint32_t flags = 0;
  std::uint32_t content_bytes = 0;  ///< with the terminating zero
  std::string_view name;
};

struct SourceContent {
  std::uint32_t flags = 0;
  std::string_view content;
};

struct SourceArgument {
  std::string_view name;   ///< without its dash; empty for a value alone, such as the input file
  std::string_view value;  ///< empty for a flag
};

/// Of a section of SRCI: its size, flags and type.
inline constexpr std::uint32_t kSourceHeaderBytes = 8;
/// Bytes of an entry of a section: its header, its text with a terminating zero, and zeros up to a multiple of 4.
constexpr std::uint32_t aligned_entry_bytes(std::size_t header, std::string_view text) {
  return static_cast<std::uint32_t>((header + text.size() + 4) / 4 * 4);
}

/// A section of SRCI.
struct SourceSection {
  std::uint16_t flags = 0;
  SourceInfoSection type = SourceInfoSection::contents;
  View data;  ///< after its 8-byte header, padding included
};

/// The parsed SRCI. Borrows the file's bytes.
struct SourceInfo {
  std::uint16_t flags = 0;
  std::vector<SourceSection> sections;
  View extra;  ///< bytes after the last section
  std::vector<SourceName> names;
  std::vector<SourceContent> contents;  ///< empty while they are compressed and there is no way to inflate them
  std::vector<SourceArgument> arguments;
  Compression compression = Compression::none;             ///< of the contents
  std::shared_ptr<const std::vector<std::byte>> inflated;  ///< what `contents` borrow then
};

/// Reads the part. Errors: truncated; out_of_range; limit if the contents claim to be larger than zlib can make them, or out of
/// proportion to the stream; bad_value if they claim to be larger than the names state, or inflating fails.
/// Source: docs/reference/formats/dxil-parts.md, "SRCI".
Result<SourceInfo> parse_source_info(const dxcontainer::Part& part, Inflate inflate = {});
void record_source_info(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The part's data, from its sections.
std::vector<std::byte> write_source_info(const SourceInfo& info);

/// A source file to be written.
struct SourceText {
  std::string_view name;
  std::string_view content;
};

/// A SRCI of source files and arguments as dxc writes it: names, contents, arguments. Contents are compressed if there is a way to.
/// Errors: limit if names take more than the 65535 bytes that the part can state; bad_value for a text with a zero in it, or if
/// compressing fails.
Result<std::vector<std::byte>> make_source_info(std::span<const SourceText> files, std::span<const SourceArgument> arguments,
                                                Deflate deflate = {});

/// PDBI: a header of 12 bytes, and RDAT with the tables of PDB information, compressed or not.
struct PdbInfoPart {
  std::uint16_t version = 0;
  Compression compression = Compression::none;
  std::uint32_t uncompressed_bytes = 0;
  View data;
  View extra;
};
Result<PdbInfoPart> parse_pdb_info(const dxcontainer::Part& part);
void record_pdb_info(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
std::vector<std::byte> write_pdb_info(const PdbInfoPart& info);

/// The RDAT of a PDBI, for parse_rdat(). Errors: unsupported if it is compressed and there is no way to inflate it; limit, bad_value.
Result<std::vector<std::byte>> inflate_pdb_info(const PdbInfoPart& info, Inflate inflate);

}  // namespace unshade::dxil
