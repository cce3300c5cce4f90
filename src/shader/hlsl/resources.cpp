// Resources as HLSL: textures, samplers, buffers; of SPIR-V, also what Direct3D has not; objects of effects.
#include <algorithm>

#include "shader/hlsl/printer.hpp"
#include "shader/hlsl/vulkan.hpp"
#include "shader/reflect/scalar_text.hpp"

namespace unshade::shader::hlsl {

// --- resources ---

void Printer::print_format(Text& out, const Resource& resource) {
  std::uint32_t components = lanes(resource.components);
  switch (resource.return_type) {
    case ReturnType::unorm: out << "unorm float"; break;
    case ReturnType::snorm: out << "snorm float"; break;
    case ReturnType::sint: out << "int"; break;
    case ReturnType::uint: out << "uint"; break;
    case ReturnType::double_:
      out << "double";
      components = std::min(components, 2U);
      break;
    default: out << "float"; break;
  }
  if (components > 1) out.dec(components);
}

std::string Printer::element_type(const Resource& resource, std::string_view name) {
  const Variable* variable = resource.buffer < reflection_.buffers.size() && !reflection_.buffers[resource.buffer].variables.empty()
                                 ? &reflection_.buffers[resource.buffer].variables.front()
                                 : nullptr;
  const Type* of = variable != nullptr ? type(variable->type) : nullptr;
  if (of != nullptr && of->elements == 0) {
    Text text;
    print_type(text, *of, variable->type);
    return text.str();
  }
  std::string element = names_.claim(std::string(name) + "_element");
  out_ << "\nstruct " << element << "\n{\n  ";
  if (of != nullptr) {
    print_declaration(out_, variable->type, "element");
  } else {
    (out_ << "uint data[").dec(std::max(resource.stride / 4, 1U)) << ']';
  }
  out_ << ";\n};\n";
  return element;
}

void Printer::print_resource(std::uint32_t index) {
  const Resource& resource = reflection_.resources[index];
  const std::string& name = resource_names_[index];
  if (is_block(resource)) {
    if (resource.buffer < bound_.size() && bound_[resource.buffer] == &resource) return;  // printed with its variables
    out_ << (resource.kind == ResourceKind::tbuffer ? "\ntbuffer " : "\ncbuffer ") << name;
    print_register(resource);
    out_ << "\n{\n  float4 " << names_.claim(name + "_data") << ";\n};\n";
    return;
  }
  if (vulkan_ && print_vulkan(resource, name)) return;
  if (index == 0 || is_block(reflection_.resources[index - 1])) out_ << '\n';
  // A member of a struct that a buffer declares: it is bound there.
  if (const auto dot = resource.name.find('.'); dot != std::string::npos) {
    print_comment_text(out_ << "// ", resource.name);
    print_register(resource);
    out_ << '\n';
    return;
  }
  Text word;
  if (!print_kind(word, resource, name)) {
    print_comment_text(out_ << "// of no known kind: ", resource.name);
    out_ << '\n';
    return;
  }
  print_binding(resource);
  if (vulkan_ && !resource.format.empty()) out_ << "[[vk::image_format(\"" << image_format_of(resource.format) << "\")]] ";
  if (resource.globally_coherent) out_ << "globallycoherent ";
  out_ << word.view() << ' ' << name;
  print_count(resource);
  print_register(resource);
  out_ << ';';
  print_original(resource.name, name);
  out_ << '\n';
}

// --- what SPIR-V has and Direct3D has not ---

bool Printer::print_vulkan(const Resource& resource, const std::string& name) {
  switch (resource.kind) {
    case ResourceKind::push_constants:
    case ResourceKind::shader_record:
      if (resource.buffer >= reflection_.buffers.size()) return false;
      print_vulkan_constants(resource, name);
      return true;
    case ResourceKind::storage_buffer: print_storage_buffer(resource, name); return true;
    case ResourceKind::combined_sampler: return print_combined_sampler(resource, name);
    case ResourceKind::input_attachment: {
      out_ << '\n';
      print_binding(resource);
      out_ << (resource.dimension == ResourceDimension::texture2d_ms ? "SubpassInputMS<" : "SubpassInput<");
      print_format(out_, resource);
      out_ << "> " << name << ';';
      print_original(resource.name, name);
      out_ << '\n';
      return true;
    }
    default: return false;
  }
}

void Printer::print_vulkan_constants(const Resource& resource, const std::string& name) {
  const std::string block = print_block(reflection_.buffers[resource.buffer], name + "_buffer");
  out_ << (resource.kind == ResourceKind::push_constants ? "\n[[vk::push_constant]] " : "\n[[vk::shader_record_ext]] ");
  out_ << "ConstantBuffer<" << block << "> " << name << ';';
  print_original(resource.name, name);
  out_ << '\n';
}

void Printer::print_storage_buffer(const Resource& resource, const std::string& name) {
  const Buffer* const buffer = resource.buffer < reflection_.buffers.size() ? &reflection_.buffers[resource.buffer] : nullptr;
  const std::string_view access = resource.read_only ? "" : "RW";
  Text word;
  bool is_open = false;
  bool has_narrow = false;  // elements of HLSL cannot have the size
  if (buffer != nullptr) {
    for (const Variable& variable : buffer->variables) {
      is_open |= holds_open_array(variable.type);
      has_narrow |= holds_narrow(variable.type);
    }
  }
  const Type* const only = buffer != nullptr && buffer->variables.size() == 1 ? type(buffer->variables.front().type) : nullptr;
  if (is_open && !has_narrow && only != nullptr && only->dimensions.size() == 1 && (is_numeric(*only) || only->is_struct()) &&
      !members_hold_open_array(*only)) {
    word << access << "StructuredBuffer<";
    print_type(word, *only, buffer->variables.front().type);
    word << '>';
    out_ << '\n';
  } else if (!is_open && !has_narrow && buffer != nullptr && !buffer->variables.empty()) {
    word << access << "StructuredBuffer<" << print_block(*buffer, buffer->name) << '>';
    out_ << '\n';
  } else {
    word << access << "ByteAddressBuffer";
    out_ << '\n';
    if (buffer != nullptr) print_contents(*buffer);
  }
  print_binding(resource);
  if (resource.globally_coherent) out_ << "globallycoherent ";
  out_ << word.view() << ' ' << name;
  print_count(resource);
  print_register(resource, resource.read_only ? "t" : "u");
  out_ << ';';
  print_original(resource.name, name);
  out_ << '\n';
}

bool Printer::members_hold_open_array(const Type& of) const {
  return std::ranges::any_of(of.members, [this](const Member& member) { return holds_open_array(member.type); });
}

template <class Is>
bool Printer::holds(std::vector<bool>& known, std::uint32_t index, const Is& is) const {
  if (index >= reflection_.types.size()) return false;
  if (known.empty()) {
    known.resize(reflection_.types.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
      const Type& of = reflection_.types[i];
      known[i] = is(of) || std::ranges::any_of(of.members, [&](const Member& member) { return member.type < i && known[member.type]; });
    }
  }
  return known[index];
}

bool Printer::holds_open_array(std::uint32_t index) const {
  return holds(open_, index, [](const Type& of) { return std::ranges::find(of.dimensions, 0U) != of.dimensions.end(); });
}

bool Printer::holds_narrow(std::uint32_t index) const {
  return vulkan_ && holds(narrow_, index, [](const Type& of) { return is_numeric(of) && is_narrow(of.base); });
}

void Printer::print_contents(const Buffer& buffer) {
  for (const Variable& variable : buffer.variables) {
    out_ << "//";
    out_.dec(variable.offset, 6) << "  ";
    print_declaration(out_, variable.type, mended(variable.name));
    const Type* const of = type(variable.type);
    if (of != nullptr) reflection::print_stride(out_, *of, ", ");
    out_ << '\n';
  }
}

bool Printer::print_combined_sampler(const Resource& resource, const std::string& name) {
  const std::string_view texture = hlsl_word(resource.dimension);
  if (texture.empty()) return false;
  const std::string sampler = names_.claim(name + "_sampler");
  for (const bool is_sampler : {false, true}) {
    if (is_sampler && resource.dimension == ResourceDimension::buffer) break;  // a texel buffer, which is read without one
    out_ << (is_sampler ? "" : "\n");
    if (resource.dimension != ResourceDimension::buffer) out_ << "[[vk::combinedImageSampler]] ";
    print_binding(resource);
    if (is_sampler) {
      out_ << (resource.comparison ? "SamplerComparisonState " : "SamplerState ") << sampler;
    } else {
      print_format(out_ << texture << '<', resource);
      out_ << "> " << name;
    }
    print_count(resource);
    print_register(resource, is_sampler ? "s" : "t");
    out_ << ';';
    if (!is_sampler) print_original(resource.name, name);
    out_ << '\n';
  }
  return true;
}

bool Printer::print_kind(Text& word, const Resource& resource, std::string_view name) {
  const std::string_view ordered = resource.rasterizer_ordered ? "RasterizerOrdered" : "RW";
  switch (resource.kind) {
    case ResourceKind::sampler: word << (resource.comparison ? "SamplerComparisonState" : "SamplerState"); return true;
    case ResourceKind::acceleration_structure: word << "RaytracingAccelerationStructure"; return true;
    case ResourceKind::byte_address: word << "ByteAddressBuffer"; return true;
    case ResourceKind::uav_byte_address: word << ordered << "ByteAddressBuffer"; return true;
    case ResourceKind::structured: word << "StructuredBuffer"; break;
    case ResourceKind::uav_structured:
    case ResourceKind::uav_structured_with_counter: word << ordered << "StructuredBuffer"; break;
    case ResourceKind::uav_append: word << "AppendStructuredBuffer"; break;
    case ResourceKind::uav_consume: word << "ConsumeStructuredBuffer"; break;
    case ResourceKind::texture:
    case ResourceKind::uav_typed: {
      const bool is_cube = dxcontainer::is_cube(resource.dimension);
      const std::string_view texture =
          is_cube && resource.kind == ResourceKind::uav_typed ? std::string_view("Texture2DArray") : hlsl_word(resource.dimension);
      if (texture.empty()) return false;
      if (resource.kind == ResourceKind::uav_typed) word << ordered;
      print_format(word << texture << '<', resource);
      if (resource.sample_count != 0) (word << ", ").dec(resource.sample_count);
      word << '>';
      return true;
    }
    default: return false;
  }
  word << '<' << element_type(resource, name) << '>';
  return true;
}

// --- effects ---

void Printer::print_effect(const EffectContents& effect) {
  if (!effect.objects.empty()) out_ << '\n';
  for (const EffectObject& object : effect.objects) {
    const bool is_texture = object.type.starts_with("Texture") || object.type.starts_with("RWTexture");
    const bool is_declared = (is_texture && !object.type.starts_with("Texture2DMS")) || object.type == "SamplerState" ||
                             object.type.ends_with("ByteAddressBuffer") || object.type == "Buffer" || object.type == "RWBuffer";
    if (!is_declared) print_comment_text(out_ << "// ", object.type.empty() ? std::string_view("object") : std::string_view(object.type));
    if (is_declared) out_ << object.type << (is_texture || object.type.ends_with("WBuffer") || object.type == "Buffer" ? "<float4>" : "");
    out_ << ' ' << names_.claim(object.name);
    if (object.elements != 0) (out_ << '[').dec(object.elements) << ']';
    if (object.bind_point != kNone && is_declared) {
      const bool is_written = object.type.starts_with("RW");
      (out_ << " : register(" << (object.type == "SamplerState" ? 's' : is_written ? 'u' : 't')).dec(object.bind_point) << ')';
    }
    out_ << (is_declared ? ";\n" : "\n");
  }
  for (const EffectTechnique& technique : effect.techniques) {
    print_comment_text(out_ << "\n// technique ", technique.group.empty() ? technique.name : technique.group + '/' + technique.name);
    out_ << '\n';
    for (const EffectPass& pass : technique.passes) {
      print_comment_text(out_ << "//   pass ", pass.name);
      out_ << '\n';
      for (const EffectPassShader& shader : pass.shaders) {
        print_comment_text(out_ << "//     ", shader.state + " = " +
                                                  (shader.is_null          ? "NULL"
                                                   : shader.shader.empty() ? "inline"
                                                                           : shader.shader));
        out_ << '\n';
      }
    }
  }
}

}  // namespace unshade::shader::hlsl
