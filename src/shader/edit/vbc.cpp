#include "shader/edit/vbc.hpp"

#include <utility>

#include <unshade/vbc/edit.hpp>

#include "shader/edit/names.hpp"

namespace unshade::shader::edit {

Result<Edited> strip_vbc(const Shader& shader, const StripOptions& options) {
  vbc::File file = std::get<vbc::File>(shader.content);
  const vbc::StripOptions how{.debug = options.debug, .reflection = options.reflection, .member_names = options.names};
  if (auto done = vbc::strip(file, how); !done) return std::move(done).error();
  return edited(shader, vbc::write(file));
}

}  // namespace unshade::shader::edit
