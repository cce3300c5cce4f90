// What watches a run: trace, breakpoints, profile, and values that were never set.
#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::vm {
namespace {

/// Lane k goes k + 1 rounds: instruction 2 counts, 3 is made of two operations, 4 stores.
constexpr std::string_view kRounds = R"(stage compute
info group_size 4 1 1
resource @out uav_byte_address dimension buffer register 0

function @main {
^0:
  %out = handle @out 0 !0.0
  %lane = builtin i32 lane !1.0
  jump ^1
^1:
  %i = phi i32 ^0 0 ^1 %next
  %next = iadd i32 %i 1 !2.0
  %twice = imul i32 %next 2 !3.0
  %more = ile i32 %next %lane !3.0
  branch %more ^1 ^2
^2:
  %last = phi i32 ^1 %twice
  %place = ishl i32 %lane 2 !4.0
  buffer_store i32 raw %out %place %last !4.0
  return
}
)";

struct Watched {
  struct Step {
    std::uint32_t instruction;
    std::uint64_t active;
    std::vector<std::uint64_t> values;  ///< of lane 3
    bool completes;
  };
  std::vector<Step> steps;
  std::vector<MisuseStep> misuse;
  std::size_t stop_after = ~std::size_t{0};
  std::vector<std::uint32_t> memory = std::vector<std::uint32_t>(4);
  Report report;

  static bool note(void* self, const TraceStep& step) {
    auto& watched = *static_cast<Watched*>(self);
    Step made{step.source.instruction, step.active[0], {}, step.completes};
    for (unsigned member = 0; member < step.results; ++member) made.values.push_back(step.values[member * TraceStep::kStride + 3]);
    watched.steps.push_back(std::move(made));
    return watched.steps.size() < watched.stop_after;
  }
  void run(std::string_view text, Observer observer) {
    auto module = ir::parse(text);
    ASSERT_TRUE(module) << to_string(module.error());
    const auto verified = ir::verify(std::move(*module));
    ASSERT_TRUE(verified.ok());
    const auto program = prepare(*verified.valid(), {.wave = 4});
    ASSERT_TRUE(program) << to_string(program.error());
    Resources resources = empty_resources(**verified.valid());
    resources.rows[0].resize(1);
    resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
    observer.self = this;
    const auto done = dispatch(*program, resources, {1, 1, 1}, {}, observer);
    ASSERT_TRUE(done);
    report = *done;
  }
};

TEST(Observe, BreakpointsAreHitEachTime) {
  Watched watched;
  Observer observer;
  observer.hit = Watched::note;
  observer.breakpoints = {false, false, true};
  watched.run(kRounds, observer);
  EXPECT_EQ(watched.report.stop, Stop::finished);
  ASSERT_EQ(watched.steps.size(), 4U);
  for (std::size_t round = 0; round < 4; ++round) {
    EXPECT_EQ(watched.steps[round].instruction, 2U);
    EXPECT_EQ(watched.steps[round].active, 0xfU << round & 0xfU);
    EXPECT_EQ(watched.steps[round].values, (std::vector<std::uint64_t>{round + 1}));
    EXPECT_TRUE(watched.steps[round].completes);
  }
  EXPECT_EQ(watched.memory, (std::vector<std::uint32_t>{2, 4, 6, 8}));
}

TEST(Observe, ABreakpointStopsBeforeTheNextOperation) {
  Watched watched;
  watched.stop_after = 2;
  Observer observer;
  observer.hit = Watched::note;
  observer.breakpoints = {false, false, false, false, true};
  watched.run(kRounds, observer);
  EXPECT_EQ(watched.report.stop, Stop::breakpoint);
  // the place and the store of the lanes that leave last; of those before nothing is missing
  ASSERT_EQ(watched.steps.size(), 2U);
  EXPECT_FALSE(watched.steps[0].completes);
  EXPECT_TRUE(watched.steps[1].completes);
  Watched earlier;
  earlier.stop_after = 1;
  earlier.run(kRounds, observer);
  EXPECT_EQ(earlier.report.stop, Stop::breakpoint);
  EXPECT_EQ(earlier.memory, (std::vector<std::uint32_t>{0, 0, 0, 0}));
}

TEST(Observe, OperationsOfAnInstructionFollowEachOther) {
  Watched watched;
  Observer observer;
  observer.trace = Watched::note;
  watched.run(kRounds, observer);
  std::vector<std::pair<std::uint32_t, bool>> first;
  for (std::size_t at = 0; at < 5 && at < watched.steps.size(); ++at)
    first.emplace_back(watched.steps[at].instruction, watched.steps[at].completes);
  EXPECT_EQ(first, (std::vector<std::pair<std::uint32_t, bool>>{{0, true}, {1, true}, {2, true}, {3, false}, {3, true}}));
}

