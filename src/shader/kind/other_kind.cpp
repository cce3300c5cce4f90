#include <unshade/shader/other_kind.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <unshade/core/stage.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/color_escapes.hpp>
#include <unshade/core/text/lines.hpp>
#include <unshade/pica/text_language.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/document.hpp>

#include "shader/family/texts.hpp"

namespace unshade::shader {

namespace {

/// So much of a text is looked at.
constexpr std::size_t kHead = std::size_t{1} << 16;

/// A word at the beginning of a line that no comment, and what a text is in which it stands.
struct FirstWord {
  std::string_view word;
  std::string_view kind;
};
/// The first line that is no comment.
constexpr FirstWord kFirstLines[] = {
    {"#!amber", "amber"},
    {"{", "json"},
    {"<", "xml"},
    {"--- !dxcontainer", "llvm-document"},
    {"schema:", "document"},
    {"schema =", "suite"},
    {"#version", "glsl"},
    {"#include <metal_", "msl"},
    {"using namespace metal", "msl"},
    {"@group(", "wgsl"},
    {"@vertex", "wgsl"},
    {"@fragment", "wgsl"},
    {"@compute", "wgsl"},
    {"enable f16", "wgsl"},
    {"fn ", "wgsl"},
    {"precision ", "glsl"},
    {"layout(", "glsl"},
    {"layout (", "glsl"},
    {"attribute ", "glsl"},
    {"varying ", "glsl"},
};
/// Any line.
constexpr FirstWord kAnyLines[] = {
    {"[[case]]", "suite"},  {"[[pass]]", "scene"},       {"pass = [", "scene"},
    {"[targets.", "scene"}, {"#include <metal_", "msl"}, {".target sm_", "ptx"},
};

/// `vs_3_0`, `ps_2_x`, `ps.1.1`: the first line of assembly of Direct3D 9.
bool is_direct3d9_version(std::string_view line) {
  if (!line.starts_with("vs") && !line.starts_with("ps") && !line.starts_with("tx")) return false;
  const std::string_view rest = line.substr(2);
  return rest.size() >= 4 && (rest[0] == '_' || rest[0] == '.') && rest[1] >= '1' && rest[1] <= '3' && (rest[2] == '_' || rest[2] == '.') &&
         rest.size() <= 5;
}

/// `stage compute`: what the text of a module of the IR begins with.
bool is_stage_line(std::string_view line) {
  constexpr std::string_view kWord = "stage ";
  if (!line.starts_with(kWord)) return false;
  for (unsigned stage = 0; stage <= static_cast<unsigned>(Stage::kernel); ++stage)
    if (line.substr(kWord.size()) == id(static_cast<Stage>(stage))) return true;
  return false;
}

/// Calls `visit` with the lines that are no comments, without blanks around them, until it returns true.
template <class Visit>
void for_each_statement(std::string_view text, Visit visit) {
  bool ended = false;
  bool in_comment = false;
  for_each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    if (ended) return;
    if (in_comment || line.starts_with("/*")) {
      const auto end = line.find("*/", in_comment ? 0 : 2);
      in_comment = end == std::string_view::npos;
      if (in_comment) return;
      line = trimmed(line.substr(end + 2));
    }
    const bool is_remark = line.starts_with("//") || line.starts_with(';') || (line.starts_with("# ") || line == "#");
    if (!line.empty() && !is_remark) ended = visit(line);
  });
}

/// Whether bytes are characters: beside those that are shown, blanks and line ends, and zeros at the end. Those of UTF-8 are.
bool is_readable(std::string_view text) {
  while (text.ends_with('\0')) text.remove_suffix(1);
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7f) || (byte >= '\t' && byte <= '\r') || byte == 0x1a || byte == 0x1b;
  });
}

/// Whether a program of shader model 4 or 5 follows: listings of fxc have the level 9 code of such a shader before it.
bool has_later_program(std::string_view text) {
  bool has_one = false;
  for_each_statement(text, [&](std::string_view line) { return has_one = family::begins_dxbc_text(line) && !is_direct3d9_version(line); });
  return has_one;
}

/// By a directive of picasso's language.
bool begins_as_pica(std::string_view text) {
  bool does = false;
  for_each_statement(text, [&](std::string_view line) {
    does = pica::is_directive(line.substr(0, line.find_first_of(" \t;")));
    return true;
  });
  return does;
}

std::string_view kind_of_text(std::string_view text) {
  text = without_byte_order_mark(text);
  if (text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos) return "blank";
  std::string_view kind;
  bool is_first = true;
  for_each_statement(text, [&](std::string_view line) {
    if (is_first) {
      is_first = false;
      for (const FirstWord& row : kFirstLines)
        if (kind.empty() && line.starts_with(row.word)) kind = row.kind;
      if (kind.empty() && is_direct3d9_version(line)) kind = "direct3d9-listing";
      if (kind.empty() && is_stage_line(line)) kind = "ir";
    }
    for (const FirstWord& row : kAnyLines)
      if (kind.empty() && line.starts_with(row.word)) kind = row.kind;
    return !kind.empty();
  });
  if (kind == "json" && text.find('"' + std::string(kDocumentSchema) + '"') != std::string_view::npos) return "document";
  if (!kind.empty() && kind != "json") return kind;
  switch (language_of(text)) {
    case Family::dxbc: return "dxbc-listing";
    case Family::dxil: return "dxil-listing";
    case Family::spirv: return "spirv-listing";
    case Family::vbc: return "vbc-listing";
    default: break;
  }
  if (!kind.empty()) return kind;
  if (is_shading_language(text)) return "hlsl";
  if (find_color_escape(text) != std::string_view::npos) return "colored-text";
  if (const auto dialect = pica::dialect_of(text); dialect && dialect->is_certain)
    return dialect->tool == "aemstro" ? "pica-aemstro" : "pica-nihstro";
  return begins_as_pica(text) ? "pica-listing" : "text";
}

}  // namespace

const FileKind* other_kind(View file) {
  if (const FileKind* const kind = file_kind_of(file)) return kind;
  const View head = file.clamped(0, kHead);
  if (!is_readable(head.text())) return nullptr;
  const std::string_view kind = kind_of_text(head.text());
  return find_file_kind(kind == "direct3d9-listing" && has_later_program(file.text()) ? "dxbc-listing" : kind);
}

std::string shown_kind(View file) {
  if (file.empty()) return "an empty file";
  if (const Family family = identify(file); family != Family::unknown) return "a shader (" + std::string(id(family)) + ')';
  const FileKind* const kind = other_kind(file);
  return kind != nullptr ? std::string(kind->name) : "bytes";
}

std::string way_to_shader(const FileKind& kind) {
  const std::string tools(kind.tools);
  if (kind.use == FileUse::compile) return "it must be compiled to a shader first" + (tools.empty() ? tools : " (" + tools + ')');
  if (kind.use != FileUse::rewrite) return {};
  return tools.empty() ? "write it without colors (--color never)" : tools + " assembles it, and unshade reads the SHBIN";
}

}  // namespace unshade::shader
