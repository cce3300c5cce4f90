// Checks modules: what the interpreter and writers take for granted. docs/internals/ir.md lists the rules.
#pragma once

#include <span>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// The rules of modules, by id.
std::span<const Rule* const> verification_rules();

/// All findings, each with a path such as `main/^3/%sum`; offsets are 0. Any module may be given, however wrong.
std::vector<Diagnostic> findings_of(const Module& module);
/// The module with its findings; validated if none is an error.
ValidationOutcome<Module> verify(Module module);
/// The module if it verifies. Errors: bad_value, the first finding.
Result<Validated<Module>> verified(Module module);

}  // namespace unshade::ir
