// SPIR-V of other compilers, as interfaces and put into VBC files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/file.hpp>
#include <unshade/vbc/listing.hpp>
#include <unshade/vbc/pack.hpp>
#include <unshade/vbc/validate.hpp>

#include "support/files.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::test {

namespace {

void expect_sound(const spirv::Interface& i) {
  using spirv::TypeKind;
  for (std::size_t t = 0; t < i.types.size(); ++t) {
    const spirv::Type& type = i.types[t];
    ASSERT_LT(type.decoration, i.decorations.size());
    if (type.kind == TypeKind::vector || type.kind == TypeKind::matrix || type.kind == TypeKind::array) {
      EXPECT_LT(type.element, t);
      EXPECT_TRUE(type.count != 0 || type.length != spirv::kNone);
    }
    EXPECT_TRUE(type.kind != TypeKind::pointer || type.element != spirv::kNone);
    for (const spirv::StructMember& m : i.members_of(type)) EXPECT_NE(m.type, spirv::kNone);
  }
  for (const spirv::Variable& v : i.variables) EXPECT_NE(v.type, spirv::kNone);
  for (const spirv::EntryPoint& e : i.entry_points) {
    EXPECT_TRUE(e.is_use_known);
    // what is declared covers what is used: inputs and outputs always, all variables from 1.4 on
    for (const std::uint32_t v : e.used) {
      const spirv::Variable& variable = i.variables[v];
      const bool is_declared = std::find(e.interface_ids.begin(), e.interface_ids.end(), variable.id) != e.interface_ids.end();
      const bool must =
          variable.storage == spirv::StorageClass::input || variable.storage == spirv::StorageClass::output || i.header.minor() >= 4;
      EXPECT_TRUE(is_declared || !must) << variable.id << ' ' << variable.name;
    }
  }
}

TEST(CorpusVbc, InterfacesAreSound) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t modules = 0;
  std::size_t variables = 0;
  for (const auto& path : files_below(corpus / "spirv", ".spv")) {
    const auto bytes = read_bytes(path);
    const auto module = spirv::parse(view_of(bytes));
    if (!module) continue;
    const spirv::Interface interface = spirv::interface_of(*module);
    SCOPED_TRACE(path.string());
    expect_sound(interface);
    ++modules;
    variables += interface.variables.size();
  }
  std::printf("%zu modules, %zu variables\n", modules, variables);
  EXPECT_GT(modules, 0U);
}

TEST(CorpusVbc, ModulesGoIntoFilesAndOut) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t packed = 0;
  std::size_t refused = 0;
  std::size_t other = 0;
  for (const auto& path : files_below(corpus / "spirv", ".spv")) {
    const auto bytes = read_bytes(path);
    const auto module = spirv::parse(view_of(bytes));
    if (!module || !vbc::stage_of(*module)) {
      ++other;
      continue;
    }
    SCOPED_TRACE(path.string());
    const View view = view_of(bytes);
    const auto made = vbc::pack({&view, 1});
    vbc::File file;
    if (made) {
      file = *made;
      ++packed;
    } else {
      // no file of the format has such a module; what handles files has to bear it all the same
      file.code(*vbc::stage_of(*module)) = bytes;
      ++refused;
    }
    const auto written = vbc::write(file);
    const auto read = vbc::parse(view_of(written));
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(vbc::write(*read), written);
    static_cast<void>(vbc::check_file(view_of(written)));
    Text text;
    vbc::list_file(*read, text, {.assembles_to = spirv::assembles_to});
    const auto again = vbc::assemble(text.view());
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(vbc::write(*again), written);
    EXPECT_TRUE(vbc::strip(file, {.debug = true}));
    for (const auto& code : file.stages) EXPECT_TRUE(code.empty() || spirv::parse(view_of(code)));
  }
  std::printf("%zu packed, %zu refused, %zu for no stage of the format\n", packed, refused, other);
  EXPECT_GT(packed, 0U);
}

}  // namespace

}  // namespace unshade::test
