#include "write/locations.hpp"

#include <algorithm>

#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::write {

using ir::SignatureKind;

Locations::Locations(const ir::Module& module) : module_(module) {
  for (const SignatureKind kind : {SignatureKind::input, SignatureKind::output, SignatureKind::patch})
    if (std::ranges::any_of(module.signatures.of(kind), [](const ir::Element& one) { return !one.variable.empty(); })) return;
  const bool has_patch = module.stage == Stage::hull || module.stage == Stage::domain || module.stage == Stage::mesh;
  const auto end = [](const ir::Element& one) { return one.first_register == ir::kNone ? 0 : one.first_register + one.rows; };
  if (has_patch) {
    for (const ir::Element& one : module.stage == Stage::domain ? module.signatures.input : module.signatures.output)
      first_of_patch_ = std::max(first_of_patch_, end(one));
  }
  if (module.stage != Stage::geometry) return;
  std::array<std::uint32_t, 4> ends{};
  for (const ir::Element& one : module.signatures.output) ends[one.stream & 3] = std::max(ends[one.stream & 3], end(one));
  for (std::size_t stream = 1; stream < ends.size(); ++stream) first_of_stream_[stream] = first_of_stream_[stream - 1] + ends[stream - 1];
}

std::uint32_t Locations::of(SignatureKind kind, std::uint32_t at) const {
  const ir::Element& element = module_.signatures.of(kind)[at];
  if (element.system_value == dxcontainer::SystemValue::target) return element.semantic_index;
  std::uint32_t first = 0;
  if (kind == SignatureKind::patch) first = first_of_patch_;
  if (kind == SignatureKind::output && module_.stage == Stage::geometry) first = first_of_stream_[element.stream & 3];
  return first + (element.first_register == ir::kNone ? at : element.first_register);
}

std::uint32_t vertices_of_elements(const ir::Module& module, SignatureKind kind) {
  const ir::StageInfo& info = module.info;
  if (kind == SignatureKind::patch) return module.stage == Stage::mesh ? std::max(1U, info.max_primitives) : 0;
  switch (module.stage) {
    case Stage::geometry: return kind == SignatureKind::input ? std::max(1U, dxcontainer::vertices_of(info.input_primitive)) : 0;
    case Stage::domain: return kind == SignatureKind::input ? std::max(1U, info.input_points) : 0;
    case Stage::hull: return kind == SignatureKind::input ? std::max(1U, info.input_points) : std::max(1U, info.output_points);
    case Stage::mesh: return kind == SignatureKind::output ? std::max(1U, info.max_vertices) : 0;
    default: return 0;
  }
}

std::uint32_t most_vertices(const ir::Structured& in) {
  constexpr std::uint32_t kLeastLimit = 256;  // maxGeometryOutputVertices
  const ir::Module& module = *in.module;
  if (module.info.max_vertices != 0) return module.info.max_vertices;
  std::uint32_t emits = 0;
  bool has_loops = false;
  for (std::size_t at = 0; at < module.functions.size(); ++at) {
    const ir::Function& function = module.functions[at];
    has_loops |= std::ranges::any_of(in.trees[at].nodes, [](const ir::Node& node) { return node.kind == ir::NodeKind::loop; });
    for (const ir::BlockId block : function.order)
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id])
        emits += function.insts[id].op == ir::Op::emit ? 1 : 0;
  }
  return has_loops ? kLeastLimit : std::clamp(emits, 1U, kLeastLimit);
}

}  // namespace unshade::write
