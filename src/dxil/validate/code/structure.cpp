// What LLVM asks of any module: blocks, phi nodes, types of operands, and that values are there when they are used.
// src: LLVM 3.7 lib/IR/Verifier.cpp, lib/IR/Instructions.cpp (castIsValid)
#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <vector>

#include "dxil/validate/code/flow.hpp"

namespace unshade::dxil::validate {

namespace {

/// Logarithm of the largest alignment. src: LLVM 3.7 Value.h, MaximumAlignment
constexpr unsigned kLargestAlignment = 29;

class StructureChecker {
 public:
  /// `flow`: what looks at the graph of each function besides; null for modules that are not of DXIL.
  StructureChecker(const ModuleCheck& check, FlowChecker* flow) : c_(check), m_(check.module), flow_(flow) {}

  void check() {
    for (std::uint32_t i = 0; i < m_.globals.size(); ++i) check_global(i);
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) check_function(i);
    for (const Body& body : m_.bodies) check_body(body);
  }

 private:
  using Operands = std::span<const std::uint32_t>;

  void add(const Rule& rule, std::string message) const { c_.add(rule, *body_, current_, std::move(message)); }
  std::uint32_t type_of(std::uint32_t operand) const { return c_.type_of(*body_, operand); }
  bool same_shape(std::uint32_t a, std::uint32_t b) const {
    const bool vectors = c_.is(a, TypeKind::vector);
    return vectors == c_.is(b, TypeKind::vector) && (!vectors || c_.type(a).count == c_.type(b).count);
  }
  bool is_integers(std::uint32_t type) const { return c_.is(c_.scalar_of(type), TypeKind::integer); }
  bool is_any_real(std::uint32_t type) const {
    const TypeKind kind = c_.type(c_.scalar_of(type)).kind;
    return kind >= TypeKind::half && kind <= TypeKind::ppc_fp128;
  }
  bool is_pointers(std::uint32_t type) const { return c_.is(c_.scalar_of(type), TypeKind::pointer); }
  bool is_value_type(std::uint32_t type) const { return !c_.is(type, TypeKind::void_) && !c_.is(type, TypeKind::function); }
  /// Of one element, in bits; 0 for what has no such size.
  std::uint32_t width_of(std::uint32_t type) const {
    const Type& scalar = c_.type(c_.scalar_of(type));
    switch (scalar.kind) {
      case TypeKind::integer: return scalar.number;
      case TypeKind::half: return 16;
      case TypeKind::float_: return 32;
      case TypeKind::double_: return 64;
      case TypeKind::x86_fp80: return 80;
      case TypeKind::fp128:
      case TypeKind::ppc_fp128: return 128;
      case TypeKind::x86_mmx: return 64;
      default: return 0;
    }
  }
  std::uint64_t bits_of(std::uint32_t type) const {
    return std::uint64_t{width_of(type)} * (c_.is(type, TypeKind::vector) ? c_.type(type).count : 1);
  }

  void check_global(std::uint32_t index) {
    const Global& global = m_.globals[index];
    const std::string path = "global[" + std::to_string(index) + ']';
    if (global.initializer == kNone) {
      if (global.linkage != Linkage::external && global.linkage != Linkage::extern_weak)
        c_.add(rules::kBitcodeGlobal, path, "declared without an initializer, but with linkage " + std::string(text(global.linkage)));
    } else if (m_.value(nullptr, global.initializer).type != global.type) {
      c_.add(rules::kBitcodeGlobal, path, "is of " + c_.text_of(global.type) + ", but its initializer is of another type");
    }
  }

