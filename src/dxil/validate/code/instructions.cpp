// Instructions other than calls of operations: which of LLVM's there are in DXIL, and on what they work.
// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateFunctionBody
#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/dxil/layout.hpp>

#include "dxil/module/metadata_tuple.hpp"
#include "dxil/validate/code/types.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

// Address spaces. src: DXC DxilConstants.h
constexpr std::uint32_t kGeneric = 4, kNodeRecord = 6;
/// How many casts and member accesses a pointer is followed through.
constexpr unsigned kMostPointerSteps = 64;
/// Bytes in memory; narrower types hold minimum precision.
constexpr std::uint32_t kFullPrecisionBits = 32;

// Hints of `dx.controlflow.hints`. src: DXC DxilConstants.h, ControlFlowHint
constexpr std::uint64_t kHintBranch = 1, kHintFlatten = 2, kHintForceCase = 5;
constexpr std::size_t kFirstHint = 2;

/// Metadata that instructions may have. src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateInstructionMetadata
enum class Attached : std::uint8_t { unknown, hints, precise, nonuniform, loop, access, range, other };
struct AttachedKind {
  std::string_view name;
  Attached attached;
};
constexpr AttachedKind kAttached[] = {
    {"dbg", Attached::other},
    {"dx.controlflow.hints", Attached::hints},
    {"dx.precise", Attached::precise},
    {"llvm.loop", Attached::loop},
    {"dx.nonuniform", Attached::nonuniform},
    {"tbaa", Attached::access},
    {"alias.scope", Attached::other},
    {"noalias", Attached::other},
    {"range", Attached::range},
};
/// How the unrolling of a loop is asked for, with a count or without.
constexpr std::string_view kUnrollFull = "llvm.loop.unroll.full", kUnrollNot = "llvm.loop.unroll.disable",
                           kUnrollCount = "llvm.loop.unroll.count";

/// From `first` up to `end`, which may lie below it: then around through 0.
struct NumberRange {
  std::uint64_t first;
  std::uint64_t end;
};

