// How fast files are changed: bytes of files per second, over the corpus where there is one, else over the bundled samples. One thread.
// Each benchmark does one pass over all files of a family per iteration, but for those that an edit is not possible on.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/embed.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/reflection.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade {

namespace {

using Bytes = std::vector<std::byte>;

std::vector<Bytes> read_all(const char* family, const char* suffix) {
  std::vector<Bytes> files;
  const auto corpus = test::corpus_dir();
  const auto dir = corpus.empty() ? test::source_dir() / "tests/data" / family : corpus / family;
  for (const auto& path : test::files_below(dir, suffix)) {
    auto file = test::read_bytes(path);
    if (shader::open(test::view_of(file))) files.push_back(std::move(file));
  }
  return files;
}

const std::vector<Bytes>& dxbc_files() {
  static const std::vector<Bytes> files = read_all("dxbc", ".dxbc");
  return files;
}
const std::vector<Bytes>& dxil_files() {
  static const std::vector<Bytes> files = read_all("dxil", ".dxil");
  return files;
}

/// `edit(file)` for each file that it did not fail on the first time.
template <class F>
void over(benchmark::State& state, const std::vector<Bytes>& files, F edit) {
  std::vector<View> taken;
  std::size_t total = 0;
  for (const Bytes& file : files) {
    if (!edit(test::view_of(file))) continue;
    taken.push_back(test::view_of(file));
    total += file.size();
  }
  if (taken.empty()) return state.SkipWithError("no file takes the edit");
  for (auto _ : state)
    for (const View file : taken) benchmark::DoNotOptimize(edit(file));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * total));
  state.counters["files"] = static_cast<double>(taken.size());
}

constexpr Strip kStripped{.debug = true, .reflection = true, .private_data = true};

auto strip(View file) { return shader::strip(file, kStripped); }
auto sign(View file) { return shader::sign(file, shader::Sign::debug); }

/// The first resource, or the first entry point, gets another name.
bool rename(View file) {
  const auto opened = shader::open(file);
  const auto reflection = shader::reflect(*opened);
  if (!reflection || reflection->resources.empty()) return false;
  const shader::Rename renames[] = {{shader::Rename::What::resource, reflection->resources.front().name, "another_name"}};
  return static_cast<bool>(shader::rename(file, renames));
}

bool rebind(View file) {
  const shader::Rebind rebinds[] = {{'t', 0, 0, 40, 7}};
  return static_cast<bool>(shader::rebind(file, rebinds));
}

void build(benchmark::State& state, const std::vector<Bytes>& files) {
  std::vector<Value> documents;
  std::size_t total = 0;
  for (const Bytes& file : files) {
    auto document = shader::make_document(test::view_of(file));
    if (!document) continue;
    documents.push_back(*std::move(document));
    total += file.size();
  }
  for (auto _ : state)
    for (const Value& document : documents) benchmark::DoNotOptimize(shader::build_document(document));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * total));
  state.counters["files"] = static_cast<double>(documents.size());
}

bool list(View file, Text& text) {
  text.clear();
  shader::ListingOptions options;
  options.exact = true;
  options.checks = &shader::listing_checks();
  return static_cast<bool>(shader::disassemble(*shader::open(file), text, options));
}

/// What `dis --exact` prints, assembled; the bytes counted are those of the files.
void assemble(benchmark::State& state) {
  std::vector<std::string> listings;
  std::size_t total = 0;
  Text text;
  for (const Bytes& file : dxbc_files()) {
    if (!list(test::view_of(file), text) || !dxbc::assemble(text.view()).ok) continue;
    listings.push_back(text.str());
    total += file.size();
  }
  for (auto _ : state)
    for (const std::string& listing : listings) benchmark::DoNotOptimize(dxbc::assemble(listing));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * total));
  state.counters["files"] = static_cast<double>(listings.size());
}

bool embed(View file) {
  Text text;
  return static_cast<bool>(shader::embed(*shader::open(file), {.type = {}, .name = {}, .listing = false}, text));
}

template <class F>
void add(const std::string& name, const std::vector<Bytes>& (*files)(), F edit) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { over(state, files(), edit); })->Unit(benchmark::kMillisecond);
}

const bool kRegistered = [] {
  add("edit/strip dxbc", dxbc_files, strip);
  add("edit/strip dxil", dxil_files, strip);
  add("edit/sign dxbc", dxbc_files, sign);
  add("edit/sign dxil", dxil_files, sign);
  add("edit/reflect and rename dxil", dxil_files, rename);
  add("edit/rebind dxil", dxil_files, rebind);
  benchmark::RegisterBenchmark("edit/assemble dxbc", assemble)->Unit(benchmark::kMillisecond);
  add("edit/list dxbc", dxbc_files, [](View file) {
    Text text;
    return list(file, text);
  });
  add("edit/embed dxbc", dxbc_files, embed);
  add("edit/embed dxil", dxil_files, embed);
  for (const auto& [name, files] : {std::pair{"dxbc", &dxbc_files}, std::pair{"dxil", &dxil_files}}) {
    add(std::string("document/make ") + name, files, [](View file) { return shader::make_document(file); });
    benchmark::RegisterBenchmark((std::string("document/build ") + name).c_str(), [files = files](benchmark::State& state) {
      build(state, files());
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace

}  // namespace unshade
