#include "shader/reflect/dxil/stale.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/module/outline.hpp>
#include <unshade/dxil/program/reflection_module.hpp>

namespace unshade::shader::reflection {

namespace {

using dxcontainer::kNoRegister;
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
  Resources(const dxil::ProgramMetadata& reflection, const Module& program)
      : reflection_(reflection), program_(program), layout_(*reflection.module) {}

  void take(std::vector<ProgramResource>& resources, const std::vector<ProgramResource>& program) {
    const Stated stated(*this, resources, program);
    std::vector<ProgramResource> made = program;
    for (ProgramResource& resource : made) {
      const ProgramResource* const same = stated.find(resource);
      if (same != nullptr && !same->name.empty()) resource.name = same->name;
      resource.symbol = same != nullptr ? same->symbol : dxil::kNone;
      if (resource.components == 0 && same != nullptr) resource.components = same->components;
      const bool has_layout = same != nullptr && same->component_type == resource.component_type && same->stride == resource.stride &&
                              same->size == resource.size && type_may_be(*same, resource);
      resource.type = has_layout ? same->type : type_of(resource);
    }
    resources = std::move(made);
  }

 private:
  static bool same_register(const ProgramResource& a, const ProgramResource& b) {
    return a.space == b.space && a.lower_bound == b.lower_bound && a.lower_bound != kNoRegister;
  }

  /// Resources of one class in the module for reflection: by id if they are as many as the program's and each may be the one of its id,
  /// else by register, as each that the program has lost moves the ids behind it.
  class Stated {
   public:
    Stated(const Resources& all, const std::vector<ProgramResource>& resources, const std::vector<ProgramResource>& program) {
      for (const ProgramResource& resource : resources) by_id_.emplace(resource.id, &resource);
      by_id_counts_ =
          resources.size() == program.size() && std::ranges::all_of(program, [&](const ProgramResource& resource) {
            const auto found = by_id_.find(resource.id);
            return found != by_id_.end() && (same_register(*found->second, resource) ||
                                             (found->second->kind == resource.kind && all.type_may_be(*found->second, resource)));
          });
      if (by_id_counts_) return;
      for (const ProgramResource& resource : resources)
        if (resource.lower_bound != kNoRegister) by_register_.emplace(std::pair(resource.space, resource.lower_bound), &resource);
    }

    const ProgramResource* find(const ProgramResource& resource) const {
      if (by_id_counts_) return by_id_.at(resource.id);
      const auto found = by_register_.find({resource.space, resource.lower_bound});
      return found != by_register_.end() && found->second->kind == resource.kind ? found->second : nullptr;
    }

   private:
    std::map<std::uint32_t, const ProgramResource*> by_id_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, const ProgramResource*> by_register_;
    bool by_id_counts_ = false;
  };

  /// False if the types of a resource of the module for reflection and of one of the program have names that differ.
  bool type_may_be(const ProgramResource& stated, const ProgramResource& resource) const {
    const std::string of_program = object_key(program_, resource.type);
    const std::string of_stated = object_key(*reflection_.module, stated.type);
    return of_program.empty() || of_stated.empty() || of_program == of_stated;
  }

  /// The type of the module for reflection that the type of a program's resource is, or kNone: by name, if its layout fits into the
  /// resource.
  std::uint32_t type_of(const ProgramResource& resource) {
    if (objects_.empty())
      for (std::uint32_t i = 0; i < reflection_.module->types.size(); ++i) objects_.try_emplace(object_key(*reflection_.module, i), i);
    const std::string key = object_key(program_, resource.type);
    const auto found = objects_.find(key);
    if (key.empty() || found == objects_.end()) return dxil::kNone;
    ProgramResource made = resource;
    made.type = found->second;
    return fits(made, dxil::declared_structure(*reflection_.module, made)) ? made.type : dxil::kNone;
  }

  bool fits(const ProgramResource& resource, std::uint32_t structure) {
    if (structure == dxil::kNone) return true;
    if (resource.kind == dxil::ResourceKind::structured_buffer)
      return resource.stride == 0 || layout_.size_of(structure) <= resource.stride;
    if (resource.kind != dxil::ResourceKind::cbuffer) return true;
    const dxil::StructAnnotation* const annotation = reflection_.find_struct(structure);
    return annotation == nullptr || annotation->constant_buffer_size <= resource.size;
  }

  const dxil::ProgramMetadata& reflection_;
  const Module& program_;
  dxil::TypeLayout layout_;                                 // of the module for reflection
  std::unordered_map<std::string, std::uint32_t> objects_;  // its types
};

}  // namespace

std::shared_ptr<const Module> differing_program(const Shader& shader, View bitcode, const dxil::ProgramMetadata& reflection) {
  // Without its code, most of a program need not be read.
  if (shader.kept_module(bitcode) == nullptr)
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
  Resources resources(reflection, *program.module);
  resources.take(reflection.shader_resources, program.shader_resources);
  resources.take(reflection.unordered_access, program.unordered_access);
  resources.take(reflection.constant_buffers, program.constant_buffers);
  resources.take(reflection.samplers, program.samplers);
}

}  // namespace unshade::shader::reflection
