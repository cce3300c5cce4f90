#include <unshade/shader/document.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/traits.hpp>

#include "shader/capability/documents.hpp"
#include "shader/document/document.hpp"
#include "shader/document/llvm.hpp"

namespace unshade::shader {

namespace {

constexpr std::string_view kSchema = "schema";
constexpr std::string_view kFamily = "family";
constexpr std::string_view kFileBytes = "bytes";

Value heading(Family family) {
  Value document = Value::map();
  document.add(kSchema, Value::text(kDocumentSchema));
  document.add(kFamily, Value::text(id(family)));
  return document;
}

}  // namespace

Result<Value> make_document(const Shader& shader, DocumentFacts* facts, Hints hints) {
  DocumentFacts found;
  if (const capability::DocumentRow& row = capability::document_row(shader.family); row.make != nullptr) {
    Value document = heading(shader.family);
    const auto gives_it_back = [&] {
      const auto built = build_document(document);
      if (!built) return false;
      if (std::ranges::equal(*built, shader.file.bytes())) return true;
      if (hints != Hints::dropped) return false;
      const auto reopened = open(View(*built));
      if (!reopened || reopened->family != shader.family) return false;
      Value again = heading(shader.family);
      DocumentFacts unused;
      return row.make(*reopened, again, unused, hints) && again == document;
    };
    if (row.make(shader, document, found, hints) && gives_it_back()) {
      if (facts != nullptr) *facts = found;
      return document;
    }
  }
  Value document = heading(shader.family);
  document.add(kFileBytes, Value::bytes(shader.file));
  found = {};
  found.parts = 1;
  found.hex_bytes = shader.file.size();
  found.opaque = true;
  if (facts != nullptr) *facts = found;
  return document;
}

Result<std::vector<std::byte>> build_document(const Value& document, const BuildOptions& options) {
  document::DocumentReader reader(document);
  const Value* const schema = reader.take(kSchema);
  const Value* const family = reader.take(kFamily);
  if (!reader.ok()) return std::move(reader.finish()).error();
  if (schema == nullptr || schema->as_text() == nullptr || *schema->as_text() != kDocumentSchema) {
    std::string message = std::string("expected `schema: ") + kDocumentSchema + "` at the beginning of the document";
    // what --json prints of some verb
    constexpr std::size_t kLongestSchema = 40;
    const std::string* const other = schema == nullptr ? nullptr : schema->as_text();
    if (other != nullptr && other->starts_with("unshade.") && other->size() <= kLongestSchema)
      message += ", found `" + *other + "`; documents are what `unshade dump --format yaml` and `--format json` print";
    return Error{schema == nullptr ? ErrorCode::missing : ErrorCode::unsupported,
                 schema == nullptr ? document.text_offset : schema->text_offset, std::string(kSchema), std::move(message)};
  }
  if (family == nullptr || family->as_text() == nullptr)
    return Error{ErrorCode::missing, document.text_offset, std::string(kFamily), "expected the family of the file"};
  const Family stated = family_of(*family->as_text());
  if (document.find(kFileBytes) != nullptr) {
    auto bytes = reader.take_bytes(kFileBytes);
    if (auto done = reader.finish(); !done) return std::move(done).error();
    if (const Family found = identify(View(bytes)); found != stated)
      return Error{ErrorCode::bad_value, family->text_offset, std::string(kFamily),
                   "the bytes are of the family " + std::string(id(found))};
    return bytes;
  }
  const capability::DocumentRow& row = capability::document_row(stated);
  if (row.build != nullptr) return row.build(document, document::most_bytes(document), options);
  return Error{ErrorCode::unsupported, family->text_offset, std::string(kFamily), "documents are not supported for this family"};
}

Result<LlvmDocument> make_llvm_document(const Shader& shader, const LlvmOptions& options) {
  const auto* const container = std::get_if<dxcontainer::Container>(&shader.content);
  if (container == nullptr)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "container", "LLVM's format only supports DXContainers"};
  return document::make_llvm(*capability::document_row(shader.family).parts, shader, options);
}

bool is_llvm_document(const Value& document) { return document::is_llvm(document); }

Result<std::vector<std::byte>> build_llvm_document(const Value& container, const Value& rest, const LlvmOptions& options) {
  return document::build_llvm(container, rest, options);
}

}  // namespace unshade::shader
