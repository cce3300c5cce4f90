#include <unshade/dxil/bitstream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "unit/support/bitcode_builder.hpp"
#include "unit/support/dxil_samples.hpp"

namespace unshade::test {

namespace {

using dxil::Encoding;
using Event = dxil::BitstreamCursor::Event;
using Kind = dxil::BitstreamItem::Kind;

Result<std::vector<std::byte>> rewritten(const std::vector<std::byte>& bytes) {
  auto stream = dxil::parse_bitstream(view_of(bytes));
  if (!stream) return std::move(stream).error();
  return dxil::write_bitstream(*stream);
}

std::string listed(const std::vector<std::byte>& bytes) {
  Text text;
  const auto result = dxil::list_bitcode(view_of(bytes), text);
  EXPECT_TRUE(result) << to_string(result.error());
  return text.str();
}

/// The bitcode of a sample's first program.
std::vector<std::byte> sample_bitcode(std::string_view name) {
  const auto file = dxil_sample(name);
  const auto container = dxcontainer::parse_container(view_of(file));
  EXPECT_TRUE(container) << name;
  const auto* part = container->find_any({dxcontainer::fourcc("ILDB"), dxcontainer::fourcc("DXIL")});
  EXPECT_NE(part, nullptr) << name;
  const auto program = dxil::parse_program(*part);
  EXPECT_TRUE(program) << name;
  const auto bytes = program->bitcode.bytes();
  return {bytes.begin(), bytes.end()};
}

TEST(Bitstream, ABlockOfOneRecordIsTheseBits) {
  BitWriter by_hand;
  by_hand.magic().enter(17, 2, 3, 1);
  by_hand.fixed(3, 3).vbr(5, 6).vbr(1, 6).vbr(40, 6);  // 40 takes two chunks
  by_hand.fixed(0, 3).align();
  StreamBuilder built;
  built.enter(17, 3).record(5, {40}).leave();
  EXPECT_EQ(built.bytes(), by_hand.bytes());
  EXPECT_EQ(listed(by_hand.bytes()),
            "<TYPE_BLOCK_ID NumWords=1 BlockCodeSize=3>\n"
            "  <LABEL op0=40/>\n"
            "</TYPE_BLOCK_ID>\n");
}

TEST(Bitstream, EveryEncodingComesBack) {
  StreamBuilder built;
  built.enter(8, 3);
  built.define({{Encoding::literal, 90}, {Encoding::fixed, 64}, {Encoding::fixed, 3}, {Encoding::vbr, 6}, {Encoding::fixed, 0}});
  built.define({{Encoding::fixed, 7}, {Encoding::literal, 12}, {Encoding::array}, {Encoding::char6}});
  built.define({{Encoding::vbr, 5}, {Encoding::blob}});
  built.define({{Encoding::literal, 1}, {Encoding::array}, {Encoding::vbr, 32}});
  built.record(90, {~std::uint64_t{0}, 7, 0x1234'5678'9abc, 0}, 4);
  built.record(91, {12, 'a', 'Z', '0', '.', '_'}, 5);
  built.record(92, {1, 2, 255}, 6);
  built.record(92, {}, 6);
  built.record(1, {0, 0x7fff'ffff, 0x8000'0000, ~std::uint64_t{0}}, 7);
  built.leave();
  const auto bytes = built.bytes();
  const auto read = dxil::parse_bitstream(view_of(bytes));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->operands, built.stream.operands);
  ASSERT_EQ(read->items.size(), built.stream.items.size());
  for (std::size_t i = 0; i < read->items.size(); ++i) {
    EXPECT_EQ(read->items[i].kind, built.stream.items[i].kind);
    EXPECT_EQ(read->items[i].code, built.stream.items[i].code) << i;
    EXPECT_EQ(read->items[i].abbreviation, built.stream.items[i].abbreviation) << i;
  }
  EXPECT_TRUE(read->irregularities.empty());
  const auto again = dxil::write_bitstream(*read);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, bytes);
  EXPECT_EQ(listed(bytes),
            "<MODULE_BLOCK NumWords=21 BlockCodeSize=3>\n"
            "  <UnknownCode90 abbrevid=4 op0=-1 op1=7 op2=20015998343868 op3=0/>\n"
            "  <UnknownCode91 abbrevid=5 op0=12 op1=97 op2=90 op3=48 op4=46 op5=95/> record string = 'aZ0._'\n"
            "  <UnknownCode92 abbrevid=6/> blob data = unprintable, 3 bytes.\n"
            "  <UnknownCode92 abbrevid=6/> blob data = ''\n"
            "  <VERSION abbrevid=7 op0=0 op1=2147483647 op2=2147483648 op3=-1/>\n"
            "</MODULE_BLOCK>\n");
}

