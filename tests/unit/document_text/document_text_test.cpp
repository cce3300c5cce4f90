// Values as YAML and JSON text, and the verbs that print and read them.
#include <unshade/document_text/document_text.hpp>

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/present/value.hpp>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

std::string yaml(const Value& value) {
  Text text;
  present::print_yaml(text, value);
  return text.str();
}

Value map_of(std::string_view key, Value value) {
  Value map = Value::map();
  map.add(key, std::move(value));
  return map;
}

TEST(Yaml, ValuesComeBack) {
  const std::vector<Value> values = {
      Value(),
      Value::boolean(true),
      Value::integer(0),
      Value::integer(~std::uint64_t{0}),
      Value::integer(0xab, true),
      Value::signed_integer(-5),
      Value::real(0.1F),
      Value::real(-0.0F),
      Value::real(1e30F),
      Value::text("word"),
      Value::list(),
      Value::map(),
      Value::list({Value::list(), Value::map(), Value::text("")}),
      map_of("a", map_of("b", map_of("c", map_of("d", Value::integer(1))))),
      map_of("long", Value::list(Value::List(200, Value::integer(123456)))),
      map_of("records", Value::list({map_of("x", Value::list({map_of("y", Value::text("z"))})), map_of("x", Value())})),
  };
  for (const Value& value : values) {
    const auto read = document_text::read_yaml(yaml(value));
    ASSERT_TRUE(read) << yaml(value) << to_string(read.error());
    EXPECT_TRUE(*read == value) << yaml(value);
  }
}

TEST(Yaml, TextsThatLookLikeOtherThingsStayTexts) {
  for (const char* text :
       {"", " ", "null", "~", "true", "No", "12", "0x10", "1e5", ".5", "-", "- a", "a: b", "a #b", "# a", "[a]", "{a}", "'a'", "\"a\"",
        "a\\b", "&a", "*a", "!a", "%a", "@a", "`a", "|", ">", "a\nb", "a\nb\n", "a\n\nb\n\n", "\na", " a\nb", "a\r\nb", "a\tb", "\xc3\xa4",
        "inf", "nan", "<<", "=", "a, b", "yes", "0o17", "---", "...", "a ", "a  b", "2001-01-01",
        // what YAML cannot hold, or takes for the end of a line
        "a\x7f\nb",
        "a\xc2\x85"
        "b\nc",
        "\xc2\x9f", "\xe2\x80\xa8", "a\n\xe2\x80\xa9", "\xef\xbb\xbf", "\xef\xbf\xbf", "\xf0\x9f\x98\x80"}) {
    for (const Value& value : {Value::text(text), Value::list({Value::text(text)}), map_of("key", Value::text(text)),
                               map_of(text, Value::integer(1)), map_of("deep", map_of("key", Value::text(text)))}) {
      const auto read = document_text::read_yaml(yaml(value));
      ASSERT_TRUE(read) << yaml(value) << to_string(read.error());
      EXPECT_TRUE(*read == value) << yaml(value);
    }
  }
}

TEST(Yaml, BytesAreHexadecimalText) {
  const std::vector<std::byte> bytes(100, std::byte{0x5a});
  const auto read = document_text::read_yaml(yaml(map_of("b", Value::bytes(View(bytes)))));
  ASSERT_TRUE(read);
  std::vector<std::byte> back;
  EXPECT_TRUE(unshade::from_hex(*read->find("b")->as_text(), back));
  EXPECT_EQ(back, bytes);
}

TEST(Yaml, JsonIsYaml) {
  EXPECT_EQ(*document_text::read_yaml(R"({"a": "\ud83d\ude00"})")->find("a")->as_text(), "\xf0\x9f\x98\x80");
  EXPECT_EQ(*document_text::read_yaml("[a, \"b\"]")->as_list()->front().as_text(), "a");
  const auto read = document_text::read_yaml(R"({"a": [1, -2, 1.5, "x\u00e4", null, true], "b": {"c": "0x10"}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->find("a")->as_list()->size(), 6U);
  EXPECT_EQ(*(*read->find("a")->as_list())[3].as_text(), "x\xc3\xa4");
  EXPECT_EQ(*read->find("b")->find("c")->as_text(), "0x10");
}

TEST(Yaml, NumbersThatAreTooSmallAreZero) {
  const auto read = document_text::read_yaml("[1e-400, -1e-300, +.5, 1e400]");
  ASSERT_TRUE(read);
  const Value::List& list = *read->as_list();
  EXPECT_EQ(list[0], Value::real(Real{0.0, 0.0F, false}));
  EXPECT_EQ(list[1], Value::real(Real{-1e-300, -0.0F, false}));
  EXPECT_EQ(list[2], Value::real(Real{0.5, 0.5F, false}));
  EXPECT_EQ(list[3], Value::text("1e400"));
}

TEST(Yaml, WhatIsNoneIsRefused) {
  for (const char* text : {"a: [", "{a: b", "\"a", "a: b: c", "a\n  b: c\nd", "\t- a", "%YAML 9\n---\n", "\x80\x81", "a: *b", "x: &x [*x]",
                           "a: &a b\nc: *a", "? [a]\n: b", "---\na\n---\nb\n", ""}) {
    EXPECT_FALSE(document_text::read_yaml(text)) << text;
  }
  EXPECT_EQ(document_text::read_yaml("a: &a b\nc: *a").error().code, ErrorCode::unsupported);
  EXPECT_EQ(document_text::read_yaml("a: &a b\nc: *a").error().offset, 11U);
}

TEST(Yaml, DeepNestingIsRefusedEarly) {
  for (const char* piece : {"[", "{a: ", "- ", "? "}) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += piece;
    EXPECT_FALSE(document_text::read_yaml(text)) << piece;
  }
}

