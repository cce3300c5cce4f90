// Every function has a tree that gives its edges, and hardly any needs more than if, loop, switch, break and return.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <unshade/amber/script.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

class Counter {
 public:
  void add_file(const std::filesystem::path& path) {
    name_ = path.string();
    if (name_.ends_with(".amber")) return add_script(path);
    const auto bytes = read_bytes(path);
    const auto opened = shader::open(view_of(bytes));
    if (!opened) return;
    if (const auto* const module = std::get_if<spirv::Module>(&opened->content)) return add_spirv(*module);
    if (const auto* const file = std::get_if<vbc::File>(&opened->content)) {
      for (const auto& stage : file->stages)
        if (const auto module = spirv::parse(view_of(stage)); !stage.empty() && module) add_spirv(*module);
      return;
    }
    if (opened->family == shader::Family::pica) {
      const auto shbin = pica::parse_shbin(view_of(bytes));
      for (std::uint32_t at = 0; shbin && at < shbin->executables.size(); ++at) {
        shader::LowerOptions options;
        options.executable = at;
        add(shader::lower(*opened, options));
      }
      return;
    }
    add(shader::lower(*opened));
    if (opened->container() == nullptr) return;
    if (auto level9 = ir::lower_level9(*opened->container())) add(ir::verified(*std::move(level9)));
  }

  void print() const {
    std::printf(
        "%zu functions of %zu programs, %zu of several blocks, %zu irreducible; %zu with one-round regions, %zu with breaks out of "
        "several\n",
        functions_, programs_, branching_, irreducible_, with_onces_, with_crossing_);
    std::printf(
        "%zu blocks, %zu of them copied; %zu ifs, %zu loops, %zu switches, %zu one-round regions, %zu breaks, %zu continues, %zu returns; "
        "depth %zu\n",
        all_.blocks, copied_, all_.ifs, all_.loops, all_.switches, all_.onces, all_.breaks, all_.continues, all_.returns, all_.depth);
  }
  std::size_t functions() const { return functions_; }
  std::size_t with_onces() const { return with_onces_; }
  std::size_t with_crossing() const { return with_crossing_; }

 private:
  void add_script(const std::filesystem::path& path) {
    const std::string text = read_text(path);
    const auto script = amber::read_script(text);
    if (!script) return;
    for (const auto& one : script->shaders) {
      if (one.format != amber::ScriptShader::Format::assembly) continue;
      const auto made = spirv::assemble(one.text);
      if (!made) continue;
      if (const auto module = spirv::parse(view_of(*made))) add_spirv(*module);
    }
  }
  void add_spirv(const spirv::Module& module) {
    for (const auto& entry : spirv::interface_of(module).entry_points)
      if (auto lowered = ir::lower(module, ir::SpirvOptions{entry.name})) add(ir::verified(*std::move(lowered)));
  }

  void add(Result<Validated<ir::Module>> lowered) {
    if (!lowered) return;
    ++programs_;
    const auto module = ir::optimize(*std::move(lowered), 1);
    for (const ir::Function& function : module->functions) {
      branching_ += function.order.size() > 1 ? 1 : 0;
      irreducible_ += function.irreducible ? 1 : 0;
      const auto tree = ir::structure_of(function);
      EXPECT_EQ(tree.has_value(), !function.irreducible) << name_;
      if (!tree) continue;
      for (const auto& finding : ir::findings_of(function, *tree)) ADD_FAILURE() << name_ << ' ' << to_string(finding);
    }
    std::size_t blocks = 0;
    for (const ir::Function& function : module->functions) blocks += function.order.size();
    const auto made = ir::structured(module);
    ASSERT_TRUE(made) << name_ << ' ' << to_string(made.error());
    for (const auto& finding : ir::findings_of(*made->module)) ADD_FAILURE() << name_ << ' ' << to_string(finding);
    for (std::size_t at = 0; at < made->trees.size(); ++at) add_tree(made->module->functions[at], made->trees[at]);
    std::size_t blocks_then = 0;
    for (const ir::Function& function : made->module->functions) blocks_then += function.order.size();
    copied_ += blocks_then - std::min(blocks, blocks_then);
  }
  void add_tree(const ir::Function& function, const ir::Structure& tree) {
    ++functions_;
    for (const auto& finding : ir::findings_of(function, tree)) ADD_FAILURE() << name_ << ' ' << to_string(finding);
    const auto counts = ir::count(tree);
    all_.blocks += counts.blocks;
    all_.ifs += counts.ifs;
    all_.loops += counts.loops;
    all_.switches += counts.switches;
    all_.onces += counts.onces;
    all_.breaks += counts.breaks;
    all_.continues += counts.continues;
    all_.returns += counts.returns;
    all_.depth = std::max(all_.depth, counts.depth);
    with_onces_ += counts.onces != 0 ? 1 : 0;
    with_crossing_ += counts.crossing != 0 ? 1 : 0;
    if (counts.onces + counts.crossing != 0)
      std::printf("%s: %zu one-round regions, %zu breaks out of several\n", name_.c_str(), counts.onces, counts.crossing);
  }

  std::string name_;
  std::size_t programs_ = 0, functions_ = 0, branching_ = 0, irreducible_ = 0, with_onces_ = 0, with_crossing_ = 0, copied_ = 0;
  ir::StructureCounts all_;
};

TEST(CorpusStructure, EveryFunctionHasATree) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  Counter counter;
  for (const auto& folder : {corpus, corpus / ".." / "samples", corpus / ".." / "exec"})
    for (const auto& path : files_below(folder, "")) counter.add_file(path);
  counter.print();
  EXPECT_GT(counter.functions(), 0U);
  EXPECT_LE(counter.with_onces() * 500, counter.functions());
  EXPECT_LE(counter.with_crossing() * 500, counter.functions());
}

}  // namespace

}  // namespace unshade::test