TEST(Bitstream, TheInfoBlockDefinesForBlocksToCome) {
  StreamBuilder built;
  built.enter(8, 3);
  built.enter(dxil::kBlockInfo, 2).record(dxil::block_info::kSetBlock, {11});
  built.define({{Encoding::literal, 4}, {Encoding::vbr, 8}});
  built.leave();
  built.enter(11, 4).define({{Encoding::literal, 1}, {Encoding::fixed, 4}});
  built.record(4, {300}, 4).record(1, {9}, 5).leave();
  built.enter(11, 4).record(4, {2}, 4).leave();
  built.leave();
  const auto bytes = built.bytes();
  const auto again = rewritten(bytes);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(*again, bytes);
  EXPECT_EQ(listed(bytes),
            "<MODULE_BLOCK NumWords=12 BlockCodeSize=3>\n"
            "  <BLOCKINFO_BLOCK/>\n"
            "  <CONSTANTS_BLOCK NumWords=2 BlockCodeSize=4>\n"
            "    <INTEGER abbrevid=4 op0=300/>\n"
            "    <SETTYPE abbrevid=5 op0=9/>\n"
            "  </CONSTANTS_BLOCK>\n"
            "  <CONSTANTS_BLOCK NumWords=1 BlockCodeSize=4>\n"
            "    <INTEGER abbrevid=4 op0=2/>\n"
            "  </CONSTANTS_BLOCK>\n"
            "</MODULE_BLOCK>\n");
}

TEST(Bitstream, WhatAWriterWouldDoOtherwiseIsKept) {
  BitWriter bits;
  bits.magic().enter(17, 2, 3, 2);
  bits.fixed(3, 3).vbr(5, 6).vbr(2, 6);
  bits.fixed(32 | 9, 6).fixed(32, 6).fixed(0, 6);  // 9 in three chunks
  bits.vbr(1, 6);
  bits.fixed(0, 3).align(true);  // ones in the gap
  bits.fixed(0, 32);             // zeros behind the block
  const auto stream = dxil::parse_bitstream(view_of(bits.bytes()));
  ASSERT_TRUE(stream) << to_string(stream.error());
  EXPECT_EQ(stream->operands, (std::vector<std::uint64_t>{9, 1}));
  ASSERT_EQ(stream->irregularities.size(), 2U);
  EXPECT_EQ(stream->irregularities[0].value, 3U);
  EXPECT_EQ(stream->trailing_zeros, 4U);
  const auto again = dxil::write_bitstream(*stream);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, bits.bytes());
}

