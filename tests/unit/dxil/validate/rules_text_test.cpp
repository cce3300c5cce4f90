// Operations of linear algebra that break a rule, and metadata of instructions. No compiler is asked: the module is written as text, and
// each case puts other text into it. DXC's validator finds the same in these texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/validate/code/matrices.hpp"
#include "dxil/validate/module.hpp"
#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

namespace {

/// `@` is put for what the names of types of matrices begin with.
constexpr std::string_view kText = R"(
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.Dimensions = type { i32, i32, i32, i32 }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%@ThreadA = type { i8* }
%@ThreadSum = type { i8* }
%@WaveA = type { i8* }
%@WaveB = type { i8* }
%@WaveSum = type { i8* }
%@WaveSmall = type { i8* }
%struct.ByteAddressBuffer = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind zeroinitializer, i32 0, i1 false)
  %2 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %1, %dx.types.ResourceProperties { i32 11, i32 0 })
  %3 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %4 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %3, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %5 = call %@ThreadA @dx.op.linAlgMatrixLoadFromDescriptor.ThreadA(i32 -2147483634, %dx.types.Handle %2, i32 0, i32 0, i32 2, i32 128)
  %6 = call <8 x float> @dx.op.linAlgMatVecMul.v8f32.ThreadA.v16f32(i32 -2147483623, %@ThreadA %5, i1 true, <16 x float> zeroinitializer, i32 9)
  %7 = call <8 x float> @dx.op.linAlgMatVecMulAdd.v8f32.ThreadA.v16f32.v8f32(i32 -2147483622, %@ThreadA %5, i1 true, <16 x float> zeroinitializer, i32 9, <8 x float> %6)
  %8 = call %@ThreadSum @dx.op.linAlgMatrixOuterProduct.ThreadSum.v8f32.v16f32(i32 -2147483619, <8 x float> %7, <16 x float> zeroinitializer)
  call void @dx.op.linAlgMatrixAccumulateToDescriptor.ThreadSum(i32 -2147483621, %@ThreadSum %8, %dx.types.Handle %4, i32 0, i32 0, i32 4, i32 128)
  %9 = call %@WaveA @dx.op.linAlgFillMatrix.WaveA.f32(i32 -2147483636, float 1.000000e+00)
  %10 = call %@WaveB @dx.op.linAlgFillMatrix.WaveB.f32(i32 -2147483636, float 1.000000e+00)
  %11 = call %@WaveSum @dx.op.linAlgMatrixMultiply.WaveSum.WaveA.WaveB(i32 -2147483625, %@WaveA %9, %@WaveB %10)
  %12 = call %@WaveSum @dx.op.linAlgMatrixMultiplyAccumulate.WaveSum.WaveA.WaveB.WaveSum(i32 -2147483637, %@WaveA %9, %@WaveB %10, %@WaveSum %11)
  %13 = call %@WaveSmall @dx.op.linAlgCopyConvertMatrix.WaveSmall.WaveSum(i32 -2147483635, %@WaveSum %12, i1 false)
  %14 = call %@WaveSum @dx.op.linAlgMatrixAccumulate.WaveSum.WaveSum.WaveSmall(i32 -2147483624, %@WaveSum %12, %@WaveSmall %13)
  call void @dx.op.linAlgMatrixStoreToDescriptor.WaveSum(i32 -2147483628, %@WaveSum %14, %dx.types.Handle %4, i32 0, i32 64, i32 0, i32 128)
  %15 = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %16 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %4, i32 undef)
  %17 = extractvalue %dx.types.Dimensions %16, 0
  ret void
}

