// Bytes as source text: arrays of numbers in C, C++, Rust and languages that write them alike, found and read, or written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>

namespace unshade::shader {

/// An array of numbers, or a string with escapes, in source text.
struct SourceArray {
  /// As it is declared: `g_main`. In nested initialisers `shaders[2].code`; the second of a name `g_main#2`; empty if the text is
  /// nothing but numbers.
  std::string name;
  std::size_t begin = 0;           ///< of what is between the braces, bytes from the start of the text
  std::size_t end = 0;             ///< one past it
  std::size_t count = 0;           ///< numbers, or string literals
  std::uint8_t element_bytes = 1;  ///< 1, 2, 4 or 8: of the type, or if that is unknown, as many as the largest number needs
};

/// What reading an array came to.
struct SourceBytes {
  std::vector<std::byte> bytes;  ///< little-endian; up to the fault if there is one
  Result<void> read;             ///< bad_value and out_of_range: what is no number, or too large for the type; path: `g_main[17]`
};

/// The arrays of at least 16 bytes, in their order. Comments, `#if 0` and other directives are passed over, all other conditionals taken;
/// no macro is expanded. Takes time and memory in proportion to the text; beyond limits::kSourceArrays there are no more.
std::vector<SourceArray> find_source_arrays(std::string_view text);

/// The bytes of one of them.
SourceBytes read_source_array(View text, const SourceArray& array);

enum class SourceLanguage : std::uint8_t { c, cpp, rust };

/// A type of elements, as a language spells it.
enum class SourceType : std::uint8_t {
  byte,           ///< BYTE of Windows; Rust: u8
  unsigned_char,  ///< Rust: u8
  uint8,
  dword,  ///< DWORD of Windows, little-endian; Rust: u32
  uint32,
};

constexpr std::size_t bytes_of(SourceType type) { return type == SourceType::dword || type == SourceType::uint32 ? 4 : 1; }

/// Appends `text` as a comment that nothing in it can end: `#if 0` for C and C++, `//` for Rust. Lines that a compiler would take for more
/// than skipped text (`#endif`, an open `/*`, a backslash at the end, control characters) are put after `//` with what is strange escaped;
/// all others stay as they are.
void write_source_comment(std::string_view text, SourceLanguage language, Text& out);

/// Appends the array. Bytes in C of the type `byte` are written as fxc does, six decimals a line; all else as dxc does, in hexadecimal,
/// twelve bytes or six words a line. The size has to be a multiple of that of the type; the name, an identifier. src: DXC dxclib/dxc.cpp,
/// WriteHeader; observed: fxc 6.3 to 10.1.
void write_source_array(View bytes, std::string_view name, SourceLanguage language, SourceType type, Text& out);

/// `text` as an identifier of all languages here: other characters become `_`, as does what would make it begin with a digit, and reserved
/// words get one after.
std::string source_identifier(std::string_view text);

}  // namespace unshade::shader
