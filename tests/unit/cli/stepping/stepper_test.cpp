// run --step: commands from standard input.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <unshade/document_text/document_text.hpp>
#include <unshade/present/value.hpp>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade::test {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Outcome step(std::string_view commands, std::vector<std::string> words = {"tests/data/pica/control.v.shbin"}) {
  const auto bytes = std::as_bytes(std::span(commands));
  words.insert(words.begin(), {"run", "--step"});
  return run_command(words, {.input = {bytes.begin(), bytes.end()}});
}

/// The last line.
std::string last_of(const std::string& text) {
  const std::size_t end = text.empty() ? 0 : text.size() - 1;
  const std::size_t line = text.rfind('\n', end == 0 ? 0 : end - 1);
  return text.substr(line == std::string::npos ? 0 : line + 1, end - (line == std::string::npos ? 0 : line + 1));
}

TEST(Stepper, StepsForwardAndBack) {
  const auto begin = step("");
  EXPECT_EQ(begin.exit, 0) << begin.err;
  EXPECT_TRUE(begin.out.starts_with("step 0 of ")) << begin.out;
  const auto third = step("step 3\n");
  EXPECT_TRUE(last_of(third.out).starts_with("step 3 of ")) << third.out;
  EXPECT_EQ(last_of(step("s\n\n\n").out), last_of(third.out));  // an empty line is the last command
  EXPECT_EQ(last_of(step("step 4\nback").out), last_of(third.out));
  EXPECT_EQ(last_of(step("step 9\nb 6\n").out), last_of(third.out));
  EXPECT_EQ(last_of(step("s 2\nb 40\n").out), last_of(begin.out));
  const auto end = step("continue\n");
  EXPECT_TRUE(holds(last_of(end.out), ": the end, finished")) << end.out;
  EXPECT_EQ(last_of(step("step 100000\nover\n").out), last_of(end.out));
}

TEST(Stepper, FollowsLanesOfTheWave) {
  EXPECT_EQ(step("lane 3\n").err, "");
  EXPECT_TRUE(holds(step("lane 64\n").err, "lane 64 is not one of the lanes that the wave begins with"));
}

