// What strip, sign and changes of parts do to real files: what they are not about stays, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::test {

namespace {

using shader::Family;

std::vector<std::filesystem::path> shaders() {
  std::vector<std::filesystem::path> found;
  for (const auto& [folder, extension] : {std::pair{"dxbc", ".dxbc"}, std::pair{"dxil", ".dxil"}, std::pair{"other", ".rts0"},
                                          std::pair{"other", ".dxcontainer"}, std::pair{"spirv", ".spv"}, std::pair{"shbin", ".shbin"}}) {
    auto files = files_below(corpus_dir() / folder, extension);
    found.insert(found.end(), files.begin(), files.end());
  }
  return found;
}

std::set<std::string> errors_of(View file) {
  std::set<std::string> ids;
  for (const Diagnostic& d : shader::validate(file))
    if (d.rule->severity == Severity::error) ids.insert(std::string(d.rule->id));
  return ids;
}

/// What a module may grow by that another compiler than dxc numbered: edited, it is numbered as dxc does.
constexpr std::size_t kNumbering = 16;

/// The parts that are left are parts that were there, in their order. A program without the names that reflection reads has another hash.
bool are_subset(const dxcontainer::Container& after, const dxcontainer::Container& before, bool of_reflection) {
  auto at = before.parts.begin();
  for (const auto& part : after.parts) {
    const auto same = [&](const dxcontainer::Part& other) {
      if (other.fourcc != part.fourcc) return false;
      if (of_reflection && part.fourcc == dxcontainer::fourcc("DXIL")) return part.data.size() <= other.data.size() + kNumbering;
      if (of_reflection && part.fourcc == dxcontainer::fourcc("HASH")) return part.data.size() == other.data.size();
      return std::ranges::equal(part.data.bytes(), other.data.bytes());
    };
    at = std::find_if(at, before.parts.end(), same);
    if (at == before.parts.end()) return false;
    ++at;
  }
  return true;
}

TEST(CorpusEdits, WhatIsLeftAfterStripIsAsItWas) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  const Strip sets[] = {
      {},
      {.debug = true},
      {.debug_name = true},
      {.reflection = true},
      {.private_data = true},
      {.root_signature = true},
      {.statistics = true},
      {.names = true},
      {.debug = true, .reflection = true, .private_data = true},
      {.debug = true,
       .debug_name = true,
       .reflection = true,
       .private_data = true,
       .root_signature = true,
       .statistics = true,
       .names = true},
  };
  std::size_t files = 0;
  std::size_t changed = 0;
  std::size_t refused = 0;
  std::uint64_t before_bytes = 0;
  std::uint64_t after_bytes = 0;
  for (const auto& path : shaders()) {
    const auto bytes = read_bytes(path);
    const View file = view_of(bytes);
    const auto before = shader::open(file);
    if (!before) continue;
    SCOPED_TRACE(path.string());
    ++files;
    for (const auto& options : sets) {
      const auto edited = shader::strip(file, options);
      if (!edited) {
        EXPECT_EQ(edited.error().code, ErrorCode::unsupported) << to_string(edited.error());
        ++refused;
        continue;
      }
      EXPECT_EQ(edited->changed, edited->bytes != bytes);
      EXPECT_FALSE(edited->changed && &options == sets);
      if (!edited->changed) continue;
      ++changed;
      const View made = view_of(edited->bytes);
      const auto after = shader::open(made);
      ASSERT_TRUE(after) << to_string(after.error());
      if (options.reflection) {
        EXPECT_LE(edited->bytes.size(), bytes.size() + kNumbering);
      } else {
        EXPECT_LT(edited->bytes.size(), bytes.size());
      }
      if (before->container() != nullptr) {
        EXPECT_TRUE(are_subset(*after->container(), *before->container(), options.reflection));
        EXPECT_EQ(dxcontainer::check_digest(*after->container()), dxcontainer::check_digest(*before->container()));
      }
      const auto again = shader::strip(made, options);
      ASSERT_TRUE(again);
      EXPECT_FALSE(again->changed);
      EXPECT_EQ(again->bytes, edited->bytes);
      if (&options != sets + std::size(sets) - 2) continue;
      before_bytes += bytes.size();
      after_bytes += edited->bytes.size();
      const auto errors = errors_of(file);
      for (const std::string& id : errors_of(made)) EXPECT_TRUE(errors.count(id) != 0) << id;
    }
  }
  std::printf("%zu files, %zu results that changed, %zu refused; by default %llu -> %llu bytes\n", files, changed, refused,
              static_cast<unsigned long long>(before_bytes), static_cast<unsigned long long>(after_bytes));
  EXPECT_GT(changed, 0U);
}

TEST(CorpusEdits, SigningWhatIsSignedChangesNothing) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t right = 0;
  std::size_t made_right = 0;
  for (const auto& path : shaders()) {
    const auto bytes = read_bytes(path);
    const auto before = shader::open(view_of(bytes));
    if (!before || before->container() == nullptr) continue;
    SCOPED_TRACE(path.string());
    const auto state = dxcontainer::check_digest(*before->container());
    const bool is_right = state == dxcontainer::DigestState::valid || state == dxcontainer::DigestState::valid_debug;
    auto edited = shader::sign(view_of(bytes), shader::Sign::keep, true);
    ASSERT_TRUE(edited) << to_string(edited.error());
    EXPECT_EQ(edited->changed, !is_right);
    EXPECT_EQ(edited->changed, edited->bytes != bytes);
    (is_right ? right : made_right) += 1;
    for (const auto how : {shader::Sign::debug, shader::Sign::zero, shader::Sign::standard, shader::Sign::debug}) {
      edited = shader::sign(view_of(edited->bytes), how);
      ASSERT_TRUE(edited);
    }
    const auto after = dxcontainer::parse_container(view_of(edited->bytes));
    ASSERT_TRUE(after);
    EXPECT_EQ(dxcontainer::check_digest(*after), dxcontainer::DigestState::valid_debug);
    EXPECT_TRUE(std::equal(bytes.begin() + 20, bytes.end(), edited->bytes.begin() + 20, edited->bytes.end()));
  }
  std::printf("%zu digests right, %zu made right\n", right, made_right);
  EXPECT_GT(right, 0U);
}

TEST(CorpusEdits, APartTakenOutAndPutBackIsWhereItWas) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t parts = 0;
  std::size_t elsewhere = 0;
  for (const auto& path : shaders()) {
    const auto bytes = read_bytes(path);
    const auto before = shader::open(view_of(bytes));
    if (!before || before->parts().size() < 2) continue;
    SCOPED_TRACE(path.string());
    for (const auto& part : before->parts()) {
      const shader::PartChange out{shader::PartChange::What::remove, part.fourcc, {}};
      const auto without = shader::change_parts(view_of(bytes), {&out, 1});
      ASSERT_TRUE(without) << to_string(without.error());
      const shader::PartChange in{shader::PartChange::What::add, part.fourcc, part.data.bytes()};
      const auto with = shader::change_parts(view_of(without->bytes), {&in, 1});
      ASSERT_TRUE(with) << to_string(with.error());
      EXPECT_EQ(with->bytes.size(), bytes.size());
      ++parts;
      elsewhere += with->bytes == bytes ? 0 : 1;
    }
  }
  std::printf("%zu parts, %zu put elsewhere\n", parts, elsewhere);
  EXPECT_GT(parts, 0U);
  EXPECT_LT(elsewhere * 20, parts);  // fxc has no one order for all its files
}

}  // namespace

}  // namespace unshade::test
