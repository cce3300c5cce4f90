// Functions of textures, images and buffers.
// src: GLSL 4.60, 8.9 "Texture Functions", 8.12 "Image Functions"
#include <algorithm>

#include <unshade/core/text.hpp>
#include <unshade/texel/samples.hpp>

#include "write/glsl/glsl.hpp"

namespace unshade::write::glsl {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using ir::Op;
using source::ResourceUse;
using source::TextureCall;

namespace {

/// The index of an array of resources.
std::string index_of(const ResourceUse& use, const std::string& name) { return use.text.substr(std::min(use.text.size(), name.size())); }

bool is_storage(const ir::Resource& resource) { return resource.kind == ResourceKind::uav_typed; }

}  // namespace

bool Glsl::is_attachment(const ir::Resource& resource) const { return is_vulkan() && resource.attachment != ir::kNone; }

std::string Glsl::varying_index(const std::string& index) {
  if (!is_vulkan()) return index;
  extension("GL_EXT_nonuniform_qualifier");
  return "nonuniformEXT(" + index + ')';
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
      own = samplers_.contains({sampler, !is_comparison}) ? writer_.names.claim(plain + (is_comparison ? "_comparison" : "_plain"), 0)
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
  const std::string name = has_others ? writer_.names.claim(plain + '_' + writer_.resource_name(sampler), 0) : plain;
  combined_.push_back({texture, sampler, is_comparison, name});
  return name + index;
}

// In Vulkan, a texture without a sampler: a variable of its own if it has its sampler with it.
std::string Glsl::apart(const ResourceUse& texture) {
  if (writer_.pair_of(texture.resource) == ir::kNone) return texture.text;
  const std::string& plain = writer_.resource_name(texture.resource);
  std::string& own = apart_[texture.resource];
  if (own.empty()) own = writer_.names.claim(plain + "_texture", 0);
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
  const std::string name = has_others ? writer_.names.claim(plain + "_texels", 0) : plain;
  combined_.push_back({call.texture.resource, ir::kNone, false, name});
  return name + index_of(call.texture, plain);
}

// Where a texel of an image is, in signed integers; of cubes the face comes with the layer.
Expression Glsl::image_place(const TextureCall& call) const {
  Expression made = call.place;
  made.type.base = Base::int_;
  const ResourceDimension dimension = writer_.module.resources[call.texture.resource].dimension;
  if (dimension == ResourceDimension::texture_cube_array) {
    writer_.unsupported("texels of arrays of cubes");
    return made;
  }
  if (call.place.type.base == Base::int_) return made;
  made.text = type_name(made.type) + '(' + components_of(call.place, type_name(call.place.type)) + ')';
  made.level = Level::postfix;
  return made;
}

Expression Glsl::texture(const TextureCall& call) {
  Expression made;
  if (call.op == Op::query_size || call.op == Op::query_levels || call.op == Op::query_samples || call.op == Op::sample_position)
    return query(call);
  if (call.texture.resource == ir::kNone) return made;
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  if (of.dimension != call.extra.dimension && of.dimension != ResourceDimension::unknown) {
    writer_.unsupported("accessing a resource of dimension " + std::string(id(of.dimension)) + " as a " +
                        std::string(id(call.extra.dimension)));
    return made;
  }
  if (call.extra.has_status) writer_.unsupported("loads that say whether their memory is mapped");
  made.type = {texel_base(of), 4};
  std::string name;
  std::vector<std::string> arguments;
  const auto add = [&](const std::optional<Expression>& one) {
    if (one) arguments.push_back(one->text);
  };
  const auto finish = [&] {
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
      if (!call.place.is_literal) writer_.unsupported("reading an input attachment at a position other than the fragment's");
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
      if (!is_literal) writer_.unsupported("gather with four offsets that are not constant");
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
    if (!call.reference && call.extra.component != 0) arguments.push_back(std::to_string(call.extra.component));
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
    add(call.bias);
    return finish();
  }
  const bool lacks_level = call.reference && (of.dimension == ResourceDimension::texture2d_array || dxcontainer::is_cube(of.dimension));
  if (call.ddx || (lacks_level && !is_cube_array)) {
    // the functions of some shapes with a comparison have no level: no change of place means level 0
    const unsigned dimensions = ir::TextureExtra(of.dimension).dimension_count();
    const std::string zero = type_name({Base::float_, static_cast<std::uint8_t>(dimensions)}) + "(0.0)";
    if (!call.ddx && call.lod && call.lod->text != "0.0")
      writer_.unsupported("comparing at a level that is computed, of a texture of this shape");
    name += "Grad";
    if (call.offset) name += "Offset";
    arguments.push_back(call.ddx ? call.ddx->text : zero);
    arguments.push_back(call.ddy ? call.ddy->text : zero);
    add(call.offset);
    if (has_clamp) name += "ClampARB", add(call.min_lod);
    return finish();
  }
  if (lacks_level) {
    if (writer_.module.stage == Stage::pixel) writer_.unsupported("depth comparison with a cube array at an explicit level of detail");
    return finish();
  }
  name += "Lod";
  if (call.offset) name += "Offset";
  arguments.push_back(call.lod ? call.lod->text : "0.0");
  add(call.offset);
  return finish();
}

Expression Glsl::query(const TextureCall& call) {
  Expression made;
  made.type = {Base::int_, 1};
  made.level = Level::postfix;
  if (call.texture.resource == ir::kNone) {
    writer_.unsupported(call.op == Op::query_samples ? "the number of samples of the render target, which GLSL does not have"
                                                     : "the places of samples of the render target, which GLSL does not have");
    return made;
  }
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  if (is_attachment(of)) writer_.unsupported("the size of an input attachment");
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
    case Op::query_samples:
      needs("the number of samples of a texture", {450, 0});
      made.text = (is_storage(of) ? "imageSamples(" : "textureSamples(") + name + ')';
      return made;
    case Op::sample_position: {
      needs("the number of samples of a texture", {450, 0});
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
      const std::string function = helper("samplePlace", text);
      made.type = {Base::float_, 2};
      made.text = function + "(textureSamples(" + name + "), " + call.sample->text + ')';
      return made;
    }
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

std::string Glsl::element_of(const ResourceUse& buffer, const Expression& index) {
  const bool is_array = writer_.module.resources[buffer.resource].count != 1;
  return buffer.text + (is_array ? ".data[" : "[") + plain_index(index) + ']';
}

// Without the `u` of a literal, which an index does not need.
std::string Glsl::plain_index(const Expression& index) const {
  if (index.is_literal && index.text.ends_with('u') && !index.text.starts_with("0x")) return index.text.substr(0, index.text.size() - 1);
  return index.text;
}

namespace {

// The element of so many bits that holds a byte, moved on by some.
std::string element_at(const Expression& address, unsigned bits, unsigned add) {
  if (address.is_literal && address.text.ends_with('u') && !address.text.starts_with("0x"))
    return std::to_string(std::stoul(address.text) / (bits / 8) + add);
  const std::string element = (address.level < Level::unary ? '(' + address.text + ')' : address.text) + (bits == 16   ? " >> 1"
                                                                                                          : bits == 64 ? " >> 3"
                                                                                                                       : " >> 2");
  return add == 0 ? element : '(' + element + ") + " + std::to_string(add) + (address.is_literal ? "" : "u");
}

bool is_simple(const Expression& address) { return address.is_literal || address.text.find_first_of(" ([") == std::string::npos; }

}  // namespace

// The array that a buffer of bytes is.
std::string Glsl::raw_elements(const ResourceUse& buffer, Base base) {
  const std::string& plain = writer_.resource_name(buffer.resource);
  const bool is_array = writer_.module.resources[buffer.resource].count != 1;
  if (base != Base::uint_) views_.insert({buffer.resource, base});
  return plain + std::string(view_suffix(base)) + index_of(buffer, plain) + (is_array ? ".data" : "");
}

// The same as a function reaches it by what it is called with: of an array the element comes first.
Glsl::RawWords Glsl::raw_words(const ResourceUse& buffer, Base base) {
  const std::string& plain = writer_.resource_name(buffer.resource);
  std::string here = raw_elements(buffer, base);
  if (writer_.module.resources[buffer.resource].count == 1) return {std::move(here), {}, {}};
  const std::string index = index_of(buffer, plain);
  constexpr std::string_view kVarying = "[nonuniformEXT(";
  const bool is_varying = index.starts_with(kVarying);
  const std::size_t begin = is_varying ? kVarying.size() : 1, end = index.size() - (is_varying ? 2 : 1);
  return {plain + std::string(view_suffix(base)) + (is_varying ? "[nonuniformEXT(element)].data" : "[element].data"), "uint element, ",
          "uint(" + index.substr(begin, end - begin) + "), "};
}

// Numbers of 64 bits are two words, since words are what they are aligned to.
Expression Glsl::raw_load(const ResourceUse& buffer, const Expression& address, ValueType type) {
  Expression made;
  const unsigned bits = bits_of(type.base), count = type.width;
  made.type = {bits == 16 ? Base::uint16 : bits == 64 ? Base::uint64 : Base::uint_, type.width};
  const Base base = bits == 64 ? Base::uint_ : made.type.base;
  const auto element = [&](const std::string& from, const Expression& at, unsigned k) {
    return from + '[' + element_at(at, std::min(bits, 32U), k) + ']';
  };
  const auto value = [&](const std::string& from, const Expression& at, unsigned k) {
    return bits == 64 ? "packUint2x32(uvec2(" + element(from, at, 2 * k) + ", " + element(from, at, 2 * k + 1) + "))"
                      : element(from, at, k);
  };
  const auto listed = [&](const std::string& from, const Expression& at) {
    if (count == 1) return value(from, at, 0);
    std::string text = type_name(made.type) + '(';
    for (unsigned k = 0; k < count; ++k) (text += k == 0 ? "" : ", ") += value(from, at, k);
    return text + ')';
  };
  const unsigned read = count * (bits == 64 ? 2U : 1U);
  (void)type_name(made.type);
  if (read == 1 || address.is_literal || (is_simple(address) && read == 2)) {
    made.text = listed(raw_elements(buffer, base), address);
  } else {
    const RawWords words = raw_words(buffer, base);
    const Expression parameter{"address", Level::postfix, {Base::uint_, 1}};
    made.text =
        helper("load_" + writer_.resource_name(buffer.resource),
               type_name(made.type) + " @(" + words.parameter + "uint address) {\n  return " + listed(words.data, parameter) + ";\n}\n") +
        '(' + words.argument + address.text + ')';
  }
  return made;
}

std::string Glsl::raw_store(const ResourceUse& buffer, const Expression& address, const Expression& value) {
  const unsigned bits = bits_of(value.type.base), count = value.type.width;
  Expression whole = value;
  if (bits != 32 && is_real(value.type.base)) whole = reinterpreted(value, bits == 16 ? Base::uint16 : Base::uint64);
  const Base base = bits == 16 ? Base::uint16 : Base::uint_;
  const auto element = [&](const std::string& to, const Expression& at, unsigned k) {
    return to + '[' + element_at(at, std::min(bits, 32U), k) + ']';
  };
  if (count == 1 && bits != 64) return element(raw_elements(buffer, base), address, 0) + " = " + whole.text;
  const RawWords words = raw_words(buffer, base);
  const Expression parameter{"address", Level::postfix, {Base::uint_, 1}};
  std::string text = "void @(" + words.parameter + "uint address, " + type_name(whole.type) + " value) {\n";
  for (unsigned k = 0; k < count; ++k) {
    const std::string one = count == 1 ? "value" : std::string("value.") + source::kLetters[k];
    if (bits != 64) {
      text += "  " + element(words.data, parameter, k) + " = " + one + ";\n";
      continue;
    }
    const std::string halves = "unpackUint2x32(" + one + ')';
    text += "  " + element(words.data, parameter, 2 * k) + " = " + halves + ".x;\n  " + element(words.data, parameter, 2 * k + 1) + " = " +
            halves + ".y;\n";
  }
  return helper("store_" + writer_.resource_name(buffer.resource), text + "}\n") + '(' + words.argument + address.text + ", " + whole.text +
         ')';
}

// A word of a buffer of its own; down gives the value after.
std::string Glsl::counter(const ResourceUse& buffer, bool up) {
  const std::string& plain = writer_.resource_name(buffer.resource);
  if (!counter_bindings_.contains(buffer.resource))
    counter_bindings_[buffer.resource] = is_vulkan() ? places_.of_counter(buffer.resource).binding : free_binding(buffer.resource);
  const bool is_array = writer_.module.resources[buffer.resource].count != 1;
  const std::string place = plain + "_counter" + index_of(buffer, plain) + (is_array ? ".data" : "");
  return up ? "atomicAdd(" + place + ", 1u)" : "atomicAdd(" + place + ", 0xffffffffu) - 1u";
}

std::string Glsl::atomic(ir::AtomicOp op, const AtomicPlace& place, std::span<const Expression> values, const std::string& result) {
  const auto word = atomic_word(op);
  if (!word) return {};
  check_sign(*word, place);
  const bool compares = op == ir::AtomicOp::compare_exchange;
  std::string text = place.text;
  Base base = place.base;
  if (place.raw != nullptr) {
    const bool is_wide = bits_of(base) == 64;
    base = word->is_signed ? (is_wide ? Base::int64 : Base::int_) : is_wide ? Base::uint64 : Base::uint_;
    text = raw_elements(*place.raw, base) + '[' + element_at(place.address, bits_of(base), 0) + ']';
  }
  if (bits_of(base) == 64) extension("GL_EXT_shader_atomic_int64");
  const auto value = [&](const Expression& one) { return one.type.base == base ? one.text : type_name({base, 1}) + '(' + one.text + ')'; };
  std::string made = (place.is_texel ? "imageAtomic" : "atomic") + std::string(compares ? "CompSwap" : word->word) + '(' + text;
  if (compares) made += ", " + value(values[1]);
  made += ", " + value(values[0]) + ')';
  if (result.empty()) return made;
  return result + " = " + (base == place.base ? made : type_name({place.base, 1}) + '(' + made + ')');
}

}  // namespace unshade::write::glsl
