#include <memory>
#include <utility>
#include <variant>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "shader/family/container.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader::family {

using dxcontainer::fourcc;
using dxcontainer::PdbContainer;

Result<void> open_container(Shader& shader) {
  if (shader.container() != nullptr) return {};
  auto container = dxcontainer::parse_container(shader.file);
  if (!container) return std::move(container).error();
  shader.content = *std::move(container);
  return {};
}

namespace {

bool claims_dxil(Shader& shader) {
  if (dxil::find_bitcode(shader.file)) {
    shader.content = Bitcode{shader.file};
    return true;
  }
  if (dxcontainer::is_msf(shader.file)) {
    auto pdb = dxcontainer::find_container_in_pdb(shader.file);
    if (!pdb) return false;
    shader.content = Database{std::make_shared<const PdbContainer>(*std::move(pdb)), {}};
    return true;
  }
  if (!dxcontainer::is_container(shader.file) || !open_container(shader)) return false;
  // one whose parts say bitcode
  return shader.container()->find_any({fourcc("DXIL"), fourcc("ILDB"), fourcc("PSV0"), fourcc("RDAT"), fourcc("ILDN"), fourcc("PDBI")}) !=
         nullptr;
}

Result<void> open_dxil(Shader& shader) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::check_module_extent(bitcode->bytes);
  auto* const database = std::get_if<Database>(&shader.content);
  if (database == nullptr) return open_container(shader);
  auto container = dxcontainer::parse_container(database->pdb->view());
  if (!container) {
    Error error = std::move(container).error();
    error.offset = database->pdb->file_offset(error.offset);
    return error;
  }
  database->container = *std::move(container);
  return {};
}

bool claims_pica(Shader& shader) {
  const auto first = shader.file.u32(0);
  // DVOB: a misprint of DVOJ in one document, refused by name
  return first == fourcc("DVLB") || first == fourcc("DVOJ") || first == fourcc("DVOB");
}

Result<void> open_pica(Shader& shader) {
  const auto keep = [&](auto parsed) -> Result<void> {
    if (!parsed) return std::move(parsed).error();
    shader.content = *std::move(parsed);
    return {};
  };
  return pica::is_shbin(shader.file) ? keep(pica::parse_shbin(shader.file)) : keep(pica::parse_object(shader.file));
}

Result<void> open_spirv(Shader& shader) {
  auto module = spirv::parse(shader.file);
  if (!module) return std::move(module).error();
  shader.content = *module;
  return {};
}

Result<void> open_vbc(Shader& shader) {
  auto file = vbc::parse(shader.file);
  if (!file) return std::move(file).error();
  shader.content = *std::move(file);
  return {};
}

constexpr FamilyRow kFamilies[] = {
    {
        .family = Family::dxil,
        .id = "dxil",
        .traits = {.file_suffix = ".dxil",
                   .listing_suffix = ".ll",
                   .lists_as_dxc = true,
                   .lists_bitcode = true,
                   .reflects_functions = true,
                   .assembles_containers = true},
        .blank_line_after_listing = true,
        .claims = claims_dxil,
        .open = open_dxil,
    },
    // Containers without any code count as DXBC.
    {
        .family = Family::dxbc,
        .id = "dxbc",
        .traits = {.file_suffix = ".dxbc", .listing_suffix = ".asm", .lists_as_fxc = true, .lists_offsets = true, .lists_bytes = true},
        .element = SourceType::byte,
        .claims = [](Shader& shader) { return dxcontainer::is_container(shader.file); },
        .open = open_container,
    },
    {
        .family = Family::pica,
        .id = "pica",
        .traits = {.file_suffix = ".shbin",
                   .listing_suffix = ".pica",
                   .links = true,
                   .api = GraphicsApi::pica,
                   .has_uniform_registers = true,
                   .lists_offsets = true,
                   .lists_bytes = true,
                   .assembles_sources = true},
        .is_words = true,
        .parts_are_code = true,
        .claims = claims_pica,
        .open = open_pica,
    },
    {
        .family = Family::spirv,
        .id = "spirv",
        .traits = {.file_suffix = ".spv",
                   .listing_suffix = ".spvasm",
                   .api = GraphicsApi::vulkan,
                   .lists_offsets = true,
                   .lists_like_spirv = true,
                   .has_descriptor_sets = true},
        .is_words = true,
        .claims = [](Shader& shader) { return spirv::is_module(shader.file); },
        .open = open_spirv,
    },
    {
        .family = Family::vbc,
        .id = "vbc",
        .traits = {.file_suffix = ".vbc",
                   .holds_stages = true,
                   .api = GraphicsApi::vulkan,
                   .lists_offsets = true,
                   .lists_like_spirv = true,
                   .has_descriptor_sets = true,
                   .has_slots = true},
        .parts_are_code = true,
        .claims = [](Shader& shader) { return vbc::is_vbc(shader.file); },
        .open = open_vbc,
    },
};

}  // namespace

std::span<const FamilyRow> families() { return kFamilies; }

const FamilyRow& row_of(Family family) { return find_row(kFamilies, family); }

Shader claim(View file) {
  Shader shader;
  shader.file = file;
  if (file.size() > limits::kFileBytes) return shader;
  for (const FamilyRow& row : kFamilies)
    if (row.claims(shader)) {
      shader.family = row.family;
      break;
    }
  return shader;
}

}  // namespace unshade::shader::family
