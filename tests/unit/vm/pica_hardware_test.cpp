// Values that PICA200 hardware was seen to give. src: aroulin/3ds-gpu-tests, the 41 of fp-tests, then of dph-, mova-, rcp-, rsq-, sge- and
// slt-tests
#include <unshade/vm/machine.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/lower_pica.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/pica/assembler.hpp>

#include "support/ir.hpp"

namespace unshade::vm {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Observed {
  std::string_view code;  ///< gives r0.x; `inf nan zero one` are r15.x to r15.w
  float value;
};
constexpr Observed kObserved[] = {
    {"rcp r0.x, zero", kInf},
    {"rcp r0.x, inf", 0},
    {"rcp r0.x, nan", kNan},
    {"rsq r0.x, zero", kInf},
    {"rsq r0.x, one", 1},
    {"rsq r0.x, -one", kNan},
    {"rsq r0.x, inf", 0},
    {"rsq r0.x, -inf", kNan},
    {"rsq r0.x, nan", kNan},
    // the second operand unless the comparison holds: NaN comes through from the right only
    {"max r0.x, zero, inf", kInf},
    {"max r0.x, zero, -inf", 0},
    {"max r0.x, zero, nan", kNan},
    {"max r0.x, nan, zero", 0},
    {"max r0.x, -inf, inf", kInf},
    {"min r0.x, zero, inf", 0},
    {"min r0.x, zero, -inf", -kInf},
    {"min r0.x, zero, nan", kNan},
    {"min r0.x, nan, zero", 0},
    {"min r0.x, -inf, inf", -kInf},
    {"add r0.x, inf, -inf", kNan},
    // 0 times infinity is 0, in sums of products too
    {"mul r0.x, inf, zero", 0},
    {"mul r0.x, zero, inf", 0},
    {"mul r0.x, nan, zero", kNan},
    {"mul r0.x, zero, nan", kNan},
    {"mad r0.x, inf, zero, one", 1},
    {"dp4 r0.x, r15.xwzw, r15.zwxw", 2},
    {"dp3 r0.x, r15.xxz, r15.zzx", 0},
    {"dph r0.x, r15.xxx, r15.zzzw", 1},
    // comparisons with NaN do not hold
    {"sge r0.x, zero, nan", 0},
    {"sge r0.x, nan, zero", 0},
    {"sgei r0.x, zero, nan", 0},
    {"sgei r0.x, nan, zero", 0},
    {"slt r0.x, zero, nan", 0},
    {"slt r0.x, nan, zero", 0},
    {"slti r0.x, zero, nan", 0},
    {"slti r0.x, nan, zero", 0},
    {"mov r0.x, numbers.w\n  flr r0.x, r0.x\n  mul r0.x, numbers.z, r0.x", 1},
    // there is no -0
    {"rcp r0.x, -inf\n  rsq r0.x, r0.x", kInf},
    {"ex2 r0.x, -inf", 0},
    {"rcp r0.x, -inf\n  lg2 r0.x, r0.x", -kInf},
    {"lg2 r0.x, -one", kNan},
    // of the other folders: the first component alone is read, and goes to all
    {"rcp r0.xyz, r15.wzz\n  mov r0.x, r0.z", 1},
    {"rsq r0.xyz, r15.wzz\n  mov r0.x, r0.y", 1},
    // the fourth component of the first operand is 1
    {"dph r0.x, r15.zzzz, r15.zzzw", 1},
    {"dph r0.x, r15.zzzw, r15.zzzz", 0},
    {"dph r0.x, r15.wzzz, r15.wzzw", 2},
    {"sge r0.x, one, one", 1},
    {"sge r0.x, zero, one", 0},
    {"slt r0.x, zero, one", 1},
    {"slt r0.x, one, one", 0},
    // 0.9 addresses what 0 does
    {"add r2.x, numbers.w, one\n  mova a0.x, r2.x\n  mov r0.x, numbers[a0.x].x", 0},
};

float result_of(std::string_view code, unsigned level) {
  const std::string text = R"(.constf numbers(0.0, 1.0, -1.0, -0.1)
.alias inf r15.x
.alias nan r15.y
.alias zero r15.z
.alias one r15.w
.out o position
.proc main
  rcp r15.x, numbers.x
  rsq r15.y, -numbers.y
  mov r15.zw, numbers.xxxy
  )" + std::string(code) + R"(
  mov o, r0.x
  end
.end)";
  const pica::Source source{"t", text};
  const pica::Assembly assembly = pica::assemble({&source, 1});
  EXPECT_TRUE(assembly.ok);
  auto module = ir::lower(assembly.shbin, 0);
  EXPECT_TRUE(module) << to_string(module.error());
  const auto made = test::optimized(std::move(*module), level);
  EXPECT_TRUE(made) << to_string(made.error());
  const auto program = prepare(*made, {});
  EXPECT_TRUE(program) << to_string(program.error());
  Resources resources = empty_resources(**made);
  std::vector<std::byte> uniforms = (*made)->resources[0].initial;
  resources.rows[0].resize(1);
  resources.rows[0][0].bytes = uniforms;
  Lanes lanes;
  lanes.count = 1;
  lanes.inputs.resize(components_of((*made)->signatures.input));
  EXPECT_TRUE(run_lanes(*program, resources, lanes));
  return std::bit_cast<float>(static_cast<std::uint32_t>(lanes.outputs.at(0)));
}

TEST(PicaHardware, GivesWhatItWasSeenToGive) {
  for (const Observed& one : kObserved) {
    for (const unsigned level : {0U, 1U}) {
      const float found = result_of(one.code, level);
      if (std::isnan(one.value)) {
        EXPECT_TRUE(std::isnan(found)) << one.code << ", -O" << level << ": " << found;
      } else {
        EXPECT_EQ(found, one.value) << one.code << ", -O" << level;
      }
    }
  }
}

}  // namespace
}  // namespace unshade::vm
