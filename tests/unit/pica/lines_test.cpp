// Line tables: their names in documents, listings and linked files.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/core/archive/value_reader.hpp>
#include <unshade/core/value.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/document.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>

#include "support/files.hpp"
#include "support/reassemble.hpp"

namespace unshade::pica {

namespace {

constexpr std::uint64_t kMost = 1 << 20;

std::string names_of(const Program& program) {
  std::string text;
  for (const Line& line : program.lines) text += std::string(program.file_name(line)) + ':' + std::to_string(line.number) + ' ';
  return text;
}

Value& member(Value& map, std::string_view key) {
  for (auto& entry : *map.as_map())
    if (entry.key == key) return entry.value;
  ADD_FAILURE() << key;
  return map;
}

/// A program of nops and an end.
Shbin program_of(std::size_t words) {
  Shbin shbin;
  shbin.program.code.items.assign(words, 0x8400'0000);
  shbin.program.code.items.back() = 0x8800'0000;
  Executable& e = shbin.executables.emplace_back();
  e.end_words = static_cast<std::uint32_t>(words);
  return shbin;
}

Object object_with_names() {
  Object object;
  object.code.items = {0x8400'0000, 0x8400'0000, 0x8800'0000};
  object.uniforms.items = {{{"position", 0}, 0, 0}};
  const std::uint32_t a = add_text(object.symbols, "a.vsh");
  const std::uint32_t b = add_text(object.symbols, "bb.vsh");
  object.lines.items = {{a, 3}, {b, 9}, {b + 1, 9}};
  return object;
}

Result<Object> rebuilt(const Value& value, Places places) {
  ValueStore store(places);
  const auto bytes = object_from_value(value, kMost, store);
  if (!bytes) return bytes.error();
  return parse_object(test::view_of(*bytes));
}

TEST(Lines, DocumentsOfObjectsKeepTheNames) {
  const auto bytes = write_object(object_with_names());
  const auto object = parse_object(test::view_of(bytes));
  ASSERT_TRUE(object);
  const std::string names = "a.vsh:3 bb.vsh:9 b.vsh:9 ";
  EXPECT_EQ(names_of(from_object(*object).program), names);
  for (const Places places : {Places::left_to_the_writer, Places::stated}) {
    const Value value = object_to_value(*object, places);
    const auto again = rebuilt(value, places);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(names_of(from_object(*again).program), names);
    EXPECT_EQ(again->uniforms[0].symbol.text, "position");
  }
}

TEST(Lines, ANameOfADocumentMayBeEdited) {
  Shbin shbin = program_of(3);
  const std::uint32_t a = add_text(shbin.program.file_names, "a.vsh");
  const std::uint32_t b = add_text(shbin.program.file_names, "b.vsh");
  shbin.program.lines.items = {{a, 1}, {b, 2}, {b, 3}};
  Value value = shbin_to_value(shbin, Places::left_to_the_writer);
  const auto built = [&] {
    ValueStore store(Places::left_to_the_writer);
    return shbin_from_value(value, kMost, store);
  };
  Value& program = member(value, "program");
  member(program, "file_names").as_list()->front() = Value::text("longer_than_before.vsh");
  const auto bytes = built();
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  const auto again = parse_shbin(test::view_of(*bytes));
  ASSERT_TRUE(again);
  EXPECT_EQ(names_of(again->program), "longer_than_before.vsh:1 b.vsh:2 b.vsh:3 ");

  member(member(program, "lines").as_list()->back(), "source") = Value::integer(2);
  const auto refused = built();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_value);
  EXPECT_EQ(refused.error().path, "program/lines[2]/source");
}

TEST(Lines, NamesThatShareTheirBytesDoNotMultiply) {
  constexpr std::uint32_t kNames = 2000;
  Object object;
  object.code.items.assign(kNames, 0x8400'0000);
  const std::string name(kNames, 'x');
  add_text(object.symbols, name);
  for (std::uint32_t i = 0; i < kNames; ++i) object.lines.items.push_back({i, i});
  const Shbin shbin = from_object(object);
  EXPECT_LE(shbin.program.file_names.size(), object.symbols.size());
  for (const std::uint32_t i : {0U, 1U, 1000U, kNames - 1})
    EXPECT_EQ(shbin.program.file_name(shbin.program.lines[i]), std::string_view(name).substr(i));
  const auto taken = take_executable(shbin, 0);
  ASSERT_TRUE(taken);
  EXPECT_LE(taken->program.file_names.size(), object.symbols.size());
}

TEST(Lines, ListingsHaveAllLinesOfLongNames) {
  Shbin shbin = program_of(1202);
  const std::uint32_t a = add_text(shbin.program.file_names, std::string(239, 'a'));
  const std::uint32_t b = add_text(shbin.program.file_names, std::string(239, 'b'));
  for (std::uint32_t i = 0; i < 1202; ++i) shbin.program.lines.items.push_back({i % 2 == 0 ? a : b, i});
  test::expect_reassembles(shbin);
}

/// What is too much to be listed must not be lost in silence.
TEST(Lines, AListingWithoutANameDoesNotAssemble) {
  Shbin shbin = program_of(64);
  const std::uint32_t a = add_text(shbin.program.file_names, std::string(50'000, 'a'));
  for (std::uint32_t i = 0; i < 64; ++i) shbin.program.lines.items.push_back({a + i, i});
  Text text;
  list_shbin(shbin, text);
  EXPECT_LT(text.size(), 300'000U);
  const Source source{"listing", text.view()};
  EXPECT_FALSE(assemble({&source, 1}).ok);
}

TEST(Lines, ATableShorterThanTheCodeStaysSo) {
  Shbin shbin = program_of(5);
  const std::uint32_t a = add_text(shbin.program.file_names, "a.vsh");
  shbin.program.lines.items = {{a, 1}, {a, 2}};
  test::expect_reassembles(shbin);
}

}  // namespace

}  // namespace unshade::pica
