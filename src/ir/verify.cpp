// Checks modules. A function whose arrays do not agree is not looked at any further; the rest of the checks rely on that.
#include <unshade/ir/verify.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/findings.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/ir/message.hpp>
#include <unshade/ir/text.hpp>

#include "ir/describe.hpp"
#include "ir/flow.hpp"
#include "ir/operands.hpp"
#include "ir/rules.hpp"
#include "ir/validation_key.hpp"

namespace unshade::ir {
namespace {

constexpr const Rule* kRules[] = {
#define UNSHADE_RULE(name, id, severity, summary) &rules::name,
#include "ir/rules.def"
#undef UNSHADE_RULE
};

// An archive that checks an extra field.
class ExtraChecker {
 public:
  explicit ExtraChecker(const Module& module) : module_(module) {}
  bool ok() const { return ok_; }

  template <class T>
  void key(std::string_view, const T&, const T&) {}
  void key(std::string_view, const std::uint8_t& value, const std::uint8_t& otherwise) { ok_ &= value == otherwise || value < 8; }
  template <class E>
  void word(E value) {
    ok_ &= !words::word(value).empty();
  }
  void number(std::uint32_t) {}
  void bits(std::span<const std::string_view> names, std::uint32_t value) { ok_ &= value >> names.size() == 0; }
  void symbol(words::Symbol kind, std::uint32_t index) {
    const std::size_t sizes[] = {module_.variables.size(), module_.resources.size(), module_.functions.size(), module_.messages.size()};
    static_assert(std::size(sizes) == words::kSymbols);
    ok_ &= index < sizes[static_cast<std::size_t>(kind)];
  }
  void element(const ElementExtra& extra) {
    word(extra.signature);
    if (!ok_) return;
    const auto& list = module_.signatures.of(extra.signature);
    ok_ &= extra.element < list.size() && extra.column < list[extra.element].columns;
  }
  void builtin(const BuiltinExtra& extra) {
    ok_ &= static_cast<std::size_t>(extra.builtin) < kBuiltinCount && extra.component < info(extra.builtin).components;
  }

 private:
  const Module& module_;
  bool ok_ = true;
};

class FunctionVerifier {
 public:
  FunctionVerifier(const Module& module, const Function& function, Findings& findings)
      : module_(module), function_(function), findings_(findings) {}

  void check() {
    check_structure();
    if (failed_) return;
    for (const BlockId block : function_.order) check_terminator(block);
    if (failed_) return;
    check_predecessors();
    for (const BlockId block : function_.order) {
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) check_instruction(id);
    }
    if (failed_) return;
    const Flow flow(function_);
    check_flow(flow);
    check_uses(flow, !failed_);
  }

 private:
  template <class... Parts>
  void add(const Rule& rule, BlockId block, Id id, Parts&&... parts) {
    failed_ = true;
    std::string path = function_.name.empty() ? "function" : function_.name;
    if (block != kNone) path += "/^" + std::to_string(block);
    if (id != kNone) {
      if (!names_ && block != kNone) names_.emplace(function_);
      path += '/';
      path += names_ && names_->of(id) != "?" ? '%' + std::string(names_->of(id)) : std::string(info(function_.insts[id].op).text);
    }
    std::string message;
    ((message += parts), ...);
    findings_.add(rule, 0, std::move(path), std::move(message));
  }
  template <class... Parts>
  void at(const Rule& rule, Id id, Parts&&... parts) {
    add(rule, function_.block_of[id], id, std::forward<Parts>(parts)...);
  }