class InstructionChecker {
 public:
  explicit InstructionChecker(const ModuleCheck& check)
      : c_(check), m_(check.module), types_(check), layout_(check.module), kinds_(check.module.metadata_kinds.size(), Attached::unknown) {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const std::string_view name = m_.text(m_.metadata_kinds[k].name);
      for (const AttachedKind& kind : kAttached)
        if (kind.name == name) kinds_[k] = kind.attached;
    }
    for (std::uint32_t i = 0; i < m_.types.size(); ++i)
      if (m_.types[i].kind == TypeKind::structure && c_.name_of(m_.types[i]) == "dx.types.Dimensions") dimensions_ = i;
  }

  void check() {
    for (const Body& body : m_.bodies) {
      body_ = &body;
      for (at_ = body.instructions.first; at_ < body.instructions.end(); ++at_) check_instruction(m_.instructions[at_]);
      for (std::uint32_t k = body.attachments.first; k < body.attachments.end(); ++k) check_attachment(m_.attachments[k]);
    }
  }

 private:
  void add(const Rule& rule, std::string message) const { c_.add(rule, *body_, at_, std::move(message)); }
  std::uint32_t type_of(std::uint32_t operand) const { return c_.type_of(*body_, operand); }
  bool has_vectors() const { return c_.has_model(9); }
  bool is_linkable() const {
    return c_.is_library() || c_.program.kind == ShaderKind::mesh || c_.program.kind == ShaderKind::amplification;
  }

  bool is_allowed(const Instruction& i) const {
    switch (i.opcode) {
      case Opcode::indirectbr:
      case Opcode::invoke:
      case Opcode::resume:
      case Opcode::landingpad:
      case Opcode::va_arg:
      case Opcode::ptrtoint:
      case Opcode::inttoptr:
      case Opcode::fence: return false;
      case Opcode::extractelement:
      case Opcode::insertelement:
      case Opcode::shufflevector: return has_vectors() || is_linkable();
      case Opcode::unreachable: return is_linkable() && follows_no_return();
      default: return true;
    }
  }

  bool follows_no_return() const {
    if (at_ == body_->instructions.first) return false;
    const auto call = call_of(c_, *body_, m_.instructions[at_ - 1]);
    return call && call->row().access == MemoryAccess::no_return;
  }

  void check_instruction(const Instruction& i) {
    if (!is_allowed(i)) return add(rules::kInstrAllowed, std::string(text(i.opcode)));
    if (dimensions_ != kNone) check_use_of_sizes(i);
    if (i.opcode == Opcode::call) return;  // check_operations() and check_declarations() judge them
    check_operands(i);
    check_result(i);
    const auto o = m_.operands_of(i.operands);
    switch (i.opcode) {
      case Opcode::alloca_: judge(i.second_type); break;
      case Opcode::load: judge(i.type); break;
      case Opcode::store: judge(type_of(o[1])); break;
      case Opcode::getelementptr:
        if (c_.is(i.type, TypeKind::pointer)) judge(m_.element_of(i.type));
        check_bounds(i, o);
        break;
      case Opcode::extractvalue: {
        const Value& from = m_.value(body_, o[0]);
        const bool exchanged = from.kind == ValueKind::instruction && m_.instructions[from.index].opcode == Opcode::cmpxchg;
        if (!exchanged && !is_operation_struct(c_, from.type)) add(rules::kInstrExtractValue, "of " + c_.text_of(from.type));
        break;
      }
      case Opcode::sdiv:
        if (is_zero(o[1])) add(rules::kInstrNoIdivByZero, "by the constant 0");
        break;
      case Opcode::udiv:
        if (is_zero(o[1])) add(rules::kInstrNoUdivByZero, "by the constant 0");
        break;
      case Opcode::addrspacecast:
        if (space_of(i.type) != kGeneric && space_of(type_of(o[0])) != kGeneric)
          add(rules::kInstrNoGenericPtrAddrSpaceCast, "neither address space is the generic one");
        break;
      case Opcode::bitcast: check_bitcast(i, type_of(o[0])); break;
      case Opcode::cmpxchg:
      case Opcode::atomicrmw: check_atomic(o); break;
      default: break;
    }
    const bool makes_pointer = i.opcode == Opcode::getelementptr || i.opcode == Opcode::bitcast;
    if (c_.is(i.type, TypeKind::pointer) && space_of(i.type) == kGroupSharedSpace &&
        (!makes_pointer || root_of(o[0]).kind != ValueKind::global))
      add(rules::kInstrFailToResolveTgsmPointer, std::string(text(i.opcode)) + " of an ambiguous pointer");
  }

  std::uint32_t space_of(std::uint32_t pointer) const { return c_.type(c_.scalar_of(pointer)).number; }
  bool is_zero(std::uint32_t operand) const { return c_.integer_of(body_, operand) == std::uint64_t{0}; }

  void judge(std::uint32_t type) {
    if (const Rule* rule = types_.broken(type)) add(*rule, c_.text_of(type));
  }

  /// What GetDimensions gives is taken apart.
  void check_use_of_sizes(const Instruction& i) {
    if (i.opcode == Opcode::extractvalue || i.opcode == Opcode::phi) return;
    bool used = false;
    for_each_value_operand(m_, i, [&](std::size_t, std::uint32_t operand) {
      const Value& value = m_.value(body_, operand);
      used = used || (value.type == dimensions_ && value.kind == ValueKind::instruction &&
                      operation_of(c_, *body_, m_.instructions[value.index]).has_value());
    });
    if (used) add(rules::kInstrDxilStructUser, std::string(text(i.opcode)) + " of a result of GetDimensions");
  }

  // --- operands -----------------------------------------------------------------------------------------------------------------------
  void check_operands(const Instruction& i) {
    bool undefined = false;
    for_each_value_operand(m_, i, [&](std::size_t number, std::uint32_t operand) {
      const Constant* const constant = c_.constant_of(body_, operand);
      if (constant != nullptr) {
        if (constant->kind == ConstantKind::undef) {
          undefined = undefined || !may_be_undefined(i, number);
        } else if (constant->kind >= ConstantKind::binary && constant->kind <= ConstantKind::compare) {
          for (const std::uint32_t inner : m_.operands_of(constant->operands)) undefined = undefined || c_.is_undef(*body_, inner);
        }
      }
      const std::uint32_t type = type_of(operand);
      if (c_.is_integer(type, kByteBits)) {
        add(rules::kTypesI8, std::string(text(i.opcode)) + " of i8");
      } else if (const Rule* rule = types_.broken_width(type)) {
        add(*rule, std::string(text(i.opcode)) + " of " + c_.text_of(type));
      }
    });
    if (undefined) add(rules::kInstrNoReadingUninitialized, std::string(text(i.opcode)) + " of an undefined value");
  }

  bool may_be_undefined(const Instruction& i, std::size_t number) const {
    switch (i.opcode) {
      case Opcode::phi: return true;
      case Opcode::insertelement: return number == 0;
      // DXC compares values: two undefined vectors are one value.
      case Opcode::shufflevector: return number == 1 || (number == 0 && c_.is_undef(*body_, m_.operands[i.operands.first + 1]));
      case Opcode::store: return number == 1;
      default: return false;
    }
  }

  void check_result(const Instruction& i) {
    std::uint32_t type = i.type;
    if (c_.is(type, TypeKind::pointer)) type = m_.element_of(type);
    type = c_.innermost(type);
    if (c_.is_integer(type, kByteBits)) {
      // Variables are cast to i8* for the intrinsics that state their lifetime.
      if (!c_.has_model(kLifetimeMinor) || i.opcode != Opcode::bitcast) add(rules::kTypesI8, std::string(text(i.opcode)) + " returns i8");
    } else if (const Rule* rule = types_.broken_width(type)) {
      add(*rule, std::string(text(i.opcode)) + " returns " + c_.text_of(type));
    }
  }

  // --- memory -------------------------------------------------------------------------------------------------------------------------
  void check_bounds(const Instruction& i, std::span<const std::uint32_t> o) {
    if (!c_.is(i.type, TypeKind::pointer)) return;
    std::uint64_t offset = 0;
    std::uint32_t type = i.second_type;
    for (std::size_t k = 1; k < o.size(); ++k) {
      auto index = c_.integer_of(body_, o[k]);
      // Unknown values are not checked.
      if (!index) return;
      if (c_.is_integer(type_of(o[k]), 32)) index = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(*index)});
      if (k == 1) {
        offset += *index * layout_.size_of(type);
        continue;
      }
      if (c_.is(type, TypeKind::structure)) {
        auto known = offsets_.find(type);
        if (known == offsets_.end()) known = offsets_.emplace(type, layout_.offsets_of(type)).first;
        const auto& offsets = known->second;
        if (*index >= offsets.size()) return;
        offset += offsets[static_cast<std::size_t>(*index)];
        type = m_.parts_of(c_.type(type))[static_cast<std::size_t>(*index)];
      } else {
        type = m_.element_of(type);
        offset += *index * layout_.size_of(type);
      }
    }
    // As DXC counts: one element back ends where the object begins, which passes.
    const auto end = static_cast<std::uint32_t>(offset + layout_.size_of(type));
    if (end > layout_.size_of(i.second_type))
      add(rules::kInstrInBoundsAccess, "byte " + std::to_string(static_cast<std::int64_t>(offset)) + " of " + c_.text_of(i.second_type));
  }

  std::uint32_t bits_of(std::uint32_t type) const {
    switch (c_.type(type).kind) {
      case TypeKind::half: return 16;
      case TypeKind::float_: return 32;
      case TypeKind::double_: return 64;
      case TypeKind::integer: return c_.type(type).number;
      default: return kFullPrecisionBits;
    }
  }

  void check_bitcast(const Instruction& i, std::uint32_t from) {
    std::uint32_t to = i.type;
    if (c_.is(from, TypeKind::pointer) && c_.is(to, TypeKind::pointer)) {
      from = m_.element_of(from);
      to = m_.element_of(to);
      if (c_.has_model(kLifetimeMinor) && c_.is_integer(to, kByteBits)) return;
      if (!has_size(from) || !has_size(to) || layout_.size_of(from) != layout_.size_of(to))
        return add(rules::kInstrPtrBitCast, "from " + c_.text_of(from) + " to " + c_.text_of(to));
      from = c_.innermost(from);
      to = c_.innermost(to);
    }
    if (!c_.is_library() && (c_.is(from, TypeKind::structure) || c_.is(to, TypeKind::structure)))
      return add(rules::kInstrStructBitCast, "from " + c_.text_of(from) + " to " + c_.text_of(to));
    if (c_.program.minimum_precision() &&
        (bits_of(c_.scalar_of(from)) < kFullPrecisionBits || bits_of(c_.scalar_of(to)) < kFullPrecisionBits) &&
        !c_.is(from, TypeKind::vector))
      add(rules::kInstrMinPrecisonBitCast, "from " + c_.text_of(from) + " to " + c_.text_of(to));
  }

  bool has_size(std::uint32_t type) const {
    const TypeKind kind = c_.type(type).kind;
    return kind != TypeKind::function && kind != TypeKind::void_ && kind != TypeKind::label && kind != TypeKind::metadata;
  }

  /// What a pointer points into, as far as that is a matter of members and casts alone.
  const Value& root_of(std::uint32_t pointer) const {
    for (unsigned step = 0; step < kMostPointerSteps; ++step) {
      const Value& value = m_.value(body_, pointer);
      if (value.kind == ValueKind::instruction) {
        const Instruction& i = m_.instructions[value.index];
        if (i.opcode != Opcode::getelementptr && i.opcode != Opcode::bitcast) return value;
        pointer = m_.operands[i.operands.first];
      } else if (value.kind == ValueKind::constant) {
        const Constant& constant = m_.constants[value.index];
        const bool of_pointer =
            constant.kind == ConstantKind::getelementptr || (constant.kind == ConstantKind::cast && constant.opcode == Opcode::bitcast);
        if (!of_pointer) return value;
        pointer = m_.operands[constant.operands.first];
      } else {
        return value;
      }
    }
    return m_.value(body_, pointer);
  }

  void check_atomic(std::span<const std::uint32_t> o) {
    const std::uint32_t pointer = type_of(o[0]);
    if (!c_.is(pointer, TypeKind::pointer)) return;
    if (c_.is_integer(m_.element_of(pointer), 64) && !c_.has_model(6))
      add(rules::kSmOpcodeInInvalidFunction, "a 64-bit atomic before shader model 6.6");
    if (space_of(pointer) != kGroupSharedSpace && space_of(pointer) != kNodeRecord)
      add(rules::kInstrAtomicOpNonGroupSharedOrRecord, "address space " + std::to_string(space_of(pointer)));
    const Value& root = root_of(o[0]);
    if (root.kind == ValueKind::global && m_.globals[root.index].constant)
      add(rules::kInstrAtomicConst, "the destination is a constant variable");
  }

  // --- metadata that hangs on instructions ----------------------------------------------------------------------------------------------
  void check_attachment(const Attachment& attachment) {
    if (attachment.instruction == kNone || attachment.instruction >= body_->instructions.count) return;
    at_ = body_->instructions.first + attachment.instruction;
    const Instruction& i = m_.instructions[at_];
    const Metadata& node = m_.metadata_at(body_, attachment.node);
    const module::MetadataTuple tuple = module::MetadataTuple::of(m_, &node);
    switch (attachment.kind < kinds_.size() ? kinds_[attachment.kind] : Attached::unknown) {
      case Attached::hints: check_hints(i, tuple); break;
      case Attached::precise: check_precise(i, tuple); break;
      case Attached::nonuniform: check_nonuniform(i, tuple); break;
      case Attached::loop: check_loop(node); break;
      case Attached::access: check_access(node); break;
      case Attached::range: check_range(i, tuple); break;
      case Attached::other: break;
      case Attached::unknown: add(rules::kMetaUsed, "unknown metadata kind"); break;
    }
  }

  void check_nonuniform(const Instruction& i, const module::MetadataTuple& tuple) {
    if (!c_.is_library()) add(rules::kMetaUsed, "dx.nonuniform outside of a library");
    if (i.opcode != Opcode::getelementptr || tuple.size() != 1) {
      add(rules::kMetaWellFormed, "dx.nonuniform must be on getelementptr and have one operand");
    } else if (tuple.integer(0) != std::uint64_t{1}) {
      add(rules::kMetaValueRange, "dx.nonuniform must be 1");
    }
  }

  // Nodes of loops and of kinds of memory lead to others of their kind; kMostPointerSteps ends what leads in a circle.
  void check_loop(const Metadata& node) {
    const Metadata* at = &node;
    for (unsigned step = 0; step < kMostPointerSteps; ++step) {
      const module::MetadataTuple loop = module::MetadataTuple::of(m_, at);
      // A loop is told from others by naming itself.
      if (loop.size() == 0 || loop.size() > 2 || loop.at(0) != at)
        return add(rules::kMetaWellFormed, "llvm.loop must refer to itself and have at most one hint");
      if (loop.size() == 1) return;
      const Metadata* const next = loop.at(1);
      const module::MetadataTuple hint = loop.tuple(1);
      if (hint.size() != 0 && hint.size() <= 2 && hint.at(0) == next) {
        at = next;
        continue;
      }
      const std::string_view name = hint.text(0);
      const bool counts = name == kUnrollCount && hint.size() == 2 && hint.integer(1);
      if (!counts && (hint.size() > 2 || (name != kUnrollFull && name != kUnrollNot)))
        add(rules::kMetaWellFormed, "llvm.loop with an unknown hint");
      return;
    }
  }

  void check_access(const Metadata& node) {
    const Metadata* at = &node;
    for (unsigned step = 0; step < kMostPointerSteps; ++step) {
      const module::MetadataTuple kind = module::MetadataTuple::of(m_, at);
      bool good = kind.size() >= 1 && kind.size() <= 3;
      if (kind.size() == 1) good = kind.at(0) != nullptr && kind.at(0)->kind == MetadataKind::string;
      if (kind.size() == 3) good = kind.integer(2).value_or(2) <= 1;
      if (kind.size() >= 2) good = good && kind.at(1) != nullptr && kind.at(1)->kind == MetadataKind::node;
      if (!good) return add(rules::kMetaWellFormed, "malformed tbaa");
      if (kind.size() == 1) return;
      at = kind.at(1);
    }
  }

  // src: LLVM 3.7 lib/IR/Verifier.cpp, visitRangeMetadata
  void check_range(const Instruction& i, const module::MetadataTuple& tuple) {
    if ((i.opcode != Opcode::load && i.opcode != Opcode::call && i.opcode != Opcode::invoke) || !c_.is(i.type, TypeKind::integer))
      return add(rules::kBitcodeRange, std::string(text(i.opcode)) + " with a range");
    const std::uint32_t width = std::min(c_.type(i.type).number, 64U);
    if (tuple.size() == 0 || tuple.size() % 2 != 0) return add(rules::kBitcodeRange, std::to_string(tuple.size()) + " operands");
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const auto holds = [&](const NumberRange& r, std::uint64_t number) { return ((number - r.first) & mask) < ((r.end - r.first) & mask); };
    const auto meet = [&](const NumberRange& a, const NumberRange& b) {
      return holds(a, b.first) || holds(b, a.first) || a.end == b.first || b.end == a.first;
    };
    const auto as_signed = [&](std::uint64_t number) { return number ^ (std::uint64_t{1} << (width - 1)); };
    NumberRange first{}, last{};
    for (std::size_t k = 0; k + 1 < tuple.size(); k += 2) {
      const Constant* const low = tuple.constant(k);
      const Constant* const high = tuple.constant(k + 1);
      const bool numbers =
          low != nullptr && high != nullptr && low->type == i.type && high->type == i.type && tuple.integer(k) && tuple.integer(k + 1);
      if (!numbers) return add(rules::kBitcodeRange, "a limit is not a constant of the type");
      const NumberRange range{*tuple.integer(k), *tuple.integer(k + 1)};
      if (range.first == range.end) return add(rules::kBitcodeRange, "an empty range");
      if (k == 0) {
        first = range;
      } else if (meet(range, last) || as_signed(range.first) <= as_signed(last.first)) {
        return add(rules::kBitcodeRange, "the ranges overlap or are out of order");
      }
      last = range;
    }
    constexpr std::size_t kTwoRanges = 4;
    if (tuple.size() > kTwoRanges && meet(first, last)) add(rules::kBitcodeRange, "the first and the last range overlap");
  }

  void check_precise(const Instruction& i, const module::MetadataTuple& tuple) {
    const auto is_precise = tuple.integer(0);
    if (tuple.size() != 1 || !is_precise) return add(rules::kMetaWellFormed, "dx.precise must have one integer operand");
    if (*is_precise > 1) add(rules::kMetaValueRange, "dx.precise must be 0 or 1");
    if (*is_precise != 1 || !c_.program.minimum_precision()) return;
    bool minimum = false;
    for_each_value_operand(m_, i, [&](std::size_t, std::uint32_t operand) {
      const std::uint32_t type = type_of(operand);
      minimum = minimum || c_.is(type, TypeKind::half) || c_.is_integer(type, kMinimumBits);
    });
    if (minimum) add(rules::kInstrMinPrecisionNotPrecise, std::string(text(i.opcode)) + " of minimum precision");
  }

  void check_hints(const Instruction& i, const module::MetadataTuple& tuple) {
    if (!is_terminator(i.opcode)) return add(rules::kMetaControlFlowHintNotOnControlFlow, std::string(text(i.opcode)));
    bool branch = false, flatten = false, force_case = false;
    for (std::size_t k = kFirstHint; k < tuple.size(); ++k) {
      const std::uint64_t hint = tuple.integer(k).value_or(0);
      branch = branch || hint == kHintBranch;
      flatten = flatten || hint == kHintFlatten;
      force_case = force_case || hint == kHintForceCase;
      if (hint != kHintBranch && hint != kHintFlatten && hint != kHintForceCase)
        return add(rules::kMetaInvalidControlFlowHint, "hint " + std::to_string(hint));
    }
    if (branch && flatten) add(rules::kMetaBranchFlatten, "branch and flatten");
    if (force_case && i.opcode != Opcode::switch_) add(rules::kMetaForceCaseOnSwitch, std::string(text(i.opcode)));
  }

  static constexpr std::uint32_t kByteBits = 8, kMinimumBits = 16;
  static constexpr std::uint32_t kLifetimeMinor = 6;

  const ModuleCheck& c_;
  const Module& m_;
  TypeRules types_;
  TypeLayout layout_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> offsets_;  ///< of members, by structure
  std::vector<Attached> kinds_;                                            ///< by number of metadata_kinds
  std::uint32_t dimensions_ = kNone;                                       ///< the type of what GetDimensions gives
  const Body* body_ = nullptr;
  std::uint32_t at_ = 0;
};

}  // namespace

void check_instructions(const ModuleCheck& check) { InstructionChecker(check).check(); }

}  // namespace unshade::dxil::validate
