// Whether what functions ask for is there in the entry points that call them.
// src: DXC lib/DxilValidation/DxilValidation.cpp, CompatibilityChecker, ValidateGlobalVariables
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dxil/module/metadata_tuple.hpp"
#include "dxil/program/function_requirements.hpp"
#include "dxil/program/nodes.hpp"
#include "dxil/program/property_tags.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

bool is_like_compute(ShaderKind kind) {
  return kind == ShaderKind::compute || kind == ShaderKind::mesh || kind == ShaderKind::amplification || kind == ShaderKind::node;
}

/// Why a function cannot be called from an entry point.
enum Conflict : std::size_t { kStage, kModel, kLaunch, kThreads, kComputeModel, kNeedsGroup, kConflicts };
using Conflicts = std::array<bool, kConflicts>;

const Rule& rule_of(std::size_t conflict) {
  switch (conflict) {
    case kStage: return rules::kSmIncompatibleStage;
    case kModel: return rules::kSmIncompatibleShaderModel;
    case kLaunch: return rules::kSmIncompatibleDerivLaunch;
    case kThreads: return rules::kSmIncompatibleThreadGroupDim;
    case kComputeModel: return rules::kSmIncompatibleDerivInComputeShaderModel;
    default: return rules::kSmIncompatibleRequiresGroup;
  }
}

class CompatibilityChecker {
 public:
  CompatibilityChecker(const ModuleCheck& check, const std::vector<program::FunctionRequirements>& needs)
      : c_(check), m_(check.module), needs_(needs) {}

  void check() {
    for (const EntryPoint& entry : c_.program.entries)
      if (entry.function != kNone && m_.functions[entry.function].body != kNone) check_entry(entry);
  }

 private:
  void check_entry(const EntryPoint& entry) {
    entry_ = read_entry_properties(c_.program, entry);
    node_ = program::read_node_properties(c_.program, entry);
    const Conflicts all = conflicts_of(entry.function);
    if (std::find(all.begin(), all.end(), true) == all.end()) return;
    if (callees_.empty()) callees_ = program::callees_of_bodies(m_);
    // Every function that the entry leads to; each conflict is told of if no function further on has it.
    const std::uint32_t first = m_.functions[entry.function].body;
    std::vector<std::uint32_t> order{first};
    std::vector<bool> seen(m_.bodies.size());
    seen[first] = true;
    for (std::size_t k = 0; k < order.size(); ++k)
      for (const std::uint32_t callee : callees_[order[k]]) {
        if (seen[callee]) continue;
        seen[callee] = true;
        order.push_back(callee);
      }
    bool reported_entry = false, reported_call = false;
    for (std::size_t conflict = 0; conflict < kConflicts; ++conflict) {
      if (!all[conflict]) continue;
      std::uint32_t culprit = entry.function;
      for (const std::uint32_t body : order) {
        const std::uint32_t function = m_.bodies[body].function;
        const auto has = [&](std::uint32_t other) { return conflicts_of(m_.bodies[other].function)[conflict]; };
        if (!has(body) || std::any_of(callees_[body].begin(), callees_[body].end(), has)) continue;
        culprit = function;
        break;
      }
      const bool own = culprit == entry.function;
      bool& reported = own ? reported_entry : reported_call;
      if (!reported)
        c_.add_function(own ? rules::kSmIncompatibleOperation : rules::kSmIncompatibleCallInEntry, entry.function,
                        own ? "is not compatible with its stage" : "calls a function that is not compatible with its stage");
      reported = true;
      c_.add_function(rule_of(conflict), culprit, message_of(conflict, needs_[culprit]));
    }
  }

