// Functions and variables: what may be declared, how shaders are called, and who calls whom.
// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateFunction, ValidateGlobalVariable, ValidateCallGraph
#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dxil/validate/code/types.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

/// Intrinsics that debug information needs, and those that state lifetimes. src: LLVM 3.7; DXC DxilValidation.cpp
constexpr std::string_view kDebugIntrinsics = "llvm.dbg.";
constexpr std::string_view kLifetimeIntrinsics = "llvm.lifetime.";
constexpr std::uint32_t kLifetimeMinor = 6;
/// The one variable that libraries may leave to others.
constexpr std::string_view kIsHelper = "dx.ishelper";
/// Attributes of functions that DXIL knows. src: DXC DxilConstants.h
constexpr std::string_view kAttributes[] = {"fp32-denorm-mode", "waveops-include-helper-lanes"};
constexpr std::string_view kDenormModes[] = {"any", "ftz", "preserve"};

template <std::size_t n>
bool is_one_of(std::string_view text, const std::string_view (&list)[n]) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

class DeclarationChecker {
 public:
  explicit DeclarationChecker(const ModuleCheck& check) : c_(check), m_(check.module), types_(check) {
    const ProgramMetadata& p = check.program;
    for (const auto* list : {&p.shader_resources, &p.unordered_access, &p.constant_buffers, &p.samplers})
      for (const ProgramResource& resource : *list) resources_.insert(resource.symbol);
  }

