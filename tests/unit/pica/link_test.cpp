#include <unshade/pica/link.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>

#include "support/files.hpp"
#include "support/reassemble.hpp"

namespace unshade::pica {

namespace {

Shbin sample(std::string_view name) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica" / name);
  auto shbin = parse_shbin(test::view_of(bytes));
  EXPECT_TRUE(shbin);
  return std::move(*shbin);
}

Shbin assembled(std::string_view text) {
  const Source source{"t", text};
  Assembly assembly = assemble({&source, 1});
  EXPECT_TRUE(assembly.ok);
  return std::move(assembly.shbin);
}

/// `count` words of `a` from `at`, and of `b` from `from`, do the same: addresses apart by their distance, descriptors equal by value.
void expect_same_code(const Shbin& a, std::uint32_t at, const Shbin& b, std::uint32_t from, std::uint32_t count) {
  ASSERT_LE(at + count, a.program.code.size());
  ASSERT_LE(from + count, b.program.code.size());
  for (std::uint32_t k = 0; k < count; ++k) {
    Instruction x = decode(a.program.code[at + k]);
    Instruction y = decode(b.program.code[from + k]);
    if (has_descriptor(format_of(x.opcode))) {
      ASSERT_LT(x.descriptor, a.program.descriptors.size());
      ASSERT_LT(y.descriptor, b.program.descriptors.size());
      EXPECT_EQ(a.program.descriptors[x.descriptor], b.program.descriptors[y.descriptor]);
      x.descriptor = y.descriptor;
    }
    const Flow flow = info(x.opcode).flow;
    if (flow == Flow::call || flow == Flow::jump || flow == Flow::block) {
      EXPECT_EQ(x.target - at, y.target - from);
      x.target = y.target;
    }
    EXPECT_EQ(encode(x), encode(y)) << "word " << k;
  }
}

constexpr std::string_view kSamples[] = {"control.v.shbin", "particle.g.shbin", "quad.g.shbin", "skin.v.shbin", "variable.g.shbin"};

TEST(Link, LeavesOneFileAsItIs) {
  for (const auto name : kSamples) {
    SCOPED_TRACE(name);
    const Shbin file = sample(name);
    const auto linked = link({&file, 1});
    ASSERT_TRUE(linked);
    test::expect_same(file, *linked);
  }
}

TEST(Link, PutsFilesBehindOneAnother) {
  for (const auto first : kSamples) {
    for (const auto second : kSamples) {
      if (first == second) continue;
      SCOPED_TRACE(std::string(first) + " + " + std::string(second));
      const Shbin files[] = {sample(first), sample(second)};
      const auto linked = link(files);
      ASSERT_TRUE(linked);
      const auto a = static_cast<std::uint32_t>(files[0].program.code.size());
      const auto b = static_cast<std::uint32_t>(files[1].program.code.size());
      ASSERT_EQ(linked->program.code.size(), a + b);
      expect_same_code(*linked, 0, files[0], 0, a);
      expect_same_code(*linked, a, files[1], 0, b);
      ASSERT_EQ(linked->executables.size(), 2U);
      EXPECT_EQ(linked->executables[1].entry_words, files[1].executables[0].entry_words + a);
      EXPECT_LE(linked->program.descriptors.size(), files[0].program.descriptors.size() + files[1].program.descriptors.size());
      // and it can be read again
      const auto bytes = write_shbin(*linked);
      const auto again = parse_shbin(test::view_of(bytes));
      ASSERT_TRUE(again);
      test::expect_same(*linked, *again);
      test::expect_reassembles(*again);
      // and taken apart
      const auto taken = take_executable(*again, 1);
      const auto alone = take_executable(files[1], 0);
      ASSERT_TRUE(taken);
      ASSERT_TRUE(alone);
      ASSERT_EQ(taken->program.code.size(), alone->program.code.size());
      expect_same_code(*taken, 0, *alone, 0, static_cast<std::uint32_t>(alone->program.code.size()));
      EXPECT_EQ(taken->executables[0].entry_words, alone->executables[0].entry_words);
      EXPECT_EQ(taken->executables[0].end_words, alone->executables[0].end_words);
    }
  }
}

TEST(Link, WritesSharedCodeOnce) {
  const Shbin files[] = {sample("skin.v.shbin"), sample("quad.g.shbin"), sample("skin.v.shbin")};
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->program.code.size(), files[0].program.code.size() + files[1].program.code.size());
  ASSERT_EQ(linked->executables.size(), 3U);
  EXPECT_EQ(linked->executables[2].entry_words, linked->executables[0].entry_words);
}

