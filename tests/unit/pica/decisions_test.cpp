// Where documents of the format disagree, what we follow: a test for each row of docs/reference/formats/shbin.md, "Known disagreements", in
// its order.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/pica/validate.hpp>

#include "support/files.hpp"

namespace unshade::pica {

namespace {

using test::view_of;
using Bytes = std::vector<std::byte>;

Assembly assembled(const std::string& text, const AssemblerOptions& options = {}) {
  const Source source{"t.pica", text};
  return assemble({&source, 1}, options);
}

Bytes written(const std::string& text, const AssemblerOptions& options = {}) {
  const Assembly assembly = assembled(text, options);
  EXPECT_TRUE(assembly.ok) << (assembly.messages.empty() ? "" : to_string(assembly.messages[0]));
  return write_shbin(assembly.shbin);
}

Shbin read(const Bytes& bytes) {
  auto shbin = parse_shbin(view_of(bytes));
  EXPECT_TRUE(shbin) << to_string(shbin.error());
  return shbin ? std::move(*shbin) : Shbin{};
}

std::set<std::string> findings(const Bytes& bytes) {
  std::set<std::string> ids;
  for (const Diagnostic& d : check_file(view_of(bytes))) ids.insert(std::string(d.rule->id));
  return ids;
}

std::uint32_t u32(const Bytes& bytes, std::size_t at) { return view_of(bytes).u32(at).value_or(0); }

void put(Bytes& bytes, std::size_t at, std::uint32_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes.at(at + i) = static_cast<std::byte>(value >> (8 * i));
}

// What is unknown is written as it was read.
void expect_kept(const Bytes& bytes) { EXPECT_EQ(write_shbin(read(bytes)), bytes); }

const std::string kMain = ".proc main\n\tmov o0, v0\n\tend\n.end\n";
const std::string kTables = ".in position v0\n.out - position o0\n.fvec scale\n.constf one(1, 1, 1, 1)\n.setb b0 true\n" + kMain;

/// Bytes from the file's start on.
constexpr std::size_t kProgram = 8 + 4;  // of a file with one executable
std::size_t executable_at(const Bytes& bytes) { return u32(bytes, 8); }

TEST(Decisions, TablesOfAnExecutableAreCountedFromItsStart) {
  const Bytes bytes = written(kTables);
  EXPECT_EQ(u32(bytes, executable_at(bytes) + 0x18), 0x40U);  // the constants stand behind the header
  const Shbin shbin = read(bytes);
  ASSERT_EQ(shbin.executables.at(0).constants.size(), 2U);
  EXPECT_EQ(shbin.executables[0].constants[0].real(0), 0x3f0000U);
}

TEST(Decisions, TheProgramHasATableOfLines) {
  AssemblerOptions options;
  options.line_info = true;
  const Shbin shbin = read(written(kMain, options));
  ASSERT_EQ(shbin.program.lines.size(), 2U);
  EXPECT_EQ(shbin.program.lines[1].number, 3U);
  EXPECT_EQ(shbin.program.file_name(shbin.program.lines[1]), "t.pica");
  // picasso writes the size of the program in place of the offset, and a count of 0
  const Bytes plain = written(kMain);
  EXPECT_NE(u32(plain, kProgram + 0x18), 0U);
  EXPECT_EQ(u32(plain, kProgram + 0x1c), 0U);
  EXPECT_TRUE(read(plain).program.lines.empty());
}

TEST(Decisions, VersionsAreTheVendorsAndKept) {
  Bytes bytes = written(kMain);
  put(bytes, kProgram + 4, 0x0c02, 4);
  put(bytes, executable_at(bytes) + 4, 0x0c02, 2);
  EXPECT_EQ(read(bytes).program.version, 0x0c02U);
  EXPECT_EQ(read(bytes).executables.at(0).version, 0x0c02U);
  expect_kept(bytes);
}

TEST(Decisions, Byte7OfAnExecutableIsFlags) {
  Bytes bytes = written(kMain);
  for (const std::uint8_t flags : {kMergeOutputs, kDebugBuild, static_cast<std::uint8_t>(kMergeOutputs | kDebugBuild)}) {
    put(bytes, executable_at(bytes) + 7, flags, 1);
    EXPECT_EQ(read(bytes).executables.at(0).flags, flags);
    expect_kept(bytes);
  }
}

Bytes with_label() {
  AssemblerOptions options;
  options.labels = true;
  return written(kMain, options);
}

TEST(Decisions, TheIdOfALabelIsAWord) {
  Bytes bytes = with_label();
  EXPECT_EQ(read(bytes).executables.at(0).labels[0].id, 0x10000U);
  const std::size_t table = executable_at(bytes) + u32(bytes, executable_at(bytes) + 0x20);
  put(bytes, table, 0x1234'5678, 4);
  EXPECT_EQ(read(bytes).executables.at(0).labels[0].id, 0x1234'5678U);
  expect_kept(bytes);
}

TEST(Decisions, TheLengthOfALabelIsKeptAndNotInterpreted) {
  Bytes bytes = with_label();
  const std::size_t table = executable_at(bytes) + u32(bytes, executable_at(bytes) + 0x20);
  put(bytes, table + 8, 1000, 4);  // beyond the code in words as in bytes
  EXPECT_EQ(read(bytes).executables.at(0).labels[0].length, 1000U);
  EXPECT_FALSE(findings(bytes).contains("pica.label-range"));
  expect_kept(bytes);
}

TEST(Decisions, TheSecondWordOfADescriptorIsKept) {
  Bytes bytes = written(kMain);
  put(bytes, kProgram + u32(bytes, kProgram + 0x10) + 4, 0xffff'000f, 4);
  EXPECT_EQ(read(bytes).program.descriptors[0].used, 0xffff'000fU);
  expect_kept(bytes);
}

TEST(Decisions, TheFourthHalfwordOfAnOutputIsKept) {
  Bytes bytes = written(kTables);
  const std::size_t table = executable_at(bytes) + u32(bytes, executable_at(bytes) + 0x28);
  put(bytes, table + 6, 0xabcd, 2);
  EXPECT_EQ(read(bytes).executables.at(0).outputs[0].reserved, 0xabcdU);
  expect_kept(bytes);
}

TEST(Decisions, AnIntegerConstantHasFourBytes) {
  const Bytes bytes = written(".consti loops(1, 2, 3, 4)\n" + kMain);
  EXPECT_EQ(read(bytes).executables.at(0).constants[0].integer(3), 4U);
  Text text;
  list_shbin(read(bytes), text);
  EXPECT_NE(text.view().find(".seti i3(1, 2, 3, 4)"), std::string_view::npos) << text.view();
}

TEST(Decisions, OutputType9IsGeneric) {
  const Bytes bytes = written(".out - dummy o0\n" + kMain);
  EXPECT_EQ(read(bytes).executables.at(0).outputs[0].type, Output::generic);
  EXPECT_FALSE(findings(bytes).contains("pica.output-type"));
}

TEST(Decisions, OutputType4IsTheWOfTexcoord0) {
  const Bytes bytes = written(".out - texcoord0w o0.x\n" + kMain);
  EXPECT_EQ(read(bytes).executables.at(0).outputs[0].type, Output::texcoord0_w);
  EXPECT_FALSE(findings(bytes).contains("pica.output-type"));
}

TEST(Decisions, TheOutputMaskOfAnObjectFollowsItsInputMask) {
  Object object;
  object.input_mask = 0x1234;
  object.output_mask = 0x5678;
  const Bytes bytes = write_object(object);
  EXPECT_EQ(view_of(bytes).u16(0x08), 0x1234);
  EXPECT_EQ(view_of(bytes).u16(0x0a), 0x5678);
  EXPECT_EQ(parse_object(view_of(bytes))->output_mask, 0x5678U);
}

TEST(Decisions, AnObjectBeginsWithDvoj) {
  Bytes bytes = write_object(Object{});
  EXPECT_TRUE(is_object(view_of(bytes)));
  put(bytes, 0, 0x424f'5644, 4);  // DVOB
  const auto object = parse_object(view_of(bytes));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code, ErrorCode::bad_magic);
}

TEST(Decisions, CountsHaveEightBitsAndMoreIsWarnedOf) {
  std::string text = ".proc helper\n";
  for (int i = 0; i < 255; ++i) text += "\tnop\n";
  const std::string rest = ".end\n.proc main\n\tcall helper\n\tend\n.end\n";
  EXPECT_TRUE(assembled(text + rest).messages.empty());
  EXPECT_FALSE(findings(written(text + rest)).contains("pica.count-bits"));
  const Assembly longer = assembled(text + "\tnop\n" + rest);
  ASSERT_EQ(longer.messages.size(), 1U);
  EXPECT_EQ(longer.messages[0].id, rule(MessageKind::count_bits).id);
  EXPECT_TRUE(findings(write_shbin(longer.shbin)).contains("pica.count-bits"));
}

TEST(Decisions, ThereAreSixteenBooleans) {
  const Bytes bytes = written(".setb b15 true\n.proc main\n\tifu b15\n\tnop\n\t.end\n\tend\n.end\n");
  EXPECT_EQ(read(bytes).executables.at(0).constants[0].register_index, 15U);
  EXPECT_EQ(decode(read(bytes).program.code[0]).uniform, 15U);
  EXPECT_FALSE(findings(bytes).contains("pica.constant-register"));
  EXPECT_FALSE(assembled(".setb b16 true\n" + kMain).ok);
}

TEST(Decisions, TheFirstSourceOfMadHasFiveBits) {
  const Instruction i = decode(0xF022'8A60);  // mad r0, r1, c2, r3
  EXPECT_EQ(i.source[0], kSourceTemporaries + 1);
  EXPECT_EQ(i.source[1], kSourceConstants + 2);
  EXPECT_EQ(i.index, Index::none);
  const Assembly assembly = assembled(".proc main\n\tmad r0, c1, r2, r3\n\tend\n.end\n");
  ASSERT_FALSE(assembly.ok);
  EXPECT_EQ(assembly.messages[0].id, rule(MessageKind::invalid_source).id);
}

TEST(Decisions, Comparisons6And7AreTrue) {
  EXPECT_EQ(id(static_cast<Comparison>(6)), "always6");
  EXPECT_EQ(id(static_cast<Comparison>(7)), "always7");
  const Bytes bytes = written(".exact\n.proc main\n\tcmp r0, always6, always7, r1\n\tend\n.end\n");
  EXPECT_EQ(decode(read(bytes).program.code[0]).compare_y, static_cast<Comparison>(7));
  EXPECT_TRUE(findings(bytes).contains("pica.comparison"));
}

TEST(Decisions, VerticesAreEmittedToSlots0To2) {
  const auto body = [](int slot) { return "\tsetemit " + std::to_string(slot) + "\n\temit\n\tend\n.end\n"; };
  const std::string head = ".gsh point c0\n.proc main\n";
  EXPECT_FALSE(findings(written(head + body(2))).contains("pica.emit-slot"));
  EXPECT_FALSE(assembled(head + body(3)).ok);
  const Bytes fourth = written(".exact\n" + head + body(3));
  EXPECT_EQ(decode(read(fourth).program.code[0]).vertex, 3U);
  EXPECT_TRUE(findings(fourth).contains("pica.emit-slot"));
}

// An outer loop may go on using aL behind an inner one: nothing is found fault with.
TEST(Decisions, TheLoopCounterComesBackBehindAnInnerLoop) {
  const std::string inner = "\t\tfor i1\n\t\t\tadd r0, c0[aL], r0\n\t\t.end\n";
  const Bytes bytes = written(".proc main\n\tfor i0\n" + inner + "\t\tadd r0, c8[aL], r0\n\t.end\n\tend\n.end\n");
  EXPECT_TRUE(findings(bytes).empty());
}

TEST(Decisions, BreakLeavesTheLoop) {
  EXPECT_EQ(info(Opcode::break_).flow, Flow::leave);
  EXPECT_EQ(info(Opcode::breakc).flow, Flow::leave);
  const std::string loop = "\tfor i0\n\t\tadd r0, r0, r0\n\t\tbreak\n\t\tnop\n\t.end\n";
  EXPECT_FALSE(findings(written(".exact\n.proc main\n" + loop + "\tend\n.end\n")).contains("pica.end-missing"));
  EXPECT_TRUE(findings(written(".exact\n.proc main\n\tbreak\n\tend\n.end\n")).contains("pica.break-outside"));
}

}  // namespace

}  // namespace unshade::pica