TEST(Observe, BreakpointsAndProfileAndTraceGoTogether) {
  Watched watched;
  Profile profile;
  Observer observer;
  observer.profile = &profile;
  observer.hit = Watched::note;
  observer.breakpoints = {false, true};
  watched.run(kRounds, observer);
  EXPECT_EQ(watched.steps.size(), 1U);
  EXPECT_EQ(profile.waves, (std::vector<std::uint64_t>{1, 1, 4, 4, 1}));
  EXPECT_EQ(profile.lanes, (std::vector<std::uint64_t>{4, 4, 10, 10, 4}));
}

TEST(Observe, ASwitchMayHaveNoCase) {
  Watched watched;
  Profile profile;
  Observer observer;
  observer.profile = &profile;
  watched.run(R"(stage compute
info group_size 4 1 1
resource @out uav_byte_address dimension buffer register 0

function @main {
^0:
  %out = handle @out 0 !0.0
  %lane = builtin i32 lane !1.0
  switch i32 %lane ^1 !2.0
^1:
  %place = ishl i32 %lane 2 !3.0
  buffer_store i32 raw %out %place 7 !3.0
  return
}
)",
              observer);
  EXPECT_EQ(watched.report.stop, Stop::finished);
  EXPECT_EQ(watched.memory, (std::vector<std::uint32_t>{7, 7, 7, 7}));
  EXPECT_EQ(profile.lanes, (std::vector<std::uint64_t>{4, 4, 0, 4}));
}

TEST(Observe, WhatWasNeverSetIsFoundWhereItDecides) {
  Watched watched;
  Observer observer;
  observer.misuse = [](void* self, const MisuseStep& step) { static_cast<Watched*>(self)->misuse.push_back(step); };
  watched.run(R"(stage compute
info group_size 4 1 1
resource @out uav_byte_address dimension buffer register 0

function @main {
^0:
  %out = handle @out 0 !0.0
  %lane = builtin i32 lane !1.0
  %odd = iand i32 %lane 1 !2.0
  %is_odd = ine i32 %odd 0 !2.0
  %some = select i32 %is_odd undef:i32 7 !3.0
  %sum = iadd i32 %some 1 !4.0
  buffer_store i32 raw %out 0 %sum !5.0
  %far = iadd i32 %lane 100 !6.0
  buffer_store i32 raw %out %far 1 !7.0
  return
}
)",
              observer);
  ASSERT_EQ(watched.misuse.size(), 2U);
  EXPECT_EQ(watched.misuse[0].what, Misuse::undefined);
  EXPECT_EQ(watched.misuse[0].source.instruction, 5U);
  EXPECT_EQ(watched.misuse[0].lanes[0], 0b1010U);
  EXPECT_EQ(watched.misuse[1].what, Misuse::out_of_bounds);
  EXPECT_EQ(watched.misuse[1].source.instruction, 7U);
  EXPECT_EQ(watched.misuse[1].lanes[0], 0b1111U);
}

// A load that is the same for all lanes is made before the program, whether or not its branch is taken.
TEST(Observe, AccessesOutOfBoundsAreThoseThatRun) {
  constexpr std::string_view kText = R"(stage compute
info group_size 4 1 1
resource @out uav_byte_address dimension buffer register 0
resource @params cbuffer register 0

function @main {
^0:
  %out = handle @out 0 !0.0
  %params = handle @params 0 !0.0
  %lane = builtin i32 lane !1.0
  %above = ult i32 $, %lane !2.0
  branch %above ^1 ^2
^1:
  %read = cbuffer_load i32 %params 400 !3.0
  buffer_store i32 raw %out 0 %read !4.0
  jump ^2
^2:
  return
}
)";
  for (const bool reaches : {false, true}) {
    std::string text(kText);
    text.replace(text.find("$,"), 2, reaches ? "0" : "100");
    Watched watched;
    Observer observer;
    observer.misuse = [](void* self, const MisuseStep& step) { static_cast<Watched*>(self)->misuse.push_back(step); };
    watched.run(text, observer);
    ASSERT_EQ(watched.misuse.size(), reaches ? 1U : 0U);
    if (reaches) {
      EXPECT_EQ(watched.misuse[0].source.instruction, 3U);
    }
  }
}

}  // namespace
}  // namespace unshade::vm
