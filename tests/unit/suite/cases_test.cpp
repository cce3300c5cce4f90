// Suites: fields, tables, numbers and conditions. What a run of one says is in tests/golden/cli/suites.test.
#include "suite/cases/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <unshade/core/text/line_counter.hpp>
#include <unshade/document_text/document_text.hpp>

#include "support/files.hpp"

namespace unshade::suite::cases {
namespace {

Result<Suite> read(std::string_view text) {
  auto document = document_text::read_toml(text);
  if (!document) return document.error();
  return read_suite(std::move(*document), text);
}

/// `LINE:COLUMN path: message` of what is wrong.
std::string fault_in(std::string_view text) {
  const auto suite = read(text);
  const auto found = [&]() -> std::optional<Error> {
    if (!suite) return suite.error();
    for (std::size_t at = 0; at < suite->tests.size(); ++at)
      if (const auto one = expand(*suite, at); !one) return one.error();
    return std::nullopt;
  }();
  if (!found) return "none";
  return line_and_column(text, found->offset) + ' ' + found->path + ": " + found->message;
}

TEST(Suite, ExpandsTables) {
  const auto suite = read(
      "shader = 'a.cso'\nwave = 8\n[constants]\na = 1\nb = 2\n[[case]]\nname = '{n} {x'\ntable.names = ['n', 'all']\n"
      "table.rows = [[1, [1, 2]], [2.5, [3]]]\nconstants.b = '$all'\nexpect.fault = '>{n}<'\n[[case]]\nshader = 'b.cso'\nwave = 16\n");
  ASSERT_TRUE(suite) << to_string(suite.error());
  ASSERT_EQ(suite->tests.size(), 3U);
  EXPECT_EQ(suite->tests[0].name, "1 {x");
  EXPECT_EQ(suite->tests[1].name, "2.5 {x");
  EXPECT_EQ(suite->tests[2].name, "case 2");
  const auto row = expand(*suite, 1);
  ASSERT_TRUE(row) << to_string(row.error());
  EXPECT_EQ(row->shader, "a.cso");
  EXPECT_EQ(row->given.find("wave")->as_integer()->magnitude, 8U);
  EXPECT_EQ(row->given.find("constants")->find("a")->as_integer()->magnitude, 1U);
  EXPECT_EQ(row->given.find("constants")->find("b")->as_list()->size(), 1U);
  EXPECT_EQ(*row->expect.find("fault")->as_text(), ">2.5<");
  // the place of a value of the table is its own
  EXPECT_EQ(suite->place(row->given.find("constants")->find("b")->text_offset).line, 9U);
  const auto other = expand(*suite, 2);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->shader, "b.cso");
  EXPECT_EQ(other->given.find("wave")->as_integer()->magnitude, 16U);
}

TEST(Suite, RefusesWithAPlace) {
  EXPECT_EQ(fault_in("shader = 'a'\n"), "1:1 case: expected a list of cases");
  EXPECT_EQ(fault_in("shade = 'a'\ncase = []\n"), "1:1 shade: a suite has no field of this name; did you mean `shader`?");
  EXPECT_EQ(fault_in("[[case]]\nname = 'a'\n"), "2:8 shader: neither the suite nor the case names a shader");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\nname = 'a'\n[[case]]\nname = 'a'\n"), "5:8 case[1]/name: another test has the name `a`");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\nexpects = 3\n"),
            "3:1 case[0]/expects: a case has no field of this name; did you mean `expect`?");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\ntable = [{a = 1}]\nentry = '$b'\n"), "4:9 entry/$b: the table has no column of this name");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\ntable = {names = ['a'], rows = [[1, 2]]}\n"),
            "3:33 case[0]/table/rows: expected a list of 1 values, one for each name");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\ntable = [{a = [1]}]\nentry = '{a}'\n"),
            "4:9 entry: only numbers and texts of the table can be parts of a text");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\nname = ''\n"), "3:8 case[0]/name: expected a text that is not empty");
}

TEST(Suite, RefusesTablesThatTestNothing) {
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\ntable = []\n"), "3:9 case[0]/table: expected at least one row");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\ntable = {names = ['a'], rows = []}\n"), "3:9 case[0]/table: expected at least one row");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\ntable = {names = ['a', 'b', 'a'], rows = [[1, 2, 3]]}\n"),
            "3:18 case[0]/table/names: two columns have the name `a`");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\nname = 'a'\nlanes = [{X = ['$x']}]\n"), "4:16 lanes/X/$x: the case has no table");
  EXPECT_EQ(fault_in("shader = 'a'\n[[case]]\ntable = [{white = 1}]\nlanes = [{X = ['$whit']}]\n"),
            "4:16 lanes/X/$whit: the table has no column of this name; did you mean `white`?");
}

