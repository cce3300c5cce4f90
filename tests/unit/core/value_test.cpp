// Values, and the two archives that make documents of models and models of documents.
#include <unshade/core/value.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/archive/value_reader.hpp>
#include <unshade/core/archive/value_writer.hpp>
#include <unshade/core/archive/writer.hpp>

namespace unshade {
namespace {

enum class Color : std::uint32_t { red = 1, green = 2 };
constexpr NamedValue kColors[] = {{1, "red"}, {2, "green"}};
constexpr NameTable kColorNames{kColors};
constexpr FieldType kColorType{FieldKind::enumeration, "color", &kColorNames};
const FieldType& field_type(Color) { return kColorType; }
constexpr NamedValue kOptionValues[] = {{1, "fast"}, {4, "safe"}};
constexpr NameTable kOptionNames{kOptionValues};
constexpr FieldType kOptions{FieldKind::flags, "options", &kOptionNames};
constexpr Bits kBitFields[] = {{"color", 0, 2, &kColorNames}, {"size", 4, 8}};
constexpr FieldType kBitsType{FieldKind::bits, "bits", nullptr, kBitFields};

struct Node {
  std::uint16_t weight = 7;
  std::uint32_t left = 0;
  std::uint32_t offset = kUnplaced;
};
struct Item {
  String name;
  Color color = Color::red;
};
struct Model {
  std::uint32_t options = 0;
  float ratio = 0;
  Table<Item> items;
  String note{{}, 0};
  std::uint32_t root = 0xffff'ffff;
  std::vector<Node> nodes;
  View bytes;
};
constexpr const char* pool_name(const Node&) { return "nodes"; }

template <class Archive>
void describe(Archive& a, Item& i) {
  a.string_at("name", i.name);
  a.enum32("color", i.color);
}
template <class Archive>
void describe(Archive& a, Node& n, std::vector<Node>* const& pool) {
  a.u16("weight", n.weight);
  a.padding(2);
  if constexpr (kIsValueArchive<Archive>) {
    a.optional_shared_at("left", n.left, *pool, 0xffff'ffffU, pool);
  } else {
    a.u32("left", n.left);
  }
}
template <class Archive>
void describe(Archive& a, Model& m) {
  auto count = static_cast<std::uint32_t>(m.items.size());
  a.u32("options", m.options, kOptions);
  a.f32("ratio", m.ratio);
  a.u32("item_count", count, kCount);
  a.records_at("items", m.items, count, 8);
  a.optional_string_at("note", m.note);
  if constexpr (kIsValueArchive<Archive>) a.optional_shared_at("root", m.root, m.nodes, 0xffff'ffffU, &m.nodes);
  a.raw("bytes", m.bytes, m.bytes.size());
}

Value parsed(std::string_view key, Value value) {
  Value map = Value::map();
  map.add(key, std::move(value));
  return map;
}

template <class T>
Error fault(const Value& value) {
  T model;
  ValueStore store;
  const auto read = read_value(value, store, model);
  return read ? Error{} : read.error();
}

TEST(Value, CountsBytesAndComparesByContent) {
  Value map = Value::map();
  const std::vector<std::byte> bytes(3);
  map.add("a", Value::bytes(View(bytes)));
  map.add("b", Value::list()).push(Value::bytes(View(bytes)));
  EXPECT_EQ(count_bytes(map), 6U);
  Value same = map;
  same.text_offset = 12;
  EXPECT_TRUE(same == map);
  same.add("c", {});
  EXPECT_FALSE(same == map);
  EXPECT_EQ(map.find("a")->kind(), Value::Kind::bytes);
  EXPECT_EQ(map.find("c"), nullptr);
}

TEST(Value, HexIsPairsOfDigits) {
  std::vector<std::byte> bytes;
  EXPECT_TRUE(from_hex("00 fF\n10", bytes));
  EXPECT_EQ(bytes, (std::vector<std::byte>{std::byte{0}, std::byte{0xff}, std::byte{0x10}}));
  for (const char* text : {"0", "0 0", "0g", "0x00"}) EXPECT_FALSE(from_hex(text, bytes)) << text;
}

TEST(Value, TextThatNoTextFileHoldsIsBytes) {
  for (const std::string_view text : {std::string_view("\xc3\x28"), std::string_view("a\0b", 3), std::string_view("\xed\xa0\x80"),
                                      std::string_view("\xc0\x80"), std::string_view("\x1b[0m"), std::string_view("\xff")}) {
    EXPECT_FALSE(is_plain_text(text));
    const Value value = text_value(text);
    EXPECT_TRUE(value.is(Value::Kind::map));
    std::string back;
    EXPECT_EQ(parse_text(value, back), "");
    EXPECT_EQ(back, text);
  }
  EXPECT_TRUE(is_plain_text("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n\t"));
  EXPECT_TRUE(is_plain_text("\x01?f@@YAXXZ")) << "a mangled name";
}

TEST(ValueFields, EveryFloatComesBackToTheBit) {
  for (const std::uint32_t bits :
       {0U, 0x8000'0000U, 1U, 0x3dcc'cccdU, 0x7f80'0000U, 0xff80'0000U, 0x7fc0'0000U, 0x7f80'0001U, 0xffff'ffffU}) {
    std::uint64_t back = 0;
    EXPECT_EQ(parse_field(field_value(bits, 4, kReal), 4, kReal, back), "");
    EXPECT_EQ(back, bits);
  }
  std::uint64_t back = 0;
  EXPECT_EQ(parse_field(Value::integer(2), 4, kReal, back), "");
  EXPECT_EQ(back, std::bit_cast<std::uint32_t>(2.0F));
  EXPECT_NE(parse_field(Value::text("two"), 4, kReal, back), "");
}

TEST(ValueFields, IntegersByTheirType) {
  const auto round = [](std::uint64_t value, std::size_t size, const FieldType& type, const Value& expected) {
    const Value made = field_value(value, size, type);
    EXPECT_TRUE(made == expected);
    std::uint64_t back = ~value;
    EXPECT_EQ(parse_field(made, size, type, back), "");
    EXPECT_EQ(back, value);
  };
  round(2, 4, kColorType, Value::text("green"));
  round(9, 4, kColorType, Value::integer(9));
  round(5, 4, kOptions, Value::list({Value::text("fast"), Value::text("safe")}));
  round(0, 4, kOptions, Value::list());
  round(9, 4, kOptions, Value::list({Value::text("fast"), Value::integer(8)}));
  round(0xffff'ffff, 4, kSigned, Value::signed_integer(-1));
  round(0xb, 1, kMask, Value::text("xyw"));
  round(0x1f, 1, kMask, Value::integer(0x1f));
  round(0x4c49'5844, 4, kFourCC, Value::text("DXIL"));
  round(1, 4, kFourCC, Value::integer(1));
  Value bits = Value::map();
  bits.add("color", Value::text("green"));
  bits.add("size", Value::integer(3));
  bits.add("rest", Value::integer(0x8000'0000));
  round(0x8000'0032, 4, kBitsType, bits);
}

TEST(ValueFields, WhatDoesNotFitIsRefused) {
  std::uint64_t value = 0;
  EXPECT_NE(parse_field(Value::integer(256), 1, kUnsigned, value), "");
  EXPECT_NE(parse_field(Value::signed_integer(-129), 1, kSigned, value), "");
  EXPECT_NE(parse_field(Value::text("blue"), 4, kColorType, value), "");
  EXPECT_NE(parse_field(Value::list({Value::text("slow")}), 4, kOptions, value), "");
  EXPECT_NE(parse_field(parsed("size", Value::integer(256)), 4, kBitsType, value), "");
  EXPECT_NE(parse_field(parsed("length", Value::integer(1)), 4, kBitsType, value), "");
  EXPECT_NE(parse_field(Value::text("xq"), 1, kMask, value), "");
  EXPECT_NE(parse_field(Value::text("DXI"), 4, kFourCC, value), "");
  EXPECT_NE(parse_field(Value::real(1.0F), 4, kUnsigned, value), "");
}

Model sample() {
  Model model;
  model.options = 4;
  model.ratio = 0.1F;
  model.items.items = {{{"one", 40}, Color::green}, {{"two", 44}, Color::red}};
  model.items.offset = 20;
  model.nodes = {{3, 0xffff'ffff, 48}, {4, 0, 56}};
  model.root = 1;
  return model;
}

TEST(ValueArchives, AModelComesBackWithoutPlaces) {
  Model model = sample();
  const Value value = value_of(model, Places::left_to_the_writer);
  EXPECT_EQ(value.find("item_count"), nullptr);
  EXPECT_EQ(value.find("items@"), nullptr);
  EXPECT_EQ(value.find("note"), nullptr);
  EXPECT_EQ(*value.find("root")->as_integer(), Integer{1});
  ASSERT_NE(value.find("nodes"), nullptr);
  EXPECT_EQ(value.find("nodes")->as_list()->size(), 2U);
  Model back;
  ValueStore store;
  ASSERT_TRUE(read_value(value, store, back));
  EXPECT_EQ(back.options, 4U);
  EXPECT_EQ(back.ratio, 0.1F);
  ASSERT_EQ(back.items.size(), 2U);
  EXPECT_EQ(back.items[1].name.text, "two");
  EXPECT_EQ(back.items[0].color, Color::green);
  EXPECT_EQ(back.items.offset, kUnplaced);
  EXPECT_EQ(back.items[0].name.offset, kUnplaced);
  EXPECT_EQ(back.note.offset, 0U);
  EXPECT_EQ(back.root, 1U);
  ASSERT_EQ(back.nodes.size(), 2U);
  EXPECT_EQ(back.nodes[1].left, 0U);
  EXPECT_EQ(back.nodes[0].left, 0xffff'ffffU);
}

TEST(ValueArchives, StatedPlacesComeBack) {
  Model model = sample();
  const Value value = value_of(model, Places::stated);
  Model back;
  ValueStore store;
  ASSERT_TRUE(read_value(value, store, back));
  EXPECT_EQ(back.items.offset, 20U);
  EXPECT_EQ(back.items[1].name.offset, 44U);
  EXPECT_EQ(back.nodes[1].offset, 56U);
}

TEST(ValueArchives, AMissingMemberLeavesTheDefault) {
  Model back;
  ValueStore store;
  ASSERT_TRUE(read_value(Value::map(), store, back));
  EXPECT_TRUE(back.items.empty());
  EXPECT_EQ(back.root, 0xffff'ffffU);
}

TEST(ValueArchives, FaultsHaveCodePathAndPlace) {
  Value unknown = parsed("colour", Value::integer(1));
  unknown.as_map()->front().key_offset = 17;
  const Error first = fault<Model>(unknown);
  EXPECT_EQ(first.code, ErrorCode::bad_value);
  EXPECT_EQ(first.path, "colour");
  EXPECT_EQ(first.offset, 17U);

  Value item = parsed("color", Value::text("blue"));
  item.as_map()->front().value.text_offset = 23;
  const Error second = fault<Model>(parsed("items", Value::list({Value::map(), item})));
  EXPECT_EQ(second.path, "items[1]/color");
  EXPECT_EQ(second.offset, 23U);

  EXPECT_EQ(fault<Model>(parsed("items", Value::integer(3))).path, "items");
  EXPECT_EQ(fault<Model>(parsed("items", Value::list({Value::integer(3)}))).code, ErrorCode::bad_value);
  EXPECT_EQ(fault<Model>(parsed("note", parsed("bytes", Value::text("6100")))).path, "note");  // holds a zero

  Value twice = parsed("ratio", Value::real(1.0F));
  twice.add("ratio", Value::real(2.0F));
  EXPECT_EQ(fault<Model>(twice).path, "ratio");
}

TEST(ValueArchives, SharedRecordsAreCheckedAndMayNotContainThemselves) {
  EXPECT_EQ(fault<Model>(parsed("root", Value::integer(0))).code, ErrorCode::out_of_range);
  Value cycle = parsed("root", Value::integer(0));
  cycle.add("nodes", Value::list({parsed("left", Value::integer(1)), parsed("left", Value::integer(0))}));
  const Error error = fault<Model>(cycle);
  EXPECT_EQ(error.code, ErrorCode::cycle);
  EXPECT_EQ(error.path, "nodes[0]/nodes[1]/left");
}

TEST(ValueArchives, LongChainsEndAtTheLimit) {
  Value chain = parsed("root", Value::integer(0));
  Value nodes = Value::list();
  for (std::uint64_t i = 1; i < 10000; ++i) nodes.push(parsed("left", Value::integer(i)));
  nodes.push(Value::map());
  chain.add("nodes", std::move(nodes));
  EXPECT_EQ(fault<Model>(chain).code, ErrorCode::limit);
}

TEST(Writer, WritesNothingBeyondItsLimit) {
  Model model = sample();
  model.items.offset = 0xffff'0000;
  Writer writer({}, 1 << 16);
  describe(writer, model);
  const auto bytes = writer.finish();
  EXPECT_TRUE(writer.overflowed());
  EXPECT_LE(bytes.size(), std::size_t{1} << 16);
}

}  // namespace
}  // namespace unshade
