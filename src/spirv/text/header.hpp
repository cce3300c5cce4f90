// The comments before a listing: printed from a module's header, and read back by the assembler.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv::text {

/// The generator if a text names no tool: the SPIR-V Tools Assembler, by its number in generators.def. src: observed of spirv-as
inline constexpr std::uint32_t kOwnGenerator = 7U << 16;

/// `; SPIR-V` and the lines below it. With `exact`, also what they do not say: other bits of the version, the byte order, a
/// bound that is too low.
void print_header(const IdTable& ids, bool exact, Text& out);

struct HeaderText {
  Header header;
  bool is_big_endian = false;
  bool has_bound = false;
  bool is_bound_exact = false;  // the bound is what it says, however large ids are
  std::size_t bound_at = 0;     // bytes from the start of the text
};

/// What the comments before the first instruction say; nothing if none of them is `; SPIR-V`, or no line of a header follows it. Lines
/// other than that of the version may be left out, and their order does not matter. The generator of other tools, which has no `; NUMBER`
/// after it, is passed over. Errors: a line that begins as one of these does and goes on otherwise, another comment among them, a line
/// without the title above it; `offset` is the byte of the text, `path` is empty.
Result<std::optional<HeaderText>> read_header(std::string_view text);

/// The first of some lines of comments that reads as one of a header; empty if none does.
std::string_view find_header_line(std::string_view comments);

}  // namespace unshade::spirv::text
