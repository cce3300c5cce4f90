// Level 9 parts and the Direct3D 9 token stream, from tokens made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/level9/sm2_assemble.hpp>
#include <unshade/dxbc/sm2.hpp>

#include "dxbc/level9/listing.hpp"
#include "dxbc/level9/sm2_comments_document.hpp"

namespace unshade::dxbc {
namespace {

constexpr std::uint32_t kPs20 = 0xffff0200;
constexpr std::uint32_t kPs2x = 0xffff0201;
constexpr std::uint32_t kVs20 = 0xfffe0200;
constexpr std::uint32_t kPs30 = 0xffff0300;
constexpr std::uint32_t kEnd = 0x0000ffff;
constexpr std::uint32_t kOne = 0x3f800000;

/// Bytes that grow by little-endian integers.
class Bytes {
 public:
  Bytes& u8(std::uint32_t value) { return put(value, 1); }
  Bytes& u16(std::uint32_t value) { return put(value, 2); }
  Bytes& u32(std::uint32_t value) { return put(value, 4); }
  Bytes& words(std::initializer_list<std::uint32_t> values) {
    for (const auto value : values) u32(value);
    return *this;
  }
  Bytes& text(std::string_view text) {
    for (const char c : text) u8(static_cast<unsigned char>(c));
    u8(0);
    while (bytes_.size() % 4 != 0) u8(0xab);
    return *this;
  }
  Bytes& append(const Bytes& other) {
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    return *this;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
  View view() const { return View(bytes_); }
  std::vector<std::byte>& raw() { return bytes_; }

 private:
  Bytes& put(std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  std::vector<std::byte> bytes_;
};

struct Tables {
  Bytes samplers, constant_buffers, integers, booleans, runtime_constants;
};

/// A part as fxc lays it out.
Bytes part_of(const Tables& tables, const Bytes& program) {
  constexpr std::uint32_t kHeader = 36;
  const std::uint32_t samplers = kHeader;
  const std::uint32_t constant_buffers = samplers + tables.samplers.size();
  const std::uint32_t integers = constant_buffers + tables.constant_buffers.size();
  const std::uint32_t booleans = integers + tables.integers.size();
  const std::uint32_t runtime_constants = booleans + tables.booleans.size();
  const std::uint32_t code = runtime_constants + tables.runtime_constants.size();
  Bytes part;
  part.u32(code + program.size()).u32(program.view().u32(0).value_or(0)).u32(program.size()).u32(code);
  part.u16(tables.constant_buffers.size() / 12).u16(constant_buffers);
  part.u16(tables.integers.size() / 8).u16(integers);
  part.u16(tables.booleans.size() / 8).u16(booleans);
  part.u16(tables.samplers.size() / 4).u16(samplers);
  part.u16(tables.runtime_constants.size() / 4).u16(runtime_constants);
  part.append(tables.samplers).append(tables.constant_buffers).append(tables.integers).append(tables.booleans);
  return part.append(tables.runtime_constants).append(program);
}

dxcontainer::Part aon9(const Bytes& bytes) { return {dxcontainer::fourcc("Aon9"), 0, bytes.view()}; }

/// The instruction lines of a program, one per instruction and without indentation.
std::string instructions(std::initializer_list<std::uint32_t> tokens) {
  Bytes program;
  program.words(tokens);
  sm2::Cursor cursor(program.view());
  sm2::Instruction instruction;
  sm2::Operands operands;
  Text out;
  while (cursor.next(instruction)) {
    decode(instruction, cursor.version(), operands);
    print(out, instruction, operands, cursor.version());
    out << '\n';
  }
  EXPECT_EQ(cursor.state(), sm2::Cursor::State::ended);
  return out.str();
}

std::string listing(const Bytes& part, const level9::Level9ListingOptions& options = {}) {
  auto level9 = parse_level9(aon9(part));
  EXPECT_TRUE(level9);
  Text out;
  if (level9) level9::print_level9(out, *level9, options);
  return out.str();
}

/// A declaration and four mov r0, t0 behind a DBUG comment with two files, a variable of the entry point and one of a function f.
Bytes program_with_debug_info() {
  Bytes info;
  constexpr std::uint32_t kHeader = 40;
  constexpr std::uint32_t kTexts = kHeader;  // "a.fx" 8, "b.fx" 8, "main" 8, "f" 4, "x" 4, "c" 4
  constexpr std::uint32_t kFiles = kTexts + 36;
  constexpr std::uint32_t kLines = kFiles + 8;
  constexpr std::uint32_t kType = kLines + 5 * 8;
  constexpr std::uint32_t kWrites = kType + 16;
  constexpr std::uint32_t kVariables = kWrites + 3 * 12;
  constexpr std::uint32_t kBytes = kVariables + 2 * 20;
  constexpr std::uint32_t kCode = 4 + 8 + kBytes;  // behind version token, comment token and FourCC
  info.words({kHeader, 0, 0, 2, kFiles, 5, kLines, 2, kVariables, kTexts + 16});
  info.text("a.fx").text("b.fx").text("main").text("f").text("x").text("c");
  EXPECT_EQ(info.size(), kFiles);
  info.words({kTexts, kTexts + 8});
  info.u16(0).u16(0xffff).u32(kCode);                      // dcl: no line
  info.u16(10).u16(0).u32(kCode + 12);                     // mov
  info.u16(12).u16(0).u32(kCode + 24);                     // mov, two lines on: near
  info.u16(15).u16(0).u32(kCode + 36);                     // mov, three lines on
  info.u16(15).u16(1).u32(kCode + 48);                     // mov, another file
  info.u16(1).u16(3).u16(1).u16(4).u16(1).u16(0).u32(0);   // float4
  info.u32(0).u16(0).u16(1).u16(0xffff).u16(0xffff);       // the dcl writes main's x
  info.u32(4).u16(4).u16(5).u16(6).u16(7);                 // the last mov writes f's c
  info.u32(4).u16(0xffff).u16(3).u16(0xffff).u16(0xffff);  // and once more
  info.words({kTexts + 16, kTexts + 28, kType, 1, kWrites});
  info.words({kTexts + 24, kTexts + 32, kType, 2, kWrites + 12});
  EXPECT_EQ(info.size(), kBytes);

  Bytes program;
  program.words({kPs20, 0xfffe | (info.size() / 4 + 1) << 16, sm2::kDebugComment}).append(info);
  program.words({0x0200001f, 0x80000000, 0xb0030000});
  for (int i = 0; i < 4; ++i) program.words({0x02000001, 0x800f0000, 0xb0e40000});
  return program.u32(kEnd);
}

/// The text without the fields of a debug comment, which go to `fields`.
std::string take_debug_info(std::string_view program, Value& fields) {
  Value members = Value::map();
  std::string text = sm2::take_comments(program, members, Places::stated);
  if (const Value* const found = members.find("DBUG")) fields = *found;
  return text;
}
Result<std::string> put_comments(std::string_view text, const Value& members, std::uint64_t most) {
  dxcontainer::PartContext context;
  context.most = most;
  return sm2::put_comments(text, members, context);
}
Result<std::string> put_debug_info(std::string_view text, const Value& fields, std::uint64_t most) {
  Value members = Value::map();
  members.add("DBUG", fields);
  return put_comments(text, members, most);
}

/// The fields of the program's debug comment, and its text without them.
std::string taken(Value& fields) {
  const Bytes program = program_with_debug_info();
  Text text;
  EXPECT_TRUE(sm2::print_program(text, program.view()));
  return take_debug_info(text.view(), fields);
}

TEST(Sm2DebugInfo, IsFieldsInADocument) {
  Value fields;
  const std::string text = taken(fields);
  EXPECT_TRUE(text.starts_with("ps_2_0\ncomment DBUG\ndcl")) << text;
  ASSERT_NE(fields.find("lines"), nullptr);
  EXPECT_EQ(fields.find("lines")->as_list()->size(), 5U);
  EXPECT_EQ(*(*fields.find("variables")->as_list())[1].find("scope")->as_text(), "f");
  EXPECT_EQ(fields.find("types")->as_list()->size(), 1U);
  const auto back = put_debug_info(text, fields, 1000);
  ASSERT_TRUE(back) << to_string(back.error());
  const auto assembled = sm2::assemble_program(*back);
  ASSERT_TRUE(assembled) << to_string(assembled.error());
  EXPECT_TRUE(std::ranges::equal(*assembled, program_with_debug_info().view().bytes()));
}

TEST(Sm2DebugInfo, IsLaidOutAsByFxcWithoutHints) {
  Value fields;
  const std::string text = taken(fields);
  const auto drop_hints = [](Value& value, const auto& self) -> void {
    if (Value::Map* const map = value.as_map()) {
      std::erase_if(*map, [](const Value::Member& member) { return member.key.ends_with('@') || member.key == "size"; });
      for (Value::Member& member : *map) self(member.value, self);
    } else if (Value::List* const list = value.as_list()) {
      for (Value& element : *list) self(element, self);
    }
  };
  drop_hints(fields, drop_hints);
  const auto put = put_debug_info(text, fields, 1000);
  ASSERT_TRUE(put) << to_string(put.error());
  // what is laid out so needs no hints to be read back
  Value again;
  EXPECT_EQ(take_debug_info(*put, again), text);
  Value without = again;
  drop_hints(without, drop_hints);
  EXPECT_TRUE(again == without);
  EXPECT_EQ(*put_debug_info(text, again, 1000), *put);
}

TEST(Sm2DebugInfo, FaultsOfFields) {
  Value fields;
  const std::string text = taken(fields);
  EXPECT_EQ(put_debug_info("ps_2_0\n", fields, 1000).error().code, ErrorCode::bad_value);
  EXPECT_EQ(put_debug_info(text, fields, 10).error().code, ErrorCode::limit);
  Value wrong = fields;
  wrong.add("colour", Value::integer(1));
  EXPECT_EQ(put_debug_info(text, wrong, 1000).error().path, "DBUG/colour");
  Value untouched;
  EXPECT_EQ(take_debug_info("ps_2_0\ncomment 4755424400000000\n", untouched), "ps_2_0\ncomment 4755424400000000\n");
  EXPECT_EQ(take_debug_info("ps_2_0\ncomment 44425547", untouched), "ps_2_0\ncomment 44425547") << "a comment cut off";
  EXPECT_TRUE(untouched.is(Value::Kind::null));
}

TEST(Sm2ConstantTable, IsFieldsInADocument) {
  // creator, version, one constant at 28, flags, target; type at 52, default value at 68
  Bytes table;
  table.words({28, 87, 0xffff0200, 1, 28, 0, 84}).words({48, 2, 1, 52, 68});
  table.text("c0").words({1 << 16 | 3, 1 << 16 | 4, 1, 0});
  table.words({0x3f800000, 0, 0, 0x40000000});
  table.words({0x68007370, 0x00646e61});  // ps, hand
  Bytes program;
  program.words({kPs20, 0xfffe | (table.size() / 4 + 1) << 16, sm2::kConstantComment}).append(table).u32(kEnd);
  Text text;
  ASSERT_TRUE(sm2::print_program(text, program.view()));
  Value members = Value::map();
  const std::string taken = sm2::take_comments(text.view(), members, Places::stated);
  EXPECT_TRUE(taken.starts_with("ps_2_0\ncomment CTAB\n")) << taken;
  const Value* const fields = members.find("CTAB");
  ASSERT_NE(fields, nullptr);
  const Value& constant = (*fields->find("constants")->as_list())[0];
  ASSERT_NE(constant.find("default_value"), nullptr);
  EXPECT_EQ(constant.find("default_value")->as_list()->size(), 4U);
  const auto back = put_comments(taken, members, 1000);
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(*back, text.view());

  Value wrong = members;
  for (Value::Member& member : *(*(*wrong.as_map())[0].value.as_map())[2].value.as_list()->front().as_map())
    if (member.key == "default_value") member.value.as_list()->pop_back();
  const auto refused = put_comments(taken, wrong, 1000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "CTAB/constants[0]/default_value");
}

TEST(Sm2Table, CodesAreFoundAndUnknownOnesAreNot) {
  ASSERT_NE(sm2::find_opcode(0x04), nullptr);
  EXPECT_EQ(sm2::find_opcode(0x04)->text, "mad");
  EXPECT_EQ(sm2::find_opcode(0x04)->token_count, 4);
  EXPECT_EQ(sm2::find_opcode(0x31), nullptr);
  EXPECT_EQ(sm2::find_opcode(0xfffe), nullptr);
  EXPECT_EQ(sm2::find_opcode(0xffffffff), nullptr);
}

TEST(Sm2Version, Prints) {
  const auto text = [](std::uint32_t token) {
    Text out;
    print(out, sm2::Version{token});
    return out.str();
  };
  EXPECT_EQ(text(kPs20), "ps_2_0");
  EXPECT_EQ(text(0xfffe0201), "vs_2_x");
  EXPECT_EQ(text(0xfffe02ff), "vs_2_sw");
  EXPECT_EQ(text(0xffff0104), "ps_1_4");
  EXPECT_EQ(text(0x12340200), "unknown(0x1234)_2_0");
}

TEST(Sm2Print, SwizzlesAreShortenedOnlyWhenAllComponentsAreOne) {
  EXPECT_EQ(instructions({kVs20, 0x02000001, 0x800f0000, 0x80e40001, kEnd}), "mov r0, r1\n");
  EXPECT_EQ(instructions({kVs20, 0x02000001, 0x80070000, 0x80550001, kEnd}), "mov r0.xyz, r1.y\n");
  EXPECT_EQ(instructions({kVs20, 0x02000001, 0x80080000, 0x80a40001, kEnd}), "mov r0.w, r1.xyzz\n");
}

TEST(Sm2Print, ModifiersAndSuffixes) {
  EXPECT_EQ(instructions({kPs20, 0x03000005, 0x80170000, 0x81e40001, 0xa0e40002, kEnd}), "mul_sat r0.xyz, -r1, c2\n");
  EXPECT_EQ(instructions({kPs20, 0x02000007, 0x80280000, 0x8bff0001, kEnd}), "rsq_pp r0.w, r1_abs.w\n");
  EXPECT_EQ(instructions({kPs20, 0x02000001, 0x800f0000, 0x8ce40001, kEnd}), "mov r0, -r1_abs\n");
  EXPECT_EQ(instructions({kPs20, 0x03010042, 0x800f0000, 0xb0e40000, 0xa0e40800, kEnd}), "texldp r0, t0, s0\n");
  EXPECT_EQ(instructions({kPs20, 0x01000041, 0x800f0000, kEnd}), "texkill r0\n");
}

TEST(Sm2Print, ControlFlowAndPredicates) {
  EXPECT_EQ(instructions({kPs2x, 0x02040029, 0x80000000, 0x80550000, kEnd}), "if_lt r0.x, r0.y\n");
  EXPECT_EQ(instructions({kPs2x, 0x14000005, 0x800f0000, 0xb0001000, 0x80e40001, 0x80e40002, kEnd}), "(p0.x) mul r0, r1, r2\n");
  EXPECT_EQ(instructions({kPs2x, 0x01000026, 0xf0e40000, kEnd}), "rep i0\n");
}

TEST(Sm2Print, RelativeAddressingTakesATokenOfItsOwn) {
  EXPECT_EQ(instructions({kVs20, 0x0200002e, 0xb0010000, 0x80000000, kEnd}), "mova a0.x, r0.x\n");
  EXPECT_EQ(instructions({kVs20, 0x04000009, 0x80010000, 0x90e40000, 0xa0e42003, 0xb0000000, kEnd}), "dp4 r0.x, v0, c3[a0.x]\n");
}

TEST(Sm2Print, DeclarationsNameUsageInVertexShadersOnly) {
  EXPECT_EQ(instructions({kVs20, 0x0200001f, 0x80010005, 0x900f0001, kEnd}), "dcl_texcoord1 v1\n");
  EXPECT_EQ(instructions({kPs20, 0x0200001f, 0x80000000, 0xb0030001, kEnd}), "dcl t1.xy\n");
  EXPECT_EQ(instructions({kPs20, 0x0200001f, 0x90000000, 0xa00f0800, kEnd}), "dcl_2d s0\n");
  EXPECT_EQ(instructions({kPs20, 0x0200001f, 0x98000000, 0xa00f0801, kEnd}), "dcl_cube s1\n");
  EXPECT_EQ(instructions({kPs30, 0x0200001f, 0x8000000a, 0x900f0000, kEnd}), "dcl_color v0\n");
}

TEST(Sm2Print, FloatsAreNineDigitsWithThreeDigitExponents) {
  const auto defined = [](std::uint32_t bits) {
    const std::string text = instructions({kPs20, 0x05000051, 0xa00f0001, bits, 0, kOne, 0x80000000, kEnd});
    return text.substr(8, text.find(',', 8) - 8);
  };
  EXPECT_EQ(instructions({kPs20, 0x05000051, 0xa00f0001, 0xbf800000, 0, kOne, 0x80000000, kEnd}), "def c1, -1, 0, 1, -0\n");
  EXPECT_EQ(defined(0x3c03126f), "0.00800000038");
  EXPECT_EQ(defined(0x38d1b717), "9.99999975e-005");
  EXPECT_EQ(defined(0x3f000000), "0.5");
  EXPECT_EQ(defined(0x42c8051f), "100.010002");
  EXPECT_EQ(defined(0x4b18967f), "9999999");
  EXPECT_EQ(defined(0x501502f9), "1e+010");
  EXPECT_EQ(defined(0x38800000), "6.10351563e-005");  // a tie: away from zero
  EXPECT_EQ(defined(0xb8800000), "-6.10351563e-005");
  EXPECT_EQ(defined(0x00000001), "1.40129846e-045");
  EXPECT_EQ(defined(0x7f800000), "1.#INF");
}

TEST(Sm2Print, UnknownInstructionsAreKeptAndSteppedOver) {
  EXPECT_EQ(instructions({kPs20, 0x02000035, 0x12345678, 0x0000ffff, 0x02000001, 0x800f0000, 0x80e40001, kEnd}),
            "unknown(0x35) 0x12345678, 0x0000ffff\nmov r0, r1\n");
}

TEST(Sm2Cursor, ModelOneFindsLengthsByTheOperandBit) {
  EXPECT_EQ(instructions({0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40000, 0x00000009, 0x80010000, 0x90e40000, 0xa0e42002, kEnd}),
            "mov oPos, v0\ndp4 r0.x, v0, c2[a0.x]\n");
}

TEST(Sm2Cursor, StopsWhereTheBytesEnd) {
  Bytes program;
  program.words({kPs20, 0x02000001, 0x800f0000});
  const auto checked = sm2::check(program.view());
  ASSERT_FALSE(checked);
  EXPECT_TRUE(!sm2::check(View()));
  EXPECT_TRUE(!sm2::check(Bytes().words({kPs20}).view()));
  EXPECT_TRUE(sm2::check(Bytes().words({kPs20, kEnd}).view()));
}

TEST(Level9, ReadsItsTables) {
  Tables tables;
  tables.samplers.u8(3).u8(2).u8(1).u8(0);
  tables.constant_buffers.u16(1).u16(16).u16(4).u16(5).u8(0).u8(1).u8(2).u8(3);
  tables.runtime_constants.u16(0).u16(7);
  const Bytes part = part_of(tables, Bytes().words({kPs20, kEnd}));
  const auto level9 = parse_level9(aon9(part));
  ASSERT_TRUE(level9);
  EXPECT_TRUE(level9->version.is_pixel());
  ASSERT_EQ(level9->samplers.size(), 1U);
  EXPECT_EQ(level9->samplers[0].resource, 3);
  EXPECT_EQ(level9->samplers[0].target, 1);
  ASSERT_EQ(level9->constant_buffers.size(), 1U);
  EXPECT_EQ(level9->constant_buffers[0].first_register, 16);
  EXPECT_EQ(level9->constant_buffers[0].conversion[3], ConstantConversion::uint);
  ASSERT_EQ(level9->runtime_constants.size(), 1U);
  EXPECT_EQ(level9->runtime_constants[0].target, 7);
  EXPECT_EQ(level9->program.size(), 8U);
}

TEST(Level9, WritesWhatItReadAndLaysEditsOut) {
  Tables tables;
  tables.samplers.u8(0).u8(0).u8(0).u8(0);
  tables.constant_buffers.u16(0).u16(0).u16(1).u16(0).u32(0);
  Bytes part = part_of(tables, program_with_debug_info());
  auto level9 = parse_level9(aon9(part));
  ASSERT_TRUE(level9);
  EXPECT_EQ(write_level9(*level9), part.raw());
  level9->program_offset = kUnplaced;
  EXPECT_EQ(write_level9(*level9), part.raw());
  level9->samplers.items.clear();
  level9->program_offset = kUnplaced;
  tables.samplers = Bytes();
  EXPECT_EQ(write_level9(*level9), part_of(tables, program_with_debug_info()).raw());
}

TEST(Level9, EveryTruncationIsAnError) {
  Tables tables;
  tables.samplers.u32(0);
  tables.constant_buffers.words({0, 0, 0});
  const Bytes part = part_of(tables, program_with_debug_info());
  for (std::uint32_t size = 0; size < part.size(); ++size) {
    const auto level9 = parse_level9({dxcontainer::fourcc("Aon9"), 0, part.view().clamped(0, size)});
    ASSERT_FALSE(level9) << size;
    EXPECT_EQ(level9.error().path.substr(0, 4), "Aon9") << size;
  }
}

TEST(Level9, ATableBeyondThePartIsLocated) {
  Tables tables;
  Bytes part = part_of(tables, Bytes().words({kPs20, kEnd}));
  part.raw()[28] = std::byte{0xff};  // samplers: count
  const auto level9 = parse_level9(aon9(part));
  ASSERT_FALSE(level9);
  EXPECT_EQ(level9.error().code, ErrorCode::truncated);
  EXPECT_EQ(level9.error().path, "Aon9/samplers");
}

TEST(Level9, TheTreeNamesEveryByte) {
  Tables tables;
  tables.samplers.u32(0);
  tables.integers.u16(0).u16(1).u16(2).u16(3);
  const Bytes part = part_of(tables, program_with_debug_info());
  Tree tree(part.view());
  const auto group = tree.add({"Aon9", &kGroup, 0, 0, part.size(), kNoIndex, 0});
  record_level9(aon9(part), tree, group);
  EXPECT_TRUE(tree.errors().empty());
  const Tree::Region region{group, 0, part.size()};
  tree.fill_gaps({&region, 1});
  const auto coverage = tree.coverage();
  EXPECT_EQ(coverage.unknown, 0U);
  EXPECT_EQ(coverage.named + coverage.padding, part.size());
}

TEST(Level9Debug, ParsesTheComment) {
  const Bytes program = program_with_debug_info();
  sm2::Cursor cursor(program.view());
  sm2::Instruction instruction;
  ASSERT_TRUE(cursor.next(instruction));
  const auto info = sm2::parse_debug_info(instruction.body);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->entry_point, "main");
  ASSERT_EQ(info->files.size(), 2U);
  EXPECT_EQ(info->files[1].name, "b.fx");
  ASSERT_EQ(info->lines.size(), 5U);
  EXPECT_EQ(info->lines[3].line, 15);
  ASSERT_EQ(info->variables.size(), 2U);
  EXPECT_EQ(info->variables[1].scope, "f");
  ASSERT_EQ(info->types.size(), 1U);
  EXPECT_EQ(info->types[0].base, sm2::BaseType::float_);
  EXPECT_FALSE(sm2::parse_constant_table(instruction.body));
}

TEST(Level9Listing, PrintsTablesInTargetOrderAndCountsSlots) {
  Tables tables;
  tables.samplers.u8(1).u8(0).u8(1).u8(0).u8(0).u8(0).u8(0).u8(0);
  tables.constant_buffers.u16(1).u16(16).u16(4).u16(5).u32(0);
  tables.integers.u16(0).u16(12).u16(1).u16(0);
  tables.runtime_constants.u16(0).u16(216);
  const Bytes part =
      part_of(tables, Bytes().words({kPs20, 0x03000042, 0x800f0000, 0xb0e40000, 0xa0e40800, 0x02000024, 0x80070000, 0x80e40000, kEnd}));
  EXPECT_EQ(listing(part),
            "// Constant buffer to DX9 shader constant mappings:\n"
            "//\n"
            "// Target Reg Buffer  Source Reg Component\n"
            "// ---------- ------- ---------- ---------\n"
            "// i0         cb0             12         1\n"
            "//\n"
            "// Target Reg Buffer  Start Reg # of Regs        Data Conversion\n"
            "// ---------- ------- --------- --------- ----------------------\n"
            "// c5         cb1            16         4  ( FLT, FLT, FLT, FLT)\n"
            "//\n"
            "//\n"
            "// Sampler/Resource to DX9 shader sampler mappings:\n"
            "//\n"
            "// Target Sampler Source Sampler  Source Resource\n"
            "// -------------- --------------- ----------------\n"
            "// s0             s0              t0               \n"
            "// s1             s0              t1               \n"
            "//\n"
            "//\n"
            "// Runtime generated constant mappings:\n"
            "//\n"
            "// Target Reg                               Constant Description\n"
            "// ---------- --------------------------------------------------\n"
            "// c216                            Vertex Shader position offset\n"
            "//\n"
            "//\n"
            "// Level9 shader bytecode:\n"
            "//\n"
            "    ps_2_0\n"
            "    texld r0, t0, s0\n"
            "    nrm r0.xyz, r0\n"
            "\n"
            "// approximately 4 instruction slots used (1 texture, 3 arithmetic)\n");
}

TEST(Level9Listing, CountsLrpOnce) {
  const std::string text = listing(part_of(
      {}, Bytes().words({kPs20, 0x04000012, 0x800f0000, 0x80e40000, 0x80e40001, 0x80e40002, 0x02000001, 0x800f0800, 0x80e40000, kEnd})));
  EXPECT_NE(text.find("    lrp r0, r0, r1, r2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("// approximately 2 instruction slots used\n"), std::string::npos) << text;
}

TEST(Level9Listing, PrintsLinesAndVariablesFromTheComment) {
  const Bytes part = part_of({}, program_with_debug_info());
  EXPECT_EQ(listing(part),
            "// Level9 shader bytecode:\n"
            "//\n"
            "    ps_2_0\n"
            "    dcl t0.xy  // x<0,1>\n"
            "\n"
            "#line 10 \"a.fx\"\n"
            "    mov r0, t0\n"
            "    mov r0, t0\n"
            "\n"
            "#line 15\n"
            "    mov r0, t0\n"
            "\n"
            "#line 15 \"b.fx\"\n"
            "    mov r0, t0  // f::c<4,5,6,7>, f::c<3>\n"
            "\n"
            "// approximately 4 instruction slots used\n");
  const std::string without = listing(part, {dxcontainer::fourcc("XNAS"), false});
  EXPECT_EQ(without.substr(0, 27), "// XNA shader bytecode:\n//\n");
  EXPECT_EQ(without.find("#line"), std::string::npos);
  EXPECT_NE(without.find("mov r0, t0\n\n    mov r0, t0  // f::c"), std::string::npos);
}

TEST(Level9Listing, OneSlotIsSingularAndBlocksAreIndented) {
  EXPECT_NE(listing(part_of({}, Bytes().words({kPs20, 0x02000001, 0x800f0800, 0x80e40000, kEnd})))
                .find("// approximately 1 instruction slot used\n"),
            std::string::npos);
  const std::string text = listing(part_of(
      {}, Bytes().words({kPs2x, 0x01000028, 0xe0e40800, 0x02000001, 0x800f0000, 0x80e40001, 0x0000002a, 0x00000000, 0x0000002b, kEnd})));
  EXPECT_NE(text.find("    if b0\n      mov r0, r1\n    else\n      nop\n    endif\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace unshade::dxbc
