// Outcomes of tests as JUnit's XML.
#include <unshade/present/tests.hpp>

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace unshade::present {
namespace {

TEST(JUnit, HasASuiteForEachFile) {
  TimedOutcome passed;
  passed.outcome.name = "a.toml: one";
  passed.outcome.file = "a.toml";
  passed.seconds = 0.25;
  TimedOutcome failed;
  failed.outcome = {"a.toml: b&c",
                    "a.toml",
                    suite::Status::failed,
                    {},
                    {},
                    {{{3, 8}, "buffer <x>", "\"1\"", "2"}, {{4, 8}, "no output", {}, {}}},
                    3,
                    3,
                    0,
                    {},
                    {},
                    {},
                    {}};
  TimedOutcome skipped;
  skipped.outcome = {"d.amber", "d.amber", suite::Status::skipped, "needs blending", {}, {}, 0, 0, 0, {}, {}, {}, {}};
  const TimedOutcome all[] = {passed, failed, skipped};
  EXPECT_EQ(
      junit(all),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "<testsuite name=\"a.toml\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0.250\">\n"
      "<testcase classname=\"a.toml\" name=\"one\" file=\"a.toml\" time=\"0.250\"/>\n"
      "<testcase classname=\"a.toml\" name=\"b&amp;c\" file=\"a.toml\" time=\"0.000\">\n"
      "<failure message=\"buffer &lt;x&gt;: expected &quot;1&quot;, found 2 (and 2 more)\">"
      "a.toml:3:8: buffer &lt;x&gt;: expected &quot;1&quot;, found 2&#10;a.toml:4:8: no output&#10;... and 1 more</failure>\n</testcase>\n"
      "</testsuite>\n"
      "<testsuite name=\"d.amber\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\" time=\"0.000\">\n"
      "<testcase classname=\"d.amber\" name=\"d.amber\" file=\"d.amber\" time=\"0.000\">\n<skipped message=\"needs blending\"/>\n"
      "</testcase>\n</testsuite>\n</testsuites>\n");
}

// src: XML 1.0, production 2
TEST(JUnit, HasNoCharacterThatXmlForbids) {
  TimedOutcome one;
  one.outcome.name = one.outcome.file = "\x01\xef\xbf\xbe\xef\xbf\xbf\xff\xef\xbf\xbd \xc3\xbc";
  const std::string text = junit(std::span(&one, 1));
  EXPECT_NE(text.find("name=\" \xef\xbf\xbd\xef\xbf\xbd\xc3\xbf\xef\xbf\xbd \xc3\xbc\""), std::string::npos) << text;
}

}  // namespace
}  // namespace unshade::present
