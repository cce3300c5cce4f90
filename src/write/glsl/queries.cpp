// What shaders ask of textures, buffers and the render target: sizes, levels, samples.
#include <algorithm>

#include <unshade/core/text.hpp>
#include <unshade/texel/samples.hpp>

#include "write/glsl/glsl.hpp"
#include "write/specializations.hpp"

namespace unshade::write::glsl {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using ir::Op;
using source::TextureCall;

// A number that is given when the pipeline is made; in OpenGL, which has none, a uniform.
Expression Glsl::specialized(const Specialization& constant) const {
  const std::string text =
      is_vulkan() ? "layout(constant_id = " + std::to_string(constant.id) + ") const uint @ = " + std::to_string(constant.value) + "u;\n"
                  : "uniform uint @;\n";
  return {helper(constant.name, text), Level::postfix, {Base::uint_, 1}};
}

Expression Glsl::target_sample_count() const {
  if (is_vulkan()) return specialized(target_samples());
  needs("the number of samples of the render target", {400, 320});
  return {"gl_NumSamples", Level::postfix, {Base::int_, 1}};
}

// Where a sample is in its pixel, by the standard pattern of so many.
Expression Glsl::sample_place(const std::string& count, const Expression& number) const {
  std::string text =
      "vec2 @(int count, int number) {\n  // standard patterns, in sixteenths of a pixel, one after the other\n  const vec2 places[] = "
      "vec2[](";
  bool is_first = true;
  for (const std::uint32_t samples : {1U, 2U, 4U, 8U, 16U}) {
    for (const texel::SamplePlace& place : texel::sample_pattern(samples)) {
      text += std::string(is_first ? "" : ", ") + "vec2(" + std::to_string(place[0]) + ", " + std::to_string(place[1]) + ')';
      is_first = false;
    }
  }
  text += ");\n  return number < count && count <= 16 ? places[count - 1 + number] / 16.0 : vec2(0.0);\n}\n";
  return {helper("samplePlace", text) + '(' + count + ", " + number.text + ')', Level::postfix, {Base::float_, 2}};
}

Expression Glsl::query(const TextureCall& call) {
  Expression made;
  made.type = {Base::int_, 1};
  made.level = Level::postfix;
  if (call.texture.resource == ir::kNone) {
    // of the render target, or of what is refused
    if (call.op != Op::query_samples && call.op != Op::sample_position) return made;
    const Expression samples = target_sample_count();
    return call.op == Op::query_samples ? samples : sample_place("int(" + samples.text + ')', *call.sample);
  }
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  if (is_attachment(of)) check_attachment(call);
  const bool is_typed = of.kind == ResourceKind::texture || is_storage(of) || of.kind == ResourceKind::tbuffer;
  if (!is_typed && writer_.has_memory(call.texture.resource) && !writer_.memory_of(call.texture.resource).block.empty()) {
    const source::Memory& memory = writer_.memory_of(call.texture.resource);
    const source::ByteLayout::Part* const array = memory.layout.open_array();
    if (array == nullptr) return made;
    const source::ByteLayout::Member& member = memory.layout.parts[memory.layout.root].members.back();
    made.text = (memory.name.empty() ? "" : call.texture.text + '.') + member.name + ".length() * " + std::to_string(array->stride);
    made.level = Level::product;
    if (member.offset == 0) return made;
    made.text += " + " + std::to_string(member.offset);
    made.level = Level::sum;
    return made;
  }
  if (!is_typed) {
    const std::string length = call.texture.text + (of.count != 1 ? ".data" : "") + ".length()";
    made.text = of.stride != 0 ? length : length + " * 4";
    if (of.stride == 0) made.level = Level::product;
    return made;
  }
  // of any sampler that the texture has
  std::string name;
  if ((is_vulkan() && writer_.pair_of(call.texture.resource) == ir::kNone) || is_storage(of)) {
    name = fetched(call);
  } else {
    const std::string& plain = writer_.resource_name(call.texture.resource);
    const auto found = std::ranges::find(combined_, call.texture.resource, &Combined::texture);
    name = found != combined_.end() ? found->name + index_of(call.texture, plain) : fetched(call);
  }
  switch (call.op) {
    case Op::query_levels:
      if (is_storage(of) || dxcontainer::is_multisampled(of.dimension)) {
        made.text = "1";
        return made;
      }
      needs("the number of levels of a texture", {430, 0});
      made.text = "textureQueryLevels(" + name + ')';
      return made;
    case Op::sample_position:
    case Op::query_samples:
      needs("the number of samples of a texture", {450, 0});
      made.text = (is_storage(of) ? "imageSamples(" : "textureSamples(") + name + ')';
      return call.op == Op::query_samples ? made : sample_place(made.text, *call.sample);
    default: break;
  }
  const bool is_cube = dxcontainer::is_cube(of.dimension), is_array = dxcontainer::is_array(of.dimension);
  const unsigned dimensions = is_cube                                     ? 2
                              : of.dimension == ResourceDimension::buffer ? 1
                                                                          : ir::TextureExtra(of.dimension).dimension_count();
  made.type.width = static_cast<std::uint8_t>(dimensions + (is_array ? 1U : 0U));
  if (is_storage(of)) {
    needs("the size of an image", {430, 310});
    made.text = "imageSize(" + name + ')';
  } else {
    const bool has_level = of.dimension != ResourceDimension::buffer && !dxcontainer::is_multisampled(of.dimension);
    const std::string level = !call.lod ? "0" : call.lod->type.base == Base::int_ ? call.lod->text : "int(" + call.lod->text + ')';
    made.text = "textureSize(" + name + (has_level ? ", " + level : "") + ')';
    if (writer_.is_exact() && has_level && level != "0") {
      // of a level that is not there all are 0
      needs("the number of levels of a texture", {430, 0});
      made.text = level + " < textureQueryLevels(" + name + ") ? " + made.text + " : " + type_name(made.type) + "(0)";
      made.level = Level::conditional;
    }
  }
  return made;
}

}  // namespace unshade::write::glsl
