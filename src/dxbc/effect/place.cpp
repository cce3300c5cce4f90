#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <unshade/core/limits.hpp>

#include "dxbc/effect/layout.hpp"

namespace unshade::dxbc {

namespace {

constexpr std::uint64_t kCodeSizeBytes = 4;

// observed, in all effects of the corpus: the data are in the order in which a walk over the variables and techniques comes to them, what
// a record points to before the record: of a variable its type, name, semantic and value, then its annotations. Equal texts are shared,
// everything else as often as it is used. Nothing is aligned. read: vkd3d fx.c, for members of structures; guess: interfaces.
class EffectPlacer {
 public:
  explicit EffectPlacer(Effect& effect) : effect_(effect) {}

  void place() {
    for (EffectBuffer& buffer : effect_.buffers) this->buffer(buffer);
    for (EffectObjectVariable& object : effect_.objects) this->object(object);
    for (EffectBuffer& buffer : effect_.shared_buffers) this->buffer(buffer);
    for (EffectObjectVariable& object : effect_.shared_objects) this->object(object);
    for (EffectInterfaceVariable& variable : effect_.interfaces) interface(variable);
    for (EffectTechnique& technique : effect_.techniques) this->technique(technique);
    for (EffectGroup& group : effect_.groups) {
      text(group.name);
      annotations(group.annotations);
      for (EffectTechnique& technique : group.techniques) this->technique(technique);
    }
    effect_.counts.data_bytes = place_of(at_);
  }

 private:
  static std::uint32_t place_of(std::uint64_t at) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(at, kUnplaced - 1)); }
  std::uint32_t take(std::uint64_t bytes) { return place_of(std::exchange(at_, at_ + bytes)); }
  void text(String& string) {
    if (string.text.empty()) {
      string.offset = 0;
      return;
    }
    const auto [found, is_new] = texts_.try_emplace(string.text, place_of(at_));
    string.offset = found->second;
    if (is_new) at_ += string.text.size() + 1;
  }
  void type(std::uint32_t index, unsigned depth = 0) {
    if (index >= effect_.types.size() || depth > limits::kNesting) return;
    EffectType& type = effect_.types[index];
    if (type.offset != kUnplaced) return;
    type.offset = kUnplaced - 1;  // being placed: one that contains itself ends here
    text(type.name);
    std::uint64_t bytes = 24;
    if (type.kind == EffectTypeKind::structure) {
      for (EffectMember& member : type.members) {
        text(member.name);
        text(member.semantic);
        this->type(member.type, depth + 1);
      }
      bytes += 4 + kEffectMemberBytes * type.members.size();
      if (effect_.is_5()) {
        this->type(type.base_class, depth + 1);
        for (const EffectTypeReference& reference : type.interfaces) this->type(reference.type, depth + 1);
        bytes += 8 + 4 * type.interfaces.size();
      }
    } else if (type.kind != EffectTypeKind::interface) {
      bytes += 4;
    }
    type.offset = take(bytes);
  }
  void value(EffectValue& value) { value.offset = value.bytes.empty() ? 0 : take(value.bytes.size()); }
  void code(EffectCode& code) { code.offset = code.bytes.empty() ? 0 : take(kCodeSizeBytes + code.bytes.size()); }
  void instances(Table<EffectInstance>& table) {
    for (EffectInstance& instance : table) text(instance.name);
    table.offset = table.empty() ? 0 : take(kEffectInstanceBytes * table.size());
  }
  void shader(EffectShader& shader) {
    code(shader.code);
    for (String& declaration : shader.stream_output) text(declaration);
    instances(shader.bindings);
  }
  void strings(std::vector<EffectText>& strings) {
    for (EffectText& string : strings) text(string.text);
  }
  void annotations(std::vector<EffectAnnotation>& annotations) {
    for (EffectAnnotation& annotation : annotations) {
      type(annotation.type);
      text(annotation.name);
      strings(annotation.strings);
      value(annotation.value);
    }
  }
  void buffer(EffectBuffer& buffer) {
    text(buffer.name);
    annotations(buffer.annotations);
    for (EffectVariable& variable : buffer.variables) {
      type(variable.type);
      text(variable.name);
      text(variable.semantic);
      value(variable.default_value);
      annotations(variable.annotations);
    }
  }
  void object(EffectObjectVariable& object) {
    type(object.type);
    text(object.name);
    text(object.semantic);
    for (EffectBlock& block : object.blocks) assignments(block.assignments);
    for (EffectShader& shader : object.shaders) this->shader(shader);
    strings(object.strings);
    annotations(object.annotations);
  }
  void interface(EffectInterfaceVariable& variable) {
    type(variable.type);
    text(variable.name);
    instances(variable.instances);
    annotations(variable.annotations);
  }
  void technique(EffectTechnique& technique) {
    text(technique.name);
    annotations(technique.annotations);
    for (EffectPass& pass : technique.passes) {
      text(pass.name);
      annotations(pass.annotations);
      assignments(pass.assignments);
    }
  }
  void assignments(std::vector<EffectAssignment>& assignments) {
    for (EffectAssignment& x : assignments) {
      if (!x.variable.text.empty()) text(x.variable);
      if (x.kind == EffectAssigned::variable_index) text(x.element_variable);
      code(x.code);
      for (EffectShader& each : x.shaders) shader(each);
      switch (x.kind) {
        case EffectAssigned::variable:
        case EffectAssigned::expression: break;
        case EffectAssigned::constant: x.offset = take(4 + 8 * x.constants.size()); break;
        case EffectAssigned::inline_shader5: x.offset = take(36); break;
        default: x.offset = take(8); break;
      }
      if (x.variable.text.empty()) x.variable.offset = 0;
    }
  }

