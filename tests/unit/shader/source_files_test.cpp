#include <unshade/shader/source_files.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/root_signature.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::shader {
namespace {

using test::view_of;

std::vector<std::byte> data(std::string_view name) { return test::read_bytes(test::source_dir() / "tests/data" / name); }

const std::string kTooLong(300'000, 'x');

TEST(Sources, NamesThatStayInTheirFolder) {
  EXPECT_EQ(safe_file_name("shaders/main.hlsl"), "shaders/main.hlsl");
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "etc/passwd");
  EXPECT_EQ(safe_file_name("/etc/passwd"), "etc/passwd");
  EXPECT_EQ(safe_file_name("C:\\work\\..\\main.hlsl"), "work/main.hlsl");
  EXPECT_EQ(safe_file_name("a/.. /. ./b"), "a/b");
  EXPECT_EQ(safe_file_name("\\\\server\\share\\x?.hlsl"), "server/share/x_.hlsl");
  EXPECT_EQ(safe_file_name(std::string("a\0b\n", 4)), "a_b_");
  EXPECT_EQ(safe_file_name("aux/Con.hlsl"), "_aux/_Con.hlsl");
  EXPECT_EQ(safe_file_name(".git/.hidden"), "_git/_hidden");
  EXPECT_EQ(safe_file_name("a/" + std::string(300, 'x') + ".hlsl").size(), 242U);
  for (const char* nothing : {"", "/", "..", "C:", "../..", "./.."}) EXPECT_EQ(safe_file_name(nothing), "source");
}

TEST(Sources, EmbeddedOnesComeBack) {
  const dxil::SourceText files[] = {{"a.hlsl", "one"}, {"b/c.hlsli", "two"}};
  for (const char* name : {"dxil/control_ps_6_0_zi.dxil", "dxil/control_ps_6_6_zi.pdb"}) {
    const auto file = data(name);
    const auto edited = embed_sources(view_of(file), files);
    ASSERT_TRUE(edited) << to_string(edited.error());
    EXPECT_TRUE(edited->changed);
    // A validator refuses sources beside a program, so the user is told.
    EXPECT_EQ(edited->notes.size(), std::string_view(name).ends_with(".dxil") ? 1U : 0U);
    const auto shader = open(view_of(edited->bytes));
    ASSERT_TRUE(shader);
    const auto sources = sources_of(*shader);
    ASSERT_TRUE(sources) << to_string(sources.error());
    EXPECT_EQ(sources->where, "SRCI");
    ASSERT_EQ(sources->files.size(), 2U);
    EXPECT_EQ(sources->files[1].name, "b/c.hlsli");
    EXPECT_EQ(sources->files[1].text, "two");
  }
  const auto dxbc = data("dxbc/grid_cs_5_0.dxbc");
  const auto refused = embed_sources(view_of(dxbc), files);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

TEST(Sources, OfTheDebugModulesMetadata) {
  const auto file = data("dxil/control_ps_6_0_zi.dxil");
  const auto shader = open(view_of(file));
  ASSERT_TRUE(shader);
  const auto sources = sources_of(*shader);
  ASSERT_TRUE(sources);
  EXPECT_EQ(sources->where, "ILDB");
  ASSERT_EQ(sources->files.size(), 1U);
  EXPECT_EQ(sources->files[0].name, "control.ps.hlsl");
  EXPECT_TRUE(sources->files[0].text.starts_with("// Nested control flow"));
  ASSERT_GE(sources->arguments.size(), 5U);
  EXPECT_EQ(sources->arguments[0].name + ' ' + sources->arguments[0].value, "E main");
  EXPECT_EQ(sources->arguments[1].name + ' ' + sources->arguments[1].value, "T ps_6_0");
  EXPECT_EQ(sources->arguments.back().name, "Qembed_debug");
  EXPECT_EQ(sources->arguments.back().value, "");
  Text text;
  ASSERT_TRUE(list_sources(*shader, text));
  EXPECT_TRUE(text.view().starts_with("// file control.ps.hlsl\n// Nested"));
  // Without debug information there are none.
  const auto plain = data("dxil/textured_ps_6_6.dxil");
  const auto other = open(view_of(plain));
  ASSERT_TRUE(other);
  EXPECT_EQ(sources_of(*other).error().code, ErrorCode::missing);
}

TEST(Sources, EmbeddedInSpirv) {
  const auto spv = data("spirv/odd.spv");
  // As long as three instructions can hold, with a character of two bytes where the first one ends.
  std::string text(262'122, 'x');
  text += "\xc3\xa9";
  text += std::string(300'000, 'y');
  const std::vector<dxil::SourceText> files{{"long.glsl", text}, {"short.glsl", "void main() {}\n"}, {"empty.glsl", ""}};
  const auto edited = embed_sources(view_of(spv), files);
  ASSERT_TRUE(edited) << to_string(edited.error());
  const auto again = open(view_of(edited->bytes));
  ASSERT_TRUE(again);
  const auto sources = sources_of(*again);
  ASSERT_TRUE(sources) << to_string(sources.error());
  ASSERT_EQ(sources->files.size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(sources->files[i].name, files[i].name);
    EXPECT_TRUE(sources->files[i].text == files[i].content) << files[i].name;
  }
  // Characters stay whole.
  const auto module = spirv::parse(view_of(edited->bytes));
  ASSERT_TRUE(module);
  std::size_t pieces = 0;
  for (const spirv::Instruction i : *module) {
    if (i.opcode() != spirv::Opcode::source_continued) continue;
    EXPECT_NE(static_cast<unsigned char>(spirv::literal_string(i, 1)[0]) & 0xc0, 0x80);
    ++pieces;
  }
  EXPECT_EQ(pieces, 2U);
  // Once more gives the same, and others take their place.
  const auto same = embed_sources(view_of(edited->bytes), files);
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->bytes == edited->bytes);
  EXPECT_FALSE(same->changed);
  const std::vector<dxil::SourceText> one{{"one.glsl", "void main() {}\n"}};
  const auto other = embed_sources(view_of(edited->bytes), one);
  ASSERT_TRUE(other);
  const auto left = sources_of(*open(view_of(other->bytes)));
  ASSERT_TRUE(left);
  EXPECT_EQ(left->files.size(), 1U);
  EXPECT_LT(other->bytes.size(), spv.size() + 200);
  const std::vector<dxil::SourceText> zero{{"a", std::string_view("b\0c", 3)}};
  const auto refused = embed_sources(view_of(spv), zero);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_value);
}

TEST(Sources, EmbeddedInEachStageOfAVbc) {
  const auto vbc = data("vbc/textured.vbc");
  const std::vector<dxil::SourceText> files{{"textured.vsl", "@shader graphics;\n"}};
  const auto edited = embed_sources(view_of(vbc), files);
  ASSERT_TRUE(edited) << to_string(edited.error());
  const auto shader = open(view_of(edited->bytes));
  ASSERT_TRUE(shader);
  const auto sources = sources_of(*shader);
  ASSERT_TRUE(sources);
  ASSERT_EQ(sources->files.size(), 2U) << "vertex and fragment";
  for (const SourceFile& file : sources->files) EXPECT_EQ(file.text, files[0].content);
  const std::vector<dxil::SourceText> long_one{{"textured.vsl", std::string_view(kTooLong)}};
  const auto refused = embed_sources(view_of(vbc), long_one);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
}

TEST(Sources, FilesWithoutAPlaceSayWhereTheyCouldBe) {
  const std::vector<dxil::SourceText> files{{"a.hlsl", "x"}};
  const auto fault = [&](const char* path) {
    const auto file = data(path);
    const auto edited = embed_sources(view_of(file), files);
    return edited ? std::string() : edited.error().message;
  };
  EXPECT_TRUE(fault("dxbc/textured_ps_5_0.dxbc").starts_with("DXBC sources are part of SPDB"));
  EXPECT_TRUE(fault("pica/control.v.shbin").starts_with("SHBIN"));
}

TEST(RootSignatures, AreAttachedAndDetached) {
  const auto file = data("dxil/textured_ps_6_6.dxil");
  const auto text = dxcontainer::parse_root_signature_text("DescriptorTable(SRV(t900))");
  ASSERT_TRUE(text.ok);
  const auto bytes = dxcontainer::write_root_signature(text.signature);
  const auto attached = attach_root_signature(view_of(file), bytes);
  ASSERT_TRUE(attached) << to_string(attached.error());
  EXPECT_FALSE(attached->findings.empty());  // the shader's texture is bound nowhere
  const auto read = root_signature_of(view_of(attached->edited.bytes));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, bytes);
  const auto detached = detach_root_signature(view_of(attached->edited.bytes));
  ASSERT_TRUE(detached);
  EXPECT_EQ(detached->bytes, file);
  EXPECT_EQ(detach_root_signature(view_of(file)).error().code, ErrorCode::missing);
  const auto library = data("dxil/rays_lib_6_7.dxil");
  EXPECT_EQ(attach_root_signature(view_of(library), bytes).error().code, ErrorCode::unsupported);
}

TEST(Sources, AVbcWithoutStagesHasNoPlaceForThem) {
  const auto sample = data("vbc/minimal.vbc");
  auto file = vbc::parse(view_of(sample));
  ASSERT_TRUE(file);
  for (auto& code : file->stages) code.clear();
  const auto empty = vbc::write(*file);
  ASSERT_TRUE(open(view_of(empty)));
  const dxil::SourceText source{"a.vsl", "void main() {}"};
  const auto made = embed_sources(view_of(empty), {&source, 1});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::missing);
}