declare i32 @dx.op.threadId.i32(i32, i32)
declare %dx.types.Dimensions @dx.op.getDimensions(i32, %dx.types.Handle, i32)
declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1)
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties)
declare %@ThreadA @dx.op.linAlgMatrixLoadFromDescriptor.ThreadA(i32, %dx.types.Handle, i32, i32, i32, i32)
declare <8 x float> @dx.op.linAlgMatVecMul.v8f32.ThreadA.v16f32(i32, %@ThreadA, i1, <16 x float>, i32)
declare <8 x float> @dx.op.linAlgMatVecMulAdd.v8f32.ThreadA.v16f32.v8f32(i32, %@ThreadA, i1, <16 x float>, i32, <8 x float>)
declare %@ThreadSum @dx.op.linAlgMatrixOuterProduct.ThreadSum.v8f32.v16f32(i32, <8 x float>, <16 x float>)
declare void @dx.op.linAlgMatrixAccumulateToDescriptor.ThreadSum(i32, %@ThreadSum, %dx.types.Handle, i32, i32, i32, i32)
declare %@WaveA @dx.op.linAlgFillMatrix.WaveA.f32(i32, float)
declare %@WaveB @dx.op.linAlgFillMatrix.WaveB.f32(i32, float)
declare %@WaveSum @dx.op.linAlgMatrixMultiply.WaveSum.WaveA.WaveB(i32, %@WaveA, %@WaveB)
declare %@WaveSum @dx.op.linAlgMatrixMultiplyAccumulate.WaveSum.WaveA.WaveB.WaveSum(i32, %@WaveA, %@WaveB, %@WaveSum)
declare %@WaveSmall @dx.op.linAlgCopyConvertMatrix.WaveSmall.WaveSum(i32, %@WaveSum, i1)
declare %@WaveSum @dx.op.linAlgMatrixAccumulate.WaveSum.WaveSum.WaveSmall(i32, %@WaveSum, %@WaveSmall)
declare void @dx.op.linAlgMatrixStoreToDescriptor.WaveSum(i32, %@WaveSum, %dx.types.Handle, i32, i32, i32, i32)

!dx.targetTypes = !{!0, !1, !2, !3, !4, !5}
!dx.version = !{!6}
!dx.valver = !{!6}
!dx.shaderModel = !{!7}
!dx.resources = !{!8}
!dx.entryPoints = !{!13}

!0 = !{%@ThreadA undef, i32 9, i32 8, i32 16, i32 0, i32 0}
!1 = !{%@ThreadSum undef, i32 9, i32 8, i32 16, i32 2, i32 0}
!2 = !{%@WaveA undef, i32 9, i32 8, i32 16, i32 0, i32 1}
!3 = !{%@WaveB undef, i32 9, i32 16, i32 8, i32 1, i32 1}
!4 = !{%@WaveSum undef, i32 9, i32 8, i32 8, i32 2, i32 1}
!5 = !{%@WaveSmall undef, i32 9, i32 8, i32 8, i32 0, i32 1}
!6 = !{i32 1, i32 10}
!7 = !{!"cs", i32 6, i32 10}
!8 = !{!9, !11, null, null}
!9 = !{!10}
!10 = !{i32 0, %struct.ByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i32 0, null}
!11 = !{!12}
!12 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!13 = !{void ()* @main, !"main", null, !8, !14}
!14 = !{i32 0, i64 16, i32 4, !15}
!15 = !{i32 64, i32 1, i32 1}
)";

struct TextCase {
  std::string_view id;
  std::vector<std::pair<std::string_view, std::string_view>> changes;  ///< in every place
  std::set<std::string> also = {};                                     ///< that break with it
};

