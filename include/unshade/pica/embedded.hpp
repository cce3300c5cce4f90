// DVLBs inside other files: CGFX (.bcsdr, .bcres, .bcmdl), BCH, executables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>

namespace unshade::pica {

/// A DVLB inside a file.
struct Embedded {
  std::uint64_t offset = 0;     ///< bytes from the start of the file
  std::uint32_t bytes = 0;      ///< what a CGFX entry says; else up to the end of the last structure, to a multiple of 4
  std::string name;             ///< of a CGFX entry; else empty
  std::uint64_t reference = 0;  ///< of the entry's size and offset fields, bytes from the start of the file; 0 for none
};

bool is_cgfx(View file);

/// Every DVLB in a file of any kind that is on a multiple of 4 and can be read, by its place; those of CGFX entries with their names.
/// A SHBIN is found in itself.
std::vector<Embedded> find_embedded(View file);

/// Whether bytes can take the place of an embedded DVLB: as they are a DVLB that can be read. Errors: those of parse_shbin.
Result<void> check_replacement(View dvlb);

/// The file with another DVLB in an embedded one's place. What is longer than that goes after the data of a CGFX, whose entry then points
/// there; the old bytes stay, with nothing that points to them. Errors: unsupported if it is longer and no entry can point elsewhere
/// (other kinds of files), or if another block follows the data: they point into it by offsets that no document lists completely, so it
/// cannot be moved; and those of check_replacement.
/// Made from documents alone: no CGFX written by it was tried against the vendor's programs.
Result<std::vector<std::byte>> replace_embedded(View file, const Embedded& embedded, std::span<const std::byte> dvlb);

}  // namespace unshade::pica