TEST(Link, BringsDescriptorsOfMadIntoReach) {
  std::string many = ".proc main\n";
  for (const char x : std::string("xyzw"))
    for (const char y : std::string("xyzw"))
      for (const char z : std::string("xyzw")) many += std::string("mov r0, r1.") + x + y + z + "w\n";
  const Shbin files[] = {assembled(many + ".end\n"), assembled(".proc main\nmad r0.x, r1, r2, r3.wwww\nend\n.end\n")};
  ASSERT_GT(files[0].program.descriptors.size(), 32U);
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  expect_same_code(*linked, 0, files[0], 0, static_cast<std::uint32_t>(files[0].program.code.size()));
  expect_same_code(*linked, static_cast<std::uint32_t>(files[0].program.code.size()), files[1], 0, 2);
}

TEST(Link, RefusesWhatDoesNotFit) {
  std::string long_text = ".gsh\n.proc main\n";
  for (int i = 0; i < 4000; ++i) long_text += "nop\n";
  const Shbin files[] = {assembled(long_text + "end\n.end\n"), assembled(long_text + "nop\nend\n.end\n")};
  const auto linked = link(files);
  ASSERT_FALSE(linked);
  EXPECT_EQ(linked.error().code, ErrorCode::limit);
}

TEST(Link, RefusesDescriptorsThatAreNotThere) {
  Shbin file = sample("skin.v.shbin");
  file.program.descriptors.items.clear();
  EXPECT_EQ(link({&file, 1}).error().code, ErrorCode::missing);
  EXPECT_EQ(take_executable(file, 0).error().code, ErrorCode::missing);
  EXPECT_EQ(take_executable(file, 7).error().code, ErrorCode::missing);
}

TEST(TakeExecutable, KeepsOnlyWhatItReaches) {
  const Shbin file = sample("skin_quad.shbin");
  const auto vertex = take_executable(file, 0);
  const auto geometry = take_executable(file, 1);
  ASSERT_TRUE(vertex);
  ASSERT_TRUE(geometry);
  const Shbin skin = sample("skin.v.shbin");
  const Shbin quad = sample("quad.g.shbin");
  EXPECT_EQ(vertex->program.code.size(), skin.program.code.size());
  EXPECT_EQ(geometry->program.code.size(), quad.program.code.size());
  EXPECT_EQ(geometry->executables[0].entry_words, quad.executables[0].entry_words);
  EXPECT_LT(geometry->program.descriptors.size(), file.program.descriptors.size());
}

TEST(TakeExecutable, ClosesTheGapsBetweenProcedures) {
  const Shbin file = assembled(
      ".proc unused\nmov r0, r1.wzyx\n.end\n"
      ".proc used\nmov r0, r1\n.end\n"
      ".proc unused_too\nmov r0, r1.wwww\n.end\n"
      ".proc main\nfor i0\ncall used\nnop\n.end\nifu b0\nmov r2, r3\n.else\nmov r4, r3\n.end\njmpc cmp.x, done\nnop\ndone: end\n.end\n");
  const auto taken = take_executable(file, 0);
  ASSERT_TRUE(taken);
  const Shbin expected = assembled(
      ".proc used\nmov r0, r1\n.end\n"
      ".proc main\nfor i0\ncall used\nnop\n.end\nifu b0\nmov r2, r3\n.else\nmov r4, r3\n.end\njmpc cmp.x, done\nnop\ndone: end\n.end\n");
  test::expect_same(expected, *taken);
}

TEST(Link, TakesObjects) {
  Object object;
  object.version = 0x0c02;
  object.code.items = assembled(".proc main\nmov r0, r1\nend\n.end\n").program.code.items;
  object.descriptors.items = {{0x36f, 1}};
  const Shbin files[] = {sample("quad.g.shbin"), from_object(object)};
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->executables[1].entry_words, files[0].program.code.size());
  EXPECT_EQ(linked->executables[1].end_words, files[0].program.code.size() + 2);
}

}  // namespace

}  // namespace unshade::pica