std::vector<TextCase> text_cases() {
  return {
      {"instr.linalgmetadatamissing", {{"!dx.targetTypes = !{!0, !1, !2, !3, !4, !5}", "!dx.targetTypes = !{!0, !1, !2, !3, !4}"}}},
      {"instr.linalgillegalkdim",
       {{"!0 = !{%@ThreadA undef, i32 9, i32 8, i32 16, i32 0, i32 0}", "!0 = !{%@ThreadA undef, i32 9, i32 8, i32 129, i32 0, i32 0}"}},
       {"instr.linalgmatrixdimkveckmismatch"}},
      {"instr.linalgillegalkdim",
       {{"!3 = !{%@WaveB undef, i32 9, i32 16, i32 8, i32 1, i32 1}", "!3 = !{%@WaveB undef, i32 9, i32 3, i32 8, i32 1, i32 1}"}},
       {"instr.linalgmatrixmatrixkdimmustmatch"}},
      {"instr.linalgillegalcomponenttype", {{"!2 = !{%@WaveA undef, i32 9", "!2 = !{%@WaveA undef, i32 1"}}},
      {"instr.linalgillegalcomponenttype",
       {{"<16 x float> zeroinitializer, i32 9)", "<16 x float> zeroinitializer, i32 13)"}},
       {"instr.linalgmatrixdimkveckmismatch"}},
      {"instr.linalgmatrixscopemismatch",
       {{"!0 = !{%@ThreadA undef, i32 9, i32 8, i32 16, i32 0, i32 0}", "!0 = !{%@ThreadA undef, i32 9, i32 8, i32 16, i32 0, i32 1}"}},
       {"instr.linalgmatrixscopereqlayout2"}},
      {"instr.linalgmatrixscopemismatch2",
       {{"!2 = !{%@WaveA undef, i32 9, i32 8, i32 16, i32 0, i32 1}", "!2 = !{%@WaveA undef, i32 9, i32 8, i32 16, i32 0, i32 0}"}},
       {"instr.linalgmatrixscopemustmatch3", "instr.linalgmatrixscopemustmatch4"}},
      {"instr.linalgmatrixscopemustmatch3",
       {{"!2 = !{%@WaveA undef, i32 9, i32 8, i32 16, i32 0, i32 1}", "!2 = !{%@WaveA undef, i32 9, i32 8, i32 16, i32 0, i32 2}"}},
       {"instr.linalgmatrixscopemustmatch4"}},
      {"instr.linalgmatrixscopemustmatch4",
       {{"!3 = !{%@WaveB undef, i32 9, i32 16, i32 8, i32 1, i32 1}", "!3 = !{%@WaveB undef, i32 9, i32 16, i32 8, i32 1, i32 2}"}},
       {"instr.linalgmatrixscopemustmatch3"}},
      {"instr.linalgmatrixusemismatch",
       {{"!0 = !{%@ThreadA undef, i32 9, i32 8, i32 16, i32 0, i32 0}", "!0 = !{%@ThreadA undef, i32 9, i32 8, i32 16, i32 1, i32 0}"}}},
      {"instr.linalgmatrixusemismatch",
       {{"!1 = !{%@ThreadSum undef, i32 9, i32 8, i32 16, i32 2, i32 0}",
         "!1 = !{%@ThreadSum undef, i32 9, i32 8, i32 16, i32 0, i32 0}"}}},
      {"instr.linalgmatrixusemismatch2",
       {{"!5 = !{%@WaveSmall undef, i32 9, i32 8, i32 8, i32 0, i32 1}", "!5 = !{%@WaveSmall undef, i32 9, i32 8, i32 8, i32 2, i32 1}"}}},
      {"instr.linalgmatrixnotexactmatch",
       {{"linAlgMatrixAccumulate.WaveSum.WaveSum.WaveSmall(i32 -2147483624, %@WaveSum %12",
         "linAlgMatrixAccumulate.WaveSum.WaveSmall.WaveSmall(i32 -2147483624, %@WaveSmall %13"},
        {"linAlgMatrixAccumulate.WaveSum.WaveSum.WaveSmall(i32, %@WaveSum",
         "linAlgMatrixAccumulate.WaveSum.WaveSmall.WaveSmall(i32, %@WaveSmall"}}},
      {"instr.linalgmatrixscopereqlayout2", {{"i32 0, i32 0, i32 4, i32 128)", "i32 0, i32 0, i32 2, i32 128)"}}},
      {"instr.linalgmatrixlayoutreqstride", {{"i32 0, i32 0, i32 4, i32 128)", "i32 0, i32 16, i32 4, i32 128)"}}},
      {"instr.linalgmatrixlayoutreqstride", {{"i32 0, i32 0, i32 2, i32 128)", "i32 0, i32 16, i32 2, i32 128)"}}},
      {"instr.linalgmatrixdimvectormismatch",
       {{"!0 = !{%@ThreadA undef, i32 9, i32 8, i32 16, i32 0, i32 0}", "!0 = !{%@ThreadA undef, i32 9, i32 9, i32 16, i32 0, i32 0}"}}},
      {"instr.linalgmatrixdimkveckmismatch", {{"<16 x float> zeroinitializer, i32 9)", "<16 x float> zeroinitializer, i32 23)"}}},
      {"instr.linalgmatrixoutputbiasvecmismatch",
       {{"v16f32.v8f32(i32 -2147483622", "v16f32.v8i32(i32 -2147483622"},
        {"i32 9, <8 x float> %6)", "i32 9, <8 x i32> zeroinitializer)"},
        {"v16f32.v8f32(i32, %@ThreadA, i1, <16 x float>, i32, <8 x float>)",
         "v16f32.v8i32(i32, %@ThreadA, i1, <16 x float>, i32, <8 x i32>)"}}},
      {"instr.linalgmatrixunsignedfloattypenotallowed",
       {{"%5, i1 true, <16 x float> zeroinitializer, i32 9)", "%5, i1 false, <16 x float> zeroinitializer, i32 9)"}}},
      {"instr.linalgmatrixloadthreadrequiresbab", {{"%dx.types.Handle %2, i32 0", "%dx.types.Handle %4, i32 0"}}},
      {"instr.linalgmatrixrequiresrwbab", {{"%dx.types.Handle %4, i32 0, i32 0", "%dx.types.Handle %2, i32 0, i32 0"}}},
      {"instr.linalgmatrixrequiresrwbab", {{"%dx.types.Handle %4, i32 0, i32 64", "%dx.types.Handle %2, i32 0, i32 64"}}},
      {"instr.linalgmatrixrequireslayout2", {{"i32 64, i32 0, i32 128)", "i32 64, i32 2, i32 128)"}}},
      {"instr.linalgmatrix2partsmustmatch",
       {{"!5 = !{%@WaveSmall undef, i32 9, i32 8, i32 8, i32 0, i32 1}", "!5 = !{%@WaveSmall undef, i32 9, i32 8, i32 8, i32 0, i32 2}"}}},
      {"instr.linalgmatrix2partsmustmatch",
       {{"!5 = !{%@WaveSmall undef, i32 9, i32 8, i32 8, i32 0, i32 1}", "!5 = !{%@WaveSmall undef, i32 9, i32 8, i32 9, i32 0, i32 1}"}}},
      {"instr.linalgmatrixmatrixkdimmustmatch",
       {{"!3 = !{%@WaveB undef, i32 9, i32 16, i32 8, i32 1, i32 1}", "!3 = !{%@WaveB undef, i32 9, i32 17, i32 8, i32 1, i32 1}"}}},
      {"instr.linalgmatrixmatrixresdimmustmatch",
       {{"!3 = !{%@WaveB undef, i32 9, i32 16, i32 8, i32 1, i32 1}", "!3 = !{%@WaveB undef, i32 9, i32 16, i32 9, i32 1, i32 1}"}}},
      {"instr.paramminimumvalue", {{"i32 64, i32 0, i32 128)", "i32 64, i32 0, i32 0)"}}},
      {"instr.parammultiple", {{"i32 64, i32 0, i32 128)", "i32 64, i32 0, i32 64)"}}},
      {"instr.noreadinguninitialized", {{"i32 -2147483636, float 1.000000e+00)\n  %10", "i32 -2147483636, float undef)\n  %10"}}},
      {"instr.opconst",
       {{"<16 x float> zeroinitializer, i32 9)", "<16 x float> zeroinitializer, i32 undef)"}},
       {"instr.noreadinguninitialized", "instr.linalgmatrixdimkveckmismatch"}},
      {"instr.opconstrange", {{"%dx.types.ResBind zeroinitializer, i32 0,", "%dx.types.ResBind zeroinitializer, i32 2,"}}},
      {"instr.opconstrange", {{"i32 0, i32 0, i32 0, i8 1 }", "i32 0, i32 0, i32 0, i8 4 }"}}},
      {"instr.opconstrange", {{"i32 0, i32 0, i32 0, i8 1 }", "i32 undef, i32 0, i32 0, i8 1 }"}}},
      {"instr.handlenotfromcreatehandle", {{"(i32 72, %dx.types.Handle %4", "(i32 72, %dx.types.Handle %3"}}},
      {"meta.wellformed", {{"i32 4, !15}", "i32 4, !15, i32 25, i32 0}"}}},
      {"meta.wellformed", {{"i32 4, !15}", "i32 4, !15, i32 6, !15}"}}},
      {"meta.wellformed", {{"i1 false, null}", "i1 false, !16}"}, {"!15 =", "!16 = !{i32 5, i32 1}\n!15 ="}}},
      {"meta.wellformed",
       {{"i32 4, !15}", "i32 4, !15, i32 21, !16}"}, {"!15 =", "!16 = !{!17}\n!17 = !{i32 1, i32 6, i32 7, i32 0}\n!15 ="}}},
      {"meta.wellformed",
       {{"i32 4, !15}", "i32 4, !15, i32 21, !16}"},
        {"!15 =", "!16 = !{!17}\n!17 = !{i32 2, !18}\n!18 = !{i32 1, !19}\n!19 = !{i32 0}\n!15 ="}}},
      {"meta.wellformed", {{"!dx.version =", "!llvm.ident = !{!6}\n!dx.version ="}}},
      {"instr.oload",
       {{"  ret void",
         "  %18 = call %@WaveA @dx.op.linAlgMatrixLoadFromMemory.WaveA.v4i8(i32 -2147483633, <4 x i8> addrspace(3)* @shared, i32 0, i32 "
         "16, "
         "i32 0)\n  ret void"},
        {"declare i32 @dx.op.threadId",
         "@shared = internal addrspace(3) global <4 x i8> undef\n"
         "declare %@WaveA @dx.op.linAlgMatrixLoadFromMemory.WaveA.v4i8(i32, <4 x i8> addrspace(3)*, i32, i32, i32)\n"
         "declare i32 @dx.op.threadId"}}},
      {"meta.used", {{"i32 64, i32 0, i32 128)", "i32 64, i32 0, i32 128), !prof !15"}}},
      {"meta.used", {{"i32 64, i32 0, i32 128)", "i32 64, i32 0, i32 128), !dx.nonuniform !15"}}, {"meta.wellformed"}},
      {"meta.wellformed", {{"i32 64, i32 0, i32 128)", "i32 64, i32 0, i32 128), !llvm.loop !15"}}},
      {"meta.wellformed", {{"i32 64, i32 0, i32 128)", "i32 64, i32 0, i32 128), !tbaa !15"}}},
      {"bitcode.range", {{"i32 64, i32 0, i32 128)", "i32 64, i32 0, i32 128), !range !6"}}},
      {"bitcode.range", {{"(i32 93, i32 0)", "(i32 93, i32 0), !range !15"}}},
      {"bitcode.range", {{"(i32 93, i32 0)", "(i32 93, i32 0), !range !16"}, {"!15 =", "!16 = !{i32 4, i32 4}\n!15 ="}}},
      {"bitcode.range", {{"(i32 93, i32 0)", "(i32 93, i32 0), !range !16"}, {"!15 =", "!16 = !{i64 0, i64 4}\n!15 ="}}},
      {"bitcode.range", {{"(i32 93, i32 0)", "(i32 93, i32 0), !range !16"}, {"!15 =", "!16 = !{i32 0, i32 2, i32 2, i32 4}\n!15 ="}}},
      {"bitcode.range", {{"(i32 93, i32 0)", "(i32 93, i32 0), !range !16"}, {"!15 =", "!16 = !{i32 3, i32 4, i32 0, i32 1}\n!15 ="}}},
      {"bitcode.range",
       {{"(i32 93, i32 0)", "(i32 93, i32 0), !range !16"}, {"!15 =", "!16 = !{i32 0, i32 1, i32 2, i32 3, i32 4, i32 0}\n!15 ="}}},
      {"instr.dxilstructuser", {{"extractvalue %dx.types.Dimensions %16, 0", "insertvalue %dx.types.Dimensions %16, i32 0, 0"}}},
      {"sm.invalidsamplerfeedbacktype",
       {{"i32 1, i32 11, i1 false, i1 false, i1 false, null}", "i32 1, i32 17, i1 false, i1 false, i1 false, !16}"},
        {"!15 =", "!16 = !{i32 2, i32 2}\n!15 ="}}},
  };
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  std::size_t count = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()), ++count)
    text.replace(at, from.size(), to);
  EXPECT_NE(count, 0U) << from;
  return text;
}

