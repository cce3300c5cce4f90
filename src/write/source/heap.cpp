// Resources of a descriptor heap of which the file does not say what they are get types from what is done with them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <unshade/ir/extra.hpp>

#include "write/source/prepare.hpp"

namespace unshade::write::source {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using dxcontainer::ReturnType;
using ir::Id;
using ir::Op;

namespace {

/// A row of the module for one handle, from its uses.
class HeapRow {
 public:
  explicit HeapRow(const ir::Resource& heap) : row_(heap) { row_.kind = ResourceKind::texture; }

  void add(const ir::Inst& inst, std::size_t operand) {
    switch (inst.op) {
      case Op::sample:
      case Op::sample_implicit:
      case Op::gather:
      case Op::query_lod:
        if (operand == 0) return texture(inst);
        row_.kind = ResourceKind::sampler;
        row_.comparison = row_.comparison || ir::TextureExtra(inst.extra).has_reference;
        is_known_ = true;
        return;
      case Op::texel_store:
      case Op::texel_atomic: is_written_ = true; [[fallthrough]];
      case Op::texel_load:
      case Op::query_size:
      case Op::query_levels: return texture(inst);
      case Op::buffer_store:
      case Op::buffer_atomic: is_written_ = true; [[fallthrough]];
      case Op::buffer_load: return buffer(inst);
      default: fits_ = false;
    }
  }
  std::optional<ir::Resource> made() {
    if (!fits_ || !is_known_) return std::nullopt;
    if (is_written_) row_.kind = is_raw_ ? ResourceKind::uav_byte_address : ResourceKind::uav_typed;
    if (is_raw_ && !is_written_) row_.kind = ResourceKind::byte_address;
    if (row_.kind != ResourceKind::sampler && !is_raw_ && row_.return_type == ReturnType::none) row_.return_type = ReturnType::float_;
    return row_;
  }

 private:
  void texture(const ir::Inst& inst) {
    of(ir::TextureExtra(inst.extra).dimension);
    if (inst.op != Op::query_lod && inst.op != Op::query_size && inst.op != Op::query_levels) of(inst.type);
  }
  void buffer(const ir::Inst& inst) {
    const ir::BufferExtra extra(inst.extra);
    if (extra.kind == ir::BufferKind::structured) fits_ = false;
    of(ResourceDimension::buffer);
    if (extra.kind == ir::BufferKind::raw) {
      is_raw_ = true;
    } else {
      of(inst.type);
    }
  }
  void of(ResourceDimension dimension) {
    fits_ = fits_ && (!is_known_ || row_.dimension == dimension);
    row_.dimension = dimension;
    is_known_ = true;
  }
  void of(ir::Type type) {
    const ReturnType is = ir::is_float(type) ? ReturnType::float_ : ReturnType::uint;
    fits_ = fits_ && (row_.return_type == ReturnType::none || row_.return_type == is);
    row_.return_type = is;
  }

  ir::Resource row_;
  bool is_known_ = false, is_written_ = false, is_raw_ = false, fits_ = true;
};

bool is_same_type(const ir::Resource& a, const ir::Resource& b) {
  return a.heap && b.heap && a.kind == b.kind && a.dimension == b.dimension && a.return_type == b.return_type &&
         a.comparison == b.comparison;
}

}  // namespace

bool has_heap_type(const ir::Resource& resource) {
  return resource.kind != ResourceKind::texture || resource.dimension != ResourceDimension::unknown;
}

void type_heap_resources(ir::Module& module) {
  constexpr std::size_t kHandles = 2;  // an operation has a resource, and then a sampler
  for (ir::Function& f : module.functions) {
    std::vector<std::optional<HeapRow>> rows(f.insts.size());
    for (const ir::BlockId block : f.order) {
      for (Id id = f.blocks[block].first; id != ir::kNone; id = f.next[id]) {
        if (f.insts[id].op == Op::handle_from_heap && !has_heap_type(module.resources[f.insts[id].extra]))
          rows[id].emplace(module.resources[f.insts[id].extra]);
        const auto operands = f.operands_of(id);
        for (std::size_t at = 0; at < std::min(operands.size(), kHandles); ++at)
          if (!ir::is_block_operand(f.insts[id].op, at) && operands[at] < rows.size() && rows[operands[at]])
            rows[operands[at]]->add(f.insts[id], at);
      }
    }
    for (Id id = 0; id < rows.size(); ++id) {
      const auto row = rows[id] ? rows[id]->made() : std::nullopt;
      if (!row) continue;
      const auto found = std::ranges::find_if(module.resources, [&](const ir::Resource& one) { return is_same_type(one, *row); });
      f.insts[id].extra = static_cast<std::uint32_t>(found - module.resources.begin());
      if (found == module.resources.end()) module.resources.push_back(*row);
    }
  }
}

}  // namespace unshade::write::source
