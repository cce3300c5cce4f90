#include "vm/messages/log.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>

#include "support/ir.hpp"

namespace unshade::vm {
namespace {

using messages::Log;

Program program_of(std::string_view text, unsigned wave, unsigned level = 1) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  const auto valid = test::optimized(std::move(*module), level);
  EXPECT_TRUE(valid) << to_string(valid.error());
  auto program = prepare(*valid, {.wave = wave});
  EXPECT_TRUE(program) << to_string(program.error());
  return *program;
}

// `group:lane text`, a line each; then how many more there were.
std::string shown(const Program& program, const Report& report) {
  std::string made;
  for (const Printed& one : report.messages) {
    made += std::to_string(one.group[0]) + '.' + std::to_string(one.group[1]) + ':' + std::to_string(one.lane) + ' ';
    made += text_of(program.module(), one) + '\n';
  }
  return made + (report.more_messages != 0 ? '+' + std::to_string(report.more_messages) : "");
}

std::string printed(std::string_view text, unsigned wave, std::array<std::uint32_t, 3> groups, std::size_t most, unsigned threads = 1,
                    const Observer& observer = {}) {
  const Program program = program_of(text, wave);
  Resources resources = empty_resources(program.module());
  const auto report = dispatch(program, resources, groups, {.messages = most}, observer, {.threads = threads});
  EXPECT_TRUE(report);
  return report ? shown(program, *report) : "";
}

// Lanes of odd numbers print in a loop, as often as their number; all print before and after it.
constexpr std::string_view kDivergent = R"(stage compute
info group_size 8 4 1
message @0 printf text "begin %u" types 1 i32
message @1 printf text "round %u of %u" types 2 i32 i32
message @2 errorf text "end %.1f" types 1 f64

function @main {
^0:
  %lane = builtin i32 local_index
  print @0 %lane
  %bit = iand i32 %lane 1
  %odd = ieq i32 %bit 1
  branch %odd ^1 ^4
^1:
  jump ^2
^2: merge ^4 continue ^3
  %i = phi i32 ^1 0 ^3 %next
  %less = ult i32 %i %lane
  branch %less ^3 ^4
^3:
  print @1 %i %lane
  %next = iadd i32 %i 1
  jump ^2
^4:
  %d = u_to_f f64 %lane
  print @2 %d
  return
}
)";

std::string expected_of(std::uint32_t groups, std::size_t most) {
  std::string made;
  std::size_t count = 0;
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const auto line = [&](const std::string& text) {
        if (count++ < most) made += std::to_string(group) + ".0:" + std::to_string(lane) + ' ' + text + '\n';
      };
      line("begin " + std::to_string(lane));
      for (unsigned round = 0; lane % 2 == 1 && round < lane; ++round)
        line("round " + std::to_string(round) + " of " + std::to_string(lane));
      line("end " + std::to_string(lane) + ".0");
    }
  }
  return made + (count > most ? '+' + std::to_string(count - most) : "");
}

TEST(VmMessages, StandByLaneWhateverTheWave) {
  for (const unsigned wave : {4U, 8U, 32U, 64U}) {
    EXPECT_EQ(printed(kDivergent, wave, {3, 1, 1}, 5000), expected_of(3, 5000)) << wave;
    for (const std::size_t most : {1U, 33U, 500U}) EXPECT_EQ(printed(kDivergent, wave, {3, 1, 1}, most), expected_of(3, most)) << wave;
  }
}

TEST(VmMessages, StandByLaneWhateverTheThreads) {
  for (const unsigned threads : {2U, 3U, 8U}) {
    for (const std::size_t most : {700U, 20'000U})
      EXPECT_EQ(printed(kDivergent, 16, {40, 1, 1}, most, threads), expected_of(40, most)) << threads;
  }
}

// The watched build of the loop.
TEST(VmMessages, ArePrintedWhereRunsAreWatched) {
  Profile profile;
  Observer observer;
  observer.profile = &profile;
  EXPECT_EQ(printed(kDivergent, 16, {2, 1, 1}, 100, 1, observer), expected_of(2, 100));
}

TEST(VmMessages, AreNotCountedUnlessAskedFor) { EXPECT_EQ(printed(kDivergent, 16, {2, 1, 1}, 0), ""); }

// Waves of a group that take turns at barriers.
TEST(VmMessages, StandByLaneAcrossBarriers) {
  constexpr std::string_view kBarrier = R"(stage compute
info group_size 16 1 1
message @0 printf text "before %u" types 1 i32
message @1 printf text "after %u" types 1 i32

function @main {
^0:
  %lane = builtin i32 local_index
  print @0 %lane
  barrier sync_group
  jump ^1
^1:
  print @1 %lane
  return
}
)";
  std::string all;
  for (unsigned lane = 0; lane < 16; ++lane)
    for (const char* const text : {"before ", "after "}) all += "0.0:" + std::to_string(lane) + ' ' + text + std::to_string(lane) + '\n';
  EXPECT_EQ(printed(kBarrier, 4, {1, 1, 1}, 100), all);
  EXPECT_EQ(printed(kBarrier, 4, {1, 1, 1}, 3), "0.0:0 before 0\n0.0:0 after 0\n0.0:1 before 1\n+29");
}

// Groups stand by z, then y, then x.
TEST(VmMessages, StandByGroup) {
  constexpr std::string_view kGroups = R"(stage compute
message @0 printf text "x"

function @main {
^0:
  print @0
  return
}
)";
  EXPECT_EQ(printed(kGroups, 4, {2, 2, 1}, 100), "0.0:0 x\n1.0:0 x\n0.1:0 x\n1.1:0 x\n");
}

