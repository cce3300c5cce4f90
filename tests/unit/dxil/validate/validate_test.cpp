#include "dxil/validate/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>

#include "unit/support/dxil_samples.hpp"

namespace unshade::dxil {
namespace {

using dxcontainer::fourcc;
using test::Bytes;
using test::loose;
using test::LoosePart;
using test::view_of;

std::vector<Diagnostic> findings_of(const Bytes& file) {
  Findings findings(file.size());
  const auto container = dxcontainer::parse_container(view_of(file));
  EXPECT_TRUE(container);
  if (container) validate::check_parts(*container, findings);
  return findings.take();
}

std::set<std::string> ids(const Bytes& file) {
  std::set<std::string> found;
  for (const Diagnostic& d : findings_of(file)) found.emplace(d.rule->id);
  return found;
}

const Bytes& vertex() {
  static const Bytes file = test::dxil_sample("transform_vs_6_8.dxil");
  return file;
}
const Bytes& library() {
  static const Bytes file = test::dxil_sample("graph_lib_6_8.dxil");
  return file;
}

/// A sample with a dword of a part changed.
Bytes patched(const Bytes& file, const char (&code)[5], std::size_t at, std::uint32_t value) {
  Bytes data = test::part_data(file, code);
  test::put_u32(data, at, value);
  return test::with_part(file, code, data);
}
Bytes without(const Bytes& file, const char (&code)[5]) {
  auto parts = test::loose_parts(*dxcontainer::parse_container(view_of(file)));
  std::erase_if(parts, [&](const LoosePart& part) { return part.fourcc == fourcc(code); });
  return test::container_of(parts);
}
Bytes with_more(const Bytes& file, const char (&code)[5], Bytes data) {
  auto parts = test::loose_parts(*dxcontainer::parse_container(view_of(file)));
  parts.push_back({fourcc(code), std::move(data)});
  return test::container_of(parts);
}
/// A sample whose PSV0 was changed as a model.
template <class F>
Bytes with_psv(const Bytes& file, F&& change) {
  const Bytes data = test::part_data(file, "PSV0");
  Psv psv = *parse_psv(loose("PSV0", data));
  change(psv);
  return test::with_part(file, "PSV0", write_psv(psv));
}
template <class F>
Bytes with_rdat(const Bytes& file, F&& change) {
  const Bytes data = test::part_data(file, "RDAT");
  Rdat rdat = *parse_rdat(loose("RDAT", data));
  change(rdat);
  return test::with_part(file, "RDAT", write_rdat(rdat));
}
Bytes with_root(const Bytes& file, const dxcontainer::RootSignature& root) {
  return with_more(file, "RTS0", dxcontainer::write_root_signature(root));
}

/// A sample whose module for reflection has a texture at another register.
Bytes with_moved_reflection() {
  const Bytes file = test::dxil_sample("textured_ps_6_6.dxil");
  const Bytes part = test::part_data(file, "STAT");
  auto program = *parse_program(loose("STAT", part));
  auto module = *ModuleEdit::open(program.bitcode);
  const BindingChange moved[] = {{ResourceClass::srv, 0, 0, 9, 0}};
  EXPECT_TRUE(rebind(module, moved));
  const Bytes bitcode = *module.write();
  program.bitcode = view_of(bitcode);
  program.size_dwords = 0;
  return test::with_part(file, "STAT", write_program(program));
}
/// A sample whose program was replaced by its listing with a text for another.
Bytes with_program(std::string_view from, std::string_view to) {
  const Bytes file = test::dxil_sample("textured_ps_6_6.dxil");
  std::string text = test::read_text(test::source_dir() / "tests/data/dxil/textured_ps_6_6.ll");
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos);
  text.replace(at, from.size(), to);
  const Assembly made = assemble_into(text, *dxcontainer::parse_container(view_of(file)));
  EXPECT_TRUE(made.ok);
  return made.file;
}

struct Case {
  std::string_view id;
  Bytes file;
};

void add_program_cases(std::vector<Case>& all) {
  const Bytes program = test::part_data(vertex(), "DXIL");
  all.push_back({"dxil.bitcode", patched(vertex(), "DXIL", 24, 0)});
  all.push_back({"dxil.compiler-version", patched(library(), "VERS", 12, 3)});
  all.push_back({"dxil.debug-name", with_more(vertex(), "ILDN", test::from_hex("0000 0200 6162 0001"))});
  all.push_back({"dxil.debug-name", with_more(vertex(), "ILDN", test::from_hex("0100 0200 6162 0000"))});
  all.push_back({"dxil.hash", patched(vertex(), "HASH", 4, 0)});
  all.push_back({"dxil.hash", patched(vertex(), "HASH", 0, 2)});
  all.push_back({"dxil.hash-form", test::with_part(vertex(), "HASH", Bytes(24))});
  all.push_back({"dxil.part-missing", without(vertex(), "SFI0")});
  all.push_back({"dxil.part-missing", without(library(), "RDAT")});
  // The minimum precision of the first input.
  all.push_back({"dxil.part-module", patched(vertex(), "ISG1", 36, 1)});
  all.push_back({"dxil.part-unexpected", with_more(vertex(), "RDAT", test::part_data(library(), "RDAT"))});
  all.push_back({"dxil.part-unexpected", with_more(library(), "PSV0", test::part_data(vertex(), "PSV0"))});
  all.push_back({"dxil.part-unexpected", with_more(vertex(), "PSG1", test::from_hex("00000000 08000000"))});
  all.push_back({"dxil.program-module", patched(vertex(), "DXIL", 0, 0x0000'0068)});
  all.push_back({"sfi0.module", patched(vertex(), "SFI0", 0, 1)});
  // The first input: mask, components that are read.
  all.push_back({"dxil.signature-use", patched(vertex(), "ISG1", 32, 0x0107)});
  all.push_back({"dxil.program-kind", patched(vertex(), "DXIL", 0, 0x000a'0068)});
  all.push_back({"dxil.program-model", patched(test::dxil_sample("mesh_as_6_5.dxil"), "DXIL", 0, 0x000e'0064)});
  all.push_back({"dxil.program-size", patched(vertex(), "DXIL", 4, 6)});
  all.push_back({"dxil.program-version", patched(vertex(), "DXIL", 0, 0x0001'0070)});
  all.push_back({"dxil.programs-differ", patched(test::dxil_sample("control_ps_6_0_zi.dxil"), "ILDB", 0, 0x0001'0060)});

  all.push_back({"dxil.reflection-module", with_moved_reflection()});
  // An element that the view id state does not know there.
  all.push_back({"psv0.module", with_program("i8 3, i32 1, i8 2, i32 1, i8 0,", "i8 3, i32 1, i8 2, i32 7, i8 2,")});
  all.push_back({"dxil.resources", with_program("!dx.resources = !{!4}", "!dx.resources = !{!5}")});
  all.push_back({"dxil.resources", with_program("!dx.resources = !{!4}\n", "")});

  // A root signature that binds nothing, one that denies access, and one with a descriptor where there is a texture.
  dxcontainer::RootSignature root;
  root.version = dxcontainer::RootSignatureVersion::v1_1;
  all.push_back({"dxil.root-binding", with_root(vertex(), root)});
  root.flags = 0x2;
  all.push_back({"dxil.root-binding", with_root(vertex(), root)});
}

void add_psv_cases(std::vector<Case>& all) {
  const auto add = [&](std::string_view id, auto&& change) { all.push_back({id, with_psv(vertex(), change)}); };
  add("psv0.elements", [](Psv& p) { p.inputs[0].column_bits = 0x45; });
  add("psv0.elements", [](Psv& p) { p.inputs[0].interpolation = static_cast<Interpolation>(40); });
  all.push_back({"psv0.extra-bytes", [] {
                   Bytes data = test::part_data(vertex(), "PSV0");
                   data.resize(data.size() + 4);
                   return test::with_part(vertex(), "PSV0", data);
                 }()});
  add("psv0.facts", [](Psv& p) { p.info.stage.output_position_present = 0; });
  all.push_back({"psv0.facts", with_psv(test::dxil_sample("inputs_ps_6_4.dxil"), [](Psv& p) { p.info.stage.depth_output ^= 1; })});
  add("psv0.kind", [](Psv& p) { p.info.kind = ShaderKind::compute; });
  add("psv0.resource-overlap", [](Psv& p) { p.resources.push_back(p.resources.at(0)); });
  add("psv0.resource-range", [](Psv& p) {
    p.resources.at(0).lower_bound = 4;
    p.resources.at(0).upper_bound = 3;
  });
  add("psv0.resource-value", [](Psv& p) { p.resources.at(0).type = static_cast<PsvResourceType>(10); });
  add("psv0.resource-value", [](Psv& p) { p.resources.at(0).kind = ResourceKind::sampler; });
  add("psv0.module", [](Psv& p) { ++p.resources.at(0).space; });
  add("psv0.module", [](Psv& p) { p.resources.clear(); });
  add("psv0.module", [](Psv& p) { p.inputs.at(0).interpolation = Interpolation::linear; });
  add("psv0.module", [](Psv& p) { p.resources.at(0).flags = 1; });
  all.push_back({"psv0.module", patched(vertex(), "PSV0", 8, 1)});  // reserved for vertex shaders
  add("psv0.module", [](Psv& p) { p.inputs.at(0).reserved = 1; });
  add("psv0.module", [](Psv& p) { p.outputs.at(0).stream_bits |= 0x80; });
  // Which outputs depend on the first component of the first input.
  add("psv0.module", [](Psv& p) {
    static Bytes table;
    const auto stated = p.input_outputs.at(0).bytes.bytes();
    table.assign(stated.begin(), stated.end());
    table.at(0) ^= std::byte{1};
    p.input_outputs[0].bytes = View(table);
  });
  all.push_back({"psv0.module", with_psv(test::dxil_sample("rootsig_cs_6_0.dxil"), [](Psv& p) { ++p.info.num_threads[0]; })});
  all.push_back(
      {"psv0.module", with_psv(test::dxil_sample("tessellate_hs_6_5.dxil"), [](Psv& p) { ++p.info.stage.output_control_point_count; })});
  add("psv0.semantic-indexes", [](Psv& p) { p.inputs[0].semantic_indexes = 99; });
  add("psv0.signature", [](Psv& p) { p.inputs[0].start_row = 7; });
  add("psv0.signature", [](Psv& p) { p.outputs[0].component_type = dxcontainer::ComponentType::uint16; });
  add("psv0.signature", [](Psv& p) { p.inputs.pop_back(); });
  add("psv0.sizes", [](Psv& p) {
    static const Bytes more(4);
    p.info.size = 60;
    p.info.extra = view_of(more);
  });
  all.push_back({"psv0.strings", with_psv(vertex(), [](Psv& p) {
                   static Bytes texts;
                   texts.assign(p.strings.bytes().begin(), p.strings.bytes().end());
                   texts.push_back(std::byte{'x'});
                   p.strings = view_of(texts);
                 })});
  all.push_back({"psv0.threads", with_psv(test::dxil_sample("mesh_as_6_5.dxil"), [](Psv& p) { p.info.num_threads[0] = 129; })});
  all.push_back({"psv0.threads", with_psv(test::dxil_sample("rootsig_cs_6_0.dxil"), [](Psv& p) { p.info.num_threads[1] = 0; })});
  add("psv0.unused", [](Psv& p) { p.semantic_indexes.push_back(3); });
  add("psv0.vectors", [](Psv& p) { ++p.info.input_vectors; });
  add("psv0.view-id", [](Psv& p) { p.info.uses_view_id = 1; });
  add("psv0.wave-lanes", [](Psv& p) { p.info.min_wave_lanes = 64, p.info.max_wave_lanes = 32; });
}

void add_rdat_cases(std::vector<Case>& all) {
  const auto add = [&](std::string_view id, auto&& change) { all.push_back({id, with_rdat(library(), change)}); };
  all.push_back({"rdat.layout", [] {
                   Bytes data = test::part_data(library(), "RDAT");
                   data.resize(data.size() + 4);
                   return test::with_part(library(), "RDAT", data);
                 }()});
  add("rdat.module", [](Rdat& r) { r.functions[0].kind = ShaderKind::miss; });
  add("rdat.module", [](Rdat& r) { r.functions.rows.pop_back(); });
  add("rdat.reference", [](Rdat& r) { r.functions[0].resources_array = 0x1000; });
  add("rdat.reference", [](Rdat& r) { r.functions[0].shader_record = 77; });
  add("rdat.reference", [](Rdat& r) { r.node_shaders[0].outputs_array = r.functions[0].resources_array = 0; });
  add("rdat.reserved", [](Rdat& r) {
    static constexpr std::byte kNotZero[12] = {std::byte{0}, std::byte{1}};
    r.subobjects.rows.resize(1);
    r.subobjects[0].kind = SubobjectKind::state_object_config;
    r.subobjects[0].name.text = "config";
    r.subobjects[0].extra = View(kNotZero);
  });
  add("rdat.root-signature", [](Rdat& r) {
    static const Bytes bytes = test::from_hex("09000000 00000000");
    r.raw_bytes = view_of(bytes);
    r.subobjects.rows.resize(1);
    r.subobjects[0].kind = SubobjectKind::global_root_signature;
    r.subobjects[0].name.text = "signature";
    r.subobjects[0].root_signature = {0, 8};
  });
  add("rdat.unknown", [](Rdat& r) {
    RdatPart part;
    part.type = static_cast<RdatPartType>(99);
    part.kept = true;
    r.parts.push_back(part);
  });
  add("rdat.value", [](Rdat& r) { r.functions[0].features = std::uint64_t{1} << 60; });
  add("rdat.value", [](Rdat& r) { r.node_shaders[0].launch = static_cast<NodeLaunch>(9); });
}

std::vector<Case> cases() {
  std::vector<Case> all;
  add_program_cases(all);
  add_psv_cases(all);
  add_rdat_cases(all);
  return all;
}

TEST(DxilRules, SamplesBreakNone) {
  for (const std::string_view name : test::kDxilSamples) {
    for (const Diagnostic& d : findings_of(test::dxil_sample(name))) ADD_FAILURE() << name << ": " << to_string(d);
  }
}

TEST(DxilRules, EachIsBrokenByItsCase) {
  std::set<std::string> covered;
  for (const Case& c : cases()) {
    EXPECT_TRUE(ids(c.file).contains(std::string(c.id))) << c.id;
    covered.emplace(c.id);
  }
  // Those of modules: rules_test.cpp.
  for (const Rule* rule : validate::validation_rules()) {
    const bool of_parts =
        rule->id.starts_with("dxil.") || rule->id.starts_with("psv0.") || rule->id.starts_with("rdat.") || rule->id.starts_with("sfi0.");
    EXPECT_TRUE(!of_parts || covered.contains(std::string(rule->id))) << rule->id;
  }
}

// What is not allocated begins at the last register there is; dxc counts an array of three on from there.
TEST(DxilRules, RangesThatAreNotAllocatedEndAnywhere) {
  const Bytes file = with_rdat(library(), [](Rdat& r) {
    r.resources[0].lower_bound = r.resources[0].space = 0xffff'ffff;
    r.resources[0].upper_bound = 1;
  });
  EXPECT_EQ(ids(file), std::set<std::string>{"rdat.module"});
}

TEST(DxilRules, StandInTheOrderOfTheirIds) {
  const auto rules = validate::validation_rules();
  for (std::size_t i = 1; i < rules.size(); ++i) EXPECT_LT(rules[i - 1]->id, rules[i]->id);
}

TEST(DxilRules, FindingsAreLocated) {
  const auto found = findings_of(with_psv(vertex(), [](Psv& p) { p.resources.at(0).lower_bound = 9, p.resources.at(0).upper_bound = 8; }));
  const auto range = std::find_if(found.begin(), found.end(), [](const Diagnostic& d) { return d.rule->id == "psv0.resource-range"; });
  ASSERT_NE(range, found.end());
  EXPECT_EQ(range->path, "PSV0/resources[0]");
}

// What a library's functions, resources and nodes are told to be, one field at a time.
TEST(DxilRules, RuntimeDataIsComparedWithTheModule) {
  struct Change {
    std::string_view path;
    std::function<void(Rdat&)> change;
  };
  const auto function = [](Rdat& rdat, std::string_view name) -> RdatFunction& {
    return *std::find_if(rdat.functions.rows.begin(), rdat.functions.rows.end(),
                         [&](const RdatFunction& f) { return f.name.text == name; });
  };
  const auto node = [&](Rdat& rdat, std::string_view name) -> RdatNodeShader& {
    return rdat.node_shaders[function(rdat, name).shader_record];
  };
  const auto attribute = [](Rdat& rdat, NodeIoAttribute kind) -> RdatNodeIoAttribute& {
    auto& rows = rdat.node_io_attributes.rows;
    return *std::find_if(rows.begin(), rows.end(), [&](const RdatNodeIoAttribute& a) { return a.kind == kind; });
  };
  const Change changes[] = {
      {"resource_table/records[0]/kind", [](Rdat& r) { r.resources[0].kind = ResourceKind::raw_buffer; }},
      {"resource_table/records[0]/id", [](Rdat& r) { r.resources[0].id = 3; }},
      {"resource_table/records[0]/name", [](Rdat& r) { r.resources[0].name = r.functions[0].name; }},
      {"resource_table/records[0]/flags", [](Rdat& r) { r.resources[0].flags ^= 2; }},
      {"/name", [](Rdat& r) { r.functions[0].name = r.resources[0].name; }},
      {"/unmangled_name", [](Rdat& r) { r.functions[0].unmangled_name = r.functions[1].name; }},
      {"/kind", [](Rdat& r) { r.functions[0].kind = ShaderKind::library; }},
      {"/payload_bytes", [](Rdat& r) { r.functions[0].payload_bytes = 4; }},
      {"/attribute_bytes", [](Rdat& r) { r.functions[0].attribute_bytes = 4; }},
      {"/features", [](Rdat& r) { r.functions[0].features ^= 1; }},
      {"/stages", [](Rdat& r) { r.functions[0].stages ^= 1; }},
      {"/min_shader_target", [](Rdat& r) { r.functions[0].min_shader_target ^= 1; }},
      {"/min_wave_lanes", [](Rdat& r) { r.functions[0].min_wave_lanes = 4; }},
      {"/max_wave_lanes", [](Rdat& r) { r.functions[0].max_wave_lanes = 4; }},
      {"/shader_flags", [](Rdat& r) { r.functions[0].shader_flags ^= 1; }},
      {"/resources", [&](Rdat& r) { function(r, "gather").resources_array = kNullReference; }},
      {"/launch", [&](Rdat& r) { node(r, "gather").launch = NodeLaunch::thread; }},
      {"/group_shared_bytes", [&](Rdat& r) { node(r, "gather").group_shared_bytes = 16; }},
      {"/attributes", [&](Rdat& r) { node(r, "gather").attributes_array = node(r, "split").attributes_array; }},
      {"/inputs", [&](Rdat& r) { node(r, "gather").inputs_array = kNullReference; }},
      {"/outputs", [&](Rdat& r) { node(r, "gather").outputs_array = kNullReference; }},
      {"/flags", [](Rdat& r) { r.node_ios[0].flags ^= 0x20; }},
      {"/attributes", [&](Rdat& r) { attribute(r, NodeIoAttribute::max_records).value = 5; }},
      {"/attributes", [&](Rdat& r) { attribute(r, NodeIoAttribute::record_dispatch_grid).value ^= 4; }},
      {"/attributes", [&](Rdat& r) { attribute(r, NodeIoAttribute::output_id).value ^= 1; }},
  };
  EXPECT_EQ(ids(library()), std::set<std::string>{});
  for (const Change& c : changes) {
    bool found = false;
    for (const Diagnostic& d : findings_of(with_rdat(library(), c.change)))
      found = found || (d.rule->id == "rdat.module" && d.path.ends_with(c.path) && d.offset != 0);
    EXPECT_TRUE(found) << c.path;
  }
}

// A resource is bound by a table, by constants, by a descriptor it can have, and only for its stage.
TEST(DxilRules, RootSignaturesBindByStageAndKind) {
  Psv psv;
  psv.resources.resize(2);
  psv.resources[0].type = PsvResourceType::cbv;
  psv.resources[0].lower_bound = psv.resources[0].upper_bound = 1;
  psv.resources[1].type = PsvResourceType::srv_typed;
  psv.resources[1].upper_bound = 0xffff'ffff;
  dxcontainer::RootSignature root;
  root.version = dxcontainer::RootSignatureVersion::v1_1;
  dxcontainer::RootParameter constants;
  constants.type = dxcontainer::RootParameterType::constants;
  constants.shader_register = 1;
  constants.constant_count = 4;
  dxcontainer::RootParameter descriptor;
  descriptor.type = dxcontainer::RootParameterType::srv;
  const auto count = [&](ShaderKind kind) {
    const Bytes data = dxcontainer::write_root_signature(root);
    const Bytes none;
    Findings findings(1000);
    dxcontainer::Container container;
    container.parts.push_back(loose("RTS0", data));
    validate::check_root_bindings(container, loose("PSV0", none), psv, kind, findings);
    return findings.take().size();
  };
  EXPECT_EQ(count(ShaderKind::pixel), 2U);
  root.parameters.items = {constants, descriptor};
  EXPECT_EQ(count(ShaderKind::pixel), 1U);  // a root descriptor is no texture
  psv.resources[1].type = PsvResourceType::srv_raw;
  EXPECT_EQ(count(ShaderKind::pixel), 0U);
  root.parameters[0].visibility = dxcontainer::ShaderVisibility::vertex;
  EXPECT_EQ(count(ShaderKind::pixel), 1U);
  EXPECT_EQ(count(ShaderKind::vertex), 0U);
  EXPECT_EQ(count(ShaderKind::compute), 1U);  // sees what is of `all` alone
  root.parameters[0].visibility = dxcontainer::ShaderVisibility::all;
  EXPECT_EQ(count(ShaderKind::compute), 0U);
  dxcontainer::RootParameter table;
  table.ranges.items.resize(1);
  table.ranges[0].type = dxcontainer::DescriptorRangeType::srv;
  table.ranges[0].count = 0xffff'ffff;
  root.parameters.items = {table};
  EXPECT_EQ(count(ShaderKind::pixel), 1U);
}

TEST(DxilRules, DamagedPartsAreJudged) {
  for (const std::string_view name : {"tessellate_hs_6_5.dxil", "graph_lib_6_8.dxil"}) {
    const Bytes file = test::dxil_sample(name);
    for (const auto code : {fourcc("PSV0"), fourcc("RDAT")}) {
      auto parts = test::loose_parts(*dxcontainer::parse_container(view_of(file)));
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].fourcc != code) continue;
        test::for_damaged(parts[i].data, 500, [&](const Bytes& data) {
          auto damaged = parts;
          damaged[i].data = data;
          for (const Diagnostic& d : findings_of(test::container_of(damaged))) EXPECT_FALSE(d.path.empty());
        });
      }
    }
  }
}

TEST(DxilRules, SystemValuesAreKnownByTheirNamesInLettersOfAnySize) {
  EXPECT_TRUE(validate::names_semantic("SV_ViewportArrayIndex", SemanticKind::viewport_array_index));
  EXPECT_TRUE(validate::names_semantic("sv_position", SemanticKind::position));
  EXPECT_FALSE(validate::names_semantic("SV_Positions", SemanticKind::position));
  EXPECT_FALSE(validate::names_semantic("SV_Arbitrary", SemanticKind::arbitrary));
  EXPECT_FALSE(validate::names_semantic("", SemanticKind::invalid));
}

}  // namespace
}  // namespace unshade::dxil