// A module around sources: OpSource before its names, debug information after its types.
std::vector<std::byte> with_debug_sources(std::string_view sources, std::string_view debug, std::string_view set) {
  std::string text = "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n%set = OpExtInstImport \"";
  text += set;
  text +=
      "\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "%a = OpString \"a.slang\"\n%b = OpString \"b.slang\"\n%one = OpString \"one\"\n%two = OpString \"two\"\n";
  text += sources;
  text += "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n";
  text += debug;
  text += "%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const auto made = spirv::assemble(text);
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? *made : std::vector<std::byte>();
}

std::string sources_in(const std::vector<std::byte>& bytes) {
  const auto shader = open(view_of(bytes));
  if (!shader) return to_string(shader.error());
  const auto sources = sources_of(*shader);
  if (!sources) return std::string(id(sources.error().code));
  std::string text = sources->where;
  for (const SourceFile& file : sources->files) text += "; " + file.name + (file.has_text ? ": " + file.text : std::string());
  return text;
}

TEST(Sources, OfDebugInformationInSpirv) {
  constexpr std::string_view kShader = "NonSemantic.Shader.DebugInfo.100";
  const std::string_view both =
      "%s = OpExtInst %void %set DebugSource %a %one\n%c = OpExtInst %void %set DebugSourceContinued %two\n"
      "%t = OpExtInst %void %set DebugSource %b\n";
  EXPECT_EQ(sources_in(with_debug_sources("", both, kShader)), "DebugSource; a.slang: onetwo; b.slang");
  EXPECT_EQ(sources_in(with_debug_sources("", both, "NonSemantic.Shader.DebugInfo.101")), "DebugSource; a.slang: onetwo; b.slang");
  EXPECT_EQ(sources_in(with_debug_sources("", "%s = OpExtInst %void %set DebugSource %a %one\n", "OpenCL.DebugInfo.100")),
            "DebugSource; a.slang: one");
  // what OpSource has too
  EXPECT_EQ(sources_in(with_debug_sources("OpSource Slang 1 %a \"onetwo\"\nOpSource Slang 1 %b\n", both, kShader)),
            "OpSource; a.slang: onetwo; b.slang");
  EXPECT_EQ(sources_in(with_debug_sources("OpSource Slang 1 %a\n", both, kShader)), "OpSource; a.slang: onetwo; b.slang");
  EXPECT_EQ(sources_in(with_debug_sources("OpSource Slang 1 %a \"other\"\n", both, kShader)),
            "OpSource; a.slang: other; a.slang: onetwo; b.slang");
  EXPECT_EQ(sources_in(with_debug_sources("", "", kShader)), "missing");
}

// Texts of debug information go; its names stay, which lines refer to.
TEST(Sources, EmbeddedInTheirPlaceInSpirv) {
  const auto spv = with_debug_sources("",
                                      "%s = OpExtInst %void %set DebugSource %a %one\n%c = OpExtInst %void %set DebugSourceContinued %two\n"
                                      "%t = OpExtInst %void %set DebugSource %b %two\n",
                                      "NonSemantic.Shader.DebugInfo.100");
  const std::vector<dxil::SourceText> files{{"a.slang", "new"}};
  const auto edited = embed_sources(view_of(spv), files);
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_EQ(sources_in(edited->bytes), "OpSource; a.slang: new; b.slang");
  const auto twice = embed_sources(view_of(edited->bytes), files);
  ASSERT_TRUE(twice);
  EXPECT_TRUE(twice->bytes == edited->bytes);
}

}  // namespace
}  // namespace unshade::shader
