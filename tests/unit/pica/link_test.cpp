#include <unshade/pica/link.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>

#include "pica/descriptor_care.hpp"
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

/// `count` words of `a` from `at`, and of `b` from `from`, do the same: addresses apart by their distance, descriptors equal in the bits
/// that the instruction depends on.
void expect_same_code(const Shbin& a, std::uint32_t at, const Shbin& b, std::uint32_t from, std::uint32_t count) {
  ASSERT_LE(at + count, a.program.code.size());
  ASSERT_LE(from + count, b.program.code.size());
  for (std::uint32_t k = 0; k < count; ++k) {
    Instruction x = decode(a.program.code[at + k]);
    Instruction y = decode(b.program.code[from + k]);
    if (has_descriptor(format_of(x.opcode))) {
      ASSERT_LT(x.descriptor, a.program.descriptors.size());
      ASSERT_LT(y.descriptor, b.program.descriptors.size());
      const Descriptor p = a.program.descriptors[x.descriptor];
      const Descriptor q = b.program.descriptors[y.descriptor];
      const Opcode straight = is_inverted(x.opcode) ? twin(x.opcode) : x.opcode;
      EXPECT_EQ((p.bits ^ q.bits) & (descriptor_care(straight, q.bits) | 1U << 31), 0U) << "word " << k;
      EXPECT_EQ(p.used, q.used);
      x.descriptor = y.descriptor;
    }
    if (info(x.opcode).has_target()) {
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

TEST(Link, SharesDescriptorsByWhatInstructionsDependOn) {
  // z and w of the source are free where the destination is .xy
  const Shbin files[] = {assembled(".proc main\nmov r0.xy, r1.xyzw\nend\n.end\n"), assembled(".proc main\nmov r2.xy, r1.xyxx\nend\n.end\n"),
                         assembled(".proc main\nmov r2.xy, r1.yx\nend\n.end\n")};
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->program.descriptors.size(), 2U);
  for (std::uint32_t f = 0; f < 3; ++f) expect_same_code(*linked, 2 * f, files[f], 0, 2);
}

TEST(Link, KeepsDescriptorsApartThatDifferInWhatNobodyKnows) {
  Shbin files[] = {assembled(".proc main\nmov r0, r1\nend\n.end\n"), assembled(".proc main\nmov r2, r1\nend\n.end\n")};
  files[1].program.descriptors[0].used = 0xf;
  EXPECT_EQ(link(files)->program.descriptors.size(), 2U);
  files[1].program.descriptors[0] = {files[0].program.descriptors[0].bits | 1U << 31, 0};
  EXPECT_EQ(link(files)->program.descriptors.size(), 2U);
}

// What picasso makes of two sources at once, and what linking its two files comes to.
TEST(Link, NeedsAsManyDescriptorsAsOneAssembly) {
  const std::string first = ".proc main\nmov r0.xyz, r1.zyxw\ndp3 r0, r1.xyzz, r2\nrcp r0, r1.y\nmad r0, r1, r2, r3.xxxx\nend\n.end\n";
  const std::string second =
      ".proc other\nmov r0.x, r1.zzzz\ndp3 r0, r1.xyzw, r2\nrsq r0, r1.yyyx\nmad r0, r1, r2, r3.xxxx\nend\n.end\n.entry other\n";
  const Source sources[] = {{"a", first}, {"b", second}};
  const Assembly together = assemble(sources);
  ASSERT_TRUE(together.ok);
  const Shbin files[] = {assembled(first), assembled(second)};
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->program.descriptors.size(), together.shbin.program.descriptors.size());
  EXPECT_EQ(linked->program.code.items, together.shbin.program.code.items);
}

TEST(Link, WritesSharedProceduresOnce) {
  const std::string helpers =
      ".proc twice\nadd r0, r1, r1\n.end\n"
      ".proc both\ncall twice\nmov r3, r0.wzyx\n.end\n";
  const Shbin files[] = {
      assembled(helpers + ".proc main\ncall both\nmov o0, r3\nend\n.end\n"),
      // other descriptors in front, another order, other mains
      assembled(".proc unlike\nmov r5.z, r6.yyyy\n.end\n" + helpers + ".proc main\ncall unlike\ncall both\nend\n.end\n")};
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  const std::size_t first = files[0].program.code.size();
  ASSERT_EQ(linked->program.code.size(), first + 1 + 3);
  // unlike stands behind the first file, main behind it; both is called where the first file has it
  const Instruction call_unlike = decode(linked->program.code[first + 1]);
  const Instruction call_both = decode(linked->program.code[first + 2]);
  EXPECT_EQ(call_unlike.target, first);
  EXPECT_EQ(call_unlike.count, 1U);
  EXPECT_EQ(call_both.target, 1U);
  EXPECT_EQ(call_both.count, 2U);
  EXPECT_EQ(linked->executables[1].entry_words, first + 1);
  EXPECT_EQ(linked->executables[1].end_words, first + 4);
  // and taken out again it is the second file, in another order
  const auto taken = take_executable(*linked, 1);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->program.code.size(), files[1].program.code.size());
}