  void check_function(std::uint32_t index) {
    const Function& function = m_.functions[index];
    const auto parts = m_.parts_of(m_.types[function.type]);
    if (function.body == kNone && function.linkage != Linkage::external && function.linkage != Linkage::extern_weak)
      c_.add_function(rules::kBitcodeFunction, index, "declared without a body, but with linkage " + std::string(text(function.linkage)));
    if (function.body != kNone && (function.linkage == Linkage::common || c_.name_of(function).starts_with("llvm.")))
      c_.add_function(rules::kBitcodeFunction, index, "a function with a body must not have common linkage or the name of an intrinsic");
    const bool is_intrinsic = c_.name_of(function).starts_with("llvm.");
    // Functions share types: parameters are looked at once for each.
    if (!seen_types_.insert(std::uint64_t{function.type} << 1 | (is_intrinsic ? 1 : 0)).second) return;
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const bool is_metadata = c_.is(parts[k], TypeKind::metadata);
      if (!is_value_type(parts[k]) || (is_metadata && !is_intrinsic))
        c_.add_function(rules::kBitcodeFunction, index, "parameter " + std::to_string(k - 1) + " is of " + c_.text_of(parts[k]));
    }
    if (c_.is(parts[0], TypeKind::function) || c_.is(parts[0], TypeKind::label) || c_.is(parts[0], TypeKind::metadata))
      c_.add_function(rules::kBitcodeFunction, index, "returns " + c_.text_of(parts[0]));
  }

  void check_body(const Body& body) {
    body_ = &body;
    current_ = body.instructions.first;
    if (!check_blocks()) return;  // without terminators nothing can be said of the order of things
    build_graph(m_, body, graph_);
    dominators_.examine(graph_);
    if (!graph_.predecessors(0).empty()) {
      current_ = m_.blocks[body.blocks.first].instructions.first;
      add(rules::kBitcodeEntryBlock, std::to_string(graph_.predecessors(0).size()) + " predecessors of the entry block");
    }
    if (flow_ != nullptr) flow_->check(body, graph_, dominators_, block_of_);
    for (block_ = 0; block_ < body.blocks.count; ++block_) {
      const Range range = m_.blocks[body.blocks.first + block_].instructions;
      bool phis_allowed = true;
      bool sorted = false;
      for (current_ = range.first; current_ < range.end(); ++current_) {
        const Instruction& i = m_.instructions[current_];
        if (i.opcode == Opcode::phi) {
          if (!phis_allowed) add(rules::kBitcodePhi, "a PHI node after other instructions");
          if (!sorted) sort_predecessors();
          sorted = true;
          check_phi(i);
        } else {
          phis_allowed = false;
          check_instruction(i);
          for_each_value_operand(m_, i, [&](std::size_t, std::uint32_t id) { check_use(id, block_, current_); });
        }
      }
    }
  }

  bool check_blocks() {
    block_of_.assign(body_->instructions.count, 0);
    bool good = true;
    for (std::uint32_t block = 0; block < body_->blocks.count; ++block) {
      const Range range = m_.blocks[body_->blocks.first + block].instructions;
      if (range.empty() || !is_terminator(m_.instructions[range.end() - 1].opcode)) {
        current_ = range.empty() ? body_->instructions.first : range.end() - 1;
        add(rules::kBitcodeTerminator, "block " + std::to_string(block) + " has no terminator");
        good = false;
      }
      for (std::uint32_t i = range.first; i < range.end(); ++i) {
        block_of_[i - body_->instructions.first] = block;
        if (i + 1 == range.end() || !is_terminator(m_.instructions[i].opcode)) continue;
        current_ = i;
        add(rules::kBitcodeTerminator, "instructions follow the terminator of block " + std::to_string(block));
      }
    }
    return good;
  }

  // --- order of computation -----------------------------------------------------------------------------------------------------------
  /// A value that is used after `user` of `block`, or at its end, for phi nodes.
  void check_use(std::uint32_t id, std::uint32_t block, std::uint32_t user) {
    if (id < m_.values.size()) return;
    const Value& value = m_.value(body_, id);
    if (value.kind != ValueKind::instruction || !dominators_.reachable(block)) return;
    const std::uint32_t home = block_of_[value.index - body_->instructions.first];
    const bool there = home == block ? value.index < user : dominators_.dominates(home, block);
    if (!there)
      add(rules::kBitcodeDominance,
          "uses instruction " + std::to_string(value.index - body_->instructions.first) + ", which does not dominate this use");
  }

