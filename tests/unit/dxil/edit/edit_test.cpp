#include <unshade/dxil/edit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>

#include "dxil/edit/names.hpp"
#include "dxil/edit/signatures.hpp"
#include "dxil/parts/text_table.hpp"
#include "unit/dxil/edit/edited.hpp"
#include "unit/support/dxil_samples.hpp"

namespace unshade::test {

namespace {

using dxil::BindingChange;
using dxil::ModuleEdit;
using dxil::NameKind;
using dxil::Rename;

/// Names and registers of all things of a file, and how to get there and back.
struct Changes {
  std::vector<Rename> names, names_back;
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

TEST(ModuleEdit, AnUnchangedModuleIsNumberedAsItWas) {
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

TEST(ModuleEdit, NamesThereAndBack) {
  for (const auto name : kDxilSamples) {
    const Bytes file = dxil_sample(name);
    const Changes changes = changes_of(file);
    if (changes.names.empty()) continue;
    const auto there = edited(file, changes.names);
    ASSERT_TRUE(there) << name << to_string(there.error());
    EXPECT_FALSE(*there == file) << name;
    const std::string text(View(*there).text());
    for (const auto& change : changes.names_back) {
      if (change.what == NameKind::entry) {
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

TEST(ModuleEdit, RegistersThereAndBack) {
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

TEST(ModuleEdit, CodeTakesTheRegisterWithIt) {
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

TEST(ModuleEdit, InstructionsComeAndGo) {
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

TEST(ModuleEdit, Faults) {
  const Bytes file = dxil_sample("transform_vs_6_8.dxil");
  const auto changes = changes_of(file);
  ASSERT_FALSE(changes.bindings.empty());
  EXPECT_EQ(fault<Rename>(file, {{NameKind::resource, "not_there", "x"}}), "missing");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::entry, "", ""}}), "bad-value");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::input, "POSITION0", "SV_Target0"}}), "bad-value");
  EXPECT_EQ(fault<BindingChange>(file, {{dxil::ResourceClass::srv, 77, 7, 78, 7}}), "missing");
  auto beyond = changes.bindings[0];
  beyond.to = 0xffff'ffff;
  EXPECT_EQ(fault<BindingChange>(file, {beyond}), "bad-value");
}

TEST(ModuleEdit, RangesMayNotOverlap) {
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

TEST(ModuleEdit, ReflectionGoes) {
  for (const auto name : kDxilSamples) {
    const Bytes bitcode = bitcode_of(dxil_sample(name), "STAT");
    if (bitcode.empty()) continue;
    const auto stripped = dxil::strip_module(view_of(bitcode), {.reflection = true});
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

TEST(ModuleEdit, DebugInformationGoes) {
  const Bytes file = dxil_sample("control_ps_6_0_zi.dxil");
  const Bytes bitcode = bitcode_of(file, "ILDB");
  const auto stripped = dxil::strip_module(view_of(bitcode), {.debug = true});
  ASSERT_TRUE(stripped) << to_string(stripped.error());
  const auto module = dxil::parse_module(view_of(*stripped));
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_TRUE(module->locations.empty());
  EXPECT_TRUE(module->local_metadata.empty());
  for (const auto& list : module->named_metadata) {
    EXPECT_FALSE(module->text(list.name).starts_with("llvm.dbg.")) << module->text(list.name);
    EXPECT_FALSE(module->text(list.name).starts_with("dx.source.")) << module->text(list.name);
  }
  for (const auto& function : module->functions) EXPECT_FALSE(module->text(module->values[function.value].name).starts_with("llvm.dbg."));
  // dxc wrote the same for the DXIL part, which has no reflection either.
  const auto both = dxil::strip_module(view_of(bitcode), {.debug = true, .reflection = true});
  ASSERT_TRUE(both) << to_string(both.error());
  EXPECT_TRUE(*both == bitcode_of(file)) << both->size() << " bytes, not " << bitcode_of(file).size();
  const auto again = dxil::strip_module(view_of(*stripped), {.debug = true});
  ASSERT_TRUE(again);
  EXPECT_TRUE(*again == *stripped);
}

TEST(ModuleEdit, NodesThereAndBack) {
  const Bytes file = dxil_sample("graph_lib_6_8.dxil");
  const auto there = edited<Rename>(file, {{NameKind::node, "done", "finished"}, {NameKind::node, "gather[0]", "gather[4]"}});
  ASSERT_TRUE(there) << to_string(there.error());
  const Bytes part = part_data(*there, "RDAT");
  const auto rdat = dxil::parse_rdat(loose("RDAT", part));
  ASSERT_TRUE(rdat) << to_string(rdat.error());
  std::string ids;
  for (const auto& row : rdat->node_ids.rows) ids += std::string(row.name.text) + std::to_string(row.index) + ' ';
  EXPECT_EQ(ids, "split0 gather4 finished0 ");
  std::string functions;
  for (const auto& row : rdat->functions.rows) functions += std::string(row.name.text) + ' ';
  EXPECT_NE(functions.find("done "), std::string::npos) << "functions keep their names: " << functions;
  const Bytes bitcode = bitcode_of(*there);
  const auto module = dxil::parse_module(view_of(bitcode));
  ASSERT_TRUE(module);
  std::set<std::string> texts;
  for (const auto& metadata : module->metadata)
    if (metadata.kind == dxil::MetadataKind::string) texts.emplace(module->string_of(metadata));
  EXPECT_TRUE(texts.contains("finished"));
  const auto back = edited<Rename>(*there, {{NameKind::node, "finished", "done"}, {NameKind::node, "gather[4]", "gather[0]"}});
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_TRUE(*back == file);
  EXPECT_EQ(fault<Rename>(file, {{NameKind::node, "done[1]", "x"}}), "missing");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::node, "done", "gather"}}), "bad-value");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::node, "done", "gather"}, {NameKind::node, "gather", "done"}}), "none");
}