std::set<std::string> broken_by(const std::string& text) {
  const Assembly made = assemble(replaced(text, "%@", "%dx.types.LinAlgMatrix"));
  EXPECT_TRUE(made.ok) << (made.messages.empty() ? "" : to_string(made.messages.front()));
  std::set<std::string> ids;
  if (!made.ok) return ids;
  const auto module = parse_module(view_of(made.file));
  EXPECT_TRUE(module);
  if (!module) return ids;
  Findings findings(1000);
  validate::check_module(*module, read_program_metadata(*module), "module", 0, true, findings);
  for (const Diagnostic& d : findings.take()) ids.emplace(d.rule->id);
  return ids;
}

}  // namespace

std::set<std::string> rules_with_texts() {
  std::set<std::string> ids;
  for (const TextCase& c : text_cases()) ids.emplace(c.id);
  return ids;
}

TEST(DxilTextRules, EachTextBreaksItsRule) {
  EXPECT_EQ(broken_by(std::string(kText)), std::set<std::string>{});
  for (const TextCase& c : text_cases()) {
    std::string text(kText);
    for (const auto& [from, to] : c.changes) text = replaced(text, from, to);
    std::set<std::string> expected = c.also;
    expected.emplace(c.id);
    EXPECT_EQ(broken_by(text), expected) << c.id << ": " << c.changes.front().second;
  }
}

