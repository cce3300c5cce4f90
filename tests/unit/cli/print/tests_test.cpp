// Outcomes of tests as JUnit's XML.
#include "cli/print/tests.hpp"

#include <gtest/gtest.h>

namespace unshade::cli::print {
namespace {

TEST(JUnit, EscapesWhatItTells) {
  TimedOutcome passed;
  passed.outcome.name = passed.outcome.file = "a.amber";
  passed.seconds = 0.25;
  TimedOutcome failed;
  failed.outcome = {"b&c.amber", "b&c.amber", suite::Status::failed, {}, {}, {{{3, 8}, "buffer <x>", "\"1\"", "2"}}, 1, 1, 0, {}, {}};
  TimedOutcome skipped;
  skipped.outcome = {"d.amber", "d.amber", suite::Status::skipped, "needs blending", {}, {}, 0, 0, 0, {}, {}};
  const TimedOutcome all[] = {passed, failed, skipped};
  EXPECT_EQ(junit(all),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "<testsuite name=\"unshade\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"0.250\">\n"
            "<testcase classname=\"unshade\" name=\"a.amber\" file=\"a.amber\" time=\"0.250\"/>\n"
            "<testcase classname=\"unshade\" name=\"b&amp;c.amber\" file=\"b&amp;c.amber\" time=\"0.000\">\n"
            "<failure message=\"buffer &lt;x&gt;: expected &quot;1&quot;, found 2\">"
            "b&amp;c.amber:3:8: buffer &lt;x&gt;: expected &quot;1&quot;, found 2</failure>\n</testcase>\n"
            "<testcase classname=\"unshade\" name=\"d.amber\" file=\"d.amber\" time=\"0.000\">\n<skipped message=\"needs blending\"/>\n"
            "</testcase>\n</testsuite>\n</testsuites>\n");
}

}  // namespace
}  // namespace unshade::cli::print
