#include <unshade/shader/assemble.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/core/text/color_escapes.hpp>
#include <unshade/core/text/input_text.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/pica/text_language.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/other_kind.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/spirv/assembler.hpp>

#include "shader/capability/assembling.hpp"

namespace unshade::shader {

namespace {

constexpr std::string_view kNoLanguage = "as.no-language";

std::string_view without_zeros(std::string_view text) {
  while (text.ends_with('\0')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<Message> no_language(std::string_view text) {
  const InputText input(text);
  const FileKind* const kind = other_kind(View(std::as_bytes(std::span(input.view()))));
  if (kind == nullptr || kind->id != "text") return std::nullopt;
  const auto none = pica::no_program_in(input.view());
  if (!none) return std::nullopt;
  return Message{
      Severity::error, kNoLanguage, none->line, none->column,
      "expected assembler text, but no known language was recognized: a listing of fxc begins with a profile (ps_5_0), that of dxc "
      "with `target` or `define`, of spirv-dis with `OpCapability`, of VBC with `.vbc`, a source of the PICA200 with a directive "
      "(`.proc main`)"};
}

bool may_be_listing(View file) {
  if (is_shader(file) || without_zeros(file.text()).find('\0') != std::string_view::npos) return false;
  // text that is of no known kind may be in an assembly language all the same
  const FileKind* const kind = other_kind(file);
  return kind != nullptr && (kind->use == FileUse::assemble || kind->id == "text");
}

Assembly assemble_listing(View file) {
  const std::string_view listing = without_zeros(file.text());
  const FileKind* const kind = other_kind(file);
  if (kind != nullptr && kind->use == FileUse::compile)
    return capability::assembly_of(Error{ErrorCode::unsupported, 0, {}, "not a listing but " + std::string(kind->name)});
  const Family language = language_of(listing);
  Assembly made = assemble(language, listing, {.container = traits_of(language).assembles_containers});
  if (made.ok || kind == nullptr || kind->id != "text") return made;
  // of a text that begins in no language and goes wrong at once, nothing that an assembler says of it helps
  const auto no_listing = [] {
    return capability::assembly_of(Error{ErrorCode::bad_magic, 0, {}, "expected a compiled shader or a listing, found text"});
  };
  if (no_language(listing)) return no_listing();
  const std::uint32_t first = LineCounter(listing).at(listing.find_first_not_of(" \t\r\n")).line;
  const auto error = std::ranges::find(made.messages, Severity::error, &Message::severity);
  if (error == made.messages.end() || error->line > first) return made;
  return no_listing();
}

Result<std::vector<std::byte>> binary_of(View file) {
  Assembly made = assemble_listing(file);
  if (made.ok) return std::move(made.file);
  const auto error = std::ranges::find(made.messages, Severity::error, &Message::severity);
  if (error == made.messages.end()) return Error{ErrorCode::bad_value, 0, "", "the text cannot be assembled"};
  std::string place;
  if (error->line != 0) place = std::to_string(error->line);
  if (error->column != 0) place += ':' + std::to_string(error->column);
  const ErrorCode code = error->id == id(ErrorCode::unsupported) ? ErrorCode::unsupported : ErrorCode::bad_value;
  return Error{code, 0, std::move(place), error->text};
}

Result<std::vector<std::byte>> binary_of(std::vector<std::byte> file) {
  if (!may_be_listing(View(file))) return file;
  return binary_of(View(file));
}

Assembly assemble(Family language, std::string_view text, const AssembleOptions& options) {
  const capability::AssemblingRow& row = capability::assembling_row(language);
  if (row.assemble == nullptr)
    return capability::assembly_of(
        Error{ErrorCode::unsupported, 0, {}, "assembling is not supported for the family " + std::string(id(language))});
  const InputText input(text);
  if (const std::size_t zero = input.view().find('\0'); zero != std::string_view::npos) {
    const LinePlace place = LineCounter(input.view()).at(zero);
    Assembly refused;
    refused.messages.push_back({Severity::error, id(ErrorCode::bad_value), place.line, place.column, "a byte of zero in the text"});
    return refused;
  }
  Assembly made = row.assemble(input.view(), options);
  // one message says more than one for each line
  if (auto colored = made.ok ? std::nullopt : color_escape_fault(input.view())) made.messages = {*std::move(colored)};
  return made;
}

const ListingChecks& listing_checks() {
  static const ListingChecks kChecks{&dxbc::listing_checks(), spirv::assembles_to};
  return kChecks;
}

}  // namespace unshade::shader
