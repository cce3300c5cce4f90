// Which resource a name means: of variables, of blocks, and what is spelled as a binding.
#include <array>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/shader/assemble.hpp>
#include <unshade/testing.hpp>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using run_test::list_of_numbers;
using run_test::map_of;

// Two storage buffers of one word: `Data`, of the variable `data`, at binding 2, gets 7; `Log`, of the variable that `name` says, at
// binding 5 gets 9.
std::string module_with(std::string_view name) {
  const std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %Data "Data"
OpName %data "data"
OpName %Log "Log"
OpName %log "@"
OpDecorate %Data Block
OpMemberDecorate %Data 0 Offset 0
OpDecorate %Log Block
OpMemberDecorate %Log 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 2
OpDecorate %log DescriptorSet 0
OpDecorate %log Binding 5
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u7 = OpConstant %uint 7
%u9 = OpConstant %uint 9
%Data = OpTypeStruct %uint
%Log = OpTypeStruct %uint
%of_data = OpTypePointer StorageBuffer %Data
%of_log = OpTypePointer StorageBuffer %Log
%of_uint = OpTypePointer StorageBuffer %uint
%data = OpVariable %of_data StorageBuffer
%log = OpVariable %of_log StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
%to_data = OpAccessChain %of_uint %data %u0
OpStore %to_data %u7
%to_log = OpAccessChain %of_uint %log %u0
OpStore %to_log %u9
OpReturn
OpFunctionEnd
)";
  const std::size_t at = text.find('@');
  return text.substr(0, at) + std::string(name) + text.substr(at + 1);
}

testing::Outcome ran(std::string_view name_of_log, std::string_view data = "set 0, binding 2", std::string_view log = "set 0, binding 5") {
  const std::string text = module_with(name_of_log);
  const Assembly made = shader::assemble(shader::language_of(text), text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  testing::Shader shader = testing::Shader::of(made.file);
  shader.buffer(data, 4).buffer(log, 4);
  return shader.dispatch(1);
}

// The word of a resource of a result, or what is wrong with the name.
std::string word(const testing::Outcome& outcome, std::string_view name) {
  const auto found = outcome.found_resource(name);
  return found ? *(*found)->find("hex")->as_text() : found.error().message;
}

TEST(ResourceNames, OfBlocksAndVariablesAreThoseOfResults) {
  const testing::Outcome done = ran("log");
  ASSERT_TRUE(done.finished()) << done.finished().message;
  for (const std::string_view name : {"u2", "data", "Data", "set 0, binding 2"}) EXPECT_EQ(word(done, name), "07000000") << name;
  for (const std::string_view name : {"u5", "log", "Log", "u5,space0"}) EXPECT_EQ(word(done, name), "09000000") << name;
  EXPECT_EQ(word(done, "Dato"), "the shader writes no resource `Dato`; it writes: `u2` or `u5`");
  EXPECT_TRUE(done.buffer<std::uint32_t>("Data", std::vector<std::uint32_t>{7}));
  EXPECT_FALSE(done.has_resource("Dato"));
}

TEST(ResourceNames, OfBlocksAreThoseOfCases) {
  const testing::Outcome done = ran("log", "Data", "Log");
  ASSERT_TRUE(done.finished()) << done.finished().message;
  EXPECT_EQ(word(done, "data"), "07000000");
  EXPECT_EQ(word(done, "log"), "09000000");
}

TEST(ResourceNames, OfAResourceAndAnotherOnesBlockAreRefused) {
  const std::string_view both =
      "the name of a resource and of another one's block: must be written as `set 0, binding 5` or `set 0, binding 2`";
  EXPECT_EQ(word(ran("Data"), "Data"), both);
  EXPECT_NE(ran("Data", "Data").finished().message.find(both), std::string::npos);
  // either name of what has no other is clear
  EXPECT_EQ(word(ran("Data"), "Log"), "09000000");
  EXPECT_EQ(word(ran("Data"), "data"), "07000000");
}

TEST(ResourceNames, SpelledAsTheBindingOfAnotherAreRefused) {
  const std::string_view both =
      "a binding, but also the name of a resource bound elsewhere: must be written as `set 0, binding 2` or `set 0, binding 5`";
  const testing::Outcome done = ran("u2");
  EXPECT_EQ(word(done, "u2"), "`u2` is " + std::string(both));
  EXPECT_EQ(word(done, "u5"), "09000000");
  EXPECT_EQ(word(done, "u2,space0"), "07000000");
  EXPECT_FALSE(done.has_resource("u2"));
  // both are given
  EXPECT_EQ(word(ran("u2", "u2", "u5"), "Data"), "07000000");
}

TEST(ResourceNames, AreMadeOnceForAllReaders) {
  const testing::Outcome done = ran("u2");
  std::vector<std::thread> readers;
  std::array<std::string, 4> found;
  for (std::string& one : found) {
    readers.emplace_back([&one, copy = done] {
      for (unsigned k = 0; k < 8; ++k) one = word(copy, "u2") + word(copy, "u5") + word(copy, "Dato");
    });
  }
  for (std::thread& one : readers) one.join();
  for (const std::string& one : found) EXPECT_EQ(one, word(done, "u2") + "09000000" + word(done, "Dato"));
}

}  // namespace
}  // namespace unshade::run
