#include "vm/prepare/select.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "vm/kernel_list.hpp"
#include "vm/program.hpp"

namespace unshade::vm::test {
namespace {

// For each value of a function what it is: the operation of its kernel, `access`, `none`; of an alias whose; `before` for the preamble,
// and `kept` if it keeps its slots.
std::string selected(std::string_view blocks, std::string_view modes = "modes denorm32 preserve", std::uint64_t most_preamble = 2048) {
  const auto module = ir::parse("stage pixel\n" + std::string(modes) +
                                "\ninput \"A\" type f32 register 0\noutput \"B\" type f32 register 0\n"
                                "resource @numbers cbuffer register 0 bytes 64\n\nfunction @main {\n" +
                                std::string(blocks) + "}\n");
  if (!module) return to_string(module.error());
  for (const auto& finding : ir::findings_of(*module)) return to_string(finding);
  const ir::Function& function = module->functions[0];
  const auto made = select_kernels(*module, function, most_preamble);
  if (!made) return to_string(made.error());
  const ir::ValueNames names(function);
  std::string text = "\n";
  for (const ir::BlockId block : function.order) {
    for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
      if (function.insts[id].results == 0) continue;
      (text += names.of(id)) += ':';
      const std::uint16_t kernel = made->kernel[id];
      if (kernel < kKernelRows.size()) {
        ((text += ' ') += ir::info(kKernelRows[kernel].op).text) += '.';
        text += ir::text(kKernelRows[kernel].type);
      } else {
        text += kernel == kAccess ? " access" : " none";
      }
      if (made->root[id] != id) (text += " of ") += names.of(made->root[id]);
      if (made->in_preamble[id]) text += " before";
      if (made->escapes[id]) text += " kept";
      text += '\n';
    }
  }
  return text;
}

constexpr std::string_view kSums = R"(^0:
  %x = input f32 in0.x
  %a = fmad f32 %x %x 1.0
  %b = fmad f32 %x %x %a {precise}
  output f32 out0.x %b
  return
)";

TEST(Select, SumsAreFusedIfTheModuleAllowsIt) {
  EXPECT_EQ(selected(kSums), "\nx: access\na: fmad.f32\nb: fmad.f32\n");
  EXPECT_EQ(selected(kSums, "modes denorm32 preserve fused_mad"), "\nx: access\na: ffma.f32\nb: fmad.f32\n");
}

TEST(Select, AliasesAreNoCode) {
  EXPECT_EQ(selected(R"(^0:
  %x = input f32 in0.x
  %i = bitcast i32 %x
  %j = iadd i32 %i 1
  %y = bitcast f32 %j
  %z = bitcast i32 %y
  %numbers = handle @numbers %z
  %n = cbuffer_load f32 x2 %numbers 0
  %m = get f32 1 %n
  %less = flt f32 %m %y
  branch %less ^1 ^2
^1:
  jump ^2
^2:
  %last = phi f32 ^0 %m ^1 %y
  output f32 out0.x %last
  return
)"),
            "\nx: access\ni: none of x\nj: iadd.i32\ny: none of j\nz: none of j\nnumbers: access\nn: access\nm: none of n\nless: flt.f32\n"
            "last: none\n");
}

constexpr std::string_view kConstants = R"(^0:
  %x = input f32 in0.x
  %numbers = handle @numbers 0
  %n = cbuffer_load f32 %numbers 0
  %m = cbuffer_load i32 %numbers 4
  %f = bitcast f32 %m
  %p = fmul f32 %n %f
  %q = fadd f32 %p 1.0
  %r = fadd f32 %p %x
  %s = fadd f32 %r %f
  %t = fadd f32 %s %q
  output f32 out0.x %t
  return
)";

TEST(Select, ThePreambleHasWhatDependsOnConstantBuffersAlone) {
  EXPECT_EQ(selected(kConstants),
            "\nx: access\nnumbers: access before\nn: access before\nm: access before kept\nf: none of m before\np: fmul.f32 before kept\n"
            "q: fadd.f32 before kept\nr: fadd.f32\ns: fadd.f32\nt: fadd.f32\n");
}

TEST(Select, ThePreambleHasABound) {
  EXPECT_EQ(
      selected(kConstants, "modes denorm32 preserve", 2),
      "\nx: access\nnumbers: access before kept\nn: access before kept\nm: access\nf: none of m\np: fmul.f32\nq: fadd.f32\nr: fadd.f32\n"
      "s: fadd.f32\nt: fadd.f32\n");
}

TEST(Select, NumbersOfThePica200AreF32WhereTheModuleSaysSo) {
  constexpr std::string_view kNarrow = R"(^0:
  %x = input f32 in0.x
  %a = f_to_f f24 nearest_even %x
  %b = fadd f24 %a %a
  %c = f_to_f f32 nearest_even %b
  output f32 out0.x %c
  return
)";
  EXPECT_EQ(selected(kNarrow, "modes denorm32 preserve f24 as_f32"), "\nx: access\na: none of x\nb: fadd.f32\nc: f_to_f.f32\n");
  EXPECT_EQ(selected(kNarrow), "\nx: access\na: f_to_f.f24\nb: fadd.f24\nc: f_to_f.f32\n");
}

}  // namespace
}  // namespace unshade::vm::test
