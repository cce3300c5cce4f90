// Documents: what the room present writes.
#include <unshade/present/diff.hpp>
#include <unshade/present/dump.hpp>
#include <unshade/present/files.hpp>
#include <unshade/present/findings.hpp>
#include <unshade/present/identities.hpp>
#include <unshade/present/reflection.hpp>
#include <unshade/present/sources.hpp>
#include <unshade/present/summary.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/validate.hpp>

#include "capi/object.hpp"
#include "capi/printed.hpp"

using namespace unshade;
using capi::guarded;
using capi::hand_out;
using capi::or_empty;
using capi::printed;
using present::Json;

namespace {

/// A file, and the name that it has in documents.
struct NamedFile {
  std::string_view name;
  View bytes;
};

Result<void> write_info(const NamedFile& file, Json& json) {
  const auto opened = shader::open(file.bytes);
  if (!opened) return opened.error();
  present::write_summary({std::string(file.name), shader::summarize(*opened)}, json);
  return {};
}

Result<void> write_reflection(const NamedFile& file, Json& json) {
  const auto opened = shader::open(file.bytes);
  if (!opened) return opened.error();
  const auto reflection = shader::reflect(*opened);
  if (!reflection) return reflection.error();
  json.object([&] {
    json.member("file", file.name);
    present::write_reflection(*reflection, json);
  });
  return {};
}

Result<void> write_tree(const NamedFile& file, Json& json) {
  const Tree tree = shader::annotate(file.bytes);
  const present::Children children(tree);
  present::write_tree(file.name, tree, tree.coverage(), children, present::select_parts(tree, children, {}), json);
  return {};
}

Result<void> write_findings(const NamedFile& file, Json& json) {
  const auto findings = shader::validate(file.bytes);
  present::write_findings(file.name, present::Verdict(findings, Severity::error), findings, json);
  return {};
}

Result<void> write_identities(const NamedFile& file, Json& json) {
  const auto opened = shader::open(file.bytes);
  if (!opened) return opened.error();
  present::write_identities(file.name, *opened, find::identities(*opened), json);
  return {};
}

Result<void> write_sources(const NamedFile& file, Json& json) {
  const auto opened = shader::open(file.bytes);
  if (!opened) return opened.error();
  const auto sources = shader::sources_of(*opened, capi::zlib());
  if (!sources) return sources.error();
  json.object([&] { present::write_sources(file.name, *sources, json); });
  return {};
}

/// Documents of files: `{"schema": ..., "files": [...]}`.
struct FileDocument {
  std::int32_t what;
  std::string_view schema;
  Json::Layout layout;
  Result<void> (*write)(const NamedFile& file, Json& json);
};
constexpr FileDocument kFileDocuments[] = {
    {UNSHADE_JSON_INFO, "unshade.info/1", Json::Layout::indented, write_info},
    {UNSHADE_JSON_REFLECTION, "unshade.reflect/1", Json::Layout::indented, write_reflection},
    {UNSHADE_JSON_TREE, "unshade.dump/1", Json::Layout::compact, write_tree},
    {UNSHADE_JSON_FINDINGS, "unshade.validate/1", Json::Layout::indented, write_findings},
    {UNSHADE_JSON_IDENTITIES, "unshade.hash/1", Json::Layout::indented, write_identities},
    {UNSHADE_JSON_SOURCES, "unshade.sources/1", Json::Layout::indented, write_sources},
};

Result<std::string> text_of_document(const NamedFile& file, shader::Hints hints, bool as_yaml) {
  const auto opened = shader::open(file.bytes);
  if (!opened) return opened.error();
  const auto document = shader::make_document(*opened, nullptr, hints);
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

Result<std::string> text_of(const NamedFile& file, std::int32_t what) {
  for (const FileDocument& row : kFileDocuments) {
    if (row.what != what) continue;
    return printed([&](present::Printer& printer) -> Result<void> {
      Json json(printer, row.layout);
      present::begin_files(json, row.schema);
      if (auto done = row.write(file, json); !done) return done;
      present::end_files(json);
      return {};
    });
  }
  const bool as_yaml = what >= UNSHADE_YAML_DOCUMENT;
  const bool without_hints = what == UNSHADE_JSON_DOCUMENT_WITHOUT_HINTS || what == UNSHADE_YAML_DOCUMENT_WITHOUT_HINTS;
  return text_of_document(file, without_hints ? shader::Hints::dropped : shader::Hints::kept, as_yaml);
}

}  // namespace

unshade_code unshade_json(const void* bytes, size_t size, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (text == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or text is NULL");
    if (what < UNSHADE_JSON_INFO || what > UNSHADE_JSON_SOURCES) return capi::invalid_argument(error, "unknown document");
    return hand_out(text_of({or_empty(name), capi::view_of(bytes, size)}, what), text, error);
  });
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
