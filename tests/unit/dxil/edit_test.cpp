#include <unshade/dxil/edit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/psv.hpp>

#include "dxil/edit_texts.hpp"
#include "unit/support/dxil_samples.hpp"

namespace unshade::test {

namespace {

using dxil::BindingChange;
using dxil::ModuleEdit;
using dxil::NameChange;
using dxil::NameKind;

Bytes bitcode_of(const Bytes& file, const char (&code)[5] = "DXIL") {
  const Bytes part = part_data(file, code);
  const auto program = dxil::parse_program(loose(code, part));
  return program ? Bytes(program->bitcode.bytes().begin(), program->bitcode.bytes().end()) : Bytes();
}

template <class Change>
Result<Bytes> edited(const Bytes& file, const std::vector<Change>& changes) {
  const auto container = dxcontainer::parse_container(view_of(file));
  dxcontainer::ContainerEdit edit(*container);
  auto made = [&] {
    const std::span<const Change> all(changes);
    if constexpr (std::is_same_v<Change, NameChange>)
      return dxil::rename(*container, all);
    else
      return dxil::rebind(*container, all);
  }();
  if (!made) return made.error();
  for (auto& part : made->parts) edit.replace(part.index, std::move(part.data));
  return edit.write();
}

template <class Change>
std::string fault(const Bytes& file, const std::vector<Change>& changes) {
  const auto made = edited(file, changes);
  return made ? "none" : std::string(id(made.error().code));
}

/// Names and registers of all things of a file, and how to get there and back.
struct Changes {
  std::vector<NameChange> names, names_back;
  std::vector<BindingChange> bindings, bindings_back;
};
Changes changes_of(const Bytes& file) {
  Changes result;
  Bytes bitcode = bitcode_of(file, "STAT");
  if (bitcode.empty()) bitcode = bitcode_of(file);
  const auto module = dxil::parse_module(view_of(bitcode));
  if (!module) return result;
  const auto metadata = dxil::read_program_metadata(*module);
  std::set<std::pair<NameKind, std::string>> seen;
  const auto add = [&](NameKind kind, std::string from, std::string to) {
    if (!seen.emplace(kind, from).second) return;
    result.names.push_back({kind, from, to});
    result.names_back.push_back({kind, to, from});
  };
  for (const auto* list : {&metadata.shader_resources, &metadata.unordered_access, &metadata.constant_buffers, &metadata.samplers})
    for (const auto& r : *list) {
      if (!r.name.empty()) add(NameKind::resource, std::string(r.name), "resource_" + std::to_string(seen.size()));
      result.bindings.push_back({r.resource_class, r.lower_bound, r.space, r.lower_bound + 300, r.space + 2});
      result.bindings_back.push_back({r.resource_class, r.lower_bound + 300, r.space + 2, r.lower_bound, r.space});
    }
  if (metadata.entries.size() == 1 && !metadata.entries[0].name.empty()) {
    add(NameKind::entry, std::string(metadata.entries[0].name), "another_entry");
    for (const auto& element : metadata.entries[0].inputs)
      if (element.semantic == dxil::SemanticKind::arbitrary && !element.semantic_indexes.empty())
        add(NameKind::input, std::string(element.name) + std::to_string(element.semantic_indexes[0]),
            "OTHER_" + std::string(element.name) + "_" + std::to_string(element.semantic_indexes[0] + 1));
  }
  return result;
}

TEST(ModuleEdit, an_unchanged_module_is_numbered_as_it_was) {
  for (const auto name : kDxilSamples) {
    const Bytes bitcode = bitcode_of(dxil_sample(name));
    const auto module = ModuleEdit::open(view_of(bitcode));
    ASSERT_TRUE(module) << name << to_string(module.error());
    EXPECT_FALSE(module->changed());
    const auto written = module->write();
    ASSERT_TRUE(written) << name << to_string(written.error());
    EXPECT_TRUE(*written == bitcode) << name;
  }
}

TEST(ModuleEdit, names_there_and_back) {
  for (const auto name : kDxilSamples) {
    const Bytes file = dxil_sample(name);
    const Changes changes = changes_of(file);
    if (changes.names.empty()) continue;
    const auto there = edited(file, changes.names);
    ASSERT_TRUE(there) << name << to_string(there.error());
    EXPECT_FALSE(*there == file) << name;
    const std::string text(View(*there).text());
    for (const auto& change : changes.names_back) {
      if (change.kind == NameKind::entry) {
        EXPECT_NE(text.find(change.from), std::string::npos) << name;
      }
    }
    const auto back = edited(*there, changes.names_back);
    ASSERT_TRUE(back) << name << to_string(back.error());
    EXPECT_TRUE(part_data(*back, "DXIL") == part_data(file, "DXIL")) << name;
    EXPECT_TRUE(part_data(*back, "PSV0") == part_data(file, "PSV0")) << name;
    EXPECT_TRUE(part_data(*back, "ISG1") == part_data(file, "ISG1")) << name;
    EXPECT_TRUE(part_data(*back, "RDAT") == part_data(file, "RDAT")) << name;
    EXPECT_TRUE(part_data(*back, "STAT") == part_data(file, "STAT")) << name;
  }
}

TEST(ModuleEdit, registers_there_and_back) {
  std::size_t count = 0;
  for (const auto name : kDxilSamples) {
    const Bytes file = dxil_sample(name);
    const Changes changes = changes_of(file);
    if (changes.bindings.empty()) continue;
    ++count;
    const auto there = edited(file, changes.bindings);
    ASSERT_TRUE(there) << name << to_string(there.error());
    const Bytes bitcode = bitcode_of(*there);
    const auto module = dxil::parse_module(view_of(bitcode));
    ASSERT_TRUE(module) << name << to_string(module.error());
    const auto metadata = dxil::read_program_metadata(*module);
    for (const auto* list : {&metadata.shader_resources, &metadata.unordered_access, &metadata.constant_buffers, &metadata.samplers})
      for (const auto& r : *list) {
        EXPECT_GE(r.lower_bound, 300U) << name;
        EXPECT_GE(r.space, 2U) << name;
      }
    const auto back = edited(*there, changes.bindings_back);
    ASSERT_TRUE(back) << name << to_string(back.error());
    for (const char* const code : {"DXIL", "PSV0", "RDAT", "STAT"}) {
      const char four[5] = {code[0], code[1], code[2], code[3], 0};
      EXPECT_TRUE(part_data(*back, four) == part_data(file, four)) << name << code;
    }
  }
  EXPECT_GT(count, 0U);
}

TEST(ModuleEdit, code_takes_the_register_with_it) {
  const Bytes file = dxil_sample("control_ps_6_0_zi.dxil");
  const auto changes = changes_of(file);
  ASSERT_FALSE(changes.bindings.empty());
  const auto there = edited(file, changes.bindings);
  ASSERT_TRUE(there);
  const Bytes bitcode = bitcode_of(*there);
  const auto module = dxil::parse_module(view_of(bitcode));
  ASSERT_TRUE(module);
  std::size_t handles = 0;
  for (const auto& body : module->bodies)
    for (std::uint32_t i = body.instructions.first; i < body.instructions.end(); ++i) {
      const auto operands = module->operands_of(module->instructions[i].operands);
      if (module->instructions[i].opcode != dxil::Opcode::call || module->text(module->values[operands[0]].name) != "dx.op.createHandle")
        continue;
      const auto& index = module->value(&body, operands[4]);
      if (index.kind != dxil::ValueKind::constant) continue;
      ++handles;
      EXPECT_GE(module->constants[index.index].bits, 300U);
    }
  EXPECT_GT(handles, 0U);
}

TEST(ModuleEdit, instructions_come_and_go) {
  const Bytes bitcode = bitcode_of(dxil_sample("transform_vs_6_8.dxil"));
  const auto before = dxil::parse_module(view_of(bitcode));
  ASSERT_TRUE(before);
  auto edit = ModuleEdit::open(view_of(bitcode));
  ASSERT_TRUE(edit);
  const auto type = edit->integer_type(32);
  ASSERT_NE(type, dxil::kNone);
  const auto first = before->bodies[0].instructions.first;
  edit->insert_add(0, first, edit->integer(type, 12345), edit->integer(type, 54321));
  const auto longer = edit->write();
  ASSERT_TRUE(longer) << to_string(longer.error());
  const auto after = dxil::parse_module(view_of(*longer));
  ASSERT_TRUE(after) << to_string(after.error());
  EXPECT_EQ(after->instructions.size(), before->instructions.size() + 1);
  EXPECT_EQ(after->instructions[0].opcode, dxil::Opcode::add);
  auto again = ModuleEdit::open(view_of(*longer));
  ASSERT_TRUE(again);
  ASSERT_TRUE(again->remove(0, 0));
  const auto written = again->write();
  ASSERT_TRUE(written);
  EXPECT_TRUE(*written == bitcode);
}

TEST(ModuleEdit, faults) {
  const Bytes file = dxil_sample("transform_vs_6_8.dxil");
  const auto changes = changes_of(file);
  ASSERT_FALSE(changes.bindings.empty());
  EXPECT_EQ(fault<NameChange>(file, {{NameKind::resource, "not_there", "x"}}), "missing");
  EXPECT_EQ(fault<NameChange>(file, {{NameKind::entry, "", ""}}), "bad-value");
  EXPECT_EQ(fault<NameChange>(file, {{NameKind::input, "POSITION0", "SV_Target0"}}), "bad-value");
  EXPECT_EQ(fault<BindingChange>(file, {{dxil::ResourceClass::srv, 77, 7, 78, 7}}), "missing");
  auto beyond = changes.bindings[0];
  beyond.to = 0xffff'ffff;
  EXPECT_EQ(fault<BindingChange>(file, {beyond}), "bad-value");
}

TEST(ModuleEdit, ranges_may_not_overlap) {
  const Bytes file = dxil_sample("control_ps_6_0_zi.dxil");
  auto changes = changes_of(file).bindings;
  for (auto& a : changes)
    for (auto& b : changes) {
      if (&a == &b || a.resource_class != b.resource_class) continue;
      BindingChange onto = a;
      onto.to = b.from;
      onto.to_space = b.from_space;
      EXPECT_EQ(fault<BindingChange>(file, {onto}), "bad-value");
      BindingChange other = b;
      other.to = a.from;
      other.to_space = a.from_space;
      EXPECT_EQ(fault<BindingChange>(file, {onto, other}), "none");  // they change places
    }
}

TEST(ModuleEdit, reflection_goes) {
  for (const auto name : kDxilSamples) {
    const Bytes bitcode = bitcode_of(dxil_sample(name), "STAT");
    if (bitcode.empty()) continue;
    const auto stripped = dxil::strip_module(view_of(bitcode));
    ASSERT_TRUE(stripped) << name << to_string(stripped.error());
    const auto module = dxil::parse_module(view_of(*stripped));
    ASSERT_TRUE(module) << name << to_string(module.error());
    const auto metadata = dxil::read_program_metadata(*module);
    if (metadata.kind == dxil::ShaderKind::library) continue;
    EXPECT_TRUE(metadata.structs.empty()) << name;
    for (const auto* list : {&metadata.shader_resources, &metadata.constant_buffers})
      for (const auto& r : *list) EXPECT_TRUE(r.name.empty()) << name;
  }
}

TEST(ModuleEdit, damage_is_an_error_or_writes) {
  const Bytes bitcode = bitcode_of(dxil_sample("control_ps_6_0_zi.dxil"));
  for_damaged(bitcode, 200, [](const Bytes& damaged) {
    auto module = ModuleEdit::open(view_of(damaged));
    if (!module) return;
    const NameChange changes[] = {{NameKind::entry, "", "x"}};
    static_cast<void>(dxil::rename(*module, changes));
    static_cast<void>(module->write());
  });
}

TEST(PlaceTexts, each_stays_in_its_place) {
  const std::string table("\0first\0second\0\0\0", 16);
  const View view(std::as_bytes(std::span(table.data(), table.size())));
  String a{"longer_than_first", 1};
  String b{"second", 7};
  String* const texts[] = {&a, &b};
  const auto placed = dxil::place_texts(view, texts, dxil::Sharing::always, dxil::Padding::words);
  EXPECT_EQ(a.offset, 1U);
  EXPECT_EQ(b.offset, 19U);
  EXPECT_EQ(placed.size(), 28U);
  a.text = "first";
  const auto back = dxil::place_texts(View(placed), texts, dxil::Sharing::always, dxil::Padding::words);
  EXPECT_EQ(View(back).text(), table);
}

TEST(PlaceTexts, those_who_shared_part_and_meet) {
  const std::string table("A\0", 2);
  String first{"B", 0};
  String second{"A", 0};
  String* const texts[] = {&first, &second};
  const View view(std::as_bytes(std::span(table.data(), table.size())));
  const auto parted = dxil::place_texts(view, texts, dxil::Sharing::always, dxil::Padding::none);
  EXPECT_EQ(View(parted).text(), std::string_view("B\0A\0", 4));
  first.text = "A";
  const auto met = dxil::place_texts(View(parted), texts, dxil::Sharing::always, dxil::Padding::none);
  EXPECT_EQ(View(met).text(), table);
  EXPECT_EQ(first.offset, second.offset);
}

}  // namespace

}  // namespace unshade::test