/// Texts of the string buffer of RDAT, and of its functions name and plain name.
std::string texts_of(const Bytes& file) {
  const Bytes part = part_data(file, "RDAT");
  const auto rdat = dxil::parse_rdat(loose("RDAT", part));
  if (!rdat) return to_string(rdat.error());
  std::string texts(rdat->strings.text());
  std::ranges::replace(texts, '\0', ' ');
  for (const auto& row : rdat->functions.rows) texts += '|' + std::string(row.name.text) + '=' + std::string(row.unmangled_name.text);
  return texts;
}

// As dxc has them: of a node, the function's name comes first, and its id where no node in front has referred to it.
TEST(ModuleEdit, TextsOfLibrariesStandInTheOrderOfUse) {
  const Bytes file = dxil_sample("graph_lib_6_8.dxil");
  EXPECT_EQ(texts_of(file), " sums split gather done |split=split|gather=gather|done=done");
  const auto there = edited<Rename>(file, {{NameKind::entry, "done", "e0"}});
  ASSERT_TRUE(there) << to_string(there.error());
  EXPECT_EQ(texts_of(*there), " sums split gather done e0  |split=split|gather=gather|e0=e0");
  const auto back = edited<Rename>(*there, {{NameKind::entry, "e0", "done"}});
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_TRUE(*back == file);
  const auto first = edited<Rename>(file, {{NameKind::entry, "split", "sums"}});
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_EQ(texts_of(*first), " sums split gather done |sums=sums|gather=gather|done=done");
}

