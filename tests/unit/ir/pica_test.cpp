#include <unshade/ir/lower_pica.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::ir {
namespace {

pica::Shbin assembled(std::string_view text) {
  const pica::Source source{"t", text};
  pica::Assembly assembly = pica::assemble({&source, 1});
  EXPECT_TRUE(assembly.ok);
  return std::move(assembly.shbin);
}

std::size_t count(const Module& module, Op op) {
  std::size_t found = 0;
  for (const BlockId block : module.functions[0].order) {
    for (Id id = module.functions[0].blocks[block].first; id != kNone; id = module.functions[0].next[id]) {
      if (module.functions[0].insts[id].op == op) ++found;
    }
  }
  return found;
}

TEST(LowerPica, TakesOperandsByTheirSelectorsAndSigns) {
  const auto file = assembled(R"(
.fvec scale
.in place v0
.out o position
.proc main
  mul o.xy, scale.wz, -place.y
  mov o.zw, place
  end
.end)");
  const auto module = lower(file, 0);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->stage, Stage::vertex);
  EXPECT_EQ(count(*module, Op::fmul_zero), 2U);
  EXPECT_EQ(count(*module, Op::fneg), 2U);
  EXPECT_EQ(count(*module, Op::output), 4U);
  ASSERT_EQ(module->signatures.output.size(), 1U);
  EXPECT_EQ(module->signatures.output[0].semantic, "position");
  EXPECT_EQ(module->signatures.input[0].semantic, "place");
}

TEST(LowerPica, AddsProductsInTheirOrder) {
  const auto file = assembled(R"(
.in place v0
.out o position
.proc main
  dp4 o.x, place, place
  dp3 o.y, place, place
  mad o.zw, place, place, place
  end
.end)");
  const auto module = lower(file, 0);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, Op::fmul_zero), 2U);
  EXPECT_EQ(count(*module, Op::fmad_zero), 3U + 2U + 2U);
  EXPECT_EQ(count(*module, Op::fadd), 0U);
}

// Four levels of calls, each made from eight places: 4096 copies of the last.
TEST(LowerPica, RefusesCallsThatMultiply) {
  std::string text = ".in place v0\n.out o position\n.proc p4\n  add r0, r0, r0\n.end\n";
  for (int level = 3; level >= 0; --level) {
    text += level == 0 ? std::string(".proc main\n  mov r0, place\n") : ".proc p" + std::to_string(level) + "\n";
    for (int k = 0; k < 8; ++k) text += "  call p" + std::to_string(level + 1) + "\n";
    text += level == 0 ? "  mov o, r0\n  end\n.end\n" : ".end\n";
  }
  const auto module = lower(assembled(text), 0);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::limit) << to_string(module.error());
}

TEST(LowerPica, CopiesAProcedureToEachCall) {
  const auto file = assembled(R"(
.in place v0
.out o position
.proc twice
  add r0, r0, r0
.end
.proc main
  mov r0, place
  call twice
  call twice
  mov o, r0
  end
.end)");
  const auto module = lower(file, 0);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, Op::fadd), 8U);
  EXPECT_EQ(count(*module, Op::branch), 0U);
}

TEST(LowerPica, MakesALoopOfItsCounter) {
  const auto file = assembled(R"(
.ivec steps
.fvec table[8]
.out o position
.proc main
  for steps
    add r0, table[aL], r0
    nop
  .end
  mov o, r0
  end
.end)");
  const auto module = lower(file, 0);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, Op::branch), 1U);
  EXPECT_EQ(count(*module, Op::fadd), 4U);
  EXPECT_GE(count(*module, Op::phi), 6U);  // four components, the counter, aL
}

TEST(LowerPica, GivesConstantsAsTheBuffersContents) {
  const auto file = assembled(R"(
.constf half(0.5, 0.25, -1.0, 0.0)
.out o position
.proc main
  mov o, half
  end
.end)");
  const auto module = lower(file, 0);
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->resources.size(), 1U);
  const auto& constants = file.executables[0].constants;
  ASSERT_EQ(constants.size(), 1U);
  const auto& bytes = module->resources[0].initial;
  const auto at = pica_uniforms::real(constants[0].register_index, 2);
  EXPECT_EQ(static_cast<unsigned>(bytes[at + 3]), 0xbfU);
  EXPECT_EQ(static_cast<unsigned>(bytes[at + 2]), 0x80U);
}

// Of what an address register indexes nothing is known.
TEST(LowerPica, KeepsConstantsInTheCodeOnRequest) {
  const auto file = assembled(R"(
.constf half(0.5, 2.0, -1.0, 1.0)
.consti steps(3, 0, 1, 0)
.setb b0 true
.fvec scale
.in place v0
.out o position
.proc main
  mov r0, half
  for steps
    add r0, r0, place
  .end
  ifu b0
    mul r0, scale, r0
  .end
  add r0, half[a0.x], r0
  mov o, r0
  end
.end)");
  const auto loads = [&](bool in_code) {
    const auto module = lower(file, 0, {.f24 = F24::as_f32, .constants_in_code = in_code});
    EXPECT_TRUE(module) << to_string(module.error());
    return count(*module, Op::cbuffer_load);
  };
  // of `half` as it is four components, of `steps` three; the elements of `scale` and those that are indexed stay
  EXPECT_EQ(loads(true), 8U);
  EXPECT_EQ(loads(false), 16U);
}

TEST(LowerPica, RefusesWhatIsNoInstructionOnlyIfItIsReached) {
  auto file = assembled(".out o position\n.proc main\n  mov o, r0\n  end\n  nop\n.end");
  file.program.code.items.back() = 0x10U << 26;
  EXPECT_TRUE(lower(file, 0));
  file.program.code.items[0] = 0x10U << 26;
  const auto refused = lower(file, 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_EQ(refused.error().path, "code");
  EXPECT_FALSE(lower(file, 1));
}

TEST(LowerPica, BoundsTheStatesOfCallsInCalls) {
  // every word calls the next two, at every depth: states multiply
  pica::Shbin file = assembled(".out o position\n.proc main\n  mov o, r0\n  end\n.end");
  pica::Instruction call;
  call.opcode = pica::Opcode::callu;
  file.program.code.items.clear();
  for (std::uint16_t at = 0; at < 2000; ++at) {
    call.target = static_cast<std::uint16_t>((at * 7 + 3) % 2000);
    call.count = static_cast<std::uint16_t>(at % 61);
    file.program.code.items.push_back(pica::encode(call));
  }
  const auto refused = lower(file, 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace unshade::ir
