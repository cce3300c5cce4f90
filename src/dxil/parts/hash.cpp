#include <unshade/dxil/parts/hash.hpp>

#include <algorithm>
#include <utility>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxil/parts.hpp>

namespace unshade::dxil::parts {

using dxcontainer::fourcc;

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

bool update_hash(const dxcontainer::Container& before, dxcontainer::ContainerEdit& edit) {
  const auto place = edit.find(dxcontainer::fourcc("HASH"));
  if (!place || !edit.changed()) return false;
  auto hash = parse_hash(edit.part(*place));
  if (!hash) return false;
  for (const std::uint32_t code : {dxcontainer::fourcc("DXIL"), dxcontainer::fourcc("ILDB")}) {
    const dxcontainer::Part* const old_part = before.find(code);
    const auto new_place = edit.find(code);
    if (old_part == nullptr || !new_place || std::ranges::equal(old_part->data.bytes(), edit.data(*new_place).bytes())) continue;
    const auto old_program = parse_program(*old_part);
    const auto new_program = parse_program(edit.part(*new_place));
    if (!old_program || !new_program || dxcontainer::md5(old_program->bitcode) != hash->digest) continue;
    hash->digest = dxcontainer::md5(new_program->bitcode);
    edit.replace(*place, write_hash(*hash));
    return true;
  }
  return false;
}

Result<void> correct_hash(dxcontainer::ContainerEdit& edit) {
  const auto place = edit.find(dxcontainer::fourcc("HASH"));
  const auto program_place = edit.find(dxcontainer::fourcc("DXIL"));
  if (!place || !program_place) return {};
  auto hash = parse_hash(edit.part(*place));
  if (!hash) return std::move(hash).error();
  if (const auto debug_place = edit.find(dxcontainer::fourcc("ILDB"))) {
    const auto debug = parse_program(edit.part(*debug_place));
    if (debug && dxcontainer::md5(debug->bitcode) == hash->digest) return {};
  }
  const auto program = parse_program(edit.part(*program_place));
  if (!program) return program.error();
  const auto digest = dxcontainer::md5(program->bitcode);
  if (digest == hash->digest) return {};
  hash->digest = digest;
  hash->flags &= ~ShaderHash::kIncludesSource;
  edit.replace(*place, write_hash(*hash));
  return {};
}

}  // namespace unshade::dxil