  void check_structure() {
    const Function& f = function_;
    const auto fail = [&](std::string_view what) {
      if (!failed_) add(rules::kStructure, kNone, kNone, what);
    };
    const std::size_t count = f.insts.size();
    if (count > limits::kIrInstructions || f.blocks.size() > limits::kIrBlocks) {
      return add(rules::kLimit, kNone, kNone, std::to_string(count), " instructions, ", std::to_string(f.blocks.size()), " blocks");
    }
    if (f.next.size() != count || f.previous.size() != count || f.block_of.size() != count ||
        (!f.sources.empty() && f.sources.size() != count)) {
      return fail("the arrays of instructions differ in length");
    }
    if (f.order.empty() || f.order[0] != 0) return add(rules::kEntryBlock, kNone, kNone, "block 0 is not first");
    for (Id id = 0; id < count; ++id) {
      const Inst& inst = f.insts[id];
      if (static_cast<std::size_t>(inst.op) >= kOps || static_cast<std::size_t>(inst.type) >= kTypes)
        return fail("an unknown operation or type");
      if (inst.first_operand > f.operands.size() || inst.operand_count > f.operands.size() - inst.first_operand) {
        return fail("operands beyond the end of the array");
      }
      if (!f.sources.empty() && f.sources[id].component != kNoComponent && f.sources[id].group == kNone)
        return fail("a component without a group");
      if (inst.op == Op::constant && bit_width(inst.type) > 32 && inst.extra >= f.constants.size())
        return fail("a constant beyond the end");
    }
    std::vector<bool> in_order(f.blocks.size());
    for (const BlockId block : f.order) {
      if (block >= f.blocks.size() || in_order[block]) return fail("a block that is missing, or twice in the order");
      in_order[block] = true;
    }
    std::size_t listed = 0;
    for (const BlockId number : f.order) {
      const Block& block = f.blocks[number];
      if (block.first_predecessor > f.predecessors.size() || block.predecessor_count > f.predecessors.size() - block.first_predecessor) {
        return fail("predecessors beyond the end of the array");
      }
      for (const BlockId hint : {block.merge, block.continue_}) {
        if (hint != kNone && hint >= f.blocks.size()) return fail("a hint that names a missing block");
      }
      Id before = kNone;
      for (Id id = block.first; id != kNone; before = id, id = f.next[id]) {
        if (id >= count || ++listed > count || f.block_of[id] != number || f.previous[id] != before)
          return fail("a list of instructions is broken");
        const auto operands = f.operands_of(id);
        if (operands.size() >= kMostOperands)
          return at(rules::kLimit, id, "the operation has ", std::to_string(kMostOperands), " operands or more");
        for (std::size_t place = 0; place < operands.size(); ++place) {
          const bool is_block = is_block_operand(f.insts[id].op, place);
          if (is_block ? operands[place] >= f.blocks.size() || !in_order[operands[place]] : operands[place] >= count) {
            return fail("an operand that is missing");
          }
        }
      }
      if (block.last != before) return fail("a list of instructions is broken");
    }
  }

  void check_terminator(BlockId block) {
    const Id last = function_.blocks[block].last;
    if (last == kNone || !has(info(function_.insts[last].op).effects, Effects::ends)) {
      return add(rules::kTerminator, block, last, "the block does not end with a terminator");
    }
    if (!operand_letters(function_.insts[last], letters_)) return at(rules::kOperandCount, last, operand_count_text(last));
    for (Id id = function_.blocks[block].first; id != last; id = function_.next[id]) {
      if (has(info(function_.insts[id].op).effects, Effects::ends)) return at(rules::kTerminator, id, "a terminator within the block");
    }
  }

  void check_predecessors() {
    std::vector<std::pair<BlockId, BlockId>> edges;
    for (const BlockId block : function_.order) {
      for_each_successor(function_, block, [&](BlockId to) { edges.emplace_back(to, block); });
    }
    std::ranges::sort(edges);
    edges.erase(std::ranges::unique(edges).begin(), edges.end());
    if (!edges.empty() && edges[0].first == 0) add(rules::kEntryBlock, 0, kNone, "a terminator leads back to it");
    for (const BlockId block : function_.order) {
      const auto expected = std::ranges::equal_range(edges, block, {}, &std::pair<BlockId, BlockId>::first);
      if (!std::ranges::equal(function_.predecessors_of(block), expected, {}, {}, &std::pair<BlockId, BlockId>::second)) {
        add(rules::kPredecessors, block, kNone, "they are other blocks");
      }
    }
  }

  std::string operand_count_text(Id id) const {
    return std::to_string(function_.insts[id].operand_count) + " operands do not fit the operation and its extra field";
  }

