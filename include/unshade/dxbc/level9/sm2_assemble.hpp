// Direct3D 9 programs as text, a line for each instruction, and back. The text is that of fxc's listings.
//
//   vs_2_x
//   comment 43544142...        ; hexadecimal, without the comment's own token
//   dcl_texcoord1 v1
//   mad oPos.xy, v0.w, c0, v0
//   tokens 0x02000001 ...      ; an instruction whose text does not say all of it
//
// The end token follows from the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxbc::sm2 {

/// Appends the program's text. False if no text gives it back.
bool print_program(Text& out, View program);

/// Bytes of comments that are written as hexadecimal digits in such a text.
std::uint64_t hex_bytes(std::string_view text);

/// The token stream of such a text. Errors: bad_value, with the line as path.
Result<std::vector<std::byte>> assemble_program(std::string_view text);

}  // namespace unshade::dxbc::sm2
