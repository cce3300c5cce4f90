#include <unshade/ir/lower_dxil.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/operations.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "support/files.hpp"
#include "support/ir.hpp"

namespace unshade::ir {
namespace {

dxil::Module sample(std::string_view name, const char (&part)[5] = "DXIL") {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxil" / name);
  const auto container = dxcontainer::parse_container(test::view_of(bytes));
  EXPECT_TRUE(container) << name;
  const auto program = dxil::parse_program(*container->find(dxcontainer::fourcc(part)));
  EXPECT_TRUE(program) << name;
  auto module = dxil::parse_module(program->bitcode);
  EXPECT_TRUE(module) << name;
  return std::move(*module);
}

std::size_t count(const Function& function, Op op) {
  std::size_t found = 0;
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      if (function.insts[id].op == op) ++found;
    }
  }
  return found;
}

TEST(LowerDxil, EndsABlockAtEachBarrier) {
  const auto from = sample("bitonic_cs_6_0.dxil");
  const auto module = lower(from);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->stage, Stage::compute);
  const Function& function = module->functions[0];
  EXPECT_GT(count(function, Op::barrier), 1U);
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (function.insts[id].op != Op::barrier) continue;
    EXPECT_EQ(function.next[id], function.blocks[function.block_of[id]].last);
    EXPECT_EQ(function.insts[id].extra, kSyncGroup | kGroupMemory);
  }
  ASSERT_EQ(module->variables.size(), 1U);
  EXPECT_EQ(module->variables[0].space, Space::group);
  EXPECT_EQ(module->info.group_size[0] * module->info.group_size[1] * module->info.group_size[2] * 4, module->variables[0].bytes);
}

// Debug information calls values after variables, or pieces of them. What they compute is the same.
TEST(LowerDxil, NamesValuesAsDebugInformationDoes) {
  auto named = lower(sample("control_ps_6_0_zi.dxil", "ILDB"));
  const auto stripped = lower(sample("control_ps_6_0_zi.dxil"));
  ASSERT_TRUE(named && stripped);
  Function& function = named->functions[0];
  std::set<std::string> variables;
  for (const auto& [id, name] : function.names) variables.insert(name);
  std::string all;
  for (const std::string& name : variables) (all += name) += ' ';
  EXPECT_EQ(all, "acc.w acc.x acc.y acc.z i k v.w v.x v.y v.z ");
  EXPECT_TRUE(stripped->functions[0].names.empty());
}

TEST(LowerDxil, GivesPhisAnOperandForEachPredecessor) {
  const auto from = sample("bitonic_cs_6_0.dxil");
  const auto module = lower(from);
  ASSERT_TRUE(module);
  const Function& function = module->functions[0];
  EXPECT_GT(count(function, Op::phi), 0U);
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (function.insts[id].op != Op::phi) continue;
    EXPECT_EQ(function.insts[id].operand_count, function.predecessors_of(function.block_of[id]).size());
  }
}

// A pixel shader of an output and of what its text has before the metadata. Flags: 0x20 for 16 bits, else minimum precision.
Result<Module> module_of(std::string_view body, std::string_view flags = "null") {
  std::string text =
      R"(target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

)" + std::string(body) +
      R"(
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
declare void @dx.op.storeOutput.i32(i32, i32, i32, i8, i32)
!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}
!0 = !{i32 1, i32 0}
!1 = !{!"ps", i32 6, i32 0}
!2 = !{void ()* @main, !"main", !3, null, )" +
      std::string(flags) + R"(}
!3 = !{null, !4, null}
!4 = !{!5}
!5 = !{i32 0, !"SV_Target", i8 9, i8 16, !6, i8 0, i32 1, i8 4, i32 0, i8 0, null}
!6 = !{i32 0}
)";
  dxil::Module from;
  Message message;
  EXPECT_TRUE(dxil::parse_module_text(text, from, message)) << to_string(message);
  return lower(from);
}

std::string lowered(std::string_view body, std::string_view flags = "null") {
  auto module = module_of(body, flags);
  EXPECT_TRUE(module) << to_string(module.error());
  if (!module) return {};
  const auto made = test::optimized(*std::move(module), 1);
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? print(**made) : std::string();
}

