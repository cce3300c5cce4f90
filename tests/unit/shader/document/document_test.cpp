// Whole files as documents and back: places that vendors would not choose, edits, and documents that mean harm.
#include <unshade/shader/document.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"
#include "support/values.hpp"
#include "unit/support/dxbc_builder.hpp"

namespace unshade::test {

namespace {

Value* part(Value& document, std::string_view fourcc) {
  for (Value& entry : *at(document, "parts")->as_list())
    if (entry.as_map()->front().key == fourcc) return &entry.as_map()->front().value;
  return nullptr;
}

Value document_of(const std::vector<std::byte>& bytes, shader::DocumentFacts* facts = nullptr) {
  auto document = shader::make_document(view_of(bytes), facts);
  EXPECT_TRUE(document);
  return document ? *std::move(document) : Value();
}

Error fault_of(const Value& document) {
  const auto built = shader::build_document(document);
  return built ? Error{} : built.error();
}

TEST(Document, EverySampleComesBackToTheByte) {
  std::size_t files = 0;
  for (const char* folder : {"dxbc", "dxil", "pica", "spirv", "vbc"}) {
    for (const auto& file : std::filesystem::directory_iterator(source_dir() / "tests/data" / folder)) {
      const auto extension = file.path().extension();
      if (extension != ".dxbc" && extension != ".dxil" && extension != ".shbin" && extension != ".spv" && extension != ".vbc") continue;
      const auto bytes = read_bytes(file.path());
      shader::DocumentFacts facts;
      const Value document = document_of(bytes, &facts);
      EXPECT_FALSE(facts.opaque) << file.path();
      const auto built = shader::build_document(document);
      ASSERT_TRUE(built) << file.path() << ' ' << to_string(built.error());
      EXPECT_TRUE(*built == bytes) << file.path();
      ++files;
    }
  }
  EXPECT_GT(files, 30U);
}

// The zeros at the end of VERS depend on the lengths of its texts: a document has none, and texts of any length build valid parts.
TEST(Document, CompilerVersionsOfAnyLengthArePadded) {
  const auto bytes = read_bytes(source_dir() / "tests/data/dxil/exported_lib_6_3.dxil");
  for (const char* custom : {"1.8", "1.8.1", "1.8.24", "1.8.2403.344"}) {
    Value document = document_of(bytes);
    Value* const version = part(document, "VERS");
    ASSERT_NE(version, nullptr);
    EXPECT_EQ(at(*version, "padding"), nullptr);
    ASSERT_NE(at(*version, "custom"), nullptr);
    *at(*version, "custom") = Value::text(custom);
    const auto built = shader::build_document(document);
    ASSERT_TRUE(built) << to_string(built.error());
    for (const Diagnostic& d : shader::validate(view_of(*built))) EXPECT_NE(d.rule->id, "dxil.compiler-version") << custom << d.message;
  }
  // What is not regular is kept.
  Value document = document_of(bytes);
  part(document, "VERS")->as_map()->push_back({"padding", Value::text("00000001")});
  const auto built = shader::build_document(document);
  ASSERT_TRUE(built) << to_string(built.error());
  Value again = document_of(*built);
  ASSERT_NE(at(*part(again, "VERS"), "padding"), nullptr);
  const auto same = shader::build_document(again);
  ASSERT_TRUE(same) << to_string(same.error());
  EXPECT_TRUE(*same == *built);
}

// Selectors have names; documents of before had numbers.
TEST(Document, SelectorsOfOperandDescriptorsAreLetters) {
  constexpr const char* kSource = "dvlb/program/descriptors/0/bits/source1";
  const auto bytes = read_bytes(source_dir() / "tests/data/pica/quad.g.shbin");
  Value document = document_of(bytes);
  ASSERT_NE(at(document, kSource), nullptr);
  Value& source = *at(document, kSource);
  EXPECT_TRUE(source == Value::text("xyzw"));
  source = Value::integer(0x1b);
  const auto built = shader::build_document(document);
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_TRUE(*built == bytes);
  source = Value::text("wwwx");
  const auto other = shader::build_document(document);
  ASSERT_TRUE(other) << to_string(other.error());
  Value again = document_of(*other);
  EXPECT_TRUE(*at(again, kSource) == Value::text("wwwx"));
  for (const char* wrong : {"xyz", "xyzq", ""}) {
    source = Value::text(wrong);
    EXPECT_NE(fault_of(document).path, "") << wrong;
  }
}

TEST(Document, ANameCanBecomeLonger) {
  const auto bytes = sample("textured_ps_5_0.dxbc");
  Value document = document_of(bytes);
  Value* const rdef = part(document, "RDEF");
  ASSERT_NE(rdef, nullptr);
  *at(*rdef, "creator") = Value::text("a compiler with a name that is longer than any place it had");
  const auto built = shader::build_document(document);
  ASSERT_TRUE(built) << to_string(built.error());
  const auto container = dxcontainer::parse_container(view_of(*built));
  ASSERT_TRUE(container);
  EXPECT_EQ(dxcontainer::check_digest(*container), dxcontainer::DigestState::valid);
  const auto again = dxbc::parse_rdef(*container->find(dxcontainer::fourcc("RDEF")));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->creator.text, "a compiler with a name that is longer than any place it had");
}

// The texts of this signature stand side by side, where its document says.
TEST(Document, ATextThatOutgrowsItsPlaceIsNeverCutOff) {
  const auto bytes = sample("lit_vs_4_0.dxbc");
  Value document = document_of(bytes);
  Value* const semantic = at(*part(document, "ISGN"), "elements/1/semantic");
  ASSERT_NE(semantic, nullptr);
  ASSERT_NE(at(*part(document, "ISGN"), "elements/1/semantic@"), nullptr);
  *semantic = Value::text("NORMALVECTOR");
  semantic->text_offset = 77;
  const Error error = fault_of(document);
  EXPECT_EQ(error.code, ErrorCode::overlap) << to_string(error);
  EXPECT_EQ(error.path, "parts[0]/ISGN/elements[1]/semantic");
  EXPECT_EQ(error.offset, 77U);

  std::vector<Error> notes;
  const auto fitting = shader::build_document(document, {shader::Hints::fitting, &notes});
  ASSERT_TRUE(fitting) << to_string(fitting.error());
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].path, "parts[0]/ISGN/elements[1]/semantic");
  EXPECT_EQ(notes[0].offset, 77U);
  EXPECT_NE(notes[0].message, "");
  Value again = document_of(*fitting);
  EXPECT_EQ(*at(*part(again, "ISGN"), "elements/1/semantic"), Value::text("NORMALVECTOR"));
  EXPECT_EQ(*at(*part(again, "ISGN"), "elements/2/semantic"), *at(*part(document, "ISGN"), "elements/2/semantic"));
}

