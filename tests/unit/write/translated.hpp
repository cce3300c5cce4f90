// A module of the IR, and what its translation lowers to.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/suite/equivalence.hpp>
#include <unshade/write/spirv.hpp>
#ifdef UNSHADE_HAS_KHRONOS
#include <unshade/khronos/validate.hpp>
#endif

namespace unshade::write::test {

inline std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::byte> made;
  for (const std::uint32_t word : words)
    for (unsigned k = 0; k < 4; ++k) made.push_back(static_cast<std::byte>(word >> (8 * k)));
  return made;
}

/// What SPIRV-Tools finds; empty where it is not built.
inline std::string invalid(View module) {
  std::string all;
#ifdef UNSHADE_HAS_KHRONOS
  for (const Diagnostic& finding : khronos::validate_module(module))
    if (finding.rule->severity == Severity::error) all += finding.path + ": " + finding.message + '\n';
#else
  static_cast<void>(module);
#endif
  return all;
}

/// The module that a module in canonical form becomes. Errors: those of structured() and to_spirv().
inline Result<std::vector<std::byte>> translated(ir::Module module, const SpirvOptions& options = {}) {
  ir::canonicalize(module);
  auto valid = ir::verified(std::move(module));
  if (!valid) return std::move(valid).error();
  const auto structured = ir::structured(*std::move(valid));
  if (!structured) return structured.error();
  const auto made = to_spirv(*structured, nullptr, options);
  if (!made) return made.error();
  return bytes_of(made->words);
}

/// Why a module and its translation do not compute the same on generated inputs; empty: they do.
inline std::string difference(const ir::Module& module, const SpirvOptions& options = {}, unsigned sets = 16) {
  const auto bytes = translated(module, options);
  if (!bytes) return "refused: " + to_string(bytes.error());
  if (std::string why = invalid(View(*bytes)); !why.empty()) return "not valid: " + why;
  const auto opened = shader::open(View(*bytes));
  if (!opened) return "not read: " + to_string(opened.error());
  const auto first = run::prepare(ir::Module(module));
  const auto second = run::prepare(*opened);
  if (!first || !second) return "not lowered: " + to_string(first ? second.error() : first.error());
  suite::EquivalenceOptions comparing;
  comparing.random = sets;
  const auto done = suite::compare({"the module", *first}, {"its translation", *second}, Value::map(), comparing);
  if (!done) return "not run: " + to_string(done.error());
  if (!done->mismatches.empty()) return done->mismatches.front();
  if (done->sets == 0) return "no set was compared";
  if (!done->difference) return {};
  return done->difference->what + ": " + done->difference->values[0] + ", translated " + done->difference->values[1];
}

}  // namespace unshade::write::test
