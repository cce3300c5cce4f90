#include "shader/hlsl/names.hpp"

#include <algorithm>

#include <unshade/core/text/characters.hpp>

namespace unshade::shader::hlsl {

namespace {

// Sorted. src: the pages "Keywords" and "Reserved Words" of the HLSL reference; words that C++ compilers of HLSL reserve besides.
// clang-format off
constexpr std::string_view kReserved[] = {
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
// clang-format on
static_assert(std::ranges::is_sorted(kReserved));

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

}  // namespace

std::string mended(std::string_view name) {
  std::string word;
  word.reserve(name.size() + 1);
  for (const char c : name) {
    if (c == ']') continue;
    word += is_name_character(c) ? c : '_';
  }
  if (word.empty() || is_digit(word.front())) word.insert(word.begin(), '_');
  if (std::ranges::binary_search(kReserved, std::string_view(word)) || is_numeric_type(word)) word += '_';
  return word;
}

void print_comment_text(Text& out, std::string_view text) {
  for (const char c : text) out << (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c == '\\' ? '/' : c);
}

}  // namespace unshade::shader::hlsl
