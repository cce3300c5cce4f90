// The assembler over every file: exact listings come back to the byte, fxc's own listings as near as their rounded literals allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/container/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "dxbc/container/assemble.hpp"
#include "support/dxbc_edits.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

using dxcontainer::fourcc;

// A file of the corpus. Some hold code for level 9 alone.
struct Subject {
  std::filesystem::path path;
  std::vector<std::byte> bytes;
  dxcontainer::Container container;
  std::optional<dxbc::Program> program;
};

std::optional<Subject> subject(const std::filesystem::path& path) {
  Subject subject;
  subject.path = path;
  subject.bytes = read_bytes(path);
  auto container = dxcontainer::parse_container(view_of(subject.bytes));
  if (!container) return std::nullopt;
  subject.container = *std::move(container);
  const auto* code = subject.container.find(dxcontainer::PartRole::tokens);
  if (code != nullptr) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return std::nullopt;
    subject.program = *program;
  }
  return subject;
}

template <class F>
void for_each_subject(const std::filesystem::path& corpus, F f) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus / "dxbc")) {
    if (!entry.is_regular_file() || entry.path().extension() == ".asm") continue;
    if (const auto found = subject(entry.path())) f(*found);
  }
}

bool has_tokens(const dxbc::Program& program, const std::vector<std::uint32_t>& tokens) {
  return program.tokens.size() == 4 * tokens.size() && std::memcmp(program.tokens.data(), tokens.data(), 4 * tokens.size()) == 0;
}

// The listing with everything in it; statements about parts behind it if `whole`.
std::string exact_listing(const Subject& subject, bool whole) {
  dxbc::container::ContainerListingOptions options;
  options.exact = whole;
  options.exact_floats = true;
  options.checks = &dxbc::listing_checks();
  Text out;
  return dxbc::container::list_container(subject.container, out, options) ? out.str() : std::string();
}

TEST(CorpusDxbcAssembler, ExactListingsComeBackToTheByte) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  unsigned files = 0;
  for_each_subject(corpus, [&](const Subject& subject) {
    const std::string text = exact_listing(subject, true);
    if (text.empty()) return;  // what is not listed is another test's to tell
    ++files;
    const auto assembly = dxbc::assemble(text);
    EXPECT_TRUE(assembly.ok) << subject.path << ' ' << (assembly.messages.empty() ? "" : to_string(assembly.messages[0]));
    EXPECT_TRUE(!assembly.ok || assembly.file == subject.bytes) << subject.path;
  });
  std::printf("%u files\n", files);
  EXPECT_GT(files, 0U);
}

TEST(CorpusDxbcAssembler, NoEditOfAnExactListingIsLost) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  constexpr std::size_t kEditsPerFile = 4;
  constexpr std::size_t kMostText = 100'000;
  std::size_t edits_made = 0;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus / "dxbc")) {
    if (!entry.is_regular_file() || entry.path().extension() == ".asm") continue;
    const std::string text = dxbc_listing::exact_listing_of(read_bytes(entry.path()));
    if (text.empty() || text.size() > kMostText) continue;
    const auto edits = dxbc_listing::listing_edits(text);
    const std::size_t step = std::max<std::size_t>(1, edits.size() / kEditsPerFile);
    for (std::size_t i = files++ % step; i < edits.size(); i += step, ++edits_made) {
      const auto fault = dxbc_listing::fault_of_edit(text, edits[i]);
      EXPECT_FALSE(fault.has_value()) << entry.path() << ": " << *fault;
    }
  }
  std::printf("%zu edits of %zu files\n", edits_made, files);
}

// Without the statements that carry parts: what the tables and the program tell by themselves.
TEST(CorpusDxbcAssembler, PartsComeFromTables) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  struct Count {
    unsigned same = 0;
    unsigned all = 0;
  };
  std::map<std::string, Count> counts;
  for_each_subject(corpus, [&](const Subject& subject) {
    const std::string text = subject.program ? exact_listing(subject, false) : std::string();
    if (text.empty()) return;
    dxbc::assembler::Messages messages(text);
    const auto made = dxbc::container::assemble_container(text, messages, {});
    EXPECT_FALSE(messages.failed()) << subject.path;
    for (const auto& part : subject.container.parts) {
      Count& count = counts[fourcc_text(part.fourcc)];
      ++count.all;
      const auto mine = std::find_if(made.parts.begin(), made.parts.end(), [&](const auto& p) { return p.fourcc == part.fourcc; });
      count.same += mine != made.parts.end() && mine->data.size() == part.data.size() &&
                    std::equal(mine->data.begin(), mine->data.end(), part.data.data());
    }
  });
  for (const auto& [name, count] : counts) std::printf("%s: %u of %u\n", name.c_str(), count.same, count.all);
  const auto at_least = [&](const char* name, double share) {
    const Count& count = counts[name];
    EXPECT_GE(count.same, share * count.all) << name;
  };
  for (const char* name : {"SHEX", "ISGN", "OSGN", "OSG5", "SFI0"}) at_least(name, 1);
  for (const char* name : {"SHDR", "PCSG"}) at_least(name, 0.98);
  for (const char* name : {"ISG1", "OSG1"}) at_least(name, 0.95);
  at_least("RDEF", 0.6);  // compile flags and marks of bindings are not in the tables
  at_least("STAT", 0.8);
}

TEST(CorpusDxbcAssembler, FxcsOwnListings) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  unsigned files = 0;
  unsigned same = 0;
  unsigned nearest = 0;
  for_each_subject(corpus, [&](const Subject& subject) {
    auto reference = subject.path;
    reference.replace_extension(".asm");
    const std::string text = read_text(reference);
    if (text.empty() || !subject.program) return;
    ++files;
    const auto assembly = dxbc::assemble_program(text);
    EXPECT_TRUE(assembly.ok) << reference << ' ' << (assembly.messages.empty() ? "" : to_string(assembly.messages[0]));
    EXPECT_EQ(assembly.tokens.size() * 4, subject.program->tokens.size()) << reference;
    same += has_tokens(*subject.program, assembly.tokens);
    dxbc::AssemblerOptions options;
    options.guess_rounded = false;
    nearest += has_tokens(*subject.program, dxbc::assemble_program(text, options).tokens);
    EXPECT_TRUE(dxbc::assemble(text).ok) << reference;
  });
  std::printf("%u listings: %u identical programs, %u where rounded literals are taken as they stand\n", files, same, nearest);
  EXPECT_GE(same, files * 4 / 5);
}

}  // namespace

}  // namespace unshade::test
