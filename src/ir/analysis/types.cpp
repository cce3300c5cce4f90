#include <unshade/ir/analysis/types.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/texture_operands.hpp>

#include "ir/analysis/minimum_cut.hpp"

namespace unshade::ir {
namespace {

constexpr std::string_view kDeclaredTexts[] = {"as_is", "real", "signed", "unsigned"};

constexpr std::size_t kMostWork = std::size_t{1} << 24;

bool has_kinds(Type type) { return is_integer(type) || (is_float(type) && type != Type::f24); }

/// Whether an operation says nothing of the type of bits that it moves.
bool moves_bits(const Inst& inst) {
  switch (inst.op) {
    case Op::phi:
    case Op::select:
    case Op::load:
    case Op::quad_swap:
    case Op::quad_read:
    case Op::wave_read_lane:
    case Op::wave_read_first: return has_kinds(inst.type);
    case Op::buffer_load: return has_kinds(inst.type) && inst.results == 1 && BufferExtra(inst.extra).kind != BufferKind::typed;
    case Op::cbuffer_load: return has_kinds(inst.type) && inst.results == 1;
    default: return false;
  }
}

/// Of what moves bits, the operands whose bits they are.
bool is_moved(const Inst& inst, std::size_t at) {
  switch (inst.op) {
    case Op::phi: return true;
    case Op::select: return at != 0;
    case Op::quad_swap:
    case Op::quad_read:
    case Op::wave_read_lane:
    case Op::wave_read_first: return at == 0;
    default: return false;
  }
}

/// What words of memory are: those of a variable that lie at the same place in each of its elements, or all.
class Words {
 public:
  explicit Words(const Module& module) : module_(module), strides_(module.variables.size(), 0), width_(module.variables.size(), 0) {
    for (const Function& function : module.functions) {
      for (const BlockId block : function.order) {
        for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) look(function, id);
      }
    }
  }

  /// The variable and the place, if types are free there.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> of(const Function& function, Id access) const {
    const std::uint32_t variable = function.insts[access].extra;
    const Variable& row = module_.variables[variable];
    const bool is_free = width_[variable] != kSeveral && row.element == Type::void_ && row.space != Space::constant;
    if (!is_free) return std::nullopt;
    const std::uint32_t stride = strides_[variable];
    if (stride == 0) return std::pair(variable, kNone);
    return std::pair(variable, *place(function, function.operands_of(access)[0], stride, 0));
  }

 private:
  static constexpr std::uint32_t kSeveral = 0xffff'ffff;

  void look(const Function& function, Id id) {
    const Inst& inst = function.insts[id];
    const bool is_atomic = inst.op == Op::atomic;
    if (inst.op != Op::load && inst.op != Op::store && !is_atomic) return;
    const std::uint32_t variable = is_atomic ? AtomicExtra(inst.extra).variable : inst.extra;
    const unsigned bits = bit_width(inst.type);
    std::uint32_t& width = width_[variable];
    if (width == 0) strides_[variable] = module_.variables[variable].stride;
    width = width == 0 || width == bits ? bits : kSeveral;
    if (is_atomic || !has_kinds(inst.type)) width = kSeveral;
    if (strides_[variable] != 0 && !place(function, function.operands_of(id)[0], strides_[variable], 0)) strides_[variable] = 0;
  }

  // An offset modulo the stride, if it is known.
  static std::optional<std::uint32_t> place(const Function& function, Id offset, std::uint32_t stride, unsigned depth) {
    constexpr unsigned kMostDepth = 8;
    const Inst& inst = function.insts[offset];
    const auto operands = function.operands_of(offset);
    if (inst.op == Op::constant && inst.type == Type::i32) return inst.extra % stride;
    if (depth > kMostDepth) return std::nullopt;
    const auto constant = [&](std::size_t at) -> std::optional<std::uint32_t> {
      const Inst& one = function.insts[operands[at]];
      return one.op == Op::constant && one.type == Type::i32 ? std::optional(one.extra) : std::nullopt;
    };
    switch (inst.op) {
      case Op::iadd: {
        const auto a = place(function, operands[0], stride, depth + 1);
        const auto b = a ? place(function, operands[1], stride, depth + 1) : std::nullopt;
        return b ? std::optional((*a + *b) % stride) : std::nullopt;
      }
      case Op::imul:
        for (std::size_t at = 0; at < 2; ++at)
          if (const auto factor = constant(at); factor && *factor % stride == 0) return 0U;
        return std::nullopt;
      case Op::ishl:
        if (const auto by = constant(1); by && *by < 32 && (1U << *by) % stride == 0) return 0U;
        return std::nullopt;
      default: return std::nullopt;
    }
  }

