// What proves that source code is what a binary was: names of resources, directions of branches.
#include <unshade/suite/equivalence.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/run/run.hpp>

namespace unshade::suite {
namespace {

run::Runnable made_of(const std::string& text) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  auto made = run::prepare(std::move(*module));
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

Equivalence compared(const std::string& a, const std::string& b, bool covers = false) {
  const run::Runnable first = made_of(a), second = made_of(b);
  EquivalenceOptions options;
  options.random = 16;
  options.covers = covers;
  auto done = compare({"a", first}, {"b", second}, Value::map(), options);
  EXPECT_TRUE(done) << to_string(done.error());
  return *done;
}

/// Adds 1 to the words of a buffer.
std::string counts(const std::string& name, const std::string& place) {
  return "stage compute\ninfo group_size 64 1 1\nresource @0 \"" + name + "\" uav_structured dimension buffer register " + place +
         " stride 4\nfunction @main {\n^0:\n  %h = handle @0 0\n  %i = builtin i32 thread_id.x\n  %v = buffer_load i32 structured offset "
         "%h %i 0\n  %w = iadd i32 %v 1\n"
         "  buffer_store i32 structured offset %h %i 0 %w\n  return\n}\n";
}

// Source code has no `$` in names.
TEST(Equivalence, OfResourcesThatSourceCodeCallsByOtherNames) {
  EXPECT_TRUE(compared(counts("$numbers", "0"), counts("_numbers", "3")).equal());
  EXPECT_TRUE(compared(counts("_numbers", "3"), counts("$numbers", "0")).equal());
  EXPECT_FALSE(compared(counts("$numbers", "0"), counts("numbers", "3")).mismatches.empty());
  EXPECT_FALSE(compared(counts("numbers", "0"), counts("_numbers", "3")).mismatches.empty());
}

// Source that was compiled for Vulkan may call a resource otherwise: its binding tells which it is.
TEST(Equivalence, OfResourcesWhoseRegistersBecameBindings) {
  const run::Runnable first = made_of(counts("output", "3")), second = made_of(counts("output_a2", "387")),
                      other = made_of(counts("output_a2", "3"));
  EquivalenceOptions options;
  options.random = 4;
  options.source = SourceBindings{.uavs = 384};
  const auto with = [&](const run::Runnable& text) {
    auto done = compare({"a", first}, {"b", text}, Value::map(), options);
    EXPECT_TRUE(done) << to_string(done.error());
    return *done;
  };
  EXPECT_TRUE(with(second).equal());
  EXPECT_FALSE(with(other).mismatches.empty());
}

// Directions that a lane went.
TEST(Equivalence, CountsTheDirectionsOfBranches) {
  const auto below = [](const std::string& limit) {
    return "stage pixel\ninput \"TEXCOORD\" type f32 register 0 columns 1\noutput \"SV_Target\" type f32 register 0 columns 1\n"
           "function @main {\n^0:\n  %x = input f32 in0.x !0\n  %c = flt f32 %x " +
           limit + " !1\n  branch %c ^1 ^2 !2\n^1:\n  output f32 out0.x 1.0 !3\n  return\n^2:\n  output f32 out0.x 2.0 !4\n  return\n}\n";
  };
  EXPECT_EQ(compared(below("0.5"), below("0.5")).ways, 0U);
  const Equivalence both = compared(below("0.5"), below("0.5"), true);
  EXPECT_TRUE(both.equal());
  EXPECT_EQ(both.ways, 2U);
  EXPECT_EQ(both.taken, 2U);
  const Equivalence one = compared(below("-inf"), below("-inf"), true);
  EXPECT_EQ(one.ways, 2U);
  EXPECT_EQ(one.taken, 1U);
  // of the sets until the first difference
  EXPECT_EQ(compared(below("0.5"), below("0.25"), true).ways, 2U);
}

}  // namespace
}  // namespace unshade::suite
