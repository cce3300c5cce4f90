#include <unshade/shader/document.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/dxcontainer/container.hpp>

#include "shader/document/document.hpp"
#include "shader/document/llvm.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader {

namespace {

constexpr std::string_view kSchema = "schema";
constexpr std::string_view kFamily = "family";
constexpr std::string_view kBytes = "bytes";

Value heading(Family family) {
  Value document = Value::map();
  document.add(kSchema, Value::text(kDocumentSchema));
  document.add(kFamily, Value::text(id(family)));
  return document;
}

}  // namespace

Result<Value> make_document(View file, DocumentFacts* facts, Hints hints) {
  const auto shader = open(file);
  if (!shader) return shader.error();
  DocumentFacts found;
  if (const family::FamilyRow* const row = family::find_family(shader->family); row != nullptr && row->make_document != nullptr) {
    Value document = heading(shader->family);
    const auto gives_it_back = [&] {
      const auto built = build_document(document);
      if (!built) return false;
      if (std::ranges::equal(*built, file.bytes())) return true;
      if (hints != Hints::dropped) return false;
      Value again = heading(shader->family);
      DocumentFacts unused;
      return row->make_document(View(*built), again, unused, hints) && again == document;
    };
    if (row->make_document(file, document, found, hints) && gives_it_back()) {
      if (facts != nullptr) *facts = found;
      return document;
    }
  }
  Value document = heading(shader->family);
  document.add(kBytes, Value::bytes(file));
  found = {};
  found.parts = 1;
  found.hex_bytes = file.size();
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
    return Error{schema == nullptr ? ErrorCode::missing : ErrorCode::unsupported,
                 schema == nullptr ? document.text_offset : schema->text_offset, std::string(kSchema),
                 std::string("expected `schema: ") + kDocumentSchema + "` at the beginning of the document"};
  }
  if (family == nullptr || family->as_text() == nullptr)
    return Error{ErrorCode::missing, document.text_offset, std::string(kFamily), "expected the family of the file"};
  if (document.find(kBytes) != nullptr) {
    auto bytes = reader.take_bytes(kBytes);
    if (auto done = reader.finish(); !done) return std::move(done).error();
    return bytes;
  }
  for (const family::FamilyRow* row : family::families())
    if (row->id == *family->as_text() && row->build_document != nullptr)
      return row->build_document(document, document::most_bytes(document), options);
  return Error{ErrorCode::unsupported, family->text_offset, std::string(kFamily), "documents are not supported for this family"};
}

Result<LlvmDocument> make_llvm_document(View file) {
  const auto shader = open(file);
  if (!shader) return shader.error();
  if (shader->container.file.empty() || shader->pdb != nullptr)
    return Error{ErrorCode::unsupported, file.file_offset(), "container", "LLVM's format only supports DXContainers"};
  return document::make_llvm(shader->family, shader->container);
}

bool is_llvm_document(const Value& document) { return document::is_llvm(document); }

Result<std::vector<std::byte>> build_llvm_document(const Value& container, const Value& rest) {
  return document::build_llvm(container, rest);
}

}  // namespace unshade::shader
