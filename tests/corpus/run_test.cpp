// Running: every shader of the corpus finishes on generated input, with textures bound, or the budget ends it.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <unshade/core/stage.hpp>
#include <unshade/core/value.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

/// Operations of a run: enough for all but loops that generated numbers make long.
constexpr std::uint64_t kOperations = std::uint64_t{1} << 18;

/// The programs of a file, as options that choose them.
std::vector<std::string> entries_of(View bytes, shader::Family family) {
  std::vector<std::string> made;
  if (family == shader::Family::spirv) {
    const auto module = spirv::parse(bytes);
    if (module)
      for (const auto& one : spirv::interface_of(*module).entry_points) made.push_back(one.name);
  } else if (family == shader::Family::pica) {
    const auto shbin = pica::parse_shbin(bytes);
    for (std::size_t at = 0; shbin && at < shbin->executables.size(); ++at) made.push_back(std::to_string(at));
  } else {
    made.emplace_back();
  }
  return made;
}

TEST(CorpusRun, EveryShaderRunsOnGeneratedInput) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  struct Counts {
    std::size_t programs = 0, finished = 0, budget = 0, faults = 0, refused = 0;
  };
  std::map<std::string, Counts> by_stage;
  std::map<std::string, std::size_t> refused;
  for (const auto& [family, folder, ending] :
       {std::tuple{"DXBC", "dxbc", ".dxbc"}, {"DXIL", "dxil", ".dxil"}, {"PICA200", "shbin", ".shbin"}, {"SPIR-V", "spirv", ".spv"}}) {
    auto files = files_below(corpus / folder, ending);
    for (const auto& path : files_below(corpus / ".." / "samples", ending)) files.push_back(path);
    for (const auto& path : files) {
      const auto bytes = read_bytes(path);
      const auto opened = shader::open(view_of(bytes));
      ASSERT_TRUE(opened) << path << ' ' << to_string(opened.error());
      for (const std::string& entry : entries_of(view_of(bytes), opened->family)) {
        const auto runnable = run::prepare(*opened, {.entry = entry});
        if (!runnable && runnable.error().code == ErrorCode::missing) continue;  // the file has no program
        const std::string stage = runnable ? std::string(id(runnable->module().stage)) : "refused";
        Counts& counts = by_stage[std::string(family) + ' ' + stage];
        ++counts.programs;
        if (!runnable) {
          EXPECT_EQ(runnable.error().code, ErrorCode::unsupported) << path << ' ' << to_string(runnable.error());
          ++counts.refused;
          ++refused[std::string(family) + ": " + runnable.error().message];
          continue;
        }
        run::RunOptions options;
        options.operations = kOperations;
        const auto result = run::execute(*runnable, Value::map(), options);
        EXPECT_TRUE(result) << path << ' ' << entry << ' ' << to_string(result.error());
        if (!result) continue;
        const std::string& stop = *result->find("stop")->as_text();
        if (stop == "fault") {
          // a shader of vkd3d-proton's tests sets more primitives than it declares
          EXPECT_TRUE(result->find("fault")->as_text()->starts_with("the mesh has ")) << path << ' ' << *result->find("fault")->as_text();
          ++counts.faults;
          continue;
        }
        EXPECT_TRUE(stop == "finished" || stop == "budget") << path << ' ' << entry << ' ' << stop;
        ++(stop == "finished" ? counts.finished : counts.budget);
      }
    }
  }
  EXPECT_FALSE(by_stage.empty());
  for (const auto& [stage, counts] : by_stage) {
    std::printf("%-24s %5zu programs: %5zu finished, %2zu ended by the budget, %2zu broke their own declarations, %2zu refused\n",
                stage.c_str(), counts.programs, counts.finished, counts.budget, counts.faults, counts.refused);
  }
  for (const auto& [message, count] : refused) std::printf("%5zu %s\n", count, message.c_str());
}

}  // namespace

}  // namespace unshade::test
