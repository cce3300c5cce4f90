// Tests as text of the IR: docs/internals/ir_tests.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace unshade::test {

struct IrFault {
  std::size_t line;  ///< of the file, from 1
  std::string expected;
  std::string got;
};

/// What is not as a file says.
struct IrFile {
  std::vector<IrFault> faults;
  std::string blessed;  ///< the file, with what its commands print
};
IrFile check_ir_file(std::string_view text);

}  // namespace unshade::test
