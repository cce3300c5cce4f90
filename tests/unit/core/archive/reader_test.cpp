// The archives against each other: what the reader reads, the writer writes, the recorder names and the schema documents.
#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/schema.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/tree.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unshade {
namespace {

struct Node {
  String name;
  std::uint16_t weight = 0;
  std::uint32_t next = 0;
  std::uint32_t offset = kUnplaced;
};
struct Model {
  std::uint32_t version = 0;
  Table<Node> nodes;
  std::uint32_t root = 0;
  std::vector<Node> pool;
};

template <class Archive>
void describe(Archive& a, Node& n) {
  a.string_at("name", n.name);
  a.u16("weight", n.weight);
  a.padding(2);
}

struct Chain {
  std::uint32_t next = 0;
  std::uint32_t offset = kUnplaced;
};
struct Chains {
  std::uint32_t root = 0;
  std::vector<Chain> pool;
};
template <class Archive>
void describe(Archive& a, Chain& c, std::vector<Chain>* const& pool) {
  a.shared_at("next", c.next, *pool, pool);
}

template <class Archive>
void describe(Archive& a, Model& m) {
  a.expect32("magic", 0x1234, kHex, ErrorCode::bad_magic);
  a.u32("version", m.version);
  a.table("nodes", m.nodes, 8);
}

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::byte> bytes;
  for (const auto word : words)
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(word >> (8 * i)));
  return bytes;
}

// magic, version, count, offset; two nodes; texts "ab" and "c", padding
std::vector<std::byte> sample() { return bytes_of({0x1234, 7, 2, 16, 32, 5, 35, 6, 0x6300'6261, 0xabab'ab00}); }

TEST(Reader, ReadsWhatTheDescriptionSays) {
  const auto bytes = sample();
  Model model;
  ASSERT_TRUE(read_part(View(bytes), "PART", model));
  EXPECT_EQ(model.version, 7U);
  ASSERT_EQ(model.nodes.size(), 2U);
  EXPECT_EQ(model.nodes[0].name.text, "ab");
  EXPECT_EQ(model.nodes[1].name.text, "c");
  EXPECT_EQ(model.nodes[1].weight, 6U);
  EXPECT_EQ(model.nodes.offset, 16U);
}

TEST(Writer, GivesBackTheBytesThatWereRead) {
  const auto bytes = sample();
  Model model;
  ASSERT_TRUE(read_part(View(bytes), "PART", model));
  EXPECT_EQ(write_part(model), bytes);
}

TEST(Writer, PlacesWhatHasNoPlace) {
  Model model;
  model.version = 1;
  model.nodes.items.resize(3);
  model.nodes[0].name.text = "same";
  model.nodes[1].name.text = "other";
  model.nodes[2].name.text = "same";
  const auto written = write_part(model);
  Model again;
  ASSERT_TRUE(read_part(View(written), "PART", again));
  ASSERT_EQ(again.nodes.size(), 3U);
  EXPECT_EQ(again.nodes[0].name.text, "same");
  EXPECT_EQ(again.nodes[1].name.text, "other");
  EXPECT_EQ(again.nodes[0].name.offset, again.nodes[2].name.offset) << "equal texts stand once";
}

TEST(Reader, ErrorsNameOffsetAndField) {
  auto bytes = sample();
  bytes[24] = std::byte{200};  // name of the second node: beyond the part
  Model model;
  const auto read = read_part(View(bytes, 1000), "PART", model);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(read.error().path, "PART/nodes[1]/name");
  EXPECT_EQ(read.error().offset, 1024U);
}

TEST(Reader, EveryTruncationIsAnError) {
  const auto bytes = sample();
  for (std::size_t size = 0; size < 37; ++size) {
    Model model;
    const auto read = read_part(View(std::span(bytes).first(size)), "PART", model);
    ASSERT_FALSE(read) << size;
    EXPECT_LE(read.error().offset, size);
    EXPECT_NE(read.error().path, "PART");
  }
}

