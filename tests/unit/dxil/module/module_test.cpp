#include <unshade/dxil/module.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module/outline.hpp>
#include <unshade/dxil/program/reflection_module.hpp>

#include "support/files.hpp"
#include "unit/support/bitcode_builder.hpp"
#include "unit/support/dxil_samples.hpp"

namespace unshade::test {

namespace {

using dxil::ConstantKind;
using dxil::kNone;
using dxil::MetadataKind;
using dxil::Module;
using dxil::Opcode;
using dxil::TypeKind;
using dxil::ValueKind;

// Blocks and records by their numbers. src: LLVM 3.7, LLVMBitCodes.h
constexpr std::uint32_t kModule = 8, kGroups = 10, kLists = 9, kTypes = 17, kConstants = 11, kFunction = 12, kSymbols = 14, kMetadata = 15,
                        kAttachments = 16;

// Types of the modules below: 0 i32, 1 float, 2 void, 3 i1, 4 i32 (i32, i1), 5 metadata, 6 void (metadata), 7 float*, 8 [4 x float]
StreamBuilder& types(StreamBuilder& b) {
  b.enter(kTypes).record(1, {9}).record(7, {32}).record(3, {}).record(2, {}).record(7, {1}).record(21, {0, 0, 0, 3}).record(16, {});
  return b.record(21, {0, 2, 5}).record(8, {1, 0}).record(11, {4, 1}).leave();
}
StreamBuilder module_start() {
  StreamBuilder b;
  b.enter(kModule, 3).record(1, {1});
  types(b);
  return b;
}
// A function of type 4 whose body is to come: value 0.
StreamBuilder function_start() {
  StreamBuilder b = module_start();
  b.record(8, {4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  return b;
}
// Values 1 and 2 are its parameters.
StreamBuilder body_start(std::uint64_t blocks = 1) {
  StreamBuilder b = function_start();
  b.enter(kFunction, 4).record(1, {blocks});
  return b;
}

Result<Module> parse(const std::vector<std::byte>& bytes) { return dxil::parse_module(view_of(bytes)); }
Result<Module> parse(const StreamBuilder& builder) { return parse(builder.bytes()); }

std::string fault(const StreamBuilder& builder) {
  const auto module = parse(builder);
  return module ? std::string("none") : std::string(id(module.error().code)) + ' ' + module.error().path;
}

std::vector<std::byte> sample_bitcode(std::string_view name, const char (&code)[5] = "DXIL") {
  const auto data = part_data(dxil_sample(name), code);
  const auto program = dxil::parse_program(loose(code, data));
  EXPECT_TRUE(program) << name;
  const auto bytes = program->bitcode.bytes();
  return {bytes.begin(), bytes.end()};
}

TEST(Module, AnEmptyOneIsRead) {
  const auto module = parse(StreamBuilder().enter(kModule, 3).record(1, {1}).text(2, "dxil-ms-dx").leave());
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->text(module->triple), "dxil-ms-dx");
  EXPECT_TRUE(module->has_triple);
  EXPECT_FALSE(module->has_data_layout);
}

TEST(Module, TypesKeepTheirIds) {
  const auto module = parse(module_start().leave());
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->file_types, 9U);
  EXPECT_EQ(module->types[0].kind, TypeKind::integer);
  EXPECT_EQ(module->types[0].number, 32U);
  EXPECT_EQ(module->types[4].kind, TypeKind::function);
  EXPECT_EQ(std::vector<std::uint32_t>(module->parts_of(module->types[4]).begin(), module->parts_of(module->types[4]).end()),
            (std::vector<std::uint32_t>{0, 0, 3}));
  EXPECT_EQ(module->element_of(7), 1U);
  EXPECT_EQ(module->types[8].count, 4U);
}

TEST(Module, AStructureMayReferToItselfThroughAPointer) {
  StreamBuilder b;
  b.enter(kModule, 3).enter(kTypes).record(1, {2}).record(8, {1, 0}).text(19, "node").record(20, {0, 0}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->text(module->types[1].name), "node");
  EXPECT_FALSE(module->types[1].literal);

  StreamBuilder twice;  // the same type again is the first one where it is used
  twice.enter(kModule, 3).enter(kTypes).record(1, {3}).record(7, {8}).record(7, {8}).record(8, {1, 0}).leave().leave();
  const auto same = parse(twice);
  ASSERT_TRUE(same) << to_string(same.error());
  EXPECT_EQ(same->element_of(2), 0U);
}

TEST(Module, InstructionsReferToValuesByTheirIds) {
  // %0 = add nsw i32 %a, %a; br %b, 1, 2; 1: %1 = sub i32 %a, %0; br 2; 2: %2 = phi [%0, 0], [%1, 1]; ret %2
  auto b = body_start(3);
  b.record(2, {2, 2, 0, 2}).record(11, {1, 2, 2}).record(2, {3, 1, 1}).record(11, {2});
  b.record(16, {0, 4, 0, 2, 1}).record(10, {1}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->bodies.size(), 1U);
  const auto& body = module->bodies[0];
  EXPECT_EQ(body.parameters, 2U);
  ASSERT_EQ(body.blocks.count, 3U);
  EXPECT_EQ(module->blocks[0].instructions.count, 2U);
  EXPECT_EQ(module->blocks[2].instructions.first, 4U);
  ASSERT_EQ(body.instructions.count, 6U);
  const auto operands = [&](std::size_t i) {
    const auto list = module->operands_of(module->instructions[i].operands);
    return std::vector<std::uint32_t>(list.begin(), list.end());
  };
  const auto& add = module->instructions[0];
  EXPECT_EQ(add.opcode, Opcode::add);
  EXPECT_EQ(add.flags, dxil::flag::kNoSignedWrap);
  EXPECT_EQ(add.value, 3U);
  EXPECT_EQ(operands(0), (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(operands(1), (std::vector<std::uint32_t>{1, 2, 2}));
  EXPECT_EQ(operands(2), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(operands(4), (std::vector<std::uint32_t>{3, 0, 4, 1}));
  EXPECT_EQ(operands(5), (std::vector<std::uint32_t>{5}));
  const auto& value = module->value(&body, 4);
  EXPECT_EQ(value.kind, ValueKind::instruction);
  EXPECT_EQ(module->instructions[value.index].opcode, Opcode::sub);
}

TEST(Module, AValueMayBeUsedBeforeItIsThere) {
  // 0: br 1; 1: %0 = phi [%a, 0], [%1, 1]; %1 = add %0, %0; br %b, 1, 2; 2: ret %1
  auto b = body_start(3);
  b.record(11, {1}).record(16, {0, 4, 0, 3, 1}).record(2, {1, 1, 0}).record(11, {1, 2, 3}).record(10, {1}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto phi = module->operands_of(module->instructions[1].operands);
  EXPECT_EQ(phi[0], 1U);
  EXPECT_EQ(phi[2], 4U);

  auto never = body_start(1);
  never.record(2, {~std::uint64_t{0} >> 32, 0, 2, 0}).record(10, {1}).leave().leave();
  EXPECT_EQ(fault(never), "out-of-range module/function[0]/instruction[0]");
}

TEST(Module, ConstantsHaveValuesAndNest) {
  auto b = module_start();
  b.record(7, {8, 3, 6, 0, 0, 0});  // a global, value 0, whose initializer is value 5
  b.enter(kConstants).record(1, {0}).record(4, {7}).record(2, {}).record(1, {1}).record(6, {0x3f80'0000}).record(3, {});
  b.record(1, {8}).record(7, {3, 3, 4, 4}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->constants.size(), 5U);
  EXPECT_EQ(module->constants[0].kind, ConstantKind::integer);
  EXPECT_EQ(static_cast<std::int64_t>(module->constants[0].bits), -3);
  EXPECT_EQ(module->constants[1].kind, ConstantKind::null);
  EXPECT_EQ(module->constants[2].bits, 0x3f80'0000U);
  EXPECT_EQ(module->constants[3].kind, ConstantKind::undef);
  EXPECT_EQ(module->constants[4].kind, ConstantKind::aggregate);
  EXPECT_EQ(module->globals[0].initializer, 5U);
  EXPECT_EQ(module->types[module->values[0].type].kind, TypeKind::pointer);
  EXPECT_EQ(module->element_of(module->values[0].type), module->globals[0].type);
}

TEST(Module, MetadataHasKindsAndFields) {
  auto b = module_start();
  b.enter(kConstants).record(1, {0}).record(4, {84}).leave();
  b.enter(kMetadata, 3).text(1, "text").record(2, {0, 0}).record(3, {1, 0, 2, 4}).record(5, {}).record(16, {1, 1, 0});
  b.text(4, "dx.name").record(10, {2, 3}).text(6, "dbg", {0}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->metadata.size(), 5U);
  EXPECT_EQ(module->string_of(module->metadata[0]), "text");
  EXPECT_EQ(module->metadata[1].kind, MetadataKind::value);
  EXPECT_EQ(module->metadata[2].operands.count, 4U);
  EXPECT_TRUE(module->metadata[3].distinct);
  EXPECT_EQ(module->metadata[4].kind, MetadataKind::file);
  EXPECT_TRUE(module->metadata[4].distinct);
  const auto fields = dxil::node_fields(MetadataKind::file);
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].text, "filename");
  EXPECT_EQ(module->metadata_operands_of(module->metadata[4].operands)[fields[0].operand], 1U);
  ASSERT_EQ(module->named_metadata.size(), 1U);
  EXPECT_EQ(module->text(module->named_metadata[0].name), "dx.name");
  EXPECT_EQ(module->metadata_kinds[0].id, 0U);
  EXPECT_EQ(module->text(module->metadata_kinds[0].name), "dbg");
}

TEST(Module, AttributesAreTextsNumbersAndWords) {
  StreamBuilder b;
  b.enter(kModule, 3).enter(kGroups, 3);
  b.record(3, {7, 0xffff'ffff, 0, 18, 1, 41, 8, 4, 'k', 0, 'v', 'w', 0, 3, 'x', 0, 0, 99}).leave();
  b.enter(kLists, 3).record(2, {7}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->attributes.size(), 5U);
  EXPECT_EQ(module->attributes[0].kind, dxil::AttributeKind::nounwind);
  EXPECT_EQ(dxil::text(module->attributes[0].kind), "nounwind");
  EXPECT_EQ(module->attributes[1].value, 8U);
  EXPECT_EQ(module->text(module->attributes[2].key), "k");
  EXPECT_EQ(module->text(module->attributes[2].text), "vw");
  EXPECT_FALSE(module->attributes[3].has_value);
  EXPECT_EQ(module->attributes[4].kind, dxil::AttributeKind::unknown);
  EXPECT_EQ(module->attributes[4].code, 99U);
  EXPECT_EQ(module->attribute_groups[module->attribute_list_groups[0]].slot, dxil::AttributeGroup::kFunction);
}

TEST(Module, NamesLocationsAndAttachmentsFindTheirPlace) {
  auto b = function_start();
  b.enter(kMetadata, 3).record(3, {}).text(6, "kind", {9}).leave();
  b.enter(kFunction, 4).record(1, {1}).record(2, {2, 2, 0}).record(35, {3, 4, 1, 0}).record(10, {1}).record(33, {});
  b.enter(kSymbols).text(1, "a", {1}).text(1, "sum", {3}).text(2, "entry", {0}).leave();
  b.enter(kAttachments, 3).record(11, {1, 9, 0}).record(11, {9, 0}).leave().leave();
  b.enter(kSymbols).text(1, "main", {0}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto& body = module->bodies[0];
  EXPECT_EQ(module->text(module->values[0].name), "main");
  EXPECT_EQ(module->text(module->value(&body, 1).name), "a");
  EXPECT_EQ(module->text(module->value(&body, 3).name), "sum");
  EXPECT_EQ(module->text(module->blocks[0].name), "entry");
  ASSERT_EQ(module->locations.size(), 1U);
  EXPECT_EQ(module->locations[0].line, 3U);
  EXPECT_EQ(module->locations[0].scope, 0U);
  EXPECT_EQ(module->locations[0].inlined_at, kNone);
  EXPECT_EQ(module->instructions[1].location, 0U);
  ASSERT_EQ(body.attachments.count, 2U);
  EXPECT_EQ(module->attachments[0].instruction, kNone);
  EXPECT_EQ(module->attachments[1].instruction, 1U);
}

TEST(Module, AnArgumentMayBeMetadata) {
  StreamBuilder b = function_start();
  b.record(8, {6, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});  // value 1
  b.enter(kMetadata, 3).record(3, {}).leave();
  b.enter(kFunction, 4).record(1, {1}).record(34, {0, 1U << 15, 6, 3, 4}).record(10, {2}).leave().leave();
  const auto module = parse(b);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto operands = module->operands_of(module->instructions[0].operands);
  ASSERT_EQ(operands.size(), 2U);
  EXPECT_EQ(operands[0], 1U);
  EXPECT_EQ(operands[1], dxil::kMetadataOperand);
  EXPECT_EQ(module->instructions[0].value, kNone);
}

TEST(Module, FaultsAreLocated) {
  const auto types_of = [](auto&& fill) {
    StreamBuilder b;
    b.enter(kModule, 3).enter(kTypes);
    fill(b);
    b.leave().leave();
    return fault(b);
  };
  EXPECT_EQ(types_of([](StreamBuilder& b) { b.record(1, {1}).record(7, {0}); }), "bad-value module/types/record[1]");
  EXPECT_EQ(types_of([](StreamBuilder& b) { b.record(1, {1}).record(8, {1, 0}); }), "out-of-range module/types/record[1]");
  EXPECT_EQ(types_of([](StreamBuilder& b) { b.record(1, {1}).record(2, {}).record(2, {}); }), "out-of-range module/types/record[2]");
  EXPECT_EQ(types_of([](StreamBuilder& b) { b.record(1, {5}).record(2, {}); }), "out-of-range module/types/record[2]");
  EXPECT_EQ(types_of([](StreamBuilder& b) { b.record(1, {1}).record(20, {0, 0}); }), "cycle module/types/type[0]");
  EXPECT_EQ(types_of([](StreamBuilder& b) { b.record(1, {2}).record(8, {1, 0}).record(7, {8}); }), "bad-value module/types/record[3]");
  EXPECT_EQ(types_of([](StreamBuilder& b) {
              b.record(1, {100}).record(7, {8});
              for (std::uint64_t i = 0; i < 99; ++i) b.record(8, {i, 0});
            }),
            "limit module/types/record[65]");

  const auto body_of = [](auto&& fill) {
    auto b = body_start();
    fill(b);
    b.leave().leave();
    return fault(b);
  };
  EXPECT_EQ(body_of([](StreamBuilder& b) { b.record(10, {2}); }), "none");
  EXPECT_EQ(body_of([](StreamBuilder&) {}), "missing module/function[0]/block[0]");
  EXPECT_EQ(body_of([](StreamBuilder& b) { b.record(10, {2}).record(10, {2}); }), "bad-value module/function[0]/record[2]");
  EXPECT_EQ(body_of([](StreamBuilder& b) { b.record(11, {1}); }), "out-of-range module/function[0]/record[1]");
  EXPECT_EQ(body_of([](StreamBuilder& b) { b.record(2, {2, 1, 0}); }), "bad-value module/function[0]/record[1]");
  EXPECT_EQ(body_of([](StreamBuilder& b) { b.record(63, {}); }), "bad-value module/function[0]/record[1]");
  EXPECT_EQ(body_of([](StreamBuilder& b) { b.record(1, {1}); }), "bad-value module/function[0]/record[1]");
  EXPECT_EQ(body_of([](StreamBuilder& b) { b.record(20, {2, 0, 0}); }), "bad-value module/function[0]/record[1]");

  EXPECT_EQ(fault(function_start().leave()), "missing module/function[0]");
  EXPECT_EQ(fault(module_start().enter(kFunction).leave().leave()), "bad-value module/record[2]");
  EXPECT_EQ(fault(module_start().record(7, {8, 3, 9, 0, 0, 0}).leave()), "out-of-range module/global[0]");
  EXPECT_EQ(fault(module_start().enter(kConstants).record(1, {8}).record(7, {0, 0, 0, 0}).leave().leave()), "bad-value module/constant[0]");
  EXPECT_EQ(fault(module_start().enter(kConstants).record(1, {0}).record(10, {0, 0, 0}).leave().leave()), "cycle module/constant[0]");
  EXPECT_EQ(fault(module_start().enter(kMetadata).record(3, {2}).leave().leave()), "out-of-range module/node[0]");
  EXPECT_EQ(fault(module_start().enter(kMetadata).record(3, {}).record(16, {0, 1, 0}).leave().leave()), "bad-value module/node[1]");
  EXPECT_EQ(fault(StreamBuilder().enter(30).leave()), "missing module");
}

TEST(Module, SamplesOfEveryStageAreRead) {
  for (const auto name : kDxilSamples) {
    const auto module = parse(sample_bitcode(name));
    ASSERT_TRUE(module) << name << ": " << to_string(module.error());
    EXPECT_EQ(module->text(module->triple), "dxil-ms-dx") << name;
    const auto version = std::find_if(module->named_metadata.begin(), module->named_metadata.end(),
                                      [&](const auto& named) { return module->text(named.name) == "dx.version"; });
    EXPECT_NE(version, module->named_metadata.end()) << name;
    for (const auto& body : module->bodies) {
      const auto& last = module->blocks[body.blocks.end() - 1];
      EXPECT_TRUE(dxil::is_terminator(module->instructions[last.instructions.end() - 1].opcode)) << name;
    }
  }
}

TEST(Module, DebugInformationIsRead) {
  const auto module = parse(sample_bitcode("control_ps_6_0_zi.dxil", "ILDB"));
  ASSERT_TRUE(module) << to_string(module.error());
  const auto count = [&](MetadataKind kind) {
    return std::count_if(module->metadata.begin(), module->metadata.end(), [&](const auto& node) { return node.kind == kind; });
  };
  EXPECT_EQ(count(MetadataKind::file), 1);
  EXPECT_EQ(count(MetadataKind::subprogram), 1);
  EXPECT_EQ(count(MetadataKind::compile_unit), 1);
  EXPECT_EQ(count(MetadataKind::lexical_block), 11);
  EXPECT_EQ(count(MetadataKind::local_variable), 6);
  EXPECT_EQ(module->locations.size(), 97U);
  ASSERT_EQ(module->bodies.size(), 1U);
  EXPECT_EQ(module->bodies[0].metadata.count + 0U, module->local_metadata.size());
}

TEST(Module, DamagedSamplesAreReadOrRefused) {
  // Faults in operands rather than in bits: the stream stays whole, so that they reach the readers of records.
  std::mt19937 random(20'261'121);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (const auto name : kDxilSamples) {
    const auto bytes = sample_bitcode(name);
    const auto stream = dxil::parse_bitstream(view_of(bytes));
    ASSERT_TRUE(stream);
    for (int round = 0; round < 170; ++round) {
      auto damaged = *stream;
      for (std::size_t times = 1 + random() % 3; times > 0; --times) {
        auto& item = damaged.items[random() % damaged.items.size()];
        if (item.kind != dxil::BitstreamItem::Kind::record) continue;
        item.abbreviation = dxil::abbreviation::kUnabbreviated;
        if (item.count == 0 || random() % 6 == 0) {
          item.code = static_cast<std::uint32_t>(random() % 50);
        } else if (random() % 6 == 0) {
          item.count = static_cast<std::uint32_t>(random() % (item.count + 1));
        } else {
          auto& operand = damaged.operands[item.first + random() % item.count];
          operand = random() % 3 == 0   ? random() % 64
                    : random() % 2 == 0 ? operand ^ 1U << random() % 32
                                        : ~std::uint64_t{0} >> random() % 64;
        }
      }
      const auto written = dxil::write_bitstream(damaged);
      if (!written) continue;  // the info block speaks of other blocks now
      const auto module = parse(*written);
      if (module) {
        ++read;
      } else {
        ++refused;
        EXPECT_LE(module.error().offset, written->size());
        EXPECT_TRUE(module.error().path.starts_with("module")) << to_string(module.error());
      }
    }
  }
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 100U);
}

TEST(ModuleOutline, HasAllMetadataAndNoCode) {
  std::size_t count = 0;
  for (const auto& path : files_below(source_dir() / "tests/data/dxil", ".dxil")) {
    if (path.stem() == "rootsig_only") continue;  // has no program
    const auto bitcode = sample_bitcode(path.filename().string());
    const auto whole = parse(bitcode);
    const auto outline = dxil::module::parse_outline(view_of(bitcode));
    ASSERT_TRUE(whole && outline) << path;
    EXPECT_TRUE(outline->bodies.empty() && outline->instructions.empty()) << path;
    EXPECT_EQ(outline->functions.size(), whole->functions.size()) << path;
    EXPECT_EQ(outline->metadata.size(), whole->metadata.size()) << path;
    const auto a = dxil::read_program_metadata(*whole);
    const auto b = dxil::read_program_metadata(*outline);
    for (const auto& fault : dxil::program::reflection_faults(a, b, 1)) ADD_FAILURE() << path << ' ' << fault.path << ": " << fault.message;
    EXPECT_EQ(a.entries.size(), b.entries.size()) << path;
    EXPECT_EQ(a.structs.size(), b.structs.size()) << path;
    EXPECT_EQ(a.view_id_state, b.view_id_state) << path;
    ++count;
  }
  EXPECT_GT(count, 15U);
}

TEST(ModuleOutline, NeedsAFunctionForEachBody) {
  const auto fault_of = [](const StreamBuilder& builder) {
    const auto bytes = builder.bytes();
    const auto outline = dxil::module::parse_outline(view_of(bytes));
    return outline ? std::string("none") : std::string(id(outline.error().code)) + ' ' + outline.error().path;
  };
  StreamBuilder lacks = function_start();
  EXPECT_EQ(fault_of(lacks.leave()), "missing module/function[0]");
  StreamBuilder broken = body_start();
  EXPECT_EQ(fault_of(broken.record(99, {}).leave().leave()), "none");
  StreamBuilder second = body_start();
  EXPECT_EQ(fault_of(second.leave().enter(kFunction, 4).leave().leave()).substr(0, 10), "bad-value ");
}

}  // namespace

}  // namespace unshade::test
