#include "amber/write/faces.hpp"

#include <algorithm>
#include <utility>

#include <unshade/ir/extra.hpp>

namespace unshade::amber::writer {
namespace {

/// A scene in which passes cull nothing and front faces are those of Amber.
Value with_faces_of_amber(Value scene) {
  for (Value::Member& member : *scene.as_map()) {
    if (member.key != "pass") continue;
    for (Value& pass : *member.value.as_list()) {
      if (pass.find("compute") != nullptr) continue;
      Value states = pass.find("rasterizer") == nullptr ? Value::map() : *pass.find("rasterizer");
      std::erase_if(*states.as_map(), [](const auto& one) { return one.key == "CullMode" || one.key == "FrontCounterClockwise"; });
      states.add("CullMode", Value::text("NONE"));
      states.add("FrontCounterClockwise", Value::boolean(true));
      std::erase_if(*pass.as_map(), [](const auto& one) { return one.key == "rasterizer"; });
      pass.add("rasterizer", std::move(states));
    }
  }
  return scene;
}

bool same_contents(const scene::Drawn& a, const scene::Drawn& b) {
  const auto same_target = [](const scene::Drawn::Target& x, const scene::Drawn::Target& y) { return x.picture.bytes == y.picture.bytes; };
  const auto same_resource = [](const scene::Drawn::Resource& x, const scene::Drawn::Resource& y) { return x.bytes == y.bytes; };
  return std::ranges::equal(a.targets, b.targets, same_target) && std::ranges::equal(a.resources, b.resources, same_resource);
}

}  // namespace

bool reads_front_face(const ir::Module& module) {
  return std::ranges::any_of(module.functions, [](const ir::Function& function) {
    return std::ranges::any_of(function.insts, [](const ir::Inst& inst) {
      return inst.op == ir::Op::builtin && ir::BuiltinExtra(inst.extra).builtin == ir::Builtin::front_face;
    });
  });
}

Result<bool> sides_matter(const Value& scene, const scene::SceneOptions& drawing) {
  const auto own = scene::draw_scene(scene, drawing);
  if (!own) return own.error();
  const auto other = scene::draw_scene(with_faces_of_amber(scene), drawing);
  return !other || !same_contents(*own, *other);
}

}  // namespace unshade::amber::writer
