#include "cli/print/open_input.hpp"

#include <algorithm>
#include <utility>

#include <unshade/shader/file_kind.hpp>
#include <unshade/shader/other_kind.hpp>

namespace unshade::cli {

namespace {

/// The verb for a use, and what it does.
struct Advice {
  shader::FileUse use;
  std::string_view verb;
  std::string_view does;
};
constexpr Advice kAdvice[] = {
    {shader::FileUse::search, "scan", "lists the shaders inside"},
    {shader::FileUse::assemble, "as", "assembles it"},
    {shader::FileUse::build, "build", "makes the file that it describes"},
    {shader::FileUse::test, "test", "runs it"},
    {shader::FileUse::draw, "draw", "draws it"},
    {shader::FileUse::ask, "search", "finds shaders in it, if unshade index has made it"},
};

/// What makes shaders that unshade reads of a source.
struct Compilers {
  std::string_view kind;
  std::string_view names;
};
constexpr Compilers kCompilers[] = {
    {"glsl", "glslangValidator, glslc"},
    {"hlsl", "dxc, fxc, glslangValidator"},
    {"wgsl", "naga, tint"},
};

/// A name as a shell takes it for one word.
std::string as_word(std::string_view name) {
  if (name == "<stdin>") return "-";
  constexpr std::string_view kPlain = "+,-./:=@_%";
  const bool is_plain = !name.empty() && std::ranges::all_of(name, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(name);
  std::string word = "'";
  for (const char c : name) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

}  // namespace

std::string advice_on(View file, std::string_view name) {
  const shader::FileKind* const kind = shader::other_kind(file);
  if (kind == nullptr) return {};
  if (kind->use == shader::FileUse::compile) {
    const auto* const row = std::ranges::find(kCompilers, kind->id, &Compilers::kind);
    return "; it must be compiled to a shader first" + (row == std::end(kCompilers) ? std::string() : " (" + std::string(row->names) + ')');
  }
  for (const Advice& row : kAdvice)
    if (row.use == kind->use) return "; unshade " + std::string(row.verb) + ' ' + as_word(name) + ' ' + std::string(row.does);
  return {};
}

Result<shader::Shader> open_input(const Input& input) {
  auto opened = shader::open(input.view());
  if (opened || opened.error().code != ErrorCode::bad_magic || shader::identify(input.view()) != shader::Family::unknown) return opened;
  Error error = std::move(opened).error();
  error.message += advice_on(input.view(), input.name);
  return error;
}

}  // namespace unshade::cli
