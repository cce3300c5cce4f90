// Functions of textures, images and buffers.
// src: GLSL 4.60, 8.9 "Texture Functions", 8.12 "Image Functions"
#include <algorithm>

#include <unshade/core/text.hpp>
#include <unshade/spirv/enumerants.hpp>

#include "write/glsl/glsl.hpp"

namespace unshade::write::glsl {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using ir::Op;
using source::ResourceUse;
using source::TextureCall;

bool Glsl::is_attachment(const ir::Resource& resource) const { return is_vulkan() && resource.attachment != ir::kNone; }

std::string Glsl::varying_index(const std::string& index) {
  if (!is_vulkan()) return index;
  extension("GL_EXT_nonuniform_qualifier");
  return "nonuniformEXT(" + index + ')';
}

// In Vulkan, a heap is arrays in one place, one for each kind of resource, as in translations to SPIR-V.
std::string Glsl::heap_resource(std::uint32_t resource, const std::string& index, bool is_non_uniform) {
  if (!is_vulkan()) return {};
  const bool is_known = index.find_first_not_of("0123456789") == std::string::npos;
  return writer_.resource_name(resource) + '[' + (is_non_uniform && !is_known ? varying_index(index) : index) + ']';
}

// A texture and its sampler as functions take them: made of both in Vulkan, if they are not in one place; one variable in OpenGL.
std::string Glsl::sampled(const TextureCall& call) {
  const bool is_comparison = call.reference.has_value();
  const std::uint32_t texture = call.texture.resource, sampler = call.sampler.resource;
  if (is_vulkan() && (writer_.pair_of(texture) != sampler ||
                      index_of(call.texture, writer_.resource_name(texture)) != index_of(call.sampler, writer_.resource_name(sampler)))) {
    const std::string& plain = writer_.resource_name(sampler);
    std::string& own = samplers_[{sampler, is_comparison}];
    if (own.empty())
      own = samplers_.contains({sampler, !is_comparison})
                ? beside(writer_.name_of_resource(sampler) + (is_comparison ? "_comparison" : "_plain"))
                : plain;
    return texture_word(texture, "sampler", is_comparison) + '(' + apart(call.texture) + ", " + own + index_of(call.sampler, plain) + ')';
  }
  const std::string& plain = writer_.resource_name(texture);
  if (!is_vulkan() && writer_.module.resources[sampler].count != 1 && writer_.pair_of(texture) != sampler)
    writer_.unsupported("arrays of samplers, which OpenGL does not have apart from textures");
  const std::string index = index_of(call.texture, plain);
  bool has_others = false;
  for (Combined& one : combined_) {
    if (one.texture != texture) continue;
    has_others = true;
    if (one.is_comparison != is_comparison || (one.sampler != sampler && one.sampler != ir::kNone)) continue;
    one.sampler = sampler;
    return one.name + index;
  }
  const std::string name = has_others ? beside(writer_.name_of_resource(texture) + "_" + writer_.name_of_resource(sampler)) : plain;
  combined_.push_back({texture, sampler, is_comparison, name});
  return name + index;
}

// In Vulkan, a texture without a sampler: a variable of its own if it has its sampler with it.
std::string Glsl::apart(const ResourceUse& texture) {
  if (writer_.pair_of(texture.resource) == ir::kNone) return texture.text;
  const std::string& plain = writer_.resource_name(texture.resource);
  std::string& own = apart_[texture.resource];
  if (own.empty()) own = beside(writer_.name_of_resource(texture.resource) + "_texture");
  return own + index_of(texture, plain);
}

// A texture whose texels are taken without a sampler.
std::string Glsl::fetched(const TextureCall& call) {
  const bool is_alone = is_vulkan() && writer_.pair_of(call.texture.resource) == ir::kNone;
  if (is_alone || is_storage(writer_.module.resources[call.texture.resource])) {
    if (!is_storage(writer_.module.resources[call.texture.resource])) extension("GL_EXT_samplerless_texture_functions");
    return call.texture.text;
  }
  const std::string& plain = writer_.resource_name(call.texture.resource);
  bool has_others = false;
  for (const Combined& one : combined_) {
    if (one.texture != call.texture.resource) continue;
    has_others = true;
    if (!one.is_comparison) return one.name + index_of(call.texture, plain);
  }
  const std::string name = has_others ? beside(writer_.name_of_resource(call.texture.resource) + "_texels") : plain;
  combined_.push_back({call.texture.resource, ir::kNone, false, name});
  return name + index_of(call.texture, plain);
}

// Where a texel of an image is, in signed integers; of cubes the face comes with the layer.
Expression Glsl::image_place(const TextureCall& call) const {
  Expression made = call.place;
  made.type.base = Base::int_;
  if (writer_.module.resources[call.texture.resource].dimension == ResourceDimension::texture_cube_array) {
    const std::string function = helper("cubeTexel", "ivec3 @(ivec4 place) {\n  return ivec3(place.xy, 6 * place.w + place.z);\n}\n");
    return {function + '(' + call.place.text + ')', Level::postfix, {Base::int_, 3}};
  }
  if (call.place.type.base == Base::int_) return made;
  made.text = type_name(made.type) + '(' + components_of(call.place, type_name(call.place.type)) + ')';
  made.level = Level::postfix;
  return made;
}

Expression Glsl::texture(const TextureCall& call) {
  const bool asks =
      call.op == Op::query_size || call.op == Op::query_levels || call.op == Op::query_samples || call.op == Op::sample_position;
  return asks ? query(call) : accessed(call, false);
}

// src: ARB_sparse_texture2
std::optional<Expression> Glsl::texture_status(const TextureCall& call) {
  using D = ResourceDimension;
  if (call.texture.resource == ir::kNone) return std::nullopt;
  const D of = call.extra.dimension;
  if (of == D::texture1d || of == D::texture1d_array)
    writer_.unsupported("whether one-dimensional textures are mapped, which GLSL does not have");
  needs("whether memory is mapped", {0, 0}, is_es() || version_ < 450 ? "" : "GL_ARB_sparse_texture2");
  const std::string is_mapped = "sparseTexelsResidentARB(" + (of == D::buffer ? buffer_access(call) : accessed(call, true)).text + ')';
  Expression made{is_mapped + " ? 1u : 0u", Level::conditional, {Base::uint_, 1}};
  made.truth = is_mapped;
  return made;
}

// The status of a texel of a buffer, for which GLSL has no function, but SPIR-V an instruction.
Expression Glsl::buffer_access(const TextureCall& call) {
  needs("whether texels of buffers are mapped", {0, 0}, is_vulkan() ? "GL_EXT_spirv_intrinsics" : "");
  const std::uint32_t resource = call.texture.resource;
  const ir::Resource& of = writer_.module.resources[resource];
  using spirv::Capability;
  const auto number = [](auto value) { return std::to_string(static_cast<std::uint32_t>(value)); };
  const std::string texel = helper("SparseTexel", "struct @ {\n  int code;\n  " + type_name({texel_base(resource), 4}) + " texel;\n};\n");
  std::string capabilities = number(Capability::sparse_residency), qualifiers;
  if (is_storage(of)) {
    capabilities += ", " + number(Capability::storage_image_read_without_format);
    qualifiers = std::string(stored_.contains(resource) ? "" : "readonly ") + (of.coherent ? "coherent " : "");
  }
  const std::string id = number(is_storage(of) ? spirv::Opcode::image_sparse_read : spirv::Opcode::image_sparse_fetch);
  const std::string function =
      helper(is_storage(of) ? "sparseLoad" : "sparseFetch",
             "spirv_instruction(capabilities = [" + capabilities + "], id = " + id + ")\n" + texel + " @(" + qualifiers +
                 texture_word(resource, is_storage(of) ? "image" : "texture", false) + " source, int at);\n");
  return {function + '(' + call.texture.text + ", " + image_place(call).text + ").code", Level::postfix, {Base::int_, 1}};
}

// What is read; `is_sparse`: its status, while the texel goes to a variable.
Expression Glsl::accessed(const TextureCall& call, bool is_sparse) {
  Expression made;
  if (call.texture.resource == ir::kNone) return made;
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  if (!check_dimension(call)) return made;
  made.type = {texel_base(call.texture.resource), 4};
  std::string name;
  std::vector<std::string> arguments;
  std::optional<std::string> last;  // behind the texel
  const auto add = [&](const std::optional<Expression>& one) {
    if (one) arguments.push_back(one->text);
  };
  const auto finish = [&] {
    if (is_sparse) {
      if (name.ends_with("ARB")) name.resize(name.size() - 3);
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
      name = "sparse" + name + "ARB";
      arguments.push_back(helper("texel", type_name(made.type) + " @;\n"));
    }
    if (last) arguments.push_back(*last);
    made.text = name + '(';
    for (std::size_t k = 0; k < arguments.size(); ++k) (made.text += k == 0 ? "" : ", ") += arguments[k];
    made.text += ')';
    return made;
  };
  // with one more component
  const auto appended = [&](const Expression& place, std::string_view more) {
    const ValueType type{place.type.base, static_cast<std::uint8_t>(place.type.width + 1)};
    return type_name(type) + '(' + components_of(place, type_name(place.type)) + ", " + std::string(more) + ')';
  };
  const auto in_bounds = [&](const std::optional<Expression>& offset) {
    if (offset && !offset->is_literal) writer_.unsupported("sampling at an offset that is computed");
  };
  if (call.op == Op::buffer_load || call.op == Op::texel_load) {
    if (is_attachment(of)) {
      check_attachment(call);
      name = "subpassLoad";
      arguments = {call.texture.text};
      add(call.sample);
      return finish();
    }
    if (is_storage(of)) {
      name = "imageLoad";
      arguments = {call.texture.text, image_place(call).text};
      if (dxcontainer::is_multisampled(of.dimension)) add(call.sample);
      return finish();
    }
    name = "texelFetch";
    if (dxcontainer::is_cube(of.dimension)) writer_.unsupported("loading texels of a cube texture without a sampler");
    Expression place = call.op == Op::buffer_load ? image_place(call) : call.place;
    arguments = {fetched(call)};
    if (call.offset && !call.offset->is_literal) {
      Expression offset = *call.offset;
      if (offset.type.width < place.type.width)
        offset.text = type_name(place.type) + '(' + components_of(offset, type_name(offset.type)) + ", 0)";
      place.text = place.in(Level::sum) + " + " + (offset.level <= Level::sum ? '(' + offset.text + ')' : offset.text);
    }
    arguments.push_back(place.text);
    if (of.dimension == ResourceDimension::buffer) return finish();
    if (dxcontainer::is_multisampled(of.dimension)) {
      add(call.sample);
      return finish();
    }
    arguments.push_back(call.lod ? call.lod->text : "0");
    if (call.offset && call.offset->is_literal) {
      name += "Offset";
      add(call.offset);
    }
    return finish();
  }
  if (call.op == Op::query_lod) {
    needs("levels that are computed", {400, 0});
    made.type = {Base::float_, 2};
    return Expression{"textureQueryLod(" + sampled(call) + ", " + call.place.text + ')', Level::postfix, made.type};
  }
  arguments = {sampled(call)};
  if (call.op == Op::gather) {
    needs("gathers", {400, 310});
    name = "textureGather";
    arguments.push_back(call.place.text);
    add(call.reference);
    if (!call.offsets.empty()) {
      needs("gathers at four offsets", {400, 320});
      const bool is_literal = std::ranges::all_of(call.offsets, [](const Expression& one) { return one.is_literal; });
      if (!is_literal && is_sparse) writer_.unsupported("the status of a gather with four offsets that are not constant");
      if (!is_literal) return gathered_apart(call, arguments);
      const std::string type = type_name(call.offsets[0].type);
      std::string all = type + "[](";
      for (std::size_t k = 0; k < call.offsets.size(); ++k) (all += k == 0 ? "" : ", ") += call.offsets[k].text;
      arguments.push_back(all + ')');
      name += "Offsets";
    } else if (call.offset) {
      if (!call.offset->is_literal) needs("gathers at an offset that is computed", {400, 320});
      name += "Offset";
      add(call.offset);
    }
    if (!call.reference && call.extra.component != 0) last = std::to_string(call.extra.component);
    return finish();
  }
  in_bounds(call.offset);
  // the reference is a component of the place, but of arrays of cubes
  const bool is_cube_array = of.dimension == ResourceDimension::texture_cube_array;
  std::string place = call.place.text;
  if (call.reference && !is_cube_array) {
    Expression wide = call.place;
    if (of.dimension == ResourceDimension::texture1d) wide = {appended(wide, "0.0"), Level::postfix, {Base::float_, 2}};
    place = appended(wide, call.reference->text);
  }
  arguments.push_back(std::move(place));
  if (call.reference && is_cube_array) add(call.reference);
  if (call.reference) made.type.width = 1;
  name = "texture";
  const bool has_clamp = call.min_lod.has_value();
  if (has_clamp) {
    if (is_es()) needs("the least level of a sample", {0, 0});
    extension("GL_ARB_sparse_texture_clamp");
  }
  if (call.op == Op::sample_implicit) {
    if (call.offset) name += "Offset", add(call.offset);
    if (has_clamp) name += "ClampARB", add(call.min_lod);
    if (call.bias) last = call.bias->text;
    return finish();
  }
  // functions of some shapes with a comparison have no level: no change of place means level 0
  const bool lacks_level = call.reference && (of.dimension == ResourceDimension::texture2d_array || dxcontainer::is_cube(of.dimension));
  const bool is_first_level = !call.lod || call.lod->text == "0.0";
  if (call.ddx || (lacks_level && is_first_level && !is_cube_array)) {
    const unsigned dimensions = ir::TextureExtra(of.dimension).dimension_count();
    const std::string zero = type_name({Base::float_, static_cast<std::uint8_t>(dimensions)}) + "(0.0)";
    name += "Grad";
    if (call.offset) name += "Offset";
    arguments.push_back(call.ddx ? call.ddx->text : zero);
    arguments.push_back(call.ddy ? call.ddy->text : zero);
    add(call.offset);
    if (has_clamp) name += "ClampARB", add(call.min_lod);
    return finish();
  }
  // where nothing is derived, the level is 0
  if (lacks_level && is_first_level && writer_.module.stage != Stage::pixel) return finish();
  if (lacks_level)
    needs("comparing at a level of a texture of this shape", {0, 0}, is_es() || version_ < 450 ? "" : "GL_EXT_texture_shadow_lod");
  name += "Lod";
  if (call.offset) name += "Offset";
  arguments.push_back(call.lod ? call.lod->text : "0.0");
  add(call.offset);
  return finish();
}

// Four gathers at an offset each, of which the texel at the place itself comes last.
Expression Glsl::gathered_apart(const TextureCall& call, std::span<const std::string> arguments) const {
  Expression made;
  made.type = {texel_base(call.texture.resource), 4};
  made.text = type_name(made.type);
  for (std::size_t k = 0; k < call.offsets.size(); ++k) {
    made.text += k == 0 ? "(textureGatherOffset(" : ", textureGatherOffset(";
    for (const std::string& one : arguments) made.text += one + ", ";
    made.text += call.offsets[k].text;
    if (!call.reference && call.extra.component != 0) made.text += ", " + std::to_string(call.extra.component);
    made.text += ").w";
  }
  made.text += ')';
  return made;
}

std::string Glsl::texel_place(const TextureCall& call) { return call.texture.text + ", " + image_place(call).text; }

std::string Glsl::texel_store(const TextureCall& call) {
  if (call.texture.resource == ir::kNone || !call.value) return {};
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  Expression value = *call.value;
  // components that are not there are the last one again, as SPIR-V has them
  if (value.type.width < 4) {
    const std::string letters = std::string("xyz").substr(0, value.type.width);
    const ValueType four{value.type.base, 4};
    value.text = value.type.width == 1 ? type_name(four) + '(' + value.text + ')'
                                       : value.in(Level::postfix) + '.' + letters + std::string(4U - value.type.width, letters.back());
  }
  std::string made = "imageStore(" + texel_place(call);
  if (dxcontainer::is_multisampled(of.dimension) && call.sample) made += ", " + call.sample->text;
  return made + ", " + value.text + ')';
}

}  // namespace unshade::write::glsl
