// Programs whose calls are kept, and inlined afterwards, give what those give whose calls are inlined at once.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>

#include <unshade/core/value.hpp>
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

// What a run computes: not how long it took.
Value results_of(const ir::Module& module, std::string& stop) {
  const auto runnable = run::prepare(module);
  if (!runnable) return Value::text(to_string(runnable.error()));
  run::RunOptions options;
  options.operations = std::uint64_t{1} << 18;
  const auto result = run::execute(*runnable, Value::map(), options);
  if (!result) return Value::text(to_string(result.error()));
  stop = *result->find("stop")->as_text();
  Value kept = Value::map();
  for (const Value::Member& member : *result->as_map())
    if (member.key != "operations") kept.add(member.key, member.value);
  return kept;
}

class Comparison {
 public:
  void add(const std::string& path, const shader::Shader& shader, shader::LowerOptions options) {
    auto inlined = shader::lower(shader, options);
    options.keep_calls = true;
    auto kept = shader::lower(shader, options);
    ASSERT_EQ(inlined.has_value(), kept.has_value()) << path << (kept ? "" : to_string(kept.error()));
    if (!inlined) return;
    ++programs_;
    const std::string text = ir::print(**kept);
    const auto parsed = ir::parse(text);
    EXPECT_TRUE(parsed && ir::print(*parsed) == text) << path;
    ir::Module module = **kept;
    const auto calls = ir::passes::inline_calls(module);
    ASSERT_TRUE(calls) << path << ' ' << to_string(calls.error());
    if (*calls == 0) {
      EXPECT_EQ(text, ir::print(**inlined)) << path;
      return;
    }
    ++with_calls_;
    calls_ += *calls;
    // passes leave calls as they are
    const auto optimized = ir::optimize(*std::move(kept), 1);
    EXPECT_TRUE(ir::findings_of(*optimized).empty()) << path;
    ir::Module afterwards = *optimized;
    ASSERT_TRUE(ir::passes::inline_calls(afterwards)) << path;
    std::string stop, stop_kept, stop_afterwards;
    const Value expected = results_of(**inlined, stop);
    const Value found = results_of(module, stop_kept);
    const Value found_afterwards = results_of(afterwards, stop_afterwards);
    if (stop == "budget" || stop_kept == "budget" || stop_afterwards == "budget") return;
    ++compared_;
    EXPECT_TRUE(expected == found) << path;
    EXPECT_TRUE(expected == found_afterwards) << path;
  }
  void print() const {
    std::printf("%zu programs, %zu with %zu calls that were kept, %zu ran to their end\n", programs_, with_calls_, calls_, compared_);
  }
  std::size_t compared() const { return compared_; }

 private:
  std::size_t programs_ = 0, with_calls_ = 0, calls_ = 0, compared_ = 0;
};

TEST(CorpusCalls, KeptCallsComputeWhatInlinedOnesDo) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  Comparison comparison;
  for (const auto& folder : {corpus, corpus / ".." / "samples", corpus / ".." / "exec"}) {
    for (const char* ending : {".dxbc", ".dxil", ".spv"}) {
      for (const auto& path : files_below(folder, ending)) {
        const auto bytes = read_bytes(path);
        const auto opened = shader::open(view_of(bytes));
        if (!opened) continue;
        if (const auto* const module = std::get_if<spirv::Module>(&opened->content)) {
          for (const auto& entry : spirv::interface_of(*module).entry_points)
            comparison.add(path.string(), *opened, {.entry = ir::name_with_stage(entry.name, spirv::stage_of(entry.model))});
        } else {
          comparison.add(path.string(), *opened, {});
        }
      }
    }
  }
  comparison.print();
  EXPECT_GT(comparison.compared(), 0U);
}

}  // namespace

}  // namespace unshade::test