// Of the group's memory: four vectors.
TEST(DxilTextRules, PointersStayWithinTheirObject) {
  const auto at = [](std::string_view index) {
    std::string text = replaced(std::string(kText), "  ret void",
                                "  %18 = getelementptr [4 x i32], [4 x i32] addrspace(3)* @shared, i32 " + std::string(index) +
                                    "\n  store i32 0, i32 addrspace(3)* %18\n  ret void");
    text = replaced(text, "declare i32 @dx.op.threadId",
                    "@shared = internal addrspace(3) global [4 x i32] undef\ndeclare i32 @dx.op.threadId");
    return broken_by(text);
  };
  EXPECT_FALSE(at("0, i32 3").contains("instr.inboundsaccess"));
  EXPECT_TRUE(at("0, i32 4").contains("instr.inboundsaccess"));
  EXPECT_TRUE(at("0, i32 -2").contains("instr.inboundsaccess"));
  EXPECT_FALSE(at("0, i32 -1").contains("instr.inboundsaccess"));
}

TEST(DxilTextRules, VectorsOfNothingAreWrittenNowhere) {
  const std::string store =
      "  call void @dx.op.rawBufferVectorStore.v4i32(i32 304, %dx.types.Handle %4, i32 0, i32 undef, <4 x i32> undef, i32 4)\n  ret void";
  const std::string text = replaced(replaced(std::string(kText), "  ret void", store), "declare i32 @dx.op.threadId",
                                    "declare void @dx.op.rawBufferVectorStore.v4i32(i32, %dx.types.Handle, i32, i32, <4 x i32>, i32)\n"
                                    "declare i32 @dx.op.threadId");
  EXPECT_EQ(broken_by(text), std::set<std::string>{"instr.undefinedvalueforuavstore"});
}

