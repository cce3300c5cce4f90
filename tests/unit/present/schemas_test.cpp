// The table of schemas, and what documents have in common.
#include <unshade/present/schemas.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/present/files.hpp>

namespace unshade::test {
namespace {

using present::Schema;

template <class Write>
std::string written(Write write) {
  present::MemoryStream stream;
  present::Printer printer(stream, false);
  present::Json json(printer, present::Json::Layout::compact);
  write(json);
  printer.flush();
  return stream.text;
}

TEST(Schemas, HaveTheIdsOfTheirRows) {
  EXPECT_EQ(present::schema_id(Schema::info), "unshade.info/1");
  EXPECT_EQ(present::schema_id(Schema::diff_folders), "unshade.diff-folders/1");
  EXPECT_EQ(present::schema_id(Schema::case_), "") << "cases have no member schema";
  for (const present::SchemaRow& row : present::schemas()) {
    EXPECT_EQ(present::schema_id(row.schema), row.id);
    EXPECT_FALSE(row.summary.empty() || row.summary.ends_with('.')) << row.name;
    EXPECT_EQ(row.summary.find_first_of("|\n"), std::string_view::npos) << "it is a cell of a table in docs/reference/json.md";
  }
}

TEST(Schemas, BeginDocuments) {
  EXPECT_EQ(written([](present::Json& json) {
              present::begin_document(Schema::rules, json);
              present::end_document(json);
            }),
            "{\"schema\":\"unshade.rules/1\"}\n");
}

TEST(Schemas, DocumentsOfFilesRepeatFaults) {
  EXPECT_EQ(written([](present::Json& json) {
              present::begin_files(json, Schema::dis);
              present::end_files(json);
            }),
            "{\"schema\":\"unshade.dis/1\",\"files\":[]}\n");
  const std::vector<present::Fault> faults{{"a.cso", "io", {}, "ignored", "no such file"}, {"b.cso", "bad-value", 4, "SHEX", "found 3"}};
  const std::string errors = R"("errors":[{"file":"a.cso","id":"io","message":"no such file"},)"
                             R"({"file":"b.cso","id":"bad-value","offset":4,"path":"SHEX","message":"found 3"}])";
  EXPECT_EQ(written([&](present::Json& json) {
              present::begin_files(json, Schema::dis);
              present::end_files(json, faults);
            }),
            "{\"schema\":\"unshade.dis/1\",\"files\":[]," + errors + "}\n");
  EXPECT_EQ(written([&](present::Json& json) { present::write_errors(faults, json); }),
            "{\"schema\":\"unshade.error/1\"," + errors + "}\n");
}

}  // namespace
}  // namespace unshade::test
