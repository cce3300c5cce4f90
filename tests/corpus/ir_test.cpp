// The IR: programs of every family lower.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/ir/lower_dxil.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

TEST(CorpusIr, EveryPicaProgramLowers) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t programs = 0;
  std::size_t largest = 0;
  for (const auto& path : files_below(corpus / "shbin", ".shbin")) {
    const auto bytes = read_bytes(path);
    const auto shbin = pica::parse_shbin(view_of(bytes));
    ASSERT_TRUE(shbin) << path << ' ' << to_string(shbin.error());
    for (std::size_t at = 0; at < shbin->executables.size(); ++at) {
      const auto module = ir::lower(*shbin, at);
      EXPECT_TRUE(module) << path << ' ' << at << ' ' << to_string(module.error());
      if (!module) continue;
      largest = std::max(largest, module->functions[0].insts.size());
      ++programs;
    }
  }
  EXPECT_GT(programs, 0U);
  std::printf("%zu programs, at most %zu instructions\n", programs, largest);
}

// What cannot be lowered, which errors name.
bool is_refused_by_name(const Error& error) { return error.code == ErrorCode::unsupported; }

TEST(CorpusIr, EveryDxilProgramLowersOrIsRefusedByName) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t programs = 0;
  std::size_t lowered = 0;
  std::map<std::string, std::size_t> refused;
  auto files = files_below(corpus, ".dxil");
  for (const auto& path : files_below(corpus / "../exec", ".dxil")) files.push_back(path);
  for (const auto& path : files) {
    const auto bytes = read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(bytes));
    if (!container) continue;
    const auto* part = container->find(dxcontainer::fourcc("DXIL"));
    if (part == nullptr) continue;
    const auto program = dxil::parse_program(*part);
    if (!program) continue;
    const auto module = dxil::parse_module(program->bitcode);
    if (!module) continue;
    ++programs;
    const auto made = ir::lower(*module);
    if (made) {
      ++lowered;
      continue;
    }
    EXPECT_TRUE(is_refused_by_name(made.error()) || made.error().code == ErrorCode::missing) << path << ' ' << to_string(made.error());
    if (++refused[made.error().message] <= 1) std::printf("%s: %s\n", path.filename().string().c_str(), to_string(made.error()).c_str());
  }
  EXPECT_GT(lowered, 0U);
  for (const auto& [message, count] : refused) std::printf("%5zu %s\n", count, message.c_str());
  std::printf("%zu of %zu programs lowered\n", lowered, programs);
}

// Lowers a program of each container that has one, and checks what comes out.
template <class Lower>
void every_container_lowers(Lower lower) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t programs = 0;
  std::size_t largest = 0;
  for (const auto& dir : {corpus / "dxbc", corpus / ".." / "samples" / "dxbc", corpus / ".." / "exec"}) {
    for (const auto& path : files_below(dir, ".dxbc")) {
      const auto bytes = read_bytes(path);
      const auto container = dxcontainer::parse_container(view_of(bytes));
      ASSERT_TRUE(container) << path << ' ' << to_string(container.error());
      const auto module = lower(*container);
      if (!module && module.error().code == ErrorCode::missing && module.error().path.empty()) continue;  // no such program
      EXPECT_TRUE(module) << path << ' ' << to_string(module.error());
      if (!module) continue;
      for (const auto& finding : ir::findings_of(*module)) ADD_FAILURE() << path << ' ' << to_string(finding);
      const auto text = ir::print(*module);
      const auto parsed = ir::parse(text);
      EXPECT_TRUE(parsed && ir::print(*parsed) == text) << path;
      for (const auto& function : module->functions) largest = std::max(largest, function.insts.size());
      ++programs;
    }
  }
  EXPECT_GT(programs, 0U);
  std::printf("%zu programs, at most %zu instructions\n", programs, largest);
}

TEST(CorpusIr, EveryTokenProgramLowers) {
  every_container_lowers([](const auto& container) { return ir::lower_token_program(container); });
}

TEST(CorpusIr, EveryLevel9ProgramLowers) {
  every_container_lowers([](const auto& container) { return ir::lower_level9(container); });
}

TEST(CorpusIr, EverySpirvModuleLowersOrIsRefusedByName) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t entries = 0;
  std::size_t lowered = 0;
  std::size_t largest = 0;
  std::map<std::string, std::size_t> refused;
  const auto add = [&](View bytes, const std::string& path) {
    const auto module = spirv::parse(bytes);
    if (!module) return;
    for (const auto& entry : spirv::interface_of(*module).entry_points) {
      ++entries;
      const auto made = ir::lower(*module, ir::SpirvOptions{entry.name});
      if (!made) {
        EXPECT_TRUE(is_refused_by_name(made.error())) << path << ' ' << to_string(made.error());
        if (++refused[made.error().message] <= 1) std::printf("%s: %s\n", path.c_str(), to_string(made.error()).c_str());
        continue;
      }
      ++lowered;
      for (const auto& finding : ir::findings_of(*made)) ADD_FAILURE() << path << ' ' << to_string(finding);
      const auto text = ir::print(*made);
      const auto parsed = ir::parse(text);
      EXPECT_TRUE(parsed && ir::print(*parsed) == text) << path;
      for (const auto& function : made->functions) largest = std::max(largest, function.insts.size());
    }
  };
  for (const auto& path : files_below(corpus, ".spv")) {
    const auto bytes = read_bytes(path);
    add(view_of(bytes), path.filename().string());
  }
  for (const auto& path : files_below(corpus, ".vbc")) {
    const auto bytes = read_bytes(path);
    const auto file = vbc::parse(view_of(bytes));
    if (!file) continue;
    for (const auto& stage : file->stages)
      if (!stage.empty()) add(view_of(stage), path.filename().string());
  }
  EXPECT_GT(lowered, 0U);
  for (const auto& [message, count] : refused) std::printf("%5zu %s\n", count, message.c_str());
  std::printf("%zu of %zu entry points lowered, at most %zu instructions\n", lowered, entries, largest);
}

}  // namespace

}  // namespace unshade::test
