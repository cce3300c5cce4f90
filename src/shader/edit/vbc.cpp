#include "shader/edit/vbc.hpp"

#include <algorithm>
#include <utility>

#include <unshade/vbc/edit.hpp>

namespace unshade::shader::edit {

Result<Edited> strip_vbc(const Shader& shader, const StripOptions& options) {
  auto file = vbc::parse(shader.file);
  if (!file) return std::move(file).error();
  const vbc::StripOptions how{.debug = options.debug, .reflection = options.reflection, .member_names = options.names};
  if (auto done = vbc::strip(*file, how); !done) return std::move(done).error();
  Edited edited{vbc::write(*file), false, {}};
  const auto before = shader.file.bytes();
  edited.changed = !std::equal(before.begin(), before.end(), edited.bytes.begin(), edited.bytes.end());
  return edited;
}

}  // namespace unshade::shader::edit