  void sort_predecessors() {
    const auto all = graph_.predecessors(block_);
    predecessors_.assign(all.begin(), all.end());
    std::sort(predecessors_.begin(), predecessors_.end());
  }

  // An entry for each edge; edges from one block bring one value.
  void check_phi(const Instruction& i) {
    const Operands o = m_.operands_of(i.operands);
    incoming_.clear();
    for (std::size_t k = 0; k + 1 < o.size(); k += 2) {
      incoming_.push_back({o[k + 1], o[k]});
      if (type_of(o[k]) != i.type)
        add(rules::kBitcodeOperandType, "a PHI node of " + c_.text_of(i.type) + " has an incoming value of another type");
      // An incoming value must dominate the end of its block.
      check_use(o[k], o[k + 1], m_.blocks[body_->blocks.first + o[k + 1]].instructions.end());
    }
    std::sort(incoming_.begin(), incoming_.end(), [](const Incoming& a, const Incoming& b) { return a.block < b.block; });
    const bool match = std::equal(incoming_.begin(), incoming_.end(), predecessors_.begin(), predecessors_.end(),
                                  [](const Incoming& a, std::uint32_t block) { return a.block == block; });
    if (!match)
      return add(rules::kBitcodePhi,
                 std::to_string(incoming_.size()) + " entries do not match the " + std::to_string(predecessors_.size()) + " predecessors");
    for (std::size_t k = 1; k < incoming_.size(); ++k)
      if (incoming_[k].block == incoming_[k - 1].block && incoming_[k].value != incoming_[k - 1].value)
        add(rules::kBitcodePhi, "two values from block " + std::to_string(incoming_[k].block));
  }

  // --- instructions -------------------------------------------------------------------------------------------------------------------
  void check_instruction(const Instruction& i) {
    const Operands o = m_.operands_of(i.operands);
    if (is_binary(i.opcode)) return check_binary(i, o);
    if (is_cast(i.opcode)) {
      if (!can_cast(i.opcode, type_of(o[0]), i.type))
        add(rules::kBitcodeCast, std::string(text(i.opcode)) + ' ' + c_.text_of(type_of(o[0])) + " to " + c_.text_of(i.type));
      return;
    }
    const auto expect = [&](bool good, const char* what) {
      if (!good) add(rules::kBitcodeOperandType, std::string(text(i.opcode)) + ": " + what);
    };
    switch (i.opcode) {
      case Opcode::ret: {
        const std::uint32_t wanted = m_.element_of(m_.functions[body_->function].type);
        const bool good = o.empty() ? c_.is(wanted, TypeKind::void_) : type_of(o[0]) == wanted;
        if (!good) add(rules::kBitcodeReturn, "the function returns " + c_.text_of(wanted));
        break;
      }
      case Opcode::br: expect(o.size() < 3 || c_.is_integer(type_of(o[2]), 1), "the condition is not an i1"); break;
      case Opcode::switch_: check_switch(i, o); break;
      case Opcode::indirectbr: expect(c_.is(type_of(o[0]), TypeKind::pointer), "the address is not a pointer"); break;
      case Opcode::icmp:
        expect(type_of(o[0]) == type_of(o[1]), "the operands have different types");
        expect(is_integers(type_of(o[0])) || is_pointers(type_of(o[0])), "the operands are neither integers nor pointers");
        expect(i.predicate() >= Predicate::icmp_eq && i.predicate() <= Predicate::icmp_sle, "the predicate is one of fcmp");
        break;
      case Opcode::fcmp:
        expect(type_of(o[0]) == type_of(o[1]), "the operands have different types");
        expect(is_any_real(type_of(o[0])), "the operands are not floating-point");
        expect(i.predicate() <= Predicate::fcmp_true, "the predicate is one of icmp");
        break;
      case Opcode::select: {
        const std::uint32_t condition = type_of(o[0]);
        expect(c_.is_integer(c_.scalar_of(condition), 1), "the condition is not an i1");
        expect(!c_.is(condition, TypeKind::vector) || same_shape(condition, i.type), "the condition has a different number of elements");
        expect(type_of(o[1]) == i.type && type_of(o[2]) == i.type, "the values have different types");
        break;
      }
      case Opcode::extractelement:
        expect(c_.is(type_of(o[0]), TypeKind::vector) && c_.is(type_of(o[1]), TypeKind::integer), "expected a vector and an integer");
        break;
      case Opcode::insertelement:
        expect(c_.is(type_of(o[0]), TypeKind::vector) && type_of(o[1]) == m_.element_of(type_of(o[0])) &&
                   c_.is(type_of(o[2]), TypeKind::integer),
               "expected a vector, a value of its element type and an integer");
        break;
      case Opcode::shufflevector: check_shuffle(o); break;
      case Opcode::call:
      case Opcode::invoke: check_call(i, o); break;
      case Opcode::alloca_:
        expect(c_.is(type_of(o[0]), TypeKind::integer), "the count is not an integer");
        expect(is_value_type(i.second_type) && !c_.is(i.second_type, TypeKind::label) && !c_.is(i.second_type, TypeKind::metadata),
               "the type is unsized");
        check_alignment(i);
        break;
      case Opcode::load:
        expect(c_.is(type_of(o[0]), TypeKind::pointer) && m_.element_of(type_of(o[0])) == i.type, "the pointee type does not match");
        check_alignment(i);
        check_ordering(i, i.ordering != Ordering::release && i.ordering != Ordering::acq_rel);
        break;
      case Opcode::store:
        expect(c_.is(type_of(o[0]), TypeKind::pointer) && m_.element_of(type_of(o[0])) == type_of(o[1]), "the pointee type does not match");
        check_alignment(i);
        check_ordering(i, i.ordering != Ordering::acquire && i.ordering != Ordering::acq_rel);
        break;
      case Opcode::getelementptr: check_indices(i, o); break;
      case Opcode::fence:
        if (i.ordering < Ordering::acquire) add(rules::kBitcodeMemory, "the ordering of a fence must be at least acquire");
        break;
      case Opcode::cmpxchg: check_exchange(i, o); break;
      case Opcode::atomicrmw:
        expect(c_.is(type_of(o[0]), TypeKind::pointer) && m_.element_of(type_of(o[0])) == type_of(o[1]), "the pointee type does not match");
        expect(is_sized_integer(type_of(o[1])), "expected integers of at least 8 bits");
        if (i.ordering <= Ordering::unordered) add(rules::kBitcodeMemory, "the ordering of atomicrmw must be at least monotonic");
        break;
      default: break;
    }
  }

