#include <unshade/shader/annotate.hpp>

#include <algorithm>
#include <string>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::shader {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

using Record = void (*)(const Part&, Tree&, std::uint32_t);

// Kept as they are: a part of a known kind whose inside is not described.
void record_opaque(const Part& part, Tree& tree, std::uint32_t group) {
  if (!part.data.empty())
    tree.add({"data", &kBytes, group, static_cast<std::uint32_t>(part.data.file_offset()), static_cast<std::uint32_t>(part.data.size()),
              kNoIndex, 0});
}

Record recorder_of(const Part& part, Family family) {
  if (dxcontainer::is_signature(part.fourcc)) return dxcontainer::record_signature;
  if (dxbc::is_level9(part.fourcc)) return dxbc::record_level9;
  if (dxbc::is_debug_part(part.fourcc)) return dxbc::record_debug_info;
  switch (part.fourcc) {
    case fourcc("SFI0"): return dxcontainer::record_features;
    case fourcc("RTS0"): return dxcontainer::record_root_signature;
    case fourcc("SHDR"):
    case fourcc("SHEX"): return dxbc::record_program;
    case fourcc("RDEF"): return dxbc::record_rdef;
    case fourcc("IFCE"): return dxbc::record_class_linkage;
    // in a DXIL container the part holds a module
    case fourcc("STAT"): return family == Family::dxil ? record_opaque : dxbc::record_statistics;
    default: return dxcontainer::find_part_kind(part.fourcc) != nullptr ? record_opaque : nullptr;
  }
}

}  // namespace

Tree annotate(View file) {
  Tree tree(file);
  if (identify(file) == Family::pica) {
    // Read as far as it goes, whether it opens or not.
    pica::record_shbin(file, tree, 0);
    tree.fill_gaps({});
    return tree;
  }
  const auto shader = open(file);
  if (!shader) {
    tree.fail(shader.error());
    tree.fill_gaps({});
    return tree;
  }
  const auto& container = shader->container;
  const auto groups = dxcontainer::record_container(container, tree);
  std::vector<Tree::Region> regions;
  // Parts that overlap are described once: a part that begins before the end of one described already stays unknown.
  std::vector<std::size_t> order(container.parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return container.parts[a].offset < container.parts[b].offset; });
  std::uint64_t end = 0;
  for (const std::size_t i : order) {
    const Part& part = container.parts[i];
    const auto size = dxcontainer::kPartHeaderBytes + part.data.size();
    regions.push_back({groups[i], static_cast<std::uint32_t>(file.file_offset() + part.offset), static_cast<std::uint32_t>(size)});
    if (part.offset < end) {
      tree.fail(
          {ErrorCode::overlap, file.file_offset() + part.offset, "parts[" + std::to_string(i) + ']', "part overlaps the one before it"});
      continue;
    }
    end = part.offset + size;
    if (const Record record = recorder_of(part, shader->family); record != nullptr) record(part, tree, groups[i]);
  }
  tree.fill_gaps(regions);
  return tree;
}

}  // namespace unshade::shader
