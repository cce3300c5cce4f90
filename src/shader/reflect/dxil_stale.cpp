#include "shader/reflect/dxil_stale.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>

#include "dxil/module/outline.hpp"
#include "dxil/program/reflection_module.hpp"

namespace unshade::shader::reflection {

namespace {

using dxil::Module;
using dxil::ProgramResource;
using dxil::TypeKind;

bool differs(const dxil::ProgramMetadata& reflection, const Module& module) {
  const dxil::ProgramMetadata program = dxil::read_program_metadata(module);
  return program.present && program.kind == reflection.kind && !dxil::program::reflection_faults(reflection, program, 1).empty();
}

/// What names the type of a resource in any module: a pointer to, or an array of, a structure with a name. Empty for other types.
std::string object_key(const Module& module, std::uint32_t type) {
  constexpr std::size_t kLongest = 256;  // names may be as long as the file, and be those of many types
  std::string key;
  for (unsigned depth = 0; depth < limits::kNesting && type < module.types.size(); ++depth) {
    const dxil::Type& of = module.types[type];
    const std::string_view name = module.text(of.name);
    if (of.kind == TypeKind::structure) return name.empty() || name.size() > kLongest ? std::string() : key.append(name);
    if (of.kind != TypeKind::pointer && of.kind != TypeKind::array) break;
    key += of.kind == TypeKind::pointer ? std::string("* ") : std::to_string(of.count) + ' ';
    type = module.element_of(type);
  }
  return {};
}

class Resources {
 public:
  Resources(const Module& reflection, const Module& program) : reflection_(reflection), program_(program) {}

  void take(std::vector<ProgramResource>& resources, const std::vector<ProgramResource>& program) {
    std::map<std::uint32_t, const ProgramResource*> by_id;
    for (const ProgramResource& resource : resources) by_id.emplace(resource.id, &resource);
    std::vector<ProgramResource> made = program;
    for (ProgramResource& resource : made) {
      const auto found = by_id.find(resource.id);
      const ProgramResource* const stated = found == by_id.end() ? nullptr : found->second;
      if (stated != nullptr && !stated->name.empty()) resource.name = stated->name;
      resource.symbol = stated != nullptr ? stated->symbol : dxil::kNone;
      const bool is_same = stated != nullptr && stated->kind == resource.kind && stated->component_type == resource.component_type &&
                           stated->stride == resource.stride;
      resource.type = is_same ? stated->type : type_of(resource.type);
    }
    resources = std::move(made);
  }

 private:
  /// The type of the module for reflection that a type of the program is, or kNone.
  std::uint32_t type_of(std::uint32_t type) {
    if (objects_.empty())
      for (std::uint32_t i = 0; i < reflection_.types.size(); ++i) objects_.try_emplace(object_key(reflection_, i), i);
    const std::string key = object_key(program_, type);
    const auto found = objects_.find(key);
    return key.empty() || found == objects_.end() ? dxil::kNone : found->second;
  }

  const Module& reflection_;
  const Module& program_;
  std::unordered_map<std::string, std::uint32_t> objects_;  // types of the module for reflection
};

}  // namespace

std::shared_ptr<const Module> differing_program(const Shader& shader, View bitcode, const dxil::ProgramMetadata& reflection) {
  // Without its code, most of a program need not be read.
  if (shader.modules == nullptr)
    if (const auto outline = dxil::module::parse_outline(bitcode); !outline || !differs(reflection, *outline)) return nullptr;
  auto module = shader.module(bitcode);
  return module && differs(reflection, **module) ? *std::move(module) : nullptr;
}

bool has_names(const dxil::ProgramMetadata& metadata) {
  for (const auto* list : {&metadata.shader_resources, &metadata.unordered_access, &metadata.constant_buffers, &metadata.samplers})
    for (const ProgramResource& resource : *list)
      if (!resource.name.empty()) return true;
  return false;
}

void take_resources(dxil::ProgramMetadata& reflection, const dxil::ProgramMetadata& program) {
  Resources resources(*reflection.module, *program.module);
  resources.take(reflection.shader_resources, program.shader_resources);
  resources.take(reflection.unordered_access, program.unordered_access);
  resources.take(reflection.constant_buffers, program.constant_buffers);
  resources.take(reflection.samplers, program.samplers);
}

}  // namespace unshade::shader::reflection
