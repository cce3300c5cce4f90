#include "shader/reflect/effect_text.hpp"

#include <cstdint>
#include <string>

#include "shader/reflect/columns.hpp"

namespace unshade::shader::reflection {

void print_effect(Text& out, const EffectContents& effect) {
  if (!effect.objects.empty()) {
    out << "\nObjects\n";
    Columns columns({"name", "type", "count", "register", "semantic"});
    for (const EffectObject& object : effect.objects) {
      columns.cell(object.name);
      columns.cell(object.type.empty() ? "-" : object.type);
      columns.number(object.elements == 0 ? 1 : object.elements);
      object.bind_point == kNone ? columns.cell("-") : columns.number(object.bind_point);
      columns.cell(object.semantic);
    }
    columns.print(out, 2);
  }
  if (effect.techniques.empty()) return;
  out << "\nTechniques\n";
  Columns columns({"technique", "pass", "shaders"});
  for (const EffectTechnique& technique : effect.techniques) {
    const std::string name = technique.group.empty() ? technique.name : technique.group + '/' + technique.name;
    for (const EffectPass& pass : technique.passes) {
      std::string shaders;
      for (const EffectPassShader& shader : pass.shaders)
        shaders += (shaders.empty() ? "" : ", ") + shader.state + " = " +
                   (shader.is_null          ? "NULL"
                    : shader.shader.empty() ? "inline"
                                            : shader.shader);
      columns.cell(name.empty() ? "-" : name);
      columns.cell(pass.name.empty() ? "-" : pass.name);
      columns.cell(shaders);
    }
  }
  columns.print(out, 2);
}

void print_linkage(Text& out, const ClassLinkage& linkage) {
  out << "\nClass types\n";
  Columns types({"id", "name", "buffer stride", "textures", "samplers"});
  for (std::size_t i = 0; i < linkage.types.size(); ++i) {
    types.number(i);
    types.cell(linkage.types[i].name);
    types.number(linkage.types[i].constant_buffer_stride);
    types.number(linkage.types[i].texture_count);
    types.number(linkage.types[i].sampler_count);
  }
  types.print(out, 2);
  const auto slot = [](Columns& columns, std::uint32_t value) { value == kNoSlot ? columns.cell("-") : columns.number(value); };
  if (!linkage.instances.empty()) {
    out << "\nClass instances\n";
    Columns instances({"name", "type", "elements", "buffer", "offset", "texture", "sampler"});
    for (const ClassInstance& instance : linkage.instances) {
      instances.cell(instance.name);
      instances.number(instance.type);
      instances.number(instance.elements);
      slot(instances, instance.constant_buffer);
      slot(instances, instance.constant_buffer_offset);
      slot(instances, instance.texture);
      slot(instances, instance.sampler);
    }
    instances.print(out, 2);
  }
  out << "\nInterface slots\n";
  Columns slots({"slots", "type:table"});
  for (const InterfaceSlot& interface : linkage.slots) {
    slots.cell(std::to_string(interface.first) +
               (interface.count > 1 ? '-' + std::to_string(std::uint64_t{interface.first} + interface.count - 1) : std::string()));
    std::string text;
    for (std::size_t i = 0; i < interface.types.size(); ++i) {
      text += (i == 0 ? "" : " ") + std::to_string(interface.types[i]);
      if (i < interface.tables.size()) text += ':' + std::to_string(interface.tables[i]);
    }
    slots.cell(text);
  }
  slots.print(out, 2);
}

}  // namespace unshade::shader::reflection
