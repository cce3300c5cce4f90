// Programs of the interpreter as text, of modules as text.
#pragma once

#include <string>
#include <string_view>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>
#include <unshade/vm/text.hpp>

namespace unshade::vm::test {

inline std::string listed(std::string_view module, Listing listing, const Options& options = {}) {
  const auto parsed = ir::parse(module);
  if (!parsed) return to_string(parsed.error());
  const auto verified = ir::verify(*parsed);
  for (const Diagnostic& one : verified.diagnostics()) return to_string(one);
  const auto program = prepare(*verified.valid(), options);
  return program ? '\n' + print(*program, listing) : to_string(program.error());
}

}  // namespace unshade::vm::test
