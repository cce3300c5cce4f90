// Signatures as structs of HLSL.
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "shader/hlsl/printer.hpp"
#include "shader/hlsl/vulkan.hpp"
#include "shader/reflect/semantic_text.hpp"

namespace unshade::shader::hlsl {

using dxcontainer::ComponentType;
using dxcontainer::MinPrecision;
using dxcontainer::SystemValue;

void Printer::print_variables(std::string_view name, const std::vector<SignatureElement>& elements, Stage stage, bool is_output) {
  out_ << "\nstruct " << names_.claim(name) << "\n{\n";
  Names members;
  std::set<std::string_view> taken;
  for (const SignatureElement& element : elements) {
    const std::string_view semantic = semantic_of(element, stage, is_output);
    // A built-in that HLSL has no semantic for, or the second of two.
    const bool is_comment = !element.built_in.empty() && (semantic.empty() || !taken.insert(semantic).second);
    out_ << (is_comment ? "  // " : "  ");
    if (element.register_index != kNoRegister && element.built_in.empty())
      (out_ << "[[vk::location(").dec(element.register_index) << ")]] ";
    if (element.index != 0) (out_ << "[[vk::index(").dec(element.index) << ")]] ";
    if (element.built_in.empty()) print_modifier(out_, element);
    const std::string member = members.claim(element.semantic);
    print_declaration(out_, element.type, member);
    if (!element.built_in.empty()) {
      out_ << " : " << (semantic.empty() ? std::string_view(element.built_in) : semantic);
    } else if (is_output && stage == Stage::pixel && element.index == 0) {
      (out_ << " : SV_Target").dec(element.register_index == kNoRegister ? 0 : element.register_index);
    } else {
      (out_ << " : LOCATION").dec(element.register_index == kNoRegister ? 0 : element.register_index);
      if (const int component = std::countr_zero(static_cast<unsigned>(element.mask | 0x10)); component > 0 && component < 4)
        (out_ << "_").dec(static_cast<unsigned>(component));
    }
    out_ << ";\n";
  }
  out_ << "};\n";
}

std::string_view Printer::stage_word(Stage stage) {
  constexpr std::string_view kWords[] = {"Shader",  "Pixel",      "Vertex", "Geometry",      "Hull",          "Domain",
                                         "Compute", "Library",    "Mesh",   "Amplification", "RayGeneration", "Intersection",
                                         "AnyHit",  "ClosestHit", "Miss",   "Callable",      "Node"};
  const auto index = static_cast<std::size_t>(stage);
  return kWords[index < std::size(kWords) ? index : 0];
}

std::string_view Printer::component_word(const SignatureElement& element) {
  if (element.system_value == SystemValue::is_front_face || element.system_value == SystemValue::cull_primitive) return "bool";
  switch (element.min_precision) {
    case MinPrecision::float16: return "min16float";
    case MinPrecision::float2_8: return "min10float";
    case MinPrecision::sint16: return "min16int";
    case MinPrecision::uint16: return "min16uint";
    default: break;
  }
  switch (element.component_type) {
    case ComponentType::uint32: return "uint";
    case ComponentType::uint16: return "uint16_t";
    case ComponentType::uint64: return "uint64_t";
    case ComponentType::sint32: return "int";
    case ComponentType::sint16: return "int16_t";
    case ComponentType::sint64: return "int64_t";
    case ComponentType::float16: return "float16_t";
    case ComponentType::float64: return "double";
    default: return "float";
  }
}

void Printer::print_modifier(Text& out, const SignatureElement& element) {
  const std::string_view word = dxc_text(element.interpolation);
  if (!word.empty()) out << word << ' ';
}

bool Printer::is_tess_factor(const SignatureElement& element) {
  return element.system_value >= SystemValue::final_quad_edge_tessfactor &&
         element.system_value <= SystemValue::final_line_density_tessfactor;
}

void Printer::print_signature(std::string_view name, const std::vector<SignatureElement>& elements, std::uint32_t stream,
                              bool is_vertex_array) {
  out_ << "\nstruct " << names_.claim(name) << "\n{\n";
  Names members;
  // The factors of a patch are one array, whatever shares its registers.
  std::map<std::pair<std::string_view, std::uint32_t>, std::size_t> factors;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].stream == stream && is_tess_factor(elements[i]))
      factors.try_emplace({elements[i].semantic, elements[i].semantic_index}, i);
  const auto is_factor = [&](const std::string& semantic, std::uint32_t index) { return factors.contains({semantic, index}); };
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const SignatureElement& element = elements[i];
    if (element.stream != stream) continue;
    std::uint32_t run = 1;
    if (const auto factor = factors.find({element.semantic, element.semantic_index}); factor != factors.end() && factor->second == i) {
      if (element.semantic_index != 0 && is_factor(element.semantic, element.semantic_index - 1)) continue;  // in the array
      while (is_factor(element.semantic, element.semantic_index + run)) ++run;
    }
    const std::string semantic = mended(element.semantic);
    // What belongs to the whole primitive is a parameter of its own.
    const bool is_apart = is_vertex_array && element.register_index == kNoRegister;
    out_ << (is_apart ? "  // apart: " : "  ");
    print_modifier(out_, element);
    out_ << component_word(element);
    const auto components = static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(element.mask & 0xf)));
    if (components > 1) out_.dec(components);
    const bool is_numbered = reflection::is_numbered(element, reflection_.family) &&
                             !(element.semantic_index == 0 && semantic.size() > 3 && (semantic[0] == 'S' || semantic[0] == 's') &&
                               (semantic[1] == 'V' || semantic[1] == 'v') && semantic[2] == '_');
    const std::string word = is_numbered ? semantic + std::to_string(element.semantic_index) : semantic;
    out_ << ' ' << members.claim(word);
    if (run > 1) (out_ << '[').dec(run) << ']';
    out_ << " : " << word << ";\n";
  }
  out_ << "};\n";
}

void Printer::print_signatures(const EntryPoint& entry) {
  const std::string stage(stage_word(entry.stage));
  if (vulkan_) {
    if (!entry.inputs.empty()) print_variables(stage + "Input", entry.inputs, entry.stage, false);
    if (!entry.outputs.empty()) print_variables(stage + "Output", entry.outputs, entry.stage, true);
    if (!entry.patch_constants.empty())
      print_variables(stage + "PatchConstants", entry.patch_constants, entry.stage, entry.stage == Stage::hull);
    return;
  }
  const bool takes_array = entry.stage == Stage::geometry || entry.stage == Stage::hull || entry.stage == Stage::domain;
  if (!entry.inputs.empty()) print_signature(stage + "Input", entry.inputs, 0, takes_array);
  std::set<std::uint32_t> streams;
  for (const SignatureElement& element : entry.outputs) streams.insert(element.stream);
  // Direct3D has four; files that no compiler wrote may name more.
  constexpr std::size_t kMaxStreams = 4;
  for (const std::uint32_t stream : streams) {
    print_signature(stage + "Output" + (stream == 0 ? std::string() : std::to_string(stream)), entry.outputs, stream, false);
    if (stream >= kMaxStreams) break;
  }
  if (!entry.patch_constants.empty()) print_signature(stage + "PatchConstants", entry.patch_constants, 0, false);
}

}  // namespace unshade::shader::hlsl