TEST(Bitstream, AWrapperAndWhatItWrapsComeBack) {
  StreamBuilder built;
  built.enter(8, 3).record(1, {1}).leave();
  const auto stream = built.bytes();
  std::vector<std::byte> file(24);
  put_u32(file, 0, 0x0b17'c0de);
  put_u32(file, 8, 24);
  put_u32(file, 12, static_cast<std::uint32_t>(stream.size()));
  file.insert(file.end(), stream.begin(), stream.end());
  file.resize(file.size() + 3, std::byte{7});
  const auto again = rewritten(file);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(*again, file);

  put_u32(file, 12, static_cast<std::uint32_t>(stream.size() + 4));
  const auto beyond = dxil::parse_bitstream(view_of(file));
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(beyond.error().offset, 8U);
  EXPECT_EQ(beyond.error().path, "wrapper/offset");
}

struct Fault {
  const char* what;
  std::vector<std::byte> bytes;
  ErrorCode code;
  std::uint64_t offset;
  const char* path;
};

TEST(Bitstream, FaultsAreLocated) {
  const auto start = [](std::uint32_t words) { return BitWriter().magic().enter(17, 2, 4, words); };
  // A definition in the block, then bits that make use of it.
  const Fault kFaults[] = {
      {"no magic", from_hex("42 43 c0 df"), ErrorCode::bad_magic, 0, "magic"},
      {"nothing", {}, ErrorCode::truncated, 0, "magic"},
      {"no block", BitWriter().magic().fixed(2, 32).bytes(), ErrorCode::bad_value, 4, "record[0]"},
      {"longer than the file", start(1).bytes(), ErrorCode::truncated, 4, "record[0]"},
      {"ids of no bits", BitWriter().magic().enter(17, 2, 0, 1).fixed(0, 32).bytes(), ErrorCode::bad_value, 4, "record[0]"},
      {"another length", start(2).fixed(0, 64).bytes(), ErrorCode::bad_value, 12, "TYPE_BLOCK_ID/record[0]"},
      {"an abbreviation that is not there", start(1).fixed(4, 32).bytes(), ErrorCode::bad_value, 12, "TYPE_BLOCK_ID/record[0]"},
      {"cut off in a record", start(1).fixed(3, 4).vbr(2, 6).vbr(31, 6).align().bytes(), ErrorCode::truncated, 12,
       "TYPE_BLOCK_ID/record[0]"},
      {"an operand of 65 bits", start(4).fixed(3, 4).vbr(2, 6).vbr(1, 6).fixed(~std::uint64_t{0}, 64).fixed(~std::uint64_t{0}, 48).bytes(),
       ErrorCode::bad_value, 12, "TYPE_BLOCK_ID/record[0]"},
      {"no operands", start(1).fixed(2, 4).vbr(0, 5).align().bytes(), ErrorCode::bad_value, 12, "TYPE_BLOCK_ID/record[0]"},
      {"an unknown encoding", start(1).fixed(2, 4).vbr(1, 5).fixed(0, 1).fixed(7, 3).align().bytes(), ErrorCode::bad_value, 12,
       "TYPE_BLOCK_ID/record[0]"},
      {"an array for a code", start(1).fixed(2, 4).vbr(2, 5).fixed(0, 1).fixed(3, 3).fixed(0, 1).fixed(4, 3).align().bytes(),
       ErrorCode::bad_value, 12, "TYPE_BLOCK_ID/record[0]"},
      {"elements without bits",
       start(2)
           .fixed(2, 4)
           .vbr(3, 5)
           .fixed(1, 1)
           .vbr(9, 8)
           .fixed(0, 1)
           .fixed(3, 3)
           .fixed(1, 1)
           .vbr(1, 8)
           .fixed(4, 4)
           .vbr(9, 6)
           .align()
           .bytes(),
       ErrorCode::bad_value, 15, "TYPE_BLOCK_ID/record[0]"},
  };
  for (const Fault& fault : kFaults) {
    const auto stream = dxil::parse_bitstream(view_of(fault.bytes));
    ASSERT_FALSE(stream) << fault.what;
    EXPECT_EQ(stream.error().code, fault.code) << fault.what << ": " << to_string(stream.error());
    EXPECT_EQ(stream.error().offset, fault.offset) << fault.what;
    EXPECT_EQ(stream.error().path, fault.path) << fault.what;
  }
}

TEST(Bitstream, NestingHasABound) {
  StreamBuilder built;
  for (int i = 0; i < 100; ++i) built.enter(30);
  for (int i = 0; i < 100; ++i) built.leave();
  const auto bytes = built.bytes();
  const auto stream = dxil::parse_bitstream(view_of(bytes));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().code, ErrorCode::limit);
}