TEST(LowerDxil, ComputesConstantExpressions) {
  const std::string text = lowered(R"(define void @main() {
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float sitofp (i32 mul (i32 2, i32 40) to float))
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float fadd (float undef, float 4.0))
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float select (i1 icmp slt (i32 -1, i32 0), float 3.0, float 5.0))
  ret void
})");
  EXPECT_NE(text.find("out0.x 80.0"), std::string::npos) << text;
  EXPECT_NE(text.find("out0.z 3.0"), std::string::npos) << text;
}

TEST(LowerDxil, WidensConstantsOfMinimumPrecision) {
  const std::string text = lowered(R"(@table = internal unnamed_addr constant [2 x i16] [i16 7, i16 -1], align 4
@halves = internal unnamed_addr constant [2 x half] [half 0xH3C00, half 0xHC000], align 4
define void @main() {
  %1 = getelementptr inbounds [2 x i16], [2 x i16]* @table, i32 0, i32 1
  %2 = load i16, i16* %1, align 4
  %3 = sitofp i16 %2 to float
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %3)
  ret void
})");
  EXPECT_NE(text.find("07000000ffffffff"), std::string::npos) << text;
  EXPECT_NE(text.find("0000803f000000c0"), std::string::npos) << text;
}

// A compute shader of groups of a size, whose body begins with %1, a number of the thread.
bool has_square_quads(unsigned minor, std::string_view size, std::string_view body) {
  const std::string text = R"(target triple = "dxil-ms-dx"
define void @main() {
  %1 = call i32 @dx.op.threadIdInGroup.i32(i32 95, i32 0)
)" + std::string(body) + R"(
  ret void
}
declare i32 @dx.op.threadIdInGroup.i32(i32, i32)
declare float @dx.op.unary.f32(i32, float)
declare i32 @dx.op.quadOp.i32(i32, i32, i8)
declare i32 @dx.op.waveReadLaneFirst.i32(i32, i32)
!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}
!0 = !{i32 1, i32 )" + std::to_string(minor) +
                           "}\n!1 = !{!\"cs\", i32 6, i32 " + std::to_string(minor) +
                           "}\n!2 = !{void ()* @main, !\"main\", null, null, !3}\n!3 = !{i32 4, !4}\n!4 = !{" + std::string(size) + "}\n";
  dxil::Module from;
  Message message;
  EXPECT_TRUE(dxil::parse_module_text(text, from, message)) << to_string(message);
  const auto module = lower(from);
  EXPECT_TRUE(module) << to_string(module.error());
  return module && module->info.square_quads;
}

// src: DirectX-Specs, d3d/HLSL_SM_6_6_Derivatives.md
TEST(LowerDxil, FindsGroupsWhoseQuadsAreSquare) {
  constexpr std::string_view kDerivative = "  %2 = uitofp i32 %1 to float\n  %3 = call float @dx.op.unary.f32(i32 85, float %2)";
  constexpr std::string_view kQuad = "  %2 = call i32 @dx.op.quadOp.i32(i32 123, i32 %1, i8 0)";
  constexpr std::string_view kWave = "  %2 = call i32 @dx.op.waveReadLaneFirst.i32(i32 118, i32 %1)";
  constexpr std::string_view kSquare = "i32 4, i32 2, i32 1";
  EXPECT_TRUE(has_square_quads(6, kSquare, kDerivative));
  EXPECT_TRUE(has_square_quads(8, kSquare, kQuad));
  EXPECT_FALSE(has_square_quads(5, kSquare, kQuad));
  EXPECT_FALSE(has_square_quads(6, kSquare, kWave));
  EXPECT_FALSE(has_square_quads(6, "i32 4, i32 1, i32 1", kDerivative));
  EXPECT_FALSE(has_square_quads(6, "i32 4, i32 3, i32 1", kQuad));
}

