// Methods of textures and buffers.
#include <algorithm>

#include "write/hlsl/hlsl.hpp"

namespace unshade::write::hlsl {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using ir::Op;
using source::ResourceUse;
using source::TextureCall;

namespace {

bool is_uav(const ir::Resource& resource) { return resource.kind == ResourceKind::uav_typed; }

}  // namespace

// A place with one more component: what is constructed of components is not nested.
std::string Hlsl::place_with(const Expression& place, std::string_view more) const {
  const ValueType type{place.type.base, static_cast<std::uint8_t>(place.type.width + 1)};
  return type_name(type) + '(' + components_of(place, type_name(place.type), true) + ", " + std::string(more) + ')';
}

// What is found in a heap has a type where it is given to something of that type: a result of a function.
std::string Hlsl::heap_resource(std::uint32_t resource, const std::string& index, bool is_non_uniform) {
  const ir::Resource& of = writer_.module.resources[resource];
  const bool is_sampler = of.kind == ResourceKind::sampler;
  const std::string found = std::string(is_sampler ? "SamplerDescriptorHeap[" : "ResourceDescriptorHeap[") +
                            (is_non_uniform ? "NonUniformResourceIndex(index)];\n" : "index];\n");
  if (of.kind == ResourceKind::cbuffer) {
    // a constant buffer has its type as a variable alone
    const std::string& type = heap_constants(resource);
    const std::string text = type + " @(uint index) {\n  ConstantBuffer<" + type + "> constants = " + found + "  return constants;\n}\n";
    return writer_.helper("constantsAt", text) + '(' + index + ')';
  }
  const std::string_view name = is_sampler ? "samplerAt" : of.dimension == ResourceDimension::buffer ? "bufferAt" : "textureAt";
  const std::string text = resource_type(heap_structures_, resource) + " @(uint index) {\n  return " + found + "}\n";
  return writer_.helper(name, text) + '(' + index + ')';
}

// The structure of a constant buffer of a heap.
const std::string& Hlsl::heap_constants(std::uint32_t resource) {
  std::string& name = heap_constants_[resource];
  if (!name.empty()) return name;
  const source::Memory& memory = writer_.memory_of(resource);
  name = writer_.names.claim(writer_.resource_name(resource) + "_type", resource);
  declare_structures(heap_structures_, memory.layout, true);
  heap_structures_ << "struct " << name << " {\n  " << declaration(memory.layout, memory.layout.root, memory.name) << ";\n};\n\n";
  return name;
}

// One of a heap itself; others by their name, since their type is declared later, with the index of an array.
Hlsl::BufferParameter Hlsl::as_parameter(const ResourceUse& buffer) {
  if (writer_.module.resources[buffer.resource].heap)
    return {resource_type(heap_structures_, buffer.resource) + " buffer", "buffer", buffer.text};
  const std::size_t bracket = buffer.text.find('[');
  if (bracket == std::string::npos) return {"", buffer.text, ""};
  return {"uint index", buffer.text.substr(0, bracket) + "[index]", buffer.text.substr(bracket + 1, buffer.text.size() - bracket - 2)};
}

Expression Hlsl::texture(const TextureCall& call) {
  Expression made;
  if (call.op == Op::query_size || call.op == Op::query_levels || call.op == Op::query_samples || call.op == Op::sample_position)
    return query(call);
  if (call.texture.resource == ir::kNone) return made;
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  if (!check_dimension(call)) return made;
  made.type = {texel_base(call.texture.resource), static_cast<std::uint8_t>(texel_width(call.texture.resource))};
  const std::string& name = call.texture.text;
  std::vector<std::string> arguments;
  const auto add = [&](const std::optional<Expression>& one) {
    if (one) arguments.push_back(one->text);
  };
  const auto finish = [&](std::string_view method) {
    made.text = name + '.' + std::string(method) + '(';
    for (std::size_t k = 0; k < arguments.size(); ++k) (made.text += k == 0 ? "" : ", ") += arguments[k];
    made.text += ')';
  };
  if (call.op == Op::buffer_load) {
    made.text = is_uav(of) ? name + '[' + call.place.text + ']' : name + ".Load(" + call.place.text + ')';
    return made;
  }
  if (call.op == Op::texel_load) {
    if (of.attachment != ir::kNone) {
      check_attachment(call);
      add(call.sample);
      finish("SubpassLoad");
      return made;
    }
    if (is_uav(of)) {
      made.text = texel_place(call);
      return made;
    }
    if (dxcontainer::is_cube(of.dimension)) writer_.unsupported("loading texels of a cube texture without a sampler");
    if (dxcontainer::is_multisampled(of.dimension)) {
      arguments.push_back(call.place.text);
      add(call.sample);
    } else {
      arguments.push_back(place_with(call.place, call.lod ? call.lod->text : "0"));
    }
    add(call.offset);
    finish("Load");
    return made;
  }
  arguments.push_back(call.sampler.text);
  arguments.push_back(call.place.text);
  // an offset stands before the least level
  const auto add_offset = [&] {
    const unsigned count = call.extra.dimension_count();
    if (call.min_lod && !call.offset && count > 0 && !dxcontainer::is_cube(of.dimension))
      arguments.push_back(count == 1 ? "0" : "(int" + std::to_string(count) + ")0");
    add(call.offset);
    add(call.min_lod);
  };
  switch (call.op) {
    case Op::query_lod:
      made.text = "float2(" + name + ".CalculateLevelOfDetail(" + call.sampler.text + ", " + call.place.text + "), " + name +
                  ".CalculateLevelOfDetailUnclamped(" + call.sampler.text + ", " + call.place.text + "))";
      made.type = {Base::float_, 2};
      return made;
    case Op::gather: {
      add(call.reference);
      if (!call.offsets.empty()) {
        for (const Expression& one : call.offsets) arguments.push_back(one.text);
      } else {
        add(call.offset);
      }
      made.type.width = 4;
      finish(gather_method(call));
      return made;
    }
    case Op::sample_implicit:
      if (call.reference) made.type.width = 1;
      add(call.reference);
      add(call.bias);
      add_offset();
      finish(call.reference ? (call.bias ? "SampleCmpBias" : "SampleCmp") : call.bias ? "SampleBias" : "Sample");
      return made;
    default: break;
  }
  if (call.reference) {
    made.type.width = 1;
    add(call.reference);
    if (call.lod && call.lod->text != "0.0") {
      add(call.lod);
      add(call.offset);
      finish("SampleCmpLevel");
      return made;
    }
    if (!call.ddx) {
      add(call.offset);
      finish("SampleCmpLevelZero");
      return made;
    }
  }
  if (call.ddx) {
    add(call.ddx);
    add(call.ddy);
    add_offset();
    finish(call.reference ? "SampleCmpGrad" : "SampleGrad");
    return made;
  }
  arguments.push_back(call.lod ? call.lod->text : "0.0");
  add(call.offset);
  finish("SampleLevel");
  return made;
}

std::string_view Hlsl::gather_method(const TextureCall& call) const {
  constexpr std::string_view kNames[] = {"GatherRed", "GatherGreen", "GatherBlue", "GatherAlpha"};
  constexpr std::string_view kCompared[] = {"GatherCmpRed", "GatherCmpGreen", "GatherCmpBlue", "GatherCmpAlpha"};
  if (!call.reference) return kNames[call.extra.component & 3];
  return call.offsets.empty() && call.extra.component == 0 ? "GatherCmp" : kCompared[call.extra.component & 3];
}

// The overload with a status has each parameter before it. src: HLSL reference, "Texture2D", "Buffer"
std::optional<Expression> Hlsl::texture_status(const TextureCall& call) {
  if (call.texture.resource == ir::kNone) return std::nullopt;
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  std::string parameters = texture_type(call.texture.resource) + " source", given = call.texture.text, arguments;
  const auto argue = [&](std::string_view name, const Expression& value) {
    if (!arguments.empty()) arguments += ", ";
    if (value.is_literal) return void(arguments += value.text);
    arguments += name;
    ((parameters += ", " + type_name(value.type)) += ' ') += name;
    given += ", " + value.text;
  };
  const Expression zero{"0", Level::postfix, {Base::int_, 1}, true}, least{"0.0", Level::postfix, {Base::float_, 1}, true};
  const bool has_offset = !dxcontainer::is_cube(of.dimension) && of.dimension != ResourceDimension::buffer;
  const auto argue_offset = [&] {
    if (has_offset) argue("offset", call.offset ? *call.offset : zero);
  };
  std::string_view method = "Load";
  if (call.op == Op::buffer_load || (call.op == Op::texel_load && is_uav(of))) {
    argue("at", call.place);
  } else if (call.op == Op::texel_load) {
    if (dxcontainer::is_multisampled(of.dimension)) {
      argue("at", call.place);
      argue("sampleIndex", call.sample ? *call.sample : zero);
    } else {
      const ValueType type{call.place.type.base, static_cast<std::uint8_t>(call.place.type.width + 1)};
      argue("at", {place_with(call.place, call.lod ? call.lod->text : "0"), Level::postfix, type});
    }
    argue_offset();
  } else {
    parameters += call.reference ? ", SamplerComparisonState with" : ", SamplerState with";
    given += ", " + call.sampler.text;
    arguments = "with";
    argue("at", call.place);
    if (call.op == Op::gather) {
      method = gather_method(call);
      if (call.reference) argue("reference", *call.reference);
      for (const Expression& one : call.offsets) argue("offset" + std::to_string(&one - call.offsets.data()), one);
      if (call.offsets.empty()) argue_offset();
    } else if (call.op == Op::sample_implicit) {
      method = call.reference ? (call.bias ? "SampleCmpBias" : "SampleCmp") : call.bias ? "SampleBias" : "Sample";
      if (call.reference) argue("reference", *call.reference);
      if (call.bias) argue("bias", *call.bias);
      argue_offset();
      argue("least", call.min_lod ? *call.min_lod : least);
    } else if (call.ddx) {
      method = call.reference ? "SampleCmpGrad" : "SampleGrad";
      if (call.reference) argue("reference", *call.reference);
      argue("ddx", *call.ddx);
      argue("ddy", *call.ddy);
      argue_offset();
      argue("least", call.min_lod ? *call.min_lod : least);
    } else {
      const bool is_first = !call.lod || call.lod->text == "0.0";
      method = !call.reference ? "SampleLevel" : is_first ? "SampleCmpLevelZero" : "SampleCmpLevel";
      if (call.reference) argue("reference", *call.reference);
      if (!call.reference || !is_first) argue("level", call.lod ? *call.lod : least);
      argue_offset();
    }
  }
  const std::string name = writer_.helper("statusOf", "uint @(" + parameters + ") {\n  uint status;\n  source." + std::string(method) +
                                                          '(' + arguments + ", status);\n  return status;\n}\n");
  return Expression{name + '(' + given + ')', Level::postfix, {Base::uint_, 1}};
}

std::optional<Expression> Hlsl::buffer_status(const ResourceUse& buffer, const Expression& address, unsigned width) {
  const ir::Resource& of = writer_.module.resources[buffer.resource];
  const std::string tail = ", status);\n  return status;\n}\n";
  if (of.stride == 0) {
    const std::string type = of.kind == ResourceKind::byte_address ? "ByteAddressBuffer" : "RWByteAddressBuffer";
    const std::string method = "Load" + (width > 1 ? std::to_string(width) : std::string());
    const std::string name =
        writer_.helper("statusOf", "uint @(" + type + " source, uint address) {\n  uint status;\n  source." + method + "(address" + tail);
    return Expression{name + '(' + buffer.text + ", " + address.text + ')', Level::postfix, {Base::uint_, 1}};
  }
  const BufferParameter of_buffer = as_parameter(buffer);
  const std::string_view comma = of_buffer.parameter.empty() ? "" : ", ";
  const std::string name = writer_.helper("statusOf", "uint @(" + of_buffer.parameter + std::string(comma) +
                                                          "uint element) {\n  uint status;\n  " + of_buffer.name + ".Load(element" + tail);
  return Expression{name + '(' + of_buffer.argument + std::string(comma) + address.text + ')', Level::postfix, {Base::uint_, 1}};
}

// What a resource is asked by parameters that are written: a function gives it.
Expression Hlsl::query(const TextureCall& call) {
  Expression made;
  made.type = {Base::uint_, 1};
  if (call.texture.resource == ir::kNone) {
    // of the render target, or of what is refused
    if (call.op == Op::query_samples) made.text = "GetRenderTargetSampleCount()";
    if (call.op == Op::sample_position) {
      made.text = "GetRenderTargetSamplePosition(" + call.sample->text + ')';
      made.type = {Base::float_, 2};
    }
    return made;
  }
  const ir::Resource& of = writer_.module.resources[call.texture.resource];
  if (of.attachment != ir::kNone) check_attachment(call);
  if (call.op == Op::sample_position) {
    made.text = call.texture.text + ".GetSamplePosition(" + call.sample->text + ')';
    made.type = {Base::float_, 2};
    return made;
  }
  const bool is_typed = of.kind == ResourceKind::texture || of.kind == ResourceKind::uav_typed || of.kind == ResourceKind::tbuffer;
  std::string type;
  if (is_typed) {
    type = texture_type(call.texture.resource);
  } else {
    type = of.kind == ResourceKind::byte_address ? "ByteAddressBuffer" : "RWByteAddressBuffer";
  }
  if (!is_typed && of.stride != 0) {
    const BufferParameter buffer = as_parameter(call.texture);
    const std::string name = writer_.helper("countOf", "uint @(" + buffer.parameter + ") {\n  uint count, stride;\n  " + buffer.name +
                                                           ".GetDimensions(count, stride);\n  return count;\n}\n");
    made.text = name + '(' + buffer.argument + ')';
    return made;
  }
  if (!is_typed || of.dimension == ResourceDimension::buffer) {
    const std::string name =
        writer_.helper("sizeOf", "uint @(" + type + " buffer) {\n  uint size;\n  buffer.GetDimensions(size);\n  return size;\n}\n");
    made.text = name + '(' + call.texture.text + ')';
    return made;
  }
  const bool is_array = dxcontainer::is_array(of.dimension), is_cube = dxcontainer::is_cube(of.dimension);
  const bool is_ms = dxcontainer::is_multisampled(of.dimension), is_storage = of.kind == ResourceKind::uav_typed;
  const unsigned dimensions = is_cube ? 2 : ir::TextureExtra(of.dimension).dimension_count();
  const unsigned count = dimensions + (is_array ? 1U : 0U);
  constexpr std::string_view kNames[] = {"width", "height", "depth"};
  std::vector<std::string> names;
  for (unsigned k = 0; k < dimensions; ++k) names.emplace_back(kNames[k]);
  if (is_array) names.emplace_back("elements");
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  std::string all = listed;
  if (is_ms) all += ", samples";
  if (!is_ms && !is_storage) all += ", levels";
  const bool has_level = !is_ms && !is_storage;
  const std::string head = has_level && call.op == Op::query_size ? "uint level" : "";
  const std::string declared =
      "  uint " + all + ";\n  source.GetDimensions(" + (has_level ? (head.empty() ? "0, " : "level, ") : "") + all + ");\n";
  const auto function = [&](std::string_view name, const std::string& result, const std::string& value) {
    return writer_.helper(
        name, result + " @(" + type + " source" + (head.empty() ? "" : ", " + head) + ") {\n" + declared + "  return " + value + ";\n}\n");
  };
  if (call.op == Op::query_levels) {
    made.text = function("levelsOf", "uint", has_level ? "levels" : "1") + '(' + call.texture.text + ')';
    return made;
  }
  if (call.op == Op::query_samples) {
    made.text = function("samplesOf", "uint", is_ms ? "samples" : "1") + '(' + call.texture.text + ')';
    return made;
  }
  made.type.width = static_cast<std::uint8_t>(count);
  const std::string result = type_name(made.type);
  made.text = function("sizeOf", result, count == 1 ? listed : result + '(' + listed + ')') + '(' + call.texture.text +
              (has_level ? ", " + (call.lod ? call.lod->text : std::string("0")) : "") + ')';
  return made;
}

std::string Hlsl::texel_place(const TextureCall& call) {
  return call.texture.text + (call.sample ? ".sample[" + call.sample->text + ']' : std::string()) + '[' + call.place.text + ']';
}

std::string Hlsl::texel_store(const TextureCall& call) {
  if (call.texture.resource == ir::kNone || !call.value) return {};
  Expression value = *call.value;
  if (value.type.width == 1 && texel_width(call.texture.resource) > 1)
    value.text =
        '(' + type_name({value.type.base, static_cast<std::uint8_t>(texel_width(call.texture.resource))}) + ')' + value.in(Level::postfix);
  // components that are not there are the last one again, as SPIR-V has them
  if (const unsigned width = texel_width(call.texture.resource); width > value.type.width && value.type.width > 1) {
    const std::string letters = std::string("xyz").substr(0, value.type.width);
    value.text = value.in(Level::postfix) + '.' + letters + std::string(width - value.type.width, letters.back());
  }
  return texel_place(call) + " = " + value.text;
}

// src: HLSL reference, "FeedbackTexture2D"
std::string Hlsl::write_feedback(const TextureCall& call) {
  if (call.feedback.resource == ir::kNone) return {};
  std::string made = call.feedback.text + ".WriteSamplerFeedback";
  made += call.bias ? "Bias(" : call.lod ? "Level(" : call.ddx ? "Grad(" : "(";
  made += call.texture.text + ", " + call.sampler.text + ", " + call.place.text;
  for (const auto& one : {call.bias, call.lod, call.ddx, call.ddy, call.min_lod})
    if (one) made += ", " + one->text;
  return made + ')';
}

std::string Hlsl::element_of(const ResourceUse& buffer, const Expression& index) { return buffer.text + '[' + index.text + ']'; }

// Those of other sizes than words are templates.
Expression Hlsl::raw_load(const ResourceUse& buffer, const Expression& address, ValueType type) {
  const std::string which = bits_of(type.base) != 32 ? '<' + type_name(type) + '>'
                            : type.width > 1         ? std::to_string(type.width)
                                                     : std::string();
  return {buffer.text + ".Load" + which + '(' + address.text + ')', Level::postfix, type};
}

std::string Hlsl::raw_store(const ResourceUse& buffer, const Expression& address, const Expression& value) {
  const ValueType type = value.type;
  const std::string which = bits_of(type.base) != 32 ? '<' + type_name(type) + '>'
                            : type.width > 1         ? std::to_string(type.width)
                                                     : std::string();
  return buffer.text + ".Store" + which + '(' + address.text + ", " + value.text + ')';
}

std::string Hlsl::counter(const ResourceUse& buffer, bool up) { return buffer.text + (up ? ".IncrementCounter()" : ".DecrementCounter()"); }

std::string Hlsl::atomic(ir::AtomicOp op, const AtomicPlace& place, std::span<const Expression> values, const std::string& result) {
  const auto word = atomic_word(op);
  if (!word) return {};
  check_sign(*word, place);
  const bool compares = op == ir::AtomicOp::compare_exchange;
  std::vector<std::string> arguments;
  std::string made;
  if (place.raw != nullptr) {
    made = place.raw->text + '.';
    arguments.push_back(place.address.text);
  } else {
    arguments.push_back(place.text);
  }
  // glslang drops InterlockedCompareStore of buffers of bytes
  (made += "Interlocked") += compares ? "CompareExchange" : word->word;
  const bool is_wide = bits_of(place.base) == 64;
  if (place.raw != nullptr && is_wide) made += "64";
  const auto value = [&](const Expression& one) {
    return place.raw != nullptr && word->is_signed ? (is_wide ? "int64_t(" : "int(") + one.text + ')' : one.text;
  };
  if (compares) arguments.push_back(value(values[1]));
  arguments.push_back(value(values[0]));
  const Base own = place.raw == nullptr || !word->is_signed ? place.base : is_wide ? Base::int64 : Base::int_;
  // words are converted as they are passed
  const bool converts = !result.empty() && is_wide && place.result != own;
  const bool needs_result = ((op == ir::AtomicOp::exchange || compares) && result.empty()) || converts;
  if (!result.empty() && !converts) arguments.push_back(result);
  if (needs_result) arguments.emplace_back("previous");
  made += '(';
  for (std::size_t k = 0; k < arguments.size(); ++k) (made += k == 0 ? "" : ", ") += arguments[k];
  made += ')';
  if (converts) made += "; " + result + " = " + type_name({place.result, 1}) + "(previous)";
  return needs_result ? "{ " + type_name({own, 1}) + " previous; " + made + "; }" : made;
}

}  // namespace unshade::write::hlsl
