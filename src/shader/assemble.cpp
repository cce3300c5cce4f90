#include <unshade/shader/assemble.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/vbc/listing.hpp>

#include "core/characters.hpp"

namespace unshade::shader {

namespace {

/// `ps_5_0`
bool is_profile(std::string_view line) {
  return line.size() >= 6 && is_letter(line[0]) && line[1] == 's' && line[2] == '_' && is_digit(line[3]) && line[4] == '_' &&
         is_digit(line[5]);
}

bool is_spirv(std::string_view line) {
  if (line.starts_with("Op") && line.size() > 2 && line[2] >= 'A' && line[2] <= 'Z') return true;
  if (line.starts_with("!0x")) return true;
  return line.starts_with('%') && line.find("= Op") != std::string_view::npos;
}

bool is_llvm(std::string_view line) {
  for (const std::string_view word : {"target datalayout", "target triple", "source_filename", "define ", "declare ", "attributes #"})
    if (line.starts_with(word)) return true;
  const auto holds = [&](std::string_view text) { return line.find(text) != std::string_view::npos; };
  if (line[0] == '%') return holds("= type ");
  if (line[0] == '@') return holds(" = ");
  return line[0] == '!' && (holds("= !{") || holds("= distinct !{"));
}

/// The lines of a text that are not blank, without blanks around them and without what `/*` and `*/` enclose from the first column on.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(without_byte_order_mark(text)) {}

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

/// Its path is `LINE:COLUMN`, if it has one.
AssemblyResult from_error(const Error& error) {
  AssemblyMessage message{Severity::error, id(error.code), 0, 0, error.message};
  const char* const end = error.path.data() + error.path.size();
  const auto line = std::from_chars(error.path.data(), end, message.line);
  if (line.ptr != end && *line.ptr == ':') std::from_chars(line.ptr + 1, end, message.column);
  AssemblyResult result;
  result.messages.push_back(std::move(message));
  return result;
}

AssemblyResult assemble_dxil(std::string_view text, const AssembleOptions& options) {
  dxil::Assembly made;
  if (options.into.empty()) {
    made = options.container ? dxil::assemble_container(text) : dxil::assemble(text);
  } else {
    const auto container = dxcontainer::parse_container(options.into);
    if (!container) {
      AssemblyResult result;
      result.messages.push_back({Severity::error, id(container.error().code), 0, 0, "the container: " + container.error().message});
      return result;
    }
    made = dxil::assemble_into(text, *container);
  }
  AssemblyResult result;
  for (dxil::AssemblerMessage& message : made.messages)
    result.messages.push_back({message.is_warning ? Severity::warning : Severity::error,
                               message.is_warning ? dxil::kCommentRule : id(message.code), message.line, message.column,
                               std::move(message.text)});
  for (std::string& note : made.notes) result.messages.push_back({Severity::note, "note", 0, 0, std::move(note)});
  result.ok = made.ok;
  result.file = std::move(made.file);
  return result;
}

}  // namespace

Family language_of(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.next()) {
    if (line->starts_with("; SPIR-V")) return Family::spirv;  // else a comment, of SPIR-V or of picasso's language
    // fxc's listings begin with tables in comments.
    for (const std::string_view start : {"// Generated by", "// Input signature", "// FX Version: "})
      if (line->starts_with(start)) return Family::dxbc;
    if (is_comment(*line) || line->starts_with('#')) continue;  // directives and line markers are in sources of all languages
    if (*line == ".vbc" || line->starts_with(".vbc ")) return Family::vbc;
    if (is_spirv(*line)) return Family::spirv;
    if (is_llvm(*line)) return Family::dxil;
    return is_profile(*line) ? Family::dxbc : Family::pica;
  }
  return Family::pica;
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

AssemblyResult assemble(Family language, std::string_view text, const AssembleOptions& options) {
  text = without_byte_order_mark(text);
  AssemblyResult result;
  if (language == Family::spirv) {
    spirv::AssemblerOptions how;
    how.version = options.version;
    if (options.preserve_ids) how.numbering = spirv::Numbering::preserve;
    if (options.renumber_ids) how.numbering = spirv::Numbering::renumber;
    auto made = spirv::assemble(text, how);
    if (!made) return from_error(made.error());
    result.file = *std::move(made);
  } else if (language == Family::vbc) {
    const auto made = vbc::assemble(text);
    if (!made) return from_error(made.error());
    result.file = vbc::write(*made);
  } else if (language == Family::dxil) {
    return assemble_dxil(text, options);
  } else if (language == Family::dxbc) {
    auto made = dxbc::assemble(text);
    for (dxbc::AssemblerMessage& message : made.messages) {
      const Rule& rule = dxbc::rule(message.message);
      result.messages.push_back({rule.severity, rule.id, message.line, message.column, std::move(message.text)});
    }
    result.ok = made.ok;
    result.file = std::move(made.file);
    return result;
  } else {
    return from_error({ErrorCode::unsupported, 0, {}, "no assembler for the family " + std::string(id(language))});
  }
  result.ok = true;
  return result;
}

}  // namespace unshade::shader
