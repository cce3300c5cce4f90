#include "ir/entry.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace unshade::ir {
namespace {

std::string meant(std::string_view name, const std::vector<NamedEntry>& all, Stage stage = Stage::none) {
  const auto found = entry_named(all, name, stage, "entries");
  return found ? std::to_string(*found) : to_string(found.error());
}

TEST(Entry, IsNamedByItsNameOrWithItsStage) {
  const std::vector<NamedEntry> all{{"main", Stage::vertex}, {"main", Stage::pixel}, {"other", Stage::pixel}, {"a:b", Stage::compute}};
  EXPECT_EQ(meant("", all), "0");
  EXPECT_EQ(meant("main:pixel", all), "1");
  EXPECT_EQ(meant("other", all), "2");
  EXPECT_EQ(meant("other:pixel", all), "2");
  EXPECT_EQ(meant("a:b", all), "3");
  EXPECT_EQ(meant("main", all),
            "error[bad-value]: entries: several entry points are called `main`; name one with its stage: `main:vertex`, `main:pixel`");
  EXPECT_EQ(meant("other:vertex", all), "error[missing]: entries: the module has no entry point `other:vertex`");
  EXPECT_EQ(meant("", all, Stage::pixel), "1");
  EXPECT_EQ(meant("", all, Stage::compute), "3");
  EXPECT_EQ(meant("", all, Stage::hull), "0");
  EXPECT_EQ(meant("other", all, Stage::vertex), "2");
  EXPECT_EQ(meant("", {}, Stage::pixel), "error[missing]: entries: the module has no entry point");
  EXPECT_EQ(meant("", {}), "error[missing]: entries: the module has no entry point");
  EXPECT_EQ(meant("main", {}), "error[missing]: entries: the module has no entry point");
}

}  // namespace
}  // namespace unshade::ir