TEST(Stepper, ShowsWhatAStepChanged) {
  const auto outcome = step("step\nprint r0.y\nprint r0\n");
  EXPECT_TRUE(holds(outcome.out, "  r0.x = 0.0, 1.0, 2.0, 3.0\n")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(holds(step("step\nprint r1\n").err, "nothing was written to 'r1' yet"));
}

TEST(Stepper, StopsAtBreakpoints) {
  // the line of the fourth instruction, found by its text
  const std::string third = last_of(step("step 3\n").out);
  const std::size_t at = third.find("line ") + 5;
  const std::string line = third.substr(at, third.find(':', at) - at);
  const auto outcome = step("break " + line + "\ncontinue\n");
  EXPECT_EQ(last_of(outcome.out), third);
  EXPECT_TRUE(holds(outcome.out, "\n *")) << outcome.out;
  EXPECT_EQ(last_of(step("until " + line + "\n").out), third);
  EXPECT_EQ(last_of(step("break " + line + "\nstep 5\ncontinue back\n").out), third);
  EXPECT_TRUE(holds(last_of(step("break " + line + "\ndelete\ncontinue\n").out), "the end"));
  EXPECT_TRUE(holds(step("break 1\n").err, "line 1 has no instruction"));
  EXPECT_TRUE(holds(step("break 0x1\n").err, "no instruction begins at this offset"));
  EXPECT_TRUE(holds(step("delete " + line + "\n").err, "is no breakpoint"));
  const auto listed = step("until " + line + "\nlist 1\n").out;
  EXPECT_TRUE(holds(listed, "\n>"));
}

TEST(Stepper, TellsWhereABreakpointMoves) {
  const std::vector<std::string> control = {"tests/data/dxbc/control_ps_4_0.dxbc"};
  const std::string listing = run_command({"dis", control.front()}).out;
  const auto line_of = [&](std::string_view text) {
    const auto end = listing.begin() + static_cast<std::ptrdiff_t>(listing.find(text));
    return std::to_string(std::count(listing.begin(), end, '\n') + 1);
  };
  const std::string line = line_of("loop");
  const auto outcome = step("break " + line + "\ncontinue\ndelete " + line + "\ncontinue\n", control);
  EXPECT_EQ(outcome.exit, 0);
  const std::string said = "note[step]: line " + line + " is not executable: stopping at line ";
  const std::size_t at = outcome.err.find(said);
  ASSERT_NE(at, std::string::npos) << outcome.err;
  const std::string stop = outcome.err.substr(at + said.size(), outcome.err.find('\n', at) - at - said.size());
  EXPECT_TRUE(holds(outcome.out, ", line " + stop + ": ")) << outcome.out;
  EXPECT_TRUE(holds(last_of(outcome.out), "the end")) << outcome.out;
  EXPECT_TRUE(holds(last_of(step("until " + line + "\n", control).out), ", line " + stop + ": "));
  const auto behind = step("break " + line_of("ret ") + "\n", control);
  EXPECT_TRUE(holds(behind.err, "is not executable, and no line after it in its function is")) << behind.err;
  EXPECT_EQ(behind.exit, 2);
}

TEST(Stepper, StopsAtAnOffset) {
  const std::vector<std::string> control = {"tests/data/dxbc/control_ps_4_0.dxbc"};
  const std::string third = last_of(step("step 3\n", control).out);
  const std::string listing = run_command({"dis", "--offsets", control.front()}).out;
  std::string_view rest = listing;
  for (auto line = std::stoul(third.substr(third.find("line ") + 5)); line > 1; --line) rest.remove_prefix(rest.find('\n') + 1);
  const std::size_t at = rest.find("0x");
  const std::string offset(rest.substr(at, rest.find_first_not_of("0123456789abcdefx", at) - at));
  const auto outcome = step("until " + offset + "\n", control);
  EXPECT_EQ(outcome.exit, 0) << offset << outcome.err;
  EXPECT_EQ(last_of(outcome.out), third);
}

TEST(Stepper, FollowsLanesAndWaves) {
  const std::vector<std::string> control = {"tests/data/dxbc/control_ps_4_0.dxbc"};
  EXPECT_TRUE(holds(step("lanes\n", control).out, "  active: 0-3\n"));
  const auto one = step("lane 2\nstep 3\nlanes\n", control);
  EXPECT_TRUE(holds(one.out, "; following 2\n")) << one.out;
  EXPECT_TRUE(holds(one.out, "  r2.x = 0\n")) << one.out;
  EXPECT_TRUE(holds(step("lane 128\n", control).err, "expected a lane"));
  const std::vector<std::string> waves = {"--wave", "16", "tests/data/dxil/bitonic_cs_6_0.dxil"};
  const auto listed = step("wave\nwave 1\n", waves);
  EXPECT_TRUE(holds(listed.out, "> 0: group 0,0,0, wave 0, ")) << listed.out;
  EXPECT_TRUE(last_of(listed.out).starts_with("step 0 of "));
  EXPECT_EQ(step("wave 9999\n", waves).exit, 2);
}

TEST(Stepper, AnswersInJson) {
  const auto outcome = step("step 2\nhelp\nlane 1\n", {"--json", "tests/data/pica/control.v.shbin"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::size_t states = 0;
  for (std::size_t at = 0; at < outcome.out.size();) {
    const std::size_t end = outcome.out.find('\n', at);
    const std::string line = outcome.out.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with('{')) continue;
    const auto read = present::read_json(line);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(*read->find("schema")->as_text(), "unshade.session/1");
    ++states;
  }
  EXPECT_EQ(states, 3U);
}

TEST(Stepper, RefusesWhatItDoesNotKnow) {
  const auto outcome = step("stepp\nstep -3\nover 2\nuntil\nstep\n");
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(holds(outcome.err, "there is no command 'stepp'")) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "`help` lists them"));
  EXPECT_TRUE(holds(outcome.err, "expected a number of steps"));
  EXPECT_TRUE(holds(outcome.err, "`over` has no operand"));
  EXPECT_TRUE(last_of(outcome.out).starts_with("step 1 of ")) << outcome.out;  // and goes on
  EXPECT_FALSE(holds(step("quit\nstep\n").out, "step 1 of"));
  EXPECT_TRUE(holds(step("help\n").out, "  over                     o  "));
  EXPECT_EQ(step("step", {"-"}).exit, 2);
  EXPECT_EQ(step("step", {"--trace", "tests/data/pica/control.v.shbin"}).exit, 2);
  // a command of a megabyte, and bytes that are no text
  const auto garbage = step(std::string(1 << 20, 'x') + "\n\xff\x00\x01\nstep\n");
  EXPECT_EQ(garbage.exit, 2);
  EXPECT_LT(garbage.err.size(), 4000U);
}

