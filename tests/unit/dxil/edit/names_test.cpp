// How semantics and nodes are named in renames.
#include <gtest/gtest.h>

#include <string>

#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/rdat.hpp>

#include "unit/dxil/edit/edited.hpp"
#include "unit/support/dxil_samples.hpp"

namespace unshade::test {

namespace {

using dxil::NameKind;
using dxil::Rename;

TEST(RenamedNames, NodeIndexGivenAloneIsApplied) {
  const Bytes file = dxil_sample("graph_lib_6_8.dxil");
  const auto there = edited<Rename>(file, {{NameKind::node, "gather", "collect[3]"}});
  ASSERT_TRUE(there) << to_string(there.error());
  const Bytes part = part_data(*there, "RDAT");
  const auto rdat = dxil::parse_rdat(loose("RDAT", part));
  ASSERT_TRUE(rdat) << to_string(rdat.error());
  std::string ids;
  for (const auto& row : rdat->node_ids.rows) ids += std::string(row.name.text) + std::to_string(row.index) + ' ';
  EXPECT_EQ(ids, "split0 collect3 done0 ");
  const auto back = edited<Rename>(*there, {{NameKind::node, "collect", "gather[0]"}});
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_TRUE(*back == file);
  EXPECT_EQ(fault<Rename>(file, {{NameKind::node, "gather", "collect[4294967296]"}}), "bad-value");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::node, "gather", "collect[x]"}}), "bad-value");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::node, "gather", "[3]"}}), "bad-value");
}

/// The semantics of a signature part and of the module's outputs.
std::string semantics_of(const Bytes& file, const char (&part_name)[5]) {
  std::string texts;
  const Bytes part = part_data(file, part_name);
  const auto signature = dxcontainer::parse_signature(loose(part_name, part));
  if (!signature) return to_string(signature.error());
  for (const auto& e : signature->elements.items) texts += std::string(e.semantic.text) + std::to_string(e.semantic_index) + ' ';
  const Bytes bitcode = bitcode_of(file);
  const auto module = dxil::parse_module(view_of(bitcode));
  if (!module) return to_string(module.error());
  const auto metadata = dxil::read_program_metadata(*module);
  for (const auto& entry : metadata.entries)
    for (const auto& e : entry.outputs)
      for (const auto index : e.semantic_indexes) texts += '|' + std::string(e.name) + std::to_string(index);
  return texts;
}

TEST(RenamedNames, SemanticWithoutIndexMeansAllOfThatName) {
  const Bytes file = dxil_sample("transform_vs_6_8.dxil");
  const auto two = edited<Rename>(file, {{NameKind::output, "COLOR0", "TEXCOORD1"}});
  ASSERT_TRUE(two) << to_string(two.error());
  const std::string before = semantics_of(*two, "OSG1");
  ASSERT_NE(before.find("TEXCOORD0 ID0 TEXCOORD1 "), before.npos) << before;
  const auto there = edited<Rename>(*two, {{NameKind::output, "TexCoord", "UV"}});
  ASSERT_TRUE(there) << to_string(there.error());
  const std::string after = semantics_of(*there, "OSG1");
  EXPECT_NE(after.find("UV0 ID0 UV1 "), after.npos) << after;
  EXPECT_NE(after.find("|UV0"), after.npos) << after;
  EXPECT_NE(after.find("|UV1"), after.npos) << after;
  EXPECT_EQ(after.find("TEXCOORD"), after.npos) << after;
  const auto back = edited<Rename>(*there, {{NameKind::output, "uv0", "TEXCOORD0"}, {NameKind::output, "Uv1", "COLOR0"}});
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_TRUE(*back == file);
  EXPECT_EQ(fault<Rename>(*two, {{NameKind::output, "TEXCOORD", "UV3"}}), "bad-value");  // both would be UV3
}

TEST(RenamedNames, SemanticIndexOfMoreThan32BitsIsRefused) {
  const Bytes file = dxil_sample("transform_vs_6_8.dxil");
  EXPECT_EQ(fault<Rename>(file, {{NameKind::output, "TEXCOORD0", "UV4294967296"}}), "bad-value");
  const auto most = edited<Rename>(file, {{NameKind::output, "TEXCOORD0", "UV4294967295"}});
  ASSERT_TRUE(most) << to_string(most.error());
  EXPECT_NE(semantics_of(*most, "OSG1").find("UV4294967295 "), std::string::npos) << semantics_of(*most, "OSG1");
}

TEST(RenamedNames, TwoNamesForOneAreRefused) {
  const auto message = [](const char* name, const std::vector<Rename>& changes) {
    const auto made = edited<Rename>(dxil_sample(name), changes);
    return made ? std::string("made") : made.error().message;
  };
  EXPECT_EQ(message("graph_lib_6_8.dxil", {{NameKind::node, "gather", "a"}, {NameKind::node, "gather[0]", "b"}}),
            "'gather[0]' is renamed twice, to 'a[0]' and to 'b[0]'");
  EXPECT_EQ(message("graph_lib_6_8.dxil", {{NameKind::node, "gather", "a"}, {NameKind::node, "gather[0]", "a[0]"}}), "made");
  EXPECT_EQ(message("atomics_cs_6_6.dxil", {{NameKind::entry, "", "b"}, {NameKind::entry, "main", "c"}}),
            "'main' is renamed twice, to 'b' and to 'c'");
  EXPECT_EQ(message("atomics_cs_6_6.dxil", {{NameKind::entry, "", "b"}, {NameKind::entry, "main", "b"}}), "made");
  EXPECT_EQ(message("textured_ps_6_6.dxil", {{NameKind::resource, "albedo", "a"}, {NameKind::resource, "albedo", "b"}}),
            "'albedo' is renamed twice, to 'a' and to 'b'");
}

}  // namespace

}  // namespace unshade::test
