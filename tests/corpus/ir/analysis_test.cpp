// What writers may count on, over the corpus and the samples: how many values are used once, how many casts are left, how wide vectors are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/ir/analysis/facts.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/ir/lower_dxil.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

using ir::Id;
using ir::kNone;

class Measure {
 public:
  void add(Result<ir::Module> lowered, const std::string& name) {
    if (!lowered) return;
    // what a text of the program is made of: no value is computed elsewhere
    ir::Module module = *std::move(lowered);
    ir::passes::promote_variables(module);
    ir::passes::fold_constants(module);
    ir::passes::simplify_flow(module);
    ir::passes::remove_dead(module);
    auto verified = ir::verified(std::move(module));
    ASSERT_TRUE(verified) << name << ' ' << to_string(verified.error());
    const auto structured = ir::structured(*std::move(verified));
    if (!structured) return;
    const ir::Facts facts(*structured);
    ++programs_;
    casts_before_ += facts.types.casts_before;
    casts_ += facts.types.casts;
    half_casts_ += facts.types.half_casts;
    sign_casts_ += facts.types.sign_casts;
    for (std::size_t at = 0; at < facts.functions.size(); ++at) add_function(facts.module().functions[at], facts.functions[at]);
    check_order(facts, name);
  }

  void print(const std::string& family) const {
    const auto share = [](std::size_t part, std::size_t all) {
      return all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
    };
    const auto mean = [](std::size_t all, std::size_t parts) {
      return parts == 0 ? 0.0 : static_cast<double>(all) / static_cast<double>(parts);
    };
    std::printf("%s: %zu programs, %zu values; %.1f %% have one use; %.1f %% are inside of it, %.1f %% repeated, %.1f %% named\n",
                family.c_str(), programs_, values_, share(one_use_, values_), share(inside_, values_), share(repeated_, values_),
                share(named_, values_));
    std::printf(
        "  %.2f temporaries for each statement, %.2f where rows are one; %.1f casts in 100 values before, %.1f after (%.1f of them of "
        "halves), %.1f of signs\n",
        mean(named_, statements_), mean(named_rows_, named_rows_ + effects_), share(casts_before_, values_), share(casts_, values_),
        share(half_casts_, values_), share(sign_casts_, values_));
    std::printf("  %zu operands of phis, %zu assignments, %zu variables are declared before their definition\n", phi_operands_,
                assignments_, outliving_);
    std::printf(
        "  %.1f %% of the components of groups are in rows; %.1f %% of what may be in rows is, width %.2f, with what is in none %.2f\n",
        share(group_in_rows_, group_members_), share(in_rows_, members_), mean(in_rows_, rows_),
        mean(members_, rows_ + members_ - in_rows_));
  }
  std::size_t programs() const { return programs_; }

 private:
  // As statements on vectors: a row with a name, values with one that are in none, and what has an effect; outputs of an element are one.
  void add_statements(const ir::Function& function, const ir::FunctionFacts& facts) {
    std::vector<bool> counted(facts.vectors.rows.size());
    std::uint32_t element = kNone;
    for_each(function, [&](Id id) {
      const ir::Inst& inst = function.insts[id];
      const std::uint32_t before =
          std::exchange(element, inst.op == ir::Op::output ? std::uint32_t{ir::ElementExtra(inst.extra).element} : kNone);
      if (inst.results == 0) {
        const bool goes_on = inst.op == ir::Op::output && before == element;
        effects_ += goes_on || has(ir::info(inst.op).effects, ir::Effects::ends) ? 0 : 1;
        return;
      }
      if (facts.writings.of[id] != ir::Writing::named || inst.op == ir::Op::phi) return;
      const std::uint32_t row = facts.vectors.row[id];
      if (row != kNone && counted[row]) return;
      if (row != kNone) counted[row] = true;
      ++named_rows_;
    });
  }