TEST(ModuleEdit, TheOnlyEntryOfALibraryNeedsNoName) {
  const Bytes file = dxil_sample("rays_lib_6_7.dxil");
  const Bytes bitcode = bitcode_of(file);
  auto edit = ModuleEdit::open(view_of(bitcode));
  ASSERT_TRUE(edit);
  // What stands for the library has no name; of the others one is left.
  const auto& lists = edit->module().named_metadata;
  const auto list = std::ranges::find_if(lists, [&](const auto& l) { return edit->module().text(l.name) == "dx.entryPoints"; });
  ASSERT_NE(list, lists.end());
  std::vector<std::uint32_t> nodes;
  for (const std::uint64_t id : edit->module().metadata_operands_of(list->nodes)) nodes.push_back(static_cast<std::uint32_t>(id));
  const auto metadata = dxil::read_program_metadata(edit->module());
  ASSERT_GT(metadata.entries.size(), 2U);
  std::size_t kept = 0;
  while (metadata.entries[kept].name != "\1?sky@@YAXUPayload@@@Z") ASSERT_LT(++kept, metadata.entries.size());
  ASSERT_TRUE(metadata.entries[0].name.empty());
  const std::uint32_t left[] = {nodes[0], nodes[kept]};
  edit->set_nodes(static_cast<std::size_t>(list - lists.begin()), left);
  const auto written = edit->write();
  ASSERT_TRUE(written) << to_string(written.error());
  const Bytes part = part_data(file, "DXIL");
  auto program = dxil::parse_program(loose("DXIL", part));
  ASSERT_TRUE(program);
  program->bitcode = view_of(*written);
  program->size_dwords = 0;
  const Bytes one = with_part(with_part(file, "DXIL", dxil::write_program(*program)), "STAT", dxil::write_program(*program));
  const auto there = edited<Rename>(one, {{NameKind::entry, "", "night"}});
  ASSERT_TRUE(there) << to_string(there.error());
  EXPECT_NE(texts_of(*there).find("|\1?night@@YAXUPayload@@@Z=night"), std::string::npos) << texts_of(*there);
  EXPECT_EQ(texts_of(*there).find("sky"), std::string::npos) << texts_of(*there);
  const auto back = edited<Rename>(*there, {{NameKind::entry, "", "sky"}});
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_TRUE(part_data(*back, "RDAT") == part_data(file, "RDAT"));
  // Of a whole name the mangling goes, and what is made of it follows.
  const auto plain = edited<Rename>(one, {{NameKind::entry, "\1?sky@@YAXUPayload@@@Z", "night"}});
  ASSERT_TRUE(plain) << to_string(plain.error());
  EXPECT_NE(texts_of(*plain).find("|night=night"), std::string::npos) << texts_of(*plain);
  EXPECT_EQ(fault<Rename>(file, {{NameKind::entry, "", "night"}}), "bad-value");
}

TEST(EditNames, PlainNames) {
  EXPECT_EQ(dxil::edit::plain_name("main"), "main");
  EXPECT_EQ(dxil::edit::plain_name("\1?main@@YAXXZ"), "main");
  EXPECT_EQ(dxil::edit::plain_name("\1?main"), "\1?main");
}

// --- signature parts ---

/// A part of rows that share register 0 but for the first, as dxc makes it of `elements`, whose first rows they are.
dxcontainer::Signature signature_of(const std::vector<dxil::edit::RenamedElement>& elements, const std::vector<std::size_t>& rows,
                                    const std::vector<std::uint32_t>& offsets, std::uint32_t size) {
  dxcontainer::Signature signature;
  signature.layout = dxcontainer::signature_layout(dxcontainer::fourcc("ISG1"));
  signature.elements.offset = 8;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& item = signature.elements.items.emplace_back();
    item.semantic = {elements[rows[i]].name, 8 + 32 * static_cast<std::uint32_t>(rows.size()) + offsets[i]};
    item.semantic_index = elements[rows[i]].indexes[0];
    item.register_index = static_cast<std::uint32_t>(elements[rows[i]].start_row);
    item.mask = static_cast<std::uint8_t>(1U << rows[i]);
  }
  signature.size = 8 + 32 * static_cast<std::uint32_t>(rows.size()) + size;
  signature.fill = std::byte{0};
  return signature;
}
std::string rows_of(const dxcontainer::Signature& signature) {
  std::string text;
  for (const auto& item : signature.elements)
    text += std::string(item.semantic.text) + std::to_string(item.semantic_index) + '@' +
            std::to_string(item.semantic.offset - 8 - 32 * signature.elements.size()) + ' ';
  return text + std::to_string(signature.size - 8 - 32 * signature.elements.size());
}
std::vector<dxil::edit::RenamedElement> there_and_back(const std::vector<dxil::edit::RenamedElement>& elements) {
  auto back = elements;
  for (auto& element : back) {
    std::swap(element.name, element.new_name);
    for (auto& index : element.indexes) index += element.shift;
    element.shift = 0U - element.shift;
  }
  return back;
}