TEST(Picture, HasBoundsThatCanBeMissed) {
  const auto fault = [](std::string_view field, Value value) {
    Value map = Value::map();
    map.add(field, std::move(value));
    const auto made = picture_bounds_of(map);
    return made ? "none" : made.error().path + ": " + made.error().message;
  };
  EXPECT_EQ(fault("share", Value::real(0.5)), "none");
  EXPECT_EQ(fault("share", Value::integer(5)), "share: expected a number from 0 to 1");
  EXPECT_EQ(fault("channel", Value::integer(255)), "none");
  EXPECT_EQ(fault("channel", Value::integer(256)), "channel: expected a number from 0 to 255");
  EXPECT_EQ(fault("mean", Value::text("1")), "mean: expected a number from 0 to 255");
}

TEST(Suite, BoundsWhatTablesMake) {
  std::string rows = "shader = 'a'\n[[case]]\ntable = [";
  for (std::size_t row = 0; row <= kMostTests; ++row) rows += "{},";
  EXPECT_EQ(fault_in(rows + "]\n"), "2:1 case[0]: the suite has more than 65536 tests");
  std::string text = "shader = 'a'\n[[case]]\ntable = [{a = '" + std::string(1000, 'x') + "'}]\nentry = '";
  for (int k = 0; k < 100; ++k) text += "{a}";
  EXPECT_EQ(fault_in(text + "'\n"), "4:9 entry: the text is longer than 65536 characters");
  std::string values = "shader = 'a'\n[[case]]\ntable = [{a = [";
  for (int k = 0; k < 2000; ++k) values += "1,";
  values += "]}]\nlanes = [";
  for (int k = 0; k < 1000; ++k) values += "'$a',";
  EXPECT_TRUE(fault_in(values + "]\n").ends_with("lanes: the case has more than 2^20 values"));
}

constexpr NumberType kSingle{NumberType::Kind::real, 4};

/// What is wrong with a number; `right` if nothing is.
std::string judged(const Number& actual, const Value& expected, const Tolerance& tolerance = {}) {
  const auto wrong = compared(actual, expected, tolerance);
  if (!wrong) return "fault: " + wrong.error().message;
  return *wrong ? (**wrong).expected + " | " + (**wrong).actual : "right";
}

TEST(Numbers, AreWithinTolerances) {
  const Number one = real_number(1.0, kSingle);
  const Number next = real_number(static_cast<double>(std::nextafter(1.0F, 2.0F)), kSingle);
  EXPECT_EQ(judged(next, Value::integer(1)), "1.0 | 1.0000001, 1 ulp away");
  EXPECT_EQ(judged(next, Value::real(1.0), {.ulp = 1}), "right");
  EXPECT_EQ(judged(real_number(1.5, kSingle), Value::real(1.0), {.ulp = 1, .absolute = 0.25, .relative = 0.01}),
            "1.0 within 1 ulp or 0.25 or 1 % | 1.5, 4194304 ulps or 0.5 or 50 % away");
  EXPECT_EQ(judged(real_number(1.5, kSingle), Value::real(1.25), {.relative = 0.2}), "right");
  // across zero and the largest: distances are counted, not overflowed
  EXPECT_EQ(judged(real_number(-0.0, kSingle), Value::integer(0)), "right");
  EXPECT_EQ(judged(real_number(-0.0, kSingle), Value::integer(0), {.exact = true}), "0.0 | -0.0, 0 ulps away");
  EXPECT_EQ(judged(real_number(-1e-45, kSingle), Value::real(1e-45), {.ulp = 1}), "1e-45 within 1 ulp | -1e-45, 2 ulps away");
  const NumberType wide{NumberType::Kind::real, 8};
  EXPECT_EQ(judged(real_number(-1.7e308, wide), Value::real(1.7e308), {.ulp = 1e18}),
            "1.7e+308 within 1e+18 ulp | -1.7e+308, 1000000000000000000 ulps away");
  const NumberType half{NumberType::Kind::real, 2};
  EXPECT_EQ(judged(real_number(1.001, half), Value::integer(1)), "1.0 | 1.0009766, 1 ulp away");
  EXPECT_EQ(judged(real_number(0.1, half), Value::real(0.1)), "right");
  EXPECT_EQ(judged(number_of_bits(0x34cd, half), Value::real(0.3)), "right");
  EXPECT_EQ(judged(number_of_bits(0x7c00, half), Value::text("inf")), "right");
  EXPECT_EQ(judged(number_of_bits(0x7c00, half), Value::integer(70000)), "fault: 70000.0 does not fit into f16");
  // texels hold what their format makes of a number
  const texel::Format format = *texel::find_format("R16_FLOAT");
  const NumberType texel{NumberType::Kind::real, 2, &format};
  EXPECT_EQ(judged(number_of_bits(0x34cc, texel), Value::real(0.3)), "right");
  EXPECT_EQ(judged(number_of_bits(0x7bff, texel), Value::real(65519.9)), "right");
  EXPECT_EQ(judged(one, Value::text("nan")), "nan | 1.0");
  EXPECT_EQ(judged(real_number(std::numeric_limits<double>::quiet_NaN(), kSingle), Value::text("nan")), "right");
  EXPECT_EQ(judged(real_number(std::numeric_limits<double>::infinity(), kSingle), Value::integer(1), {.absolute = 1e9}),
            "1.0 within 1e+09 | inf");
}

