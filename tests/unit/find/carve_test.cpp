// Shaders planted in other bytes are found with their places and sizes, and nothing else is.
#include <unshade/find/carve.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <random>
#include <string>

#include <unshade/shader/shader.hpp>

#include "support/cost.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

using Bytes = std::vector<std::byte>;

struct Planted {
  std::string name;
  Bytes bytes;
};

/// All shaders of tests/data that end with their last byte.
const std::vector<Planted>& samples() {
  static const std::vector<Planted> all = [] {
    std::vector<Planted> found;
    for (const auto& path : files_below(source_dir() / "tests/data", "")) {
      Bytes bytes = read_bytes(path);
      if (shader::open(view_of(bytes))) found.push_back({path.lexically_relative(source_dir() / "tests/data").string(), std::move(bytes)});
    }
    return found;
  }();
  return all;
}

std::vector<find::Hit> hits_of(View bytes) {
  find::Carved carved = find::carve(bytes, bytes.size(), true);
  EXPECT_TRUE(carved.unfinished.empty());
  find::nest(carved.hits);
  return carved.hits;
}

/// Those that lie in no other.
std::vector<find::Hit> outer_hits(View bytes) {
  auto hits = hits_of(bytes);
  std::erase_if(hits, [](const find::Hit& hit) { return hit.parent.has_value(); });
  return hits;
}

Bytes random_bytes(std::size_t size, std::mt19937& random) {
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

void append(Bytes& to, const Bytes& bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

TEST(Carve, FindsEachSampleInItself) {
  ASSERT_GT(samples().size(), 40U);
  for (const Planted& sample : samples()) {
    const auto hits = outer_hits(view_of(sample.bytes));
    ASSERT_EQ(hits.size(), 1U) << sample.name;
    EXPECT_EQ(hits[0].offset, 0U) << sample.name;
    EXPECT_EQ(hits[0].size, sample.bytes.size()) << sample.name;
    EXPECT_EQ(hits[0].family, shader::identify(view_of(sample.bytes))) << sample.name;
  }
}

// At any offset, between random bytes, all in one file.
TEST(Carve, FindsSamplesAmongRandomBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 5; ++round) {
    std::vector<Planted> order = samples();
    std::shuffle(order.begin(), order.end(), random);
    Bytes file;
    std::map<std::uint64_t, const Planted*> places;
    for (const Planted& sample : order) {
      append(file, random_bytes(random() % 700, random));
      places.emplace(file.size(), &sample);
      append(file, sample.bytes);
    }
    append(file, random_bytes(100, random));
    const auto hits = outer_hits(view_of(file));
    EXPECT_EQ(hits.size(), places.size());
    for (const find::Hit& hit : hits) {
      ASSERT_TRUE(places.contains(hit.offset)) << hit.offset << ' ' << id(hit.form);
      EXPECT_EQ(hit.size, places[hit.offset]->bytes.size()) << places[hit.offset]->name;
      EXPECT_NE(hit.certainty, find::Certainty::possible) << places[hit.offset]->name;
    }
  }
}

// Without anything between them.
TEST(Carve, FindsSamplesSideBySide) {
  Bytes file;
  std::vector<std::uint64_t> offsets;
  for (const Planted& sample : samples()) {
    offsets.push_back(file.size());
    append(file, sample.bytes);
  }
  std::vector<std::uint64_t> found;
  for (const find::Hit& hit : outer_hits(view_of(file))) found.push_back(hit.offset);
  EXPECT_EQ(found, offsets);
}

// Whatever the pieces that a file is searched in.
TEST(Carve, FindsTheSamePieceByPiece) {
  std::mt19937 random(4);
  Bytes file;
  for (const Planted& sample : samples()) {
    append(file, random_bytes(random() % 300, random));
    append(file, sample.bytes);
  }
  const auto whole = hits_of(view_of(file));
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{4096}, std::size_t{50000}}) {
    std::vector<find::Hit> hits;
    for (std::size_t at = 0; at < file.size(); at += bytes) {
      const View piece = view_of(file).clamped(at, bytes + 100);
      const find::Carved carved = find::carve(piece, bytes, at + piece.size() >= file.size());
      hits.insert(hits.end(), carved.hits.begin(), carved.hits.end());
      for (const find::Unfinished& begun : carved.unfinished) {
        const std::size_t needed = begun.needs != 0 ? begun.needs + 1 : file.size();
        const View more = view_of(file).clamped(static_cast<std::size_t>(begun.offset), needed);
        const find::Carved rest = find::carve(more, 1, begun.offset + more.size() >= file.size());
        EXPECT_TRUE(rest.unfinished.empty());
        hits.insert(hits.end(), rest.hits.begin(), rest.hits.end());
      }
    }
    find::nest(hits);
    ASSERT_EQ(hits.size(), whole.size()) << bytes;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(hits[i].offset, whole[i].offset);
      EXPECT_EQ(hits[i].size, whole[i].size);
      EXPECT_EQ(hits[i].parent, whole[i].parent);
    }
  }
}

