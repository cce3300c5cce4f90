// Programs as a line of text for each instruction, and the words that such lines begin with.
#pragma once

#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/sm2.hpp>

namespace unshade::dxbc {

/// The instructions as list_program() prints them, without the lines of tables and without indentation. Errors: those of Decoder.
Result<std::vector<std::string>> instruction_lines(const Program& program);

namespace sm2 {

/// The spellings of an instruction in listings: comparisons, projections and result modifiers are in its token.
std::vector<std::string> mnemonics_of(const OpcodeInfo& info);

/// The instructions of a program as listings have them, without comments; one whose text does not say all of it as `tokens`. Errors:
/// bad_value if the program is no vertex or pixel shader of model 1 to 3.
Result<std::vector<std::string>> instruction_lines(View program);

}  // namespace sm2

}  // namespace unshade::dxbc