TEST(Numbers, OfIntegersHaveWidths) {
  EXPECT_EQ(judged(whole_number(0xff, {NumberType::Kind::sint, 1}), Value::signed_integer(-1)), "right");
  EXPECT_EQ(judged(whole_number(0xff, {NumberType::Kind::uint, 1}), Value::signed_integer(-1)), "right");
  EXPECT_EQ(judged(whole_number(254, {NumberType::Kind::uint, 1}), Value::integer(255)), "255 | 254");
  EXPECT_EQ(judged(whole_number(254, {NumberType::Kind::uint, 1}), Value::integer(255), {.absolute = 1}), "right");
  EXPECT_EQ(judged(whole_number(~std::uint64_t{0}, {NumberType::Kind::uint, 8}), Value::integer(~std::uint64_t{0})), "right");
  EXPECT_EQ(judged(whole_number(1, {NumberType::Kind::boolean, 4}), Value::boolean(false)), "false | true");
  EXPECT_EQ(judged(whole_number(1, {NumberType::Kind::uint, 4}), Value::real(1.5)), "fault: expected a whole number, found 1.5");
  EXPECT_EQ(judged(whole_number(1, {NumberType::Kind::uint, 4}), Value::text("$x")),
            "fault: expected a number or a condition, such as `>= 0`, found `$x`");
}

