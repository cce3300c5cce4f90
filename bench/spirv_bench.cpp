// Listing SPIR-V modules, all of the corpus in each round: ours, and SPIRV-Tools' spvBinaryToText in the same process where it is
// installed.
#include <benchmark/benchmark.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>

#include "support/files.hpp"

#ifdef UNSHADE_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>
#endif

namespace unshade {

namespace {

struct Modules {
  std::vector<std::vector<std::byte>> files;
  std::int64_t bytes = 0;
};

const Modules& modules() {
  static const Modules all = [] {
    Modules found;
    const auto add = [&](const std::filesystem::path& folder) {
      if (folder.empty() || !std::filesystem::exists(folder)) return;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".spv") continue;
        found.files.push_back(test::read_bytes(entry.path()));
        found.bytes += static_cast<std::int64_t>(found.files.back().size());
      }
    };
    add(test::corpus_dir());
    if (found.files.empty()) add(test::source_dir() / "tests/data/spirv");
    return found;
  }();
  return all;
}

void count(benchmark::State& state) { state.SetBytesProcessed(state.iterations() * modules().bytes); }

void parse(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& file : modules().files) benchmark::DoNotOptimize(spirv::parse(test::view_of(file)));
  count(state);
}
BENCHMARK(parse)->Name("spirv/parse");

void list(benchmark::State& state, bool friendly) {
  spirv::ListingOptions options;
  options.friendly_names = friendly;
  Text text;
  for (auto _ : state) {
    for (const auto& file : modules().files) {
      const auto module = spirv::parse(test::view_of(file));
      if (!module) {
        state.SkipWithError("a module that is not read");
        return;
      }
      text.clear();
      spirv::list_module(*module, text, options);
      benchmark::DoNotOptimize(text.view().data());
    }
  }
  count(state);
}
BENCHMARK_CAPTURE(list, friendly, true)->Name("spirv/list/friendly");
BENCHMARK_CAPTURE(list, raw, false)->Name("spirv/list/raw_id");

std::vector<std::string> listings() {
  std::vector<std::string> texts;
  for (const auto& file : modules().files) {
    Text text;
    if (const auto module = spirv::parse(test::view_of(file))) spirv::list_module(*module, text, {.friendly_names = false});
    texts.push_back(text.str());
  }
  return texts;
}

void assemble(benchmark::State& state) {
  const auto texts = listings();
  for (auto _ : state)
    for (const auto& text : texts) {
      const auto bytes = spirv::assemble(text);
      if (!bytes) {
        state.SkipWithError("a listing that does not assemble");
        return;
      }
      benchmark::DoNotOptimize(bytes->data());
    }
  count(state);
}
BENCHMARK(assemble)->Name("spirv/assemble");

#ifdef UNSHADE_SPIRV_TOOLS
std::vector<std::vector<std::uint32_t>> aligned() {
  std::vector<std::vector<std::uint32_t>> all;
  for (const auto& file : modules().files) {
    auto& words = all.emplace_back(file.size() / 4);
    std::memcpy(words.data(), file.data(), 4 * words.size());
  }
  return all;
}

void tools_list(benchmark::State& state, bool friendly) {
  const auto files = aligned();
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
  const std::uint32_t options = static_cast<std::uint32_t>(SPV_BINARY_TO_TEXT_OPTION_INDENT) |
                                (friendly ? static_cast<std::uint32_t>(SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES) : 0U);
  for (auto _ : state)
    for (const auto& words : files) {
      spv_text text = nullptr;
      if (spvBinaryToText(context, words.data(), words.size(), options, &text, nullptr) != SPV_SUCCESS)
        state.SkipWithError("a module that is not read");
      benchmark::DoNotOptimize(text);
      spvTextDestroy(text);
    }
  spvContextDestroy(context);
  count(state);
}
BENCHMARK_CAPTURE(tools_list, friendly, true)->Name("spirv-tools/list/friendly")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tools_list, raw, false)->Name("spirv-tools/list/raw_id")->Unit(benchmark::kMillisecond);

void tools_assemble(benchmark::State& state) {
  const auto texts = listings();
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  for (auto _ : state)
    for (const auto& text : texts) {
      spv_binary binary = nullptr;
      if (spvTextToBinaryWithOptions(context, text.data(), text.size(), SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, nullptr) !=
          SPV_SUCCESS)
        state.SkipWithError("a listing that does not assemble");
      benchmark::DoNotOptimize(binary);
      spvBinaryDestroy(binary);
    }
  spvContextDestroy(context);
  count(state);
}
BENCHMARK(tools_assemble)->Name("spirv-tools/assemble")->Unit(benchmark::kMillisecond);
#endif

}  // namespace

}  // namespace unshade
