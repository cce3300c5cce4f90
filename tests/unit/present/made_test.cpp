// JSON of files that were made. What verbs write is in tests/golden/cli.
#include <unshade/present/made.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unshade::present {
namespace {

template <class Write>
std::string written(Write write) {
  MemoryStream stream;
  Printer printer(stream, false);
  Json json(printer, Json::Layout::compact);
  write(json);
  printer.flush();
  return stream.text;
}

std::string shown(const EditedFile& edited) {
  return written([&](Json& json) { write_edited(edited, json); });
}

TEST(MadeFiles, AnEditIsAFaultOrAReasonOrAFile) {
  EditedFile edited;
  edited.file = "a.cso";
  edited.family = "dxbc";
  edited.changed = true;
  edited.size_before = 3;
  edited.size = 1;
  edited.notes = {"so"};
  edited.bytes = {std::byte{0xab}};
  EXPECT_EQ(shown(edited), R"({"file":"a.cso","family":"dxbc","changed":true,"size_before":3,"size":1,"notes":["so"],"bytes":"ab"})");
  edited.output = "b.cso";
  EXPECT_EQ(shown(edited), R"({"file":"a.cso","family":"dxbc","changed":true,"size_before":3,"size":1,"notes":["so"],"output":"b.cso"})");
  edited.skipped = "why";
  EXPECT_EQ(shown(edited), R"({"file":"a.cso","family":"dxbc","skipped":"why"})");
  edited.error = Error{ErrorCode::missing, 4, "RTS0", "none"};
  EXPECT_EQ(shown(edited), R"({"file":"a.cso","family":"dxbc","error":{"code":"missing","offset":4,"path":"RTS0","message":"none"}})");
}

TEST(MadeFiles, AProgramIsOfAFamilyOrHasExecutables) {
  const std::vector<std::byte> bytes = {std::byte{1}};
  const MadeProgram program{bytes, "spirv"};
  EXPECT_EQ(written([&](Json& json) { write_assembled({}, &program, json); }),
            R"({"schema":"unshade.as/1","ok":true,"messages":[],"program":{"family":"spirv","size":1,"bytes":"01"}})"
            "\n");
  EXPECT_EQ(written([](Json& json) { write_assembled({}, nullptr, json); }),
            R"({"schema":"unshade.as/1","ok":false,"messages":[],"program":null})"
            "\n");
  pica::Shbin shbin;
  shbin.executables.emplace_back().end_words = 2;
  const std::vector<std::string> files = {"a.shbin"};
  EXPECT_EQ(written([&](Json& json) { write_linked(files, {bytes, {}, &shbin}, json); }),
            R"({"schema":"unshade.link/1","files":["a.shbin"],"program":{"size":1,"words":0,"descriptors":0,"executables":[)"
            R"({"stage":"vertex","entry":0,"end":2}],"bytes":"01"}})"
            "\n");
}

}  // namespace
}  // namespace unshade::present