  void check_binary(const Instruction& i, Operands o) {
    const bool is_real = i.opcode == Opcode::fadd || i.opcode == Opcode::fsub || i.opcode == Opcode::fmul || i.opcode == Opcode::fdiv ||
                         i.opcode == Opcode::frem;
    if (type_of(o[0]) != i.type || type_of(o[1]) != i.type || (is_real ? !is_any_real(i.type) : !is_integers(i.type)))
      add(rules::kBitcodeOperandType, std::string(text(i.opcode)) + " of " + c_.text_of(type_of(o[0])) + " and " +
                                          c_.text_of(type_of(o[1])) + " to " + c_.text_of(i.type));
  }

  bool can_cast(Opcode opcode, std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t a = width_of(from);
    const std::uint32_t b = width_of(to);
    const bool shape = same_shape(from, to);
    switch (opcode) {
      case Opcode::trunc: return shape && is_integers(from) && is_integers(to) && a > b;
      case Opcode::zext:
      case Opcode::sext: return shape && is_integers(from) && is_integers(to) && a < b;
      case Opcode::fptrunc: return shape && is_any_real(from) && is_any_real(to) && a > b;
      case Opcode::fpext: return shape && is_any_real(from) && is_any_real(to) && a < b;
      case Opcode::uitofp:
      case Opcode::sitofp: return shape && is_integers(from) && is_any_real(to);
      case Opcode::fptoui:
      case Opcode::fptosi: return shape && is_any_real(from) && is_integers(to);
      case Opcode::ptrtoint: return shape && is_pointers(from) && is_integers(to);
      case Opcode::inttoptr: return shape && is_integers(from) && is_pointers(to);
      case Opcode::bitcast:
        if (is_pointers(from) || is_pointers(to))
          return is_pointers(from) && is_pointers(to) && shape && c_.type(c_.scalar_of(from)).number == c_.type(c_.scalar_of(to)).number;
        return bits_of(from) != 0 && bits_of(from) == bits_of(to);
      case Opcode::addrspacecast:
        return is_pointers(from) && is_pointers(to) && shape && c_.type(c_.scalar_of(from)).number != c_.type(c_.scalar_of(to)).number;
      default: return false;
    }
  }

