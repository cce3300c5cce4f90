// What shaders print, in the results of runs, in traces, and step by step.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/run/session.hpp>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using run_test::list_of;
using run_test::map_of;

constexpr std::string_view kDxbc = R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 1
lt r0.x, l(1.5), v0.x
if_nz r0.x
  errorf "too large: %.2f\n", v0.x
endif
discard_nz r0.x
printf "x = %f, y = %d", v0.x, v0.y
mov o0.xyzw, v0.xyxy
ret
)";

std::vector<std::byte> assembled(std::string_view text) {
  const Assembly made = shader::assemble(shader::language_of(text), text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  return made.file;
}

std::vector<std::byte> sample() { return assembled(test::read_text(test::source_dir() / "tests/data/spirv/messages.spvasm")); }

// `lane text` of each message, with the thread if there is one.
std::string messages_of(const Value& result) {
  const Value* const messages = result.find("messages");
  if (messages == nullptr) return "none";
  std::string made;
  for (const Value& one : *messages->as_list()) {
    if (const Value* const thread = one.find("thread"))
      for (const Value& axis : *thread->as_list()) made += std::to_string(axis.as_integer()->magnitude) + ' ';
    made += std::to_string(one.find("lane")->as_integer()->magnitude) + (one.find("error") != nullptr ? " error: " : ": ");
    made += *one.find("text")->as_text() + '|';
  }
  return made;
}

Value result_of(const std::vector<std::byte>& file, const Value& given, const RunOptions& options = {}) {
  const auto opened = shader::open(View(file));
  EXPECT_TRUE(opened) << to_string(opened.error());
  const auto runnable = prepare(*opened);
  EXPECT_TRUE(runnable) << to_string(runnable.error());
  auto done = execute(*runnable, given, options);
  EXPECT_TRUE(done) << to_string(done.error());
  return *std::move(done);
}

TEST(RunMessages, NameThreads) {
  const std::vector<std::byte> file = sample();
  const Value given = map_of({{"grid", list_of({Value::integer(2)})}});
  const std::string expected =
      "0 0 0 0: thread 0 of four: 0.00, 0.50|1 0 0 1: thread 1 of four: 1.00, 0.50|1 0 0 1:   1 is odd|"
      "2 0 0 2: thread 2 of four: 2.00, 0.50|3 0 0 3: thread 3 of four: 3.00, 0.50|3 0 0 3:   3 is odd|"
      "4 0 0 0: thread 4 of four: 4.00, 0.50|5 0 0 1: thread 5 of four: 5.00, 0.50|5 0 0 1:   5 is odd|"
      "6 0 0 2: thread 6 of four: 6.00, 0.50|7 0 0 3: thread 7 of four: 7.00, 0.50|7 0 0 3:   7 is odd|";
  for (const unsigned wave : {4U, 32U, 128U}) {
    for (const unsigned threads : {1U, 4U}) {
      RunOptions options;
      options.wave = wave;
      options.threads = threads;
      EXPECT_EQ(messages_of(result_of(file, given, options)), expected);
    }
  }
}

TEST(RunMessages, HaveTheirInstruction) {
  const std::vector<std::byte> file = sample();
  const Value result = result_of(file, Value::map());
  const Value& first = result.find("messages")->as_list()->front();
  const auto lines = shader::instruction_lines(*shader::open(View(file)), "main");
  ASSERT_TRUE(lines) << to_string(lines.error());
  const auto number = first.find("instruction")->as_integer()->magnitude;
  ASSERT_LT(number, lines->size());
  EXPECT_NE((*lines)[number].find("OpExtInst %void"), std::string::npos) << (*lines)[number];
}

TEST(RunMessages, ArePixelsToo) {
  const Value one = map_of({{"v0", list_of({Value::integer(1), Value::integer(0)})}});
  const Value two = map_of({{"v0", list_of({Value::integer(2), Value::integer(0)})}});
  const Value helper = map_of({{"v0", list_of({Value::integer(1), Value::integer(0)})}, {"helper", Value::boolean(true)}});
  const Value given = map_of({{"lanes", list_of({one, two, helper, one})}});
  EXPECT_EQ(messages_of(result_of(assembled(kDxbc), given)), "0: x = 1.000000, y = 0|1 error: too large: 2.00\n|3: x = 1.000000, y = 0|");
}

TEST(RunMessages, AreBoundedAndCounted) {
  RunOptions options;
  options.messages = 2;
  const Value result = result_of(sample(), Value::map(), options);
  EXPECT_EQ(result.find("messages")->as_list()->size(), 2U);
  ASSERT_NE(result.find("more_messages"), nullptr);
  EXPECT_EQ(result.find("more_messages")->as_integer()->magnitude, 4U);
  options.messages = 0;
  EXPECT_EQ(messages_of(result_of(sample(), Value::map(), options)), "none");
}

// All outputs of all lanes.
std::string numbers_of(const Value& result) {
  std::string made;
  for (const Value& lane : *result.find("lanes")->as_list()) {
    for (const Value::Member& member : *lane.as_map()) {
      if (member.value.as_list() == nullptr) continue;
      for (const Value& number : *member.value.as_list())
        made += std::to_string(number.as_real() == nullptr ? -1 : number.as_real()->narrow) + ' ';
    }
  }
  return made;
}

// A shader that prints nothing has no new members.
TEST(RunMessages, AreMissingWithoutAny) {
  const Value result = run_test::made_by_file("dxbc/lit_vs_5_0.dxbc", Value::map());
  EXPECT_EQ(result.find("messages"), nullptr);
  EXPECT_EQ(result.find("more_messages"), nullptr);
}

// Printing changes no result.
TEST(RunMessages, ChangeNoResult) {
  std::string silent(kDxbc);
  for (const char* const word : {"  errorf", "printf"})
    silent.erase(silent.find(word), silent.find('\n', silent.find(word)) + 1 - silent.find(word));
  const Value with = result_of(assembled(kDxbc), Value::map()), without = result_of(assembled(silent), Value::map());
  EXPECT_NE(with.find("messages"), nullptr);
  EXPECT_EQ(without.find("messages"), nullptr);
  const std::string outputs = numbers_of(with);
  EXPECT_EQ(outputs, numbers_of(without));
  EXPECT_NE(outputs.find("3.000000 4.000000 3.000000 4.000000"), std::string::npos) << outputs;
}

TEST(RunMessages, AreInTraces) {
  const std::vector<std::byte> file = sample();
  const auto opened = shader::open(View(file));
  const auto runnable = prepare(*opened, {}, 0);
  ASSERT_TRUE(runnable);
  std::vector<std::string> seen;
  RunOptions options;
  options.self = &seen;
  options.trace = [](void* self, std::uint32_t, const Value& step) {
    const Value* const messages = step.find("messages");
    if (messages == nullptr) return true;
    std::string text;
    for (const Value& one : *messages->as_list())
      text += std::to_string(one.find("lane")->as_integer()->magnitude) + ':' + *one.find("text")->as_text() + '|';
    static_cast<std::vector<std::string>*>(self)->push_back(text);
    return true;
  };
  options.trace_lanes = {1, 2, 3};
  ASSERT_TRUE(execute(*runnable, Value::map(), options));
  EXPECT_EQ(seen, (std::vector<std::string>{"1:thread 1 of four: 1.00, 0.50|2:thread 2 of four: 2.00, 0.50|3:thread 3 of four: 3.00, 0.50|",
                                            "1:  1 is odd|3:  3 is odd|"}));
}

TEST(RunMessages, AreSteppedThrough) {
  const std::vector<std::byte> file = sample();
  const auto opened = shader::open(View(file));
  ASSERT_TRUE(opened);
  auto session = Session::record(*opened, Value::map());
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_TRUE(session->printed().empty());
  std::string seen;
  while (session->move(1)) {
    for (const Session::Printed& one : session->printed()) seen += std::to_string(one.lane) + ':' + one.text + '|';
  }
  for (const Session::Printed& one : session->printed()) seen += std::to_string(one.lane) + ':' + one.text + '|';
  EXPECT_EQ(seen.find("0:thread 0 of four"), 0U) << seen;
  EXPECT_NE(seen.find("1:  1 is odd|3:  3 is odd|"), std::string::npos) << seen;
  EXPECT_NE(session->result().find("messages"), nullptr);
}

}  // namespace
}  // namespace unshade::run