TEST(Document, ANameThatFitsKeepsItsHints) {
  const auto bytes = sample("lit_vs_4_0.dxbc");
  Value document = document_of(bytes);
  *at(*part(document, "ISGN"), "elements/1/semantic") = Value::text("NRM");
  std::vector<Error> notes;
  const auto built = shader::build_document(document, {shader::Hints::fitting, &notes});
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(built->size(), bytes.size());
  Value again = document_of(*built);
  EXPECT_EQ(*at(*part(again, "ISGN"), "elements/1/semantic"), Value::text("NRM"));
}

// Gaps that hold what a field says would undo an edit of it.
TEST(Document, AGapDoesNotUndoAnEdit) {
  Value document = document_of(sample("textured_ps_5_0.dxbc"), nullptr);
  Value edited = document;
  for (Value& entry : *at(edited, "parts")->as_list()) {
    if (entry.as_map()->front().key != "STAT") continue;
    Value gap = Value::map();
    gap.add("at", Value::integer(0));
    gap.add("bytes", Value::text("07000000"));
    entry.add("gaps", Value::list({gap}));
  }
  const Error error = fault_of(edited);
  EXPECT_EQ(error.code, ErrorCode::overlap) << to_string(error);
  EXPECT_TRUE(error.path.ends_with("/STAT/instruction_count")) << error.path;
}

