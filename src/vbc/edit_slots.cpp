#include "vbc/edit_slots.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <unshade/spirv/id_map.hpp>
#include <unshade/spirv/word_writer.hpp>

namespace unshade::vbc {

namespace {

using spirv::Decoration;
using spirv::Opcode;
using spirv::StorageClass;

// Words of instructions.
constexpr std::uint32_t kType = 1, kResult = 2, kPointer = 3, kChainIndex = 4;
constexpr std::uint32_t kTarget = 1, kMember = 2, kMemberDecoration = 3;
constexpr std::uint32_t kStructMembers = 2;

class SlotMover {
 public:
  SlotMover(Stage stage, const spirv::Module& module, const SlotMap& slots, std::uint32_t push_words)
      : module_(module),
        facts_(stage_facts(stage, module)),
        slots_(slots),
        words_(push_words),
        bound_(module.header().bound),
        out_(module) {}

  Result<std::vector<std::byte>> run() {
    const auto same = [&] {
      const auto bytes = module_.bytes().bytes();
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    if (!facts_.push_words) return same();
    if (facts_.has_other_index) return fault("a table is indexed by a value that is not a slot");
    for (const SlotRead& read : facts_.reads)
      if (slots_[read.slot] != read.slot) moving_.emplace(read.result, &read);
    if (moving_.empty() && *facts_.push_words == words_) return same();
    if (!facts_.push_is_uints) return fault("the push constants are not all 32-bit unsigned integers");
    if (bound_ > ~std::uint32_t{0} - kMostNewIds) return fault("the module's id bound is too high to add ids");
    if (auto found = look(); !found) return std::move(found).error();
    write();
    out_.set_bound(bound_);
    return out_.take();
  }

 private:
  /// Two for each read that moves, and a constant for each word and half.
  static constexpr std::uint32_t kMostNewIds = 1U << 20;

  Error fault(const char* message) const { return {ErrorCode::unsupported, 0, std::string(id(facts_.stage)), message}; }

  struct Chain {
    std::uint32_t word = 0;
    std::uint32_t loads = 0;  ///< that go
    bool goes = false;
  };
  struct Load {
    std::uint32_t chain = 0;
    std::uint32_t reads = 0;  ///< that move
    bool goes = false;
  };

  bool is_push(std::uint32_t variable) const {
    const std::uint32_t place = facts_.interface.find_variable(variable);
    return place != spirv::kNone && facts_.interface.variables[place].storage == StorageClass::push_constant;
  }

  Result<void> look() {
    for (const auto& variable : facts_.interface.variables) {
      if (variable.storage != StorageClass::push_constant) continue;
      variable_ = variable.id;
      if (const spirv::Type* const block = facts_.interface.type(variable.type)) block_ = block->id;
    }
    if (2 * moving_.size() + kSlots > kMostNewIds) return fault("the code reads too many slots");
    spirv::IdMap<std::uint32_t> counts;
    bool in_functions = false;
    for (const spirv::Instruction i : module_) {
      // Values of functions are used there; before those, names and decorations tell of them.
      in_functions = in_functions || i.opcode() == Opcode::function;
      const bool tells = i.opcode() == Opcode::name || i.opcode() == Opcode::decorate;
      for (std::uint32_t word = 1; word < i.word_count() && (in_functions || (tells && word == kTarget)); ++word) ++counts[i.word(word)];
      const bool is_chain = i.opcode() == Opcode::access_chain || i.opcode() == Opcode::in_bounds_access_chain;
      if (is_chain && i.word_count() == kChainIndex + 1 && is_push(i.word(kPointer))) {
        const std::uint32_t place = facts_.interface.find_constant(i.word(kChainIndex));
        if (place == spirv::kNone) return fault("the index of a push constant is not a constant");
        const spirv::Constant& index = facts_.interface.constants[place];
        pointer_type_ = i.word(kType);
        if (const spirv::Type* const type = facts_.interface.type(index.type)) index_type_ = type->id;
        chains_[i.word(kResult)] = {static_cast<std::uint32_t>(index.value), 0, false};
      } else if (i.opcode() == Opcode::load && chains_.contains(i.word(kPointer))) {
        word_type_ = i.word(kType);
        loads_[i.word(kResult)] = {i.word(kPointer), 0, false};
      }
      if (i.opcode() == Opcode::constant && i.word_count() == 4) constants_.try_emplace({i.word(kType), i.word(3)}, i.word(kResult));
    }
    if (!moving_.empty() && (pointer_type_ == 0 || word_type_ == 0 || index_type_ == 0))
      return fault("the code does not read push constants");
    // What only the reads that move have need of goes with them.
    for (const auto& [result, read] : moving_)
      if (const auto load = loads_.find(read->word); load != loads_.end()) ++load->second.reads;
    for (auto& [result, load] : loads_) {
      load.goes = load.reads != 0 && counts.get(result) == 1 + load.reads;
      if (load.goes) ++chains_.at(load.chain).loads;
    }
    std::uint32_t kept = 0;
    for (auto& [result, chain] : chains_) {
      chain.goes = chain.loads != 0 && counts.get(result) == 1 + chain.loads;
      if (!chain.goes) kept = std::max(kept, chain.word + 1);
    }
    words_ = std::max(words_, kept);
    return {};
  }

  std::uint32_t constant(std::uint32_t type, std::uint32_t value) {
    const auto [known, is_new] = constants_.try_emplace({type, value}, bound_);
    if (is_new) {
      out_.put_head(Opcode::constant, 4);
      out_.put(type);
      out_.put(bound_++);
      out_.put(value);
    }
    return known->second;
  }

  void write() {
    bool in_functions = false;
    for (const spirv::Instruction i : module_) {
      if (!in_functions && i.opcode() == Opcode::function) {
        in_functions = true;
        for (const auto& [result, read] : moving_) {
          const std::uint8_t to = slots_[read->slot];
          constant(index_type_, to / 2U);
          constant(word_type_, to % 2 == 0 ? kLowHalf : kHalfBits);
        }
      }
      switch (i.opcode()) {
        case Opcode::type_struct: block(i); continue;
        case Opcode::member_name:
        case Opcode::member_decorate: member(i); continue;
        default: break;
      }
      const std::uint32_t result = in_functions && i.word_count() > kResult ? i.word(kResult) : 0;
      if (const auto load = loads_.find(result); load != loads_.end() && load->second.goes && i.opcode() == Opcode::load) continue;
      if (const auto chain = chains_.find(result); chain != chains_.end() && chain->second.goes && i.opcode() != Opcode::load) continue;
      if (const auto read = moving_.find(result); read != moving_.end() && is_read(i))
        put_read(i, slots_[read->second->slot]);
      else
        out_.copy(i);
    }
  }

  static bool is_read(const spirv::Instruction& i) {
    return i.opcode() == Opcode::bitwise_and || i.opcode() == Opcode::shift_right_logical || i.opcode() == Opcode::bit_field_u_extract;
  }

  void put_read(const spirv::Instruction& i, std::uint8_t slot) {
    const std::uint32_t chain = bound_++;
    out_.put_head(Opcode::access_chain, kChainIndex + 1);
    for (const std::uint32_t word : {pointer_type_, chain, variable_, constants_.at({index_type_, slot / 2U})}) out_.put(word);
    const std::uint32_t load = bound_++;
    out_.put_head(Opcode::load, kPointer + 1);
    for (const std::uint32_t word : {word_type_, load, chain}) out_.put(word);
    const bool is_low = slot % 2 == 0;
    out_.put_head(is_low ? Opcode::bitwise_and : Opcode::shift_right_logical, 5);
    for (const std::uint32_t word : {i.word(kType), i.word(kResult), load, constants_.at({word_type_, is_low ? kLowHalf : kHalfBits})})
      out_.put(word);
  }

  void block(const spirv::Instruction& i) {
    const std::uint32_t members = i.word_count() - kStructMembers;
    if (i.word(kTarget) != block_ || members == 0 || members == words_) return out_.copy(i);
    out_.put_head(Opcode::type_struct, kStructMembers + words_);
    out_.put(block_);
    for (std::uint32_t k = 0; k < words_; ++k) out_.put(i.word(kStructMembers + std::min(k, members - 1)));
  }

  void member(const spirv::Instruction& i) {
    if (i.word(kTarget) != block_ || i.word_count() <= kMember) return out_.copy(i);
    const std::uint32_t number = i.word(kMember);
    if (number >= words_) return;
    out_.copy(i);
    const bool is_offset = i.opcode() == Opcode::member_decorate && i.word_count() > kMemberDecoration &&
                           static_cast<Decoration>(i.word(kMemberDecoration)) == Decoration::offset;
    if (!is_offset || number + 1 != *facts_.push_words) return;
    for (std::uint32_t k = number + 1; k < words_; ++k) {
      out_.put_head(Opcode::member_decorate, 5);
      for (const std::uint32_t word : {block_, k, static_cast<std::uint32_t>(Decoration::offset), 4 * k}) out_.put(word);
    }
  }

  static constexpr std::uint32_t kLowHalf = 0xffff;
  static constexpr std::uint32_t kHalfBits = 16;

  const spirv::Module& module_;
  StageFacts facts_;
  const SlotMap& slots_;
  std::uint32_t words_;
  std::uint32_t bound_;
  spirv::WordWriter out_;
  std::uint32_t variable_ = 0, block_ = 0, pointer_type_ = 0, word_type_ = 0, index_type_ = 0;
  std::map<std::uint32_t, const SlotRead*> moving_;  // by result
  std::map<std::uint32_t, Chain> chains_;
  std::map<std::uint32_t, Load> loads_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> constants_;  // by type and value
};

}  // namespace

Result<std::vector<std::byte>> move_slots(Stage stage, const spirv::Module& module, const SlotMap& slots, std::uint32_t push_words) {
  return SlotMover(stage, module, slots, push_words).run();
}

}  // namespace unshade::vbc
