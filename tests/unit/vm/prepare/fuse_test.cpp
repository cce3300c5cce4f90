#include "vm/prepare/fuse.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "vm/kernel_list.hpp"
#include "vm/prepare/select.hpp"

namespace unshade::vm::test {
namespace {

std::string name_of(const Operation& operation) {
  if (operation.kernel == kAccess) return "access";
  if (operation.kernel < kKernelRows.size()) return std::string(ir::info(kKernelRows[operation.kernel].op).text);
  const Pair& pair = kPairs[operation.kernel - kKernelRows.size()];
  const std::string first(ir::info(pair.first).text), second(ir::info(pair.second).text);
  return pair.on_right ? second + " c (" + first + " a b)" : second + " (" + first + " a b) c";
}

// The operations of a function after the pass: what each makes, by what, of what.
std::string fused(std::string_view lines) {
  const auto module = ir::parse(
      "stage pixel\nmodes denorm32 preserve\ninput \"A\" type f32 register 0\noutput \"B\" type f32 register 0\n"
      "\nfunction @main {\n" +
      std::string(lines) + "}\n");
  if (!module) return to_string(module.error());
  for (const auto& finding : ir::findings_of(*module)) return to_string(finding);
  const ir::Function& function = module->functions[0];
  const auto selection = select_kernels(*module, function, 0);
  if (!selection) return to_string(selection.error());
  Operations operations = list_operations(function, *selection);
  fuse_pairs(function, count_uses(function), operations);
  const ir::ValueNames names(function);
  std::string text;
  for (const auto& block : operations.blocks) {
    text += '\n';
    for (const Operation& one : block) {
      if (one.kernel == kAccess) continue;
      (text += names.of(one.id)) += ": " + name_of(one);
      for_each_operand(function, one, [&](std::size_t, ir::Id operand) { (text += ' ') += names.of(operand); });
      text += '\n';
    }
  }
  return text;
}

TEST(Fuse, AnOperationGoesToTheOneThatAloneNeedsIt) {
  EXPECT_EQ(fused(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %product = fmul f32 %x %y
  %both = fmul f32 %y %y
  %sum = fadd f32 %y %product
  %difference = fsub f32 %x %sum
  %least = fmin f32 %both %difference
  %again = fadd f32 %both %least
  output f32 out0.x %again
  return
)"),
            "\nboth: fmul y y\nsum: fmad x y y\nleast: fmin c (fsub a b) x sum both\nagain: fadd both least\n");
}

TEST(Fuse, NotOverBlocksAndNotFromFarAway) {
  std::string lines = "^0:\n  %x = input f32 in0.x\n  %far = fmul f32 %x %x\n";
  for (unsigned at = 0; at < 97; ++at) lines += "  %n" + std::to_string(at) + " = fneg f32 %x\n";
  const std::string text = fused(lines + R"(  %a = fadd f32 %far %x
  %near = fmul f32 %x %x
  jump ^1
^1:
  %b = fadd f32 %near %a
  output f32 out0.x %b
  return
)");
  EXPECT_NE(text.find("\nfar: fmul x x\n"), text.npos) << text;
  EXPECT_NE(text.find("\na: fadd far x\nnear: fmul x x\n\nb: fadd near a\n"), text.npos) << text;
}

// Those of 64 bits and of the PICA200 are no pairs.
TEST(Fuse, OnlyThoseOfF32) {
  EXPECT_EQ(fused(R"(^0:
  %x = input f32 in0.x
  %w = f_to_f f64 nearest_even %x
  %p = fmul f64 %w %w
  %s = fadd f64 %p %w
  %n = f_to_f f32 nearest_even %s
  output f32 out0.x %n
  return
)"),
            "\nw: f_to_f x\np: fmul w w\ns: fadd p w\nn: f_to_f s\n");
}

}  // namespace
}  // namespace unshade::vm::test
