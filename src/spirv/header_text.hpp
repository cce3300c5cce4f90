// The comments in front of a listing: printed from a module's header, and read back by the assembler.
#pragma once

#include <optional>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// `; SPIR-V` and the lines below it. With `exact`, also what they do not say: other bits of the version, the byte order, a
/// bound that is too low.
void print_header(const IdTable& ids, bool exact, Text& out);

struct HeaderText {
  Header header;
  bool is_big_endian = false;
  bool is_bound_exact = false;  // the bound is what it says, however large ids are
};

/// What the comments at the start of a text say; nothing when they are not there.
std::optional<HeaderText> read_header(std::string_view text);

}  // namespace unshade::spirv