TEST(EditSignatures, RowsStandInTheOrderOfRegisterAndName) {
  // B0 in register 1; A0 and C0, which becomes B1, share register 0.
  const std::vector<dxil::edit::RenamedElement> elements = {{.name = "B", .new_name = "B", .indexes = {0}, .start_row = 1},
                                                            {.name = "AA", .new_name = "AA", .indexes = {0}, .start_row = 0},
                                                            {.name = "CC", .new_name = "B", .indexes = {0}, .shift = 1, .start_row = 0}};
  const Bytes shared = dxcontainer::write_signature(signature_of(elements, {1, 2, 0}, {2, 5, 0}, 8));
  auto signature = *dxcontainer::parse_signature(loose("ISG1", shared));
  EXPECT_EQ(rows_of(signature), "AA0@2 CC0@5 B0@0 8");
  ASSERT_TRUE(dxil::edit::rename_in_signature(signature, view_of(shared), elements, true));
  EXPECT_EQ(rows_of(signature), "B1@0 AA0@2 B0@0 8");
  EXPECT_EQ(signature.elements[0].mask, 4) << "a row goes with its element";
  const Bytes there = dxcontainer::write_signature(signature);
  auto back = *dxcontainer::parse_signature(loose("ISG1", there));
  const auto reversed = there_and_back(elements);  // the signature borrows its names
  ASSERT_TRUE(dxil::edit::rename_in_signature(back, view_of(there), reversed, true));
  EXPECT_TRUE(dxcontainer::write_signature(back) == shared);

  // Before validator version 1.7: a name for each element, and no more bytes than that.
  const Bytes apart = dxcontainer::write_signature(signature_of(elements, {1, 2, 0}, {2, 5, 0}, 8));
  signature = *dxcontainer::parse_signature(loose("ISG1", apart));
  ASSERT_TRUE(dxil::edit::rename_in_signature(signature, view_of(apart), elements, false));
  EXPECT_EQ(rows_of(signature), "AA0@2 B1@5 B0@0 7");
}

TEST(EditSignatures, NamesOfSystemValuesAreSharedAndMayHaveNoRows) {
  using dxil::SemanticKind;
  const std::vector<dxil::edit::RenamedElement> elements = {
      {.name = "SV_ClipDistance", .new_name = "SV_ClipDistance", .indexes = {0}, .semantic = SemanticKind::clip_distance, .start_row = 0},
      {.name = "SV_Coverage", .new_name = "SV_Coverage", .indexes = {0}, .semantic = SemanticKind::coverage},
      {.name = "SV_ClipDistance", .new_name = "SV_ClipDistance", .indexes = {1}, .semantic = SemanticKind::clip_distance, .start_row = 1},
      {.name = "A", .new_name = "LONGER", .indexes = {0}, .start_row = 2}};
  auto made = signature_of(elements, {0, 2, 3}, {0, 0, 28}, 30);
  Bytes bytes = dxcontainer::write_signature(made);
  const std::string_view coverage = "SV_Coverage";
  std::ranges::copy(std::as_bytes(std::span(coverage)), bytes.begin() + 8 + 3 * 32 + 16);
  auto signature = *dxcontainer::parse_signature(loose("ISG1", bytes));
  ASSERT_TRUE(dxil::edit::rename_in_signature(signature, view_of(bytes), elements, false));
  EXPECT_EQ(rows_of(signature), "SV_ClipDistance0@0 SV_ClipDistance1@0 LONGER0@28 35");
}

