#include <unshade/shader/assemble.hpp>

#include <string>
#include <utility>

#include <unshade/core/text/input_text.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/other_kind.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/spirv/assembler.hpp>

#include "shader/capability/assembling.hpp"

namespace unshade::shader {

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
  return row.assemble(input.view(), options);
}

const ListingChecks& listing_checks() {
  static const ListingChecks kChecks{&dxbc::listing_checks(), spirv::assembles_to};
  return kChecks;
}

}  // namespace unshade::shader