// Those that begin where no list or map can are text.
TEST(Yaml, OnlyBracketsThatNestAreCounted) {
  const std::string many(1000, '[');
  for (const std::string& text :
       {"a: x" + many, "a: \"" + many + "\"", "a: '" + many + "'", "# " + many + "\na: 1", "a: |\n  " + many + "\n  " + many,
        "- |\n  " + many, "- a: >\n    " + many, "a: x\n  y" + many, "a: [x, \"" + many + "\", 'it''s" + many + "']",
        "{\"a\":\"" + many + "\"}", "a: |-\n  x\n\n  " + many + "\nb: 1", "a: |1\n b: " + many}) {
    const auto read = document_text::read_yaml(text);
    EXPECT_TRUE(read) << text.substr(0, 20) << to_string(read.error());
  }
  for (const std::string& text : {"a: " + many, many, "- a: |\n    x\n  b: " + many, "a: x\n  'y\nb: " + many + "'", "{a: b," + many,
                                  "[a\n'," + many, "? " + many, "!x " + many, "\"a\": " + many, "a: |\nb: " + many}) {
    const auto read = document_text::read_yaml(text);
    ASSERT_FALSE(read) << text.substr(0, 20);
  }
  EXPECT_EQ(document_text::read_yaml("a:\n  - b: " + many).error().code, ErrorCode::limit);
  EXPECT_EQ(document_text::read_yaml("a:\n  - b: " + many).error().offset, 10U + limits::kDocumentNesting - 3);
}

// A key before its colon has at most 1024 characters, in one line.
TEST(Yaml, LongKeysComeBack) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{500}, std::size_t{501}, std::size_t{1024}, std::size_t{5000}})
    for (const char c : {'k', '\n', '"'}) {
      const std::string key(size, c);
      for (const Value& value : {map_of(key, Value::integer(1)), map_of(key, Value::list({Value::integer(1), Value()})),
                                 map_of("outer", Value::list({map_of(key, map_of(key, Value::text("a\nb\n"))), Value::integer(2)}))}) {
        const auto read = document_text::read_yaml(yaml(value));
        ASSERT_TRUE(read) << yaml(value) << to_string(read.error());
        EXPECT_TRUE(*read == value) << yaml(value);
      }
    }
}

// The text of a block must be indented more than its key: libfyaml 0.7 made a text of what stood in memory.
TEST(Yaml, ABlockThatIsNotIndentedIsRefused) {
  const auto read = document_text::read_yaml("- SHEX:\n    program: |\n    cs_5_0\n      ret\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::bad_value);
  EXPECT_GE(read.error().offset, 27U);
}

TEST(Yaml, PlacesCountBytes) {
  const auto read = document_text::read_yaml("\xc3\xa4: \xf0\x9f\x98\x80\nb: [1, x, 'y']\nc:\n");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->find("\xc3\xa4")->text_offset, 4U);
  EXPECT_EQ((*read->as_map())[1].key_offset, 9U);
  EXPECT_EQ((*read->find("b")->as_list())[2].text_offset, 19U);
  EXPECT_EQ(read->find("c")->text_offset, 24U);  // what is not written stands where its key does
  const auto fault = document_text::read_yaml("\xc3\xa4: 1\n  b: [\n");
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().offset, 9U) << fault.error().message;
}

TEST(Yaml, AKeyStandsOnce) {
  const auto read = document_text::read_yaml("a: 1\nb: {c: 1,\n  d: 2, c: 3}\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::bad_value);
  EXPECT_EQ(read.error().path, "c");
  EXPECT_EQ(read.error().offset, 23U);
  EXPECT_NE(read.error().message.find("line 2, column 5"), std::string::npos) << read.error().message;
}

TEST(Yaml, ControlCharactersAreRefused) {
  const auto read = document_text::read_yaml(std::string_view("a: |\0b\nc: 1\n", 13));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::bad_value);
  EXPECT_EQ(read.error().offset, 4U);
  EXPECT_TRUE(document_text::read_yaml("a: \"\\x01\\0\"\r\n\n"));
}

