// Makes functions of the IR: instructions at the end of blocks, constants once each, and variables that become values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/core/collections/number_map.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/result.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/texture_operands.hpp>

namespace unshade::ir {

/// What an instruction has beside its operands.
struct InstOptions {
  std::uint32_t extra = 0;
  Flags flags = Flags::none;
  unsigned results = 1;  ///< ignored if the operation's shape has a fixed number
};

/// The constants of a function, each once; also finds those that are there already.
class Constants {
 public:
  explicit Constants(Function& function);
  /// `bits` beyond the type's width are ignored.
  Id get(Type type, std::uint64_t bits);
  Id undef(Type type);

 private:
  struct Key {
    Type type;
    bool defined;
    std::uint64_t bits;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  Id add(const Key& key);

  Function& function_;
  std::unordered_map<Key, Id, Hash> ids_;
};

/// Appends an instruction that is in no block yet.
Id append(Function& function, Op op, Type type, std::span<const std::uint32_t> operands, const InstOptions& options = {});
/// Puts an instruction without a block to the end of a block, or before another instruction. Of `insert_before`, `place` must be in a
/// block.
void insert_at_end(Function& function, BlockId block, Id id);
void insert_before(Function& function, Id place, Id id);
/// Takes an instruction out of its block; its uses stay.
void remove(Function& function, Id id);

/// Builds one function from its entry block on, or adds to one that is there. Blocks stand in Function::order as they are made, until a
/// pass orders them.
class Builder {
 public:
  explicit Builder(Function& function);

  Function& function() { return function_; }

  /// A new block, without instructions. The first is the entry.
  BlockId block();
  /// Instructions go to the end of this block from now on. kNone: nowhere; what is built then is not part of the function.
  void at(BlockId block) { block_ = block; }
  BlockId at() const { return block_; }
  /// True if the block has its terminator.
  bool ended(BlockId block) const;
  /// The origin of what is built from now on.
  void from(Source source) { source_ = source; }
  /// While this lives, what is built is a component of the vectors of its group: 0 is x. Beyond 254 it is none.
  class [[nodiscard]] Component {
   public:
    Component(Builder& builder, std::size_t component) : builder_(builder), before_(builder.source_.component) {
      builder.source_.component = static_cast<std::uint8_t>(component < kNoComponent ? component : kNoComponent);
    }
    ~Component() { builder_.source_.component = before_; }
    Component(const Component&) = delete;
    Component& operator=(const Component&) = delete;

   private:
    Builder& builder_;
    std::uint8_t before_;
  };
  Component component(std::size_t component) { return {*this, component}; }
  /// Says of a value, if it was built from the present origin and has no component, which it is.
  void name_component(Id value, std::size_t component);

  Id constant(Type type, std::uint64_t bits) { return constants_.get(type, bits); }
  Id f32(float value);
  Id f64(double value);
  Id i32(std::uint32_t value) { return constants_.get(Type::i32, value); }
  Id b1(bool value) { return constants_.get(Type::b1, value ? 1 : 0); }
  Id undef(Type type) { return constants_.undef(type); }

  /// An instruction. Operands are as the shape of `op` says; the verifier judges them.
  Id inst(Op op, Type type, std::span<const std::uint32_t> operands, const InstOptions& options = {});
  Id inst(Op op, Type type, std::initializer_list<std::uint32_t> operands, const InstOptions& options = {}) {
    return inst(op, type, std::span<const std::uint32_t>(operands.begin(), operands.size()), options);
  }
  /// An operation on a texture. Which operands there are goes into its extra field; a status is one result more.
  Id texture(Op op, Type type, std::span<const Id> handles, TextureExtra extra, const TextureOperands<Id>& operands,
             const InstOptions& options = {});
  /// Member of a tuple; `type` is the member's.
  Id get(Id tuple, Type type, unsigned member);
  /// The value itself if it has that type, else a bitcast to it: one for all uses, directly after the value. Both types have the same
  /// width.
  Id as(Type type, Id value);
  Type type_of(Id value) const { return result_type(function_, value); }

  /// Whether copied() makes operations from now on.
  void keep_copies(bool keep) { keeps_copies_ = keep; }
  /// The value. If copies are kept, and it is not one of the same origin already, as an operation of its own: what a `mov` is for those who
  /// step through a program.
  Id copied(Id value);

  // Terminators of the block that is built: nothing is added to it after one.
  void jump(BlockId target);
  void branch(Id condition, BlockId if_true, BlockId if_false);
  /// Cases are pairs of a constant and a block.
  void switch_on(Id value, BlockId otherwise, std::span<const std::uint32_t> cases);
  void return_values(std::span<const Id> values = {});
  void unreachable();

 private:
  friend class SsaVariables;
  void edge(BlockId target);

  Function& function_;
  Constants constants_;
  BlockId block_ = kNone;
  Source source_;
  bool keeps_copies_ = false;
  NumberMap<Id> casts_;                             // of value and type
  std::vector<std::vector<BlockId>> predecessors_;  // of each block, as far as terminators are there
};

/// Variables that are assigned in any block and become values and phis. src: Braun et al., "Simple and Efficient Construction of Static
/// Single Assignment Form", CC 2013.
///
/// What is written may have another type of the same width, and is then read with it in blocks that it dominates; a phi has the variable's.
///
/// A block is sealed when all its predecessors have their terminators. finish() replaces phis that turned out to need none, which is why no
/// id may be kept across it.
class SsaVariables {
 public:
  explicit SsaVariables(Builder& builder, std::size_t most_phis = limits::kIrPhis) : builder_(builder), most_phis_(most_phis) {}

  /// A new variable. Reading it before it was written gives undef.
  std::uint32_t declare(Type type);
  Type type_of(std::uint32_t variable) const { return types_[variable]; }
  void write(std::uint32_t variable, Id value) { write(variable, builder_.at(), value); }
  void write(std::uint32_t variable, BlockId block, Id value);
  Id read(std::uint32_t variable) { return read(variable, builder_.at()); }
  Id read(std::uint32_t variable, BlockId block);
  /// No more predecessors come: their terminators are all there.
  void seal(BlockId block);
  /// Seals what is left, links predecessors, and gives phis their operands in that order.
  void finish();
  /// Errors: limit, if more phis are needed than there may be; the function is then not what was written.
  Result<void> check() const;

 private:
  struct Phi {
    std::uint32_t variable;
    BlockId block;
  };
  bool sealed(BlockId block) const { return block < sealed_.size() && sealed_[block]; }
  Id new_phi(std::uint32_t variable, BlockId block);
  Id find(std::uint32_t variable, BlockId block);
  void fill(Id phi);
  void replace_trivial();

  Builder& builder_;
  std::vector<Type> types_;
  NumberMap<Id> values_;                     // of variable and block
  std::vector<std::vector<Id>> incomplete_;  // of unsealed blocks
  std::vector<bool> sealed_;
  std::unordered_map<Id, Phi> phis_;
  std::vector<Id> waiting_;       // phis of sealed blocks without operands yet
  std::vector<BlockId> passed_;   // of find()
  std::vector<BlockId> origins_;  // of fill()
  std::vector<Id> phi_operands_;
  std::size_t most_phis_;
  std::size_t phi_count_ = 0;
  bool overflows_ = false;
};

}  // namespace unshade::ir