TEST(Carve, FindsNothingInOtherBytes) {
  std::mt19937 random(5);
  EXPECT_TRUE(hits_of(view_of(random_bytes(1 << 20, random))).empty());
  // sources, listings, documents
  for (const char* ending : {".md", ".hlsl", ".ll", ".spvasm", ".pica", ".yaml"})
    for (const auto& path : files_below(source_dir() / "tests/data", ending))
      EXPECT_TRUE(hits_of(view_of(read_bytes(path))).empty()) << path;
}

// Files made so that each magic number leads far. Shaders behind them are found in bounded time, or not at all.
void append_words(Bytes& bytes, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words)
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(word >> (8 * i)));
}

/// In digests of 8 MiB; a search without a bound takes thousands.
double cost_of(const Bytes& bytes) {
  const double start = processor_seconds();
  find::Carved carved = find::carve(view_of(bytes), bytes.size(), true);
  find::nest(carved.hits);
  return (processor_seconds() - start) / digest_seconds();
}

constexpr std::size_t kCostlyBytes = std::size_t{1} << 20;
/// Several times what each takes beside other work.
constexpr double kMostDigests = 400;

TEST(CarveCost, ContainersInContainers) {
  for (const std::uint32_t digest : {0U, 0x1234'5678U}) {
    Bytes file;
    while (file.size() < kCostlyBytes)
      append_words(file, {0x4342'5844, digest, 0, 0, 0, 1, static_cast<std::uint32_t>(kCostlyBytes - file.size()), 0});
    EXPECT_LT(cost_of(file), kMostDigests) << digest;
  }
}

TEST(CarveCost, ModulesInLiterals) {
  Bytes file;
  append_words(file, {0x0723'0203, 0x0001'0000, 0, 100, 0, 0x0003'000e, 0, 1});
  constexpr std::uint32_t kModules = 4000;
  // OpString whose text holds modules, each with an OpString up to the end of it
  append_words(file, {(2 + 7 * kModules) << 16 | 7, 1});
  for (std::uint32_t i = 0; i < kModules; ++i)
    append_words(file, {0x0723'0203, 0x0001'0000, 0, 100, 0, (2 + 7 * (kModules - 1 - i)) << 16 | 7, 1});
  while (file.size() < kCostlyBytes) append_words(file, {0x0001'0000});  // OpNop
  EXPECT_LT(cost_of(file), kMostDigests);
}

TEST(CarveCost, InstructionsThatDoNotFit) {
  Bytes file;
  constexpr std::uint32_t kModules = 7000;
  // OpTypeStruct of all that follows, in which an id is above the bound
  for (std::uint32_t i = 0; i < kModules; ++i)
    append_words(file, {0x0723'0203, 0x0001'0000, 1, 0x0f00'0000, 0, 0x0003'000e, 1, 1, (2 + 10 * (kModules - 1 - i)) << 16 | 30, 1});
  while (file.size() < kCostlyBytes) append_words(file, {0x0001'0000});  // OpNop
  EXPECT_LT(cost_of(file), kMostDigests);
}

TEST(CarveCost, BitcodeInBlocks) {
  Bytes file;
  constexpr std::uint32_t kStreams = 4000;
  append_words(file, {0xdec0'4342, 0x0000'0021, 3 * kStreams});
  for (std::uint32_t i = 0; i < kStreams; ++i) append_words(file, {0xdec0'4342, 0x0000'0021, 3 * (kStreams - 1 - i)});
  while (file.size() < kCostlyBytes) append_words(file, {0x0000'0021, 0});
  EXPECT_LT(cost_of(file), kMostDigests);
}

TEST(CarveCost, HeadersOfVbc) {
  Bytes file;
  while (file.size() < kCostlyBytes) append_words(file, {0x0143'4256, 0x0001'0001, 0x0723'0203});
  EXPECT_LT(cost_of(file), kMostDigests);
}

// What follows a module without functions does not belong to it because it begins with a known opcode.
TEST(Carve, EndsAModuleBeforeWhatDoesNotFit) {
  Bytes module;
  append_words(module, {0x0723'0203, 0x0001'0000, 0, 9, 0, 0x0002'0011, 1, 0x0003'000e, 0, 1});
  const std::initializer_list<std::uint32_t> followers[] = {
      {0x0003'0011, 1, 1},            // OpCapability with an operand too many
      {0x0001'0011},                  // without any
      {0x0003'000a, 0x0044, 0x0044},  // OpExtension whose text ends before it
      {0x0003'0005, 9, 0x0044},       // OpName of an id that is not below the bound
      {0x0004'001e, 1, 2, 0},         // OpTypeStruct with a member of id 0
      {0x0004'001e, 1, 2, 0x44},      // with one above the bound
      {0x0004'0047, 0, 30, 1},        // OpDecorate of the id 0
      {0x0002'0011, 1},               // OpCapability after the memory model
  };
  for (const auto& follower : followers) {
    Bytes file = module;
    append_words(file, follower);
    append_words(file, {0x0001'0000, 0});
    const auto hits = outer_hits(view_of(file));
    ASSERT_EQ(hits.size(), 1U);
    EXPECT_EQ(hits[0].size, module.size()) << *follower.begin();
  }
  append_words(module, {0x0004'0047, 1, 30, 1, 0x0004'001e, 1, 2, 3});  // which fit
  EXPECT_EQ(outer_hits(view_of(module)).at(0).size, module.size());
}

TEST(Carve, LeavesOutWhatIsCutOff) {
  for (const Planted& sample : samples()) {
    const Bytes cut(sample.bytes.begin(), sample.bytes.end() - 8);
    for (const find::Hit& hit : outer_hits(view_of(cut))) EXPECT_NE(hit.offset, 0U) << sample.name;
  }
}

TEST(Carve, SaysHowSureItIs) {
  Bytes bytes = sample("lit_vs_4_0.dxbc");
  EXPECT_EQ(outer_hits(view_of(bytes)).at(0).certainty, find::Certainty::certain);
  bytes[4] ^= std::byte{1};  // the digest
  EXPECT_EQ(outer_hits(view_of(bytes)).at(0).certainty, find::Certainty::possible);
  std::fill_n(bytes.begin() + 4, 16, std::byte{0});
  EXPECT_EQ(outer_hits(view_of(bytes)).at(0).certainty, find::Certainty::likely);
  bytes[4] = std::byte{1};
  bytes[32] ^= std::byte{4};  // where the first part is
  EXPECT_TRUE(outer_hits(view_of(bytes)).empty());
}

// Stages of a VBC are its children; bitcode in a container is none.
TEST(Carve, NestsWhatLiesInOthers) {
  const Bytes vbc = read_bytes(source_dir() / "tests/data/vbc/textured.vbc");
  auto hits = hits_of(view_of(vbc));
  ASSERT_EQ(hits.size(), 3U);
  EXPECT_EQ(hits[0].form, find::Form::vbc);
  EXPECT_FALSE(hits[0].parent);
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    EXPECT_EQ(hits[i].form, find::Form::spirv);
    EXPECT_EQ(hits[i].parent, 0U);
  }
  EXPECT_EQ(hits[1].offset, 0xacU);
  EXPECT_EQ(hits[1].size, 3028U);
  EXPECT_EQ(hits_of(view_of(read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil"))).size(), 1U);
  hits = hits_of(view_of(read_bytes(source_dir() / "tests/data/dxil/control_ps_6_6_zi.pdb")));
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_EQ(hits[0].form, find::Form::database);
  EXPECT_EQ(hits[1].form, find::Form::container);
}

TEST(Carve, DropsWhatOverlaps) {
  using find::Certainty;
  using find::Form;
  const auto hit = [](std::uint64_t offset, std::uint64_t size, Form form, Certainty certainty) {
    return find::Hit{offset, size, form, shader::Family::dxbc, certainty, std::nullopt};
  };
  std::vector<find::Hit> hits = {hit(50, 60, Form::container, Certainty::certain), hit(0, 100, Form::container, Certainty::certain),
                                 hit(10, 20, Form::spirv, Certainty::likely),      hit(12, 4, Form::spirv, Certainty::certain),
                                 hit(40, 10, Form::shbin, Certainty::possible),    hit(60, 10, Form::bitcode, Certainty::certain),
                                 hit(100, 5, Form::bitcode, Certainty::certain)};
  find::nest(hits);
  ASSERT_EQ(hits.size(), 3U);
  EXPECT_EQ(hits[0].offset, 0U);
  EXPECT_EQ(hits[1].offset, 10U);
  EXPECT_EQ(hits[1].parent, 0U);
  EXPECT_EQ(hits[2].offset, 100U);
  EXPECT_FALSE(hits[2].parent);
}

}  // namespace

}  // namespace unshade::test