Outcome step_event(std::string_view commands, std::vector<std::string> words) {
  const auto bytes = std::as_bytes(std::span(commands));
  words.insert(words.begin(), "draw");
  return run_command(words, {.input = {bytes.begin(), bytes.end()}});
}

const std::vector<std::string> kEvent = {"examples/scenes/cube.toml", "--history", "64,64", "--step"};

std::vector<std::string> with(std::vector<std::string> words, std::vector<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Stepper, StepsThroughThePixelShaderOfAnEvent) {
  const auto begin = step_event("", with(kEvent, {"1"}));
  EXPECT_EQ(begin.exit, 0) << begin.err;
  EXPECT_TRUE(begin.out.starts_with("picture 64,64\n1: pass 1, primitive 0, front: written\n")) << begin.out;
  EXPECT_FALSE(holds(begin.out, "2: pass 1")) << begin.out;
  EXPECT_TRUE(last_of(begin.out).starts_with("step 0 of ")) << begin.out;
  // what the shader gave the pixel is what the history says
  const std::string end = step_event("continue\nprint o0\n", with(kEvent, {"1"})).out;
  const std::size_t output = begin.out.find("  output");
  ASSERT_NE(output, std::string::npos) << begin.out;
  const std::string line = begin.out.substr(output, begin.out.find('\n', output) - output);
  for (const char component : {'x', 'y', 'z'}) {
    const std::string name = std::string("  o0.") + component + " = ";
    const std::size_t at = end.rfind(name);
    ASSERT_NE(at, std::string::npos) << end;
    const std::size_t first = at + name.size();
    EXPECT_TRUE(holds(line, end.substr(first, end.find('\n', first) - first))) << line << '\n' << end;
  }
  EXPECT_EQ(last_of(step_event("step 3\nback\nlane 0\nlane 1\nstep\nback 9\n", with(kEvent, {"1"})).out), last_of(begin.out));
  const auto wrong = step_event("stepp\n", with(kEvent, {"1"}));
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_TRUE(holds(wrong.err, "there is no command 'stepp'"));
  // each line of JSON is a state
  const auto json = step_event("step\n", with(kEvent, {"1", "--json"}));
  EXPECT_EQ(json.exit, 0) << json.err;
  const std::size_t half = json.out.find('\n');
  for (const std::string& state : {json.out.substr(0, half), json.out.substr(half + 1)}) {
    const auto read = present::read_json(state);
    ASSERT_TRUE(read) << state;
    EXPECT_EQ(*read->find("schema")->as_text(), "unshade.session/1");
  }
}

TEST(Stepper, RefusesEventsThatItCannotStepThrough) {
  const auto fault = [](std::vector<std::string> words, int exit) {
    const auto outcome = step_event("step\n", std::move(words));
    EXPECT_EQ(outcome.exit, exit) << outcome.out << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(holds(fault(with(kEvent, {"3"}), 1), "the pixel's history has 2 events: expected 1 to 2, found 3"));
  EXPECT_TRUE(holds(fault(with(kEvent, {"0"}), 1), "the pixel's history has 2 events: expected 1 to 2, found 0"));
  EXPECT_TRUE(holds(fault(with(kEvent, {"2"}), 1), "the pixel shader did not run for event 2 of the pixel's history: facing"));
  EXPECT_TRUE(
      holds(fault({"examples/scenes/cube.toml", "--history", "0,0", "--step", "1"}, 1), "the pixel's history has no events, found 1"));
  EXPECT_TRUE(holds(fault({"examples/scenes/shadow.toml", "--history", "100,128", "--target", "shadows", "--step", "1"}, 1),
                    "has no pixel shader"));
  EXPECT_TRUE(holds(fault({"examples/scenes/cube.toml", "--step", "1"}, 2), "--step must be the number of an event of --history"));
  EXPECT_TRUE(holds(fault(with(kEvent, {"first"}), 2), "--step must be the number of an event of --history"));
  EXPECT_TRUE(holds(fault({"-", "--history", "64,64", "--step", "1"}, 2), "--step reads commands from standard input"));
  EXPECT_TRUE(holds(fault(with(kEvent, {"1", "--trace", "1"}), 2), "--step cannot be combined with --trace"));
  EXPECT_TRUE(holds(fault(with(kEvent, {"1", "--pixel", "1,1"}), 2), "--step cannot be combined with --pixel"));
  EXPECT_TRUE(holds(fault(with(kEvent, {"1", "-o", "x.png"}), 2), "--step cannot be combined with --output"));
}

}  // namespace
}  // namespace unshade::test
