#include <unshade/find/facts.hpp>

#include <algorithm>
#include <span>

#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::find {

namespace {

constexpr std::string_view kVariable = "variable";
constexpr std::string_view kMember = "member";
constexpr std::string_view kType = "type";
constexpr std::string_view kInput = "input";
constexpr std::string_view kOutput = "output";
constexpr std::string_view kPatchConstant = "patch_constant";
constexpr std::string_view kEntry = "entry";
constexpr std::string_view kConstant = "constant";
constexpr std::string_view kObject = "object";
constexpr std::string_view kTechnique = "technique";
constexpr std::string_view kPass = "pass";
constexpr std::string_view kClass = "class";
constexpr std::string_view kSubobject = "subobject";
constexpr std::string_view kCapability = "capability";
constexpr std::string_view kNameKinds[] = {kVariable, kMember, kType,      kInput, kOutput, kPatchConstant, kEntry,
                                           kConstant, kObject, kTechnique, kPass,  kClass,  kSubobject,     kCapability};

class Gatherer {
 public:
  explicit Gatherer(Facts& facts) : names_(facts.names) {}

  void add(const shader::Reflection& reflection) {
    for (const shader::Resource& resource : reflection.resources)
      add_binding({id(resource.kind), resource.name,
                   reflection.has_descriptor_sets() ? std::string_view() : dxcontainer::register_letters(resource.kind), true,
                   resource.space, resource.bind_point, resource.bind_count});
    for (const shader::Buffer& buffer : reflection.buffers) {
      // a buffer has its resource's name, mostly
      const bool is_known =
          std::any_of(reflection.resources.begin(), reflection.resources.end(), [&](const auto& one) { return one.name == buffer.name; });
      if (!is_known) add(kVariable, buffer.name);
      for (const shader::Variable& variable : buffer.variables) add(kVariable, variable.name);
    }
    for (const shader::Type& type : reflection.types) {
      if (!type.is_struct()) continue;
      add(kType, type.name);
      for (const shader::Member& member : type.members) add(kMember, member.name);
    }
    for (const shader::EntryPoint& entry : reflection.entry_points) {
      add(kEntry, entry.unmangled_name.empty() ? entry.name : entry.unmangled_name);
      add_elements(kInput, entry.inputs);
      add_elements(kOutput, entry.outputs);
      add_elements(kPatchConstant, entry.patch_constants);
    }
    for (const shader::SpecializationConstant& constant : reflection.specialization_constants) add(kConstant, constant.name);
    if (reflection.class_linkage) {
      for (const shader::ClassType& type : reflection.class_linkage->types) add(kClass, type.name);
      for (const shader::ClassInstance& instance : reflection.class_linkage->instances) add(kObject, instance.name);
    }
    for (const shader::Subobject& one : reflection.subobjects) add(kSubobject, one.name);
    for (const std::string& capability : reflection.capabilities) add(kCapability, capability);
    if (reflection.effect) add(*reflection.effect);
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  }

 private:
  void add_binding(InterfaceName&& name) {
    if (names_.size() < kMostNames) names_.push_back(std::move(name));
  }
  void add(std::string_view kind, const std::string& name) {
    if (!name.empty()) add_binding({kind, name, {}, false, 0, 0, 0});
  }
  void add_elements(std::string_view kind, const std::vector<shader::SignatureElement>& elements) {
    for (const shader::SignatureElement& element : elements) {
      std::string name = element.semantic.empty() ? element.built_in : element.semantic;
      if (element.semantic_index != 0) name += std::to_string(element.semantic_index);
      add(kind, name);
    }
  }
  void add(const shader::EffectContents& effect) {
    for (const shader::EffectObject& object : effect.objects) add(kObject, object.name);
    for (const shader::EffectTechnique& technique : effect.techniques) {
      add(kTechnique, technique.name);
      for (const shader::EffectPass& pass : technique.passes) add(kPass, pass.name);
    }
  }

  std::vector<InterfaceName>& names_;
};

void add_opcodes(const shader::Shader& shader, Facts& facts) {
  auto opcodes = shader::opcodes(shader);
  if (!opcodes || opcodes->empty()) return;
  const auto count = shader::instruction_count(shader);
  facts.instructions = count ? *count : opcodes->size();
  facts.sketch = sketch_of(std::span(*opcodes));
  std::vector<std::uint32_t> order = *opcodes;
  order.push_back(static_cast<std::uint32_t>(shader.family));
  facts.order = xxh3_128(View(std::as_bytes(std::span(order))));
  std::sort(opcodes->begin(), opcodes->end());
  for (const std::uint32_t opcode : *opcodes) {
    if (facts.opcodes.empty() || facts.opcodes.back().opcode != opcode) facts.opcodes.push_back({opcode, 0});
    ++facts.opcodes.back().count;
  }
}

}  // namespace

std::span<const std::string_view> name_kinds() { return kNameKinds; }

Facts facts_of(const shader::Shader& shader) {
  Facts facts;
  shader::Summary summary = outline(shader);
  facts.family = summary.family;
  facts.stage = std::move(summary.stage);
  facts.profile = std::move(summary.profile);
  facts.creator = std::move(summary.creator);
  facts.identities = own_identities(shader);
  add_opcodes(shader, facts);
  if (const auto reflection = reflect(shader)) Gatherer(facts).add(*reflection);
  return facts;
}

}  // namespace unshade::find
