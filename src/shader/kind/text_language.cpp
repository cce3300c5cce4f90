// The languages of texts, by how they begin.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/input_text.hpp>
#include <unshade/shader/assemble.hpp>

#include "shader/family/texts.hpp"

namespace unshade::shader {

namespace {

/// The lines of a text that are not blank, without blanks around them and without what `/*` and `*/` enclose from the first column on.
class Lines {
 public:
  explicit Lines(std::string_view text) : input_(text), text_(input_.view()) {}

  std::optional<std::string_view> next() {
    while (!text_.empty()) {
      const auto begin = text_.find_first_not_of(" \t\r\n");
      if (begin == std::string_view::npos) break;
      text_.remove_prefix(begin);
      if (text_.starts_with("/*")) {
        const auto end = text_.find("*/", 2);
        text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 2);
        continue;
      }
      const auto end = text_.find('\n');
      const std::string_view line = trimmed(text_.substr(0, end));
      text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
      return line;
    }
    return std::nullopt;
  }

 private:
  InputText input_;
  std::string_view text_;
};

bool is_comment(std::string_view line) { return line.starts_with(';') || line.starts_with("//"); }

/// Words that a statement of HLSL or GLSL begins with and no line of a listing does.
constexpr std::string_view kSourceWords[] = {
    "attribute", "bool",        "buffer",      "cbuffer",    "centroid",         "class",           "const",  "double",
    "export",    "extern",      "flat",        "float",      "globallycoherent", "groupshared",     "half",   "highp",
    "in",        "inline",      "inout",       "int",        "interface",        "invariant",       "layout", "linear",
    "lowp",      "matrix",      "mediump",     "min16float", "namespace",        "nointerpolation", "out",    "precise",
    "precision", "readonly",    "sampler",     "shared",     "smooth",           "static",          "struct", "tbuffer",
    "technique", "technique10", "technique11", "template",   "texture",          "typedef",         "uint",   "uniform",
    "using",     "varying",     "vector",      "void",       "volatile",         "writeonly",
};

/// Beginnings of names of types: `float4x4`, `Texture2DArray`.
constexpr std::string_view kSourceTypes[] = {
    "AppendStructuredBuffer",
    "BlendState",
    "Buffer",
    "ByteAddressBuffer",
    "ConstantBuffer",
    "ConsumeStructuredBuffer",
    "DepthStencilState",
    "RWBuffer",
    "RWByteAddressBuffer",
    "RWStructuredBuffer",
    "RWTexture",
    "RaytracingAccelerationStructure",
    "RasterizerState",
    "Sampler",
    "StructuredBuffer",
    "Texture",
    "bool",
    "bvec",
    "dmat",
    "dvec",
    "float",
    "half",
    "int",
    "ivec",
    "mat",
    "min16",
    "uint",
    "uvec",
    "vec",
};

bool begins_like_hlsl_or_glsl(std::string_view line) {
  if (line.starts_with("[[") || line.starts_with("[")) return true;  // attributes: [numthreads(8, 8, 1)]
  std::size_t end = 0;
  while (end < line.size() && (is_letter(line[end]) || is_digit(line[end]) || line[end] == '_')) ++end;
  const std::string_view word = line.substr(0, end);
  const auto rest = trimmed(line.substr(end));
  if (rest.starts_with(':')) return false;  // a label
  if (std::ranges::find(kSourceWords, word) != std::end(kSourceWords)) return true;
  return std::ranges::any_of(kSourceTypes, [&](std::string_view type) {
    // float4x4, Texture2D, uint: letters after the name make it another word
    if (!word.starts_with(type)) return false;
    const auto tail = word.substr(type.size());
    return tail.empty() || is_digit(tail[0]) || (type.front() >= 'A' && type.front() <= 'Z');
  });
}

}  // namespace

Family language_of(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.next()) {
    for (const family::TextRow& row : family::texts())
      if (row.begins_text(*line)) return row.family;
    if (is_comment(*line) || line->starts_with('#')) continue;  // directives and line markers are in sources of all languages
    break;
  }
  return family::kFamilyOfOtherTexts;
}

bool is_shading_language(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.next()) {
    if (line->starts_with("#version")) return true;
    if (is_comment(*line) || line->starts_with('#')) continue;
    return begins_like_hlsl_or_glsl(*line);
  }
  return false;
}

bool begins_with_directive(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.next())
    if (!is_comment(*line)) return line->starts_with('.');
  return false;
}

}  // namespace unshade::shader
