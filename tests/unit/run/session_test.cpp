#include <unshade/run/session.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/edit.hpp>

#include "support/files.hpp"

namespace unshade::run {
namespace {

struct Recorded {
  std::vector<std::byte> bytes;
  Result<Session> session = Session();

  explicit Recorded(const char* name, const SessionOptions& options = {}, const Value& given = Value::map())
      : bytes(test::read_bytes(test::source_dir() / "tests/data" / name)) {
    const auto opened = shader::open(View(bytes));
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
  EXPECT_TRUE(shader::disassemble(*shader::open(View(bytes)), text));
  std::string_view rest = text.view();
  for (std::uint32_t line = session.line(); line > 1; --line) rest.remove_prefix(rest.find('\n') + 1);
  return std::string(rest.substr(0, rest.find('\n')));
}

// The program with debug information is listed and stepped through, that without runs.
TEST(Session, RefusesToStepThroughAnotherProgramThanRuns) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil");
  const auto other = test::read_bytes(test::source_dir() / "tests/data/dxil/inputs_ps_6_4.dxil");
  const auto container = dxcontainer::parse_container(View(bytes));
  const auto from = dxcontainer::parse_container(View(other));
  ASSERT_TRUE(container && from);
  const auto program = from->find(dxcontainer::fourcc("DXIL"))->data.bytes();
  dxcontainer::ContainerEdit edit(*container);
  edit.put(dxcontainer::fourcc("DXIL"), std::vector<std::byte>(program.begin(), program.end()));
  const auto changed = edit.write();
  ASSERT_TRUE(changed) << to_string(changed.error());
  const auto opened = shader::open(View(*changed));
  ASSERT_TRUE(opened);
  const auto refused = Session::record(*opened, Value::map(), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "ILDB");
  EXPECT_EQ(refused.error().message, "the program in ILDB differs from the one in DXIL, which runs");
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

// Copies are steps: registers have what the file says, and breakpoints stop there.
TEST(Session, StepsThroughCopies) {
  std::size_t copies = 0;
  for (const char* name : {"dxbc/control_ps_5_0.dxbc", "dxbc/control_ps_4_0.dxbc", "dxbc/lit_vs_5_0.dxbc", "dxbc/grid_cs_5_0.dxbc"}) {
    Recorded recorded(name);
    Session& session = *recorded;
    const auto number = [](const std::vector<Session::Register>& registers, const std::string& register_name) {
      const auto found = std::ranges::find(registers, register_name, &Session::Register::name);
      return found == registers.end() || found->numbers.empty() ? Session::Number() : found->numbers.front();
    };
    for (std::size_t at = 0; at < std::min<std::size_t>(session.steps(), 300); ++at) {
      session.seek(at);
      // mov r0.xz, r1.yzwx
      const std::string text(session.text());
      if (!text.starts_with("mov r") || (session.active()[0] & 1) == 0) continue;
      const std::size_t to = text.find('.'), comma = text.find(", r"), from = text.find('.', comma);
      if (comma == std::string::npos || from == std::string::npos || text.size() != from + 5) continue;
      const auto before = session.registers();
      session.seek(at + 1);
      const auto after = session.registers();
      for (const char component : text.substr(to + 1, comma - to - 1)) {
        const char read = text[from + 1 + std::string_view("xyzw").find(component)];
        const auto written = number(after, text.substr(4, to - 4) + '.' + component);
        const auto source = number(before, text.substr(comma + 2, from - comma - 2) + '.' + read);
        // behind a phi, a copy has the type of all that come together
        EXPECT_NE(written.kind, Session::Number::Kind::none) << name << ' ' << at << ' ' << text;
        if (written.is_odd() || source.is_odd()) continue;
        EXPECT_EQ(static_cast<std::uint32_t>(written.bits), static_cast<std::uint32_t>(source.bits)) << name << ' ' << at << ' ' << text;
        ++copies;
      }
    }
  }
  EXPECT_GT(copies, 40U);
}

// The signature says what they are, whatever the registers behind a branch are taken for.
TEST(Session, CopiesToOutputsHaveTheirTypes) {
  Recorded recorded("dxbc/control_ps_4_0.dxbc");
  Session& session = *recorded;
  session.seek(session.steps());
  std::size_t outputs = 0;
  for (const Session::Register& output : session.registers()) {
    if (!output.name.starts_with("o0.")) continue;
    ++outputs;
    for (const Session::Number& number : output.numbers) {
      if (number.kind != Session::Number::Kind::none) {
        EXPECT_EQ(number.kind, Session::Number::Kind::single) << output.name;
      }
    }
  }
  EXPECT_EQ(outputs, 4U);
}

TEST(Session, StopsAtCopiesOfAllFamilies) {
  // of a file of two stages, the first runs
  const struct {
    const char *name, *word;
    std::size_t stages;
  } kCopies[] = {{"dxbc/control_ps_5_0.dxbc", "mov ", 1},
                 {"pica/control.v.shbin", "mov ", 1},
                 {"dxil/textured_ps_6_6.dxil", "= extractvalue ", 1},
                 {"dxil/control_ps_6_0_zi.dxil", "= extractvalue ", 1},
                 {"vbc/textured.vbc", "= OpCompositeExtract ", 2},
                 {"vbc/textured.vbc", "= OpCompositeConstruct ", 2}};
  for (const auto& [name, word, stages] : kCopies) {
    Recorded recorded(name);
    Text text;
    ASSERT_TRUE(shader::disassemble(*shader::open(View(recorded.bytes)), text));
    std::uint32_t line = 0;
    std::size_t found = 0, stops = 0;
    for (std::string_view rest = text.view(); !rest.empty(); rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1)) {
      ++line;
      if (rest.substr(0, rest.find('\n')).find(word) == std::string_view::npos) continue;
      ++found;
      stops += recorded->stop_line(line) == line ? 1 : 0;
    }
    EXPECT_GT(found, 0U) << name << ' ' << word;
    EXPECT_EQ(stops * stages, found) << name << ' ' << word;
  }
}

// A breakpoint at a line that is not executable stops at the next line of its function that is.
TEST(Session, StopsBehindLinesThatAreNoSteps) {
  Recorded recorded("dxbc/control_ps_4_0.dxbc");
  Session& session = *recorded;
  Text text;
  ASSERT_TRUE(shader::disassemble(*shader::open(View(recorded.bytes)), text));
  std::vector<std::string> lines;
  for (std::string_view rest = text.view(); !rest.empty(); rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1))
    lines.emplace_back(rest.substr(0, rest.find('\n')));
  const auto line_with = [&](std::string_view start) {
    const auto found = std::ranges::find_if(lines, [&](const std::string& line) {
      return std::string_view(line).substr(std::min(line.find_first_not_of(' '), line.size())).starts_with(start);
    });
    EXPECT_NE(found, lines.end()) << start;
    return static_cast<std::uint32_t>(found - lines.begin() + 1);
  };
  std::size_t moved = 0;
  for (const std::string_view start : {"dcl_temps", "loop", "endif", "endloop"}) {
    const std::uint32_t line = line_with(start);
    const std::uint32_t stop = session.stop_line(line);
    ASSERT_GT(stop, line) << start;
    EXPECT_EQ(session.stop_line(stop), stop);
    bool comes = false;  // after the first
    for (std::size_t at = 1; at < session.steps(); ++at) {
      session.seek(at);
      comes = comes || session.line() == stop;
    }
    session.seek(0);
    const std::uint32_t wanted[] = {line};
    EXPECT_EQ(session.run_to(wanted), comes) << start;
    if (!comes) continue;
    ++moved;
    EXPECT_EQ(session.line(), stop) << start;
  }
  EXPECT_GT(moved, 0U);
  // behind the last
  EXPECT_EQ(session.stop_line(line_with("ret")), 0U);
  EXPECT_EQ(session.stop_line(1'000'000), 0U);
  // every step can be stopped at
  for (std::size_t at = 0; at < session.steps(); ++at) {
    session.seek(at);
    EXPECT_EQ(session.stop_line(session.line()), session.line());
  }
}

// The listing of a DXIL container is that of the part with debug information; a hull shader's functions have other names in the IR.
TEST(Session, KnowsTheLinesOfTheListedModule) {
  for (const char* name : {"dxil/control_ps_6_0_zi.dxil", "dxil/control_ps_6_6_zi.pdb", "dxil/tessellate_hs_6_5.dxil"}) {
    Recorded recorded(name);
    Session& session = *recorded;
    ASSERT_GT(session.steps(), 3U) << name;
    for (std::size_t at = 0; at < session.steps(); ++at) {
      session.seek(at);
      ASSERT_NE(session.line(), 0U) << name << ' ' << at;
      EXPECT_NE(line_of(session, recorded.bytes).find(session.text()), std::string::npos) << name << ' ' << session.text();
      EXPECT_EQ(session.function().empty(), false) << name;
    }
  }
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
  const auto opened = shader::open(View(bytes));
  ASSERT_TRUE(opened);
  Value given = Value::map();
  given.add("nonsense", Value::integer(1));
  const auto refused = Session::record(*opened, given);
  EXPECT_FALSE(refused);
}

}  // namespace
}  // namespace unshade::run