  Conflicts conflicts_of(std::uint32_t function) const {
    const program::FunctionRequirements& needs = needs_[function];
    const bool derivatives = (needs.flags & program::used_flag::kDerivatives) != 0;
    const bool group = (needs.flags & program::used_flag::kGroup) != 0;
    const bool thread_launch = node_ && node_->launch == NodeLaunch::thread;
    const auto kind = static_cast<std::uint32_t>(entry_.kind);
    Conflicts found{};
    // Before version 1.8, stages with thread groups counted as ones without derivatives: who calls them has them all the same.
    const bool is_open = !c_.has_validator(8) && is_like_compute(entry_.kind);
    found[kStage] = !is_open && kind < 32 && (needs.stages >> kind & 1) == 0;
    found[kModel] = !c_.has_model(needs.min_minor);
    found[kComputeModel] = derivatives && !c_.has_model(6) && is_like_compute(entry_.kind) && entry_.kind != ShaderKind::node;
    found[kLaunch] = derivatives && thread_launch;
    found[kThreads] = derivatives && is_like_compute(entry_.kind) && !has_quads();
    found[kNeedsGroup] = group && (thread_launch || !is_like_compute(entry_.kind));
    return found;
  }

  /// Whether threads make up quads: rows of four, or squares of two by two.
  bool has_quads() const {
    const auto threads = entry_.thread_group.value_or(std::array<std::uint32_t, 3>{});
    if (threads[1] == 1 && threads[2] == 1) return threads[0] % 4 == 0;
    return threads[0] % 2 == 0 && threads[1] % 2 == 0;
  }

  std::string message_of(std::size_t conflict, const program::FunctionRequirements& needs) const {
    switch (conflict) {
      case kStage: return "is not compatible with the stage " + std::string(id(entry_.kind));
      case kModel: return "requires shader model 6." + std::to_string(needs.min_minor);
      case kThreads: return "derivatives in a thread group whose dimensions are not compatible with quads";
      case kLaunch: return "derivatives in a node with launch mode thread";
      case kComputeModel: return "derivatives in shader model 6." + std::to_string(c_.program.minor);
      default: return "requires a thread group, which the stage does not have";
    }
  }

  const ModuleCheck& c_;
  const Module& m_;
  const std::vector<program::FunctionRequirements>& needs_;
  std::vector<std::vector<std::uint32_t>> callees_;
  EntryProperties entry_;
  std::optional<program::NodeProperties> node_;
};

// --- memory of the group --------------------------------------------------------------------------------------------------------------

// src: DXC DxilConstants.h, kMaxTGSMSize, kMaxMSSMSize
constexpr std::uint64_t kMostGroupBytes = 32 * 1024, kMostMeshGroupBytes = 28 * 1024;

/// An entry's own limit.
std::optional<std::uint64_t> stated_limit(const Module& module, const EntryPoint& entry) {
  if (entry.properties == kNone) return std::nullopt;
  const module::MetadataTuple list = module::MetadataTuple::of(module, &module.metadata[entry.properties]);
  for (std::size_t i = 0; i + 1 < std::min(list.size(), 2 * program::kMostTags); i += 2)
    if (list.integer(i) == program::property_tag::kGroupMemoryLimit) return list.integer(i + 1);
  return std::nullopt;
}

}  // namespace

void check_compatibility(const ModuleCheck& check, const std::vector<program::FunctionRequirements>& needs) {
  CompatibilityChecker(check, needs).check();
}

void check_group_memory(const ModuleCheck& check) {
  const std::vector<std::uint64_t> bytes = program::group_bytes_of_functions(check);
  if (bytes.empty()) return;
  for (const EntryPoint& entry : check.program.entries) {
    if (entry.function == kNone) continue;
    const EntryProperties properties = read_entry_properties(check.program, entry);
    const std::uint32_t patch = properties.patch_constant_function;
    if (patch != kNone && bytes[patch] != 0) check.add_function(rules::kSmTgsmUnsupported, patch, std::to_string(bytes[patch]) + " bytes");
    const std::uint64_t used = bytes[entry.function];
    if (used == 0) continue;
    if (!is_like_compute(properties.kind)) {
      check.add_function(rules::kSmTgsmUnsupported, entry.function, std::to_string(used) + " bytes");
      continue;
    }
    const auto stated = stated_limit(check.module, entry);
    const std::uint64_t most = stated ? *stated : properties.kind == ShaderKind::mesh ? kMostMeshGroupBytes : kMostGroupBytes;
    if (used > most)
      check.add_function(stated ? rules::kSmExplicitTgsmSizeOnEntry : rules::kSmMaxTgsmSizeOnEntry, entry.function,
                         std::to_string(used) + " bytes of " + std::to_string(most));
  }
}

}  // namespace unshade::dxil::validate
