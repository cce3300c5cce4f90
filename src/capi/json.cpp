// Documents: what the room present writes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include <unshade/find/identity.hpp>
#include <unshade/present/diff.hpp>
#include <unshade/present/dump.hpp>
#include <unshade/present/files.hpp>
#include <unshade/present/findings.hpp>
#include <unshade/present/identities.hpp>
#include <unshade/present/reflection.hpp>
#include <unshade/present/schemas.hpp>
#include <unshade/present/sources.hpp>
#include <unshade/present/summary.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/document.hpp>

#include "capi/named_file.hpp"
#include "capi/object.hpp"
#include "capi/printed.hpp"

using namespace unshade;
using capi::guarded;
using capi::hand_out;
using capi::NamedFile;
using capi::or_empty;
using capi::printed;
using capi::printed_files;
using present::Json;
using present::Schema;

namespace {

constexpr std::int32_t kNotNumbered = -1;
// What the column `c` of schemas.def has: a document's number, a function, or nothing.
constexpr std::int32_t number_in_c(std::int32_t what) { return what; }
constexpr std::int32_t number_in_c(std::nullptr_t) { return kNotNumbered; }
template <class Function>
constexpr std::int32_t number_in_c(Function*) {
  return kNotNumbered;
}

struct NumberedDocument {
  std::int32_t what;
  Schema schema;
};
constexpr NumberedDocument kNumbered[] = {
#define UNSHADE_SCHEMA(id, name, version, verb, c, summary) {number_in_c(c), Schema::id},
#include <unshade/present/schemas.def>
#undef UNSHADE_SCHEMA
};

/// The schema of a document by its number; null if it has none.
const NumberedDocument* find_document(std::int32_t what) {
  if (what == kNotNumbered) return nullptr;
  const auto* const found = std::ranges::find(kNumbered, what, &NumberedDocument::what);
  return found == std::end(kNumbered) ? nullptr : found;
}

/// The file's object in a document of files.
Result<void> write_file(NamedFile& file, Schema schema, Json& json) {
  if (schema == Schema::dump) {
    const Tree tree = file.fields();
    const present::Children children(tree);
    present::write_tree(file.name(), tree, tree.coverage(), children, present::select_parts(tree, children, {}), json);
    return {};
  }
  if (schema == Schema::validate) {
    const auto findings = file.findings();
    present::write_findings(file.name(), present::Verdict(findings, Severity::error), findings, json);
    return {};
  }
  const auto opened = file.shader();
  if (!opened) return opened.error();
  if (schema == Schema::info) {
    const auto row = file.summary();
    if (!row) return row.error();
    present::write_summary(*row, json);
  } else if (schema == Schema::reflect) {
    const auto reflection = shader::reflect(**opened);
    if (!reflection) return reflection.error();
    present::write_reflection(file.name(), *reflection, {}, json);
  } else if (schema == Schema::hash) {
    present::write_identities(file.name(), **opened, find::identities(**opened), json);
  } else {
    const auto sources = shader::sources_of(**opened, capi::zlib());
    if (!sources) return sources.error();
    json.object([&] { present::write_sources(file.name(), *sources, json); });
  }
  return {};
}

/// `{"schema": ..., "files": [...]}` with one file.
Result<std::string> text_of_files(NamedFile& file, Schema schema) {
  const Json::Layout layout = schema == Schema::dump ? Json::Layout::compact : Json::Layout::indented;
  return printed_files(schema, layout, [&](Json& json) { return write_file(file, schema, json); });
}

Result<std::string> text_of_document(NamedFile& file, shader::Hints hints, bool as_yaml) {
  const auto opened = file.shader();
  if (!opened) return opened.error();
  const auto document = shader::make_document(**opened, nullptr, hints);
  if (!document) return document.error();
  return printed([&](present::Printer& printer) -> Result<void> {
    if (as_yaml) {
      present::print_yaml(printer.text, *document);
      return {};
    }
    Json json(printer);
    present::write_value(*document, json);
    json.finish();
    return {};
  });
}

/// What unshade.h numbers, and the command writes otherwise than with --json: forms of documents.
bool is_form(std::int32_t what) { return what >= UNSHADE_JSON_DOCUMENT && what <= UNSHADE_YAML_DOCUMENT_WITHOUT_HINTS; }

Result<std::string> text_of(NamedFile& file, std::int32_t what) {
  if (!is_form(what)) return text_of_files(file, find_document(what)->schema);
  const bool as_yaml = what >= UNSHADE_YAML_DOCUMENT;
  const bool without_hints = what == UNSHADE_JSON_DOCUMENT_WITHOUT_HINTS || what == UNSHADE_YAML_DOCUMENT_WITHOUT_HINTS;
  return text_of_document(file, without_hints ? shader::Hints::dropped : shader::Hints::kept, as_yaml);
}

const char* fault_of(std::int32_t what) { return is_form(what) || find_document(what) != nullptr ? nullptr : "unknown document"; }

}  // namespace

unshade_code unshade_shader_json(const unshade_shader* shader, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  return capi::tell_of(shader, name, fault_of(what), text, error, [&](NamedFile& file) { return text_of(file, what); });
}

unshade_code unshade_json(const void* bytes, size_t size, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  return capi::tell_of(bytes, size, name, fault_of(what), text, error, [&](NamedFile& file) { return text_of(file, what); });
}

unshade_code unshade_build(const char* text, size_t size, unshade_blob** file, unshade_error** error) {
  if (file != nullptr) *file = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (file == nullptr || (text == nullptr && size != 0)) return capi::invalid_argument(error, "text or file is NULL");
    const auto document = present::read_json({text, size});
    if (!document) return capi::fail(error, document.error());
    const auto built = shader::build_document(*document);
    if (!built) return capi::fail(error, built.error());
    *file = capi::make_blob(View(*built).text());
    return UNSHADE_OK;
  });
}

unshade_code unshade_diff(const unshade_shader* before, const char* before_name, const unshade_shader* after, const char* after_name,
                          int exact_text, unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (before == nullptr || after == nullptr || json == nullptr) return capi::invalid_argument(error, "a shader or json is NULL");
    shader::DiffOptions options;
    options.exact_text = exact_text != 0;
    const shader::Difference difference = shader::compare(before->shader, after->shader, options);
    const auto made = printed([&](present::Printer& printer) -> Result<void> {
      Json out(printer);
      present::write_difference({or_empty(before_name), or_empty(after_name)}, difference, out);
      return {};
    });
    return hand_out(made, json, error);
  });
}
