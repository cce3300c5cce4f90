// write(parse(x)) == x, for every part that has a writer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

template <class Model>
std::vector<std::byte> again(Result<Model> parsed, std::vector<std::byte> (*write)(const Model&)) {
  return parsed ? write(*parsed) : std::vector<std::byte>{};
}

// The part written back, or nothing for a kind without a writer.
bool rewrite(const dxcontainer::Part& part, std::vector<std::byte>& written) {
  using dxcontainer::fourcc;
  if (dxcontainer::is_signature(part.fourcc)) {
    written = again(dxcontainer::parse_signature(part), dxcontainer::write_signature);
  } else if (dxbc::is_level9(part.fourcc)) {
    written = again(dxbc::parse_level9(part), dxbc::write_level9);
  } else if (part.fourcc == fourcc("RDEF")) {
    written = again(dxbc::parse_rdef(part), dxbc::write_rdef);
  } else if (part.fourcc == fourcc("STAT")) {
    written = again(dxbc::parse_statistics(part), dxbc::write_statistics);
  } else if (part.fourcc == fourcc("IFCE")) {
    written = again(dxbc::parse_class_linkage(part), dxbc::write_class_linkage);
  } else if (part.fourcc == fourcc("RTS0")) {
    written = again(dxcontainer::parse_root_signature(part), dxcontainer::write_root_signature);
  } else {
    return false;
  }
  return true;
}

TEST(CorpusRoundTrip, AnUneditedPartIsWrittenAsItWasRead) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // same, all
  for (const auto& path : files_below(corpus / "dxbc", ".dxbc")) {
    const auto bytes = read_bytes(path);
    const auto shader = shader::open(view_of(bytes));
    ASSERT_TRUE(shader) << path;
    for (const auto& part : shader->parts()) {
      std::vector<std::byte> written;
      if (!rewrite(part, written)) continue;
      const bool same = std::equal(written.begin(), written.end(), part.data.bytes().begin(), part.data.bytes().end());
      auto& [same_count, all] = counts[part.name()];
      same_count += same;
      ++all;
      EXPECT_TRUE(same) << path << ' ' << part.name();
    }
  }
  for (const auto& [name, count] : counts) std::printf("%s %zu of %zu\n", name.c_str(), count.first, count.second);
}

}  // namespace

}  // namespace unshade::test
