#include <unshade/dxcontainer/vocabulary.hpp>

#include <gtest/gtest.h>

#include <set>

#include <unshade/dxcontainer/words.hpp>

namespace unshade::dxcontainer {
namespace {

TEST(VocabularyTest, SpellsAValueAsEachReaderDoes) {
  EXPECT_EQ(id(InputPrimitive::line_adjacency), "line_adjacency");
  EXPECT_EQ(dxc_text(InputPrimitive::patch_32), "patch32");
  EXPECT_EQ(fxc_text(TessellatorOutput::triangle_clockwise), "Clockwise Triangles");
  EXPECT_EQ(field_type(InputPrimitive{}).names->find(6), "line_adjacency");
  EXPECT_EQ(part_field_type(InputPrimitive{}).names->find(6), "line_with_adjacency");
  EXPECT_EQ((kNamesOf<SystemValue, &Word::llvm>.find(67)), "DepthGE");
  EXPECT_EQ(hlsl_word(ResourceDimension::texture2d_ms_array), "Texture2DMSArray");
  EXPECT_EQ(hlsl_word(BaseType::int64), "int64_t");
}

TEST(VocabularyTest, HasNoWordForOtherNumbers) {
  EXPECT_EQ(id(static_cast<SystemValue>(17)), "");
  EXPECT_EQ(fxc_text(static_cast<ResourceKind>(99)), "");
  EXPECT_EQ(dxc_text(static_cast<SemanticKind>(999)), "");
}

TEST(VocabularyTest, DocumentsOfPartsNameNothingThatOnlyReportsHave) {
  EXPECT_EQ(id(ResourceKind::push_constants), "push_constants");
  EXPECT_EQ(field_type(ResourceKind{}).names->find(258), "");
  EXPECT_EQ(field_type(BaseType{}).names->find(61), "");
}

TEST(VocabularyTest, RegistersHaveLetters) {
  EXPECT_EQ(register_letters(ResourceKind::cbuffer), "cb");
  EXPECT_EQ(register_letters(ResourceKind::acceleration_structure), "t");
  EXPECT_EQ(register_letters(ResourceKind::storage_buffer), "");
  EXPECT_EQ(register_letters(static_cast<ResourceKind>(99)), "u");
}

TEST(VocabularyTest, ElementsWithoutARegisterHaveATextForIt) {
  EXPECT_EQ(special_register_text("sv_depth", SystemValue::undefined), "   oDepth");
  EXPECT_EQ(special_register_text("SV_PrimitiveID", SystemValue::primitive_id), "   primID");
  EXPECT_EQ(special_register_text("SV_PrimitiveID", SystemValue::undefined), "  special");
  EXPECT_EQ(special_output("SV_Coverage"), SystemValue::coverage);
  EXPECT_EQ(special_output("SV_Target"), std::nullopt);
}

TEST(VocabularyTest, EachNumberingOfDimensionsIsUnique) {
  std::set<std::uint32_t> tokens;
  std::set<std::uint32_t> kinds;
  for (const Shape& shape : kShapes) {
    EXPECT_TRUE(tokens.insert(shape.token_number).second) << shape.token;
    EXPECT_TRUE(shape.kind == 0 || kinds.insert(shape.kind).second) << shape.token;
  }
}

}  // namespace
}  // namespace unshade::dxcontainer
