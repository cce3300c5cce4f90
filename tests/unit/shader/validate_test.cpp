#include <unshade/shader/validate.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <type_traits>

#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"
#include "unit/support/dxbc_builder.hpp"

namespace unshade::shader {
namespace {

std::vector<Diagnostic> findings_of(std::string_view text) { return validate(View(std::as_bytes(std::span(text)))); }

TEST(ValidateTest, WhatIsNoShaderBreaksFileFamily) {
  for (const std::string_view text : {"", "DX", "not a shader"}) {
    const auto findings = findings_of(text);
    ASSERT_EQ(findings.size(), 1U) << text;
    EXPECT_EQ(findings[0].rule->id, "file.family");
    EXPECT_TRUE(has_errors(findings));
  }
}

TEST(ValidateTest, CallsOfAnotherFunctionAreToldItsName) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxil/textured_ps_6_6.dxil");
  const auto opened = open(test::view_of(file));
  ASSERT_TRUE(opened);
  Text listing;
  ASSERT_TRUE(disassemble(*opened, listing));
  std::string text = listing.str();
  const std::string_view call = "@dx.op.sampleIndex.i32(i32 90)";
  const std::size_t at = text.find(call);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, call.size(), "@dx.op.sampleIndex.i32(i32 51)");
  AssembleOptions options;
  options.into = test::view_of(file);
  const auto made = assemble(Family::dxil, text, options);
  ASSERT_TRUE(made.ok);
  std::string message;
  for (const Diagnostic& found : validate(View(made.file)))
    if (found.rule->id == "instr.illegaldxilopfunction") message = found.message;
  EXPECT_EQ(message, "Ibfe: must be called by dx.op.tertiary.i32, found dx.op.sampleIndex.i32");
}

TEST(ValidateTest, RulesAreSortedAndUnique) {
  const auto rules = all_rules();
  for (std::size_t i = 1; i < rules.size(); ++i) EXPECT_LT(rules[i - 1]->id, rules[i]->id);
  for (const Rule* rule : rules) {
    EXPECT_NE(rule->id.find('.'), std::string_view::npos) << rule->id;
    EXPECT_TRUE(rule->summary.ends_with('.')) << rule->id;
  }
}

TEST(ValidateTest, SamplesAreClean) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "tests/data/dxbc")) {
    if (entry.path().extension() != ".dxbc") continue;
    const auto bytes = test::read_bytes(entry.path());
    // Their signatures need not be told: the samples are signed, or not, as their compiler left them.
    for (const Diagnostic& d : validate(test::view_of(bytes)))
      EXPECT_NE(d.rule->severity, Severity::error) << entry.path().filename() << ": " << to_string(d);
    ++count;
  }
  EXPECT_NE(count, 0U);
}

// Nothing but a validator says that a shader is valid.
static_assert(!std::is_default_constructible_v<Validated<Shader>> && !std::is_constructible_v<Validated<Shader>, Shader>);
static_assert(!std::is_convertible_v<Shader, Validated<Shader>> && std::is_copy_constructible_v<Validated<Shader>>);

TEST(ValidateTest, WhatHasNoErrorsComesBackAsValid) {
  auto bytes = test::sample("textured_ps_5_0.dxbc");
  const auto shader = open(test::view_of(bytes));
  ASSERT_TRUE(shader);
  const auto good = validate(*shader);
  EXPECT_TRUE(good.ok());
  ASSERT_TRUE(good.valid());
  EXPECT_EQ((*good.valid())->family, Family::dxbc);
  bytes[4] ^= std::byte{1};  // of the digest
  const auto bad = validate(*shader);
  EXPECT_FALSE(bad.ok());
  EXPECT_FALSE(bad.valid());
  EXPECT_TRUE(has_errors(bad.diagnostics()));
}

TEST(ValidateTest, FindingsStandInTheOrderOfTheirOffsets) {
  auto bytes = test::sample("textured_ps_5_0.dxbc");
  for (std::size_t i = 200; i < bytes.size(); i += 41) bytes[i] ^= std::byte{0x15};
  const auto findings = validate(test::view_of(bytes));
  EXPECT_TRUE(has_errors(findings));
  for (std::size_t i = 1; i < findings.size(); ++i) EXPECT_LE(findings[i - 1].offset, findings[i].offset);
}

TEST(ValidateTest, NoBrokenFileCrashesOrFloods) {
  const auto good = test::sample("control_ps_5_0.dxbc");
  for (std::size_t at = 0; at < good.size(); at += 3) {
    for (const std::byte value : {std::byte{0}, std::byte{0xff}, std::byte{0x80}}) {
      auto bytes = good;
      bytes[at] = value;
      EXPECT_LE(validate(test::view_of(bytes)).size(), 64 + all_rules().size() + bytes.size() / 32);
    }
    EXPECT_FALSE(validate(View({good.data(), at}, 0)).empty());
  }
}

TEST(ValidateTest, EveryRuleIsASentenceWithMust) {
  for (const Rule* rule : all_rules()) {
    if (rule->id == "findings.more") continue;  // states a count, not a rule
    EXPECT_NE(rule->summary.find(" must "), std::string_view::npos) << rule->id;
    EXPECT_TRUE(rule->summary.ends_with('.')) << rule->id;
  }
}

// docs/reference/rules.md lists every rule as it stands in the tables. UNSHADE_BLESS=1 writes the rows anew.
TEST(ValidateTest, TheDocumentListsTheRules) {
  const auto path = test::source_dir() / "docs/reference/rules.md";
  const std::string text = test::read_text(path);
  std::string rows;
  for (const Rule* rule : all_rules())
    rows += "| `" + std::string(rule->id) + "` | " + std::string(id(rule->severity)) + " | " + std::string(rule->summary) + " |\n";
  const std::string head = "| id | severity | what has to hold |\n|---|---|---|\n";
  const std::size_t from = text.find(head);
  ASSERT_NE(from, std::string::npos) << "no table of rules";
  const std::size_t end = text.find("\n\n", from);
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("UNSHADE_BLESS") != nullptr) {
    std::ofstream(path, std::ios::binary) << text.substr(0, from) << head << rows << text.substr(end + 1);
    return;
  }
  EXPECT_EQ(text.substr(from, end + 1 - from), head + rows);
}

// A program that reads a register before it writes it, and the same program once more.
TEST(ErrorsOfMade, AreThoseThatTheSourcesDoNotHave) {
  const auto made = assemble(Family::dxbc, "ps_5_0\ndcl_output o0.xyzw\ndcl_temps 1\nmov o0.xyzw, r0.xyzw\nret\n", {});
  ASSERT_TRUE(made.ok);
  const View file(made.file);
  const auto errors = errors_of_made(file);
  ASSERT_FALSE(errors.empty());
  const std::string_view rule = errors.front().rule->id;
  EXPECT_TRUE(errors_of_made(file, {.sources = {&file, 1}}).empty());
  const auto always = errors_of_made(file, {.sources = {&file, 1}, .always = {&rule, 1}});
  EXPECT_FALSE(always.empty());
  const auto good = test::read_bytes(test::source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc");
  const View other = test::view_of(good);
  EXPECT_EQ(errors_of_made(file, {.sources = {&other, 1}}).size(), errors.size());
}

}  // namespace
}  // namespace unshade::shader
