#include <unshade/spirv/code.hpp>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {
namespace {

constexpr std::string_view kLoop = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%long = OpTypeInt 64 0
%main_type = OpTypeFunction %void
%pick_type = OpTypeFunction %int %int %bool
%true = OpConstantTrue %bool
%five = OpConstant %int 5
%wide = OpConstant %long 5
%main = OpFunction %void None %main_type
%entry = OpLabel
OpBranch %head
%head = OpLabel
OpLoopMerge %exit %next None
OpBranchConditional %true %body %exit
%body = OpLabel
OpSelectionMerge %after None
OpSwitch %wide %after 0x100000001 %one 2 %after
%one = OpLabel
OpBranch %after
%after = OpLabel
OpBranch %next
%next = OpLabel
OpBranch %head
%exit = OpLabel
OpReturn
OpFunctionEnd
%pick = OpFunction %int Pure %pick_type
%a = OpFunctionParameter %int
%b = OpFunctionParameter %bool
%only = OpLabel
%sum = OpIAdd %int %a %five
OpReturnValue %sum
OpFunctionEnd
)";

struct Read {
  std::vector<std::byte> bytes;
  Result<Module> module;
  IdTable ids;
  Result<Code> code;

  explicit Read(std::vector<std::byte> from)
      : bytes(std::move(from)), module(parse(test::view_of(bytes))), ids(*module), code(read_code(*module, ids)) {}
  explicit Read(std::string_view text) : Read(test::assembled(text)) {}
};

TEST(SpirvCode, ReadsFunctionsAndBlocks) {
  const Read read(kLoop);
  ASSERT_TRUE(read.code) << to_string(read.code.error());
  const Code& code = *read.code;
  ASSERT_EQ(code.functions().size(), 2U);
  const CodeFunction& main = code.functions()[0];
  const CodeFunction& pick = code.functions()[1];
  EXPECT_EQ(code.find_function(pick.id), &pick);
  EXPECT_EQ(code.find_function(pick.type), nullptr);
  EXPECT_EQ(read.ids.definition(main.type)->opcode(), Opcode::type_function);
  EXPECT_EQ(pick.control, 4U);
  ASSERT_EQ(code.parameters(pick).size(), 2U);
  EXPECT_EQ(code.parameters(pick)[0].type, pick.result_type);

  const auto blocks = code.blocks(main);
  ASSERT_EQ(blocks.size(), 7U);
  const auto successors = [&](std::size_t block) {
    const auto all = code.successors(blocks[block]);
    return std::vector(all.begin(), all.end());
  };
  using Blocks = std::vector<std::uint32_t>;
  EXPECT_EQ(successors(0), (Blocks{1}));
  EXPECT_EQ(successors(1), (Blocks{2, 6}));
  EXPECT_EQ(successors(2), (Blocks{4, 3, 4}));
  EXPECT_EQ(successors(6), Blocks{});
  EXPECT_EQ(blocks[1].merge, 6U);
  EXPECT_EQ(blocks[1].continue_, 5U);
  EXPECT_EQ(blocks[2].merge, 4U);
  EXPECT_EQ(blocks[2].continue_, kNone);
  ASSERT_EQ(code.cases(blocks[2]).size(), 2U);
  EXPECT_EQ(code.cases(blocks[2])[0].value, 0x1'0000'0001U);
  EXPECT_EQ(code.cases(blocks[2])[1].block, 4U);
  EXPECT_EQ(code.find_block(blocks[3].label), 3U);

  std::vector<Opcode> opcodes;
  for (const Instruction i : code.instructions(code.blocks(pick)[0])) opcodes.push_back(i.opcode());
  EXPECT_EQ(opcodes, (std::vector{Opcode::i_add, Opcode::return_value}));
}

TEST(SpirvCode, GivesGraphs) {
  const Read read(kLoop);
  ASSERT_TRUE(read.code);
  const Graph graph = read.code->graph(read.code->functions()[0]);
  Dominators dominators;
  dominators.examine(graph);
  Loops loops;
  loops.find(graph, dominators);
  EXPECT_EQ(loops.header_of(3), 1U);
  EXPECT_EQ(loops.header_of(6), Graph::kNone);
  EXPECT_EQ(dominators.immediate_dominator(4), 2U);
}

TEST(SpirvCode, LocatesErrors) {
  using test::head;
  const auto error_of = [](std::initializer_list<std::uint32_t> words) {
    const Read read(test::module_of(words));
    return read.code ? std::string("none") : std::to_string(read.code.error().offset) + ' ' + read.code.error().message;
  };
  constexpr std::uint32_t kFunction = head(54, 5);
  constexpr std::uint32_t kLabel = head(248, 2);
  constexpr std::uint32_t kBranch = head(249, 2);
  constexpr std::uint32_t kReturn = head(253, 1);
  constexpr std::uint32_t kEnd = head(56, 1);
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, kReturn, kEnd}), "none");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kEnd}), "none");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, kBranch, 9, kEnd}), "52 %9 is not a block of the function");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, kReturn, kEnd, kFunction, 1, 5, 0, 3, kLabel, 6, kBranch, 4, kEnd}),
            "88 %4 is not a block of the function");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, kEnd}), "48 the last block has no terminator");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, kReturn}), "48 the module ends in a function");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, kLabel, 5}), "48 the previous block has no terminator");
  EXPECT_EQ(error_of({kLabel, 4}), "20 OpLabel outside of functions");
  EXPECT_EQ(error_of({kReturn}), "20 a terminator outside of blocks");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kReturn}), "40 the instruction is not in a block");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, kReturn, kLabel, 4}), "52 a second block %4");
  EXPECT_EQ(error_of({kFunction, 1, 2, 0, 3, kLabel, 4, head(251, 3), 1, 4, kEnd}), "48 the selector is not an integer");
}

}  // namespace
}  // namespace unshade::spirv
