#include <unshade/shader/shader.hpp>

#include <memory>
#include <string>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/shader/other_kind.hpp>
#include <unshade/shader/traits.hpp>

#include "shader/family/family.hpp"
#include "shader/modules.hpp"

namespace unshade::shader {

namespace {

// The smallest magic that any family has.
constexpr std::size_t kMagicBytes = 4;

/// Why no family claims the file.
Error unclaimed(View file) {
  // A program database is a shader if it holds one.
  if (dxcontainer::is_msf(file))
    if (auto pdb = dxcontainer::find_container_in_pdb(file); !pdb) return std::move(pdb).error();
  const FileKind* const kind = other_kind(file);
  if (kind == nullptr) return {ErrorCode::bad_magic, file.file_offset(), "magic", "not a shader binary of a known family"};
  if (kind->use == FileUse::decode) return {ErrorCode::bad_magic, file.file_offset(), "file", std::string(kind->name)};
  return {ErrorCode::bad_magic, file.file_offset(), "magic", "not a shader binary but " + std::string(kind->name)};
}

}  // namespace

const dxcontainer::Container* Shader::container() const {
  if (const auto* const database = std::get_if<Database>(&content)) return &database->container;
  return std::get_if<dxcontainer::Container>(&content);
}

std::span<const dxcontainer::Part> Shader::parts() const {
  const dxcontainer::Container* const container = this->container();
  return container != nullptr ? std::span<const dxcontainer::Part>(container->parts) : std::span<const dxcontainer::Part>();
}

const dxcontainer::PdbContainer* Shader::pdb() const {
  const auto* const database = std::get_if<Database>(&content);
  return database != nullptr ? database->pdb.get() : nullptr;
}

std::string_view id(Family family) { return family::row_of(family).id; }

const FamilyTraits& traits_of(Family family) { return family::row_of(family).traits; }

Family family_of(std::string_view id) {
  for (const family::FamilyRow& row : family::families())
    if (row.id == id) return row.family;
  return Family::unknown;
}

Family identify(View file) { return family::claim(file).family; }

Result<Shader> open(View file) {
  if (file.size() > limits::kFileBytes) return Error{ErrorCode::limit, 0, "file", "the file is 2 GiB or larger"};
  if (file.empty()) return Error{ErrorCode::truncated, file.file_offset(), "magic", "the file is empty"};
  if (file.size() < kMagicBytes) return Error{ErrorCode::truncated, file.file_offset(), "magic", "too short for any shader binary"};
  Shader shader = family::claim(file);
  if (shader.family == Family::unknown) return unclaimed(file);
  if (auto opened = family::row_of(shader).open(shader); !opened) return std::move(opened).error();
  // of a database, the bytes of the container need not be the file's own
  shader.modules = std::make_shared<ModuleCache>(shader.container() != nullptr ? shader.container()->file : file);
  return shader;
}

}  // namespace unshade::shader
