// What edits of DXBC and DXIL files have in common: they go through the container.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::edit {

/// The container of an opened file, to be edited. Errors: unsupported for one inside of a program database, and for bitcode without a
/// container.
Result<dxcontainer::ContainerEdit> begin_edit(const Shader& shader);

/// Writes it. HASH follows the bitcode, the digest everything.
Result<Edited> finish_edit(const Shader& shader, dxcontainer::ContainerEdit& edit, std::vector<std::string> notes = {});

/// Writes it with the parts that a format's edit made of it. `edit`: as begin_edit() gave it.
Result<Edited> put_parts(const Shader& shader, dxcontainer::ContainerEdit& edit, Result<dxcontainer::PartEdits> made);

/// Begins an edit, has `make` give the parts that change, and writes it. What cannot be edited is refused first.
template <class Make>
Result<Edited> edit_parts(const Shader& shader, Make&& make) {
  auto edit = begin_edit(shader);
  if (!edit) return std::move(edit).error();
  return put_parts(shader, *edit, make(*shader.container()));
}

}  // namespace unshade::shader::edit
