// Vectors are read and stored as a whole where they can be.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include <unshade/ir/text.hpp>
#include <unshade/spirv/module.hpp>
#include "unit/write/translated.hpp"

namespace unshade::write {
namespace {

using spirv::Opcode;

std::map<Opcode, unsigned> count_of(const std::vector<std::byte>& bytes) {
  std::map<Opcode, unsigned> made;
  const auto module = spirv::parse(View(bytes));
  if (!module) return made;
  for (const spirv::Instruction instruction : *module) ++made[instruction.opcode()];
  return made;
}

/// The instructions that a vertex shader's translation has; the shader and it compute the same.
std::map<Opcode, unsigned> count(std::string_view block, std::string_view more = "", const SpirvOptions& options = {}) {
  std::string text = R"(stage vertex
input "A" type f32 register 0
input "B" type f32 register 1 columns 3
output "C" type f32 register 0
)";
  (text += more) += "\nfunction @main {\n^0:\n";
  (text += block) += "  return\n}\n";
  const auto module = ir::parse(text);
  if (!module) {
    ADD_FAILURE() << to_string(module.error()) << '\n' << text;
    return {};
  }
  EXPECT_EQ(test::difference(*module, options), "") << text;
  const auto bytes = test::translated(*module, options);
  return bytes ? count_of(*bytes) : std::map<Opcode, unsigned>();
}

TEST(TranslatedVectors, InputsAreLoadedOnceAndOutputsStoredOnce) {
  auto made = count(R"(  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in0.z
  %b = input f32 in1.y
  output f32 out0.x %z
  output f32 out0.y %x
  %sum = fadd f32 %y %b
  output f32 out0.w %sum
  output f32 out0.z %b
)");
  EXPECT_EQ(made[Opcode::load], 2U);
  EXPECT_EQ(made[Opcode::store], 1U);
  EXPECT_EQ(made[Opcode::access_chain], 0U);
}

TEST(TranslatedVectors, OutputsOfSomeComponentsAreStoredOneByOne) {
  auto made = count(R"(  %x = input f32 in0.x
  output f32 out0.x %x
  output f32 out0.w %x
)");
  EXPECT_EQ(made[Opcode::store], 2U);
  // the second of one component is another value
  made = count(R"(  %x = input f32 in0.x
  %y = input f32 in0.y
  output f32 out0.x %x
  output f32 out0.y %x
  output f32 out0.x %y
  output f32 out0.z %x
  output f32 out0.w %x
)");
  EXPECT_GE(made[Opcode::store], 2U);
}

TEST(TranslatedVectors, RowsOfConstantBuffersAreLoadedOnce) {
  constexpr std::string_view kConstants = "resource @b0 cbuffer register 0 bytes 64\n";
  auto made = count(R"(  %h = handle @b0 0
  %row = cbuffer_load f32 x4 %h 16
  %x = get f32 0 %row
  %y = get f32 1 %row
  %z = get f32 2 %row
  %w = get f32 3 %row
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z %z
  output f32 out0.w %w
)",
                    kConstants);
  EXPECT_EQ(made[Opcode::load], 1U);
  // a row whose number is computed, too: of those beyond the end all is 0
  made = count(R"(  %h = handle @b0 0
  %a = input f32 in0.x
  %number = f_to_u i32 %a
  %at = ishl i32 %number 4
  %row = cbuffer_load f32 x4 %h %at
  %x = get f32 0 %row
  %y = get f32 1 %row
  %z = get f32 2 %row
  %w = get f32 3 %row
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z %z
  output f32 out0.w %w
)",
               kConstants);
  EXPECT_EQ(made[Opcode::load], 2U);
}

// What is cast to another type and back is not cast, and what is not used as another type neither.
TEST(TranslatedVectors, CastsBackAreNone) {
  auto made = count(R"(  %x = input f32 in0.x
  %bits = bitcast i32 %x
  %back = bitcast f32 %bits
  %y = input f32 in0.y
  %unused = bitcast i32 %y
  output f32 out0.x %back
)");
  EXPECT_EQ(made[Opcode::bitcast], 0U);
  // a cast is written again in each block, as the one does not come before the other
  made = count(R"(  %x = input f32 in0.x
  %bits = bitcast i32 %x
  %positive = flt f32 0.0 %x
  branch %positive ^1 ^2
^1:
  %a = iadd i32 %bits 1
  jump ^3
^2:
  %b = iadd i32 %bits 2
  jump ^3
^3:
  %sum = phi i32 ^1 %a ^2 %b
  %all = ixor i32 %sum %bits
  %result = bitcast f32 %all
  output f32 out0.x %result
)");
  EXPECT_EQ(made[Opcode::bitcast], 4U);
}

