// Whether outputs are written: by any store anywhere, as the code alone does not tell which of them runs.
// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateUninitializedOutput
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

constexpr std::uint32_t kStreams = 4;
constexpr std::uint32_t kAllComponents = 0xf;

class OutputChecker {
 public:
  explicit OutputChecker(const ModuleCheck& check) : c_(check), m_(check.module) {}

  void check() {
    for (std::size_t i = 0; i < c_.program.entries.size(); ++i) {
      const EntryPoint& entry = c_.program.entries[i];
      if (entry.function == kNone) continue;
      const EntryProperties properties = read_entry_properties(c_.program, entry);
      path_ = "dx.entryPoints[" + std::to_string(i) + ']';
      if (properties.kind == ShaderKind::hull) {
        if (properties.patch_constant_function != kNone && !entry.patch_or_primitives.empty()) check_hull(entry, properties);
      } else if (!entry.outputs.empty()) {
        check_stores(entry, properties);
      }
    }
  }

 private:
  /// Components of each element that an operation stores.
  void collect(std::uint32_t function, std::size_t elements, Operation one, Operation other) {
    stored_.assign(elements, 0);
    if (m_.functions[function].body == kNone) return;
    const Body& body = m_.bodies[m_.functions[function].body];
    for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
      const auto call = call_of(c_, body, m_.instructions[k]);
      if (!call || (call->operation() != one && call->operation() != other)) continue;
      // Their rows have several names for them.
      constexpr std::size_t kElement = 0, kColumn = 2;
      const auto element = call->constant(kElement), column = call->constant(kColumn);
      if (element && *element < elements && column && *column < 32) stored_[static_cast<std::size_t>(*element)] |= 1U << *column;
    }
  }

  bool is_complete(const MetadataElement& e, std::size_t i) const {
    return e.columns >= 32 || stored_[i] == (std::uint32_t{1} << e.columns) - 1;
  }

  void undefined(const char* list, std::size_t i) const {
    c_.add(rules::kSmUndefinedOutput, path_ + list + std::to_string(i) + ']', "has components that are not written");
  }

  // Control points may be left to pass through.
  void check_hull(const EntryPoint& entry, const EntryProperties& properties) {
    const auto& list = entry.patch_or_primitives;
    collect(properties.patch_constant_function, list.size(), Operation::store_patch_constant, Operation::store_patch_constant);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i].semantic != SemanticKind::arbitrary && !is_complete(list[i], i)) undefined("/patch_or_primitives[", i);
  }

  void check_stores(const EntryPoint& entry, const EntryProperties& properties) {
    const auto& list = entry.outputs;
    collect(entry.function, list.size(), Operation::store_output, Operation::store_vertex_output);
    std::array<bool, kStreams> has_position{};
    std::array<std::uint32_t, kStreams> position{};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const MetadataElement& e = list[i];
      if (e.semantic != SemanticKind::arbitrary && e.semantic != SemanticKind::target && !is_complete(e, i)) undefined("/outputs[", i);
      if (e.semantic != SemanticKind::position || e.stream >= kStreams) continue;
      has_position[e.stream] = true;
      position[e.stream] |= stored_[i];
    }
    const std::uint32_t streams = properties.geometry ? properties.geometry->active_streams : 1;
    for (std::uint32_t stream = 0; stream < kStreams; ++stream)
      if ((streams >> stream & 1) != 0 && has_position[stream] && (position[stream] & kAllComponents) != kAllComponents)
        c_.add(rules::kSmCompletePosition, path_, "stream " + std::to_string(stream));
  }

  const ModuleCheck& c_;
  const Module& m_;
  std::string path_;
  std::vector<std::uint32_t> stored_;
};

}  // namespace

void check_outputs(const ModuleCheck& check) { OutputChecker(check).check(); }

}  // namespace unshade::dxil::validate
