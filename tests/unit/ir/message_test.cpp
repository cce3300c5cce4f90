#include <unshade/ir/message.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/core/limits.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "support/ir.hpp"

namespace unshade::ir {
namespace {

std::string shown(std::string_view format, Type type, std::uint64_t bits) {
  return text_of({MessageKind::printf, std::string(format), {type}}, std::vector{bits});
}
std::string shown(std::string_view format, float value) { return shown(format, Type::f32, std::bit_cast<std::uint32_t>(value)); }
std::string shown(std::string_view format, double value) { return shown(format, Type::f64, std::bit_cast<std::uint64_t>(value)); }
std::string shown(std::string_view format, int value) { return shown(format, Type::i32, static_cast<std::uint32_t>(value)); }

TEST(IrMessage, ShowsIntegers) {
  EXPECT_EQ(shown("a %d b", -5), "a -5 b");
  EXPECT_EQ(shown("%i", 5), "5");
  EXPECT_EQ(shown("%u", -1), "4294967295");
  EXPECT_EQ(shown("%x %%", 0xbeef), "beef %");
  EXPECT_EQ(shown("%#X", 0xbeef), "0XBEEF");
  EXPECT_EQ(shown("%#x", 0), "0");
  EXPECT_EQ(shown("%o", 8), "10");
  EXPECT_EQ(shown("%#o", 8), "010");
  EXPECT_EQ(shown("[%5d|", 42), "[   42|");
  EXPECT_EQ(shown("[%-5d|", 42), "[42   |");
  EXPECT_EQ(shown("%05d", -42), "-0042");
  EXPECT_EQ(shown("%+d", 42), "+42");
  EXPECT_EQ(shown("% d", 42), " 42");
  EXPECT_EQ(shown("[%6.3d|", 7), "[   007|");
  EXPECT_EQ(shown("[%.0d|", 0), "[|");
  EXPECT_EQ(shown("%c", 'A'), "A");
  EXPECT_EQ(shown("%c", 7), "\\x07");
  EXPECT_EQ(shown("%lu", Type::i64, ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(shown("%ld", Type::i64, ~std::uint64_t{0}), "-1");
  EXPECT_EQ(shown("%d", Type::i64, std::uint64_t{1} << 63), "-9223372036854775808");
  EXPECT_EQ(shown("%p", Type::i64, 0x1234), "0x1234");
  EXPECT_EQ(shown("%d", Type::i8, 0xff), "-1");
  EXPECT_EQ(shown("%u", Type::i16, 0xffff), "65535");
  EXPECT_EQ(shown("%d", Type::b1, 1), "1");
}

TEST(IrMessage, ShowsFloats) {
  EXPECT_EQ(shown("%f", 1.5F), "1.500000");
  EXPECT_EQ(shown("%1.2f", 0.125F), "0.12");
  EXPECT_EQ(shown("%e", 1500.0F), "1.500000e+03");
  EXPECT_EQ(shown("%E", 1500.0), "1.500000E+03");
  EXPECT_EQ(shown("%g", 0.0001), "0.0001");
  EXPECT_EQ(shown("%G", 1e20), "1E+20");
  EXPECT_EQ(shown("%a", 1.5F), "0x1.8p+0");
  EXPECT_EQ(shown("%08.2f", -1.5F), "-0001.50");
  EXPECT_EQ(shown("%+.0f", 2.0F), "+2");
  EXPECT_EQ(shown("%f", Type::f32, 0xff80'0000), "-inf");
  EXPECT_EQ(shown("%F", Type::f32, 0x7fc0'0000), "NAN");
  EXPECT_EQ(shown("%05f", Type::f32, 0x7f80'0000), "  inf");
  EXPECT_EQ(shown("%.1f", Type::f16, 0x3e00), "1.5");
  EXPECT_EQ(shown("%f", 1e308).size(), 309U + 7);
  EXPECT_EQ(shown("%255.255f", 1e308).size(), 309U + 256);
}

// As the specifier says, whatever the value is.
TEST(IrMessage, TakesBitsAsTheSpecifierSays) {
  EXPECT_EQ(shown("%x", 1.0F), "3f800000");
  EXPECT_EQ(shown("%f", 0x3f80'0000), "1.000000");
  EXPECT_EQ(shown("%f", Type::i64, 0x3ff0'0000'0000'0000), "1.000000");
}

TEST(IrMessage, ShowsVectors) {
  const MessageFormat message{MessageKind::printf, "%1.1v3f; %v2d", {Type::f32, Type::f32, Type::f32, Type::i32, Type::i32}};
  EXPECT_EQ(text_of(message, std::vector<std::uint64_t>{0x3f80'0000, 0x4000'0000, 0x4040'0000, 4, 5}), "1.0, 2.0, 3.0; 4, 5");
  EXPECT_EQ(values_of(message.text), 5U);
}

// What is no conversion stands as it is, and takes no value.
TEST(IrMessage, KeepsWhatItDoesNotKnow) {
  for (const std::string_view text : {"100%", "%y", "%*d", "%v0f", "%v17f", "%vf", "% ", "%5", "%.", "%ll", "%s", "a%%b"}) {
    EXPECT_EQ(values_of(text), 0U) << text;
    EXPECT_EQ(text_of({MessageKind::printf, std::string(text), {}}, {}), text == "a%%b" ? "a%b" : text);
  }
  EXPECT_EQ(shown("%99999999999999d", 1).size(), limits::kMessageWidth);
  EXPECT_EQ(text_of({MessageKind::printf, "%d %d", {Type::i32}}, std::vector<std::uint64_t>{1}), "1 ");
}

TEST(IrMessage, WritesFormatsUpToALimit) {
  FormatWriter writer;
  writer.add_text("100% of ");
  FormatParts parts("%-+ #07.3lf%ul");
  EXPECT_TRUE(writer.add_conversion(*parts.next(), 3));
  EXPECT_TRUE(writer.add_conversion(*parts.next(), 1));
  parts.skip_long();
  EXPECT_FALSE(parts.next());
  FormatParts bad("%d");
  EXPECT_FALSE(writer.add_conversion(*bad.next(), 17));
  const std::string text = writer.take();
  EXPECT_EQ(text, "100%% of %-+ #07.3v3f%u");

  FormatWriter full;
  full.add_text(std::string(limits::kMessageCharacters - 4, 'a') + '%');
  FormatParts more("%d");
  EXPECT_FALSE(full.add_conversion(*more.next(), 1));
  full.add_text("b");
  EXPECT_EQ(full.take(), std::string(limits::kMessageCharacters - 4, 'a') + "...");
}

constexpr std::string_view kPrints = R"(stage compute
message @0 printf text "a \"%d\" %v2f\x0a" types 3 i32 f32 f32
message @1 errorf text "stop"

function @main {
^0:
  %x = builtin i32 thread_id.x
  %f = u_to_f f32 %x
  print @0 %x %f 1.5:f32 !3
  print @1
  return
}
)";

TEST(IrMessage, HasAText) {
  const auto module = parse(kPrints);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(print(*module), kPrints);
  EXPECT_TRUE(findings_of(*module).empty());
  EXPECT_EQ(module->messages[1].kind, MessageKind::errorf);
  EXPECT_EQ(module->messages[0].text, "a \"%d\" %v2f\n");
  EXPECT_FALSE(parse("message printf\n"));
  EXPECT_FALSE(parse("message @0 shout\n"));
  EXPECT_FALSE(parse("message @0 printf types 2 i32\n"));
  EXPECT_FALSE(parse("stage compute\nfunction @f {\n^0:\n  print @0\n  return\n}\n"));
}

std::string rule_of(std::string_view from, std::string_view to) {
  std::string text(kPrints);
  text.replace(text.find(from), from.size(), to);
  const auto module = parse(text);
  if (!module) return to_string(module.error());
  const auto findings = findings_of(*module);
  return findings.empty() ? "none" : std::string(findings[0].rule->id) + ' ' + findings[0].path;
}

TEST(IrMessage, IsVerified) {
  EXPECT_EQ(rule_of("types 3 i32 f32 f32", "types 2 i32 f32"), "ir.message messages[0]");
  EXPECT_EQ(rule_of("%v2f", "%v3f"), "ir.message messages[0]");
  EXPECT_EQ(rule_of("types 3 i32 f32 f32", "types 3 i32 f32 handle"), "ir.message messages[0]");
  EXPECT_EQ(rule_of("%x %f 1.5:f32", "%x %f 1:i32"), "ir.message main/^0/print");
  EXPECT_EQ(rule_of("%x %f 1.5:f32", "%x %f"), "ir.message main/^0/print");
  EXPECT_EQ(rule_of("\"stop\"", '"' + std::string(limits::kMessageCharacters + 1, 'a') + '"'), "ir.limit messages[1]");
  auto module = *parse(kPrints);
  module.messages.pop_back();
  const auto findings = findings_of(module);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule->id, "ir.extra");
}

// A loop whose rounds print, a value that only a message reads, and a phi that others read as a float.
TEST(IrMessage, StaysInOptimizedModules) {
  const auto module = parse(R"(stage compute
resource @out uav_byte_address register 0
message @0 printf text "%d %d" types 2 i32 i32

function @main {
^0:
  %out = handle @out 0
  %one = iadd i32 1 0
  jump ^1
^1: merge ^3 continue ^2
  %i = phi i32 ^0 0 ^2 %next
  %bits = phi i32 ^0 0 ^2 %sum
  %less = ilt i32 %i 4
  branch %less ^2 ^3
^2:
  %only = imul i32 %i 3
  print @0 %bits %only
  print @0 %one %one
  print @0 %one %one
  %f = bitcast f32 %bits
  %g = fadd f32 %f 1.0
  %sum = bitcast i32 %g
  %next = iadd i32 %i 1
  jump ^1
^3:
  return
}
)");
  ASSERT_TRUE(module) << to_string(module.error());
  for (const unsigned level : {0U, 1U}) {
    const auto made = test::optimized(*module, level);
    ASSERT_TRUE(made) << to_string(made.error());
    const std::string text = print(**made);
    std::size_t count = 0;
    for (std::size_t at = text.find("  print @0"); at != std::string::npos; at = text.find("  print @0", at + 1)) ++count;
    EXPECT_EQ(count, 3U) << text;
    EXPECT_EQ((*made)->messages.size(), 1U);
  }
}

}  // namespace
}  // namespace unshade::ir
