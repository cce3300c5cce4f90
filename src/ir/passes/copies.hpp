// A function that is made of copies of other functions' blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/module.hpp>

#include "ir/operands.hpp"

namespace unshade::ir::passes {

/// What a phi gets of each predecessor.
using Origins = std::vector<std::pair<BlockId, Id>>;

class CopiedFunction {
 public:
  explicit CopiedFunction(const Function& like) : constants_(made_) {
    made_.name = like.name;
    made_.parameters = like.parameters;
    made_.results = like.results;
  }
  CopiedFunction(const CopiedFunction&) = delete;
  CopiedFunction& operator=(const CopiedFunction&) = delete;

  Function& function() { return made_; }

  BlockId new_block() {
    made_.blocks.emplace_back();
    made_.order.push_back(static_cast<BlockId>(made_.blocks.size() - 1));
    return made_.order.back();
  }
  /// An instruction without operands, at the end of a block.
  Id add(BlockId block, Op op, Type type, const InstOptions& options, Source source) {
    const Id id = append(made_, op, type, {}, options);
    if (source.instruction != kNone) {
      made_.sources.resize(made_.insts.size());
      made_.sources[id] = source;
    }
    insert_at_end(made_, block, id);
    return id;
  }
  /// An instruction of another function, likewise; `named`: with its name.
  Id add_like(BlockId block, const Function& from, Id id, bool named) {
    const Inst& inst = from.insts[id];
    const Id made =
        add(block, inst.op, inst.type, {inst.extra, inst.flags, inst.results}, from.sources.empty() ? Source{} : from.sources[id]);
    if (const auto name = from.names.find(id); named && name != from.names.end()) made_.names.emplace(made, name->second);
    return made;
  }
  /// A constant or undefined value of another function.
  Id constant_like(const Function& from, Id id) {
    const Inst& inst = from.insts[id];
    return inst.op == Op::constant ? constants_.get(inst.type, constant_bits(from, id)) : constants_.undef(inst.type);
  }
  void jump(BlockId block, BlockId to, Source source) {
    set_operands(made_, add(block, Op::jump, Type::void_, {}, source), std::span(&to, 1));
  }
  /// Operands of a phi stand in the order of its predecessors.
  void set_origins(Id phi, Origins origins) {
    std::ranges::sort(origins);
    operands_.clear();
    for (const auto& [origin, value] : origins) operands_.push_back(value);
    set_operands(made_, phi, operands_);
  }
  /// When all blocks have their terminators.
  Function finish() && {
    if (!made_.sources.empty()) made_.sources.resize(made_.insts.size());
    link_blocks(made_);
    return std::move(made_);
  }

 private:
  Function made_;
  Constants constants_;
  std::vector<std::uint32_t> operands_;
};

}  // namespace unshade::ir::passes
