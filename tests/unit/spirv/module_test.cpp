#include <unshade/spirv/module.hpp>

#include <gtest/gtest.h>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {

namespace {

using test::head;
using test::module_of;
using test::view_of;

TEST(Grammar, RowsAreFoundByValueAndByName) {
  ASSERT_NE(find_opcode(61U), nullptr);
  EXPECT_EQ(find_opcode(61U)->text, "Load");
  EXPECT_EQ(find_opcode("Load")->opcode, Opcode::load);
  EXPECT_TRUE(find_opcode("Load")->has_type);
  EXPECT_EQ(find_opcode(60000U), nullptr);
  EXPECT_EQ(find_opcode("NoSuchThing"), nullptr);
  EXPECT_EQ(find_enumerant(OperandKind::decoration, 33U)->text, "Binding");
  EXPECT_EQ(find_enumerant(OperandKind::decoration, "Binding")->value, 33U);
  EXPECT_EQ(find_enumerant(OperandKind::decoration, "Uniform")->value, 26U);
  EXPECT_EQ(find_enumerant(OperandKind::storage_class, "Uniform")->value, 2U);
  EXPECT_EQ(find_enumerant(OperandKind::storage_class, 12345U), nullptr);
  EXPECT_EQ(find_enumerant(OperandKind::id_ref, 1U), nullptr);
  EXPECT_EQ(find_set("GLSL.std.450"), ExtendedSet::GlslStd450);
  EXPECT_EQ(find_set("NonSemantic.ClspvReflection.5"), ExtendedSet::ClspvReflection);
  EXPECT_EQ(find_set("NonSemantic.x"), ExtendedSet::other_non_semantic);
  EXPECT_EQ(find_set("GLSL"), ExtendedSet::none);
  EXPECT_EQ(find_extended(ExtendedSet::GlslStd450, 46U)->text, "FMix");
  EXPECT_EQ(find_extended(ExtendedSet::GlslStd450, "FMix")->number, 46U);
  EXPECT_EQ(find_extended(ExtendedSet::none, 1U), nullptr);
  EXPECT_EQ(generator_text(8), "Khronos Glslang Reference Front End");
  EXPECT_TRUE(generates_type(Opcode::type_struct));
  EXPECT_FALSE(generates_type(Opcode::type_forward_pointer));
}

TEST(Grammar, TheFirstNameOfAValueIsFound) {
  // SubgroupEqMask and SubgroupEqMaskKHR; both are known to the assembler.
  EXPECT_EQ(find_enumerant(OperandKind::built_in, 4416U)->text, "SubgroupEqMask");
  EXPECT_EQ(find_enumerant(OperandKind::built_in, "SubgroupEqMaskKHR")->value, 4416U);
  EXPECT_EQ(find_opcode(4450U)->text, "SDot");
  EXPECT_EQ(find_opcode("SDotKHR")->opcode, Opcode::s_dot);
}

TEST(Parse, GivesHeaderAndInstructionsAtAnyOffset) {
  const auto bytes = module_of({head(17, 2), 1, head(14, 3), 0, 1});
  std::vector<std::byte> shifted(3);
  shifted.insert(shifted.end(), bytes.begin(), bytes.end());
  const auto module = parse(View({shifted.data() + 3, bytes.size()}, 3));
  ASSERT_TRUE(module);
  EXPECT_EQ(module->header().bound, 100U);
  EXPECT_EQ(module->instruction_count(), 2U);
  std::vector<Opcode> opcodes;
  for (const Instruction instruction : *module) opcodes.push_back(instruction.opcode());
  EXPECT_EQ(opcodes, (std::vector{Opcode::capability, Opcode::memory_model}));
  EXPECT_EQ(module->file_offset(module->at(7), 1), 3 + 32U);
  EXPECT_EQ(module->at(7).word(2), 1U);
  EXPECT_EQ(module->at(7).word(3), 0U);
}

TEST(Parse, RefusesWhatIsNoModule) {
  const auto code_of = [](const std::vector<std::byte>& bytes) { return parse(view_of(bytes)).error(); };
  auto bytes = module_of({head(17, 2), 1});
  bytes.resize(19);
  EXPECT_EQ(code_of(bytes).code, ErrorCode::truncated);
  EXPECT_EQ(code_of(bytes).path, "header");
  bytes = module_of({head(17, 2), 1});
  bytes[0] = std::byte{0};
  EXPECT_EQ(code_of(bytes).code, ErrorCode::bad_magic);
  bytes = module_of({head(17, 2), 1});
  bytes.push_back({});
  EXPECT_EQ(code_of(bytes).code, ErrorCode::truncated);
  EXPECT_EQ(code_of(bytes).offset, 28U);
  EXPECT_EQ(code_of(module_of({head(17, 2), 1, head(17, 0)})).path, "instructions[1]/word_count");
  EXPECT_EQ(code_of(module_of({head(17, 2), 1, head(17, 0)})).code, ErrorCode::bad_value);
  EXPECT_EQ(code_of(module_of({head(17, 3), 1})).code, ErrorCode::truncated);
}

TEST(Parse, EveryTruncationIsAnErrorOrAModule) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv");
  ASSERT_FALSE(bytes.empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const View view({bytes.data(), size});
    const auto module = parse(view);
    EXPECT_TRUE(module || module.error().offset <= size) << size;
    Tree tree(view);
    record_module(view, tree, 0);
    tree.fill_gaps({});
    EXPECT_EQ(tree.coverage().total, size);
    if (!module) continue;
    Text text;
    list_module(*module, text, {.exact = true});
    const auto again = assemble(text.view());
    ASSERT_TRUE(again) << size << ": " << to_string(again.error());
    EXPECT_TRUE(*again == std::vector<std::byte>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))) << size;
  }
}

