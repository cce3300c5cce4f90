// The text of the interpreter's programs: docs/internals/programs.md, "Text".
#pragma once

#include <cstdint>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::vm {

/// Which of its two lists of operations a program is shown by.
enum class Listing : std::uint8_t {
  slots,      ///< in the order of the IR, with the values and instructions of the file: what watched runs execute
  scheduled,  ///< in steps: what other runs execute
};

/// The same for a program whatever the instruction set of its kernels.
void print(const Program& program, Listing listing, Text& out);
std::string print(const Program& program, Listing listing = Listing::scheduled);

}  // namespace unshade::vm
