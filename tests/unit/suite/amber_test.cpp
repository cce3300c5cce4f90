// Scripts of Amber: what is refused, and how types lie in memory.
#include <string>

#include <gtest/gtest.h>

#include <unshade/suite/amber.hpp>

namespace unshade::suite {
namespace {

std::string fault_of(std::string_view text) {
  const auto script = read_amber(text);
  return script ? std::string() : script.error().path + ' ' + script.error().message;
}

TEST(AmberScript, FaultsHaveTheirPlace) {
  EXPECT_EQ(fault_of("BUFFER"), "1:1 a script must begin with `#!amber`");
  EXPECT_EQ(fault_of("#!amber\n\n  BUFER a"), "3:3 `BUFER` is not a command");
  EXPECT_EQ(fault_of("#!amber\nSHADER pixel a SPIRV-ASM\nEND\n"), "2:8 `pixel` is not a type of shader");
  EXPECT_EQ(fault_of("#!amber\nSHADER vertex a SPIRV-ASM\nOpNop\n"), "2:17 the shader's text has no END");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a DATA_TYPE float DATA\n1 2\nx END"), "4:1 expected a number or END, found `x`");
  EXPECT_EQ(fault_of("#!amber\nRUN p 1 1 1"), "2:5 there is no pipeline `p`");
  EXPECT_EQ(fault_of("#!amber\nREPEAT 2\nBUFFER a DATA_TYPE float SIZE 1 FILL 0\nEND"), "3:1 `BUFFER` cannot be repeated");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a DATA_TYPE float SIZE 1 FILL 0 0"), "2:40 expected the end of the line, found `0`");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a DATA_TYPE int8 DATA 0 END\nEXPECT a IDX \\\n 0 EQUALS 0"),
            "4:4 expected a comparison (EQ, NE, LT, LE, GT, GE), found `EQUALS`");
}

TEST(AmberScript, TypesLieAsTheLayoutSays) {
  const auto script = read_amber(
      "#!amber\nSTRUCT pair\n  float a\n  vec3<float> b\nEND\nSTRUCT all\n  pair[2] pairs\n  mat3x2<float> m\n  int8 last OFFSET 100\nEND\n"
      "BUFFER packed DATA_TYPE vec3<int16> DATA 1 2 3 END\nBUFFER wide DATA_TYPE int32[] STD140 DATA 1 END\n"
      "BUFFER structured DATA_TYPE all STD430 DATA 1 END\nBUFFER uniform DATA_TYPE all STD140 DATA 1 END\n"
      "BUFFER texels FORMAT A2B10G10R10_UNORM_PACK32\n");
  ASSERT_TRUE(script) << to_string(script.error());
  const auto offsets = [&](std::size_t buffer) {
    std::string made = std::to_string(script->buffers[buffer].type.stride) + ':';
    for (const DataScalar& one : script->buffers[buffer].type.scalars) made += ' ' + std::to_string(one.offset);
    return made;
  };
  EXPECT_EQ(offsets(0), "8: 0 2 4");
  EXPECT_EQ(offsets(1), "16: 0");
  EXPECT_EQ(offsets(2), "112: 0 16 20 24 32 48 52 56 64 68 72 76 80 84 100");
  EXPECT_EQ(offsets(3), "112: 0 16 20 24 32 48 52 56 64 68 80 84 96 100 100");
  EXPECT_EQ(offsets(4), "4: 0");
  constexpr std::array<std::uint8_t, 4> kBits{10, 10, 10, 2};
  for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(script->buffers[4].type.format.components[k].bits, kBits[k]);
}

TEST(AmberScript, NamesWhatItNeeds) {
  const auto script = read_amber("#!amber\nPIPELINE ray_tracing p\nEND\n");
  ASSERT_TRUE(script);
  const Outcome outcome = run(*script, "rays");
  EXPECT_EQ(outcome.status, Status::skipped);
  EXPECT_EQ(outcome.reason, "needs ray tracing");
}

TEST(AmberScript, LargeBuffersAreRefused) {
  const auto script = read_amber("#!amber\nBUFFER a DATA_TYPE vec4<double> SIZE 4000000000 FILL 0\n");
  ASSERT_TRUE(script);
  const Outcome outcome = run(*script, "large");
  EXPECT_EQ(outcome.status, Status::failed);
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].what, "the buffer a is larger than 1 GiB");
}

}  // namespace
}  // namespace unshade::suite
