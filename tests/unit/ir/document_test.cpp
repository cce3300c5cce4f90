// docs/internals/ir.md lists rules, operations and builtins as they stand in the tables. UNSHADE_BLESS=1 writes the rows anew.
#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/types.hpp>
#include <unshade/ir/verify.hpp>

#include "support/files.hpp"
#include "support/page_table.hpp"

namespace unshade::ir {
namespace {

constexpr std::string_view kPage = "docs/internals/ir.md";

using test::cell;

std::string types_text(TypeSet types) {
  std::string out;
  for (unsigned type = 0; type < kTypes; ++type) {
    if (contains(types, static_cast<Type>(type))) out += (out.empty() ? "" : " ") + std::string(text(static_cast<Type>(type)));
  }
  return out;
}

std::string effects_text(Effects effects) {
  std::string out;
  const auto add = [&](Effects bit, std::string_view name) {
    if (has(effects, bit)) out += (out.empty() ? "" : ", ") + std::string(name);
  };
  add(Effects::reads, "reads");
  add(Effects::writes, "writes");
  add(Effects::wave, "wave");
  add(Effects::quad, "quad");
  add(Effects::ends, "ends");
  return out.empty() ? "pure" : out;
}

std::string_view nan_text(Nan nan) {
  constexpr std::string_view kTexts[] = {"", "computed ", "moved ", "mixed "};
  return kTexts[static_cast<std::size_t>(nan)];
}

TEST(IrDocument, ShowsAModuleThatVerifies) {
  const std::string text = test::read_text(test::source_dir() / kPage);
  const std::size_t from = text.find("stage compute");
  ASSERT_NE(from, std::string::npos);
  const std::string shown = text.substr(from, text.find("```", from) - from);
  const auto module = parse(shown);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(print(*module), shown);
  EXPECT_TRUE(verify(*module).ok());
}

TEST(IrDocument, ListsTheRules) {
  std::string rows;
  for (const Rule* rule : verification_rules()) rows += "| `" + std::string(rule->id) + "` | " + std::string(rule->summary) + " |\n";
  test::check_table(kPage, "| id | what has to hold |\n|---|---|\n", rows);
}

TEST(IrDocument, ListsThePasses) {
  std::string rows;
  for (const Pass& pass : all_passes()) rows += "| `" + std::string(pass.name) + "` | " + cell(pass.summary) + " |\n";
  test::check_table(kPage, "| pass | what it does |\n|---|---|\n", rows);
  std::string order;
  for (const Pass* pass : optimizing_passes()) order += (order.empty() ? "" : " ") + std::string(pass->name);
  EXPECT_NE(test::read_text(test::source_dir() / "docs/internals/ir.md").find("\n" + order + "\n"), std::string::npos) << order;
}

TEST(IrDocument, ListsTheOperations) {
  std::string rows;
  for (const OpInfo& row : kOpInfos) {
    rows += "| `" + std::string(row.text) + "` | `" + cell(row.results) + '<' + cell(row.operands) + "` | " + types_text(row.types) +
            (row.from != 0 ? ", u: " + types_text(row.from) : "") + " | " + effects_text(row.effects) + " | " +
            std::string(nan_text(row.nan)) + "| " + cell(row.meaning) + " |\n";
  }
  test::check_table(kPage, "| operation | shape | types | effects | NaN | meaning |\n|---|---|---|---|---|---|\n", rows);
}

TEST(IrDocument, ListsTheBuiltins) {
  std::string rows;
  for (std::size_t at = 0; at < kBuiltinCount; ++at) {
    const BuiltinInfo& row = info(static_cast<Builtin>(at));
    rows += "| `" + std::string(row.text) + "` | " + std::string(text(row.type)) +
            (row.components > 1 ? " x" + std::to_string(row.components) : "") + " |\n";
  }
  test::check_table(kPage, "| builtin | type |\n|---|---|\n", rows);
}

}  // namespace
}  // namespace unshade::ir