// Few bits that would become many operands.
TEST(Bitstream, RecordsOutOfProportionAreRefused) {
  StreamBuilder bits;
  bits.enter(8, 3).define({{Encoding::literal, 1}, {Encoding::array}, {Encoding::fixed, 1}});
  bits.record(1, std::vector<std::uint64_t>(80'000, 1), 4).leave();
  StreamBuilder constants;
  dxil::AbbreviationOperand one{Encoding::literal, 1};
  constants.enter(8, 3).define({one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one});
  for (int i = 0; i < 20'000; ++i) constants.record(1, std::vector<std::uint64_t>(16, 1), 4);
  constants.leave();
  for (const auto* builder : {&bits, &constants}) {
    const auto bytes = builder->bytes();
    const auto stream = dxil::parse_bitstream(view_of(bytes));
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().code, ErrorCode::limit);
  }
}

TEST(Bitstream, LongTextsAreInProportion) {
  StreamBuilder built;  // such as a source text in metadata
  built.enter(15, 3).define({{Encoding::literal, 1}, {Encoding::array}, {Encoding::fixed, 7}});
  built.record(1, std::vector<std::uint64_t>(300'000, 'x'), 4).leave();
  const auto bytes = built.bytes();
  const auto again = rewritten(bytes);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(*again, bytes);
}

TEST(Bitstream, AModelWithoutBitsIsRefused) {
  const auto fault = [](const StreamBuilder& builder) {
    const auto written = dxil::write_bitstream(builder.stream);
    return written ? std::string() : written.error().path;
  };
  EXPECT_EQ(fault(StreamBuilder().record(1, {})), "item[0]");
  EXPECT_EQ(fault(StreamBuilder().enter(8, 4)), "item[1]");
  EXPECT_EQ(fault(StreamBuilder().enter(8, 1)), "item[0]");
  EXPECT_EQ(fault(StreamBuilder().enter(8, 4).record(1, {}, 4)), "item[1]");
  const auto abbreviated = [&](std::vector<std::uint64_t> operands) {
    return fault(StreamBuilder()
                     .enter(8, 4)
                     .define({{Encoding::literal, 1}, {Encoding::fixed, 2}, {Encoding::array}, {Encoding::char6}})
                     .record(1, operands, 4)
                     .leave());
  };
  EXPECT_EQ(abbreviated({3, 'a'}), "");
  EXPECT_EQ(abbreviated({4}), "item[2]");
  EXPECT_EQ(abbreviated({}), "item[2]");
  EXPECT_EQ(abbreviated({0, ' '}), "item[2]");
}

TEST(Bitstream, SamplesAreWrittenAsTheyWere) {
  for (const auto name : kDxilSamples) {
    const auto bytes = sample_bitcode(name);
    const auto again = rewritten(bytes);
    ASSERT_TRUE(again) << name << to_string(again.error());
    EXPECT_EQ(*again, bytes) << name;
  }
}

TEST(Bitstream, EveryByteOfASampleBelongsToOneRecord) {
  for (const auto name : kDxilSamples) {
    const auto bytes = sample_bitcode(name);
    Tree tree(view_of(bytes));
    dxil::record_bitcode(view_of(bytes), tree, 0);
    EXPECT_TRUE(tree.errors().empty()) << name;
    const Coverage coverage = tree.coverage();
    EXPECT_EQ(coverage.named, bytes.size()) << name;
    std::size_t sum = 0;
    for (const Field& field : tree.fields())
      if (field.type->kind != FieldKind::group) sum += field.size;
    EXPECT_EQ(sum, bytes.size()) << name;
  }
  const auto bytes = sample_bitcode("mesh_as_6_5.dxil");
  Tree tree(view_of(bytes));
  dxil::record_bitcode(view_of(bytes), tree, 0);
  const auto& fields = tree.fields();
  const auto found =
      std::find_if(fields.begin(), fields.end(), [](const Field& field) { return std::string_view(field.name) == "NUMENTRY"; });
  ASSERT_NE(found, fields.end());
  EXPECT_EQ(tree.path(static_cast<std::uint32_t>(found - fields.begin())), "MODULE_BLOCK[0]/TYPE_BLOCK_ID[4]/NUMENTRY[0]");
  Text text;
  tree.print_value(text, *found);
  EXPECT_EQ(text.view(), "1 operand, unabbreviated, 22 bits from 6 bits before");
}

TEST(Bitstream, EveryTruncationIsAnError) {
  const auto bytes = sample_bitcode("mesh_as_6_5.dxil");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto stream = dxil::parse_bitstream(view_of(bytes).clamped(0, size));
    if (size == 4) continue;  // the magic alone is a stream of nothing
    ASSERT_FALSE(stream) << size;
    EXPECT_LE(stream.error().offset, size);
  }
}

TEST(Bitstream, WhetherAModuleIsWholeIsToldWithoutReadingIt) {
  auto bytes = sample_bitcode("mesh_as_6_5.dxil");
  EXPECT_TRUE(dxil::check_module_extent(view_of(bytes)));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto checked = dxil::check_module_extent(view_of(bytes).clamped(0, size));
    ASSERT_FALSE(checked) << size;
    if (size > 8) {
      EXPECT_EQ(checked.error().code, ErrorCode::truncated) << size;
    }
    EXPECT_LE(checked.error().offset, size);
  }
  std::fill(bytes.begin() + 64, bytes.end() - 64, std::byte{0x5a});  // what is in the block is not looked at
  EXPECT_TRUE(dxil::check_module_extent(view_of(bytes)));
  StreamBuilder other;
  other.enter(17, 3).record(5, {40}).leave();
  EXPECT_EQ(dxil::check_module_extent(view_of(other.bytes())).error().code, ErrorCode::missing);
}

TEST(Bitstream, DamagedSamplesAreReadOrRefused) {
  std::size_t read = 0;
  for (const auto name : {"mesh_as_6_5.dxil", "control_ps_6_0_zi.dxil"}) {
    for_damaged(sample_bitcode(name), 1000, [&](const Bytes& bytes) {
      const auto stream = dxil::parse_bitstream(view_of(bytes));
      Text text;
      EXPECT_EQ(dxil::list_bitcode(view_of(bytes), text).has_value(), stream.has_value());
      if (!stream) {
        EXPECT_LE(stream.error().offset, bytes.size());
        EXPECT_FALSE(stream.error().path.empty());
        return;
      }
      ++read;
      const auto again = dxil::write_bitstream(*stream);
      ASSERT_TRUE(again) << to_string(again.error());
      EXPECT_EQ(*again, bytes);
    });
  }
  EXPECT_GT(read, 100U);
}

}  // namespace

}  // namespace unshade::test
