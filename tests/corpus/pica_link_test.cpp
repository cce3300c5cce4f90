// SHBIN: any two files linked do what they did apart.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/pica/shbin.hpp>

#include "pica/descriptor_care.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

using pica::Flow;
using pica::Instruction;
using pica::Opcode;

/// What an executable's words say, calls replaced by what they call: descriptors by the bits that are depended on, addresses by their
/// distance. No more than a file's worth.
void unfold(const pica::Shbin& file, std::uint32_t start, std::uint32_t end, unsigned depth, std::vector<std::uint32_t>& out) {
  constexpr std::size_t kMost = 1 << 14;
  const auto& code = file.program.code;
  for (std::uint32_t at = start; at < end && at < code.size() && out.size() < kMost; ++at) {
    Instruction i = pica::decode(code[at]);
    const Flow flow = pica::info(i.opcode).flow;
    if (pica::has_descriptor(pica::format_of(i.opcode)) && i.descriptor < file.program.descriptors.size()) {
      const pica::Descriptor d = file.program.descriptors[i.descriptor];
      const Opcode straight = pica::is_inverted(i.opcode) ? pica::twin(i.opcode) : i.opcode;
      out.push_back(d.bits & (pica::descriptor_care(straight, d.bits) | 1U << 31));
      out.push_back(d.used);
      i.descriptor = 0;
    }
    const std::uint32_t target = i.target;
    if (flow != Flow::call && pica::info(i.opcode).has_target()) out.push_back(target - at);
    i.target = 0;
    out.push_back(pica::encode(i));
    if (flow == Flow::call && depth < 4) unfold(file, target, target + i.count, depth + 1, out);
  }
}

std::vector<std::uint32_t> unfolded(const pica::Shbin& file, std::size_t executable) {
  std::vector<std::uint32_t> out;
  const pica::Executable& e = file.executables[executable];
  unfold(file, e.entry_words, e.end_words, 0, out);
  return out;
}

TEST(CorpusPica, AnyTwoFilesLinkedDoWhatTheyDid) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::vector<pica::Shbin> files;
  std::vector<std::string> names;
  for (const auto& path : files_below(corpus / "shbin", ".shbin")) {
    const auto bytes = read_bytes(path);
    auto shbin = pica::parse_shbin(view_of(bytes));
    ASSERT_TRUE(shbin) << path;
    files.push_back(std::move(*shbin));
    names.push_back(path.string());
  }
  std::size_t linked = 0;
  std::size_t words = 0;
  std::size_t words_apart = 0;
  for (std::size_t a = 0; a < files.size(); ++a) {
    for (std::size_t b = 0; b < files.size(); ++b) {
      const pica::Shbin two[] = {files[a], files[b]};
      const auto both = pica::link(two);
      if (!both) {
        EXPECT_EQ(both.error().code, ErrorCode::limit) << names[a] << ' ' << names[b] << ' ' << to_string(both.error());
        continue;
      }
      ++linked;
      words += both->program.code.size();
      words_apart += files[a].program.code.size() + files[b].program.code.size();
      ASSERT_EQ(both->executables.size(), files[a].executables.size() + files[b].executables.size());
      for (std::size_t e = 0; e < both->executables.size(); ++e) {
        const bool is_first = e < files[a].executables.size();
        const auto expected = is_first ? unfolded(files[a], e) : unfolded(files[b], e - files[a].executables.size());
        ASSERT_EQ(unfolded(*both, e), expected) << names[a] << ' ' << names[b] << " executable " << e;
        const auto taken = pica::take_executable(*both, e);
        ASSERT_TRUE(taken);
        ASSERT_EQ(unfolded(*taken, 0), expected) << "taken out of " << names[a] << ' ' << names[b] << " executable " << e;
      }
    }
  }
  EXPECT_GT(linked, 0U);
  std::printf("%zu pairs linked, %zu words of %zu\n", linked, words, words_apart);
}

}  // namespace

}  // namespace unshade::test
