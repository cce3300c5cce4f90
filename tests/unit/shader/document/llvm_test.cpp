// LLVM's documents of DXContainers: every sample comes back, and documents that mean harm are refused. What obj2yaml prints is compared by
// scripts/check_llvm_yaml.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/document.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"
#include "support/values.hpp"

namespace unshade::test {

namespace {

Value* part(Value& container, std::string_view name) {
  for (Value& entry : *at(container, "Parts")->as_list())
    if (*entry.find("Name")->as_text() == name) return &entry;
  return nullptr;
}

void remove(Value& map, std::string_view key) {
  auto& members = *map.as_map();
  members.erase(std::remove_if(members.begin(), members.end(), [&](const Value::Member& m) { return m.key == key; }), members.end());
}

shader::LlvmDocument sample(const char* name) {
  const auto bytes = read_bytes(source_dir() / "tests/data/dxil" / name);
  auto document = shader::make_llvm_document(view_of(bytes));
  EXPECT_TRUE(document) << name;
  return document ? *std::move(document) : shader::LlvmDocument{};
}

Error fault_of(const shader::LlvmDocument& document) {
  const auto built = shader::build_llvm_document(document.container, document.rest);
  return built ? Error{} : built.error();
}

TEST(LlvmDocument, EverySampleComesBackToTheByte) {
  std::size_t files = 0;
  for (const char* folder : {"dxbc", "dxil"}) {
    for (const auto& file : std::filesystem::directory_iterator(source_dir() / "tests/data" / folder)) {
      if (file.path().extension() != ".dxbc" && file.path().extension() != ".dxil") continue;
      const auto bytes = read_bytes(file.path());
      const auto document = shader::make_llvm_document(view_of(bytes));
      ASSERT_TRUE(document) << file.path() << ' ' << to_string(document.error());
      EXPECT_TRUE(shader::is_llvm_document(document->container));
      const auto built = shader::build_llvm_document(document->container, document->rest);
      ASSERT_TRUE(built) << file.path() << ' ' << to_string(built.error());
      EXPECT_TRUE(*built == bytes) << file.path();
      ++files;
    }
  }
  EXPECT_GT(files, 20U);
}

TEST(LlvmDocument, FieldsHaveTheNamesOfLlvm) {
  auto document = sample("textured_ps_6_6.dxil");
  EXPECT_EQ(*at(*part(document.container, "DXIL"), "Program/MajorVersion"), Value::integer(6));
  EXPECT_EQ(*at(*part(document.container, "PSV0"), "PSVInfo/ShaderStage"), Value::integer(0));
  EXPECT_EQ(*at(*part(document.container, "OSG1"), "Signature/Parameters/0/SystemValue"), Value::text("Target"));
  EXPECT_EQ(*at(*part(document.container, "OSG1"), "Signature/Parameters/0/Mask"), Value::integer(15));
}

TEST(LlvmDocument, WithoutTheRestOtherPartsAreZeros) {
  auto document = sample("textured_ps_6_6.dxil");
  const auto original = read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil");
  const auto built = shader::build_llvm_document(document.container, Value());
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_EQ(built->size(), original.size());
  EXPECT_TRUE(shader::open(view_of(*built)));
}

TEST(LlvmDocument, SizesAndOffsetsMayBeLeftOut) {
  auto document = sample("textured_ps_6_6.dxil");
  Value& header = *at(document.container, "Header");
  remove(header, "FileSize");
  remove(header, "PartOffsets");
  const auto built = shader::build_llvm_document(document.container, document.rest);
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_TRUE(*built == read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil"));
}

TEST(LlvmDocument, AnEditedFieldIsBuilt) {
  auto document = sample("textured_ps_6_6.dxil");
  *at(*part(document.container, "OSG1"), "Signature/Parameters/0/Index") = Value::integer(3);
  const auto built = shader::build_llvm_document(document.container, document.rest);
  ASSERT_TRUE(built) << to_string(built.error());
  auto again = shader::make_llvm_document(view_of(*built));
  ASSERT_TRUE(again);
  EXPECT_EQ(*at(*part(again->container, "OSG1"), "Signature/Parameters/0/Index"), Value::integer(3));
}

// Which fields there are follows from others: those that do not are told by LLVM's names, in their place.
TEST(LlvmDocument, FieldsThatOthersExcludeHaveTheirPlace) {
  const auto fault = [](std::string_view field, Value value, std::string_view at_fault) {
    auto document = sample("textured_ps_6_6.dxil");
    *at(*part(document.container, "PSV0"), field) = std::move(value);
    at(*part(document.container, "PSV0"), at_fault)->text_offset = 1234;
    const Error error = fault_of(document);
    EXPECT_EQ(error.offset, 1234U) << error.path;
    return std::string(id(error.code)) + ' ' + error.path;
  };
  // yaml2obj passes over fields of a later version of PSV0, but the comments say that there are some
  EXPECT_EQ(fault("PSVInfo/Version", Value::integer(2), "PSVInfo/Version"), "bad-value Parts[3]/PSVInfo/Version");
  EXPECT_EQ(fault("PSVInfo/ResourceStride", Value::integer(16), "PSVInfo/ResourceStride"), "bad-value Parts[3]/PSVInfo/ResourceStride");
  auto unstated = sample("textured_ps_6_6.dxil");
  *at(*part(unstated.container, "PSV0"), "PSVInfo/ResourceStride") = Value::integer(0);
  const auto built = shader::build_llvm_document(unstated.container, unstated.rest);
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_EQ(*built, read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil"));
  EXPECT_EQ(fault("PSVInfo/ShaderStage", Value::integer(4), "PSVInfo/DepthOutput"), "bad-value Parts[3]/PSVInfo/DepthOutput");
}

// The comments have what LLVM's fields cannot say: of an edit of either alone nobody could tell which counts.
TEST(LlvmDocument, FieldsBesideCommentsAgreeWithThem) {
  const auto fault = [](const char* file, auto&& edit) {
    auto document = sample(file);
    edit(document);
    const Error error = fault_of(document);
    return error.message.empty() ? std::string("built") : std::string(id(error.code)) + ' ' + error.path;
  };
  const auto with_field = [&](const char* file, const char* name, std::string_view path, Value value) {
    return fault(file, [&](shader::LlvmDocument& d) { *at(*part(d.container, name), path) = std::move(value); });
  };
  const char* const whole = "textured_ps_6_6.dxil";  // the comments have all of its PSV0
  EXPECT_EQ(with_field(whole, "PSV0", "PSVInfo/Resources/2/LowerBound", Value::integer(9)),
            "bad-value Parts[3]/PSVInfo/Resources[2]/LowerBound");
  EXPECT_EQ(with_field(whole, "PSV0", "PSVInfo/SigInputElements/1/Name", Value::text("COLOR")),
            "bad-value Parts[3]/PSVInfo/SigInputElements[1]/Name");
  EXPECT_EQ(with_field(whole, "PSV0", "PSVInfo/ShaderStage", Value::text("0q")), "bad-value Parts[3]/PSVInfo/ShaderStage");
  EXPECT_EQ(with_field(whole, "PSV0", "Size", Value::integer(476)), "bad-value Parts[3]/Size");
  EXPECT_EQ(with_field(whole, "STAT", "Name", Value::text("STAX")), "bad-value Parts[4]/Name");
  EXPECT_EQ(fault(whole, [](shader::LlvmDocument& d) { *at(d.rest, "parts/3/PSV0/resources/2/lower_bound") = Value::integer(9); }),
            "bad-value Parts[3]/PSVInfo/Resources[2]/LowerBound");
  // Without the fields, or without the comments, the others count.
  EXPECT_EQ(fault(whole,
                  [](shader::LlvmDocument& d) {
                    *at(d.rest, "parts/3/PSV0/resources/2/lower_bound") = Value::integer(9);
                    remove(*part(d.container, "PSV0"), "PSVInfo");
                  }),
            "built");
  // A patch is put over what the fields make.
  EXPECT_EQ(fault(whole,
                  [](shader::LlvmDocument& d) {
                    Value gap = Value::map();
                    gap.add("at", Value::integer(8 + 8));
                    gap.add("bytes", Value::text("09000000"));
                    Value patch = Value::map();
                    patch.add("gaps", Value::list({std::move(gap)}));
                    Value rest = Value::map();
                    rest.add("patch", std::move(patch));
                    at(d.rest, "parts")->add("2", std::move(rest));
                  }),
            "bad-value Parts[2]/Signature/Parameters[0]/Index");
}

TEST(LlvmDocument, FaultsNameTheirPath) {
  const auto broken = [](std::string_view path, Value value) {
    auto document = sample("textured_ps_6_6.dxil");
    *at(document.container, path) = std::move(value);
    return fault_of(document);
  };
  const auto expect = [](const Error& error, ErrorCode code, std::string_view path) {
    EXPECT_EQ(error.code, code) << to_string(error);
    EXPECT_EQ(error.path, path);
    EXPECT_FALSE(error.message.empty());
  };
  expect(broken("Header/Version/Minor", Value::text("2 0")), ErrorCode::bad_value, "Header/Version/Minor");
  expect(broken("Header/Hash", Value::integer(1)), ErrorCode::bad_value, "Header/Hash");
  expect(broken("Header/PartCount", Value::integer(99)), ErrorCode::out_of_range, "Header/PartCount");
  expect(broken("Header/FileSize", Value::integer(10)), ErrorCode::out_of_range, "Header/FileSize");
  expect(broken("Header/FileSize", Value::integer(0x7fff'ffff)), ErrorCode::limit, "Header/FileSize");
  expect(broken("Header/PartOffsets", Value::list()), ErrorCode::bad_value, "Header/PartOffsets");
  expect(broken("Header/PartOffsets/0", Value::integer(0)), ErrorCode::overlap, "Header/PartOffsets[0]");
  expect(broken("Header/PartOffsets/1", Value::integer(0x7fff'ffff)), ErrorCode::limit, "Header/PartOffsets[1]");
  expect(broken("Parts/0/Name", Value::text("long name")), ErrorCode::bad_value, "Parts[0]/Name");
  expect(broken("Parts/0/Size", Value::integer(0xffff'ffff)), ErrorCode::limit, "Parts[0]/Size");
  expect(broken("Parts", Value::integer(0)), ErrorCode::bad_value, "Parts");

  const auto broken_psv = [](std::string_view path, Value value) {
    auto document = sample("textured_ps_6_6.dxil");
    value.text_offset = 1234;
    *at(*part(document.container, "PSV0"), path) = std::move(value);
    const Error error = fault_of(document);
    EXPECT_EQ(error.offset, 1234U) << error.path;
    return error;
  };
  for (const Value& value : {Value::text("foo"), Value(), Value::real(24.5), Value::integer(7), Value::signed_integer(-24)})
    expect(broken_psv("PSVInfo/ResourceStride", value), ErrorCode::bad_value, "Parts[3]/PSVInfo/ResourceStride");
  for (const char* const field : {"Cols", "StartCol", "DynamicMask", "Stream"}) {
    const std::string path = std::string("PSVInfo/SigInputElements/0/") + field;
    const std::string at_fault = std::string("Parts[3]/PSVInfo/SigInputElements[0]/") + field;
    for (const Value& value : {Value::signed_integer(-1), Value::integer(16), Value::text("foo")})
      expect(broken_psv(path, value), ErrorCode::bad_value, at_fault);
  }

  auto document = sample("textured_ps_6_6.dxil");
  part(document.container, "OSG1")->find("Signature");
  at(*part(document.container, "OSG1"), "Signature/Parameters/0")->add("Unknown", Value::integer(0));
  EXPECT_EQ(fault_of(document).code, ErrorCode::bad_value);
  document = sample("textured_ps_6_6.dxil");
  *at(*part(document.container, "OSG1"), "Signature/Parameters/0/SystemValue") = Value::text("Nothing");
  EXPECT_EQ(fault_of(document).code, ErrorCode::bad_value);
  document = sample("textured_ps_6_6.dxil");
  *at(*part(document.container, "DXIL"), "Program/DXILSize") = Value::integer(3);
  EXPECT_EQ(fault_of(document).code, ErrorCode::bad_value);
  document = sample("textured_ps_6_6.dxil");
  document.rest.add("nothing", Value::integer(0));
  EXPECT_EQ(fault_of(document).code, ErrorCode::bad_value);
}

TEST(LlvmDocument, OnlyContainersHaveOne) {
  const auto bytes = read_bytes(source_dir() / "tests/data/pica/skin_quad.shbin");
  const auto document = shader::make_llvm_document(view_of(bytes));
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::unsupported);
}

// What LLVM 20 and later have fields for: every sample comes back in that form too, and root signatures, sources and the like are in it.
TEST(LlvmDocument, EverySampleComesBackInTheFormOfLaterVersions) {
  std::size_t root_signatures = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_dir() / "tests/data/dxil")) {
    if (file.path().extension() != ".dxil" && file.path().extension() != ".pdb") continue;
    const auto bytes = read_bytes(file.path());
    const auto opened = shader::open(view_of(bytes));
    ASSERT_TRUE(opened) << file.path();
    auto document = shader::make_llvm_document(*opened, {shader::LlvmVersion::v21, {}, {}});
    if (!document) continue;  // a database is no container
    const auto built = shader::build_llvm_document(document->container, document->rest);
    ASSERT_TRUE(built) << file.path() << ' ' << to_string(built.error());
    EXPECT_TRUE(*built == bytes) << file.path();
    if (Value* const entry = part(document->container, "RTS0")) {
      ++root_signatures;
      EXPECT_NE(entry->find("RootSignature"), nullptr) << file.path();
    }
    const Value* const version = part(document->container, "VERS");
    EXPECT_TRUE(version == nullptr || version->find("CompilerVersion") != nullptr) << file.path();
    const Value* const name = part(document->container, "ILDN");
    EXPECT_TRUE(name == nullptr || name->find("DebugName") != nullptr) << file.path();
  }
  EXPECT_GT(root_signatures, 1U);
}

TEST(LlvmDocument, NumbersOfLaterVersionsMustAgree) {
  const auto fault = [](const char* name, std::string_view path, Value value) {
    const bool is_debug_name = std::string_view(name) == "ILDN";
    const auto bytes = read_bytes(source_dir() / "tests/data/dxil" / (is_debug_name ? "control_ps_6_0_zi.dxil" : "rootsig_cs_6_0.dxil"));
    const auto opened = shader::open(view_of(bytes));
    EXPECT_TRUE(opened);
    auto document = shader::make_llvm_document(*opened, {shader::LlvmVersion::v21, {}, {}});
    EXPECT_TRUE(document);
    *at(*part(document->container, name), path) = std::move(value);
    const Error error = fault_of(*document);
    return error.message.empty() ? std::string("built") : std::string(id(error.code)) + ' ' + error.path;
  };
  EXPECT_EQ(fault("ILDN", "DebugName/NameLength", Value::integer(3)), "bad-value Parts[6]/DebugName/NameLength");
  EXPECT_EQ(fault("RTS0", "RootSignature/StaticSamplersOffset", Value::integer(24)), "overlap Parts[4]/RootSignature/StaticSamplersOffset");
  EXPECT_EQ(fault("RTS0", "RootSignature/Parameters/0/ParameterType", Value::text("Descriptor")),
            "bad-value Parts[4]/RootSignature/Parameters[0]/ParameterType");
  EXPECT_EQ(fault("RTS0", "RootSignature/Parameters/0/ShaderVisibility", Value::text("Vertex")), "built");
}

}  // namespace

}  // namespace unshade::test
