// Registers of resources: in the metadata of a module, and in the code that makes handles of them.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/edit/bindings.hpp"
#include "dxil/module/metadata_tuple.hpp"

namespace unshade::dxil::edit {

using dxcontainer::kUnbounded;

namespace {

// src: DXC DxilMetadataHelper.h
constexpr std::size_t kSpace = 3, kLowerBound = 4;
constexpr std::size_t kClasses = 4;

// Operations and their arguments. src: DXC DXIL.rst
constexpr std::uint64_t kCreateHandle = 57;  // class, range id, index, non-uniform
constexpr std::size_t kHandleClass = 1, kHandleRange = 2, kHandleIndex = 3, kHandleArguments = 5;
constexpr std::uint64_t kCreateHandleFromBinding = 217;  // binding, index, non-uniform
constexpr std::size_t kBinding = 1, kBindingIndex = 2, kBindingArguments = 4;
// Members of a binding.
constexpr std::size_t kBindingLower = 0, kBindingUpper = 1, kBindingSpace = 2, kBindingClass = 3, kBindingMembers = 4;

struct Moved {
  const ProgramResource* resource = nullptr;
  std::uint32_t to = 0;
  std::uint32_t to_space = 0;

  std::uint32_t delta() const { return to - resource->lower_bound; }
};

class Rebinder {
 public:
  Rebinder(ModuleEdit& edit, std::span<const BindingChange> changes)
      : edit_(edit), m_(edit.module()), changes_(changes), metadata_(read_program_metadata(m_)) {
    out_.found.assign(changes.size(), false);
  }

  Result<ModuleChanges> run() {
    if (!declarations() || !code()) return *std::move(error_);
    return std::move(out_);
  }

 private:
  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  bool declarations() {
    const NamedMetadata* const root = module::find_named_metadata(m_, "dx.resources");
    if (root == nullptr || root->nodes.empty()) return true;
    const auto lists = static_cast<std::uint32_t>(m_.metadata_operands_of(root->nodes)[0]);
    const std::vector<ProgramResource>* const classes[kClasses] = {&metadata_.shader_resources, &metadata_.unordered_access,
                                                                   &metadata_.constant_buffers, &metadata_.samplers};
    struct Edit {
      std::uint32_t node, to, to_space;
    };
    std::vector<Edit> edits;
    std::vector<PlacedRange> ranges;
    for (std::size_t c = 0; c < kClasses; ++c) {
      const std::uint32_t list = edit_.operand(lists, c);
      for (std::size_t k = 0; k < classes[c]->size(); ++k) {
        const ProgramResource& r = (*classes[c])[k];
        PlacedRange range{r.resource_class, r.space, r.lower_bound, r.count == kUnbounded ? kUnbounded : r.lower_bound + (r.count - 1),
                          false};
        const std::size_t i = find_change(changes_, range);
        if (i != changes_.size()) {
          out_.found[i] = true;
          const std::uint32_t node = edit_.operand(list, k);
          edits.push_back({node, changes_[i].to, changes_[i].to_space});
          moved_.push_back({&r, changes_[i].to, changes_[i].to_space});
          deltas_.emplace(&r, moved_.back().delta());
          if (!move(range, changes_[i])) return fail(beyond_registers());
        }
        ranges.push_back(range);
      }
    }
    if (auto clash = find_overlap(std::move(ranges))) return fail(*std::move(clash));
    for (const Edit& edit : edits) {
      set_integer(edit.node, kSpace, edit.to_space);
      set_integer(edit.node, kLowerBound, edit.to);
    }
    return true;
  }

  void set_integer(std::uint32_t node, std::size_t i, std::uint32_t value) {
    const std::uint32_t id = edit_.operand(node, i);
    if (id == kNone || m_.metadata[id].kind != MetadataKind::value) return;
    edit_.set_operand(node, i, edit_.metadata_value(edit_.integer(m_.metadata[id].type, value)));
  }

  // --- code ---

  bool code() {
    if (moved_.empty()) return true;
    for (std::uint32_t b = 0; b < m_.bodies.size(); ++b) {
      body_ = b;
      const Range range = m_.bodies[b].instructions;
      uses_.clear();
      for (std::uint32_t i = range.first; i < range.end(); ++i) {
        if (m_.instructions[i].opcode != Opcode::call) continue;
        const auto operands = m_.operands_of(m_.instructions[i].operands);
        if (operands.size() < 2) continue;
        const auto operation = integer(operands[1]);
        if (!operation) continue;
        const auto arguments = operands.subspan(1);
        if (*operation == kCreateHandle && is_operation(operands[0], "dx.op.createHandle") && arguments.size() == kHandleArguments) {
          if (!create_handle(i, arguments)) return false;
        } else if (*operation == kCreateHandleFromBinding && is_operation(operands[0], "dx.op.createHandleFromBinding") &&
                   arguments.size() == kBindingArguments) {
          if (!create_handle_from_binding(i, arguments)) return false;
        }
      }
    }
    return true;
  }