  Effect& effect_;
  std::uint64_t at_ = 4;  // after the four zeros
  std::map<std::string_view, std::uint32_t> texts_;
};

bool has_places(const Effect& effect) {
  if (effect.counts.data_bytes != kUnplaced) return true;
  return std::any_of(effect.types.begin(), effect.types.end(), [](const EffectType& type) { return type.offset != kUnplaced; });
}

std::uint32_t count_variables(const std::vector<EffectBuffer>& buffers) {
  std::size_t count = 0;
  for (const EffectBuffer& buffer : buffers) count += buffer.variables.size();
  return static_cast<std::uint32_t>(count);
}

bool is_in(EffectObject object, EffectObject first, EffectObject last) { return object >= first && object <= last; }

/// What a header counts: elements of arrays each for themselves.
void count_all(Effect& effect) {
  EffectCounts found;
  for (std::uint32_t* const count :
       {&found.strings, &found.shader_resources, &found.depth_stencil_states, &found.blend_states, &found.rasterizer_states,
        &found.sampler_states, &found.render_target_views, &found.depth_stencil_views, &found.shaders, &found.inline_shaders,
        &found.unordered_access_views, &found.interface_elements, &found.class_instance_elements, &found.techniques})
    *count = 0;
  found.numeric_variables = count_variables(effect.buffers);
  found.shared_numeric_variables = count_variables(effect.shared_buffers);
  const EffectContext context{effect.version, &effect.types};
  for (const EffectObjectVariable& variable : effect.objects) {
    const auto elements = static_cast<std::uint32_t>(context.elements(variable.type));
    const EffectObject object = context.object(variable.type);
    switch (object) {
      case EffectObject::string: found.strings += elements; break;
      case EffectObject::blend_state: found.blend_states += elements; break;
      case EffectObject::depth_stencil_state: found.depth_stencil_states += elements; break;
      case EffectObject::rasterizer_state: found.rasterizer_states += elements; break;
      case EffectObject::sampler_state: found.sampler_states += elements; break;
      case EffectObject::render_target_view: found.render_target_views += elements; break;
      case EffectObject::depth_stencil_view: found.depth_stencil_views += elements; break;
      default:
        if (initializer_of(object) == EffectInitializer::shaders) {
          found.shaders += elements;
        } else if (is_in(object, EffectObject::rwtexture1d, EffectObject::rwbuffer) || object == EffectObject::rw_byte_address_buffer ||
                   is_in(object, EffectObject::rw_structured_buffer, EffectObject::consume_structured_buffer)) {
          found.unordered_access_views += elements;
        } else if (is_in(object, EffectObject::texture, EffectObject::texturecube) || object == EffectObject::buffer ||
                   object == EffectObject::texturecubearray || object == EffectObject::byte_address_buffer ||
                   object == EffectObject::structured_buffer) {
          found.shader_resources += elements;
        }
    }
  }
  const auto count_passes = [&](const std::vector<EffectTechnique>& techniques) {
    found.techniques += static_cast<std::uint32_t>(techniques.size());
    for (const EffectTechnique& technique : techniques)
      for (const EffectPass& pass : technique.passes)
        for (const EffectAssignment& x : pass.assignments)
          if (x.kind == EffectAssigned::inline_shader || x.kind == EffectAssigned::inline_shader5) ++found.inline_shaders;
  };
  count_passes(effect.techniques);
  for (const EffectGroup& group : effect.groups) count_passes(group.techniques);
  found.shaders += found.inline_shaders;
  for (const EffectInterfaceVariable& variable : effect.interfaces)
    found.interface_elements += static_cast<std::uint32_t>(context.elements(variable.type));
  for (const EffectBuffer& buffer : effect.buffers) {
    for (const EffectVariable& variable : buffer.variables) {
      // guess: what FX11 takes for instances of classes
      const EffectType& type = context.type(variable.type);
      if (type.base_class != kNoEffectType || !type.interfaces.empty())
        found.class_instance_elements += static_cast<std::uint32_t>(context.elements(variable.type));
    }
  }
  found.data_bytes = effect.counts.data_bytes;

  EffectCounts& stated = effect.counts;
  const auto fill = [](std::uint32_t& count, std::uint32_t with) {
    if (count == kUnplaced) count = with;
  };
  fill(stated.numeric_variables, found.numeric_variables);
  fill(stated.shared_numeric_variables, found.shared_numeric_variables);
  fill(stated.techniques, found.techniques);
  fill(stated.strings, found.strings);
  fill(stated.shader_resources, found.shader_resources);
  fill(stated.depth_stencil_states, found.depth_stencil_states);
  fill(stated.blend_states, found.blend_states);
  fill(stated.rasterizer_states, found.rasterizer_states);
  fill(stated.sampler_states, found.sampler_states);
  fill(stated.render_target_views, found.render_target_views);
  fill(stated.depth_stencil_views, found.depth_stencil_views);
  fill(stated.shaders, found.shaders);
  fill(stated.inline_shaders, found.inline_shaders);
  fill(stated.unordered_access_views, found.unordered_access_views);
  fill(stated.interface_elements, found.interface_elements);
  fill(stated.class_instance_elements, found.class_instance_elements);
}

}  // namespace

void place_as_fxc(Effect& effect) {
  if (!has_places(effect)) EffectPlacer(effect).place();
  count_all(effect);
}

}  // namespace unshade::dxbc
