#include "shader/capability/edits.hpp"

#include "shader/edit/edits.hpp"
#include "shader/edit/resource_definitions.hpp"
#include "shader/family/family.hpp"
#include "shader/sources/sources.hpp"

namespace unshade::shader::capability {

namespace {

constexpr EditRow kEdits[] = {
    {
        .family = Family::dxbc,
        .strip = edit::strip_dxbc,
        .rename = edit::rename_dxbc,
        .rebind = edit::rebind_dxbc,
        .sign = edit::sign_container,
        .change_parts = edit::change_container_parts,
        .restore_definitions = edit::restore_dxbc_definitions,
        .make_definitions = edit::make_dxbc_definitions,
        .holds_no_sources = "DXBC sources are part of SPDB or SDBG, whose line and symbol tables only the compiler makes (/Zi)",
    },
    {
        .family = Family::dxil,
        .strip = edit::strip_dxil,
        .rename = edit::rename_dxil,
        .rebind = edit::rebind_dxil,
        .sign = edit::sign_container,
        .change_parts = edit::change_container_parts,
        .embed_sources = sources::embed_in_dxil,
    },
    {
        .family = Family::pica,
        .strip = edit::strip_pica,
        .rename = edit::rename_pica,
        .rebind = edit::rebind_pica,
        .holds_no_sources = "SHBIN files and objects cannot contain sources: their line tables only name files",
    },
    {
        .family = Family::spirv,
        .strip = edit::strip_spirv,
        .rename = edit::rename_spirv,
        .rebind = edit::rebind_spirv,
        .embed_sources = sources::embed_in_spirv,
    },
    {
        .family = Family::vbc,
        .strip = edit::strip_vbc,
        .rename = edit::rename_vbc,
        .rebind = edit::rebind_vbc,
        .embed_sources = sources::embed_in_vbc,
    },
};

}  // namespace

const EditRow& edit_row(Family family) { return family::find_row(kEdits, family); }

}  // namespace unshade::shader::capability
