// DXIL at the front door.
#include <string_view>

#include "dxbc/validate.hpp"
#include "dxcontainer/validate.hpp"
#include "shader/family.hpp"
#include "shader/family_container.hpp"

namespace unshade::shader {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

// A container whose parts say bitcode.
bool claims_dxil(View file) {
  if (!dxcontainer::is_container(file)) return false;
  const auto container = dxcontainer::parse_container(file);
  return container && container->find_any({fourcc("DXIL"), fourcc("ILDB"), fourcc("PSV0"), fourcc("RDAT"), fourcc("ILDN"), fourcc("PDBI")});
}

RecordPart recorder_of(const Part& part) {
  if (const RecordPart record = shared_recorder(part); record != nullptr) return record;
  return dxcontainer::find_part_kind(part.fourcc) != nullptr ? record_opaque : nullptr;
}

void annotate_dxil(View file, Tree& tree, std::vector<Tree::Region>& regions) { annotate_container(file, tree, regions, recorder_of); }

void summarize_dxil(const Shader& shader, Summary& summary) {
  summarize_container(shader, summary);
  if (const auto* bitcode = shader.container.find_any({fourcc("DXIL"), fourcc("ILDB")})) {
    if (const auto version = bitcode->data.u32(0)) {
      // src: DXC DxilConstants.h, ShaderKind
      constexpr std::string_view kStages[] = {"pixel",    "vertex",         "geometry",      "hull",    "domain",      "compute",
                                              "library",  "ray generation", "intersection",  "any hit", "closest hit", "miss",
                                              "callable", "mesh",           "amplification", "node"};
      constexpr std::string_view kPrefixes[] = {"ps",  "vs",  "gs",  "hs",  "ds",  "cs", "lib", "lib",
                                                "lib", "lib", "lib", "lib", "lib", "ms", "as",  "lib"};
      const std::uint32_t kind = *version >> 16;
      if (kind < std::size(kStages)) {
        summary.stage = kStages[kind];
        Text profile;
        profile << kPrefixes[kind] << '_';
        profile.dec(*version >> 4 & 15) << '_';
        profile.dec(*version & 15);
        summary.profile = profile.str();
      }
    }
  }
}

void validate_dxil(View file, Findings& findings) {
  if (const auto container = dxcontainer::validate_container(file, findings)) dxbc::validate_parts(*container, true, findings);
}

}  // namespace

const FamilyRow kDxilFamily{
    .family = Family::dxil,
    .id = "dxil",
    .claims = claims_dxil,
    .open = open_container,
    .annotate = annotate_dxil,
    .disassemble = nullptr,
    .list_sources = nullptr,
    .summarize = summarize_dxil,
    .reflect = nullptr,
    .validate = validate_dxil,
};

}  // namespace unshade::shader