TEST(Numbers, OfIntegersMustFit) {
  const NumberType byte{NumberType::Kind::uint, 1}, word{NumberType::Kind::uint, 4}, wide{NumberType::Kind::sint, 8};
  EXPECT_EQ(judged(whole_number(44, byte), Value::integer(300)), "fault: the number must fit into 8 bits");
  EXPECT_EQ(judged(whole_number(44, byte), Value::signed_integer(-212)), "fault: the number must fit into 8 bits");
  EXPECT_EQ(judged(whole_number(128, byte), Value::signed_integer(-128)), "right");
  EXPECT_EQ(judged(whole_number(0, word), Value::integer(std::uint64_t{1} << 32)), "fault: the number must fit into 32 bits");
  EXPECT_EQ(judged(whole_number(0, word), Value::real(4294967296.0)), "fault: the number must fit into 32 bits");
  EXPECT_EQ(judged(whole_number(~std::uint64_t{0}, word), Value::integer(0xffff'ffff)), "right");
  EXPECT_EQ(judged(whole_number(std::uint64_t{1} << 63, wide), Value::signed_integer(std::numeric_limits<std::int64_t>::min())), "right");
}

TEST(Numbers, HaveTolerancesOfTheirOwn) {
  const Number one = real_number(1.0, kSingle);
  const auto with = [](std::string_view field, Value value) {
    Value made = Value::map();
    made.add("value", Value::real(1.25));
    made.add(field, std::move(value));
    return made;
  };
  EXPECT_EQ(judged(one, with("absolute", Value::real(0.5))), "right");
  EXPECT_EQ(judged(one, with("absolut", Value::real(0.5))),
            "fault: a value with a tolerance has no field of this name; did you mean `absolute`?");
  Value both = with("exact", Value::boolean(true));
  both.add("ulp", Value::integer(1));
  EXPECT_EQ(judged(one, both), "fault: `exact` and other tolerances are mutually exclusive");
  Value without = Value::map();
  without.add("valu", Value::integer(1));
  EXPECT_EQ(judged(one, without), "fault: a map must have the number as `value`, beside its tolerance");
}

TEST(Numbers, FulfilConditions) {
  const Number value = real_number(0.5, kSingle);
  for (const char* const holds :
       {"any", "finite", ">= 0.5", "<=0.5", "!= 1", "== 0.5", "> -inf", "0..1", "0 .. 1", "-1..0.5, > 0", "finite, any"})
    EXPECT_EQ(judged(value, Value::text(holds)), "right") << holds;
  for (const char* const fails : {"nan", "inf", "-inf", "> 0.5", "< 0.5", "!= 0.5", "== 0", "1..2", "any, < 0"})
    EXPECT_EQ(judged(value, Value::text(fails)), std::string(fails) + " | 0.5");
  for (const char* const none : {"", "about 1", ">= ", "1..", "..", ">= --1", "any,", "> 1e999", "3..1", "inf..0"})
    EXPECT_TRUE(judged(value, Value::text(none)).starts_with("fault: expected a number or a condition")) << none;
}

TEST(Numbers, OfConditionsAreThoseOfTheType) {
  const Number tenth = real_number(0.1, kSingle);
  for (const char* const holds : {"== 0.1", "0..0.1", "0.1..1", "<= 0.1", ">= 0.1", "!= nan", "< 1e39", ">= 1e-400", "1e-400..9"})
    EXPECT_EQ(judged(tenth, Value::text(holds)), "right") << holds;
  for (const char* const fails : {"!= 0.1", "< 0.1", "> 0.1", "== nan", "== 1e39"})
    EXPECT_EQ(judged(tenth, Value::text(fails)), std::string(fails) + " | 0.1") << fails;
  const Number nan = real_number(std::numeric_limits<double>::quiet_NaN(), kSingle);
  EXPECT_EQ(judged(nan, Value::text("!= nan")), "!= nan | nan");
  EXPECT_EQ(judged(nan, Value::text("== nan")), "right");
  for (const char* const none : {"< nan", "nan..1", "!= NAN", ">= infinity"})
    EXPECT_TRUE(judged(tenth, Value::text(none)).starts_with("fault: expected a number or a condition")) << none;
  const NumberType unsigned_type{NumberType::Kind::uint, 8}, signed_type{NumberType::Kind::sint, 8};
  const Number wide = whole_number(9007199254740992, unsigned_type);
  for (const char* const holds : {"!= 9007199254740993", "< 9007199254740993", "<= 18446744073709551615", "> 9007199254740991", "> -1"})
    EXPECT_EQ(judged(wide, Value::text(holds)), "right") << holds;
  EXPECT_EQ(judged(wide, Value::text("== 9007199254740993")), "== 9007199254740993 | 9007199254740992");
  EXPECT_EQ(judged(whole_number(3, unsigned_type), Value::text("2.5..3.5, != 2.5, < 1e30")), "right");
  EXPECT_EQ(judged(whole_number(3, unsigned_type), Value::text("> 3.5")), "> 3.5 | 3");
  EXPECT_EQ(judged(whole_number(~std::uint64_t{2}, signed_type), Value::text("-3.5..-2.5, > -4, < 0")), "right");
  EXPECT_EQ(judged(whole_number(~std::uint64_t{0}, unsigned_type), Value::integer(~std::uint64_t{3}), {.absolute = 1}),
            "18446744073709551612 within 1 | 18446744073709551615, 3 away");
  EXPECT_EQ(judged(whole_number(~std::uint64_t{0}, unsigned_type), Value::integer(~std::uint64_t{3}), {.ulp = 3}), "right");
}

TEST(Numbers, OfRealsMustFit) {
  const auto texel = [](const texel::Format& format) {
    NumberType type{NumberType::Kind::texel, 4};
    type.format = &format;
    return type;
  };
  const texel::Format unorm = *texel::find_format("R8_UNORM"), snorm = *texel::find_format("R8_SNORM"),
                      small = *texel::find_format("R11G11B10_FLOAT");
  EXPECT_EQ(judged(real_number(1, texel(unorm)), Value::real(7.0)), "fault: 7.0 does not fit into R8_UNORM");
  EXPECT_EQ(judged(real_number(0, texel(unorm)), Value::real(-1.0)), "fault: -1.0 does not fit into R8_UNORM");
  EXPECT_EQ(judged(real_number(0, texel(unorm)), Value::text("nan")), "fault: nan does not fit into R8_UNORM");
  EXPECT_EQ(judged(real_number(0.5, texel(unorm)), Value::real(0.5)), "right");
  EXPECT_EQ(judged(real_number(1, texel(unorm)), Value::real(1.0000001)), "right");
  EXPECT_EQ(judged(real_number(1, texel(unorm)), Value::text("< 2")), "right");
  EXPECT_EQ(judged(real_number(-1, texel(snorm)), Value::signed_integer(-1)), "right");
  EXPECT_EQ(judged(real_number(0, texel(snorm)), Value::real(1.0 / 127), {.ulp = 1}), "right");
  EXPECT_EQ(judged(real_number(0.1, texel(small)), Value::real(0.1)), "right");
  EXPECT_EQ(judged(real_number(0, texel(small)), Value::real(-2.0)), "fault: -2.0 does not fit into R11G11B10_FLOAT");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(judged(real_number(infinity, kSingle), Value::real(Real{1e39, static_cast<float>(infinity), false})),
            "fault: 1e+39 does not fit into f32");
  EXPECT_EQ(judged(real_number(infinity, {NumberType::Kind::real, 2}), Value::real(70000.0)), "fault: 70000.0 does not fit into f16");
  EXPECT_EQ(judged(real_number(infinity, kSingle), Value::text("inf")), "right");
  EXPECT_EQ(judged(real_number(1e-45, kSingle), Value::real(1e-45)), "right");
}

// 0 is not at least 0.001, though that is rounded to 0.
TEST(Numbers, AreInOrderWithBoundsThatTexelsRound) {
  const auto texel = [](const texel::Format& format) {
    NumberType type{NumberType::Kind::texel, 4};
    type.format = &format;
    return type;
  };
  const texel::Format unorm = *texel::find_format("R8_UNORM"), half = *texel::find_format("R16_FLOAT");
  NumberType half_type{NumberType::Kind::real, 2};
  half_type.format = &half;
  const Number black = real_number(0, texel(unorm)), white = real_number(1, texel(unorm)), fifth = real_number(0.2, texel(unorm));
  for (const char* const holds : {"< 0.001", "!= 1", "== 0.001"}) EXPECT_EQ(judged(black, Value::text(holds)), "right") << holds;
  EXPECT_EQ(judged(black, Value::text(">= 0.001")), ">= 0.001 | 0.0");
  EXPECT_EQ(judged(white, Value::text("> 0.999, 0.999..1")), "right");
  EXPECT_EQ(judged(fifth, Value::text("<= 0.2, 0.2..0.3")), "right");
  EXPECT_EQ(judged(real_number(0, kSingle), Value::text(">= 1e-50")), ">= 1e-50 | 0.0");
  const Number largest = real_number(65504, half_type);
  EXPECT_EQ(judged(largest, Value::text("< 66000, >= 65504")), "right");
  EXPECT_EQ(judged(largest, Value::real(66000.0)), "fault: 66000.0 does not fit into f16");
  EXPECT_EQ(judged(largest, Value::integer(65504)), "right");
  EXPECT_EQ(judged(largest, Value::real(65505.0)), "right");
}

TEST(Numbers, HaveFiniteTolerances) {
  Value map = Value::map();
  map.add("value", Value::real(1.25));
  map.add("absolute", Value::real(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(judged(real_number(1.0, kSingle), map), "fault: expected a finite number of at least 0");
}

TEST(Numbers, OfTruthsAreTrueOrFalse) {
  const Number all_bits = whole_number(0xffff'ffff, {NumberType::Kind::boolean, 4});
  EXPECT_EQ(judged(all_bits, Value::boolean(true)), "right");
  EXPECT_EQ(judged(all_bits, Value::integer(1)), "right");
  EXPECT_EQ(judged(all_bits, Value::boolean(false)), "false | true");
  EXPECT_EQ(judged(all_bits, Value::integer(2)), "fault: expected true, false, 0 or 1");
}

TEST(Suite, SchemaNamesAllFields) {
  const auto schema = document_text::read_yaml(test::read_text(test::source_dir() / "docs/reference/json/suite.schema.json"));
  ASSERT_TRUE(schema);
  const auto has_all = [](const Value& place, std::span<const std::string_view> fields) {
    for (const std::string_view field : fields) EXPECT_NE(place.find("properties")->find(field), nullptr) << field;
  };
  has_all(*schema, suite_fields());
  has_all(*schema->find("$defs")->find("test"), test_fields());
  has_all(*schema->find("$defs")->find("expect"), expect_fields());
  has_all(*schema->find("$defs")->find("resource"), expected_resource_fields());
}

}  // namespace
}  // namespace unshade::suite::cases
