// The text of the interpreter's programs: docs/internals/programs.md, "Text".
#pragma once

#include <cstdint>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::vm {

/// Which of its two orders a program is shown in.
enum class Listing : std::uint8_t {
  slots,      ///< that of the IR, with the values and instructions of the file: what watched runs execute
  scheduled,  ///< in steps: what other runs execute
};

/// The same for a program whatever the instruction set of its kernels. If it cannot be watched, `slots` is a comment that says why.
void print(const Program& program, Listing listing, Text& out);
std::string print(const Program& program, Listing listing = Listing::scheduled);

}  // namespace unshade::vm
