// The parts of DXIL containers in the corpus: written as they were read, every byte named, and valid.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

using dxcontainer::fourcc;

template <class Model>
std::vector<std::byte> again(Result<Model> parsed, std::vector<std::byte> (*write)(const Model&)) {
  return parsed ? write(*parsed) : std::vector<std::byte>{};
}

// The part written back, or false for a kind without a writer.
bool rewrite(const dxcontainer::Part& part, dxil::ShaderKind kind, std::vector<std::byte>& written) {
  switch (part.fourcc) {
    case fourcc("DXIL"):
    case fourcc("ILDB"):
    case fourcc("STAT"): written = again(dxil::parse_program(part), dxil::write_program); return true;
    case fourcc("PSV0"): written = again(dxil::parse_psv(part, kind), dxil::write_psv); return true;
    case fourcc("RDAT"): written = again(dxil::parse_rdat(part), dxil::write_rdat); return true;
    case fourcc("ILDN"): written = again(dxil::parse_debug_name(part), dxil::write_debug_name); return true;
    case fourcc("HASH"): written = again(dxil::parse_hash(part), dxil::write_hash); return true;
    case fourcc("VERS"): written = again(dxil::parse_compiler_version(part), dxil::write_compiler_version); return true;
    case fourcc("SRCI"): written = again(dxil::parse_source_info(part), dxil::write_source_info); return true;
    case fourcc("PDBI"): written = again(dxil::parse_pdb_info(part), dxil::write_pdb_info); return true;
    case fourcc("RTS0"): written = again(dxcontainer::parse_root_signature(part), dxcontainer::write_root_signature); return true;
    default:
      if (!dxcontainer::is_signature(part.fourcc)) return false;
      written = again(dxcontainer::parse_signature(part), dxcontainer::write_signature);
      return true;
  }
}

TEST(CorpusDxilParts, AnUneditedPartIsWrittenAsItWasRead) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // same, all
  for (const auto& path : files_below(corpus / "dxil", ".dxil")) {
    const auto bytes = read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(bytes));
    ASSERT_TRUE(container) << path;
    for (const auto& part : container->parts) {
      std::vector<std::byte> written;
      if (!rewrite(part, dxil::program_kind(*container), written)) continue;
      const bool same = std::equal(written.begin(), written.end(), part.data.bytes().begin(), part.data.bytes().end());
      auto& [same_count, all] = counts[part.name()];
      same_count += same;
      ++all;
      EXPECT_TRUE(same) << path << ' ' << part.name();
    }
  }
  for (const auto& [name, count] : counts) std::printf("%s %zu of %zu\n", name.c_str(), count.first, count.second);
}

TEST(CorpusDxilParts, EveryByteIsNamed) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  Coverage sum;
  for (const auto& path : files_below(corpus / "dxil", ".dxil")) {
    const auto bytes = read_bytes(path);
    const Tree tree = shader::annotate(view_of(bytes));
    for (const Error& error : tree.errors()) ADD_FAILURE() << path << ": " << to_string(error);
    const Coverage coverage = tree.coverage();
    sum.named += coverage.named;
    sum.padding += coverage.padding;
    sum.unknown += coverage.unknown;
    sum.total += coverage.total;
  }
  std::printf("%llu bytes: %llu named, %llu padding, %llu unknown\n", static_cast<unsigned long long>(sum.total),
              static_cast<unsigned long long>(sum.named), static_cast<unsigned long long>(sum.padding),
              static_cast<unsigned long long>(sum.unknown));
  EXPECT_EQ(sum.named + sum.padding + sum.unknown, sum.total);
  EXPECT_EQ(sum.unknown, 0U);
}

TEST(CorpusDxilParts, WhatCompilersWroteHasNoErrors) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  for (const auto& path : files_below(corpus / "dxil", ".dxil")) {
    const auto bytes = read_bytes(path);
    for (const Diagnostic& finding : shader::validate(view_of(bytes)))
      if (finding.rule->severity == Severity::error) ADD_FAILURE() << path.filename() << ": " << to_string(finding);
  }
}

}  // namespace

}  // namespace unshade::test