  void check_switch(const Instruction& i, Operands o) {
    if (!c_.is(type_of(o[0]), TypeKind::integer)) return add(rules::kBitcodeOperandType, "switch: the condition is not an integer");
    // Constants are values of their own for each mention: what they are is compared.
    cases_.clear();
    for (std::size_t k = 2; k < o.size(); k += 2) {
      if (type_of(o[k]) != i.second_type)
        return add(rules::kBitcodeOperandType, "switch: a case value has a different type than the condition");
      if (const auto value = c_.integer_of(body_, o[k])) cases_.push_back(*value);
    }
    std::sort(cases_.begin(), cases_.end());
    const auto twice = std::adjacent_find(cases_.begin(), cases_.end());
    if (twice != cases_.end()) add(rules::kBitcodeSwitchCase, "case " + std::to_string(*twice) + " occurs twice");
  }

  void check_shuffle(Operands o) {
    const std::uint32_t vector = type_of(o[0]);
    const std::uint32_t mask = type_of(o[2]);
    if (!c_.is(vector, TypeKind::vector) || type_of(o[1]) != vector || !c_.is(mask, TypeKind::vector) ||
        !c_.is_integer(m_.element_of(mask), 32))
      return add(rules::kBitcodeOperandType, "shufflevector: expected two vectors of one type and one of i32");
    const Constant* const constant = c_.constant_of(body_, o[2]);
    if (constant == nullptr) return add(rules::kBitcodeOperandType, "shufflevector: the mask is not a constant");
    const std::uint64_t elements = 2 * c_.type(vector).count;
    const auto fits = [&](std::uint64_t index) { return index < elements; };
    bool good = true;
    if (constant->kind == ConstantKind::data) {
      const auto literals = m_.literals_of(constant->literals);
      good = std::all_of(literals.begin(), literals.end(), fits);
    } else if (constant->kind == ConstantKind::aggregate) {
      for (const std::uint32_t id : m_.operands_of(constant->operands))
        if (const auto index = c_.integer_of(body_, id)) good = good && fits(*index);
    }
    if (!good) add(rules::kBitcodeOperandType, "shufflevector: an index of the mask is out of bounds");
  }

