#include <unshade/pica/validate.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade::pica {

namespace {

/// Ids of the findings of assembly, which need not be what an assembler lets pass.
std::set<std::string> findings_of(const std::string& body, const std::function<void(Shbin&)>& change = {}) {
  const std::string text = ".exact\n" + body;
  const Source source{"test", text};
  Assembly assembly = assemble({&source, 1});
  std::string messages;
  for (const auto& message : assembly.messages) messages += to_string(message) + '\n';
  EXPECT_TRUE(assembly.ok) << messages << text;
  if (change) change(assembly.shbin);
  const auto bytes = write_shbin(assembly.shbin);
  std::set<std::string> ids;
  for (const Diagnostic& d : check_file(test::view_of(bytes))) ids.insert(std::string(d.rule->id));
  return ids;
}

std::string repeat(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(PicaValidate, SamplesAreClean) {
  for (const char* name : {"particle.g.shbin", "quad.g.shbin", "skin.v.shbin", "skin_quad.shbin", "variable.g.shbin"}) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica" / name);
    for (const Diagnostic& d : shader::validate(test::view_of(bytes))) EXPECT_NE(d.rule->severity, Severity::error) << name << to_string(d);
  }
}

// Texture coordinates have two components that mean something, of a view vector there are three.
TEST(PicaValidate, ComponentsWithoutAMeaningNeedNotBeWritten) {
  const auto is_unwritten = [](const std::string& type, const std::string& mask) {
    return findings_of(".out - " + type + " o0\n.proc main\nmov o0." + mask + ", r0\nend\n.end\n").contains("pica.output-unwritten");
  };
  for (const std::string type : {"texcoord0", "texcoord1", "texcoord2"}) {
    EXPECT_FALSE(is_unwritten(type, "xy")) << type;
    EXPECT_TRUE(is_unwritten(type, "xzw")) << type;
    EXPECT_TRUE(is_unwritten(type, "yzw")) << type;
  }
  EXPECT_FALSE(is_unwritten("texcoord0w", "x"));
  EXPECT_TRUE(is_unwritten("texcoord0w", "yzw"));
  EXPECT_FALSE(is_unwritten("view", "xyz"));
  EXPECT_TRUE(is_unwritten("view", "xyw"));
  for (const std::string type : {"position", "normalquat", "color", "dummy"}) EXPECT_TRUE(is_unwritten(type, "xyz")) << type;
  // components that mean something are the first of the mask
  const auto in_part = [](const std::string& out, const std::string& written) {
    return findings_of(out + "\n.proc main\nmov o0." + written + ", r0\nend\n.end\n").contains("pica.output-unwritten");
  };
  EXPECT_FALSE(in_part(".out - texcoord0 o0.yzw", "yz"));
  EXPECT_TRUE(in_part(".out - texcoord0 o0.yzw", "yw"));
}

struct Case {
  const char* id;
  std::string body;
  std::function<void(Shbin&)> change{};
};

TEST(PicaValidate, EachRuleHasItsFault) {
  const std::string main_end = ".proc main\nend\n.end\n";
  const std::string geometry = ".geometry 1 0 0 0 0\n";
  const auto nest = [](const std::string& head, int depth) {
    return ".proc main\n" + repeat(head + '\n', depth) + "nop\n" + repeat(".end\nnop\n", depth) + "end\n.end\n";
  };
  const Case cases[] = {
      {"pica.block-end", ".proc main\nifu b0\njmpu b1, out\n.end\nout:\nend\n.end\n"},
      {"pica.block-ends-meet", ".proc main\nifu b0\nifu b1\nnop\n.end\n.end\nend\n.end\n"},
      {"pica.break-outside", ".proc main\nbreak\nend\n.end\n"},
      {"pica.call-depth",
       ".proc a\ncall b\nnop\n.end\n.proc b\ncall c\nnop\n.end\n.proc c\ncall d\nnop\n.end\n.proc d\ncall e\nnop\n.end\n"
       ".proc e\nnop\n.end\n.proc main\ncall a\nend\n.end\n"},
      {"pica.comparison", ".proc main\ncmp r0, always6, eq, r1\nend\n.end\n"},
      {"pica.constant-overlap", ".setf c3(0,0,0,0)\n.uniform \"m\" c0 c3\n" + main_end},
      {"pica.constant-register", ".const 2 96 0 0 0 0\n" + main_end},
      {"pica.count-bits", ".proc main\ncall @0+256\nend\n" + repeat("nop\n", 260) + ".end\n"},
      {"pica.descriptor-missing", main_end,
       [](Shbin& s) {
         s.program.code.items.insert(s.program.code.items.begin(), 0x4c00'0005);
         s.executables[0].end_words = 2;
       }},
      {"pica.emit-in-vertex", ".proc main\nemit\nend\n.end\n"},
      {"pica.emit-missing", geometry + main_end},
      {"pica.emit-slot", geometry + ".proc main\nsetemit 3\nemit\nend\n.end\n"},
      {"pica.end-missing", ".proc main\nnop\n.end\n"},
      {"pica.entry", ".entry @9 @10\n" + main_end},
      {"pica.geometry-output", geometry + ".proc main\nmov o7, r0\nemit\nend\n.end\n"},
      {"pica.if-depth", nest("ifu b0", 9)},
      {"pica.index-ignored", ".proc main\nmov r0, r1[a0.x]\nend\n.end\n"},
      {"pica.label-range", ".label \"far\" 1 99 0\n" + main_end},
      {"pica.loop-depth", nest("for i0", 5)},
      {"pica.mova-twice", ".proc main\nmova a0.x, r0\nmova a0.y, r0\nend\n.end\n"},
      {"pica.output-type", ".outrec 7 0 15 0\n" + main_end},
      {"pica.output-unwritten", ".out - position o0\n.proc main\nmov o0.xyz, r0\nend\n.end\n"},
      {"pica.symbol-missing", ".uniform \"m\" c0 c3\n" + main_end,
       [](Shbin& s) {
         // laid out, then led astray
         s = *parse_shbin(test::view_of(write_shbin(s)));
         s.executables[0].uniforms[0].symbol = {"", 99};
       }},
      {"pica.target", ".proc main\njmpu b0, @9\nend\n.end\n"},
      {"pica.two-inputs", ".proc main\nadd r0, v0, v1\nend\n.end\n"},
      {"pica.uniform-range", ".uniform \"m\" c95 i0\n" + main_end},
      {"pica.unknown-instruction", ".proc main\n.word 0x40000000\nend\n.end\n"},
      {"pica.unreachable", ".proc main\nend\nmov r0, r1\n.end\n"},
      {"pica.vertex-size", ".proc main\n" + repeat("nop\n", 512) + "end\n.end\n"},
  };
  std::set<std::string> seen;
  for (const Case& c : cases) {
    EXPECT_TRUE(findings_of(c.body, c.change).contains(c.id)) << c.id;
    seen.insert(c.id);
  }
  // a short header and what cannot be read need bytes
  auto bytes = test::from_hex(R"(
    "DVLB" 01 00 00 00  28 00 00 00
    "DVLP" 00 00 00 00  68 00 00 00  00 00 00 00  68 00 00 00  00 00 00 00  00 00 00 00
    "DVLE" 00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
    00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00)");
  auto found = check_file(test::view_of(bytes));
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Diagnostic& d) { return d.rule->id == "pica.short-header"; }));
  bytes.resize(70);
  found = check_file(test::view_of(bytes));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule->id, "pica.unreadable");
  seen.insert({"pica.short-header", "pica.unreadable"});
  for (const Rule* rule : validation_rules()) EXPECT_TRUE(seen.contains(std::string(rule->id))) << "no fault for " << rule->id;
}

TEST(PicaValidate, PlainCodeHasNoFindings) {
  EXPECT_EQ(findings_of(".out - position o0\n.uniform \"m\" c0 c3\n.setf c95(1,2,3,4)\n.proc main\nmov o0, v0\nfor i0\nifu b0\nbreakc "
                        "cmp.x\nnop\n.end\nnop\n.end\nend\n.end\n"),
            std::set<std::string>{});
}

}  // namespace

}  // namespace unshade::pica
