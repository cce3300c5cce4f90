// SARIF as others than the command may write it.
#include <unshade/present/sarif.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unshade::test {
namespace {

std::string sarif(const present::SarifTool& tool, const std::vector<present::FileFindings>& files) {
  present::MemoryStream stream;
  present::Printer printer(stream, false);
  present::Json json(printer, present::Json::Layout::compact);
  present::write_sarif(tool, files, {}, {}, json);
  printer.flush();
  return stream.text;
}

TEST(SarifDocument, NamesTheFolderOfRelativeNamesIfItIsKnown) {
  constexpr Rule kRule{"a.rule", Severity::warning, "It must hold."};
  const std::vector<present::FileFindings> files{{"b c.cso", {{&kRule, 16, "SHEX", "found 2"}}}};
  const std::string known = sarif({"1.2", "https://x.invalid/rules", "/home/me"}, files);
  EXPECT_NE(known.find(R"("originalUriBaseIds":{"%SRCROOT%":{"uri":"file:///home/me/"}})"), std::string::npos) << known;
  EXPECT_NE(known.find(R"("artifactLocation":{"uri":"b%20c.cso","uriBaseId":"%SRCROOT%"})"), std::string::npos) << known;
  EXPECT_NE(known.find(R"~("text":"SHEX: found 2 (at 0x10)")~"), std::string::npos) << known;
  EXPECT_NE(known.find(R"("version":"1.2","informationUri":"https://x.invalid/rules")"), std::string::npos) << known;
  const std::string unknown = sarif({"1.2", "https://x.invalid/rules", ""}, files);
  EXPECT_EQ(unknown.find("originalUriBaseIds"), std::string::npos) << unknown;
}

}  // namespace
}  // namespace unshade::test