// What is done to each component of a vector is one instruction, and its operands are the vectors.
TEST(TranslatedVectors, ComponentsAreComputedTogether) {
  auto made = count(R"(  %ax = input f32 in0.x
  %ay = input f32 in0.y
  %az = input f32 in0.z
  %bx = input f32 in1.x
  %by = input f32 in1.y
  %bz = input f32 in1.z
  %x = fadd f32 %ax %bx
  %y = fadd f32 %ay %by
  %z = fadd f32 %az %bz
  %x2 = fmax f32 %x 0.0
  %y2 = fmax f32 %y 1.0
  %z2 = fmax f32 %z 2.0
  output f32 out0.x %x2
  output f32 out0.y %y2
  output f32 out0.z %z2
)");
  EXPECT_EQ(made[Opcode::f_add], 1U);
  EXPECT_EQ(made[Opcode::ext_inst], 1U);
  EXPECT_EQ(made[Opcode::composite_extract], 3U);  // three of four components are stored one by one
  // by one factor
  made = count(R"(  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in0.z
  %w = input f32 in0.w
  %by = input f32 in1.x
  %x1 = fmul f32 %x %by {precise}
  %y1 = fmul f32 %y %by {precise}
  %z1 = fmul f32 %z %by {precise}
  %w1 = fmul f32 %w %by {precise}
  output f32 out0.x %x1
  output f32 out0.y %y1
  output f32 out0.z %z1
  output f32 out0.w %w1
)");
  EXPECT_EQ(made[Opcode::vector_times_scalar], 1U);
  EXPECT_EQ(made[Opcode::f_mul], 0U);
  EXPECT_EQ(made[Opcode::composite_construct], 0U);
}

// Components in another order are a shuffle, of two vectors too.
TEST(TranslatedVectors, OtherOrdersAreShuffled) {
  auto made = count(R"(  %ax = input f32 in0.x
  %ay = input f32 in0.y
  %az = input f32 in0.z
  %aw = input f32 in0.w
  %bx = input f32 in1.x
  %by = input f32 in1.y
  %x = fadd f32 %aw %ax {precise}
  %y = fadd f32 %az %by {precise}
  %z = fadd f32 %ay %bx {precise}
  %w = fadd f32 %ax %ay {precise}
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z %z
  output f32 out0.w %w
)");
  EXPECT_EQ(made[Opcode::f_add], 1U);
  EXPECT_EQ(made[Opcode::vector_shuffle], 2U);
}

// A row whose values are computed one by one, and used so, would take more instructions.
TEST(TranslatedVectors, RowsThatSaveNothingAreScalars) {
  auto made = count(R"(  %a = input f32 in0.x
  %b = input f32 in1.x
  %s = fsin f32 %a
  %c = fcos f32 %b
  %x = fadd f32 %s %b
  %y = fadd f32 %c %a
  %p = fsqrt f32 %x
  %q = fexp2 f32 %y
  output f32 out0.x %p
  output f32 out0.y %q
  output f32 out0.z %p
  output f32 out0.w %q
)");
  EXPECT_EQ(made[Opcode::f_add], 2U);
}

// What is compared together is selected together.
TEST(TranslatedVectors, ChoicesAreOfVectors) {
  auto made = count(R"(  %ax = input f32 in0.x
  %ay = input f32 in0.y
  %az = input f32 in0.z
  %aw = input f32 in0.w
  %bx = input f32 in1.x
  %by = input f32 in1.y
  %bz = input f32 in1.z
  %tx = flt f32 %ax %bx
  %ty = flt f32 %ay %by
  %tz = flt f32 %az %bz
  %tw = flt f32 %aw %bx
  %x = select f32 %tx %ax %bx
  %y = select f32 %ty %ay %by
  %z = select f32 %tz %az %bz
  %w = select f32 %tw %aw %bx
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z %z
  output f32 out0.w %w
)");
  EXPECT_EQ(made[Opcode::f_ord_less_than], 1U);
  EXPECT_EQ(made[Opcode::select], 1U);
  EXPECT_EQ(made[Opcode::composite_extract], 0U);
}

// The order of additions is open in one instruction of the file, unless it is precise.
TEST(TranslatedVectors, DotProductsOfAnInstructionAreOne) {
  const auto dots = [](std::string_view sum, bool is_native = false) {
    std::string text = R"(  %ax = input f32 in0.x
  %ay = input f32 in0.y
  %az = input f32 in0.z
  %bx = input f32 in1.x
  %by = input f32 in1.y
  %bz = input f32 in1.z
)";
    (text += sum) += "  output f32 out0.x %z\n";
    SpirvOptions options;
    if (is_native) options.numbers = Numbers::native;
    return count(text, "", options)[Opcode::dot];
  };
  EXPECT_EQ(dots(R"(  %x = fmul f32 %ax %bx !1
  %y = fmad f32 %ay %by %x !1
  %z = fmad f32 %az %bz %y !1
)"),
            1U);
  constexpr std::string_view kPrecise = R"(  %x = fmul f32 %ax %bx {precise} !1
  %y = fmad f32 %ay %by %x {precise} !1
  %z = fmad f32 %az %bz %y {precise} !1
)";
  EXPECT_EQ(dots(kPrecise), 0U);
  EXPECT_EQ(dots(kPrecise, true), 1U);
  EXPECT_EQ(dots(R"(  %x = fmul f32 %ax %bx !1
  %y = fmad f32 %ay %by %x !2
  %z = fmad f32 %az %bz %y !2
)"),
            0U);
}

}  // namespace
}  // namespace unshade::write