TEST(Reader, ACountIsCheckedBeforeAnythingIsAllocated) {
  const auto bytes = bytes_of({0x1234, 7, 0xffff'ffff, 16, 0, 0});
  Model model;
  const auto read = read_part(View(bytes), "PART", model);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::truncated);
  EXPECT_EQ(model.nodes.items.capacity(), 0U);
}

TEST(Reader, WrongMagicIsToldFromOtherValues) {
  const auto bytes = bytes_of({0x4321, 0, 0, 0});
  Model model;
  const auto read = read_part(View(bytes), "PART", model);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::bad_magic);
  EXPECT_EQ(read.error().path, "PART/magic");
}

TEST(Reader, ARecordThatContainsItselfIsACycle) {
  const auto bytes = bytes_of({4, 8, 4});
  Chain chain;
  std::vector<Chain> pool;
  std::vector<Chain>* const pool_pointer = &pool;
  const auto read = read_part(View(bytes), "PART", chain, pool_pointer);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::cycle);
}

TEST(TreeReader, NamesEveryFieldOnce) {
  const auto bytes = sample();
  Tree tree{View(bytes)};
  Model model;
  record_part(View(bytes), "PART", tree, 0, model);
  EXPECT_TRUE(tree.errors().empty());
  tree.fill_gaps({});
  const auto coverage = tree.coverage();
  EXPECT_EQ(coverage.named + coverage.padding, bytes.size());
  EXPECT_EQ(coverage.padding, 4U + 3U);
  bool found = false;
  for (std::uint32_t i = 0; i < tree.fields().size(); ++i) found |= tree.path(i) == "nodes[1]/weight";
  EXPECT_TRUE(found);
}

TEST(Schema, DocumentsTheSameFields) {
  Text text;
  Schema(text).print("Model", Model{});
  const auto shown = text.view();
  EXPECT_NE(shown.find("| 0 | 4 | `magic` | u32 = 0x00001234 |"), std::string_view::npos) << shown;
  EXPECT_NE(shown.find("**nodes** (8 bytes each)"), std::string_view::npos) << shown;
  EXPECT_NE(shown.find("| 4 | 2 | `weight` | u16 |"), std::string_view::npos) << shown;
}

TEST(View, NeverReadsBeyondItsEnd) {
  const auto bytes = bytes_of({0x6463'6261});
  const View view{std::span(bytes)};
  EXPECT_EQ(view.u32(0), 0x6463'6261U);
  EXPECT_FALSE(view.u32(1));
  EXPECT_FALSE(view.u8(4));
  EXPECT_FALSE(view.c_string(0)) << "no terminating zero";
  EXPECT_FALSE(view.holds(SIZE_MAX, 2));
  EXPECT_FALSE(view.sub(2, SIZE_MAX));
  EXPECT_EQ(view.clamped(2, SIZE_MAX).size(), 2U);
}

TEST(Tree, GapsGoToTheInnermostRegionAndAreJudgedByTheirBytes) {
  const auto bytes = bytes_of({0, 1, 0xabab'abab, 0x1234'5678});
  Tree tree{View(bytes)};
  const auto group = tree.add({"PART", &kGroup, 0, 4, 12, kNoIndex, 0});
  tree.add({"value", &kUnsigned, group, 4, 4, kNoIndex, 0});
  const Tree::Region region{group, 4, 12};
  tree.fill_gaps({&region, 1});
  const auto coverage = tree.coverage();
  EXPECT_EQ(coverage.named, 4U);
  EXPECT_EQ(coverage.padding, 4U);
  EXPECT_EQ(coverage.unknown, 8U);
  EXPECT_EQ(coverage.total, 16U);
  EXPECT_EQ(tree.path(static_cast<std::uint32_t>(tree.fields().size() - 1)), "PART/unknown");
}

TEST(Text, FormatsNumbers) {
  Text text;
  text.dec(42, 5) << '|';
  text.hex(0x2f, 4) << '|';
  text.dec_signed(-7) << '|';
  text.fixed(0.5) << '|';
  text.shortest(1.0F);
  EXPECT_EQ(text.view(), "   42|002f|-7|0.500000|1.0");
}

}  // namespace
}  // namespace unshade
