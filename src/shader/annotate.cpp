#include <unshade/shader/annotate.hpp>

#include <utility>
#include <vector>

#include "shader/capability/fields.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader {

namespace {

/// Of a file that is claimed, and may be open.
Tree fields_of(Shader shader) {
  Tree tree(shader.file);
  std::vector<Tree::Region> regions;
  if (const capability::FieldsRow& row = capability::fields_row(shader.family); row.annotate != nullptr) {
    row.annotate(shader, tree, regions);
  } else if (const auto opened = open(shader.file); !opened) {
    tree.fail(opened.error());
  }
  tree.fill_gaps(regions);
  return tree;
}

}  // namespace

Tree annotate(View file) { return fields_of(family::claim(file)); }
Tree annotate(const Shader& shader) { return fields_of(shader); }

}  // namespace unshade::shader