  void add_function(const ir::Function& function, const ir::FunctionFacts& facts) {
    add_statements(function, facts);
    std::map<std::uint32_t, std::size_t> sizes;
    const auto has_component = [&](Id id) { return id < function.sources.size() && function.sources[id].component < 4; };
    for_each(function, [&](Id id) {
      if (has_component(id)) ++sizes[function.sources[id].group];
    });
    for_each(function, [&](Id id) {
      const ir::Inst& inst = function.insts[id];
      const ir::Writing writing = facts.writings.of[id];
      if (inst.results == 0) {
        statements_ += has(ir::info(inst.op).effects, ir::Effects::ends) ? 0 : 1;
        return;
      }
      if (inst.op == ir::Op::phi) {
        phi_operands_ += inst.operand_count;
        outliving_ += facts.scopes.before[id] != kNone ? 1 : 0;
        return;
      }
      ++values_;
      one_use_ += facts.uses.count[id] == 1 ? 1 : 0;
      inside_ += writing == ir::Writing::inside ? 1 : 0;
      repeated_ += writing == ir::Writing::repeated ? 1 : 0;
      if (writing == ir::Writing::named) {
        ++named_;
        ++statements_;
        outliving_ += facts.scopes.before[id] != kNone ? 1 : 0;
      }
      const bool computes = inst.op != ir::Op::get && inst.op != ir::Op::input && inst.op != ir::Op::builtin && inst.op != ir::Op::handle &&
                            inst.op != ir::Op::cbuffer_load && inst.op != ir::Op::bitcast && inst.results == 1;
      if (!computes) return;
      const bool in_row = facts.vectors.row[id] != kNone || facts.vectors.dot[id] != kNone;
      ++members_;
      in_rows_ += in_row ? 1 : 0;
      if (has_component(id) && sizes[function.sources[id].group] > 1) {
        ++group_members_;
        group_in_rows_ += in_row ? 1 : 0;
      }
    });
    for (std::uint32_t row = 0; row < facts.vectors.rows.size(); ++row)
      rows_ += function.insts[facts.vectors.members_of(row)[0]].op == ir::Op::bitcast ? 0 : 1;
    rows_ += facts.vectors.dots.size();
    assignments_ += facts.webs.assignments.size();
  }

  // Bringing members of rows together keeps the module valid, and each row as it was.
  void check_order(const ir::Facts& facts, const std::string& name) {
    ir::Module module = facts.module();
    for (std::size_t at = 0; at < module.functions.size(); ++at) {
      const ir::Vectors& vectors = facts.functions[at].vectors;
      ir::Function& function = module.functions[at];
      bring_together(function, vectors);
      for (std::uint32_t row = 0; row < vectors.rows.size(); ++row) {
        const auto members = vectors.members_of(row);
        for (std::size_t k = 1; k < members.size(); ++k) EXPECT_EQ(function.next[members[k - 1]], members[k]) << name;
      }
    }
    for (const auto& finding : ir::findings_of(module)) ADD_FAILURE() << name << ' ' << to_string(finding);
  }

  template <class Visit>
  static void for_each(const ir::Function& function, Visit visit) {
    for (const ir::BlockId block : function.order) {
      for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) visit(id);
    }
  }

  std::size_t programs_ = 0, values_ = 0, one_use_ = 0, inside_ = 0, repeated_ = 0, named_ = 0, statements_ = 0;
  std::size_t casts_before_ = 0, casts_ = 0, half_casts_ = 0, sign_casts_ = 0, phi_operands_ = 0, assignments_ = 0, outliving_ = 0;
  std::size_t named_rows_ = 0, effects_ = 0;
  std::size_t members_ = 0, in_rows_ = 0, rows_ = 0, group_members_ = 0, group_in_rows_ = 0;
};

TEST(CorpusAnalysis, MeasuresWhatWritersNeed) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  Measure of_dxbc, of_dxil, of_pica, of_spirv;
  for (const auto& folder : {corpus, corpus / ".." / "samples"}) {
    for (const auto& path : files_below(folder, ".dxbc")) {
      const auto bytes = read_bytes(path);
      const auto container = dxcontainer::parse_container(view_of(bytes));
      if (container) of_dxbc.add(ir::lower_token_program(*container), path.string());
    }
    for (const auto& path : files_below(folder, ".dxil")) {
      const auto bytes = read_bytes(path);
      const auto container = dxcontainer::parse_container(view_of(bytes));
      const auto* part = container ? container->find(dxcontainer::fourcc("DXIL")) : nullptr;
      const auto program = part == nullptr ? Result<dxil::Program>(Error{}) : dxil::parse_program(*part);
      const auto module = program ? dxil::parse_module(program->bitcode) : Result<dxil::Module>(Error{});
      if (module) of_dxil.add(ir::lower(*module), path.string());
    }
    for (const auto& path : files_below(folder, ".shbin")) {
      const auto bytes = read_bytes(path);
      const auto file = pica::parse_shbin(view_of(bytes));
      for (std::size_t at = 0; file && at < file->executables.size(); ++at) of_pica.add(ir::lower(*file, at), path.string());
    }
    for (const auto& path : files_below(folder, ".spv")) {
      const auto bytes = read_bytes(path);
      const auto module = spirv::parse(view_of(bytes));
      if (!module) continue;
      for (const auto& entry : spirv::interface_of(*module).entry_points)
        of_spirv.add(ir::lower(*module, ir::SpirvOptions{entry.name}), path.string());
    }
  }
  of_dxbc.print("DXBC");
  of_dxil.print("DXIL");
  of_pica.print("PICA200");
  of_spirv.print("SPIR-V");
  EXPECT_GT(of_dxbc.programs() + of_dxil.programs() + of_pica.programs() + of_spirv.programs(), 0U);
}

}  // namespace

}  // namespace unshade::test
