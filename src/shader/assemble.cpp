#include <unshade/shader/assemble.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/input_text.hpp>
#include <unshade/core/text.hpp>
#include <unshade/shader/other_kind.hpp>
#include <unshade/shader/traits.hpp>

#include "core/characters.hpp"
#include "core/line_counter.hpp"
#include "shader/family/assembly.hpp"
#include "shader/family/family.hpp"

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
  const auto rows = family::families();
  Lines lines(text);
  while (const auto line = lines.next()) {
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
      if ((*row)->begins_text != nullptr && (*row)->begins_text(*line)) return (*row)->family;
    if (is_comment(*line) || line->starts_with('#')) continue;  // directives and line markers are in sources of all languages
    break;
  }
  return (*std::ranges::find(rows, true, &family::FamilyRow::takes_other_texts))->family;
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

namespace {

std::string_view without_zeros(std::string_view text) {
  while (text.ends_with('\0')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool may_be_listing(View file) {
  if (is_shader(file) || without_zeros(file.text()).find('\0') != std::string_view::npos) return false;
  // text that is of no known kind may be in an assembly language all the same
  const FileKind* const kind = other_kind(file);
  return kind != nullptr && (kind->use == FileUse::assemble || kind->id == "text");
}

Result<std::vector<std::byte>> binary_of(View file) {
  const std::string_view listing = without_zeros(file.text());
  if (is_shading_language(listing))
    return Error{ErrorCode::unsupported, 0, "", "the text looks like HLSL or GLSL source, which unshade does not compile"};
  const Family language = language_of(listing);
  Assembly made = assemble(language, listing, {.container = traits_of(language).assembles_containers});
  if (made.ok) return std::move(made.file);
  for (const Message& one : made.messages) {
    if (one.severity != Severity::error) continue;
    // a text that goes wrong at once is no listing
    return Error{ErrorCode::bad_value, 0, "",
                 (one.line <= 1 ? "expected a compiled shader or a listing; the assembler of listings says: " : "") + to_string(one)};
  }
  return Error{ErrorCode::bad_value, 0, "", "the text cannot be assembled"};
}

Result<std::vector<std::byte>> binary_of(std::vector<std::byte> file) {
  if (!may_be_listing(View(file))) return file;
  return binary_of(View(file));
}

Assembly assemble(Family language, std::string_view text, const AssembleOptions& options) {
  const family::FamilyRow& row = family::row_of(language);
  if (row.assemble == nullptr)
    return family::assembly_of(
        Error{ErrorCode::unsupported, 0, {}, "assembling is not supported for the family " + std::string(id(language))});
  const InputText input(text);
  if (const std::size_t zero = input.view().find('\0'); zero != std::string_view::npos) {
    const LinePlace place = LineCounter(input.view()).at(zero);
    Assembly refused;
    refused.messages.push_back({Severity::error, id(ErrorCode::bad_value), place.line, place.column, "a byte of zero in the text"});
    return refused;
  }
  return row.assemble(input.view(), options);
}

}  // namespace unshade::shader