  void check_instruction(Id id) {
    const Inst& inst = function_.insts[id];
    const OpInfo& row = info(inst.op);
    if (inst.op == Op::constant || inst.op == Op::undef) return at(rules::kConstantPlace, id, "the constant is in a block");
    if (row.types != 0 && !contains(row.types, inst.type)) {
      return at(rules::kTypeMismatch, id, "the operation does not work in type ", text(inst.type));
    }
    check_extra(id);
    const bool any_results = row.results.ends_with('*');
    if (any_results ? inst.results == 0 && inst.op != Op::call : inst.results != row.results.size()) {
      return at(rules::kOperandCount, id, std::to_string(inst.results), " results");
    }
    if (inst.op == Op::phi) return check_phi(id);
    if (!operand_letters(inst, letters_)) return at(rules::kOperandCount, id, operand_count_text(id));
    const auto operands = function_.operands_of(id);
    for (std::size_t place = 0; place < operands.size(); ++place) {
      if (letters_[place] == '^') continue;
      if (letters_[place] != 'u') {
        expect(id, operands[place], letter_type(inst, letters_[place]));
      } else if (row.from != 0) {
        expect_one_of(id, operands[place], row.from);
      } else if (inst.op != Op::get && function_.insts[operands[place]].results != 1) {
        at(rules::kTypeMismatch, id, "an operand is not one value");
      }
    }
    check_own_rule(id);
  }

  void check_extra(Id id) {
    const Inst& inst = function_.insts[id];
    ExtraChecker checker(module_);
    std::uint32_t extra = inst.extra;
    words::describe_extra(checker, inst.op, extra);
    const bool unused = info(inst.op).extra == Extra::none && inst.extra != 0;
    if (!checker.ok() || extra != inst.extra || unused) {
      return at(rules::kExtra, id, "the value ", std::to_string(inst.extra), " is out of range");
    }
    if (inst.op == Op::builtin && inst.type != info(BuiltinExtra(inst.extra).builtin).type) {
      at(rules::kTypeMismatch, id, "the builtin has type ", text(info(BuiltinExtra(inst.extra).builtin).type));
    }
  }

  // Whether operand `value` has type `type`.
  void expect(Id id, Id value, Type type) {
    const Type found = function_.insts[value].results == 1 ? result_type(function_, value) : Type::void_;
    if (found != type) at(rules::kTypeMismatch, id, "expected an operand of type ", text(type), ", found ", text(found));
  }
  void expect_one_of(Id id, Id value, TypeSet types) {
    const Type found = function_.insts[value].results == 1 ? result_type(function_, value) : Type::void_;
    if (contains(types, found)) return;
    std::string expected;
    const auto add = [&](TypeSet some, std::string_view word) {
      if ((types & some) != some) return;
      expected += (expected.empty() ? "" : " or ") + std::string(word);
      types = static_cast<TypeSet>(types & ~some);
    };
    add(kFloats, "a float");
    add(kIntegers, "an integer");
    for (unsigned type = 0; type < kTypes; ++type) add(set_of(static_cast<Type>(type)), text(static_cast<Type>(type)));
    at(rules::kTypeMismatch, id, "expected an operand that is ", expected, ", found ", text(found));
  }

  void check_phi(Id id) {
    const Id before = function_.previous[id];
    if (before != kNone && function_.insts[before].op != Op::phi) at(rules::kPhi, id, "another instruction is before it");
    const auto operands = function_.operands_of(id);
    const std::size_t origins = function_.predecessors_of(function_.block_of[id]).size();
    if (operands.size() != origins) {
      return at(rules::kPhi, id, std::to_string(operands.size()), " operands for ", std::to_string(origins), " predecessors");
    }
    for (const Id operand : operands) expect(id, operand, function_.insts[id].type);
  }

  // Rules of operations that their rows do not state, such as those whose operands have the letter u.
  void check_own_rule(Id id) {
    const Inst& inst = function_.insts[id];
    const auto operands = function_.operands_of(id);
    switch (inst.op) {
      case Op::get: {
        const Inst& tuple = function_.insts[operands[0]];
        if (inst.extra >= tuple.results || tuple.results < 2) return at(rules::kOperandCount, id, "the operand has no such member");
        const Type member = member_type(operands[0], inst.extra);
        if (member != inst.type) at(rules::kTypeMismatch, id, "the member has type ", text(member));
        return;
      }
      case Op::bitcast:
      case Op::sext:
      case Op::zext:
      case Op::trunc:
        if (fits(inst.op, inst.type, result_type(function_, operands[0]))) return;
        return at(rules::kTypeMismatch, id,
                  inst.op == Op::bitcast ? "the operand has another width"
                  : inst.op == Op::trunc ? "the operand is not wider"
                                         : "the operand is not narrower");
      case Op::param:
        if (inst.extra >= function_.parameters.size() || function_.parameters[inst.extra] != inst.type) {
          at(rules::kCall, id, "the function has no such parameter of this type");
        }
        return;
      case Op::call: return check_call(id);
      case Op::print:
        if (inst.extra < module_.messages.size() && !types_are(operands, module_.messages[inst.extra].types))
          at(rules::kMessage, id, "the operands do not have the types of the message's values");
        return;
      case Op::return_:
        if (!types_are(operands, function_.results)) at(rules::kCall, id, "the values do not have the types of the function's results");
        return;
      case Op::switch_: return check_cases(id);
      case Op::barrier:
        if (function_.next[id] != function_.blocks[function_.block_of[id]].last)
          at(rules::kBarrierPlace, id, "another instruction follows");
        return;
      default: return;
    }
  }