  bool is_operation(std::uint32_t callee, std::string_view name) const {
    return callee < m_.values.size() && m_.values[callee].kind == ValueKind::function && m_.text(m_.values[callee].name) == name;
  }
  const Constant* constant(std::uint32_t id) const {
    if ((id & kMetadataOperand) != 0) return nullptr;
    const Value& value = m_.value(&m_.bodies[body_], id);
    return value.kind == ValueKind::constant ? &m_.constants[value.index] : nullptr;
  }
  std::optional<std::uint64_t> integer(std::uint32_t id) const {
    const Constant* const found = constant(id);
    if (found == nullptr || m_.types[found->type].kind != TypeKind::integer) return std::nullopt;
    if (found->kind == ConstantKind::null) return 0;
    if (found->kind != ConstantKind::integer) return std::nullopt;
    return found->bits & 0xffff'ffff;
  }
  bool untold(std::uint32_t instruction, const char* message) {
    const std::uint32_t number = instruction - m_.bodies[body_].instructions.first;
    return fail({ErrorCode::unsupported, m_.instructions[instruction].offset,
                 "module/function[" + std::to_string(m_.bodies[body_].function) + "]/instruction[" + std::to_string(number) + ']',
                 message});
  }

  /// The numbers that a value can have by the selects and phis that it comes from; nothing if something else takes part.
  std::optional<std::vector<std::uint64_t>> numbers_of(std::uint32_t id) {
    constexpr std::size_t kMostValues = 256;
    std::vector<std::uint32_t> open{id};
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open.size() > kMostValues) return std::nullopt;
      if (const auto number = integer(open[i])) {
        numbers.push_back(*number);
        continue;
      }
      if ((open[i] & kMetadataOperand) != 0) return std::nullopt;
      const Value& value = m_.value(&m_.bodies[body_], open[i]);
      if (value.kind != ValueKind::instruction) return std::nullopt;
      const Instruction& from = m_.instructions[value.index];
      const auto operands = m_.operands_of(from.operands);
      const auto add = [&](std::uint32_t operand) {
        if (std::ranges::find(open, operand) == open.end()) open.push_back(operand);
      };
      if (from.opcode == Opcode::select) {
        for (const std::uint32_t operand : operands.subspan(1)) add(operand);
      } else if (from.opcode == Opcode::phi) {
        for (std::size_t k = 0; k < operands.size(); k += 2) add(operands[k]);
      } else {
        return std::nullopt;
      }
    }
    return numbers;
  }

  bool create_handle(std::uint32_t instruction, std::span<const std::uint32_t> arguments) {
    const auto classes = numbers_of(arguments[kHandleClass]);
    const auto ids = numbers_of(arguments[kHandleRange]);
    const auto may_be = [](const std::optional<std::vector<std::uint64_t>>& numbers, std::uint64_t number) {
      return !numbers || std::ranges::find(*numbers, number) != numbers->end();
    };
    // Whichever of them it is: the index moves with it if all move alike.
    std::optional<std::uint32_t> delta;
    for (const auto* list : {&metadata_.shader_resources, &metadata_.unordered_access, &metadata_.constant_buffers, &metadata_.samplers})
      for (const ProgramResource& r : *list) {
        if (!may_be(classes, static_cast<std::uint64_t>(r.resource_class)) || !may_be(ids, r.id)) continue;
        const auto moved = deltas_.find(&r);
        const std::uint32_t its = moved == deltas_.end() ? 0 : moved->second;
        if (delta && *delta != its)
          return untold(instruction, "a handle selects one of several resources at run time, which must all move by the same distance");
        delta = its;
      }
    if (delta) move_index(instruction, kHandleIndex, arguments[kHandleIndex], *delta);
    return true;
  }

  bool create_handle_from_binding(std::uint32_t instruction, std::span<const std::uint32_t> arguments) {
    const Constant* const binding = constant(arguments[kBinding]);
    const auto fault = "createHandleFromBinding must have a constant binding";
    if (binding == nullptr) return untold(instruction, fault);
    const Type& type = m_.types[binding->type];
    if (type.kind != TypeKind::structure || type.parts.count != kBindingMembers) return untold(instruction, fault);
    std::uint32_t members[kBindingMembers] = {};
    if (binding->kind == ConstantKind::aggregate) {
      const auto operands = m_.operands_of(binding->operands);
      for (std::size_t i = 0; i < kBindingMembers; ++i) {
        const auto member = integer(operands[i]);
        if (!member) return untold(instruction, fault);
        members[i] = static_cast<std::uint32_t>(*member);
      }
    } else if (binding->kind != ConstantKind::null) {
      return untold(instruction, fault);
    }
    for (const Moved& moved : moved_) {
      const ProgramResource& r = *moved.resource;
      if (static_cast<std::uint32_t>(r.resource_class) != (members[kBindingClass] & 0xff) || r.space != members[kBindingSpace] ||
          r.lower_bound != members[kBindingLower])
        continue;
      if (members[kBindingUpper] != kUnbounded) members[kBindingUpper] += moved.delta();
      members[kBindingLower] = moved.to;
      members[kBindingSpace] = moved.to_space;
      ModuleEdit::Handle parts[kBindingMembers];
      for (std::size_t i = 0; i < kBindingMembers; ++i) parts[i] = edit_.integer(m_.parts_of(type)[i], members[i]);
      edit_.set_argument(body_, instruction, kBinding, edit_.aggregate(binding->type, parts));
      move_index(instruction, kBindingIndex, arguments[kBindingIndex], moved.delta());
      break;
    }
    return true;
  }