TEST(EditSignatures, WhatStraysStays) {
  const std::vector<dxil::edit::RenamedElement> elements = {{.name = "A", .new_name = "X", .indexes = {0}, .start_row = 0},
                                                            {.name = "B", .new_name = "B", .indexes = {0}, .start_row = 0}};
  const auto refused = [&](const std::vector<std::size_t>& rows, const std::vector<std::uint32_t>& offsets, std::uint32_t size) {
    const Bytes bytes = dxcontainer::write_signature(signature_of(elements, rows, offsets, size));
    auto signature = *dxcontainer::parse_signature(loose("ISG1", bytes));
    const bool done = dxil::edit::rename_in_signature(signature, view_of(bytes), elements, true);
    EXPECT_EQ(done, dxcontainer::write_signature(signature) != bytes);
    return !done;
  };
  EXPECT_FALSE(refused({0, 1}, {0, 2}, 4));
  EXPECT_TRUE(refused({1, 0}, {2, 0}, 4)) << "rows in another order";
  EXPECT_TRUE(refused({0, 1}, {2, 0}, 4)) << "names in another order";
  EXPECT_TRUE(refused({0, 1}, {0, 2}, 8)) << "more bytes";
  EXPECT_TRUE(refused({0}, {0}, 4)) << "an element without its row";
}

TEST(ModuleEdit, MembersOfStructuresThereAndBack) {
  const Bytes file = dxil_sample("atomics_cs_6_6.dxil");
  const auto members_of = [](const Bytes& container) {
    const Bytes bitcode = bitcode_of(container, "STAT");
    const auto module = dxil::parse_module(view_of(bitcode));
    std::string names;
    if (!module) return names;
    for (const auto& structure : dxil::read_program_metadata(*module).structs)
      for (const auto& field : structure.fields) names += std::string(field.name) + ' ';
    return names;
  };
  const std::string before = members_of(file);
  ASSERT_NE(before.find("key value cell "), std::string::npos) << before;
  for (const char* const from : {"items.key", "Item.key", "key"}) {
    const auto there = edited<Rename>(file, {{NameKind::variable, from, "order"}});
    ASSERT_TRUE(there) << from << to_string(there.error());
    EXPECT_NE(members_of(*there).find("order value cell "), std::string::npos) << from << members_of(*there);
    const auto back = edited<Rename>(*there, {{NameKind::variable, "sorted.order", "sorted.key"}});
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_TRUE(*back == file) << from;
  }
  EXPECT_EQ(fault<Rename>(file, {{NameKind::variable, "items.key", "value"}}), "bad-value");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::variable, "items.absent", "value"}}), "missing");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::variable, "items.key", "value"}, {NameKind::variable, "items.value", "key"}}), "none");
}

// Where a handle may be one of several resources, they have to move alike.
TEST(ModuleEdit, HandlesOfSeveralResources) {
  const Bytes bitcode = bitcode_of(dxil_sample("atomics_cs_6_0.dxil"));
  auto edit = ModuleEdit::open(view_of(bitcode));
  ASSERT_TRUE(edit);
  const dxil::Module& module = edit->module();
  const auto metadata = dxil::read_program_metadata(module);
  ASSERT_GT(metadata.unordered_access.size(), 1U);
  // The range of a handle of a view becomes a sum.
  bool found = false;
  const auto& body = module.bodies[0];
  for (std::uint32_t i = body.instructions.first; i < body.instructions.end() && !found; ++i) {
    const auto operands = module.operands_of(module.instructions[i].operands);
    if (module.instructions[i].opcode != dxil::Opcode::call || module.text(module.values[operands[0]].name) != "dx.op.createHandle")
      continue;
    const auto& resource_class = module.value(&body, operands[2]);
    if (resource_class.kind != dxil::ValueKind::constant || module.constants[resource_class.index].bits != 1) continue;
    const auto type = edit->integer_type(32);
    edit->set_argument(0, i, 2, edit->insert_add(0, i, edit->integer(type, 0), edit->integer(type, 1)));
    found = true;
  }
  ASSERT_TRUE(found);
  const auto written = edit->write();
  ASSERT_TRUE(written) << to_string(written.error());
  std::vector<BindingChange> all;
  for (const auto& r : metadata.unordered_access) all.push_back({r.resource_class, r.lower_bound, r.space, r.lower_bound + 40, r.space});
  auto moved = ModuleEdit::open(view_of(*written));
  ASSERT_TRUE(moved);
  const auto together = dxil::rebind(*moved, all);
  ASSERT_TRUE(together) << to_string(together.error());
  const auto bytes = moved->write();
  ASSERT_TRUE(bytes);
  EXPECT_TRUE(dxil::parse_module(view_of(*bytes)));
  auto alone = ModuleEdit::open(view_of(*written));
  const auto apart = dxil::rebind(*alone, std::span(all).first(1));
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().code, ErrorCode::unsupported);
}