TEST(DxilTextRules, VectorsOfNothingAreShuffled) {
  const auto shuffled = [](std::string_view vectors) {
    return replaced(std::string(kText), "  ret void",
                    "  %18 = shufflevector " + std::string(vectors) + ", <2 x i32> <i32 0, i32 1>\n  ret void");
  };
  EXPECT_EQ(broken_by(shuffled("<2 x i32> undef, <2 x i32> undef")), std::set<std::string>{});
  EXPECT_EQ(broken_by(shuffled("<2 x i32> undef, <2 x i32> zeroinitializer")), std::set<std::string>{"instr.noreadinguninitialized"});
}

// dxc states no 64-bit integers for a function that only takes vectors of them apart or puts them together.
TEST(DxilTextRules, TakingVectorsApartNeedsNoFlags) {
  const std::string apart = "  %18 = extractelement <2 x i64> zeroinitializer, i32 0\n  ret void";
  EXPECT_EQ(broken_by(replaced(std::string(kText), "  ret void", apart)), std::set<std::string>{});
}

// What is no description of a matrix is passed over, as by DXC.
TEST(DxilTextRules, DescriptionsOfMatrices) {
  const auto types_of = [](std::string_view from, std::string_view to) {
    const std::string text = replaced(std::string(kText), from, to);
    const Assembly made = assemble(replaced(text, "%@", "%dx.types.LinAlgMatrix"));
    const auto module = parse_module(view_of(made.file));
    return validate::read_matrix_types(*module);
  };
  EXPECT_EQ(types_of("!0 =", "!0 =").size(), 6U);
  EXPECT_EQ(types_of("i32 9, i32 8, i32 16, i32 0, i32 0}", "i32 9, i32 8, i32 16, i32 0}").size(), 5U);
  EXPECT_EQ(types_of("i32 9, i32 8, i32 16, i32 0, i32 0}", "i32 9, i32 8, i32 16, i32 0, float 0.000000e+00}").size(), 5U);
  const auto wide = types_of("i32 9, i32 8, i32 16, i32 0, i32 0}", "i32 9, i32 8, i64 4294967296, i32 7, i32 0}");
  const auto found = std::find_if(wide.begin(), wide.end(), [](const auto& m) { return m.second.use == static_cast<MatrixUse>(7); });
  ASSERT_NE(found, wide.end());
  EXPECT_EQ(found->second.columns, 0xffff'ffffU);
}

}  // namespace unshade::dxil::test_rules
