// The schemas of the JSON that unshade writes and reads: the rows of <unshade/present/schemas.def>.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/present/json.hpp>

namespace unshade::present {

enum class Schema : std::uint8_t {
#define UNSHADE_SCHEMA(id, name, version, verb, c, summary) id,
#include <unshade/present/schemas.def>
#undef UNSHADE_SCHEMA
};

/// A row.
struct SchemaRow {
  Schema schema;
  std::string_view name;     ///< `diff-folders`: docs/reference/json/diff-folders.schema.json
  std::string_view id;       ///< `unshade.diff-folders/1`; empty for what has no member `schema`
  std::string_view verb;     ///< `index --stats`; empty: any verb
  std::string_view summary;  ///< a line
};
/// All, in the order of Schema.
std::span<const SchemaRow> schemas();

/// What the member `schema` of a document says: `unshade.info/1`.
std::string_view schema_id(Schema schema);

/// Opens a document: `{"schema": "unshade.info/1"`.
void begin_document(Schema schema, Json& json);
/// Closes it.
void end_document(Json& json);

}  // namespace unshade::present