TEST(Document, WithoutHintsEverySampleReadsTheSame) {
  for (const char* folder : {"dxbc", "dxil", "pica"}) {
    for (const auto& file : std::filesystem::directory_iterator(source_dir() / "tests/data" / folder)) {
      const auto extension = file.path().extension();
      if (extension != ".dxbc" && extension != ".dxil" && extension != ".shbin") continue;
      const auto bytes = read_bytes(file.path());
      shader::DocumentFacts facts;
      const auto document = shader::make_document(view_of(bytes), &facts, shader::Hints::dropped);
      ASSERT_TRUE(document) << file.path() << ' ' << to_string(document.error());
      EXPECT_FALSE(facts.opaque) << file.path();
      EXPECT_EQ(facts.stated_parts, 0U) << file.path();
      const auto built = shader::build_document(*document);
      ASSERT_TRUE(built) << file.path() << ' ' << to_string(built.error());
      const auto afresh = shader::build_document(document_of(bytes), {shader::Hints::dropped, nullptr});
      ASSERT_TRUE(afresh) << file.path() << ' ' << to_string(afresh.error());
      EXPECT_TRUE(*built == *afresh) << file.path();
      const auto again = shader::make_document(view_of(*built), nullptr, shader::Hints::dropped);
      ASSERT_TRUE(again) << file.path();
      EXPECT_TRUE(*again == *document) << file.path();
    }
  }
}

TEST(Document, AWrongDigestIsKept) {
  auto bytes = sample("textured_ps_5_0.dxbc");
  bytes[4] ^= std::byte{1};
  const Value document = document_of(bytes);
  EXPECT_TRUE(document.find("digest")->is(Value::Kind::bytes));
  const auto built = shader::build_document(document);
  ASSERT_TRUE(built);
  EXPECT_TRUE(*built == bytes);
}

TEST(Document, BytesAroundPartsAreKept) {
  auto bytes = sample("textured_ps_5_0.dxbc");
  bytes.push_back(std::byte{7});
  bytes.push_back(std::byte{8});
  const Value document = document_of(bytes);
  ASSERT_NE(document.find("trailing"), nullptr);
  EXPECT_EQ(document.find("trailing")->as_bytes()->size(), 2U);
  EXPECT_TRUE(*shader::build_document(document) == bytes);
}

