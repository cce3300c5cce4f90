#include <unshade/ir/analysis/names.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/ir/text.hpp>

namespace unshade::ir {
namespace {

std::unordered_map<std::string, std::uint64_t> keys_of(std::string_view text) {
  const auto module = parse(text);
  EXPECT_TRUE(module);
  std::unordered_map<std::string, std::uint64_t> made;
  if (!module) return made;
  const Function& function = module->functions[0];
  const auto keys = content_keys(*module, function);
  for (const auto& [id, name] : function.names) made.emplace(name, keys[id]);
  return made;
}

TEST(IrNames, TakeDebugInformationApart) {
  Function function;
  function.names = {{0, "color.y"}, {1, "color"}, {2, "m.7"}, {3, ".x"}, {4, "a.b"}, {5, "big.255"}};
  EXPECT_EQ(name_of(function, 0).variable, "color");
  EXPECT_EQ(name_of(function, 0).component, 1);
  EXPECT_EQ(name_of(function, 1).variable, "color");
  EXPECT_EQ(name_of(function, 1).component, kNoComponent);
  EXPECT_EQ(name_of(function, 2).component, 7);
  EXPECT_EQ(name_of(function, 3).variable, ".x");
  EXPECT_EQ(name_of(function, 4).variable, "a.b");
  EXPECT_EQ(name_of(function, 5).variable, "big.255");
  EXPECT_EQ(name_of(function, 6).variable, "");
}

TEST(IrNames, FallBackToRegisters) {
  const auto assembly = dxbc::assemble_program(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nadd r0.yz, v0.xyzw, v0.wzyx\nmov o0.xyzw, r0.yzyz\nret\n");
  ASSERT_TRUE(assembly.messages.empty());
  const dxcontainer::Part part{dxcontainer::fourcc("SHEX"), 0, View(std::as_bytes(std::span(assembly.tokens)))};
  const auto program = dxbc::parse_program(part);
  ASSERT_TRUE(program);
  const auto registers = written_registers(*program);
  const auto module = lower(*program);
  ASSERT_TRUE(module);
  const Function& function = module->functions[0];
  std::string found;
  for (Id id = 0; id < function.insts.size(); ++id)
    if (function.insts[id].op == Op::fadd) found += register_name(function, id, registers) + ' ';
  EXPECT_EQ(found, "r0.y r0.z ");
}

// A place of a variable that begins after an instruction names what that wrote there.
TEST(IrNames, ComeFromDebugPartsOfDxbc) {
  const auto assembly = dxbc::assemble_program(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\nadd r0.yz, v0.xyzw, v0.wzyx\nmul r1.x, r0.y, r0.z\n"
      "mov o0.xyzw, r1.xxxx\nret\n");
  ASSERT_TRUE(assembly.messages.empty());
  const dxcontainer::Part part{dxcontainer::fourcc("SHEX"), 0, View(std::as_bytes(std::span(assembly.tokens)))};
  const auto program = dxbc::parse_program(part);
  ASSERT_TRUE(program);
  std::uint32_t after_add = 0;
  dxbc::Decoder decoder(*program);
  for (dxbc::Instruction in; !decoder.at_end() && decoder.next(in);)
    if (in.info->text == "add")
      after_add = static_cast<std::uint32_t>(in.bytes.file_offset() - program->tokens.file_offset() + 4 * in.length_tokens);
  dxbc::DebugInfo debug;
  debug.variables.push_back({.name = "color"});
  debug.variables.push_back({.name = "other"});
  debug.scopes.emplace_back();
  debug.locations.push_back({.variable = 0, .bytes = 4, .dimensions = 1, .register_offset = {8, 0}, .range = {after_add, 1000}});
  debug.locations.push_back({.variable = 1, .bytes = 4, .dimensions = 1, .register_offset = {0, 0}, .range = {after_add, 1000}});
  debug.locations.push_back({.variable = 1, .bytes = 4, .dimensions = 1, .register_offset = {4, 0}, .range = {after_add + 4, 1000}});
  DxbcInterface interface;
  interface.debug = &debug;
  const auto module = lower(*program, interface);
  ASSERT_TRUE(module);
  const Function& function = module->functions[0];
  ASSERT_EQ(function.names.size(), 1U);
  const auto& [id, name] = *function.names.begin();
  EXPECT_EQ(name, "color");
  EXPECT_EQ(function.insts[id].op, Op::fadd);
  EXPECT_EQ(function.sources[id].component, 2);
}

// What a value computes gives its number, not where it stands.
TEST(IrNames, KeysFollowFromContent) {
  const auto before = keys_of(R"(stage pixel
input "A" type f32 register 0
input "B" type f32 register 1
function @f {
^0:
  %a = input f32 in0.x
  %b = input f32 in1.x
  %sum = fadd f32 %a %b
  %same = fadd f32 %a %b
  %other = fadd f32 %b %a
  %more = fmul f32 %sum 2.0
  return
}
)");
  const auto after = keys_of(R"(stage pixel
input "C" type f32 register 2
input "B" type f32 register 1
input "A" type f32 register 0
function @f {
^0:
  %c = input f32 in0.x
  %new = fneg f32 %c
  branch true ^1 ^2
^1:
  jump ^2
^2:
  %b = input f32 in1.x
  %a = input f32 in2.x
  %sum = fadd f32 %a %b
  %more = fmul f32 %sum 2.0
  return
}
)");
  for (const char* name : {"a", "b", "sum", "more"}) EXPECT_EQ(before.at(name), after.at(name)) << name;
  EXPECT_EQ(before.at("sum"), before.at("same"));
  EXPECT_NE(before.at("sum"), before.at("other"));
}

// A name that is taken is told apart by what it names, whatever was named before.
TEST(IrNames, ClaimsAreStable) {
  Namer one(ShadingLanguage::hlsl), other(ShadingLanguage::hlsl);
  EXPECT_EQ(one.claim("color", 1), "color");
  const std::string second = one.claim("color", 77);
  EXPECT_NE(second, "color");
  EXPECT_TRUE(second.starts_with("color_")) << second;
  EXPECT_EQ(other.claim("color", 1), "color");
  EXPECT_NE(other.claim("color", 5), second);
  EXPECT_EQ(other.claim("color", 77), second);
  std::set<std::string> all;
  Namer many(ShadingLanguage::glsl);
  for (unsigned at = 0; at < 500; ++at) all.insert(many.claim("texture", 9));
  EXPECT_EQ(all.size(), 500U);
  for (const std::string& name : all) EXPECT_TRUE(may_be_identifier(ShadingLanguage::glsl, name)) << name;
}

}  // namespace
}  // namespace unshade::ir
