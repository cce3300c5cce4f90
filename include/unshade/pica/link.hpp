// Programs put together and taken apart: several files into one, one executable out of a file.
#pragma once

#include <cstddef>
#include <span>

#include <unshade/core/result.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// One file with the executables of all, in their order. The first file stays as it is; of the others,
/// - descriptors are shared as picasso shares them between sources: one serves every instruction that agrees with it in the bits it depends
///   on (and in bit 31 and the second word). Those that no word names are left out;
/// - code that is in the files before is left out: all of it, or single procedures and programs, if nothing but calls leads from one
/// to
///   another. Words are the same when their operands and what they call are, whatever the numbers of their descriptors;
/// - descriptors that mad names come to lie below 32 if they would not.
/// The version is the first file's. The result has no places: write_shbin() lays it out as picasso does.
/// Errors: limit if code or descriptors are more than words can name; missing if code names a descriptor that its file lacks. The
/// path leads to the word: `files[1]/code[12]/descriptor`.
Result<Shbin> link(std::span<const Shbin> files);

/// An object as a file of one executable that begins with its first word and ends with its last. Its relocations, whose meaning is not
/// known, are left out. guess: nothing else has to be done to link an object; unverified against the vendor's linker.
Shbin from_object(const Object& object);

/// A file with one executable, the words that it can reach, and the descriptors that these name.
/// Errors: missing if there is no executable of this number.
Result<Shbin> take_executable(const Shbin& file, std::size_t index);

}  // namespace unshade::pica