TEST(Document, WhatIsOutOfOrderIsBytes) {
  // Two entries of the index that name the same part: no list of parts says that.
  const auto bytes = bytes_of({dxcontainer::kMagic, 0, 0, 0, 0, 1, 60, 2, 40, 40, 0x5649'5250, 12, 1, 2, 3});
  shader::DocumentFacts facts;
  const Value document = document_of(bytes, &facts);
  EXPECT_TRUE(facts.opaque);
  EXPECT_EQ(facts.hex_bytes, bytes.size());
  EXPECT_TRUE(*shader::build_document(document) == bytes);
}

TEST(Document, FaultsNameTheirPath) {
  const Value document = document_of(sample("textured_ps_5_0.dxbc"));
  {
    Value edited = document;
    edited.add("extra", Value::integer(1));
    EXPECT_EQ(fault_of(edited).path, "extra");
  }
  {
    Value edited = document;
    *at(edited, "schema") = Value::text("unshade.document/2");
    EXPECT_EQ(fault_of(edited).code, ErrorCode::unsupported);
  }
  {
    Value edited = document;
    *at(edited, "family") = Value::text("metal");
    EXPECT_EQ(fault_of(edited).code, ErrorCode::unsupported);
  }
  {
    Value edited = document;
    *part(edited, "STAT") = Value::integer(3);
    EXPECT_TRUE(fault_of(edited).path.ends_with("/STAT")) << fault_of(edited).path;
  }
  {
    Value edited = document;
    Value* const signature = part(edited, "ISGN");
    ASSERT_NE(signature, nullptr);
    signature->as_map()->front().value.as_list()->front().add("colour", Value::integer(1));
    EXPECT_TRUE(fault_of(edited).path.ends_with("/ISGN/elements[0]/colour")) << fault_of(edited).path;
  }
  {
    Value edited = document;
    Value::List& types = *at(*part(edited, "RDEF"), "types")->as_list();
    const std::size_t count = types.size();
    types.push_back(types.front());
    EXPECT_TRUE(fault_of(edited).path.ends_with("/RDEF/types[" + std::to_string(count) + ']')) << fault_of(edited).path;
  }
  EXPECT_EQ(fault_of(Value()).code, ErrorCode::bad_value);
  EXPECT_EQ(fault_of(Value::map()).code, ErrorCode::missing);
}

TEST(Document, PlacesFarAwayCostNothing) {
  const Value document = document_of(sample("textured_ps_5_0.dxbc"));
  {
    Value edited = document;
    part(edited, "ISGN")->add("elements@", Value::integer(0xfff0'0000));
    for (auto& member : *part(edited, "ISGN")->as_map())
      if (member.key == "elements@") member.value = Value::integer(0xfff0'0000);
    const Error error = fault_of(edited);
    EXPECT_TRUE(error.code == ErrorCode::limit || error.code == ErrorCode::bad_value) << to_string(error);
  }
  {
    Value edited = document;
    Value strides = Value::map();
    strides.add("type", Value::integer(0xffff'ffff));
    part(edited, "RDEF")->add("strides", std::move(strides));
    EXPECT_EQ(fault_of(edited).code, ErrorCode::bad_value);
  }
  {
    Value edited = document;
    at(edited, "parts/0")->add("size", Value::integer(0xfff0'0000));
    for (auto& member : *at(edited, "parts/0")->as_map())
      if (member.key == "size") member.value = Value::integer(0xfff0'0000);
    EXPECT_EQ(fault_of(edited).code, ErrorCode::limit);
  }
  {
    Value edited = document;
    Value gap = Value::map();
    gap.add("at", Value::integer(0xffff'ffff));
    gap.add("bytes", Value::text("00"));
    Value* const entry = at(edited, "parts/0");
    entry->as_map()->resize(1);
    entry->add("gaps", Value::list({gap}));
    EXPECT_EQ(fault_of(edited).code, ErrorCode::out_of_range);
  }
}

TEST(Document, TypesThatContainThemselvesAreRefused) {
  Value document = Value::map();
  document.add("schema", Value::text(shader::kDocumentSchema));
  document.add("family", Value::text("dxbc"));
  Value member = Value::map();
  member.add("name", Value::text("m"));
  member.add("type", Value::integer(0));
  Value type = Value::map();
  type.add("members", Value::list({member}));
  Value variable = Value::map();
  variable.add("name", Value::text("v"));
  variable.add("type", Value::integer(0));
  Value buffer = Value::map();
  buffer.add("variables", Value::list({variable}));
  Value rdef = Value::map();
  rdef.add("constant_buffers", Value::list({buffer}));
  rdef.add("types", Value::list({type}));
  Value entry = Value::map();
  entry.add("RDEF", rdef);
  document.add("parts", Value::list({entry}));
  EXPECT_EQ(fault_of(document).code, ErrorCode::cycle);
}

// What records of RDAT refer to stands with them, and is laid out as dxc does it.
TEST(Document, LibrariesHaveNoHints) {
  for (const char* name : {"exported_lib_6_3.dxil", "graph_lib_6_8.dxil", "rays_lib_6_7.dxil"}) {
    const auto bytes = read_bytes(source_dir() / "tests/data/dxil" / name);
    shader::DocumentFacts facts;
    Value document = document_of(bytes, &facts);
    EXPECT_EQ(facts.stated_parts, 0U) << name;
    const Value* const rdat = part(document, "RDAT");
    ASSERT_NE(rdat, nullptr) << name;
    ASSERT_NE(rdat->as_map(), nullptr) << name;
    EXPECT_NE(rdat->find("function_table"), nullptr) << name;
    for (const char* buffer : {"strings", "index_arrays", "raw_bytes"}) EXPECT_EQ(rdat->find(buffer), nullptr) << name;
  }
}

TEST(Document, AFunctionOfALibraryCanBeRenamed) {
  const auto bytes = read_bytes(source_dir() / "tests/data/dxil/rays_lib_6_7.dxil");
  Value document = document_of(bytes);
  Value* const function = at(*part(document, "RDAT"), "function_table/0");
  ASSERT_NE(function, nullptr);
  *at(*function, "unmangled_name") = Value::text("a name that is longer than the one before");
  for (auto& member : *function->as_map())
    if (member.key == "resources") member.value = Value::list({Value::integer(7), Value::integer(9)});
  const auto built = shader::build_document(document);
  ASSERT_TRUE(built) << to_string(built.error());
  const auto container = dxcontainer::parse_container(view_of(*built));
  ASSERT_TRUE(container);
  const auto rdat = dxil::parse_rdat(*container->find(dxcontainer::fourcc("RDAT")));
  ASSERT_TRUE(rdat) << to_string(rdat.error());
  EXPECT_EQ(rdat->functions[0].unmangled_name.text, "a name that is longer than the one before");
  EXPECT_EQ(document_of(*built).find("parts")->as_list()->size(), document.find("parts")->as_list()->size());
}

TEST(Document, RuntimeDataThatMeansHarmIsRefused) {
  const Value document = document_of(read_bytes(source_dir() / "tests/data/dxil/rays_lib_6_7.dxil"));
  const auto with_stride = [&](std::uint32_t bytes) {
    Value edited = document;
    Value strides = Value::map();
    strides.add("function_table", Value::integer(bytes));
    part(edited, "RDAT")->add("record_bytes", std::move(strides));
    return fault_of(edited);
  };
  EXPECT_EQ(with_stride(0xffff'ffff).code, ErrorCode::limit);
  const Error error = with_stride(4);
  EXPECT_EQ(error.code, ErrorCode::bad_value);
  EXPECT_TRUE(error.path.ends_with("/RDAT/record_bytes/function_table")) << error.path;
  Value edited = document;
  at(*part(edited, "RDAT"), "function_table/0")->add("dependencies", Value::list({Value::text(std::string("a\0b", 3))}));
  EXPECT_TRUE(fault_of(edited).path.find("/RDAT/function_table[0]") != std::string::npos) << fault_of(edited).path;
}

// dxc sorts the elements of a signature, but not their texts: these follow PSV0.
TEST(Document, SortedSignaturesHaveNoHints) {
  for (const char* name : {"tessellate_ds_6_0.dxil", "tessellate_hs_6_5.dxil", "inputs_ps_6_4.dxil"}) {
    shader::DocumentFacts facts;
    document_of(read_bytes(source_dir() / "tests/data/dxil" / name), &facts);
    EXPECT_EQ(facts.stated_parts, 0U) << name;
  }
}

TEST(Document, NumbersThatAFloatCannotHoldAreRefused) {
  const auto fault = [](const char* file, const char* path, double wide) {
    Value document = document_of(read_bytes(source_dir() / "tests/data" / file));
    *at(document, path) = Value::real(wide);
    const auto built = shader::build_document(document);
    return built ? std::string("built") : std::string(id(built.error().code)) + ' ' + built.error().path;
  };
  const char* const lod = "parts/4/RTS0/static_samplers/0/max_lod";
  EXPECT_EQ(fault("dxil/rootsig_cs_6_0.dxil", lod, 1e38), "built");
  EXPECT_EQ(fault("dxil/rootsig_cs_6_0.dxil", lod, 1e39), "bad-value parts[4]/RTS0/static_samplers[0]/max_lod");
  const char* const constant = "dvlb/executables/0/constants/0/x";
  EXPECT_EQ(fault("pica/skin_quad.shbin", constant, 1e19), "built");
  EXPECT_EQ(fault("pica/skin_quad.shbin", constant, 1e20), "bad-value dvlb/executables[0]/constants[0]/x");
  EXPECT_EQ(fault("pica/skin_quad.shbin", constant, 1e-18), "built");
  EXPECT_EQ(fault("pica/skin_quad.shbin", constant, 1e-30), "bad-value dvlb/executables[0]/constants[0]/x");
}

TEST(Document, TheFamilyOfBytesIsTheirOwn) {
  const auto file = read_bytes(source_dir() / "tests/data/dxil/control_ps_6_6_zi.pdb");
  for (const char* family : {"dxil", "dxbc", "spirv", "nothing"}) {
    Value document = document_of(file);
    ASSERT_NE(document.find("bytes"), nullptr);
    *at(document, "family") = Value::text(family);
    const auto built = shader::build_document(document);
    EXPECT_EQ(static_cast<bool>(built), family == std::string_view("dxil")) << family;
    if (!built) {
      EXPECT_EQ(built.error().path, "family");
    }
  }
}

Value database_document(std::uint32_t block_count, std::uint32_t source_block) {
  const auto numbers = [](std::uint32_t number) { return Value::list({Value::integer(number)}); };
  Value source = Value::map();
  source.add("blocks", numbers(source_block));
  source.add("text", Value::text("float4 main() : SV_Target { return 1; }\n"));
  Value records = Value::map();
  records.add("blocks", numbers(3));
  records.add("bytes", Value::text("0102 0304 00"));
  records.add("slack", Value::text("aabb"));
  Value database = Value::map();
  database.add("block_bytes", Value::integer(512));
  database.add("block_count", Value::integer(block_count));
  database.add("directory_map_blocks", numbers(8));
  database.add("directory_blocks", numbers(7));
  database.add("streams", Value::list({records, source}));
  Value entry = Value::map();
  entry.add("SPDB", std::move(database));
  Value document = Value::map();
  document.add("schema", Value::text(shader::kDocumentSchema));
  document.add("family", Value::text("dxbc"));
  document.add("parts", Value::list({entry}));
  return document;
}

Value dxbc_document(std::string_view kind, Value part) {
  Value entry = Value::map();
  entry.add(std::string(kind), std::move(part));
  Value document = Value::map();
  document.add("schema", Value::text(shader::kDocumentSchema));
  document.add("family", Value::text("dxbc"));
  document.add("parts", Value::list({std::move(entry)}));
  return document;
}

TEST(Document, AMaskAndAListOfFlagsSayEachThingOnce) {
  auto bytes = sample("textured_ps_5_0.dxbc");
  for (const char* mask : {"yx", "xyx", "wzyx"}) {
    Value document = document_of(bytes);
    Value* const found = at(*part(document, "ISGN"), "elements/0/mask");
    ASSERT_NE(found, nullptr);
    *found = Value::text(mask);
    EXPECT_TRUE(fault_of(document).path.ends_with("/ISGN/elements[0]/mask")) << mask << ": " << fault_of(document).path;
  }
  const auto features = [](std::vector<Value> flags) {
    Value part = Value::map();
    part.add("flags", Value::list(std::move(flags)));
    return fault_of(dxbc_document("SFI0", std::move(part)));
  };
  EXPECT_EQ(features({Value::text("doubles")}).message, "");
  EXPECT_EQ(features({Value::text("doubles"), Value::text("doubles")}).message, "a feature is given twice");
}

TEST(Document, AProgramIsAssembledWholeOrRefused) {
  const auto fault = [](const char* text) {
    Value part = Value::map();
    part.add("program", Value::text(text));
    const Error error = fault_of(dxbc_document("SHEX", std::move(part)));
    return error.path + ": " + error.message;
  };
  EXPECT_EQ(fault("ps_5_0\nret\n"), ": ");
  EXPECT_EQ(fault("ps_5_0\n.packed\nret\n"), "parts[0]/SHEX/program/2:1: expected an instruction or declaration, found `.packed`");
  EXPECT_EQ(fault("ps_2_0\nany words\nps_5_0\nret\n"), "parts[0]/SHEX/program/1:1: the level 9 code before the program is left out");
}

// Where a count has sixteen bits, a longer list would become a short one.
TEST(Document, AListLongerThanItsCountIsRefused) {
  Value document = document_of(sample("textured_ps_5_0.dxbc"));
  Value* const type = at(*part(document, "RDEF"), "types/0");
  ASSERT_NE(type, nullptr);
  Value member = Value::map();
  member.add("name", Value::text("a"));
  member.add("type", Value::integer(1));
  member.add("offset", Value::integer(0));
  ASSERT_EQ(type->find("members"), nullptr);
  type->add("members", Value::list(std::vector<Value>(65'537, member)));
  const Error error = fault_of(document);
  EXPECT_EQ(error.code, ErrorCode::out_of_range);
  EXPECT_EQ(error.message, "65537 elements, but the count has 16 bits");
}

TEST(Document, AnInterfaceSlotHasATableForEachType) {
  const auto slot = [](std::uint64_t tables) {
    const auto list = [](std::uint64_t count) { return Value::list(std::vector<Value>(count, Value::integer(0))); };
    Value one = Value::map();
    one.add("span", Value::integer(1));
    one.add("types", list(2));
    one.add("tables", list(tables));
    Value part = Value::map();
    part.add("slots", Value::list({std::move(one)}));
    return fault_of(dxbc_document("IFCE", std::move(part)));
  };
  for (const std::uint64_t tables : {0U, 1U, 3U}) {
    EXPECT_TRUE(slot(tables).path.ends_with("/IFCE/slots[0]/tables")) << slot(tables).path << ": " << slot(tables).message;
    EXPECT_EQ(slot(tables).message, std::to_string(tables) + " function tables, expected one for each of 2 types");
  }
  EXPECT_FALSE(slot(2).path.ends_with("/tables"));
}

TEST(Document, TheSourcesOfADatabaseAreText) {
  const auto built = shader::build_document(database_document(10, 6));
  ASSERT_TRUE(built) << to_string(built.error());
  const auto container = dxcontainer::parse_container(view_of(*built));
  ASSERT_TRUE(container);
  const auto msf = dxcontainer::parse_msf(container->find(dxcontainer::fourcc("SPDB"))->data);
  ASSERT_TRUE(msf) << to_string(msf.error());
  EXPECT_EQ(msf->bytes(1).view().text(), "float4 main() : SV_Target { return 1; }\n");
  shader::DocumentFacts facts;
  Value again = document_of(*built, &facts);
  EXPECT_EQ(facts.stated_parts, 0U);
  EXPECT_EQ(facts.hex_bytes, 7U);  // the records and what is behind them
  ASSERT_NE(at(*part(again, "SPDB"), "streams/1/text"), nullptr);
}

TEST(Document, ABlockThatIsNotThereIsRefused) {
  const Error error = fault_of(database_document(10, 10));
  EXPECT_EQ(error.code, ErrorCode::out_of_range);
  EXPECT_TRUE(error.path.ends_with("/SPDB/streams[1]/blocks")) << error.path;
  EXPECT_EQ(fault_of(database_document(0xffff'ffff, 6)).code, ErrorCode::limit);
  EXPECT_EQ(fault_of(database_document(2, 6)).code, ErrorCode::bad_value);
}

TEST(Document, ABlockHasOneOwner) {
  for (const std::uint32_t taken : {0U, 1U, 2U, 3U, 7U, 8U}) {  // the superblock, the maps of free blocks, the records, the directory
    const Error error = fault_of(database_document(10, taken));
    EXPECT_EQ(error.code, ErrorCode::out_of_range) << taken;
    EXPECT_NE(error.path.find("/SPDB/"), std::string::npos) << error.path;
  }
}

TEST(Document, AStreamThatHasShrunkGivesItsLastBlocksBack) {
  Value document = database_document(10, 6);
  Value& records = *at(document, "parts/0/SPDB/streams/0");
  for (Value::Member& member : *records.as_map())
    if (member.key == "blocks") member.value = Value::list({Value::integer(3), Value::integer(9)});
  const auto built = shader::build_document(document);
  ASSERT_TRUE(built) << to_string(built.error());
  const auto container = dxcontainer::parse_container(view_of(*built));
  ASSERT_TRUE(container);
  const auto msf = dxcontainer::parse_msf(container->find(dxcontainer::fourcc("SPDB"))->data);
  ASSERT_TRUE(msf) << to_string(msf.error());
  EXPECT_EQ(msf->bytes(1).view().text(), "float4 main() : SV_Target { return 1; }\n");
}

}  // namespace

}  // namespace unshade::test
