// What edits of DXBC and DXIL files have in common: they go through the container.
#pragma once

#include <string>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// The container of an opened file, to be edited. Errors: unsupported for one inside of a program database, and for bitcode without a
/// container.
Result<dxcontainer::ContainerEdit> begin_edit(const Shader& shader);

/// Writes it. HASH follows the bitcode, the digest everything.
Result<Edited> finish_edit(const Shader& shader, dxcontainer::ContainerEdit& edit, std::vector<std::string> notes = {});

/// Writes it with the parts that a format's edit made.
Result<Edited> put_parts(const Shader& shader, Result<dxcontainer::PartEdits> made);

/// StripOptions for DXBC and DXIL: parts are left out, and names in the DXIL module. Errors: unsupported where the only program is the one
/// with debug information, or the container is inside of a program database; those of ContainerEdit::write().
Result<Edited> strip_container(const Shader& shader, const StripOptions& options);

}  // namespace unshade::shader