// Orders of uses belong to values, whatever number these get.
TEST(ModuleEdit, OrdersOfUsesFollowTheirValues) {
  const Bytes bitcode = bitcode_of(dxil_sample("transform_vs_6_8.dxil"));
  auto stream = dxil::parse_bitstream(view_of(bitcode));
  const auto before = dxil::parse_module(view_of(bitcode));
  ASSERT_TRUE(stream && before);
  // The module's last constant, in a block of its own at the module's end.
  using Item = dxil::BitstreamItem;
  std::vector<Item> added(3);
  added[0].kind = Item::Kind::enter_block;
  added[0].code = 18;
  added[0].width = 3;
  added[1].kind = Item::Kind::record;
  added[1].code = 1;
  added[1].abbreviation = 3;
  added[1].first = static_cast<std::uint32_t>(stream->operands.size());
  added[1].count = 3;
  stream->operands.insert(stream->operands.end(), {1, 0, before->values.size() - 1});
  added[2].kind = Item::Kind::end_block;
  std::size_t depth = 0;
  std::size_t end = 0;
  for (; end < stream->items.size(); ++end) {
    if (stream->items[end].kind == Item::Kind::enter_block) ++depth;
    if (stream->items[end].kind == Item::Kind::end_block && --depth == 0) break;
  }
  stream->items.insert(stream->items.begin() + static_cast<std::ptrdiff_t>(end), added.begin(), added.end());
  const auto with_order = dxil::write_bitstream(*stream);
  ASSERT_TRUE(with_order) << to_string(with_order.error());
  auto edit = ModuleEdit::open(view_of(*with_order));
  ASSERT_TRUE(edit) << to_string(edit.error());
  const auto& wanted = before->constants[before->values.back().index];
  const BindingChange changes[] = {{dxil::ResourceClass::cbuffer, 0, 0, 50, 0}};
  ASSERT_TRUE(dxil::rebind(*edit, changes));
  const auto written = edit->write();
  ASSERT_TRUE(written) << to_string(written.error());
  const auto after = dxil::parse_module(view_of(*written));
  ASSERT_TRUE(after) << to_string(after.error());
  ASSERT_EQ(after->use_lists.size(), 1U);
  const auto& value = after->values.at(after->use_lists[0].id);
  ASSERT_EQ(value.kind, dxil::ValueKind::constant);
  EXPECT_EQ(after->constants[value.index].bits, wanted.bits);
  EXPECT_EQ(after->constants[value.index].kind, wanted.kind);
}

