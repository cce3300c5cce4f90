// The files that a scene names.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/scene/scene.hpp>

#include "scene/drawing.hpp"

namespace unshade::scene {
namespace {

class Names {
 public:
  void add(const Value* name) {
    if (name == nullptr || name->as_text() == nullptr || std::ranges::find(names, *name->as_text()) != names.end()) return;
    names.push_back(*name->as_text());
  }
  /// Members of a map that are files.
  template <std::size_t N>
  void add_members(const Value& map, const std::string_view (&fields)[N]) {
    for (const std::string_view field : fields) add(map.find(field));
  }
  void add_resources(const Value* resources) {
    if (resources == nullptr || resources->as_map() == nullptr) return;
    constexpr std::string_view kFields[] = {"file", "csv", "npy", "image"};
    for (const Value::Member& one : *resources->as_map()) add_members(one.value, kFields);
  }
  void add_pass(const Value& pass) {
    for (const StageName& stage : kStages) {
      const Value* const given = pass.find(stage.name);
      if (given == nullptr) continue;
      add(given->as_map() == nullptr ? given : given->find("file"));
      add_resources(given->find("resources"));
    }
    add_resources(pass.find("resources"));
    const Value* const mesh = pass.find("mesh");
    if (mesh == nullptr) return;
    constexpr std::string_view kFields[] = {"obj", "gltf", "csv"};
    const std::string* const name = mesh->as_text();
    if (name == nullptr) {
      add_members(*mesh, kFields);
    } else if (is_mesh_file(*name)) {
      add(mesh);
    }
  }

  std::vector<std::string> names;
};

}  // namespace

std::vector<std::string> files_of(const Value& scene) {
  Names made;
  made.add_resources(scene.find("resources"));
  const Value* const passes = scene.find("pass");
  if (passes != nullptr && passes->as_list() != nullptr)
    for (const Value& pass : *passes->as_list()) made.add_pass(pass);
  return std::move(made.names);
}

}  // namespace unshade::scene
