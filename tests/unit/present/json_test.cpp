#include <unshade/present/json.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <unshade/core/value.hpp>
#include <unshade/present/tokens.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {
namespace {

template <class Write>
std::string written(Json::Layout layout, Write write) {
  MemoryStream stream;
  Printer printer(stream, false);
  Json json(printer, layout);
  write(json);
  printer.flush();
  return stream.text;
}

void write_sample(Json& json) {
  json.begin_object();
  json.member("text", "a\"\\/\b\f\n\r\t\x01\x7f");
  json.member("latin", std::string_view("\xe9", 1));
  json.member(std::string_view("l\xe9", 2), true);
  json.key("list");
  json.begin_array();
  json.number(18446744073709551615U);
  json.number_signed(std::numeric_limits<std::int64_t>::min());
  json.real(0.1F);
  json.real(-std::numeric_limits<double>::infinity());
  json.real(std::nan(""));
  json.end_array();
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.object("none", [] {});
  json.member("yes", true);
  json.key("nothing");
  json.null();
  json.end_object();
}

TEST(Json, IsCompact) {
  EXPECT_EQ(
      written(Json::Layout::compact, write_sample),
      "{\"text\":\"a\\\"\\\\/"
      "\\b\\f\\n\\r\\t\\u0001\x7f\",\"latin\":\"\u00e9\",\"l\u00e9\":true,\"list\":[18446744073709551615,-9223372036854775808,0.1,\"-inf\","
      "\"nan\"],\"empty\":[],\"none\":{},\"yes\":true,\"nothing\":null}");
}

TEST(Json, HasAMemberPerLine) {
  const auto write = [](Json& json) {
    json.begin_object();
    json.key("list");
    json.begin_array();
    json.number(1);
    json.object([&] { json.member("a", std::uint32_t{2}); });
    json.end_array();
    json.object("none", [] {});
    json.end_object();
    json.finish();
  };
  EXPECT_EQ(written(Json::Layout::indented, write), "{\n \"list\": [\n  1,\n  {\n   \"a\": 2\n  }\n ],\n \"none\": {}\n}\n");
}

TEST(ReadJson, GivesTheValuesBack) {
  const std::string_view text =
      R"({"a": [1, -2, 0.5, -1e3, true, false, null, "x\ud83d\ude00\n\u00e9"], "b": {}, "c": [], "d": -0, "e": 18446744073709551616})";
  const auto value = read_json(text);
  ASSERT_TRUE(value);
  const Value::List& list = *value->find("a")->as_list();
  EXPECT_EQ(*list[0].as_integer(), (Integer{1, false, false}));
  EXPECT_EQ(*list[1].as_integer(), (Integer{2, true, false}));
  EXPECT_EQ(list[2].as_real()->wide, 0.5);
  EXPECT_EQ(list[3].as_real()->narrow, -1000.0F);
  EXPECT_TRUE(*list[4].as_boolean());
  EXPECT_TRUE(list[6].is(Value::Kind::null));
  EXPECT_EQ(*list[7].as_text(), "x\xf0\x9f\x98\x80\n\xc3\xa9");
  EXPECT_EQ(list[1].text_offset, 10U);
  EXPECT_TRUE(value->find("b")->is(Value::Kind::map));
  EXPECT_TRUE(value->find("d")->as_integer()->negative);
  EXPECT_EQ(value->find("e")->as_real()->wide, 0x1p64);
  const auto small = read_json("[1e-400, -1e-300]");  // too small for a double, for a float
  ASSERT_TRUE(small);
  EXPECT_EQ((*small->as_list())[0].as_real()->wide, 0.0);
  EXPECT_EQ((*small->as_list())[1].as_real()->wide, -1e-300);
  EXPECT_EQ((*small->as_list())[1].as_real()->narrow, 0.0F);
}

TEST(ReadJson, ReadsWhatIsWritten) {
  const auto value = read_json(R"({"a": [1, -2, 0.5, 1e-9, true, null, "x\n"], "b": {}, "c": [], "d": {"e": [[]]}})");
  ASSERT_TRUE(value);
  for (const Json::Layout layout : {Json::Layout::compact, Json::Layout::indented}) {
    const auto again = read_json(written(layout, [&](Json& json) { write_value(*value, json); }));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *value);
  }
}

TEST(ReadJson, RefusesTheRestWithItsPlace) {
  struct Row {
    std::string_view text;
    std::uint64_t offset;
    ErrorCode code = ErrorCode::bad_value;
  };
  for (const Row& row : {Row{"", 0}, Row{"[1,]", 3}, Row{"[1 2]", 3}, Row{"{\"a\"}", 4}, Row{"{a: 1}", 1}, Row{"[+1]", 1}, Row{"[.5]", 1},
                         Row{"[1.]", 1}, Row{"[00]", 1}, Row{"\"\\q\"", 3}, Row{"\"\\u12g4\"", 3}, Row{"\"\\ude00\"", 7}, Row{"\"a", 1},
                         Row{"\"\n\"", 1}, Row{"[] []", 3}, Row{"{\"a\":1,\"a\":2}", 7}, Row{"\xff", 0}}) {
    const auto value = read_json(row.text);
    ASSERT_FALSE(value) << row.text;
    EXPECT_EQ(value.error().code, row.code) << row.text;
    EXPECT_EQ(value.error().offset, row.offset) << row.text;
  }
  EXPECT_EQ(read_json(std::string(60, '[')).error().code, ErrorCode::limit);
}

std::string classes(std::string_view line, shader::Family family) {
  std::string made;
  for (const Token& token : tokens_of(line, family))
    (made += id(token.token)) += ":" + std::string(line.substr(token.text, token.size)) + ' ';
  return made;
}

TEST(Tokens, OfEachLanguage) {
  EXPECT_EQ(classes("  mad r0.xyz, v1.xyzx, l(1.5e+3, -2, 0), -cb0[r1.x + 4].x // c", shader::Family::dxbc),
            "opcode:mad value:r0 value:v1 number:1.5e+3 number:2 number:0 value:cb0 value:r1 number:4 comment:// c ");
  EXPECT_EQ(classes("  %3 = call float @dx.op.unary.f32(i32 13, float %2)  ; Sin", shader::Family::dxil),
            "value:%3 opcode:call value:@dx.op.unary.f32 number:13 value:%2 comment:; Sin ");
  EXPECT_EQ(classes(".proc main\n\tadd r3, c95, r1 {0}\n", shader::Family::pica),
            "directive:.proc opcode:add value:r3 value:c95 value:r1 number:0 ");
  EXPECT_EQ(classes("%1 = OpExtInstImport \"GLSL.std \\\" 450\"\n OpName %main \"main\"", shader::Family::spirv),
            "value:%1 opcode:OpExtInstImport text:\"GLSL.std \\\" 450\" opcode:OpName value:%main text:\"main\" ");
  EXPECT_EQ(classes("anything", shader::Family::unknown), "");
}

}  // namespace
}  // namespace unshade::present
