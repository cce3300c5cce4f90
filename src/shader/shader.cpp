#include <unshade/shader/shader.hpp>

#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/other_kind.hpp>

#include "shader/family/family.hpp"
#include "shader/modules.hpp"

namespace unshade::shader {

namespace {

constexpr const family::FamilyRow* kFamilies[] = {&family::kDxilFamily, &family::kDxbcFamily, &family::kPicaFamily, &family::kSpirvFamily,
                                                  &family::kVbcFamily};

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

Error cannot(std::string_view what, const Shader& shader) {
  return {ErrorCode::unsupported, shader.file.file_offset(), "file",
          std::string(what) + " of the family " + std::string(id(shader.family)) + " are not supported"};
}

/// Of a file that is claimed, and may be open.
Tree fields_of(Shader shader) {
  Tree tree(shader.file);
  std::vector<Tree::Region> regions;
  if (const family::FamilyRow& row = family::row_of(shader); row.annotate != nullptr) {
    row.annotate(shader, tree, regions);
  } else if (const auto opened = open(shader.file); !opened) {
    tree.fail(opened.error());
  }
  tree.fill_gaps(regions);
  return tree;
}

/// Of no file.
constexpr family::FamilyRow kUnknownFamily{.family = Family::unknown, .id = "unknown"};

}  // namespace

std::span<const family::FamilyRow* const> family::families() { return kFamilies; }

const family::FamilyRow& family::row_of(Family family) {
  for (const family::FamilyRow* row : kFamilies)
    if (row->family == family) return *row;
  return kUnknownFamily;
}

Shader family::claim(View file) {
  Shader shader;
  shader.file = file;
  if (file.size() > limits::kFileBytes) return shader;
  for (const family::FamilyRow* row : kFamilies)
    if (row->claims(shader)) {
      shader.family = row->family;
      break;
    }
  return shader;
}

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
  for (const family::FamilyRow* row : kFamilies)
    if (row->id == id) return row->family;
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

Tree annotate(View file) { return fields_of(family::claim(file)); }
Tree annotate(const Shader& shader) { return fields_of(shader); }

Result<void> disassemble(const Shader& shader, Text& out, const ListingOptions& options) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.disassemble == nullptr) return cannot("listings", shader);
  return row.disassemble(shader, out, options);
}

Result<void> list_sources(const Shader& shader, Text& out, dxil::Inflate inflate) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.list_sources == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the file has no debug part"};
  return row.list_sources(shader, out, inflate);
}

Summary summarize(const Shader& shader) {
  Summary summary = outline(shader);
  if (const dxcontainer::Container* const container = shader.container()) summary.digest = dxcontainer::check_digest(*container);
  if (const auto count = instruction_count(shader)) summary.instruction_count = static_cast<std::uint32_t>(*count);
  return summary;
}

Summary outline(const Shader& shader) {
  Summary summary;
  summary.family = shader.family;
  summary.size = shader.file.size();
  if (const family::FamilyRow& row = family::row_of(shader); row.summarize != nullptr) row.summarize(shader, summary);
  return summary;
}

Result<Reflection> reflect(const Shader& shader) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.reflect == nullptr) return cannot("reflections", shader);
  auto reflection = row.reflect(shader);
  if (reflection) reflection->family = shader.family;
  return reflection;
}

}  // namespace unshade::shader
