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

/// A shader, and the name that its file has in documents.
struct NamedShader {
  std::string_view name;
  const shader::Shader& shader;
  const shader::Summary* summary = nullptr;  ///< null: it is made if it is asked for
};

Result<void> write_info(const NamedShader& file, Json& json) {
  const present::SummaryRow row{std::string(file.name), file.summary != nullptr ? *file.summary : shader::summarize(file.shader)};
  present::write_summary(row, json);
  return {};
}

Result<void> write_reflection(const NamedShader& file, Json& json) {
  const auto reflection = shader::reflect(file.shader);
  if (!reflection) return reflection.error();
  present::write_reflection(file.name, *reflection, {}, json);
  return {};
}

void write_tree(std::string_view name, const Tree& tree, Json& json) {
  const present::Children children(tree);
  present::write_tree(name, tree, tree.coverage(), children, present::select_parts(tree, children, {}), json);
}
Result<void> write_tree_of(const NamedShader& file, Json& json) {
  write_tree(file.name, shader::annotate(file.shader), json);
  return {};
}

void write_findings(std::string_view name, const std::vector<Diagnostic>& findings, Json& json) {
  present::write_findings(name, present::Verdict(findings, Severity::error), findings, json);
}
Result<void> write_findings_of(const NamedShader& file, Json& json) {
  write_findings(file.name, shader::validate(file.shader).diagnostics(), json);
  return {};
}

Result<void> write_identities(const NamedShader& file, Json& json) {
  present::write_identities(file.name, file.shader, find::identities(file.shader), json);
  return {};
}

Result<void> write_sources(const NamedShader& file, Json& json) {
  const auto sources = shader::sources_of(file.shader, capi::zlib());
  if (!sources) return sources.error();
  json.object([&] { present::write_sources(file.name, *sources, json); });
  return {};
}

/// Documents of files: `{"schema": ..., "files": [...]}`.
struct FileDocument {
  std::int32_t what;
  present::Schema schema;
  Json::Layout layout;
  Result<void> (*write)(const NamedShader& file, Json& json);
};
constexpr FileDocument kInfo{UNSHADE_JSON_INFO, present::Schema::info, Json::Layout::indented, write_info};
constexpr FileDocument kReflection{UNSHADE_JSON_REFLECTION, present::Schema::reflect, Json::Layout::indented, write_reflection};
constexpr FileDocument kTree{UNSHADE_JSON_TREE, present::Schema::dump, Json::Layout::compact, write_tree_of};
constexpr FileDocument kFindings{UNSHADE_JSON_FINDINGS, present::Schema::validate, Json::Layout::indented, write_findings_of};
constexpr FileDocument kIdentities{UNSHADE_JSON_IDENTITIES, present::Schema::hash, Json::Layout::indented, write_identities};
constexpr FileDocument kSources{UNSHADE_JSON_SOURCES, present::Schema::sources, Json::Layout::indented, write_sources};
constexpr const FileDocument* kFileDocuments[] = {&kInfo, &kReflection, &kTree, &kFindings, &kIdentities, &kSources};

/// `write` with a document that has one file.
template <class Write>
Result<std::string> text_of_file(const FileDocument& document, Write write) {
  return printed([&](present::Printer& printer) -> Result<void> {
    Json json(printer, document.layout);
    present::begin_files(json, document.schema);
    if (auto done = write(json); !done) return done;
    present::end_files(json);
    return {};
  });
}

Result<std::string> text_of_document(const shader::Shader& shader, shader::Hints hints, bool as_yaml) {
  const auto document = shader::make_document(shader, nullptr, hints);
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

Result<std::string> text_of(const NamedShader& file, std::int32_t what) {
  for (const FileDocument* const document : kFileDocuments)
    if (document->what == what) return text_of_file(*document, [&](Json& json) { return document->write(file, json); });
  const bool as_yaml = what >= UNSHADE_YAML_DOCUMENT;
  const bool without_hints = what == UNSHADE_JSON_DOCUMENT_WITHOUT_HINTS || what == UNSHADE_YAML_DOCUMENT_WITHOUT_HINTS;
  return text_of_document(file.shader, without_hints ? shader::Hints::dropped : shader::Hints::kept, as_yaml);
}

/// Of a file that need not be one that opens where the document tells why.
Result<std::string> text_of_bytes(std::string_view name, View bytes, std::int32_t what) {
  if (what == UNSHADE_JSON_TREE) {
    return text_of_file(kTree, [&](Json& json) -> Result<void> {
      write_tree(name, shader::annotate(bytes), json);
      return {};
    });
  }
  if (what == UNSHADE_JSON_FINDINGS) {
    return text_of_file(kFindings, [&](Json& json) -> Result<void> {
      write_findings(name, shader::validate(bytes), json);
      return {};
    });
  }
  const auto opened = shader::open(bytes);
  if (!opened) return opened.error();
  return text_of({name, *opened}, what);
}

bool is_document(std::int32_t what) { return what >= UNSHADE_JSON_INFO && what <= UNSHADE_JSON_SOURCES; }
constexpr const char* kUnknownDocument = "unknown document";

}  // namespace

unshade_code unshade_shader_json(const unshade_shader* shader, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return capi::invalid_argument(error, "shader or text is NULL");
    if (!is_document(what)) return capi::invalid_argument(error, kUnknownDocument);
    return hand_out(text_of({or_empty(name), shader->shader, &shader->summary}, what), text, error);
  });
}

unshade_code unshade_json(const void* bytes, size_t size, const char* name, int32_t what, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (text == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or text is NULL");
    if (!is_document(what)) return capi::invalid_argument(error, kUnknownDocument);
    return hand_out(text_of_bytes(or_empty(name), capi::view_of(bytes, size), what), text, error);
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
