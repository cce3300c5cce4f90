// The pairs of two versions of a program as JSON.
#include <unshade/present/matches.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unshade::test {
namespace {

TEST(Matches, NameWhatIsNew) {
  const std::vector<std::string> before = {"a", "b"}, after = {"x", "y"};
  const std::vector<find::Match> matches = {{{{1, find::MatchKind::alike, 0.759}}, true}, {}};
  const present::MatchedFiles files{before, after, matches, [](const find::Match& one) { return !one.counterparts.empty(); }};
  EXPECT_EQ(counterparts(files), (std::vector<bool>{false, true}));
  present::MemoryStream text;
  present::Printer out(text, false);
  present::Json json(out, present::Json::Layout::compact);
  write_matches(files, {}, json);
  out.flush();
  EXPECT_EQ(text.text,
            "{\"schema\":\"unshade.match/1\",\"matches\":[{\"before\":\"a\",\"kind\":\"alike\",\"ambiguous\":true,\"counterparts\":"
            "[{\"after\":\"y\",\"kind\":\"alike\",\"percent\":75}]}],\"only_after\":[\"x\"]}\n");
}

}  // namespace
}  // namespace unshade::test
