// `run(lanes 2, in0.x 1.0 2.0) == out0.x 3.0 4.0`: what a module of the IR must compute. The syntax: docs/internals/ir_tests.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::test {

struct RunFault {
  std::string expected;
  std::string got;
};

/// Runs a module as a line says, in waves of each size that the line and the module allow, watched and not. Nothing if the results are
/// those of the line, bit for bit; a line that cannot be read is a fault too.
std::optional<RunFault> run_ir(std::string_view line, const Validated<ir::Module>& module);

}  // namespace unshade::test
