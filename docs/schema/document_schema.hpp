// The JSON Schema of documents.
#pragma once

#include <string>
#include <string_view>

namespace unshade::docs {

/// docs/reference/json/document.schema.json, by the descriptions.
std::string document_schema();

/// What no description says: the frame of documents and how values stand, up to the last definition of that kind.
extern const std::string_view kDocumentSchemaHead;

}  // namespace unshade::docs
