#include <unshade/dxil/operations.hpp>

#include <gtest/gtest.h>

namespace unshade::dxil {

namespace {

TEST(Operations, AreFoundByTheirCode) {
  const OperationInfo* load = find_operation(static_cast<std::uint32_t>(Operation::load_input));
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->text, "LoadInput");
  EXPECT_EQ(load->comment, "LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)");
  EXPECT_EQ(load->function, "loadInput");
  EXPECT_EQ(load->since, ShaderModel::sm6_0);
  EXPECT_EQ(load->access, MemoryAccess::none);
}

TEST(Operations, OfTheSecondTableAreFoundToo) {
  const OperationInfo* nop = find_operation(0x8000'0000);
  ASSERT_NE(nop, nullptr);
  EXPECT_EQ(nop->text, "ExperimentalNop");
  EXPECT_EQ(find_operation(static_cast<std::uint32_t>(Operation::debug_break))->comment, "DebugBreak()");
}

TEST(Operations, OtherCodesAreNone) {
  EXPECT_EQ(find_operation(312), nullptr);
  EXPECT_EQ(find_operation(0x7fff'ffff), nullptr);
  EXPECT_EQ(find_operation(0x8000'0023), nullptr);
  EXPECT_EQ(find_operation(0x8001'0000), nullptr);
  EXPECT_EQ(find_operation(0xffff'ffff), nullptr);
}

TEST(Operations, AreAllThere) {
  EXPECT_EQ(operations().size(), 347U);
  for (const OperationInfo& operation : operations()) EXPECT_EQ(find_operation(operation.code), &operation) << operation.text;
}

}  // namespace

}  // namespace unshade::dxil