  Type member_type(Id tuple, unsigned member) const {
    const Inst& inst = function_.insts[tuple];
    if (inst.op != Op::call || inst.extra >= module_.functions.size()) return result_type(function_, tuple, member);
    const auto& results = module_.functions[inst.extra].results;
    return member < results.size() ? results[member] : Type::void_;
  }

  bool types_are(std::span<const Id> values, std::span<const Type> types) const {
    return std::ranges::equal(values, types, {}, [&](Id value) { return result_type(function_, value); });
  }

  void check_call(Id id) {
    const Inst& inst = function_.insts[id];
    if (inst.extra >= module_.functions.size()) return;
    const Function& called = module_.functions[inst.extra];
    if (!types_are(function_.operands_of(id), called.parameters))
      at(rules::kCall, id, "the operands do not have the types of the parameters");
    if (inst.results != called.results.size() || (inst.results == 1 && inst.type != called.results[0])) {
      at(rules::kCall, id, "the results are not those of the function");
    }
  }

  void check_cases(Id id) {
    const auto operands = function_.operands_of(id);
    std::vector<std::uint64_t> values;
    for (std::size_t place = 2; place < operands.size(); place += 2) {
      if (function_.insts[operands[place]].op != Op::constant) return at(rules::kSwitchCase, id, "a case is not a constant");
      values.push_back(constant_bits(function_, operands[place]));
    }
    std::ranges::sort(values);
    if (std::ranges::adjacent_find(values) != values.end()) at(rules::kSwitchCase, id, "two cases have the same value");
  }

  void check_flow(const Flow& flow) {
    for (const BlockId block : function_.order) {
      if (!flow.dominators.reachable(block)) add(rules::kReachable, block, kNone, "no path leads to it");
    }
    if (failed_ || function_.irreducible) return;
    for (const BlockId block : function_.order) {
      for (const BlockId to : flow.graph.successors(block)) {
        if (flow.place[to] <= flow.place[block] && !flow.dominators.dominates(to, block)) {
          add(rules::kBlockOrder, block, kNone, "the edge to ^", std::to_string(to), " goes back");
        }
        if (flow.place[to] > flow.place[block] && to != block && flow.dominators.dominates(to, block)) {
          add(rules::kBlockOrder, block, kNone, "^", std::to_string(to), " dominates it and comes after it");
        }
      }
    }
    if (failed_) return;
    for (const auto& [from, to] : flow.loops.back_edges()) {
      if (flow.place[from] != flow.end[to]) {
        add(rules::kLatch, to, kNone, "the back edge from ^", std::to_string(from), " is not from the loop's last block");
      }
    }
    if (!flow.nested) add(rules::kLoopRange, kNone, kNone, "two loops overlap in the order");
    if (failed_) return;
    for (const BlockId block : function_.order) {
      for (const BlockId to : flow.graph.successors(block)) {
        const bool back = flow.place[to] <= flow.place[block];
        const BlockId header = flow.range[to] == to ? flow.outer[to] : flow.range[to];
        if (!back && !flow.in_range(header, block)) {
          add(rules::kLoopRange, block, kNone, "the edge to ^", std::to_string(to), " enters the loop of ^", std::to_string(header),
              " past its header");
        }
      }
    }
  }