TEST(LowerDxil, BoundsCasesOfASwitch) {
  for (const unsigned cases : {32'766U, 32'767U}) {
    std::string text = "define void @main() {\n  switch i32 undef, label %1 [\n";
    for (unsigned at = 0; at < cases; ++at) text += "    i32 " + std::to_string(at) + ", label %1\n";
    const auto module = module_of(text + "  ]\n\n; <label>:1                                       ; preds = %0\n  ret void\n}\n");
    EXPECT_EQ(module.has_value(), cases == 32'766);
    if (!module) {
      EXPECT_EQ(module.error().message, "the switch has more than 32766 cases");
    }
  }
}

// What instructions on structures and calls become is in proportion to the program.
TEST(LowerDxil, BoundsWhatStructuresBecome) {
  const auto text_of = [](unsigned selects, unsigned parameters) {
    std::string text = "%big = type { i32";
    for (unsigned at = 1; at < 4096; ++at) text += ", i32";
    text += " }\n\n";
    std::string given, taken;
    for (unsigned at = 0; at < parameters; ++at) (given += at == 0 ? "" : ", ") += "%big undef";
    for (unsigned at = 0; at < parameters; ++at) (taken += at == 0 ? "" : ", ") += "%big";
    text += "define void @taking(" + taken + ") {\n  ret void\n}\n\ndefine void @main() {\n";
    for (unsigned at = 0; at < selects; ++at) text += "  %" + std::to_string(at + 1) + " = select i1 undef, %big undef, %big undef\n";
    return text + "  call void @taking(" + given + ")\n  ret void\n}\n";
  };
  EXPECT_TRUE(module_of(text_of(100, 15)));
  const auto selects = module_of(text_of(300, 1));
  ASSERT_FALSE(selects);
  EXPECT_EQ(to_string(selects.error()),
            "error[limit]: main: the program has too many instructions or operands once it is lowered to the IR");
  const auto arguments = module_of(text_of(1, 17));
  ASSERT_FALSE(arguments);
  EXPECT_EQ(arguments.error().message, "the call has more than 65534 scalar arguments");
}

// Annotations say it.
TEST(LowerDxil, KnowsWhatIsFoundInHeaps) {
  auto module = lower(sample("bindless_ps_6_6.dxil"));
  ASSERT_TRUE(module) << to_string(module.error());
  auto valid = verified(*std::move(module));
  ASSERT_TRUE(valid);
  const Module made = *optimize(*std::move(valid), 1);
  std::vector<const Resource*> found;
  const Function& function = made.functions[0];
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id])
      if (function.insts[id].op == Op::handle_from_heap) found.push_back(&made.resources[function.insts[id].extra]);
  }
  ASSERT_EQ(found.size(), 2U);
  std::ranges::sort(found, {}, [](const Resource* one) { return one->name; });
  EXPECT_TRUE(found[0]->heap && found[1]->heap);
  EXPECT_EQ(found[0]->name, "ResourceDescriptorHeap");
  EXPECT_EQ(found[0]->kind, dxcontainer::ResourceKind::texture);
  EXPECT_EQ(found[0]->dimension, dxcontainer::ResourceDimension::texture2d);
  EXPECT_EQ(found[0]->return_type, dxcontainer::ReturnType::float_);
  EXPECT_EQ(found[1]->name, "SamplerDescriptorHeap");
  EXPECT_EQ(found[1]->kind, dxcontainer::ResourceKind::sampler);
}

