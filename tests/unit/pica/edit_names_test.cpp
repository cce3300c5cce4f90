#include <unshade/pica/edit_names.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

namespace {

Shbin assembled(std::vector<std::string_view> texts) {
  std::vector<Source> sources;
  for (const std::string_view text : texts) sources.push_back({"t", text});
  Assembly assembly = assemble(sources);
  EXPECT_TRUE(assembly.ok);
  return std::move(assembly.shbin);
}

template <class Model>
std::string fault(Model model, const std::vector<Rebind>& rebinds) {
  std::vector<std::string> notes;
  const auto done = rebind(model, rebinds, notes);
  return done ? *done ? "changed" : "same" : std::string(id(done.error().code)) + " at " + done.error().path;
}

std::string fault(Shbin model, const std::vector<Rename>& renames) {
  const auto done = rename(model, renames);
  return done ? "none" : std::string(id(done.error().code)) + " at " + done.error().path;
}

/// Two vertices from c0 on; uniforms from c8 on.
constexpr std::string_view kFixed =
    ".gsh fixed c8 c0 2\n.fvec frame[4]\n.constf half(0.5, 0.5, 0.5, 0.5)\n.out - position o0\n.proc main\n mov r0, c0\n add r0, c3, r0\n"
    " add o0, frame[1], r0\n setemit 0, prim\n emit\n end\n.end\n";
constexpr std::string_view kVariable =
    ".gsh variable c8 3\n.fvec frame[4]\n.out - position o0\n.proc grow\n mov r0, c1\n add o0, frame[1], r0\n setemit 0, prim\n emit\n"
    " end\n.end\n.entry grow\n";
constexpr std::string_view kVertex = ".fvec matrix[4]\n.out - position o0\n.proc main\n mov o0, matrix[1]\n end\n.end\n";

TEST(RebindGeometry, TheVerticesOfAFixedShaderMoveAsOneRange) {
  Shbin file = assembled({kFixed});
  std::vector<std::string> notes;
  const auto done = rebind(file, std::vector<Rebind>{{'c', 0, 0, 20, {}}}, notes);
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_TRUE(*done);
  EXPECT_EQ(notes.size(), 1U) << "how far they reach is not known";
  EXPECT_EQ(file.executables[0].fixed_start, 20U);
  EXPECT_EQ(decode(file.program.code[0]).source[0], kSourceConstants + 20U);
  EXPECT_EQ(decode(file.program.code[1]).source[0], kSourceConstants + 23U);
  EXPECT_EQ(decode(file.program.code[2]).source[0], kSourceConstants + 9U) << "a uniform behind them";
}

TEST(RebindGeometry, VerticesOverlapNothing) {
  const Shbin file = assembled({kFixed});
  EXPECT_EQ(fault(file, {{'c', 3, 0, 40, {}}}), "missing at rebind") << "inside of the vertices";
  EXPECT_EQ(fault(file, {{'c', 0, 0, 90, {}}}), "bad-value at rebind") << "beyond the last register, and over c95";
  EXPECT_EQ(fault(file, {{'c', 0, 0, 2, {}}}), "bad-value at rebind") << "over frame";
  EXPECT_EQ(fault(file, {{'c', 8, 0, 7, {}}}), "bad-value at rebind") << "frame over the last vertex";
  EXPECT_EQ(fault(file, {{'c', 8, 0, 16, {}}, {'c', 0, 0, 2, {}}}), "changed");
}

TEST(RebindGeometry, WhatTheHardwareWritesToFixedRegistersStays) {
  const Shbin file = assembled({kVariable});
  EXPECT_EQ(fault(file, {{'c', 0, 0, 40, {}}}), "unsupported at rebind") << "the number of vertices";
  EXPECT_EQ(fault(file, {{'c', 1, 0, 40, {}}}), "missing at rebind");
  EXPECT_EQ(fault(file, {{'c', 8, 0, 4, {}}}), "bad-value at rebind");
  EXPECT_EQ(fault(file, {{'c', 8, 0, 40, {}}}), "changed");
  const Shbin both = assembled({kVertex, kVariable});
  EXPECT_EQ(fault(both, {{'c', 0, 0, 60, {}}}), "unsupported at rebind") << "the vertex shader's matrix is where vertices are";

  const Shbin tests = assembled(
      {".gsh point c0\n.out - position o0\n.proc main\n mov o0, v0\n ifu b15\n emit\n .end\n ifu b2\n emit\n .end\n end\n.end\n"});
  EXPECT_EQ(fault(tests, {{'b', 15, 0, 3, {}}}), "unsupported at rebind");
  EXPECT_EQ(fault(tests, {{'b', 2, 0, 15, {}}}), "bad-value at rebind");
  EXPECT_EQ(fault(tests, {{'b', 2, 0, 14, {}}}), "changed");
}

TEST(RebindGeometry, AnObjectDoesNotSayWhatTheHardwareWrites) {
  Object object;
  object.stage = Stage::geometry;
  object.uniforms.items = {{{"a", 0}, kUniformConstants, kUniformConstants}, {{"b", 0}, kUniformBooleans, kUniformBooleans}};
  EXPECT_EQ(fault(object, {{'c', 0, 0, 1, {}}}), "unsupported at rebind");
  EXPECT_EQ(fault(object, {{'b', 0, 0, 15, {}}}), "unsupported at rebind");
  EXPECT_EQ(fault(object, {{'b', 0, 0, 1, {}}}), "changed");
  object.stage = Stage::vertex;
  EXPECT_EQ(fault(object, {{'c', 0, 0, 1, {}}}), "changed");
}

TEST(RenameNames, ContradictionsAndWhatIsNoNameAreRefused) {
  using What = Rename::What;
  const Shbin file = assembled({kVertex});
  EXPECT_EQ(fault(file, {{What::variable, "matrix", "a"}, {What::variable, "matrix", "b"}}), "bad-value at symbols");
  EXPECT_EQ(fault(file, {{What::variable, "matrix", "a"}, {What::resource, "matrix", "a"}}), "none");
  for (const char* name : {"a b;c", "9a", "", "a\nb", "a[1]"})
    EXPECT_EQ(fault(file, {{What::variable, "matrix", name}}), "bad-value at symbols") << name;
  EXPECT_EQ(fault(file, {{What::variable, "matrix", "$scene.matrix_2"}}), "none");
  EXPECT_EQ(fault(file, {{What::entry, "", "start"}}), "missing at labels");
}

}  // namespace

}  // namespace unshade::pica
