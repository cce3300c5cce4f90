// Modules of the IR that tests write as text.
#pragma once

#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>

namespace unshade::test {

/// A module after passes; as a lowering gives it before: in canonical form. Errors: those of ir::verified().
inline Result<Validated<ir::Module>> optimized(ir::Module module, unsigned level) {
  ir::canonicalize(module);
  auto valid = ir::verified(std::move(module));
  if (!valid) return std::move(valid).error();
  return ir::optimize(*std::move(valid), level);
}

}  // namespace unshade::test
