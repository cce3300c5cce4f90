#include <unshade/shader/shader.hpp>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/array_text.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader {

namespace {

constexpr const family::FamilyRow* kFamilies[] = {&family::kDxilFamily, &family::kDxbcFamily, &family::kPicaFamily, &family::kSpirvFamily,
                                                  &family::kVbcFamily};

// The smallest magic that any family has.
constexpr std::size_t kMagicBytes = 4;

/// The family that claims the file, or null. What telling it took to read is in `shader`.
const family::FamilyRow* claimant(Shader& shader) {
  for (const family::FamilyRow* row : kFamilies)
    if (row->claims(shader)) return row;
  return nullptr;
}

/// Why no family claims the file.
Error unclaimed(View file) {
  // A program database is a shader if it holds one.
  if (dxcontainer::is_msf(file))
    if (auto pdb = dxcontainer::find_container_in_pdb(file); !pdb) return std::move(pdb).error();
  if (is_utf16(file)) return {ErrorCode::bad_magic, file.file_offset(), "file", "UTF-16 text: save it as UTF-8"};
  return {ErrorCode::bad_magic, file.file_offset(), "magic", "not a shader binary of a known family"};
}

Error cannot(std::string_view what, const Shader& shader) {
  return {ErrorCode::unsupported, shader.file.file_offset(), "file",
          std::string(what) + " of the family " + std::string(id(shader.family)) + " are not supported"};
}

}  // namespace

std::span<const family::FamilyRow* const> family::families() { return kFamilies; }

const family::FamilyRow* family::find_family(Family family) {
  for (const family::FamilyRow* row : kFamilies)
    if (row->family == family) return row;
  return nullptr;
}

std::string_view id(Family family) {
  const family::FamilyRow* const row = family::find_family(family);
  return row != nullptr ? row->id : "unknown";
}

Family identify(View file) {
  Shader shader;
  shader.file = file;
  const family::FamilyRow* const row = claimant(shader);
  return row != nullptr ? row->family : Family::unknown;
}

Result<Shader> open(View file) {
  if (file.size() > limits::kFileBytes) return Error{ErrorCode::limit, 0, "file", "the file is 2 GiB or larger"};
  if (file.empty()) return Error{ErrorCode::truncated, file.file_offset(), "magic", "the file is empty"};
  if (file.size() < kMagicBytes) return Error{ErrorCode::truncated, file.file_offset(), "magic", "too short for any shader binary"};
  Shader shader;
  shader.file = file;
  const family::FamilyRow* const row = claimant(shader);
  if (row == nullptr) return unclaimed(file);
  shader.family = row->family;
  if (auto opened = row->open(shader); !opened) return std::move(opened).error();
  return shader;
}

Tree annotate(View file) {
  Tree tree(file);
  std::vector<Tree::Region> regions;
  const family::FamilyRow* const row = file.size() > limits::kFileBytes ? nullptr : family::find_family(identify(file));
  if (row != nullptr) {
    row->annotate(file, tree, regions);
  } else if (const auto shader = open(file); !shader) {
    tree.fail(shader.error());
  }
  tree.fill_gaps(regions);
  return tree;
}

Result<void> disassemble(const Shader& shader, Text& out, const ListingOptions& options) {
  const family::FamilyRow* const row = family::find_family(shader.family);
  if (row == nullptr || row->disassemble == nullptr) return cannot("listings", shader);
  return row->disassemble(shader, out, options);
}

Result<void> list_sources(const Shader& shader, Text& out, dxil::Inflate inflate) {
  const family::FamilyRow* const row = family::find_family(shader.family);
  if (row == nullptr || row->list_sources == nullptr)
    return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the file has no debug part"};
  return row->list_sources(shader, out, inflate);
}

Summary summarize(const Shader& shader) {
  Summary summary;
  summary.family = shader.family;
  summary.size = shader.file.size();
  if (const family::FamilyRow* const row = family::find_family(shader.family); row != nullptr) row->summarize(shader, summary);
  return summary;
}

Result<Reflection> reflect(const Shader& shader) {
  const family::FamilyRow* const row = family::find_family(shader.family);
  if (row == nullptr || row->reflect == nullptr) return cannot("reflections", shader);
  return row->reflect(shader);
}

}  // namespace unshade::shader
