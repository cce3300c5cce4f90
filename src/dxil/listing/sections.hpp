// The sections of dxc's listing that precede the module, a function each. All lines begin with `;`.
//
// Records share texts, so that a small file could make a very long listing: `limit` is the size of the text beyond which nothing more is
// added.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {
struct Module;
struct ProgramMetadata;
struct Rdat;
}  // namespace unshade::dxil

namespace unshade::dxil::listing {

struct DxcStyle;

/// Features, the signature parts, debug name and hash. Errors: those of the parts.
Result<void> list_container_parts(const dxcontainer::Container& container, const DxcStyle& style, std::size_t limit, Text& out);

/// PSV0, as `Pipeline Runtime Information`. Errors: those of the part.
Result<void> list_runtime_info(const dxcontainer::Part& part, ShaderKind kind, const DxcStyle& style, Text& out);

/// The signatures of the entry point, as metadata has them: interpolation, dynamically indexed components.
void list_metadata_signatures(const ProgramMetadata& metadata, std::size_t limit, Text& out);

/// Layouts of constant buffers and structured buffers. `names`: names of structures by type id, if they are not those that the module
/// says.
void list_buffer_definitions(const ProgramMetadata& metadata, std::span<const std::string> names, const DxcStyle& style, std::size_t limit,
                             Text& out);
/// The table of resources.
void list_resource_bindings(const ProgramMetadata& metadata, const DxcStyle& style, std::size_t limit, Text& out);
/// Which outputs depend on the view and on which inputs.
void list_view_id_state(const ProgramMetadata& metadata, Text& out);

/// Subobjects of RDAT, or those that metadata has.
void list_subobjects(const Rdat& rdat, const DxcStyle& style, std::size_t limit, Text& out);
void list_metadata_subobjects(const Module& module, const DxcStyle& style, std::size_t limit, Text& out);

}  // namespace unshade::dxil::listing