  // `has_ranges`: the order of blocks is right, so that loops have ranges. What dominates what has a meaning in any order.
  void check_uses(const Flow& flow, bool has_ranges) {
    std::vector<std::uint32_t> place(function_.insts.size(), kNone);
    std::uint32_t number = 0;
    for (const BlockId block : function_.order) {
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) place[id] = number++;
    }
    for (const BlockId block : function_.order) {
      const auto origins = function_.predecessors_of(block);
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
        const Op op = function_.insts[id].op;
        const auto operands = function_.operands_of(id);
        for (std::size_t n = 0; n < operands.size(); ++n) {
          if (is_block_operand(op, n)) continue;
          const bool in_phi = op == Op::phi;
          const BlockId used = in_phi ? origins[n] : block;
          if (flow.dominators.reachable(used)) check_use(flow, id, operands[n], used, in_phi ? kNone : place[id], place, has_ranges);
        }
      }
    }
  }

  // `user` uses `value` in `block`, at `before` in the list of all instructions; kNone: at the end of the block.
  void check_use(const Flow& flow, Id user, Id value, BlockId block, std::uint32_t before, std::span<const std::uint32_t> place,
                 bool has_ranges) {
    const Op op = function_.insts[value].op;
    const BlockId defined = function_.block_of[value];
    if (defined == kNone) {
      if (op == Op::constant) check_constant(user, value);
      if (op != Op::constant && op != Op::undef) at(rules::kConstantPlace, user, "an operand is in no block");
      return;
    }
    if (place[value] == kNone || (defined == block ? place[value] >= before : !flow.dominators.dominates(defined, block))) {
      return at(rules::kUseNotDominated, user, '%' + std::string(name_of(value)), " of ^", std::to_string(defined),
                " does not dominate it");
    }
    if (has_ranges && !function_.irreducible && !flow.in_range(flow.range[defined], block)) {
      at(rules::kExitPhi, user, '%' + std::string(name_of(value)), " is of the loop ^", std::to_string(flow.range[defined]));
    }
  }

  void check_constant(Id user, Id value) {
    const Type type = function_.insts[value].type;
    const unsigned width = type == Type::f24 ? 32 : bit_width(type);
    if (width == 0 || (width < 32 && function_.insts[value].extra >> width != 0))
      at(rules::kExtra, user, "a constant has bits beyond its type");
  }

  std::string_view name_of(Id id) {
    if (!names_) names_.emplace(function_);
    return names_->of(id);
  }

  const Module& module_;
  const Function& function_;
  Findings& findings_;
  std::optional<ValueNames> names_;
  std::string letters_;
  bool failed_ = false;
};

void check_elements(std::string_view name, const std::vector<Element>& list, Findings& findings) {
  for (std::size_t at = 0; at < list.size(); ++at) {
    const Element& element = list[at];
    const bool fits = element.columns >= 1 && element.columns <= 4 && element.first_column + element.columns <= 4 && element.rows != 0;
    if (!fits || (!is_float(element.type) && !is_integer(element.type) && element.type != Type::b1)) {
      findings.add(rules::kElement, 0, std::string(name) + '[' + std::to_string(at) + ']',
                   "type " + std::string(text(element.type)) + ", columns " + std::to_string(element.first_column) + " and " +
                       std::to_string(element.columns) + ", rows " + std::to_string(element.rows));
    }
  }
}

void check_variables(const Module& module, Findings& findings) {
  std::uint64_t total = 0;
  for (const Variable& variable : module.variables) {
    const std::size_t initial = variable.initial.size();
    if ((initial != 0 && initial != variable.bytes) || (variable.space == Space::constant && initial != variable.bytes) ||
        text(variable.space).empty()) {
      findings.add(rules::kVariable, 0, variable.name, std::to_string(initial) + " initial bytes of " + std::to_string(variable.bytes));
    }
    const bool has_type = variable.element == Type::void_ || is_float(variable.element) || is_integer(variable.element);
    if (!has_type || variable.stride > variable.bytes) {
      findings.add(rules::kVariable, 0, variable.name,
                   "element " + std::string(text(variable.element)) + ", stride " + std::to_string(variable.stride) + " of " +
                       std::to_string(variable.bytes) + " bytes");
    }
    total = std::max(total, std::uint64_t{variable.offset} + variable.bytes);
  }
  if (total > limits::kIrSpaceBytes) findings.add(rules::kLimit, 0, "variables", std::to_string(total) + " bytes");
}

void check_resources(const Module& module, Findings& findings) {
  for (std::size_t at = 0; at < module.resources.size(); ++at) {
    const Resource& resource = module.resources[at];
    const std::string path = "resources[" + std::to_string(at) + ']';
    if (resource.counter != kNone && (resource.counter >= module.resources.size() || resource.counter == at))
      findings.add(rules::kResource, 0, path, "the counter is row " + std::to_string(resource.counter));
    if (text(resource.format).empty())
      findings.add(rules::kResource, 0, path, "format " + std::to_string(static_cast<unsigned>(resource.format)) + " is unknown");
  }
}

