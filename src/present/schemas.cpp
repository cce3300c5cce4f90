#include <unshade/present/schemas.hpp>

#include <cstddef>
#include <iterator>

#include <unshade/shader/document.hpp>

namespace unshade::present {

namespace {

constexpr std::string_view id_of(unsigned version, std::string_view id) { return version == 0 ? std::string_view{} : id; }

constexpr SchemaRow kSchemaRows[] = {
#define UNSHADE_SCHEMA(id, name, version, verb, c, summary) {Schema::id, name, id_of(version, "unshade." name "/" #version), verb, summary},
#include <unshade/present/schemas.def>
#undef UNSHADE_SCHEMA
};

constexpr const SchemaRow& row_of(Schema schema) { return kSchemaRows[static_cast<std::size_t>(schema)]; }

constexpr bool has_names_once() {
  for (std::size_t at = 0; at < std::size(kSchemaRows); ++at)
    for (std::size_t before = 0; before < at; ++before)
      if (kSchemaRows[before].name == kSchemaRows[at].name) return false;
  return true;
}
static_assert(has_names_once());
// shader writes and reads documents of files, and stands below this room.
static_assert(row_of(Schema::document).id == shader::kDocumentSchema);

}  // namespace

std::span<const SchemaRow> schemas() { return kSchemaRows; }

std::string_view schema_id(Schema schema) { return row_of(schema).id; }

void begin_document(Schema schema, Json& json) {
  json.begin_object();
  json.member("schema", schema_id(schema));
}

void end_document(Json& json) {
  json.end_object();
  json.finish();
}

}  // namespace unshade::present