  /// How often a value of the function is an operand in it.
  std::uint32_t uses(std::uint32_t id) {
    const dxil::Body& body = m_.bodies[body_];
    if (uses_.empty()) {
      uses_.assign(body.values.count, 0);
      for (std::uint32_t i = body.instructions.first; i < body.instructions.end(); ++i)
        for (const std::uint32_t operand : m_.operands_of(m_.instructions[i].operands))
          if (operand >= m_.values.size() && operand - m_.values.size() < uses_.size()) ++uses_[operand - m_.values.size()];
    }
    return uses_[id - m_.values.size()];
  }

  /// An index counts from register 0: it moves with the resource.
  void move_index(std::uint32_t instruction, std::size_t argument, std::uint32_t id, std::uint32_t delta) {
    if (delta == 0 || (id & kMetadataOperand) != 0) return;
    const Value value = m_.value(&m_.bodies[body_], id);
    if (const auto number = integer(id)) {
      edit_.set_argument(body_, instruction, argument, edit_.integer(value.type, static_cast<std::uint32_t>(*number) + delta));
      return;
    }
    if (value.kind == ValueKind::instruction && m_.instructions[value.index].opcode == Opcode::add && uses(id) == 1) {
      const auto terms = m_.operands_of(m_.instructions[value.index].operands);
      if (const auto addend = integer(terms[1])) {
        const std::uint32_t sum = static_cast<std::uint32_t>(*addend) + delta;
        // observed: dxc adds the first register even if that is 0.
        return edit_.set_second(body_, value.index, edit_.integer(value.type, sum));
      }
    }
    const ModuleEdit::Handle index = edit_.handle(body_, id);
    edit_.set_argument(body_, instruction, argument, edit_.insert_add(body_, instruction, index, edit_.integer(value.type, delta)));
  }

  ModuleEdit& edit_;
  const Module& m_;
  std::span<const BindingChange> changes_;
  ProgramMetadata metadata_;
  std::vector<Moved> moved_;
  std::unordered_map<const ProgramResource*, std::uint32_t> deltas_;  // of those
  std::uint32_t body_ = 0;
  std::vector<std::uint32_t> uses_;  // by local value, of the function at hand
  ModuleChanges out_;
  std::optional<Error> error_;
};

}  // namespace

std::size_t find_change(std::span<const BindingChange> changes, const PlacedRange& range) {
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i].resource_class == range.resource_class && changes[i].from == range.lower && changes[i].from_space == range.space)
      return i;
  return changes.size();
}

bool move(PlacedRange& range, const BindingChange& change) {
  if (range.upper != kUnbounded) {
    const std::uint32_t length = range.upper - range.lower;
    if (change.to > kUnbounded - 1 - length) return false;
    range.upper = change.to + length;
  }
  range.lower = change.to;
  range.space = change.to_space;
  range.moved = true;
  return true;
}

std::optional<Error> find_overlap(std::vector<PlacedRange> ranges) {
  const auto key = [](const PlacedRange& r) { return std::tuple(r.resource_class, r.space, r.lower); };
  std::sort(ranges.begin(), ranges.end(), [&](const PlacedRange& a, const PlacedRange& b) { return key(a) < key(b); });
  // The range so far that reaches farthest, and the moved one that does.
  const PlacedRange* farthest = nullptr;
  const PlacedRange* farthest_moved = nullptr;
  for (const PlacedRange& range : ranges) {
    const auto clashes = [&](const PlacedRange* before) {
      return before != nullptr && before->resource_class == range.resource_class && before->space == range.space &&
             before->upper >= range.lower;
    };
    if ((range.moved && clashes(farthest)) || clashes(farthest_moved))
      return Error{ErrorCode::bad_value, 0, "resources",
                   "register " + std::to_string(range.lower) + " in space " + std::to_string(range.space) + " would be bound twice"};
    const auto extend = [&](const PlacedRange*& to) {
      if (to == nullptr || to->resource_class != range.resource_class || to->space != range.space || range.upper > to->upper) to = &range;
    };
    extend(farthest);
    if (range.moved) extend(farthest_moved);
  }
  return std::nullopt;
}

Error beyond_registers() { return {ErrorCode::bad_value, 0, "resources", "the range would exceed the last register"}; }

}  // namespace unshade::dxil::edit

namespace unshade::dxil {

Result<ModuleChanges> rebind(ModuleEdit& module, std::span<const BindingChange> changes) { return edit::Rebinder(module, changes).run(); }

}  // namespace unshade::dxil