void check_messages(const Module& module, Findings& findings) {
  constexpr TypeSet kShown = kFloats | kIntegers | set_of(Type::b1);
  for (std::size_t at = 0; at < module.messages.size(); ++at) {
    const MessageFormat& message = module.messages[at];
    const auto add = [&](const Rule& rule, std::string what) {
      findings.add(rule, 0, "messages[" + std::to_string(at) + ']', std::move(what));
    };
    if (message.text.size() > limits::kMessageCharacters) {
      add(rules::kLimit, std::to_string(message.text.size()) + " characters");
    } else if (const std::size_t shown = values_of(message.text); shown != message.types.size()) {
      add(rules::kMessage, "the text shows " + std::to_string(shown) + " values, and there are " + std::to_string(message.types.size()));
    }
    for (const Type type : message.types) {
      if (!contains(kShown, type)) return add(rules::kMessage, "a value has type " + std::string(text(type)));
    }
  }
}

void check_groups(const StageInfo& info, Findings& findings) {
  const auto& size = info.group_size;
  if (info.square_quads && (size[0] % 2 != 0 || size[1] % 2 != 0))
    findings.add(rules::kGroupSize, 0, "info", std::to_string(size[0]) + " by " + std::to_string(size[1]) + " threads");
}

// Follows calls from each function; what is met again on the way calls itself.
void check_recursion(const Module& module, Findings& findings) {
  std::vector<std::vector<std::uint32_t>> calls(module.functions.size());
  for (std::size_t at = 0; at < calls.size(); ++at) {
    const Function& function = module.functions[at];
    for (Id id = 0; id < function.insts.size(); ++id) {
      const bool stands = id < function.block_of.size() && function.block_of[id] != kNone;
      if (stands && function.insts[id].op == Op::call && function.insts[id].extra < calls.size())
        calls[at].push_back(function.insts[id].extra);
    }
  }
  enum class State : std::uint8_t { unseen, open, done };
  std::vector<State> state(calls.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // functions, and how many of their calls were followed
  for (std::uint32_t root = 0; root < calls.size(); ++root) {
    if (state[root] != State::unseen) continue;
    path.assign(1, {root, 0});
    state[root] = State::open;
    while (!path.empty()) {
      auto& [function, followed] = path.back();
      if (followed == calls[function].size()) {
        state[function] = State::done;
        path.pop_back();
        continue;
      }
      const std::uint32_t called = calls[function][followed++];
      if (state[called] == State::open) return findings.add(rules::kRecursion, 0, module.functions[called].name, "it calls itself");
      if (state[called] == State::unseen) {
        state[called] = State::open;
        path.emplace_back(called, 0);
      }
    }
  }
}

}  // namespace

Error not_valid(const Diagnostic& finding) {
  return {ErrorCode::bad_value, 0, finding.path, "the module is not valid: " + std::string(finding.rule->id) + ": " + finding.message};
}

std::span<const Rule* const> verification_rules() { return kRules; }

std::vector<Diagnostic> findings_of(const Module& module) {
  std::size_t size = 0;
  for (const Function& function : module.functions) size += function.insts.size() * sizeof(Inst);
  Findings findings(size);
  if (module.functions.empty()) findings.add(rules::kModule, 0, "functions", "there are none");
  check_elements("input", module.signatures.input, findings);
  check_elements("output", module.signatures.output, findings);
  check_elements("patch", module.signatures.patch, findings);
  check_variables(module, findings);
  check_resources(module, findings);
  check_messages(module, findings);
  check_groups(module.info, findings);
  check_recursion(module, findings);
  for (const Function& function : module.functions) FunctionVerifier(module, function, findings).check();
  return findings.take();
}

ValidationOutcome<Module> verify(Module module) {
  auto findings = findings_of(module);
  return {ValidationKey<Module>(), std::move(module), std::move(findings)};
}

Result<Validated<Module>> verified(Module module) {
  auto outcome = verify(std::move(module));
  if (outcome.diagnostics().empty()) return *std::move(outcome).valid();
  return not_valid(outcome.diagnostics().front());
}

}  // namespace unshade::ir
