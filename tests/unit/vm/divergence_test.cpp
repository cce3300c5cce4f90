// Waves against lanes that run alone: docs/internals/ir.md, "Divergence".
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>

#include "support/ir.hpp"
#include "unit/vm/random_seeds.hpp"
#include "unit/vm/random_waves.hpp"

namespace unshade::vm {
namespace {

// Whether the wave does what the lanes do; how many programs had a function of irreducible flow.
void compare(std::uint32_t seed, const test::RandomShape& shape, std::uint32_t& irreducible) {
  const auto made = unshade::test::optimized(test::random_waves(seed, shape), seed % 3 == 0 ? 1 : 0);
  ASSERT_TRUE(made) << "seed " << seed << ": " << to_string(made.error());
  const ir::Module& module = **made;
  irreducible += module.functions[0].irreducible ? 1U : 0U;
  const auto program = prepare(*made, {.wave = test::kLanes});
  ASSERT_TRUE(program) << "seed " << seed << ": " << to_string(program.error());
  std::vector<std::uint32_t> memory(test::kLanes * test::kResults);
  Resources resources = empty_resources(module);
  resources.rows[0].resize(1);
  resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
  const auto report = dispatch(*program, resources, {1, 1, 1});
  ASSERT_TRUE(report);
  ASSERT_EQ(report->stop, Stop::finished) << "seed " << seed;
  for (unsigned lane = 0; lane < test::kLanes; ++lane) {
    const auto expected = test::run_lane(module, lane);
    ASSERT_TRUE(expected) << "seed " << seed;
    for (unsigned i = 0; i < test::kResults; ++i)
      ASSERT_EQ(memory[lane * test::kResults + i], (*expected)[i]) << "seed " << seed << ", lane " << lane << ", result " << i << "\n"
                                                                   << ir::print(module);
  }
}

TEST(Divergence, WavesDoWhatTheirLanesDoAlone) {
  std::uint32_t irreducible = 0;
  const test::RandomSeeds seeds(6000);
  for (std::uint32_t seed = seeds.first; seed < seeds.end; ++seed) {
    compare(seed, {}, irreducible);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(irreducible, 0U);
}

TEST(Divergence, FunctionsOfIrreducibleFlowToo) {
  std::uint32_t irreducible = 0;
  const test::RandomSeeds seeds(4000);
  for (std::uint32_t seed = seeds.first; seed < seeds.end; ++seed) {
    compare(seed, {.loops_of_many_entries = true}, irreducible);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(irreducible, 0U);
}

}  // namespace
}  // namespace unshade::vm
