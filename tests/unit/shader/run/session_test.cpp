#include <unshade/shader/session.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace unshade::shader {
namespace {

struct Recorded {
  std::vector<std::byte> bytes;
  Result<Session> session = Session();

  explicit Recorded(const char* name, const SessionOptions& options = {}, const Value& given = Value::map())
      : bytes(test::read_bytes(test::source_dir() / "tests/data" / name)) {
    const auto opened = open(View(bytes));
    EXPECT_TRUE(opened);
    session = Session::record(*opened, given, options);
    EXPECT_TRUE(session) << name << ' ' << to_string(session.error());
  }
  Session& operator*() { return *session; }
  Session* operator->() { return &*session; }
};

bool same(const std::vector<Session::Register>& a, const std::vector<Session::Register>& b) {
  return std::ranges::equal(a, b, [](const Session::Register& x, const Session::Register& y) {
    return x.name == y.name && x.changed == y.changed &&
           std::ranges::equal(x.numbers, y.numbers, [](const auto& m, const auto& n) { return m.kind == n.kind && m.bits == n.bits; });
  });
}

std::string line_of(const Session& session, const std::vector<std::byte>& bytes) {
  Text text;
  EXPECT_TRUE(disassemble(*open(View(bytes)), text));
  std::string_view rest = text.view();
  for (std::uint32_t line = session.line(); line > 1; --line) rest.remove_prefix(rest.find('\n') + 1);
  return std::string(rest.substr(0, rest.find('\n')));
}

TEST(Session, StepsForwardAndBackThroughTheSameStates) {
  for (const char* name :
       {"dxbc/lit_vs_5_0.dxbc", "dxbc/control_ps_4_0.dxbc", "dxil/bitonic_cs_6_0.dxil", "pica/control.v.shbin", "vbc/textured.vbc"}) {
    Recorded recorded(name);
    Session& session = *recorded;
    ASSERT_TRUE(session.is_whole()) << name;
    ASSERT_GT(session.steps(), 3U) << name;
    std::vector<std::vector<Session::Register>> states;
    const std::size_t most = std::min<std::size_t>(session.steps(), 40);
    for (std::size_t at = 0; at <= most; ++at) {
      session.seek(at);
      states.push_back(session.registers());
      if (session.at_end()) continue;
      // the text of the instruction is in its line of the listing
      EXPECT_NE(session.line(), 0U) << name << ' ' << session.text();
      EXPECT_NE(line_of(session, recorded.bytes).find(session.text()), std::string::npos) << name << ' ' << session.text();
      EXPECT_NE(session.active()[0], 0U);
      EXPECT_FALSE(session.function().empty()) << name;
    }
    EXPECT_TRUE(states[0].empty());
    EXPECT_FALSE(states[most].empty());
    for (std::size_t at = most + 1; at-- > 0;) {
      session.seek(at);
      EXPECT_TRUE(same(session.registers(), states[at])) << name << ' ' << at;
    }
  }
}

TEST(Session, MarksWhatTheLastStepChanged) {
  Recorded recorded("dxbc/lit_vs_5_0.dxbc");
  Session& session = *recorded;
  for (std::size_t at = 1; at <= session.steps(); ++at) {
    session.seek(at - 1);
    const std::string text(session.text());
    session.seek(at);
    for (const Session::Register& one : session.registers()) {
      if (!one.changed) continue;
      const std::string name(one.name.substr(0, one.name.find('.')));
      EXPECT_NE(text.find(name), std::string::npos) << text << " changed " << one.name;
    }
  }
}

TEST(Session, RunsToLines) {
  Recorded recorded("dxbc/control_ps_4_0.dxbc");
  Session& session = *recorded;
  session.seek(session.steps() / 2);
  const std::uint32_t line = session.line();
  session.seek(0);
  const std::uint32_t lines[] = {line};
  ASSERT_TRUE(session.run_to(lines));
  EXPECT_EQ(session.line(), line);
  const std::size_t first = session.position();
  std::size_t last = first;
  while (session.run_to(lines)) last = session.position();
  EXPECT_TRUE(session.at_end());
  ASSERT_TRUE(session.run_to(lines, true));
  EXPECT_EQ(session.position(), last);
  while (session.run_to(lines, true)) EXPECT_GE(session.position(), first);
  EXPECT_EQ(session.position(), 0U);
}

TEST(Session, GoesOverLoops) {
  Recorded recorded("dxbc/control_ps_4_0.dxbc");
  Session& session = *recorded;
  std::size_t moves = 0;
  std::uint32_t instruction = session.instruction();
  for (; !session.at_end(); ++moves) {
    session.over();
    if (session.at_end()) break;
    EXPECT_GT(session.instruction(), instruction);
    instruction = session.instruction();
  }
  EXPECT_LT(moves, session.steps());  // there is a loop
}

TEST(Session, FollowsOtherWaves) {
  SessionOptions options;
  options.run.wave = 16;
  Recorded recorded("dxil/bitonic_cs_6_0.dxil", options);
  Session& session = *recorded;
  ASSERT_GT(session.waves().size(), 1U);
  session.seek(5);
  ASSERT_TRUE(session.follow(1));
  EXPECT_EQ(session.position(), 0U);
  EXPECT_EQ(session.waves()[1].wave, 1U);
  EXPECT_GT(session.steps(), 0U);
  EXPECT_FALSE(session.follow(session.waves().size()));
  EXPECT_EQ(session.followed(), 1U);
}

// Moves with a lane stop where it is active, and nowhere else.
TEST(Session, FollowsALane) {
  bool diverges = false;
  for (const char* name : {"dxbc/control_ps_4_0.dxbc", "dxil/bitonic_cs_6_0.dxil", "pica/control.v.shbin"}) {
    Recorded recorded(name);
    Session& session = *recorded;
    const auto is_active = [&](std::uint32_t lane) { return (session.active()[lane / 64] >> (lane % 64) & 1) != 0; };
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      std::vector<std::size_t> expected;
      for (std::size_t at = 0; at < session.steps(); ++at) {
        session.seek(at);
        if (is_active(lane)) expected.push_back(at);
      }
      diverges = diverges || expected.size() < session.steps();
      session.seek(0);
      session.follow_lane(lane);
      EXPECT_EQ(session.lane(), lane);
      std::vector<std::size_t> stops;
      if (!expected.empty() && expected.front() == 0) stops.push_back(0);
      while (session.move(1) && !session.at_end()) stops.push_back(session.position());
      EXPECT_EQ(stops, expected) << name << ", lane " << lane;
      EXPECT_TRUE(session.at_end());
      EXPECT_FALSE(session.move(1));

      std::vector<std::size_t> back;
      while (session.move(-1)) back.push_back(session.position());
      std::ranges::reverse(back);
      EXPECT_EQ(back, expected) << name << ", lane " << lane;
      EXPECT_EQ(session.position(), 0U);

      // what is marked was changed by the lane's own last step
      session.seek(0);
      ASSERT_TRUE(session.move(static_cast<std::int64_t>(expected.size()) - 1)) << name;
      const auto now = session.registers();
      const std::size_t before_last = expected[expected.size() - 2];
      session.seek(before_last + 1);
      const auto then = session.registers();
      for (const Session::Register& one : now) {
        const auto old = std::ranges::find(then, one.name, &Session::Register::name);
        EXPECT_EQ(one.changed, old != then.end() && old->changed) << name << ' ' << one.name;
      }
      session.seek(0);
      while (!session.at_end()) {
        session.over();
        EXPECT_TRUE(session.at_end() || is_active(lane)) << name;
      }
      session.follow_lane({});
    }
  }
  EXPECT_TRUE(diverges);
}

TEST(Session, ARecordHasABound) {
  SessionOptions options;
  options.record = 4000;
  Recorded recorded("dxbc/control_ps_4_0.dxbc", options);
  EXPECT_FALSE(recorded->is_whole());
  EXPECT_GT(recorded->steps(), 0U);
  EXPECT_LT(recorded->steps(), 100U);
}

TEST(Session, FindsWhatIsNoNumber) {
  Recorded recorded("dxbc/lit_vs_5_0.dxbc");
  Session& session = *recorded;
  while (session.run_to_odd()) {
    const auto registers = session.registers();
    EXPECT_TRUE(std::ranges::any_of(registers, [](const Session::Register& one) {
      return one.changed && std::ranges::any_of(one.numbers, [](const auto& number) { return number.is_odd(); });
    }));
  }
  EXPECT_TRUE(session.at_end());
}

TEST(Session, RefusesWhatRunRefuses) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc");
  const auto opened = open(View(bytes));
  ASSERT_TRUE(opened);
  Value given = Value::map();
  given.add("nonsense", Value::integer(1));
  const auto refused = Session::record(*opened, given);
  EXPECT_FALSE(refused);
}

}  // namespace
}  // namespace unshade::shader