  void check() {
    find_uses();
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) check_function(i);
    for (std::uint32_t i = 0; i < m_.globals.size(); ++i) check_global(i);
    check_entries();
    check_calls();
  }

 private:
  struct Use {
    bool called = false;
    bool otherwise = false;  ///< as an operand other than what is called
    bool by_instruction = false;
  };

  // By value id: globals and functions come first.
  void find_uses() {
    uses_.resize(m_.values.size());
    callees_.resize(m_.bodies.size());
    for (const Body& body : m_.bodies) {
      for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
        const Instruction& i = m_.instructions[k];
        for_each_value_operand(m_, i, [&](std::size_t number, std::uint32_t id) {
          if (id >= uses_.size()) return;
          const bool calls = (i.opcode == Opcode::call || i.opcode == Opcode::invoke) && number == 0;
          (calls ? uses_[id].called : uses_[id].otherwise) = true;
          uses_[id].by_instruction = true;
          if (calls && m_.values[id].kind == ValueKind::function) {
            const std::uint32_t callee = m_.functions[m_.values[id].index].body;
            if (callee != kNone) callees_[static_cast<std::size_t>(&body - m_.bodies.data())].push_back(callee);
          }
        });
      }
    }
    for (const Constant& constant : m_.constants)
      for (const std::uint32_t id : m_.operands_of(constant.operands))
        if (id < uses_.size()) uses_[id].otherwise = true;
  }

  void check_function(std::uint32_t index) {
    const Function& function = m_.functions[index];
    const std::string_view name = c_.name_of(function);
    const bool is_intrinsic = name.starts_with("llvm.");
    const Use& use = uses_[function.value];
    if (function.body == kNone) {
      if (use.otherwise) c_.add_function(rules::kDeclFnIsCalled, index, "is used by something other than a call");
      if (is_operation_name(name)) {
        if (!use.called && !use.otherwise) c_.add_function(rules::kDeclUsedExternalFunction, index, "is not called");
        return;
      }
      if (is_intrinsic) {
        const bool known = name.starts_with(kDebugIntrinsics) || (name.starts_with(kLifetimeIntrinsics) && c_.has_model(kLifetimeMinor));
        if (!known) c_.add_function(rules::kDeclDxilFnExtern, index, "is an intrinsic that DXIL does not allow");
        return;
      }
      if (!c_.is_library()) c_.add_function(rules::kDeclDxilFnExtern, index, "is external but not a DXIL operation");
    } else if (is_operation_name(name)) {
      c_.add_function(rules::kDeclDxilNsReserved, index, "has the name of a DXIL operation and a body");
    }
    if (signature_of(function.type).has_object)
      c_.add_function(rules::kDeclResourceInFnSig, index, "has a resource or another object in its signature");
    if (!c_.is_library()) check_attributes(index, function);
  }

  /// Checks that have the same result for all functions of a type.
  struct Signature {
    bool has_object = false;
    std::uint32_t structure = kNone;  ///< the first parameter that is, or leads to, one
  };
  const Signature& signature_of(std::uint32_t type) {
    const auto [known, is_new] = signatures_.try_emplace(type);
    if (!is_new) return known->second;
    const auto parts = m_.parts_of(m_.types[type]);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      known->second.has_object = known->second.has_object || holds_object(c_, parts[k]);
      const std::uint32_t inner = c_.innermost(c_.is(parts[k], TypeKind::pointer) ? m_.element_of(parts[k]) : parts[k]);
      if (k != 0 && known->second.structure == kNone && c_.is(inner, TypeKind::structure)) known->second.structure = parts[k];
    }
    return known->second;
  }

  void check_attributes(std::uint32_t index, const Function& function) {
    // Functions share lists: each is looked at once.
    if (function.attributes == kNone || !seen_lists_.insert(function.attributes).second) return;
    const Range list = m_.attribute_lists[function.attributes];
    for (std::uint32_t k = list.first; k < list.end(); ++k) {
      const AttributeGroup& group = m_.attribute_groups[m_.attribute_list_groups[k]];
      if (group.slot != AttributeGroup::kFunction) continue;
      for (std::uint32_t a = group.attributes.first; a < group.attributes.end(); ++a) {
        const Attribute& attribute = m_.attributes[a];
        if (attribute.kind != AttributeKind::text) continue;
        const std::string_view key = m_.text(attribute.key);
        const bool bad_mode = key == kAttributes[0] && !is_one_of(m_.text(attribute.text), kDenormModes);
        if (!is_one_of(key, kAttributes) || bad_mode) {
          constexpr std::size_t kMost = 64;
          c_.add_function(rules::kDeclFnAttribute, index, "has the attribute \"" + std::string(key.substr(0, kMost)) + '"');
        }
      }
    }
  }

  bool is_resource(const Global& global) const { return resources_.contains(global.value); }

  void check_global(std::uint32_t index) {
    const Global& global = m_.globals[index];
    const std::string path = "global[" + std::to_string(index) + ']';
    const bool is_variable = global.linkage == Linkage::internal || global.address_space == kGroupSharedSpace;
    const bool is_internal =
        is_variable || (c_.is_library() && (m_.text(m_.values[global.value].name) == kIsHelper || is_resource(global)));
    const Use& use = uses_[global.value];
    if (!is_internal) {
      if (use.by_instruction) c_.add(rules::kDeclNotUsedExternal, path, "is external but used");
      return;
    }
    if (!use.by_instruction && !use.otherwise) c_.add(rules::kDeclUsedInternal, path, "is not used");
    if (!is_variable) return;
    if (const Rule* rule = types_.broken(global.type)) c_.add(*rule, path, "of " + c_.text_of(global.type));
  }

  // --- shaders ------------------------------------------------------------------------------------------------------------------------
  void check_entries() {
    for (const EntryPoint& entry : c_.program.entries) {
      if (entry.function == kNone) continue;
      const EntryProperties properties = read_entry_properties(c_.program, entry);
      check_shader(entry.function, properties.kind);
      if (properties.patch_constant_function != kNone) check_shader(properties.patch_constant_function, ShaderKind::hull);
    }
    if (c_.is_library()) return;
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
      const Function& function = m_.functions[i];
      if (function.body == kNone) continue;
      const std::uint32_t structure = signature_of(function.type).structure;
      if (structure != kNone) c_.add_function(rules::kDeclFnFlattenParam, i, "takes " + c_.text_of(structure));
    }
  }

  static std::size_t arguments_of(ShaderKind kind) {
    switch (kind) {
      case ShaderKind::any_hit:
      case ShaderKind::closest_hit: return 2;
      case ShaderKind::miss:
      case ShaderKind::callable: return 1;
      default: return 0;
    }
  }

  void check_shader(std::uint32_t index, ShaderKind kind) {
    const auto parts = m_.parts_of(m_.types[m_.functions[index].type]);
    const std::size_t wanted = arguments_of(kind);
    const std::size_t count = parts.size() - 1;
    if (!c_.is(parts[0], TypeKind::void_)) c_.add_function(rules::kDeclShaderReturnVoid, index, "returns " + c_.text_of(parts[0]));
    if (wanted == 0) {
      if (count != 0 && kind != ShaderKind::node) c_.add_function(rules::kFlowFunctionCall, index, "an entry point has parameters");
      return;
    }
    if (count > wanted) c_.add_function(rules::kDeclExtraArgs, index, std::to_string(count) + " parameters");
    if (count < wanted) c_.add_function(rules::kDeclShaderMissingArg, index, std::to_string(count) + " parameters");
    for (std::size_t k = 0; k < std::min(count, wanted); ++k) {
      const std::uint32_t type = parts[k + 1];
      if (c_.is(c_.is(type, TypeKind::pointer) ? m_.element_of(type) : type, TypeKind::structure)) continue;
      const Rule& rule = kind == ShaderKind::callable ? rules::kDeclParamStruct
                         : k == 0                     ? rules::kDeclPayloadStruct
                                                      : rules::kDeclAttrStruct;
      c_.add_function(rule, index, "parameter " + std::to_string(k) + " is " + c_.text_of(type));
    }
  }

  // --- recursion ------------------------------------------------------------------------------------------------------------------------
  void check_calls() {
    enum : std::uint8_t { unseen, open, done };
    std::vector<std::uint8_t> state(m_.bodies.size(), unseen);
    struct Step {
      std::uint32_t body;
      std::size_t next;
    };
    std::vector<Step> stack;
    for (std::uint32_t start = 0; start < m_.bodies.size(); ++start) {
      if (state[start] != unseen) continue;
      stack.push_back({start, 0});
      state[start] = open;
      while (!stack.empty()) {
        Step& step = stack.back();
        if (step.next == callees_[step.body].size()) {
          state[step.body] = done;
          stack.pop_back();
          continue;
        }
        const std::uint32_t callee = callees_[step.body][step.next++];
        if (state[callee] == open) c_.add_function(rules::kFlowNoRecursion, m_.bodies[callee].function, "is recursive");
        if (state[callee] != unseen) continue;
        state[callee] = open;
        stack.push_back({callee, 0});
      }
    }
  }

  const ModuleCheck& c_;
  const Module& m_;
  TypeRules types_;
  std::vector<Use> uses_;
  std::vector<std::vector<std::uint32_t>> callees_;          ///< by body: bodies
  std::unordered_map<std::uint32_t, Signature> signatures_;  ///< by type
  std::unordered_set<std::uint32_t> seen_lists_;
  std::unordered_set<std::uint32_t> resources_;  ///< value ids of their variables
};

}  // namespace

void check_declarations(const ModuleCheck& check) { DeclarationChecker(check).check(); }

}  // namespace unshade::dxil::validate
