// The variables that stand for resources in libraries: one for each, and what code does with them is plain.
// src: DXC lib/DxilValidation/DxilValidationUtils.cpp, PropagateResMap
#include <cstddef>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

/// What handles of two resources have in common if one variable stands for both.
auto properties_of(const ProgramResource& r) {
  return std::tuple(r.resource_class, r.kind, r.component_type, r.stride, r.size, r.sampler_kind, r.sample_count, r.feedback_kind,
                    r.globally_coherent, r.reorder_coherent, r.has_counter, r.raster_ordered);
}

class ResourceUses {
 public:
  explicit ResourceUses(const ModuleCheck& check) : c_(check), m_(check.module) {}

  void check() {
    const ProgramMetadata& p = c_.program;
    const std::pair<const std::vector<ProgramResource>*, const char*> lists[] = {{&p.constant_buffers, "constant_buffers"},
                                                                                 {&p.unordered_access, "unordered_access"},
                                                                                 {&p.shader_resources, "shader_resources"},
                                                                                 {&p.samplers, "samplers"}};
    for (const auto& [list, name] : lists)
      for (std::size_t i = 0; i < list->size(); ++i) take((*list)[i], std::string("dx.resources/") + name + '[' + std::to_string(i) + ']');
    if (symbols_.empty()) return;
    of_constants_.resize(m_.constants.size(), Derived::unknown);
    for (const Body& body : m_.bodies) {
      body_ = &body;
      of_instructions_.assign(body.instructions.count, Derived::unknown);
      for (std::uint32_t at = body.instructions.first; at < body.instructions.end(); ++at) check_instruction(at);
    }
  }

 private:
  /// Whether a value is the variable of a resource, a part of it, or what was loaded from there; or a cast of such a value.
  enum class Derived : std::uint8_t { unknown, no, yes, cast };

  void take(const ProgramResource& r, const std::string& path) {
    if (r.symbol >= m_.values.size() || m_.values[r.symbol].kind != ValueKind::global) return;
    const auto known = symbols_.emplace(r.symbol, &r).first;
    if (properties_of(*known->second) != properties_of(r))
      c_.add(rules::kInstrResourceMapToSingleEntry, path, "another resource with other properties uses the same global variable");
  }

  /// What a value that is no global is made of, as far as that can be a resource.
  struct Step {
    Derived* known = nullptr;      ///< null for what is no resource
    std::uint32_t source = kNone;  ///< value id
    bool casts = false;
  };
  Step step_of(const Value& value) {
    Step step;
    Range operands;
    Opcode opcode = Opcode::ret;
    if (value.kind == ValueKind::instruction) {
      const Instruction& i = m_.instructions[value.index];
      step.known = &of_instructions_[value.index - body_->instructions.first];
      operands = i.operands;
      opcode = i.opcode;
    } else if (value.kind == ValueKind::constant) {
      const Constant& constant = m_.constants[value.index];
      step.known = &of_constants_[value.index];
      operands = constant.operands;
      if (constant.kind == ConstantKind::getelementptr) opcode = Opcode::getelementptr;
      if (constant.kind == ConstantKind::cast) opcode = constant.opcode;
    }
    step.casts = opcode == Opcode::bitcast;
    if ((step.casts || opcode == Opcode::getelementptr || opcode == Opcode::load) && operands.count != 0)
      step.source = m_.operands[operands.first];
    return step;
  }

  // Each value is walked once, and may lead in a circle in code that nothing reaches.
  Derived derived(std::uint32_t id) {
    std::vector<Step> chain;
    Derived found = Derived::no;
    while ((id & kMetadataOperand) == 0) {
      const Value& value = m_.value(body_, id);
      if (value.kind == ValueKind::global) {
        if (symbols_.contains(id)) found = Derived::yes;
        break;
      }
      const Step step = step_of(value);
      if (step.known == nullptr) break;
      if (*step.known != Derived::unknown) {
        found = *step.known;
        break;
      }
      *step.known = Derived::no;
      if (step.source == kNone) break;
      chain.push_back(step);
      id = step.source;
    }
    for (; !chain.empty(); chain.pop_back()) {
      if (found != Derived::no && chain.back().casts) found = Derived::cast;
      *chain.back().known = found;
    }
    return found;
  }

  // A cast that nothing uses only names a type.
  void check_instruction(std::uint32_t at) {
    const Instruction& i = m_.instructions[at];
    const bool passes =
        i.opcode == Opcode::getelementptr || i.opcode == Opcode::load || i.opcode == Opcode::call || i.opcode == Opcode::bitcast;
    bool wrong = false;
    for_each_value_operand(m_, i, [&](std::size_t, std::uint32_t operand) {
      const Derived from = derived(operand);
      wrong = wrong || from == Derived::cast || (from == Derived::yes && !passes);
    });
    if (wrong) c_.add(rules::kInstrResourceUser, *body_, at, std::string(text(i.opcode)));
  }

  const ModuleCheck& c_;
  const Module& m_;
  std::unordered_map<std::uint32_t, const ProgramResource*> symbols_;  ///< by value id
  std::vector<Derived> of_constants_;                                  ///< in Module::constants
  std::vector<Derived> of_instructions_;                               ///< of the function
  const Body* body_ = nullptr;
};

}  // namespace

void check_resource_uses(const ModuleCheck& check) {
  if (check.is_library()) ResourceUses(check).check();
}

}  // namespace unshade::dxil::validate