TEST(Yaml, DocumentsAreReadAsFilesHaveThem) {
  for (const std::string& text : {std::string("\xef\xbb\xbfgrid: 3\r\n"), std::string("grid: 3\n\0\0", 10),
                                  std::string("\f\ngrid: 3\n\x1a"), std::string("\v\ngrid: 3\n\f\n\0", 14)}) {
    const auto yaml = document_text::read_yaml(text);
    ASSERT_TRUE(yaml.has_value()) << to_string(yaml.error());
    EXPECT_NE(yaml->find("grid"), nullptr);
    std::string as_toml = text;
    as_toml.replace(as_toml.find(": "), 2, " = ");
    const auto toml = document_text::read_toml(as_toml);
    ASSERT_TRUE(toml.has_value()) << to_string(toml.error());
    EXPECT_NE(toml->find("grid"), nullptr);
  }
  EXPECT_FALSE(document_text::read_yaml(std::string_view("a: 1\n\0b: 2\n", 11)).has_value());
  EXPECT_FALSE(document_text::read_toml(std::string_view("a = 1\n\0b = 2\n", 13)).has_value());
}

TEST(Yaml, DirectivesAndWhatIsNoTextComeBack) {
  for (const std::string_view text : {"%", "%\n", "%a", "%YAML", "%YAML 1.2\n", "%TAG ! x", "%\xc3\xa4", "%a\n---\na: 1\n"})
    EXPECT_FALSE(document_text::read_yaml(text)) << text;
  const auto read = document_text::read_yaml("%\xce");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::bad_value);
  EXPECT_EQ(read.error().offset, 1U);
  EXPECT_EQ(document_text::read_yaml("a: \"\xed\xa0\x80\"").error().offset, 4U);  // half of a surrogate pair
}

TEST(Yaml, DumpAndBuildGiveTheFileBack) {
  const auto path = (source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc").string();
  const auto bytes = read_bytes(path);
  const std::string_view expected(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const char* format : {"yaml", "json"}) {
    const auto dumped = run_command({"dump", "--format", format, path});
    ASSERT_EQ(dumped.exit, 0) << dumped.err;
    Surroundings around;
    around.input = bytes_of(dumped.out);
    const auto built = run_command({"build", "-"}, around);
    ASSERT_EQ(built.exit, 0) << built.err;
    EXPECT_TRUE(built.out == expected) << format;
  }
  EXPECT_EQ(run_command({"dump", "--yaml", path}).out, run_command({"dump", "--format", "yaml", path}).out);
  // the tree that --json prints is no document
  Surroundings around;
  around.input = bytes_of(run_command({"dump", "--json", path}).out);
  const auto refused = run_command({"build", "-"}, around);
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("found `unshade.dump/1`; documents are what `unshade dump --format yaml` and `--format json` print"),
            std::string::npos)
      << refused.err;
}

TEST(Yaml, BuildTellsWhereAFaultIs) {
  Surroundings around;
  around.input = bytes_of("schema: unshade.document/1\nfamily: dxbc\nparts:\n- STAT:\n    instruction_count: many\n");
  const auto outcome = run_command({"build", "-"}, around);
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(":5:24: error[bad-value]: parts[0]/STAT/instruction_count: "), std::string::npos) << outcome.err;
}

// Standard input has no name that says what it is: the reader that comes further tells what is wrong.
TEST(Yaml, StandardInputMayBeToml) {
  const auto kind_of = [](std::string_view text) {
    const auto made = document_text::read_by_name("<stdin>", text);
    return made ? std::string("read") : std::to_string(made.error().offset);
  };
  EXPECT_EQ(kind_of("[a]\nb = 1\n"), "read");
  EXPECT_EQ(kind_of("a:\n  b: 1\n"), "read");
  EXPECT_EQ(kind_of("{\"a\": 1}"), "read");
  EXPECT_EQ(kind_of("[a]\nb = 1\nc = [1,\n"), std::to_string(document_text::read_toml("[a]\nb = 1\nc = [1,\n").error().offset));
  EXPECT_EQ(kind_of("a: 1\nb: [1\nc: 2\n"), std::to_string(document_text::read_yaml("a: 1\nb: [1\nc: 2\n").error().offset));
  EXPECT_FALSE(document_text::read_by_name("a.yaml", "[a]\nb = 1\n"));
}

}  // namespace

}  // namespace unshade::test
