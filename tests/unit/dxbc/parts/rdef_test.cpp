#include <unshade/dxbc/rdef.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace unshade::dxbc {
namespace {

using dxcontainer::fourcc;
using dxcontainer::Part;

/// A part's data, written dword by dword.
class Bytes {
 public:
  Bytes& u32(std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  Bytes& u16(std::uint16_t low, std::uint16_t high) { return u32(low | static_cast<std::uint32_t>(high) << 16); }
  /// Text with its zero, padded to 4 bytes with 0xab.
  Bytes& text(const char* text) {
    for (std::size_t i = 0; i <= std::strlen(text); ++i) bytes_.push_back(static_cast<std::byte>(text[i]));
    while (bytes_.size() % 4 != 0) bytes_.push_back(std::byte{0xab});
    return *this;
  }
  void set32(std::size_t at, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) bytes_[at + i] = static_cast<std::byte>(value >> (8 * i));
  }
  const std::vector<std::byte>& get() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  Part part(std::uint64_t file_offset = 0) const { return {fourcc("RDEF"), 0, View(bytes_, file_offset)}; }

 private:
  std::vector<std::byte> bytes_;
};

/// Shader model 4: one buffer of two variables that share a type, one binding.
Bytes shader_model_4() {
  Bytes b;
  b.u32(1).u32(60).u32(1).u32(28).u32(0xffff'0400).u32(0x100).u32(164);  // 0: header
  b.u32(180).u32(0).u32(0).u32(0).u32(0).u32(2).u32(1).u32(1);           // 28: binding
  b.u32(180).u32(2).u32(84).u32(32).u32(0).u32(0);                       // 60: buffer
  b.u32(184).u32(0).u32(16).u32(2).u32(132).u32(148);                    // 84: variable a, with a default value
  b.u32(188).u32(16).u32(16).u32(0).u32(132).u32(0);                     // 108: variable b
  b.u16(1, 3).u16(1, 4).u16(0, 0).u32(0);                                // 132: float4
  b.u32(0x3f80'0000).u32(0).u32(0).u32(0x3f80'0000);                     // 148: default value
  b.text("a compiler 1.0").text("cb").text("a").text("b");               // 164, 180, 184, 188
  return b;
}

TEST(RdefTest, ReadsShaderModel4) {
  const Bytes bytes = shader_model_4();
  const auto rdef = parse_rdef(bytes.part());
  ASSERT_TRUE(rdef) << to_string(rdef.error());
  EXPECT_EQ(rdef->major_version, 4);
  EXPECT_EQ(rdef->minor_version, 0);
  EXPECT_EQ(rdef->target, RdefTarget::pixel);
  EXPECT_EQ(rdef->creator.text, "a compiler 1.0");
  EXPECT_EQ(rdef->magic, 0U);
  EXPECT_FALSE(rdef->has_space());

  ASSERT_EQ(rdef->bindings.size(), 1U);
  EXPECT_EQ(rdef->bindings[0].name.text, "cb");
  EXPECT_EQ(rdef->bindings[0].kind, ResourceKind::cbuffer);
  EXPECT_EQ(rdef->bindings[0].bind_point, 2U);

  ASSERT_EQ(rdef->constant_buffers.size(), 1U);
  const ConstantBuffer& buffer = rdef->constant_buffers[0];
  EXPECT_EQ(buffer.size, 32U);
  ASSERT_EQ(buffer.variables.size(), 2U);
  EXPECT_TRUE(buffer.variables[0].is_used());
  EXPECT_FALSE(buffer.variables[1].is_used());
  ASSERT_EQ(buffer.variables[0].default_value.size(), 1U);
  EXPECT_EQ(buffer.variables[0].default_value[0].bytes.u32(0), 0x3f80'0000U);
  EXPECT_TRUE(buffer.variables[1].default_value.empty());

  ASSERT_EQ(rdef->types.size(), 1U) << "the same record is one type";
  EXPECT_EQ(buffer.variables[0].type, buffer.variables[1].type);
  EXPECT_EQ(rdef->types[0].variable_class, TypeClass::vector);
  EXPECT_EQ(rdef->types[0].type, BaseType::float_);
  EXPECT_EQ(rdef->types[0].columns, 4);
}

TEST(RdefTest, WritesBackWhatItRead) {
  const Bytes bytes = shader_model_4();
  const auto rdef = parse_rdef(bytes.part());
  ASSERT_TRUE(rdef);
  EXPECT_EQ(write_rdef(*rdef), bytes.get());
}

TEST(RdefTest, EveryByteIsNamed) {
  const Bytes bytes = shader_model_4();
  Tree tree{View(bytes.get())};
  record_rdef(bytes.part(), tree, 0);
  tree.fill_gaps({});
  EXPECT_TRUE(tree.errors().empty());
  EXPECT_EQ(tree.coverage().unknown, 0U);
  EXPECT_EQ(tree.coverage().total, bytes.size());
}

TEST(RdefTest, EveryTruncationIsAnErrorWithOffsetAndPath) {
  const Bytes bytes = shader_model_4();
  // The last three bytes are padding behind the last name.
  for (std::size_t size = 0; size + 3 < bytes.size(); ++size) {
    const Part part{fourcc("RDEF"), 0, View(std::span(bytes.get()).first(size), 1000)};
    const auto rdef = parse_rdef(part);
    ASSERT_FALSE(rdef) << size;
    EXPECT_GE(rdef.error().offset, 1000U);
    EXPECT_TRUE(rdef.error().path.starts_with("RDEF/")) << rdef.error().path;
  }
}

TEST(RdefTest, NamesTheFieldOfAFault) {
  Bytes bytes = shader_model_4();
  bytes.set32(108, 5000);  // the name of variable b
  const auto rdef = parse_rdef(bytes.part(100));
  ASSERT_FALSE(rdef);
  EXPECT_EQ(rdef.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(rdef.error().path, "RDEF/constant_buffers[0]/variables[1]/name");
  EXPECT_EQ(rdef.error().offset, 208U);
}

/// Shader model 5.0: a struct of one member, whose type is `member_type`.
Bytes shader_model_5(std::uint32_t member_type) {
  Bytes b;
  b.u32(1).u32(60).u32(0).u32(60).u32(0x4353'0500).u32(0x100).u32(208);  // 0: header
  b.u32(kRdefMagic50).u32(60).u32(24).u32(32).u32(40).u32(36).u32(12).u32(0);
  b.u32(212).u32(1).u32(84).u32(16).u32(0).u32(0);                                   // 60: buffer
  b.u32(216).u32(0).u32(16).u32(2).u32(124).u32(0).u32(~0U).u32(0).u32(~0U).u32(0);  // 84: variable
  b.u16(5, 0).u16(1, 4).u16(0, 1).u32(160).u32(0).u32(0).u32(0).u32(0).u32(220);     // 124: struct
  b.u32(216).u32(member_type).u32(0);                                                // 160: member
  b.u16(1, 3).u16(1, 4).u16(0, 0).u32(0).u32(0).u32(0).u32(0).u32(0).u32(224);       // 172: float4
  b.text("fx").text("cb").text("v").text("S").text("float4");                        // 208, 212, 216, 220, 224
  return b;
}

TEST(RdefTest, ReadsNestedTypesOfShaderModel5) {
  const Bytes bytes = shader_model_5(172);
  const auto rdef = parse_rdef(bytes.part());
  ASSERT_TRUE(rdef) << to_string(rdef.error());
  EXPECT_EQ(rdef->target, RdefTarget::compute);
  EXPECT_TRUE(rdef->strides.has_class_info());
  ASSERT_EQ(rdef->types.size(), 2U);
  const Variable& variable = rdef->constant_buffers[0].variables[0];
  const Type& outer = rdef->types[variable.type];
  EXPECT_EQ(outer.name.text, "S");
  EXPECT_TRUE(outer.is_struct());
  EXPECT_EQ(outer.subtype, kNoType);
  ASSERT_EQ(outer.members.size(), 1U);
  EXPECT_EQ(rdef->types[outer.members[0].type].name.text, "float4");
  EXPECT_EQ(variable.start_texture, 0xffff'ffffU);
  EXPECT_EQ(write_rdef(*rdef), bytes.get());
}

TEST(RdefTest, ATypeThatContainsItselfIsACycle) {
  const auto rdef = parse_rdef(shader_model_5(124).part());
  ASSERT_FALSE(rdef);
  EXPECT_EQ(rdef.error().code, ErrorCode::cycle);
  EXPECT_EQ(rdef.error().path, "RDEF/constant_buffers[0]/variables[0]/type/members[0]/type");
}

TEST(RdefTest, ATypeOffTheGridIsRefused) {
  const auto rdef = parse_rdef(shader_model_5(173).part());
  ASSERT_FALSE(rdef);
  EXPECT_EQ(rdef.error().code, ErrorCode::bad_value);
}

TEST(RdefTest, OverlappingVariableTablesAreRefused) {
  // Buffers that all name the same table of variables: the records read would be the square of the bytes.
  Bytes good = shader_model_4();
  good.set32(0, 4);
  good.set32(4, static_cast<std::uint32_t>(good.size()));
  for (int i = 0; i < 4; ++i) good.u32(180).u32(2).u32(84).u32(32).u32(0).u32(0);
  ASSERT_TRUE(parse_rdef(good.part())) << "two tables of 48 bytes each fit in";
  good.set32(0, 12);
  for (int i = 0; i < 8; ++i) good.u32(180).u32(2).u32(84).u32(32).u32(0).u32(0);
  const auto overlapping = parse_rdef(good.part());
  ASSERT_FALSE(overlapping);
  EXPECT_EQ(overlapping.error().code, ErrorCode::overlap);
}

TEST(RdefTest, StridesTooSmallForTheirRecordsAreRefused) {
  Bytes bytes = shader_model_5(172);
  bytes.set32(44, 16);  // of variables
  const auto rdef = parse_rdef(bytes.part());
  ASSERT_FALSE(rdef);
  EXPECT_EQ(rdef.error().code, ErrorCode::bad_value);
}

TEST(RdefTest, PlacesWhatHasNoPlace) {
  Rdef rdef;
  rdef.major_version = 5;
  rdef.minor_version = 1;
  rdef.target = RdefTarget::vertex;
  rdef.creator.text = "unshade";
  rdef.magic = kRdefMagic51;
  rdef.strides = {60, 24, 40, 40, 36, 12};
  Type scalar;
  scalar.type = BaseType::float_;
  scalar.rows = scalar.columns = 1;
  scalar.name.text = "float";
  rdef.types.push_back(scalar);
  Variable variable;
  variable.name.text = "gain";
  variable.size = 4;
  variable.flags = kVariableUsed;
  variable.type = 0;
  ConstantBuffer buffer;
  buffer.name.text = "Globals";
  buffer.size = 16;
  buffer.variables.items.push_back(variable);
  rdef.constant_buffers.items.push_back(buffer);
  Binding binding;
  binding.name.text = "Globals";
  binding.bind_count = 1;
  binding.space = 3;
  binding.id = 7;
  rdef.bindings.items.push_back(binding);

  const auto bytes = write_rdef(rdef);
  const auto again = parse_rdef({fourcc("RDEF"), 0, View(bytes)});
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->creator.text, "unshade");
  EXPECT_EQ(again->bindings[0].space, 3U);
  EXPECT_EQ(again->bindings[0].id, 7U);
  const Variable& read = again->constant_buffers[0].variables[0];
  EXPECT_EQ(read.name.text, "gain");
  EXPECT_EQ(again->types[read.type].name.text, "float");
  EXPECT_EQ(write_rdef(*again), bytes);
}

TEST(RdefTest, NamesAndWords) {
  EXPECT_EQ(id(ResourceKind::uav_append), "uav_append");
  EXPECT_EQ(fxc_text(ResourceKind::uav_append), "UAV");
  EXPECT_EQ(fxc_text(ResourceDimension::texture2d_ms_array), "2darrayMS");
  EXPECT_EQ(fxc_text(BaseType::min16float), "min16float");
  EXPECT_EQ(id(static_cast<ReturnType>(99)), "");
  EXPECT_EQ(id(RdefTarget::hull), "hull");
}

}  // namespace
}  // namespace unshade::dxbc