TEST(Link, DoesNotShareWhatCallsOtherCode) {
  const Shbin files[] = {
      assembled(".proc inner\nmov r0, r1\n.end\n.proc outer\ncall inner\nnop\n.end\n.proc main\ncall outer\nend\n.end\n"),
      assembled(".proc inner\nmov r0, r2\n.end\n.proc outer\ncall inner\nnop\n.end\n.proc main\ncall outer\nend\n.end\n")};
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->program.code.size(), files[0].program.code.size() + files[1].program.code.size());
}

// A program that does not stop goes on into what follows it: nothing of it can be moved.
TEST(Link, KeepsTogetherWhatRunsOn) {
  const std::string helper = ".proc twice\nadd r0, r1, r1\n.end\n";
  const Shbin files[] = {assembled(helper + ".proc main\ncall twice\nend\n.end\n"),
                         assembled(".proc main\ncall twice\nmov o0, r0\n.end\n" + helper)};
  const auto linked = link(files);
  ASSERT_TRUE(linked);
  const auto first = static_cast<std::uint32_t>(files[0].program.code.size());
  ASSERT_EQ(linked->program.code.size(), first + files[1].program.code.size());
  expect_same_code(*linked, first, files[1], 0, static_cast<std::uint32_t>(files[1].program.code.size()));
}

/// As many instructions with different descriptors.
std::string different(std::size_t count, bool is_mad) {
  std::string text = ".gsh\n.proc main\n";
  const std::string letters = "xyzw";
  for (std::size_t i = 0; i < count; ++i) {
    std::string source;
    for (unsigned k = 0; k < 4; ++k) source += letters[i >> (2 * k) & 3];
    text += (is_mad ? "mad r0, r1, r2, r3." : "mov r0, r1.") + source + '\n';
  }
  return text + "end\n.end\n";
}

TEST(Link, SaysWhichWordNeedsADescriptorTooMany) {
  const Shbin files[] = {assembled(different(100, false)), assembled(different(128, false)), assembled(different(20, true)),
                         assembled(".proc main\nmov r0.x, -r1\nend\n.end\n")};
  EXPECT_TRUE(link(std::span(files).first(2)));
  const Shbin many[] = {files[1], files[3]};
  const auto linked = link(many);
  ASSERT_FALSE(linked);
  EXPECT_EQ(linked.error().code, ErrorCode::limit);
  EXPECT_EQ(linked.error().path, "files[1]/code[0]/descriptor");
}

TEST(Link, SaysWhichMadCannotReachItsDescriptor) {
  std::string other = ".gsh\n.proc main\n";
  for (const char* source : {"xxxx", "yyyy", "zzzz"}) other += std::string("mad r0, r1, -r2, r3.") + source + '\n';
  const Shbin files[] = {assembled(different(30, true)), assembled(other + "end\n.end\n")};
  const auto linked = link(files);
  ASSERT_FALSE(linked);
  EXPECT_EQ(linked.error().code, ErrorCode::limit);
  EXPECT_EQ(linked.error().path, "files[1]/code[2]/descriptor");
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

/// main has no end of its own: it runs into what follows, and that is kept.
TEST(TakeExecutable, KeepsWhatMainRunsInto) {
  const Shbin file = assembled(
      ".out - position o0\n.proc main\n mov o0, c0\n.end\n.proc tail\n mov o0, c1\n end\n.end\n.proc other\n mov o0, c2\n end\n.end\n");
  ASSERT_EQ(file.program.code.size(), 5U);
  EXPECT_EQ(file.executables[0].end_words, 1U);
  const auto taken = take_executable(file, 0);
  ASSERT_TRUE(taken);
  const std::vector<std::uint32_t> kept(file.program.code.begin(), file.program.code.begin() + 3);
  EXPECT_EQ(taken->program.code.items, kept);
}

/// An end inside of a block stops one of its paths alone.
TEST(TakeExecutable, KeepsWhatFollowsABlockWithAnEnd) {
  Shbin file = assembled(
      ".exact\n.desc 0 0x36f\n.out - position o0\n.entry @0 @0\n.proc main\n ifu b0\n end\n .end\n mov o0, c1 {0}\n end\n.end\n"
      ".proc other\n mov o0, c2 {0}\n end\n.end\n");
  const auto taken = take_executable(file, 0);
  ASSERT_TRUE(taken);
  const std::vector<std::uint32_t> kept(file.program.code.begin(), file.program.code.begin() + 4);
  EXPECT_EQ(taken->program.code.items, kept);
}

}  // namespace

}  // namespace unshade::pica