  const Module& module_;
  std::vector<std::uint32_t> strides_;  // 0: all of it has one type
  std::vector<std::uint32_t> width_;    // of accesses; 0: none
};

class Typing {
 public:
  explicit Typing(const Module& module) : module_(module), words_(module) {}

  DeclaredTypes run() {
    find_origins();
    number();
    for (std::size_t at = 0; at < module_.functions.size(); ++at) {
      const Function& function = module_.functions[at];
      for (const BlockId block : function.order) {
        for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) connect(at, id);
      }
    }
    real_ = cut_.solve(kMostWork);
    declare();
    count_casts();
    declare_signs();
    return std::move(made_);
  }

 private:
  using Word = std::pair<std::uint32_t, std::uint32_t>;

  const Function& f(std::size_t function) const { return module_.functions[function]; }

  bool is_free(const Function& function, Id id) const {
    const Inst& inst = function.insts[id];
    if (function.block_of[id] == kNone) return false;
    if (inst.op == Op::load) return moves_bits(inst) && words_.of(function, id).has_value();
    if (inst.op != Op::get) return moves_bits(inst);
    // a member of what is read without a type; not its status
    const Inst& tuple = function.insts[function.operands_of(id)[0]];
    const bool untyped =
        tuple.op == Op::cbuffer_load || (tuple.op == Op::buffer_load && BufferExtra(tuple.extra).kind != BufferKind::typed &&
                                         !(BufferExtra(tuple.extra).has_status && inst.extra + 1 == tuple.results));
    return untyped && has_kinds(inst.type);
  }

  // What is moved from: the same bits as one of the IR's casts.
  Id origin(const Function& function, Id id) const { return origin_[static_cast<std::size_t>(&function - module_.functions.data())][id]; }

  // A cast stands after what it casts, but in functions that are irreducible.
  void find_origins() {
    for (const Function& function : module_.functions) {
      std::vector<Id>& origin = origin_.emplace_back(function.insts.size());
      for (Id id = 0; id < origin.size(); ++id) origin[id] = id;
      for (const BlockId block : function.order) {
        for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
          if (function.insts[id].op != Op::bitcast || !has_kinds(function.insts[id].type)) continue;
          const Id from = function.operands_of(id)[0];
          if (has_kinds(result_type(function, from))) origin[id] = origin[from];
        }
      }
    }
  }

  static bool is_constant(const Function& function, Id id) {
    return function.insts[id].op == Op::constant || function.insts[id].op == Op::undef;
  }
  // The member of a tuple that is an operand by itself has the tuple's own types.
  static Type type_of(const Function& function, Id id) { return result_type(function, id); }

  void number() {
    node_.resize(module_.functions.size());
    for (std::size_t at = 0; at < node_.size(); ++at) {
      const Function& function = f(at);
      node_[at].assign(function.insts.size(), kNone);
      for (const BlockId block : function.order) {
        for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
          if (!is_free(function, id)) continue;
          node_[at][id] = function.insts[id].op == Op::load ? node_of_word(*words_.of(function, id)) : cut_.add_node();
        }
      }
    }
  }
  std::uint32_t node_of_word(const Word& word) {
    const auto [found, is_new] = word_nodes_.try_emplace(word, 0);
    if (is_new) found->second = cut_.add_node();
    return found->second;
  }

  // The value flows into a node.
  void flow(std::size_t at, Id value, std::uint32_t node) {
    const Function& function = f(at);
    const Id from = origin(function, value);
    if (is_constant(function, from)) return;
    if (node_[at][from] != kNone) {
      cut_.join(node_[at][from], node);
    } else {
      cut_.pull(node, is_float(type_of(function, from)));
    }
  }

  void connect(std::size_t at, Id id) {
    const Function& function = f(at);
    const Inst& inst = function.insts[id];
    if (inst.op == Op::bitcast && origin(function, id) != id) return;
    const auto operands = function.operands_of(id);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (is_block_operand(inst.op, k) || !has_kinds(type_of(function, operands[k]))) continue;
      const Id from = origin(function, operands[k]);
      if (moves_bits(inst) && is_moved(inst, k) && node_[at][id] != kNone) {
        flow(at, operands[k], node_[at][id]);
      } else if (inst.op == Op::store && k == 1 && words_.of(function, id)) {
        flow(at, operands[k], node_of_word(*words_.of(function, id)));
      } else if (is_sink(inst, k)) {
        continue;
      } else if (node_[at][from] != kNone) {
        cut_.pull(node_[at][from], is_float(type_of(function, operands[k])));
      }
    }
  }

  // What takes any bits: memory without a type.
  static bool is_sink(const Inst& inst, std::size_t at) {
    if (inst.op != Op::buffer_store) return false;
    const BufferExtra extra(inst.extra);
    return extra.kind != BufferKind::typed && at >= (extra.has_offset ? 3U : 2U);
  }

  bool is_real(std::size_t at, Id id) const {
    const std::uint32_t node = node_[at][id];
    return node != kNone ? real_[node] : is_float(type_of(f(at), id));
  }

  void declare() {
    made_.of.resize(module_.functions.size());
    for (std::size_t at = 0; at < made_.of.size(); ++at) {
      const Function& function = f(at);
      made_.of[at].assign(function.insts.size(), Declared::as_is);
      for (Id id = 0; id < function.insts.size(); ++id) {
        if (function.insts[id].results == 0 || !has_kinds(type_of(function, id))) continue;
        made_.of[at][id] = is_real(at, id) ? Declared::real : Declared::unsigned_;
      }
    }
    for (const auto& [word, node] : word_nodes_)
      made_.words.push_back({word.first, word.second, real_[node] ? Declared::real : Declared::unsigned_});
  }

  // Whether a bitcast and what it is cast from are one conversion between a half and a word.
  static bool is_half(const Function& function, Id from, Type to) {
    if (bit_width(to) != 16) return false;
    const Op op = function.insts[from].op;
    return op == Op::trunc || op == Op::f_to_f || op == Op::load || op == Op::get;
  }

  void count_casts() {
    for (std::size_t at = 0; at < module_.functions.size(); ++at) {
      const Function& function = f(at);
      for (const BlockId block : function.order) {
        for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
          const Inst& inst = function.insts[id];
          if (inst.op == Op::bitcast && origin(function, id) != id) continue;
          const auto operands = function.operands_of(id);
          for (std::size_t k = 0; k < operands.size(); ++k) {
            if (is_block_operand(inst.op, k) || !has_kinds(type_of(function, operands[k]))) continue;
            count_cast(at, id, k);
          }
        }
      }
    }
  }

  void count_cast(std::size_t at, Id id, std::size_t k) {
    const Function& function = f(at);
    const Inst& inst = function.insts[id];
    const Id operand = function.operands_of(id)[k];
    const Id from = origin(function, operand);
    if (from != operand) ++made_.casts_before;
    if (is_constant(function, from) || is_sink(inst, k)) return;
    bool wanted = is_float(type_of(function, operand));
    if (moves_bits(inst) && is_moved(inst, k) && node_[at][id] != kNone) wanted = is_real(at, id);
    if (inst.op == Op::store && k == 1)
      if (const auto word = words_.of(function, id)) wanted = real_[word_nodes_.at(*word)];
    if (wanted == is_real(at, from)) return;
    ++made_.casts;
    if (is_half(function, from, type_of(function, operand))) ++made_.half_casts;
  }

  // --- signs ---------------------------------------------------------------------------------------------------------------------------

  enum class Sign : std::uint8_t { any, is_signed, is_unsigned };

  // What an operation takes its integers for, and what it gives.
  static Sign sign_of_operation(Op op) {
    switch (op) {
      case Op::ineg:
      case Op::iabs:
      case Op::imul_high:
      case Op::idiv:
      case Op::irem:
      case Op::imin:
      case Op::imax:
      case Op::ilt:
      case Op::ile:
      case Op::s_to_f:
      case Op::f_to_s:
      case Op::sext:
      case Op::first_high_signed: return Sign::is_signed;
      case Op::umul_high:
      case Op::udiv:
      case Op::urem:
      case Op::umin:
      case Op::umax:
      case Op::ult:
      case Op::ule:
      case Op::u_to_f:
      case Op::f_to_u:
      case Op::zext:
      case Op::add_carry:
      case Op::sub_borrow:
      case Op::query_size:
      case Op::query_levels:
      case Op::query_samples:
      case Op::builtin:
      case Op::bit_count:
      case Op::first_low:
      case Op::first_high: return Sign::is_unsigned;
      default: return Sign::any;
    }
  }
  static Sign sign(bool is_signed) { return is_signed ? Sign::is_signed : Sign::is_unsigned; }

  Sign sign_of_operand(const Function& function, Id id, std::size_t at) const {
    const Inst& inst = function.insts[id];
    switch (inst.op) {
      case Op::ishr:
      case Op::ibfe: return at == 0 ? Sign::is_signed : Sign::any;
      case Op::ushr:
      case Op::ubfe: return at == 0 ? Sign::is_unsigned : Sign::any;
      case Op::output: {
        if (at + 1 != inst.operand_count) return Sign::any;
        const ElementExtra extra(inst.extra);
        return sign(module_.signatures.of(extra.signature)[extra.element].is_signed);
      }
      default: return sign_of_operation(inst.op);
    }
  }
  Sign sign_of_result(const Function& function, Id id) const {
    const Inst& inst = function.insts[id];
    switch (inst.op) {
      case Op::ishr:
      case Op::ibfe: return Sign::is_signed;
      case Op::ushr:
      case Op::ubfe: return Sign::is_unsigned;
      case Op::input:
      case Op::output_load: {
        const ElementExtra extra(inst.extra);
        return sign(module_.signatures.of(extra.signature)[extra.element].is_signed);
      }
      case Op::get: {
        const Id tuple = function.operands_of(id)[0];
        return function.insts[tuple].op == Op::call ? Sign::any : sign_of_operation(function.insts[tuple].op);
      }
      default: return sign_of_operation(inst.op);
    }
  }
  // Operations whose results have the sign of their operands, or of some.
  static bool keeps_sign(const Inst& inst, std::size_t at) {
    switch (inst.op) {
      case Op::phi:
      case Op::iadd:
      case Op::isub:
      case Op::imul:
      case Op::iand:
      case Op::ior:
      case Op::ixor:
      case Op::inot:
      case Op::bit_reverse: return true;
      case Op::select: return at != 0;
      case Op::ishl:
      case Op::quad_swap:
      case Op::quad_read:
      case Op::wave_read_lane:
      case Op::wave_read_first: return at == 0;
      case Op::bfi: return at < 2;
      default: return false;
    }
  }

  bool is_integer_here(std::size_t at, Id id) const { return made_.of[at][id] == Declared::unsigned_ && !is_constant(f(at), id); }

  // Visits what joins the sign of integers with that of others, or with what an operation takes them for.
  template <class Join, class Pull>
  void for_each_sign(std::size_t at, Id id, Join join, Pull pull) const {
    const Function& function = f(at);
    const Inst& inst = function.insts[id];
    if (inst.op == Op::bitcast) {
      const Id from = origin(function, id);
      if (is_integer_here(at, id) && is_integer_here(at, from) && from != id) join(id, from);
      return;
    }
    const auto operands = function.operands_of(id);
    Id first = kNone;  // comparisons of either sign take both as the same
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (is_block_operand(inst.op, k)) continue;
      const Id from = origin(function, operands[k]);
      if (!is_integer_here(at, from)) continue;
      const Sign wanted = sign_of_operand(function, id, k);
      if (wanted != Sign::any) pull(from, wanted == Sign::is_signed);
      if (keeps_sign(inst, k) && is_integer_here(at, id)) join(from, id);
      if (inst.op == Op::ieq || inst.op == Op::ine) {
        if (first != kNone) join(first, from);
        first = from;
      }
    }
  }

  void declare_signs() {
    MinimumCut cut;
    std::vector<std::vector<std::uint32_t>> nodes(module_.functions.size());
    std::map<Word, std::uint32_t> words;
    const auto node_of = [&](std::size_t at, Id id) {
      std::uint32_t& node = nodes[at][id];
      if (node != kNone) return node;
      const Function& function = f(at);
      const auto word = function.insts[id].op == Op::load ? words_.of(function, id) : std::nullopt;
      if (!word) return node = cut.add_node();
      const auto [found, is_new] = words.try_emplace(*word, 0);
      if (is_new) found->second = cut.add_node();
      return node = found->second;
    };
    const auto visit = [&](auto visit_one) {
      for (std::size_t at = 0; at < module_.functions.size(); ++at) {
        for (const BlockId block : f(at).order) {
          for (Id id = f(at).blocks[block].first; id != kNone; id = f(at).next[id]) visit_one(at, id);
        }
      }
    };
    for (std::size_t at = 0; at < nodes.size(); ++at) nodes[at].assign(f(at).insts.size(), kNone);
    visit([&](std::size_t at, Id id) {
      if (is_integer_here(at, id)) {
        const Sign own = sign_of_result(f(at), id);
        if (own != Sign::any) cut.pull(node_of(at, id), own == Sign::is_signed);
      }
      for_each_sign(
          at, id, [&](Id a, Id b) { cut.join(node_of(at, a), node_of(at, b)); },
          [&](Id value, bool is_signed) { cut.pull(node_of(at, value), is_signed); });
      if (f(at).insts[id].op != Op::store) return;
      const auto word = words_.of(f(at), id);
      const Id from = origin(f(at), f(at).operands_of(id)[1]);
      if (!word || !is_integer_here(at, from)) return;
      const auto [found, is_new] = words.try_emplace(*word, 0);
      if (is_new) found->second = cut.add_node();
      cut.join(found->second, node_of(at, from));
    });
    const std::vector<bool> is_signed = cut.solve(kMostWork);
    visit([&](std::size_t at, Id id) {
      const auto is_signed_here = [&](Id one) { return nodes[at][one] != kNone && is_signed[nodes[at][one]]; };
      for_each_sign(
          at, id, [&](Id a, Id b) { made_.sign_casts += is_signed_here(a) != is_signed_here(b) ? 1 : 0; },
          [&](Id value, bool wanted) { made_.sign_casts += is_signed_here(value) != wanted ? 1 : 0; });
    });
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      for (Id id = 0; id < nodes[at].size(); ++id)
        if (nodes[at][id] != kNone && is_signed[nodes[at][id]]) made_.of[at][id] = Declared::signed_;
    }
    for (DeclaredWord& word : made_.words) {
      const auto found = words.find({word.variable, word.offset});
      if (word.declared == Declared::unsigned_ && found != words.end() && is_signed[found->second]) word.declared = Declared::signed_;
    }
  }

  const Module& module_;
  const Words words_;
  MinimumCut cut_;
  std::vector<std::vector<Id>> origin_;           // by function and id
  std::vector<std::vector<std::uint32_t>> node_;  // the same, of what is free
  std::map<Word, std::uint32_t> word_nodes_;
  std::vector<bool> real_;
  DeclaredTypes made_;
};

}  // namespace

std::string_view text(Declared declared) {
  const auto at = static_cast<std::size_t>(declared);
  return at < std::size(kDeclaredTexts) ? kDeclaredTexts[at] : std::string_view{};
}

DeclaredTypes declared_types(const Module& module) { return Typing(module).run(); }

}  // namespace unshade::ir
