// A module in the form that reads best: expressions where the file has them.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::write::source {

/// Runs the passes that tear nothing apart, copies the sums that addresses are to each access, and brings vectors together. Errors: those
/// of ir::verified().
Result<Validated<ir::Module>> prepared(ir::Module module);

}  // namespace unshade::write::source