TEST(Operands, AreDecodedByTypeAndImport) {
  const auto bytes = test::assembled(
      "%set = OpExtInstImport \"GLSL.std.450\"\n"
      "%long = OpTypeInt 64 1\n%float = OpTypeFloat 32\n"
      "%c = OpConstant %long -2\n"
      "%r = OpExtInst %float %set FMix %c %c %c\n"
      "OpSwitch %c %r 7 %r\n");
  const auto module = parse(view_of(bytes));
  ASSERT_TRUE(module);
  const IdTable ids(*module);
  std::vector<Operand> operands;
  std::vector<std::string> texts;
  for (const Instruction instruction : *module) {
    EXPECT_EQ(decode_operands(instruction, ids, operands), Decoded::whole);
    for (const Operand& operand : operands) texts.emplace_back(operand.name);
    if (instruction.opcode() == Opcode::constant) {
      ASSERT_EQ(operands.size(), 3U);
      EXPECT_EQ(operands[2].words, 2);
      EXPECT_EQ(operands[2].number.width, 64);
      EXPECT_TRUE(operands[2].number.is_signed);
      EXPECT_EQ(literal_bits(instruction, operands[2]), ~std::uint64_t{1});
    }
    if (instruction.opcode() == Opcode::ext_inst) {
      ASSERT_NE(operands[3].extended, nullptr);
      EXPECT_EQ(operands[3].extended->text, "FMix");
      EXPECT_EQ(operands.size(), 7U);
    }
    if (instruction.opcode() == Opcode::switch_) {
      ASSERT_EQ(operands.size(), 4U);
      EXPECT_EQ(operands[2].kind, OperandKind::literal_number);
      EXPECT_EQ(operands[2].words, 2);
      EXPECT_EQ(operands[3].kind, OperandKind::id_ref);
    }
  }
  EXPECT_EQ(ids.type_of(4), 2U);
  EXPECT_EQ(ids.definition(3)->opcode(), Opcode::type_float);
  EXPECT_FALSE(ids.definition(77));
  EXPECT_FALSE(ids.definition(0xffff'ffff));
}

TEST(Operands, OfMasksFollowInTheOrderOfBits) {
  // OpImageSampleExplicitLod with Lod|ConstOffset: two ids behind the mask.
  const auto bytes = module_of({head(88, 8), 1, 2, 3, 4, 0x2 | 0x8, 5, 6});
  const auto module = parse(view_of(bytes));
  ASSERT_TRUE(module);
  std::vector<Operand> operands;
  EXPECT_EQ(decode_operands(*module->begin(), IdTable(*module), operands), Decoded::whole);
  EXPECT_EQ(operands.size(), 7U);
}

TEST(Operands, UnknownOnesAreKeptAsWords) {
  std::vector<Operand> operands;
  const auto decoded = [&](std::initializer_list<std::uint32_t> words) {
    const auto bytes = module_of(words);
    const auto module = parse(view_of(bytes));
    return decode_operands(*module->begin(), IdTable(*module), operands);
  };
  EXPECT_EQ(decoded({head(17, 2), 54321}), Decoded::in_part);
  ASSERT_EQ(operands.size(), 1U);
  EXPECT_EQ(operands[0].kind, OperandKind::unknown);
  EXPECT_EQ(decoded({head(17, 3), 1, 2}), Decoded::too_long);
  EXPECT_EQ(decoded({head(60000, 3), 1, 2}), Decoded::in_part);
  EXPECT_EQ(operands.size(), 2U);
  EXPECT_EQ(decoded({head(14, 2), 0}), Decoded::too_short);
  EXPECT_EQ(decoded({head(5, 3), 1, 0x41414141}), Decoded::in_part);  // a text without an end
  EXPECT_EQ(decoded({head(43, 4), 1, 2, 3}), Decoded::in_part);       // a constant of no type
}

TEST(Strings, AreReadInEitherByteOrder) {
  for (const bool is_big : {false, true}) {
    const auto bytes = module_of({head(5, 4), 1, 0x64636261, 0x00000065}, is_big);
    const auto module = parse(view_of(bytes));
    ASSERT_TRUE(module);
    EXPECT_EQ(module->is_big_endian(), is_big);
    EXPECT_EQ(literal_string(*module->begin(), 2), "abcde");
    EXPECT_EQ(literal_string(*module->begin(), 9), "");
    EXPECT_EQ(IdTable(*module).name(1)->opcode(), Opcode::name);
  }
}

TEST(ModuleTree, NamesEveryByte) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv");
  Tree tree(view_of(bytes));
  record_module(tree.file(), tree, 0);
  tree.fill_gaps({});
  EXPECT_TRUE(tree.errors().empty());
  EXPECT_EQ(tree.coverage().named, bytes.size());
  std::string all;
  for (std::uint32_t i = 0; i < tree.fields().size(); ++i) {
    const Field& field = tree.fields()[i];
    if (field.type->kind == FieldKind::group) continue;
    Text text;
    text << tree.path(i) << '=';
    tree.print_value(text, field);
    all += text.str() + '\n';
  }
  for (const std::string_view line :
       {"header/version=1.6\n", "instruction[0]/capability=Shader\n", "/name=\"GLSL.std.450\"\n", "/instruction=FMix\n",
        "/value=-2147483648\n", "/memory_access=Volatile|Aligned\n", "/opcode=IAdd\n", "/value=0x1.8p+1\n", "/interface[2]=%"})
    EXPECT_NE(all.find(line), std::string::npos) << line;
}

TEST(ModuleTree, HoldsWhatComesBeforeAFault) {
  auto bytes = module_of({head(17, 2), 1, head(17, 5), 7});
  Tree tree(view_of(bytes));
  record_module(tree.file(), tree, 0);
  tree.fill_gaps({});
  ASSERT_EQ(tree.errors().size(), 1U);
  EXPECT_EQ(tree.errors()[0].offset, 28U);
  EXPECT_EQ(tree.coverage().named, 28U);
  EXPECT_EQ(tree.coverage().unknown, 8U);
}

}  // namespace

}  // namespace unshade::spirv
