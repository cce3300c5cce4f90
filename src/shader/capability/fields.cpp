#include "shader/capability/fields.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <unshade/dxbc/container/document.hpp>
#include <unshade/dxcontainer/part_document.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "shader/family/container.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader::capability {

using dxcontainer::Container;
using dxcontainer::Part;
using dxcontainer::PdbContainer;
using family::open_container;

namespace {

/// Adds the fields of a part, below `group`; false leaves it unknown.
using RecordAnyPart = bool (*)(const Container& container, const Part& part, Tree& tree, std::uint32_t group);

/// Those of a part that means the same in both families, below `group`; one leaf for parts of a known kind that are described nowhere.
/// False leaves it unknown.
bool record_shared_part(const Part& part, Tree& tree, std::uint32_t group) {
  if (const auto* const functions = dxcontainer::find_part_functions(part.fourcc)) {
    functions->record(part, {}, tree, group);
    return true;
  }
  if (dxcontainer::find_part_kind(part.fourcc) == nullptr) return false;
  if (!part.data.empty())
    tree.add({"data", &kBytes, group, static_cast<std::uint32_t>(part.data.file_offset()), static_cast<std::uint32_t>(part.data.size()),
              kNoIndex, 0});
  return true;
}

/// Names the bytes of header, index and parts.
void annotate_container(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions, RecordAnyPart record) {
  if (const auto opened = open_container(shader); !opened) return tree.fail(opened.error());
  const View file = shader.file;
  const dxcontainer::Container& container = *shader.container();
  const auto groups = dxcontainer::record_container(container, tree);
  // Parts that overlap are described once: a part that begins before the end of one described already stays unknown.
  std::vector<std::size_t> order(container.parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return container.parts[a].offset < container.parts[b].offset; });
  std::uint64_t end = 0;
  for (const std::size_t i : order) {
    const Part& part = container.parts[i];
    const auto size = dxcontainer::kPartHeaderBytes + part.data.size();
    regions.push_back({groups[i], static_cast<std::uint32_t>(file.file_offset() + part.offset), static_cast<std::uint32_t>(size)});
    if (part.offset < end) {
      tree.fail({ErrorCode::overlap, file.file_offset() + part.offset, "parts[" + std::to_string(i) + ']',
                 "the part overlaps the previous part"});
      continue;
    }
    end = part.offset + size;
    record(container, part, tree, groups[i]);
  }
}

bool record_dxbc_family_part(const dxcontainer::Container&, const Part& part, Tree& tree, std::uint32_t group) {
  const dxcontainer::PartFunctions* const functions = dxbc::container::find_part_functions(part.fourcc);
  if (functions == nullptr) return record_shared_part(part, tree, group);
  functions->record(part, {}, tree, group);
  return true;
}

void annotate_dxbc(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions) {
  annotate_container(shader, tree, regions, record_dxbc_family_part);
}

bool record_dxil_family_part(const Container& container, const Part& part, Tree& tree, std::uint32_t group) {
  return dxil::record_dxil_part(part, dxil::program_kind(container), tree, group) || record_shared_part(part, tree, group);
}

void annotate_dxil(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::record_bitcode(bitcode->bytes, tree, 0);
  const PdbContainer* const pdb = shader.pdb();
  if (pdb == nullptr) return annotate_container(shader, tree, regions, record_dxil_family_part);
  const auto group = tree.add({"pdb", &kGroup, 0, static_cast<std::uint32_t>(shader.file.file_offset()), 0, kNoIndex, 0});
  dxcontainer::record_pdb(*pdb, tree, group);
  Shader nested;
  nested.file = pdb->view();
  if (pdb->in_one_piece()) return annotate_container(nested, tree, regions, record_dxil_family_part);
  Tree inner(nested.file);
  std::vector<Tree::Region> inner_regions;
  annotate_container(nested, inner, inner_regions, record_dxil_family_part);
  inner.fill_gaps(inner_regions);
  dxcontainer::graft_stream(std::move(inner), pdb->msf(), pdb->msf().streams[pdb->stream()], tree, 0);
}

// Read as far as it goes, whether it opens or not.
void annotate_pica(Shader& shader, Tree& tree, std::vector<Tree::Region>&) { pica::record_shbin(shader.file, tree, 0); }

// Read as far as it goes, whether it opens or not.
void annotate_spirv(Shader& shader, Tree& tree, std::vector<Tree::Region>&) { spirv::record_module(shader.file, tree, 0); }

void annotate_vbc(Shader& shader, Tree& tree, std::vector<Tree::Region>&) { vbc::record(shader.file, tree, 0); }

constexpr FieldsRow kFields[] = {
    {Family::dxbc, annotate_dxbc},   {Family::dxil, annotate_dxil}, {Family::pica, annotate_pica},
    {Family::spirv, annotate_spirv}, {Family::vbc, annotate_vbc},
};

}  // namespace

const FieldsRow& fields_row(Family family) { return family::find_row(kFields, family); }

}  // namespace unshade::shader::capability