TEST(LowerDxil, RefusesAnEntryThatIsNotThere) {
  const auto from = sample("bitonic_cs_6_0.dxil");
  const auto refused = lower(from, {.entry = "other"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::missing);
}

// The text of a type that a word of a row's `types` stands for; `overloaded`: that of the letter `$o`.
std::string type_text(std::string_view word, const std::string& overloaded) {
  const std::string element = overloaded.starts_with('<') ? overloaded.substr(5, overloaded.size() - 6) : overloaded;
  if (word.ends_with('!')) word.remove_suffix(1);
  if (word == "v") return "void";
  if (word == "h") return "half";
  if (word == "f") return "float";
  if (word == "d") return "double";
  if (word == "i1" || word == "i8" || word == "i16" || word == "i32" || word == "i64") return std::string(word);
  if (word == "$o") return overloaded;
  if (word == "$elt") return element;
  if (word == "$o_i1") return overloaded.starts_with('<') ? "<2 x i1>" : "i1";
  if (word == "$o_i32") return overloaded.starts_with('<') ? "<2 x i32>" : "i32";
  if (word == "$vec4") return "<4 x " + element + ">";
  if (word == "res") return "%dx.types.Handle";
  if (word == "$r" || word == "$cb") return "{ " + element + ", " + element + ", " + element + ", " + element + ", i32 }";
  if (word == "twoi32" || word == "splitdouble") return "{ i32, i32 }";
  if (word == "i32c") return "{ i32, i1 }";
  if (word == "SamplePos") return "{ float, float }";
  if (word == "fouri32" || word == "dims") return "{ i32, i32, i32, i32 }";
  return "i32*";
}

// A shader that calls an operation once, with integers that are zero; other values are undefined.
std::string call_text(const dxil::OperationInfo& row) {
  constexpr std::pair<char, std::string_view> kLetters[] = {{'h', "half"}, {'f', "float"}, {'d', "double"}, {'1', "i1"},
                                                            {'8', "i8"},   {'w', "i16"},   {'i', "i32"},    {'l', "i64"}};
  const bool is_vector = row.overloads.starts_with('<');
  std::string overloaded = "i32*";
  for (const auto& [letter, type] : kLetters) {
    if (row.overloads[is_vector ? 1 : 0] != letter) continue;
    overloaded = is_vector ? "<2 x " + std::string(type) + ">" : std::string(type);
  }
  std::vector<std::string> types;
  for (std::size_t at = 0; at <= row.types.size();) {
    const std::size_t end = std::min(row.types.find(' ', at), row.types.size());
    types.push_back(type_text(row.types.substr(at, end - at), overloaded));
    at = end + 1;
  }
  const std::string name = "@dx.op." + std::string(row.function) + ".f32";
  std::string text = "target triple = \"dxil-ms-dx\"\n%dx.types.Handle = type { i8* }\ndeclare " + types[0] + " " + name + "(i32";
  for (std::size_t at = 1; at < types.size(); ++at) text += ", " + types[at];
  text += ")\ndefine void @main() {\n  " + std::string(types[0] == "void" ? "" : "%1 = ") + "call " + types[0] + " " + name + "(i32 " +
          std::to_string(static_cast<std::int32_t>(row.code));
  for (std::size_t at = 1; at < types.size(); ++at) {
    text += ", " + types[at] + (types[at].starts_with('i') && !types[at].ends_with('*') ? " 0" : " undef");
  }
  return text + R"()
  ret void
}
!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}
!0 = !{i32 1, i32 9}
!1 = !{!"ms", i32 6, i32 9}
!2 = !{void ()* @main, !"main", !3, null, null}
!3 = !{!4, !4, !4}
!4 = !{!5}
!5 = !{i32 0, !"A", i8 9, i8 0, !6, i8 0, i32 1, i8 4, i32 0, i8 0, null}
!6 = !{i32 0}
)";
}

// Nothing checks when compiled that the lowering knows the words of operations.def.
TEST(LowerDxil, KnowsWhatEachOperationMeans) {
  for (const dxil::OperationInfo& row : dxil::operations()) {
    dxil::Module from;
    Message message;
    const std::string text = call_text(row);
    ASSERT_TRUE(dxil::parse_module_text(text, from, message)) << to_string(message) << '\n' << text;
    const auto module = lower(from);
    const std::string refused = std::string(row.text) + " is not supported";
    if (row.sem == "unsupported") {
      ASSERT_FALSE(module) << text;
      EXPECT_EQ(module.error().message, refused);
    } else if (!module) {
      EXPECT_NE(module.error().message, refused) << row.sem;
    }
  }
}

TEST(LowerDxil, ReadsLanesOfEachElement) {
  const std::string text = lowered(R"(declare <2 x i32> @dx.op.waveReadLaneFirst.v2i32(i32, <2 x i32>)
declare <2 x i32> @dx.op.waveActiveOp.v2i32(i32, <2 x i32>, i8, i8)
define void @main() {
  %1 = call <2 x i32> @dx.op.waveReadLaneFirst.v2i32(i32 118, <2 x i32> <i32 3, i32 4>)
  %2 = call <2 x i32> @dx.op.waveActiveOp.v2i32(i32 119, <2 x i32> %1, i8 0, i8 1)
  %3 = extractelement <2 x i32> %2, i32 0
  %4 = extractelement <2 x i32> %2, i32 1
  call void @dx.op.storeOutput.i32(i32 5, i32 0, i32 0, i8 0, i32 %3)
  call void @dx.op.storeOutput.i32(i32 5, i32 0, i32 0, i8 1, i32 %4)
  ret void
})");
  EXPECT_NE(text.find("%0 = wave_read_first i32 3 "), std::string::npos) << text;
  EXPECT_NE(text.find("%1 = wave_read_first i32 4 "), std::string::npos) << text;
  EXPECT_NE(text.find("%3 = wave_reduce i32 iadd inclusive %1 "), std::string::npos) << text;
}

}  // namespace
}  // namespace unshade::ir
