// Names of shaders.
#include <algorithm>
#include <string>
#include <vector>

#include <unshade/find/identity.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/shader.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string identities(View file) {
  const auto shader = shader::open(file);
  if (!shader) return {};
  const std::vector<find::Identity> all = find::identities(*shader);
  for (const find::IdentityKind& kind : find::identity_kinds()) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const find::Identity& identity) { return identity.id == kind.id; });
    const auto one = find::identity(*shader, kind.id);
    if (one.has_value() != (found != all.end())) return std::string(kind.id) + ": the name of one kind is not among all";
    if (one && *one != found->value) return std::string(kind.id) + ": a name that differs from itself";
  }
  if (const auto opcodes = shader::opcodes(*shader))
    for (const std::uint32_t opcode : *opcodes)
      if (shader::opcode_text(shader->family, opcode).empty()) return "an opcode without a text";
  return {};
}

}  // namespace unshade::fuzz
