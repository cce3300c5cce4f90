// How fast shaders are found and named: bytes of files per second, over the corpus where there is one, else over the bundled samples. One
// thread.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/find/carve.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/find/facts.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

#include "find/needles.hpp"
#include "support/files.hpp"

namespace unshade {

namespace {

struct NamedFiles {
  std::vector<std::vector<std::byte>> bytes;  // only files that open
  std::size_t total = 0;

  NamedFiles() {
    const auto corpus = test::corpus_dir();
    for (const auto& path : test::files_below(corpus.empty() ? test::source_dir() / "tests/data" : corpus, "")) {
      auto file = test::read_bytes(path);
      if (shader::open(test::view_of(file))) bytes.push_back(std::move(file));
    }
    for (const auto& file : bytes) total += file.size();
  }
};

const NamedFiles& named_files() {
  static const NamedFiles all;
  return all;
}

/// Opens each file for it, since an opened shader keeps the modules that were parsed.
template <class Work>
void over_named_files(benchmark::State& state, Work work) {
  for (auto _ : state)
    for (const auto& file : named_files().bytes) benchmark::DoNotOptimize(work(*shader::open(test::view_of(file))));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(named_files().total));
  state.counters["files"] = static_cast<double>(named_files().bytes.size());
}

void crc32(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::crc32(find::named_bytes(shader)); });
}
void fnv1(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::fnv1_64(find::named_bytes(shader)); });
}
void name_of_code(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::identity(shader, "code"); });
}
void plain_name(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::identity(shader, "plain"); });
}
void sketch(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::sketch_of(shader); });
}
void all_names(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::identities(shader); });
}

// Parts of what an index computes of a shader, and all of it.
void digest_check(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) {
    return shader.container() != nullptr ? dxcontainer::check_digest(*shader.container()) : dxcontainer::DigestState::zero;
  });
}
void xxh3(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::xxh3_128(shader.file); });
}
void summary(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return shader::summarize(shader).size; });
}
void reflection(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return shader::reflect(shader).has_value(); });
}
void opcodes(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return shader::opcodes(shader).has_value(); });
}
void own_identities(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::own_identities(shader).size(); });
}
void listing_of_all(benchmark::State& state) {
  Text text;
  over_named_files(state, [&](const shader::Shader& shader) {
    text.clear();
    return shader::disassemble(shader, text).has_value();
  });
}
void facts(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::facts_of(shader).instructions; });
}

/// 64 MiB of random bytes.
const std::vector<std::byte>& haystack() {
  static const std::vector<std::byte> bytes = [] {
    std::mt19937_64 random(1);
    std::vector<std::byte> made(std::size_t{1} << 26);
    for (std::byte& byte : made) byte = static_cast<std::byte>(random());
    return made;
  }();
  return bytes;
}

/// Argument: which of the passes, see needle_passes().
void needle_pass(benchmark::State& state) {
  const auto number = static_cast<std::size_t>(state.range(0));
  if (number >= find::needle_passes().size()) return state.SkipWithError("not on this machine");
  const find::NeedlePass& pass = find::needle_passes()[number];
  std::vector<find::Candidate> candidates;
  for (auto _ : state) {
    candidates.clear();
    // pieces that stay in the cache, as files are searched
    for (std::size_t at = 0; at < haystack().size(); at += std::size_t{1} << 22)
      pass.run(std::span(haystack()).subspan(at, std::size_t{1} << 22), candidates);
  }
  state.SetLabel(std::string(pass.id));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(haystack().size()));
}

void carve_random(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(find::carve(View(haystack()), haystack().size(), true));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(haystack().size()));
}

/// Nothing but shaders.
void carve_shaders(benchmark::State& state) {
  std::vector<std::byte> pack;
  for (const auto& bytes : named_files().bytes) pack.insert(pack.end(), bytes.begin(), bytes.end());
  for (auto _ : state) benchmark::DoNotOptimize(find::carve(View(pack), pack.size(), true));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(pack.size()));
}

BENCHMARK(needle_pass)->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK(carve_random)->Unit(benchmark::kMillisecond);
BENCHMARK(carve_shaders)->Unit(benchmark::kMillisecond);
BENCHMARK(crc32)->Unit(benchmark::kMillisecond);
BENCHMARK(fnv1)->Unit(benchmark::kMillisecond);
BENCHMARK(name_of_code)->Unit(benchmark::kMillisecond);
BENCHMARK(plain_name)->Unit(benchmark::kMillisecond);
BENCHMARK(sketch)->Unit(benchmark::kMillisecond);
BENCHMARK(all_names)->Unit(benchmark::kMillisecond);
BENCHMARK(digest_check)->Unit(benchmark::kMillisecond);
BENCHMARK(xxh3)->Unit(benchmark::kMillisecond);
BENCHMARK(summary)->Unit(benchmark::kMillisecond);
BENCHMARK(reflection)->Unit(benchmark::kMillisecond);
BENCHMARK(opcodes)->Unit(benchmark::kMillisecond);
BENCHMARK(own_identities)->Unit(benchmark::kMillisecond);
BENCHMARK(listing_of_all)->Unit(benchmark::kMillisecond);
BENCHMARK(facts)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace unshade