// Lanes that began as helpers, and those that became one.
TEST(VmMessages, HelperLanesPrintNothing) {
  constexpr std::string_view kPixel = R"(stage pixel
input "A" type f32 register 0 columns 1
message @0 printf text "before %g" types 1 f32
message @1 printf text "after %g %g" types 2 f32 f32

function @main {
^0:
  %a = input f32 in0.x
  print @0 %a
  %kill = feq f32 %a 2.0
  demote %kill
  %x = ddx f32 %a
  print @1 %a %x
  return
}
)";
  const Program program = program_of(kPixel, 16);
  Resources resources = empty_resources(program.module());
  Lanes lanes;
  lanes.count = 4;
  lanes.inputs = {0x3f80'0000, 0x4000'0000, 0x4040'0000, 0x4080'0000};  // 1 to 4
  lanes.helper = {false, false, true, false};
  const auto report = run_lanes(program, resources, lanes, {.messages = 10});
  ASSERT_TRUE(report);
  EXPECT_EQ(shown(program, *report), "0.0:0 before 1\n0.0:0 after 1 1\n0.0:1 before 2\n0.0:3 before 4\n0.0:3 after 4 1\n");
}

// An endless loop prints until the budget ends it.
TEST(VmMessages, AreBoundedInALoop) {
  constexpr std::string_view kEndless = R"(stage compute
info group_size 4 1 1
message @0 printf text "again %d" types 1 i32

function @main {
^0:
  jump ^1
^1: merge ^2 continue ^1
  %i = phi i32 ^0 0 ^1 %next
  print @0 %i
  %next = iadd i32 %i 1
  %go_on = ine i32 %next 0
  branch %go_on ^1 ^2
^2:
  return
}
)";
  const Program program = program_of(kEndless, 4);
  Resources resources = empty_resources(program.module());
  const auto report = dispatch(program, resources, {1, 1, 1}, {.operations = 100'000, .messages = 10});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->stop, Stop::budget);
  EXPECT_EQ(report->messages.size(), 10U);
  EXPECT_EQ(text_of(program.module(), report->messages.back()), "again 9");
  EXPECT_EQ(report->messages.back().lane, 0U);
  EXPECT_GT(report->more_messages, 1000U);
}

Printed made(std::uint32_t lane, std::uint64_t value) {
  Printed printed;
  printed.lane = lane;
  printed.values = {value};
  return printed;
}

// Whatever order lanes print in, the same ones are kept.
TEST(MessageLog, KeepsAPrefixByLane) {
  for (const bool backwards : {false, true}) {
    Log log(5);
    for (std::uint32_t k = 0; k < 8; ++k) {
      const std::uint32_t lane = backwards ? 7 - k : k;
      for (std::uint64_t value = 0; value < 2; ++value)
        if (log.count({0, 0, 0}, lane)) log.keep(made(lane, value), 1);
    }
    Report report;
    log.move_to(report);
    std::string text;
    for (const Printed& one : report.messages) text += std::to_string(one.lane) + std::to_string(one.values[0]) + ' ';
    EXPECT_EQ(text, "00 01 10 11 20 ");
    EXPECT_EQ(report.more_messages, 11U);
  }
}

TEST(MessageLog, IsBoundedInBytes) {
  Log log(1'000'000);
  std::uint64_t offered = 0;
  for (std::uint32_t lane = 20'000; lane-- > 0;) {
    if (!log.count({0, 0, 0}, lane)) continue;
    log.keep(made(lane, lane), 1000);
    ++offered;
  }
  EXPECT_EQ(offered, 20'000U);
  Report report;
  log.move_to(report);
  EXPECT_LE(report.messages.size(), Log::kMostBytes / 1000);
  ASSERT_GT(report.messages.size(), Log::kMostBytes / 1200);
  for (std::size_t at = 0; at < report.messages.size(); ++at) ASSERT_EQ(report.messages[at].lane, at);
  EXPECT_EQ(report.messages.size() + report.more_messages, 20'000U);
}

// Two halves of a run give what the whole gives; a message that the first dropped is followed by none of the second.
TEST(MessageLog, AddsOthers) {
  Log all(100), first(3), second(3);
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    if (first.count({0, 0, 0}, lane)) first.keep(made(lane, 0), 1);
  }
  for (std::uint32_t lane = 4; lane < 6; ++lane) {
    if (second.count({0, 0, 0}, lane)) second.keep(made(lane, 0), 1);
  }
  all.add(std::move(first));
  all.add(std::move(second));
  EXPECT_FALSE(all.count({0, 0, 0}, 7));
  Report report;
  all.move_to(report);
  EXPECT_EQ(report.messages.size(), 3U);
  EXPECT_EQ(report.more_messages, 4U);
}

}  // namespace
}  // namespace unshade::vm
