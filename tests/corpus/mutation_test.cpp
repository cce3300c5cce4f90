// Damaged copies of corpus files, ten thousand where no sanitizer and no emulator slows it down, each looked at from every side: no crash,
// no second, no memory out of proportion. UNSHADE_KEEP_FINDS=PATH keeps the first file that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

#include "support/container.hpp"
#include "support/cost.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

constexpr std::size_t kMutations = effort<std::size_t>(10'000, 500);
constexpr unsigned kSeed = 20'260'801;

using Bytes = std::vector<std::byte>;

// std's distributions differ from library to library; the remainder is the same everywhere. Numbers are drawn one a statement: compilers
// evaluate arguments in different orders.
std::size_t below(std::mt19937& random, std::size_t count) { return count == 0 ? 0 : random() % count; }

std::uint32_t u32_at(const Bytes& bytes, std::size_t at) { return view_of(bytes).u32(at).value_or(0); }

// The name of what was done, for messages.
const char* mutate(Bytes& bytes, std::mt19937& random) {
  const std::size_t size = bytes.size();
  const std::size_t dwords = size / 4;
  switch (below(random, 10)) {
    case 0:
      for (std::size_t times = 1 + below(random, 8); times > 0; --times)
        bytes[below(random, size)] ^= static_cast<std::byte>(1U << below(random, 8));
      return "bits flipped";
    case 1: put_u32(bytes, 4 * below(random, dwords), 0); return "dword zeroed";
    case 2: put_u32(bytes, 4 * below(random, dwords), 0xffff'ffff); return "dword of ones";
    case 3: {
      const std::size_t at = 4 * below(random, dwords);
      put_u32(bytes, at, static_cast<std::uint32_t>(below(random, 64)));
      return "small dword";
    }
    case 4: {
      const std::size_t at = 4 * below(random, dwords);
      put_u32(bytes, at, static_cast<std::uint32_t>(size - 16 + below(random, 32)));
      return "dword near the size";
    }
    case 5: {
      const std::size_t at = 4 * below(random, dwords);
      put_u32(bytes, at, u32_at(bytes, at) + static_cast<std::uint32_t>(below(random, 65)) - 32);
      return "dword moved";
    }
    case 6:
      bytes.resize(below(random, size));
      if (below(random, 2) == 0) put_u32(bytes, 24, static_cast<std::uint32_t>(bytes.size()));
      return "cut short";
    case 7: {
      const std::size_t from = below(random, size);
      const std::size_t to = below(random, size);
      const std::size_t count = std::min(1 + below(random, 256), size - std::max(from, to));
      std::copy_n(Bytes(bytes).begin() + static_cast<std::ptrdiff_t>(from), count, bytes.begin() + static_cast<std::ptrdiff_t>(to));
      return "run copied";
    }
    case 8: {  // the size of a part, or where it lies
      const std::size_t part = below(random, std::min<std::size_t>(u32_at(bytes, 28), 16));
      const std::size_t at = u32_at(bytes, 32 + 4 * part);
      if (below(random, 2) == 0) {
        put_u32(bytes, at + 4, static_cast<std::uint32_t>(below(random, 2) == 0 ? below(random, size) : u32_at(bytes, at + 4) / 2));
        return "part resized";
      }
      put_u32(bytes, 32 + 4 * part, static_cast<std::uint32_t>(4 * below(random, dwords)));
      return "part moved";
    }
    default:
      for (std::size_t times = 1 + below(random, 16); times > 0; --times) {
        const std::size_t to = 4 * below(random, dwords);
        put_u32(bytes, to, u32_at(bytes, 4 * below(random, dwords)));
      }
      return "dwords shuffled";
  }
}

TEST(CorpusMutation, DamagedFilesAreReadOrRefusedAtFairCost) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::vector<Bytes> files;
  for (const char* ending : {".dxbc", ".dxcontainer", ".rts0"})
    for (const char* folder : {"dxbc", "other"})
      for (const auto& path : files_below(corpus / folder, ending))
        if (auto bytes = read_bytes(path); bytes.size() >= 64) files.push_back(std::move(bytes));
  ASSERT_FALSE(files.empty());

  std::mt19937 random(kSeed);
  Cost worst;
  for (std::size_t i = 0; i < kMutations && !HasFailure(); ++i) {
    const std::size_t file = below(random, files.size());
    Bytes bytes = files[file];
    std::string what = "mutation " + std::to_string(i) + " of file " + std::to_string(file);
    for (std::size_t times = 1 + below(random, 3); times > 0 && bytes.size() >= 64; --times) (what += ", ") += mutate(bytes, random);
    const bool was_fine = !HasFailure();
    const Cost cost = expect_properties_at_fair_cost(view_of(bytes), what);
    if (const char* const keep = std::getenv("UNSHADE_KEEP_FINDS"); keep != nullptr && was_fine && HasFailure())
      std::ofstream(keep, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    worst.time = std::max(worst.time, cost.time);
    worst.memory = std::max(worst.memory, cost.memory);
  }
  std::printf("%zu mutations of %zu files: %.1f %% of the time allowed and %.1f %% of the memory at most\n", kMutations, files.size(),
              100 * worst.time, 100 * worst.memory);
}

}  // namespace

}  // namespace unshade::test
