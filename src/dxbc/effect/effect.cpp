#include <unshade/dxbc/effect.hpp>

#include <algorithm>

#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxbc/effect/layout.hpp"

namespace unshade::dxbc {

namespace {

constexpr NamedValue kEffectVersions[] = {{0xfeff'1001, "fx_4_0"}, {0xfeff'1011, "fx_4_1"}, {0xfeff'2001, "fx_5_0"}};
constexpr NameTable kEffectVersionNames{kEffectVersions};
constexpr FieldType kEffectVersionType{FieldKind::enumeration, "effect version", &kEffectVersionNames};

constexpr NamedValue kTypeKinds[] = {{1, "numeric"}, {2, "object"}, {3, "struct"}, {4, "interface"}};
constexpr NameTable kKindNames{kTypeKinds};
constexpr FieldType kKindType{FieldKind::enumeration, "kind of type", &kKindNames};

constexpr NamedValue kScalars[] = {{1, "float"}, {2, "int"}, {3, "uint"}, {4, "bool"}};
constexpr NameTable kScalarNames{kScalars};
constexpr FieldType kScalarType{FieldKind::enumeration, "scalar", &kScalarNames};

constexpr NamedValue kLayouts[] = {{1, "scalar"}, {2, "vector"}, {3, "matrix"}};
constexpr NameTable kLayoutNames{kLayouts};

constexpr Bits with_names(Bits bits, const NameTable& names) {
  bits.names = &names;
  return bits;
}
constexpr Bits kNumericBits[] = {with_names(kEffectLayoutBits, kLayoutNames),
                                 with_names(kEffectScalarBits, kScalarNames),
                                 kEffectRowBits,
                                 kEffectColumnBits,
                                 kEffectColumnMajorBits,
                                 kEffectPackedBits};

// The names of the types in effect files. src: FX11, EffectLoad.cpp and the types that fxc's listings print.
constexpr NamedValue kObjects[] = {
    {1, "String"},
    {2, "BlendState"},
    {3, "DepthStencilState"},
    {4, "RasterizerState"},
    {5, "PixelShader"},
    {6, "VertexShader"},
    {7, "GeometryShader"},
    {8, "GeometryShaderSO"},
    {9, "texture"},
    {10, "Texture1D"},
    {11, "Texture1DArray"},
    {12, "Texture2D"},
    {13, "Texture2DArray"},
    {14, "Texture2DMS"},
    {15, "Texture2DMSArray"},
    {16, "Texture3D"},
    {17, "TextureCube"},
    {18, "ConstantBuffer"},
    {19, "RenderTargetView"},
    {20, "DepthStencilView"},
    {21, "SamplerState"},
    {22, "Buffer"},
    {23, "TextureCubeArray"},
    {25, "PixelShader5"},
    {26, "VertexShader5"},
    {27, "GeometryShader5"},
    {28, "ComputeShader5"},
    {29, "HullShader5"},
    {30, "DomainShader5"},
    {31, "RWTexture1D"},
    {32, "RWTexture1DArray"},
    {33, "RWTexture2D"},
    {34, "RWTexture2DArray"},
    {35, "RWTexture3D"},
    {36, "RWBuffer"},
    {37, "ByteAddressBuffer"},
    {38, "RWByteAddressBuffer"},
    {39, "StructuredBuffer"},
    {40, "RWStructuredBuffer"},
    {41, "RWStructuredBufferAlloc"},
    {42, "RWStructuredBufferConsume"},
    {43, "AppendStructuredBuffer"},
    {44, "ConsumeStructuredBuffer"},
};
constexpr NameTable kObjectNames{kObjects};
constexpr FieldType kObjectType{FieldKind::enumeration, "effect object", &kObjectNames};

constexpr NamedValue kStates[] = {
#define UNSHADE_EFFECT_STATE(id, text, type, components, indexes, values) {static_cast<std::uint32_t>(EffectState::id), text},
#include <unshade/dxbc/effect_states.def>
};
constexpr NameTable kStateNames{kStates};
constexpr FieldType kStateType{FieldKind::enumeration, "effect state", &kStateNames};

constexpr NamedValue kAssigned[] = {
    {1, "constant"},         {2, "variable"},   {3, "constant_index"}, {4, "variable_index"},
    {5, "expression_index"}, {6, "expression"}, {7, "inline_shader"},  {8, "inline_shader5"},
};
constexpr NameTable kAssignedNames{kAssigned};
constexpr FieldType kAssignedType{FieldKind::enumeration, "kind of assignment", &kAssignedNames};

constexpr NamedValue kBufferFlagValues[] = {{1, "tbuffer"}, {2, "single"}};
constexpr NameTable kEffectBufferFlagNames{kBufferFlagValues};

void collect_shaders(std::vector<EffectShader*>& shaders, std::vector<std::string>& names, std::vector<EffectTechnique>& techniques) {
  for (EffectTechnique& technique : techniques) {
    for (EffectPass& pass : technique.passes) {
      for (EffectAssignment& x : pass.assignments) {
        for (EffectShader& shader : x.shaders) {
          if (shader.code.bytes.empty()) continue;
          shaders.push_back(&shader);
          names.push_back(std::string(technique.name.text) + '/' + std::string(pass.name.text) + '/' + std::string(state_name(x.state)));
        }
      }
    }
  }
}

/// The shaders that are not NULL, and what they are called.
std::vector<EffectShader*> collect_shaders(Effect& effect, std::vector<std::string>& names) {
  std::vector<EffectShader*> shaders;
  for (EffectObjectVariable& variable : effect.objects) {
    for (std::size_t i = 0; i < variable.shaders.size(); ++i) {
      if (variable.shaders[i].code.bytes.empty()) continue;
      shaders.push_back(&variable.shaders[i]);
      const bool is_array = variable.type < effect.types.size() && effect.types[variable.type].elements != 0;
      names.push_back(std::string(variable.name.text) + (is_array ? '[' + std::to_string(i) + ']' : ""));
    }
  }
  collect_shaders(shaders, names, effect.techniques);
  for (EffectGroup& group : effect.groups) collect_shaders(shaders, names, group.techniques);
  return shaders;
}

}  // namespace

const FieldType kEffectNumeric{FieldKind::bits, "numeric type", nullptr, kNumericBits};
const FieldType kEffectBufferFlags{FieldKind::flags, "effect buffer flags", &kEffectBufferFlagNames};

const FieldType& field_type(EffectVersion) { return kEffectVersionType; }
const FieldType& field_type(EffectTypeKind) { return kKindType; }
const FieldType& field_type(EffectScalar) { return kScalarType; }
const FieldType& field_type(EffectObject) { return kObjectType; }
const FieldType& field_type(EffectState) { return kStateType; }
const FieldType& field_type(EffectAssigned) { return kAssignedType; }

std::string_view state_name(EffectState state) { return kStateNames.find(static_cast<std::uint32_t>(state)); }
std::string_view object_name(EffectObject object) { return kObjectNames.find(static_cast<std::uint32_t>(object)); }

EffectScalar EffectType::scalar() const { return static_cast<EffectScalar>(kEffectScalarBits.get(numeric)); }
EffectLayout EffectType::layout() const { return static_cast<EffectLayout>(kEffectLayoutBits.get(numeric)); }
std::uint32_t EffectType::rows() const { return kEffectRowBits.get(numeric); }
std::uint32_t EffectType::columns() const { return kEffectColumnBits.get(numeric); }
bool EffectType::is_column_major() const { return kEffectColumnMajorBits.get(numeric) != 0; }

const EffectType& EffectContext::type(std::uint32_t index) const {
  static const EffectType kNone{};
  return index < types->size() ? (*types)[index] : kNone;
}

EffectObject EffectContext::object(std::uint32_t index) const {
  const EffectType& found = type(index);
  return found.kind == EffectTypeKind::object ? found.object : EffectObject::texture;
}

EffectInitializer initializer_of(EffectObject object) {
  switch (object) {
    case EffectObject::string: return EffectInitializer::strings;
    case EffectObject::blend_state:
    case EffectObject::depth_stencil_state:
    case EffectObject::rasterizer_state:
    case EffectObject::sampler_state: return EffectInitializer::blocks;
    case EffectObject::pixel_shader:
    case EffectObject::vertex_shader:
    case EffectObject::geometry_shader:
    case EffectObject::geometry_shader_stream_output:
    case EffectObject::pixel_shader5:
    case EffectObject::vertex_shader5:
    case EffectObject::geometry_shader5:
    case EffectObject::compute_shader5:
    case EffectObject::hull_shader5:
    case EffectObject::domain_shader5: return EffectInitializer::shaders;
    default: return EffectInitializer::none;
  }
}

EffectShaderForm shader_form(EffectObject object) {
  if (object == EffectObject::geometry_shader_stream_output) return EffectShaderForm::stream_output;
  return object >= EffectObject::pixel_shader5 && object <= EffectObject::domain_shader5 ? EffectShaderForm::shader5
                                                                                         : EffectShaderForm::code;
}

Result<Effect> parse_effect(const dxcontainer::Part& part) { return dxcontainer::parse_model<Effect>(part); }

void record_effect(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) { dxcontainer::record_model<Effect>(part, tree, group); }

std::vector<std::byte> write_effect(const Effect& effect) {
  Effect placed = effect;
  place_as_fxc(placed);
  Writer writer(kEffectPolicy);
  describe(writer, placed);
  // up to where the records would begin, if there are none
  const std::uint64_t data_end = std::uint64_t{placed.is_5() ? kEffect5HeaderBytes : kEffectHeaderBytes} + placed.counts.data_bytes;
  return writer.finish(static_cast<std::uint32_t>(std::min<std::uint64_t>(data_end, kUnplaced - 1)));
}

std::vector<EffectShaderPlace> shaders_of(const Effect& effect) {
  Effect copy = effect;
  std::vector<std::string> names;
  const std::vector<EffectShader*> shaders = collect_shaders(copy, names);
  std::vector<EffectShaderPlace> places;
  for (std::size_t i = 0; i < shaders.size(); ++i) places.push_back({std::move(names[i]), shaders[i]->code.bytes});
  return places;
}

Result<std::vector<std::byte>> replace_shader(const dxcontainer::Container& container, std::size_t number, View shader) {
  constexpr std::uint32_t kEffect = dxcontainer::fourcc("FX10");
  const dxcontainer::Part* const part = container.find(kEffect);
  if (part == nullptr) return Error{ErrorCode::missing, container.file.file_offset(), "parts", "the container has no effect"};
  if (!dxcontainer::is_container(shader))
    return Error{ErrorCode::bad_magic, shader.file_offset(), "shader", "a shader of an effect must be a container"};
  auto parsed = parse_effect(*part);
  if (!parsed) return std::move(parsed).error();
  Effect& effect = *parsed;
  std::vector<std::string> names;
  const std::vector<EffectShader*> shaders = collect_shaders(effect, names);
  if (number >= shaders.size())
    return Error{ErrorCode::out_of_range, 0, "shaders", "the effect has only " + std::to_string(shaders.size()) + " shaders"};
  shaders[number]->code.bytes = shader;
  effect.counts.data_bytes = kUnplaced;
  for (EffectType& type : effect.types) type.offset = kUnplaced;
  dxcontainer::ContainerEdit edit(container);
  edit.put(kEffect, write_effect(effect));
  return edit.write();
}

}  // namespace unshade::dxbc