TEST(ModuleEdit, DamageIsAnErrorOrWrites) {
  const Bytes bitcode = bitcode_of(dxil_sample("control_ps_6_0_zi.dxil"));
  for_damaged(bitcode, 200, [](const Bytes& damaged) {
    auto module = ModuleEdit::open(view_of(damaged));
    if (!module) return;
    const Rename changes[] = {{NameKind::entry, "", "x"}};
    static_cast<void>(dxil::rename(*module, changes));
    static_cast<void>(module->write());
  });
  for_damaged(bitcode_of(dxil_sample("control_ps_6_0_zi.dxil"), "ILDB"), 300,
              [](const Bytes& damaged) { static_cast<void>(dxil::strip_module(view_of(damaged), {.debug = true, .reflection = true})); });
  for_damaged(bitcode_of(dxil_sample("graph_lib_6_8.dxil")), 200, [](const Bytes& damaged) {
    auto module = ModuleEdit::open(view_of(damaged));
    if (!module) return;
    const Rename changes[] = {{NameKind::node, "done", "finished"}, {NameKind::variable, "x", "y"}};
    static_cast<void>(dxil::rename(*module, changes));
    module->prune_types();
    static_cast<void>(module->write());
  });
}

TEST(PlaceTexts, EachStaysInItsPlace) {
  const std::string table("\0first\0second\0\0\0", 16);
  const View view(std::as_bytes(std::span(table.data(), table.size())));
  String a{"longer_than_first", 1};
  String b{"second", 7};
  String* const texts[] = {&a, &b};
  const auto placed = dxil::parts::place_texts(view, texts, dxil::parts::Sharing::always, dxil::parts::Padding::words);
  EXPECT_EQ(a.offset, 1U);
  EXPECT_EQ(b.offset, 19U);
  EXPECT_EQ(placed.size(), 28U);
  a.text = "first";
  const auto back = dxil::parts::place_texts(View(placed), texts, dxil::parts::Sharing::always, dxil::parts::Padding::words);
  EXPECT_EQ(View(back).text(), table);
}

TEST(PlaceTexts, ThoseWhoSharedPartAndMeet) {
  const std::string table("A\0", 2);
  String first{"B", 0};
  String second{"A", 0};
  String* const texts[] = {&first, &second};
  const View view(std::as_bytes(std::span(table.data(), table.size())));
  const auto parted = dxil::parts::place_texts(view, texts, dxil::parts::Sharing::always, dxil::parts::Padding::none);
  EXPECT_EQ(View(parted).text(), std::string_view("B\0A\0", 4));
  first.text = "A";
  const auto met = dxil::parts::place_texts(View(parted), texts, dxil::parts::Sharing::always, dxil::parts::Padding::none);
  EXPECT_EQ(View(met).text(), table);
  EXPECT_EQ(first.offset, second.offset);
}

TEST(TextTable, EqualTextsAreOne) {
  dxil::parts::TextTableWriter table;
  EXPECT_EQ(table.add(""), 0U);
  EXPECT_EQ(table.add("one"), 1U);
  EXPECT_EQ(table.add("two"), 5U);
  EXPECT_EQ(table.add("one"), 1U);
  EXPECT_EQ(table.append("one"), 9U);
  EXPECT_EQ(table.add(""), 0U);
  const auto bytes = table.take(dxil::parts::Padding::words);
  EXPECT_EQ(View(bytes).text(), std::string_view("\0one\0two\0one\0\0\0\0", 16));
}

// As LLVM numbers them, the pointer before the struct that holds it.
TEST(ModuleEdit, TypesThatLeadToThemselvesKeepTheirOrder) {
  const std::string text = "%S = type { %S*, i32 }\n\n@g = external global %S\n\n!named = !{!0}\n\n!0 = !{!\"text\"}\n";
  const auto plain = dxil::assemble(text);
  const auto debug = dxil::assemble(text + "!1 = !{!\"file\"}\n!llvm.dbg.cu = !{!1}\n");
  ASSERT_TRUE(plain.ok && debug.ok) << to_string(plain.ok ? debug.messages[0] : plain.messages[0]);
  const auto stripped = dxil::strip_module(View(debug.file), {.debug = true});
  ASSERT_TRUE(stripped);
  EXPECT_EQ(*stripped, plain.file);
}

}  // namespace

}  // namespace unshade::test
