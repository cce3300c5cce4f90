#include "scene/linkage.hpp"

#include <cstdint>

#include <unshade/core/text/characters.hpp>
#include <unshade/run/names.hpp>

namespace unshade::scene {
namespace {

using dxcontainer::SystemValue;

/// Whether the element is made by the hardware where no stage gives it.
bool is_generated(const ir::Element& element) {
  switch (element.system_value) {
    case SystemValue::undefined:
    case SystemValue::position:
    case SystemValue::clip_distance:
    case SystemValue::cull_distance: return false;
    default: return true;
  }
}

struct FoundRow {
  const ir::Element* element = nullptr;
  std::uint32_t row = 0;
};

// The row of a semantic among outputs of a stream.
FoundRow row_of(const std::vector<ir::Element>& elements, std::uint32_t stream, const ir::Element& wanted, std::uint32_t row) {
  const std::uint32_t index = wanted.semantic_index + row;
  for (const ir::Element& one : elements) {
    if (one.stream != stream || !same_letters(one.semantic, wanted.semantic)) continue;
    if (index >= one.semantic_index && index - one.semantic_index < one.rows) return {&one, index - one.semantic_index};
  }
  return {};
}

std::string components_of(const ir::Element& element) { return std::string("xyzw").substr(element.first_column, element.columns); }

/// As HLSL spells it: `float`, `uint`, `float16_t`.
std::string type_of(const ir::Element& element) {
  const unsigned bits = ir::bit_width(element.type);
  const std::string text = ir::is_float(element.type) ? "float" : element.is_signed ? "int" : "uint";
  return bits == 32 ? text : text + std::to_string(bits) + "_t";
}

std::string shader_of(Stage stage) { return "the " + std::string(id(stage)) + " shader"; }
std::string shader_of(const ir::Module& module) { return shader_of(module.stage); }

std::string precision_of(const shader::SignatureElement& element) {
  if (element.min_precision == dxcontainer::MinPrecision::none) return "full precision";
  return "the minimum precision " + std::string(id(element.min_precision));
}

void add_precision_faults(const std::vector<shader::SignatureElement>& outputs, std::uint32_t stream, const std::string& before,
                          const std::vector<shader::SignatureElement>& inputs, const std::string& reader,
                          std::vector<std::string>& faults) {
  for (const shader::SignatureElement& input : inputs) {
    for (const shader::SignatureElement& output : outputs) {
      if (output.stream != stream || output.semantic_index != input.semantic_index || !same_letters(output.semantic, input.semantic))
        continue;
      if (output.min_precision == input.min_precision) break;
      const std::string key =
          '`' + input.semantic + (input.semantic_index == 0 ? std::string() : std::to_string(input.semantic_index)) + '`';
      faults.push_back(reader + " reads " + key + " in " + precision_of(input) + ", but " + before + " writes it in " +
                       precision_of(output));
      break;
    }
  }
}

void add_faults(const std::vector<const std::vector<ir::Element>*>& given, std::uint32_t stream, const std::string& before,
                const std::vector<ir::Element>& inputs, const std::string& reader, std::vector<std::string>& faults) {
  for (const ir::Element& element : inputs) {
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      FoundRow found;
      for (const auto* const elements : given)
        if (found.element == nullptr) found = row_of(*elements, stream, element, row);
      const std::string key = '`' + run::semantic_key(element, row) + '`';
      if (found.element == nullptr) {
        if (!is_generated(element)) faults.push_back(reader + " reads " + key + ", which " + before + " does not write");
        continue;
      }
      if (const std::string wanted = type_of(element), written = type_of(*found.element); wanted != written)
        faults.push_back(reader + " reads " + key + " as " + wanted + ", but " + before + " writes " + written);
      // primitive outputs of a mesh shader are in registers after those of vertices
      if (given.size() > 1 || element.first_register == ir::kNone || found.element->first_register == ir::kNone) continue;
      const std::uint32_t own = element.first_register + row, others = found.element->first_register + found.row;
      if (own != others) {
        faults.push_back(key + " is in register " + std::to_string(others) + " of the outputs of " + before + ", in " +
                         std::to_string(own) + " of the inputs of " + reader);
      } else if (element.first_column < found.element->first_column ||
                 element.first_column + element.columns > found.element->first_column + found.element->columns) {
        faults.push_back(reader + " reads " + key + '.' + components_of(element) + ", of which " + before + " writes ." +
                         components_of(*found.element));
      }
    }
  }
}

}  // namespace

std::vector<std::string> linkage_faults(const ir::Module& before, const ir::Module& module, std::uint32_t stream) {
  std::vector<std::string> faults;
  std::vector<const std::vector<ir::Element>*> given{&before.signatures.output};
  if (before.stage == Stage::mesh) given.push_back(&before.signatures.patch);
  add_faults(given, stream, shader_of(before), module.signatures.input, shader_of(module), faults);
  if (module.stage == Stage::domain)
    add_faults({&before.signatures.patch}, 0, shader_of(before), module.signatures.patch, shader_of(module), faults);
  return faults;
}

std::vector<std::string> precision_faults(const shader::EntryPoint& before, const shader::EntryPoint& entry, std::uint32_t stream) {
  std::vector<std::string> faults;
  add_precision_faults(before.outputs, stream, shader_of(before.stage), entry.inputs, shader_of(entry.stage), faults);
  // a mesh shader's primitive outputs are read as those of vertices
  if (before.stage == Stage::mesh)
    add_precision_faults(before.patch_constants, 0, shader_of(before.stage), entry.inputs, shader_of(entry.stage), faults);
  if (entry.stage == Stage::domain)
    add_precision_faults(before.patch_constants, 0, shader_of(before.stage), entry.patch_constants, shader_of(entry.stage), faults);
  return faults;
}

}  // namespace unshade::scene
