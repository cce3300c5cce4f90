#include <unshade/pica/memory.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade::pica {

namespace {

Shbin assembled(std::string_view text) {
  const Source source{"t", text};
  Assembly assembly = assemble({&source, 1});
  for (const auto& message : assembly.messages) EXPECT_TRUE(assembly.ok) << to_string(message);
  return std::move(assembly.shbin);
}

/// The memories of an emulator after programs were uploaded one over the other.
struct Memories {
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kMemoryWords);
  std::vector<std::uint32_t> descriptors = std::vector<std::uint32_t>(kMemoryWords);

  Memories& upload(const Program& program) {
    std::copy(program.code.begin(), program.code.end(), words.begin());
    for (std::size_t i = 0; i < program.descriptors.size(); ++i) descriptors[i] = program.descriptors[i].bits;
    return *this;
  }
};

constexpr std::string_view kLarge = R"(
.proc main
  mul r0, c0, v1
  mul r1, r0.wzyx, v2
  mul r2, r1.xxxx, v3
  mul r3, r2.yyyy, v4
  mul r4, r3.xyxy, v4
  mul r5, r4.zzww, v4
  mul r6, r5.wwxx, v4
  mul r7, r6.xzxz, v4
  mul o0, r3.zzzz, v5
  end
.end
)";

/// Main is not at word 0, and calls what lies before and behind it.
constexpr std::string_view kSmall = R"(
.out outPosition position
.out outColour color
.proc before
  mov outPosition, v1
.end
.proc main
  call before
  call behind
  end
.end
.proc behind
  mov outColour, v0.wzyx
.end
)";

TEST(PicaMemory, LeavesOutWhatEarlierProgramsLeft) {
  const Shbin small = assembled(kSmall);
  ASSERT_LT(small.program.code.size(), assembled(kLarge).program.code.size());
  Memories memories;
  memories.upload(assembled(kLarge).program).upload(small.program);
  const Executable& main = small.executables.front();
  MemoryEntry entry;
  entry.entry_words = static_cast<std::uint16_t>(main.entry_words);
  entry.output_mask = main.output_mask;
  entry.output_count = 2;
  entry.output_maps = {0x03020100, 0x0b0a0908};
  const auto made = shbin_of_memory(memories.words, memories.descriptors, {&entry, 1});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->program.code.items, small.program.code.items);
  EXPECT_EQ(made->program.descriptors.items, small.program.descriptors.items);
  ASSERT_EQ(made->executables.size(), 1U);
  const Executable& executable = made->executables.front();
  EXPECT_EQ(executable.entry_words, main.entry_words);
  EXPECT_EQ(executable.end_words, main.end_words);
  EXPECT_EQ(executable.input_mask, 3U);
  EXPECT_EQ(executable.output_mask, 3U);
  const std::vector<OutputRecord> outputs = {{Output::position, 0, 0xf, 0}, {Output::color, 1, 0xf, 0}};
  EXPECT_EQ(executable.outputs.items, outputs);
  const auto bytes = write_shbin(*made);
  for (const Diagnostic& d : shader::validate(test::view_of(bytes))) ADD_FAILURE() << to_string(d);
}

TEST(PicaMemory, StatesOutputsByTheirComponents) {
  Memories memories;
  memories.upload(assembled(kLarge).program);
  MemoryEntry entry;
  entry.output_mask = 0b1000'1010'0001;
  entry.output_count = 3;
  entry.output_maps = {
      0x1f100d0c,  // texcoord0 and its w
      0x0001020a,  // the third of colour, position backwards
      0x141312ff,  // nothing, view
      0x03020100,  // of no output: there are three
  };
  const auto made = shbin_of_memory(memories.words, memories.descriptors, {&entry, 1});
  ASSERT_TRUE(made);
  const std::vector<OutputRecord> outputs = {{Output::texcoord0, 0, 0b0011, 0},
                                             {Output::texcoord0_w, 0, 0b0100, 0},
                                             {Output::position, 5, 0b1000, 0},
                                             {Output::generic, 5, 0b0111, 0},
                                             {Output::view, 7, 0b1110, 0}};
  EXPECT_EQ(made->executables.front().outputs.items, outputs);
}

TEST(PicaMemory, HoldsTheCodeOfAllEntryPoints) {
  Memories memories;
  memories.upload(assembled(kSmall).program);
  const std::uint32_t main = assembled(kSmall).executables.front().entry_words;
  std::vector<MemoryEntry> entries(2);
  entries[1].entry_words = static_cast<std::uint16_t>(main + 2);  // its end
  auto made = shbin_of_memory(memories.words, memories.descriptors, std::span(entries).subspan(1));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->program.code.size(), main + 3);
  EXPECT_TRUE(made->program.descriptors.empty());
  entries[0].entry_words = static_cast<std::uint16_t>(main);
  made = shbin_of_memory(memories.words, memories.descriptors, entries);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->program.code.size(), assembled(kSmall).program.code.size());
  ASSERT_EQ(made->executables.size(), 2U);
}

TEST(PicaMemory, RefusesEntryPointsBehindTheWords) {
  const std::vector<std::uint32_t> words(4);
  MemoryEntry entry;
  entry.entry_words = 4;
  const auto made = shbin_of_memory(words, {}, {&entry, 1});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::out_of_range);
}

/// Calls of the same words that end at different places: the longer one is followed too, in whatever order.
TEST(PicaMemory, FollowsCallsThatOverlap) {
  const auto call = [](std::uint16_t target, std::uint16_t count) {
    Instruction i;
    i.opcode = Opcode::call;
    i.target = target;
    i.count = count;
    return encode(i);
  };
  const std::uint32_t nop = 0x21U << 26;
  const std::uint32_t end = 0x22U << 26;
  for (const bool is_short_first : {false, true}) {
    std::vector<std::uint32_t> words = {
        call(3, is_short_first ? 1 : 2), call(3, is_short_first ? 2 : 1), end, nop, call(6, 1), end, nop, nop};
    MemoryEntry entry;
    const auto made = shbin_of_memory(words, {}, {&entry, 1});
    ASSERT_TRUE(made);
    EXPECT_EQ(made->program.code.size(), 7U);
  }
}

}  // namespace

}  // namespace unshade::pica
