#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxil/parts/hash.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::shader {

namespace {

using dxcontainer::DigestState;
using test::view_of;

std::vector<std::byte> dxil_sample() { return test::read_bytes(test::source_dir() / "tests/data/dxil/textured_ps_6_6.dxil"); }

DigestState state_of(const std::vector<std::byte>& bytes) {
  return dxcontainer::check_digest(*dxcontainer::parse_container(view_of(bytes)));
}

constexpr std::pair<Sign, DigestState> kVariants[] = {
    {Sign::keep, DigestState::valid},
    {Sign::standard, DigestState::valid},
    {Sign::debug, DigestState::valid_debug},
    {Sign::bypass, DigestState::bypass},
    {Sign::preview_bypass, DigestState::preview_bypass},
    {Sign::zero, DigestState::zero},
};

TEST(Sign, EachVariantAndNothingElse) {
  for (const auto& file : {test::sample("textured_ps_5_0.dxbc"), dxil_sample()}) {
    ASSERT_EQ(state_of(file), DigestState::valid);
    for (const auto& [how, state] : kVariants) {
      const auto once = sign(view_of(file), how);
      ASSERT_TRUE(once) << to_string(once.error());
      EXPECT_EQ(state_of(once->bytes), state);
      EXPECT_EQ(once->changed, state != DigestState::valid);
      EXPECT_TRUE(std::equal(file.begin() + 20, file.end(), once->bytes.begin() + 20, once->bytes.end()));
      const auto twice = sign(view_of(once->bytes), how);
      ASSERT_TRUE(twice);
      EXPECT_FALSE(twice->changed);
      EXPECT_EQ(twice->bytes, once->bytes);
    }
  }
}

TEST(Sign, KeepKeepsTheDebugVariantAndRightsTheRest) {
  auto file = test::sample("textured_ps_5_0.dxbc");
  const auto debug = sign(view_of(file), Sign::debug);
  ASSERT_TRUE(debug);
  EXPECT_FALSE(sign(view_of(debug->bytes), Sign::keep)->changed);
  file[4] ^= std::byte{1};
  EXPECT_EQ(state_of(file), DigestState::wrong);
  EXPECT_EQ(state_of(sign(view_of(file), Sign::keep)->bytes), DigestState::valid);
}

TEST(Sign, ASentinelOutlivesAnEdit) {
  for (const auto& [how, state] : kVariants) {
    const auto signed_file = sign(view_of(dxil_sample()), how);
    ASSERT_TRUE(signed_file);
    const auto edited = strip(view_of(signed_file->bytes), {.reflection = true});
    ASSERT_TRUE(edited);
    EXPECT_TRUE(edited->changed);
    EXPECT_EQ(state_of(edited->bytes), state);
  }
}

TEST(Sign, HashIsMadeRightOnlyWhereAsked) {
  auto file = dxil_sample();
  const auto container = *dxcontainer::parse_container(view_of(file));
  const auto* const hash = container.find(dxcontainer::fourcc("HASH"));
  ASSERT_NE(hash, nullptr);
  const auto at = static_cast<std::size_t>(hash->data.file_offset()) + 4;  // behind the flags
  const std::byte was = file[at];
  file[at] ^= std::byte{0xff};
  const auto without = sign(view_of(file), Sign::keep);
  ASSERT_TRUE(without);
  EXPECT_EQ(without->bytes[at], file[at]);
  const auto with = sign(view_of(file), Sign::keep, true);
  ASSERT_TRUE(with);
  EXPECT_EQ(with->bytes[at], was);
  EXPECT_EQ(with->bytes, dxil_sample());
}

TEST(Sign, WhatIsNoContainerIsRefused) {
  for (const char* name : {"spirv/odd.spv", "pica/quad.g.shbin", "vbc/minimal.vbc", "dxil/control_ps_6_6_zi.pdb"}) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data" / name);
    const auto done = sign(view_of(bytes), Sign::standard);
    ASSERT_FALSE(done) << name;
    EXPECT_EQ(done.error().code, ErrorCode::unsupported) << name;
  }
}

TEST(Sign, DocumentsKeepWhatADigestIs) {
  for (const auto& [how, state] : kVariants) {
    const auto file = sign(view_of(test::sample("lit_vs_5_0.dxbc")), how);
    ASSERT_TRUE(file);
    const auto document = make_document(view_of(file->bytes));
    ASSERT_TRUE(document);
    const Value* const digest = document->find("digest");
    ASSERT_NE(digest, nullptr);
    ASSERT_NE(digest->as_text(), nullptr);
    EXPECT_EQ(*digest->as_text(), dxcontainer::id(state));
    EXPECT_EQ(*build_document(*document), file->bytes);
  }
}

TEST(Sign, SentinelsAreNotesForTheValidator) {
  for (const Sign how : {Sign::bypass, Sign::preview_bypass}) {
    const auto file = sign(view_of(test::sample("lit_vs_5_0.dxbc")), how);
    ASSERT_TRUE(file);
    const auto findings = validate(view_of(file->bytes));
    const auto found = std::find_if(findings.begin(), findings.end(), [](const Diagnostic& d) { return d.path == "header/digest"; });
    ASSERT_NE(found, findings.end());
    EXPECT_EQ(found->rule->id, "container.digest-bypass");
    EXPECT_EQ(found->rule->severity, Severity::note);
  }
}

}  // namespace

}  // namespace unshade::shader
