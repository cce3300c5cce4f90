// Names of shaders, and shaders inside any bytes.
#include <algorithm>
#include <string>
#include <vector>

#include <unshade/find/carve.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/shader.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string carving(View file) {
  for (const std::size_t starts : {file.size(), file.size() / 2}) {
    find::Carved carved = find::carve(file, starts, starts == file.size());
    for (const find::Unfinished& begun : carved.unfinished)
      if (begun.offset - file.file_offset() >= starts || starts == file.size()) return "something is unfinished that is not";
    find::nest(carved.hits);
    std::uint64_t before = 0;
    for (const find::Hit& hit : carved.hits) {
      const std::uint64_t at = hit.offset - file.file_offset();
      if (hit.offset < before || at >= starts || hit.size > file.size() - at) return "a hit that is out of order or outside the file";
      before = hit.offset;
      const View bytes = file.clamped(static_cast<std::size_t>(at), static_cast<std::size_t>(hit.size));
      if (const auto shader = shader::open(bytes); !shader || shader->family != hit.family) return "a hit that does not open";
      if (hit.parent && *hit.parent > hit.offset) return "a hit in one that begins after it";
    }
  }
  return {};
}

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
