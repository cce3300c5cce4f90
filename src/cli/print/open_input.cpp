#include "cli/print/open_input.hpp"

#include <algorithm>
#include <utility>

#include <unshade/document_text/document_text.hpp>
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
    {shader::FileUse::lowered, "ir", "prints it after passes"},
    {shader::FileUse::ask, "search", "finds shaders in it, if unshade index has made it"},
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
  if (const std::string way = shader::way_to_shader(*kind); !way.empty()) return "; " + way;
  for (const Advice& row : kAdvice)
    if (row.use == kind->use) return "; unshade " + std::string(row.verb) + ' ' + as_word(name) + ' ' + std::string(row.does);
  return {};
}

Error other_family(const Input& input, std::string_view expected) {
  const bool is_shader = shader::is_shader(input.view());
  return {is_shader ? ErrorCode::unsupported : ErrorCode::bad_magic, 0, "file",
          "expected " + std::string(expected) + ", found " + shader::shown_kind(input.view()) + advice_on(input.view(), input.name)};
}

std::optional<Value> open_document(const Input& input, std::string_view expected, std::span<const std::string_view> others, Io& io) {
  if (!io.accepts_text(input, expected)) return std::nullopt;
  const shader::FileKind* const kind = shader::other_kind(input.view());
  const auto refuse = [&] { return io.report(input.name, other_family(input, expected)), std::nullopt; };
  const auto is_listing = [](shader::FileUse use) { return use == shader::FileUse::assemble || use == shader::FileUse::rewrite; };
  if (kind != nullptr && (is_listing(kind->use) || std::ranges::find(others, kind->id) != others.end())) return refuse();
  auto read = document_text::read_by_name(input.name, input.view().text());
  // a table of TOML begins as attributes of HLSL do, and no map of YAML as a source does
  const bool is_table = input.name.ends_with(".toml") || (input.name == "<stdin>" && read && read->as_map() != nullptr);
  const bool is_source = kind != nullptr && kind->use == shader::FileUse::compile;
  if (is_source && !is_table) return refuse();
  if (read) return std::move(*read);
  io.report_in(input, read.error());
  return std::nullopt;
}

Result<shader::Shader> open_input(const Input& input) {
  auto opened = shader::open(input.view());
  if (opened || opened.error().code != ErrorCode::bad_magic || shader::identify(input.view()) != shader::Family::unknown) return opened;
  Error error = std::move(opened).error();
  error.message += advice_on(input.view(), input.name);
  return error;
}

}  // namespace unshade::cli
