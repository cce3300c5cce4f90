// Words that no identifier of a shading language may be.
#include <unshade/core/text/identifiers.hpp>

#include <algorithm>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/lowered.hpp>

namespace unshade {
namespace {

// Sorted. src: the pages "Keywords" and "Reserved Words" of the HLSL reference; words that C++ compilers of HLSL reserve besides.
// clang-format off
constexpr std::string_view kHlsl[] = {
    "AppendStructuredBuffer", "BlendState", "Buffer", "ByteAddressBuffer", "CompileShader", "ComputeShader", "ConstantBuffer",
    "ConsumeStructuredBuffer", "DepthStencilState", "DepthStencilView", "DomainShader", "GeometryShader", "Hullshader", "InputPatch",
    "LineStream", "NULL", "OutputPatch", "PixelShader", "PointStream", "RWBuffer", "RWByteAddressBuffer", "RWStructuredBuffer",
    "RWTexture1D", "RWTexture1DArray", "RWTexture2D", "RWTexture2DArray", "RWTexture3D", "RasterizerState", "RenderTargetView",
    "SamplerComparisonState", "SamplerState", "StructuredBuffer", "Texture1D", "Texture1DArray", "Texture2D", "Texture2DArray",
    "Texture2DMS", "Texture2DMSArray", "Texture3D", "TextureCube", "TextureCubeArray", "TriangleStream", "VertexShader", "asm",
    "asm_fragment", "auto", "bool", "break", "case", "catch", "cbuffer", "centroid", "char", "class", "column_major", "compile",
    "compile_fragment", "const", "const_cast", "continue", "default", "delete", "discard", "do", "double", "dword", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "fxgroup", "globallycoherent", "goto",
    "groupshared", "half", "if", "in", "inline", "inout", "int", "interface", "line", "lineadj", "linear", "long", "matrix",
    "min10float", "min12int", "min16float", "min16int", "min16uint", "mutable", "namespace", "new", "nointerpolation", "noperspective",
    "operator", "out", "packoffset", "pass", "pixelfragment", "point", "precise", "private", "protected", "public", "register",
    "reinterpret_cast", "return", "row_major", "sample", "sampler", "sampler1D", "sampler2D", "sampler3D", "samplerCUBE",
    "sampler_state", "shared", "short", "signed", "sizeof", "snorm", "stateblock", "stateblock_state", "static", "static_cast",
    "string", "struct", "switch", "tbuffer", "technique", "technique10", "technique11", "template", "texture", "texture1D", "texture2D",
    "texture3D", "textureCUBE", "this", "throw", "triangle", "triangleadj", "true", "try", "typedef", "typename", "uint", "uniform",
    "union", "unorm", "unsigned", "using", "vector", "vertexfragment", "virtual", "void", "volatile", "while",
};

// Those of effects, which may be written with any letters. In lower case.
constexpr std::string_view kHlslInAnyCase[] = {"asm", "decl", "pass", "technique", "texture1d", "texture2d", "texture3d", "texturecube"};

// Sorted. src: GLSL 4.60, 3.6 "Keywords", those reserved for future use included.
constexpr std::string_view kGlsl[] = {
    "accelerationStructureEXT", "active", "asm", "atomic_uint", "attribute", "bool", "break", "buffer", "callableDataEXT",
    "callableDataInEXT", "case", "cast", "centroid", "class", "coherent", "common", "const", "continue", "default", "demote",
    "discard", "do", "double", "else", "enum", "extern", "external", "false", "filter", "fixed", "flat", "float", "float16_t",
    "float32_t", "float64_t", "for", "fvec2", "fvec3", "fvec4", "goto", "half", "highp", "hitAttributeEXT", "hitObjectNV", "hvec2",
    "hvec3", "hvec4", "if", "ignoreIntersectionEXT", "in", "inline", "inout", "input", "int", "int16_t", "int32_t", "int64_t",
    "int8_t", "interface", "invariant", "layout", "long", "lowp", "mediump", "namespace", "noinline", "nonuniformEXT",
    "noperspective", "out", "output", "partition", "patch", "perprimitiveEXT", "pervertexEXT", "precise", "precision", "public",
    "rayPayloadEXT", "rayPayloadInEXT", "rayQueryEXT", "readonly", "resource", "restrict", "return", "sample", "sampler3DRect",
    "shared", "short", "sizeof", "smooth", "static", "struct", "subroutine", "superp", "switch", "taskPayloadSharedEXT", "template",
    "terminateRayEXT", "this", "true", "typedef", "uint", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "uniform", "union",
    "unsigned", "using", "varying", "void", "volatile", "while", "writeonly",
};
// clang-format on
static_assert(std::ranges::is_sorted(kHlsl));
static_assert(std::ranges::is_sorted(kHlslInAnyCase));
static_assert(std::ranges::is_sorted(kGlsl));

/// Whether a word is a type that has its sizes in its name: `float4`, `uint2x3`.
bool is_numeric_type(std::string_view word) {
  constexpr std::string_view kScalars[] = {"bool",  "int",        "uint",       "half",     "float",    "double",
                                           "dword", "min10float", "min16float", "min12int", "min16int", "min16uint"};
  for (const std::string_view scalar : kScalars) {
    if (!word.starts_with(scalar)) continue;
    const std::string_view rest = word.substr(scalar.size());
    const auto is_size = [&](std::size_t i) { return rest[i] >= '1' && rest[i] <= '4'; };
    if (rest.size() == 1 && is_size(0)) return true;
    if (rest.size() == 3 && is_size(0) && rest[1] == 'x' && is_size(2)) return true;
  }
  return false;
}

// Samplers, images and subpass inputs of GLSL have the type of texels and their shape in their names.
bool is_opaque_type(std::string_view word) {
  if ((word.starts_with('i') && !word.starts_with("image")) || word.starts_with('u')) word.remove_prefix(1);
  for (const std::string_view kind : {"sampler", "image", "texture", "subpassInput"}) {
    if (!word.starts_with(kind)) continue;
    std::string_view rest = word.substr(kind.size());
    if (rest.empty() || rest == "MS" || rest == "Shadow") return true;
    for (const std::string_view shape : {"1D", "2DMS", "2DRect", "2D", "3D", "Cube", "Buffer"}) {
      if (!rest.starts_with(shape)) continue;
      rest.remove_prefix(shape.size());
      if (rest.starts_with("Array")) rest.remove_prefix(5);
      return rest.empty() || rest == "Shadow";
    }
  }
  return false;
}

// Vectors and matrices of GLSL: `ivec3`, `dmat2x4`.
bool is_shaped_type(std::string_view word) {
  const auto is_size = [](char c) { return c >= '2' && c <= '4'; };
  for (const std::string_view kind : {"vec", "bvec", "ivec", "uvec", "dvec", "hvec", "fvec"})
    if (word.starts_with(kind) && word.size() == kind.size() + 1) return is_size(word.back());
  for (const std::string_view kind : {"mat", "dmat"}) {
    if (!word.starts_with(kind)) continue;
    const std::string_view rest = word.substr(kind.size());
    if (rest.size() == 1) return is_size(rest[0]);
    if (rest.size() == 3) return is_size(rest[0]) && rest[1] == 'x' && is_size(rest[2]);
  }
  return false;
}

}  // namespace

bool is_keyword(ShadingLanguage language, std::string_view word) {
  if (language == ShadingLanguage::hlsl) return std::ranges::binary_search(kHlsl, word) || is_numeric_type(word);
  return std::ranges::binary_search(kGlsl, word) || is_shaped_type(word) || is_opaque_type(word);
}

bool may_be_identifier(ShadingLanguage language, std::string_view word) {
  if (word.empty() || !is_name_start(word.front()) || !std::ranges::all_of(word, is_name_character) || is_keyword(language, word))
    return false;
  if (language == ShadingLanguage::glsl) return !word.starts_with("gl_") && word.find("__") == std::string_view::npos;
  return !std::ranges::binary_search(kHlslInAnyCase, std::string_view(lowered(word)));
}

std::string identifier_like(ShadingLanguage language, std::string_view name) {
  std::string word;
  word.reserve(name.size() + 1);
  for (const char c : name) {
    if (c == ']') continue;
    const char kept = is_name_character(c) ? c : '_';
    if (language == ShadingLanguage::glsl && kept == '_' && word.ends_with('_')) continue;
    word += kept;
  }
  if (word.empty() || is_digit(word.front())) word.insert(word.begin(), '_');
  if (language == ShadingLanguage::glsl && word.starts_with("gl_")) word.insert(word.begin(), '_');
  if (!may_be_identifier(language, word)) word += word.ends_with('_') ? "1" : "_";
  return word;
}

}  // namespace unshade