  void check_call(const Instruction& i, Operands o) {
    const auto parts = m_.parts_of(c_.type(i.second_type));
    const std::size_t first = i.opcode == Opcode::call ? 1 : 3;
    const std::uint32_t callee = type_of(o[0]);
    if (!c_.is(callee, TypeKind::pointer) || m_.element_of(callee) != i.second_type || i.type != parts[0])
      return add(rules::kBitcodeCall, "the callee has a different type");
    const std::size_t arguments = o.size() - first;
    const bool variadic = c_.type(i.second_type).variadic;
    if (arguments < parts.size() - 1 || (arguments > parts.size() - 1 && !variadic))
      return add(rules::kBitcodeCall, std::to_string(arguments) + " arguments for " + std::to_string(parts.size() - 1) + " parameters");
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
      const std::uint32_t operand = o[first + k];
      const bool is_metadata = (operand & kMetadataOperand) != 0;
      if (c_.is(parts[k + 1], TypeKind::label)) continue;
      const bool good = is_metadata ? c_.is(parts[k + 1], TypeKind::metadata) : type_of(operand) == parts[k + 1];
      if (!good) add(rules::kBitcodeCall, "argument " + std::to_string(k) + " is not of " + c_.text_of(parts[k + 1]));
    }
  }

  void check_indices(const Instruction& i, Operands o) {
    const std::uint32_t base = type_of(o[0]);
    const auto wrong = [&](const char* what) { add(rules::kBitcodeOperandType, std::string("getelementptr: ") + what); };
    if (!is_pointers(base) || m_.element_of(c_.scalar_of(base)) != i.second_type) return wrong("the pointee type does not match");
    std::uint32_t type = i.second_type;
    for (std::size_t k = 1; k < o.size(); ++k) {
      if (!is_integers(type_of(o[k]))) return wrong("an index is not an integer");
      if (k == 1) continue;
      const Type& outer = c_.type(type);
      if (outer.kind == TypeKind::structure) {
        const auto index = c_.integer_of(body_, o[k]);
        if (!index || *index >= outer.parts.count) return wrong("a struct member is out of bounds");
        type = m_.parts_of(outer)[static_cast<std::size_t>(*index)];
      } else if (outer.kind == TypeKind::array || outer.kind == TypeKind::vector) {
        type = m_.element_of(type);
      } else {
        return wrong("an index into a type without elements");
      }
    }
    const std::uint32_t result = c_.scalar_of(i.type);
    if (!c_.is(result, TypeKind::pointer) || m_.element_of(result) != type || c_.type(result).number != c_.type(c_.scalar_of(base)).number)
      wrong("the pointee type of the result does not match");
  }

  bool is_sized_integer(std::uint32_t type) const {
    const std::uint32_t width = c_.is(type, TypeKind::integer) ? c_.type(type).number : 0;
    return width >= 8 && (width & (width - 1)) == 0;
  }

  void check_exchange(const Instruction& i, Operands o) {
    if (!c_.is(type_of(o[0]), TypeKind::pointer) || m_.element_of(type_of(o[0])) != type_of(o[1]) || type_of(o[1]) != type_of(o[2]))
      add(rules::kBitcodeOperandType, "cmpxchg: the pointer is to another type");
    if (!is_sized_integer(type_of(o[1]))) add(rules::kBitcodeOperandType, "cmpxchg: works on integers of 8 bits and up");
    const bool weaker =
        i.failure_ordering <= i.ordering && i.failure_ordering != Ordering::release && i.failure_ordering != Ordering::acq_rel;
    if (i.ordering <= Ordering::unordered || i.failure_ordering <= Ordering::unordered || !weaker)
      add(rules::kBitcodeMemory,
          "cmpxchg: both orderings must be at least monotonic, and that of failure not stronger than that of success");
  }

  void check_alignment(const Instruction& i) {
    if (i.alignment_code > kLargestAlignment + 1) add(rules::kBitcodeMemory, "alignment 2^" + std::to_string(i.alignment_code - 1));
  }

  void check_ordering(const Instruction& i, bool fits) {
    if ((i.flags & flag::kAtomic) == 0) return;
    if (!fits) add(rules::kBitcodeMemory, std::string("invalid ordering of an atomic ") + std::string(text(i.opcode)));
    if (i.alignment_code == 0) add(rules::kBitcodeMemory, std::string("no alignment on an atomic ") + std::string(text(i.opcode)));
  }

  struct Incoming {
    std::uint32_t block;
    std::uint32_t value;
  };
  const ModuleCheck& c_;
  const Module& m_;
  FlowChecker* flow_;
  const Body* body_ = nullptr;
  std::uint32_t block_ = 0;
  std::uint32_t current_ = 0;  ///< in Module::instructions
  Graph graph_;
  Dominators dominators_;
  std::vector<std::uint32_t> block_of_;  ///< by instruction of the body
  std::vector<std::uint32_t> predecessors_;
  std::vector<Incoming> incoming_;
  std::vector<std::uint64_t> cases_;
  std::unordered_set<std::uint64_t> seen_types_;
};

}  // namespace

void check_structure(const ModuleCheck& check, bool of_dxil) {
  if (!of_dxil) return StructureChecker(check, nullptr).check();
  FlowChecker flow(check);
  StructureChecker(check, &flow).check();
}

}  // namespace unshade::dxil::validate
