// The verb scan on shader caches of Citra and Azahar, which are written here after docs/reference/formats/azahar.md.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include <unshade/pica/memory.hpp>
#include <unshade/pica/shbin.hpp>

#include <unshade/unpack/search.hpp>
#include "fuzz/properties.hpp"
#include "support/files.hpp"
#include "support/made_files.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <zstd.h>
#endif

namespace unshade::test {

namespace {

void append(Bytes& bytes, const Bytes& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }
void append_number(Bytes& bytes, std::uint64_t value, unsigned size) { append(bytes, Made().little(value, size).bytes); }

pica::Shbin skin() {
  const auto bytes = read_bytes(source_dir() / "tests/data/pica/skin.v.shbin");
  auto shbin = pica::parse_shbin(view_of(bytes));
  EXPECT_TRUE(shbin);
  return std::move(*shbin);
}

/// The program in memories that had a longer one before.
void append_memories(Bytes& bytes, const pica::Program& program) {
  for (std::size_t i = 0; i < pica::kMemoryWords; ++i) append_number(bytes, i < program.code.size() ? program.code[i] : 0x1234'5678, 4);
  for (std::size_t i = 0; i < pica::kMemoryWords; ++i)
    append_number(bytes, i < program.descriptors.size() ? program.descriptors[i].bits : 9, 4);
}

constexpr std::array<std::uint32_t, 4> kMaps = {0x03020100, 0x0b0a0908, 0x1f100d0c, 0x1f141312};

// ---- OpenGL ----

enum class CacheStage : std::uint32_t { vertex, fragment, geometry };

void append_entry(Bytes& file, CacheStage stage, std::uint64_t id) {
  const pica::Shbin shbin = skin();
  const pica::Executable& executable = shbin.executables.front();
  append_number(file, 0, 4);
  append_number(file, id, 8);
  append_number(file, static_cast<std::uint32_t>(stage), 4);
  append_number(file, 0x300, 8);
  for (std::uint32_t i = 0; i < 0x300; ++i) {
    std::uint32_t value = 0x7fff'0000;
    if (i == 0x4f) value = static_cast<std::uint32_t>(kMaps.size());
    if (i >= 0x50 && i - 0x50 < kMaps.size()) value = kMaps[i - 0x50];
    if (i == 0x2ba) value |= executable.entry_words;
    if (i == 0x2bd) value = executable.output_mask;
    append_number(file, value, 4);
  }
  if (stage != CacheStage::vertex) return;
  append_number(file, 2 * pica::kMemoryWords, 8);
  append_memories(file, shbin.program);
}

Bytes opengl_cache() {
  Bytes file;
  append_number(file, 1, 4);
  append_entry(file, CacheStage::fragment, 1);
  append_entry(file, CacheStage::vertex, 2);
  append_entry(file, CacheStage::geometry, 3);
  append_entry(file, CacheStage::vertex, 4);
  return file;
}

/// What is made of a memory is the program of the sample, without what memories do not hold.
void expect_skin(const FoundShader& found) {
  EXPECT_EQ(found.hit.family, shader::Family::pica);
  EXPECT_EQ(found.hit.certainty, find::Certainty::certain);
  EXPECT_EQ(found.hit.offset, 0U);
  const pica::Shbin shbin = skin();
  // DVLB, DVLP with code and descriptors, DVLE with five outputs
  EXPECT_EQ(found.hit.size, 12 + 0x28 + 4 * shbin.program.code.size() + 8 * shbin.program.descriptors.size() + 0x40 + 8 * 5);
}

TEST(ScanAzahar, MakesShbinsOfTheProgramsOfOpenGL) {
  Search search;
  search.ids = {"code"};
  const Bytes file = opengl_cache();
  const SearchedFile found = search_bytes("0004000000030800.bin", view_of(file), search);
  EXPECT_TRUE(found.faults.empty());
  ASSERT_EQ(found.shaders.size(), 2U);
  constexpr std::size_t kConfiguration = 24 + 0x300 * 4;
  const std::array<std::size_t, 2> places = {4 + 2 * kConfiguration + 8, 4 + 4 * kConfiguration + 2 * 8 + 0x8000};
  for (std::size_t i = 0; i < places.size(); ++i) {
    expect_skin(found.shaders[i]);
    ASSERT_EQ(found.shaders[i].layers->size(), 1U);
    Text place;
    (place << "vertex_0x").hex(places[i], 8);
    EXPECT_EQ(found.shaders[i].layers->back().member, place.view());
    EXPECT_EQ(found.shaders[i].layers->back().form, "azahar");
  }
  Search plain;
  plain.unpack = false;
  EXPECT_TRUE(search_bytes("x.bin", view_of(file), plain).shaders.empty());
}

TEST(ScanAzahar, TellsWhereACacheIsDamaged) {
  const Bytes whole = opengl_cache();
  constexpr std::size_t kConfiguration = 24 + 0x300 * 4;
  const std::size_t second = 4 + kConfiguration;
  struct Damage {
    std::size_t at;
    std::uint64_t value;
    unsigned size;
    ErrorCode code;
  };
  for (const Damage& damage :
       {Damage{second, 7, 4, ErrorCode::bad_value}, Damage{second + 12, 3, 4, ErrorCode::bad_value},
        Damage{second + 16, 0x301, 8, ErrorCode::bad_value}, Damage{second + kConfiguration, 8191, 8, ErrorCode::bad_value},
        Damage{second + 24 + 0x2ba * 4, 4096, 4, ErrorCode::out_of_range}}) {
    Bytes file = whole;
    Bytes value;
    append_number(value, damage.value, damage.size);
    std::copy(value.begin(), value.end(), file.begin() + static_cast<std::ptrdiff_t>(damage.at));
    const SearchedFile found = search_bytes("x.bin", view_of(file), {});
    ASSERT_EQ(found.faults.size(), 1U) << damage.at;
    EXPECT_EQ(found.faults[0].error.code, damage.code) << damage.at;
    EXPECT_EQ(found.faults[0].error.offset, second) << damage.at;
  }
  for (const std::size_t size : {second + 10, second + kConfiguration, whole.size() - 1}) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const SearchedFile found = search_bytes("x.bin", view_of(cut), {});
    ASSERT_EQ(found.faults.size(), 1U) << size;
    EXPECT_EQ(found.faults[0].error.code, ErrorCode::truncated) << size;
    EXPECT_EQ(found.shaders.size(), size == whole.size() - 1 ? 1U : 0U);
  }
}

#if defined(UNSHADE_HAS_ARCHIVES)

// ---- Vulkan ----

enum class CacheEntry : std::uint16_t { file_info, vertex_config, vertex_program, vertex_spirv, fragment_config, fragment_spirv };

Bytes entry_of(CacheEntry type, std::uint64_t id, const Bytes& content, bool is_packed = true) {
  Bytes stored = content;
  if (is_packed) {
    stored.resize(ZSTD_compressBound(content.size()));
    stored.resize(ZSTD_compress(stored.data(), stored.size(), content.data(), content.size(), 3));
  }
  const std::size_t size = stored.size() + 32;
  Bytes entry;
  append_number(entry, 0x42, 1);
  append_number(entry, is_packed ? 1 : 0, 1);
  append_number(entry, static_cast<std::uint16_t>(type), 2);
  append_number(entry, size, 4);
  append_number(entry, id, 8);
  append(entry, stored);
  append_number(entry, 0x24, 4);
  append_number(entry, size, 4);
  append_number(entry, 0, 8);
  return entry;
}

Bytes file_info() {
  Bytes info;
  append_number(info, 0x48434b56, 4);
  info.resize(1144);
  return info;
}

Bytes configuration(std::uint64_t program, std::uint32_t entry_words, std::uint16_t outputs) {
  Bytes config(8);
  append_number(config, program, 8);
  append_number(config, 0, 8);
  append_number(config, 1, 8);
  append(config, Bytes(16));
  append_number(config, entry_words, 4);
  append_number(config, kMaps.size(), 4);
  for (unsigned i = 0, next = 0; i < 16; ++i) append_number(config, (outputs >> i & 1) != 0 ? next++ : 16, 4);
  config.resize(180);
  append_number(config, kMaps.size(), 4);
  for (const std::uint32_t map : kMaps) append_number(config, map, 4);
  config.resize(216);
  return config;
}

Bytes program_content() {
  const pica::Shbin shbin = skin();
  Bytes content(8);
  append_number(content, shbin.program.code.size(), 4);
  append_number(content, shbin.program.descriptors.size(), 4);
  append_memories(content, shbin.program);
  return content;
}

constexpr std::uint64_t kProgramId = 0x0123'4567'89ab'cdef;

std::vector<Bytes> vulkan_entries() {
  const pica::Shbin shbin = skin();
  const pica::Executable& executable = shbin.executables.front();
  const Bytes module = read_bytes(source_dir() / "tests/data/spirv/odd.spv");
  const Bytes config = configuration(kProgramId, executable.entry_words, executable.output_mask);
  return {entry_of(CacheEntry::file_info, 0, file_info(), false),
          entry_of(CacheEntry::vertex_spirv, 7, module),
          entry_of(CacheEntry::vertex_program, kProgramId, program_content()),
          entry_of(CacheEntry::vertex_config, 8, config),
          entry_of(CacheEntry::vertex_config, 9, config),
          entry_of(CacheEntry::fragment_spirv, 10, module, false)};
}

Bytes joined(const std::vector<Bytes>& entries) {
  Bytes file;
  for (const Bytes& entry : entries) append(file, entry);
  return file;
}

TEST(ScanAzahar, FindsProgramsAndModulesOfVulkan) {
  const auto entries = vulkan_entries();
  const SearchedFile found = search_bytes("0004000000030800_vs.vkch", view_of(joined(entries)), {});
  EXPECT_TRUE(found.faults.empty());
  ASSERT_EQ(found.shaders.size(), 3U);
  EXPECT_EQ(found.shaders[0].hit.family, shader::Family::spirv);
  expect_skin(found.shaders[1]);
  EXPECT_EQ(found.shaders[2].hit.family, shader::Family::spirv);
  const std::size_t program = entries[0].size() + entries[1].size() + 16;
  Text place;
  (place << "vertex_0x").hex(program, 8);
  EXPECT_EQ(found.shaders[1].layers->back().member, place.view());
  EXPECT_EQ(found.shaders[1].layers->back().form, "zstd");
  EXPECT_EQ(found.shaders[2].layers->back().form, "vkch");
}

TEST(ScanAzahar, GivesAProgramAnExecutableForEachEntryPoint) {
  auto entries = vulkan_entries();
  entries[4] = entry_of(CacheEntry::vertex_config, 9, configuration(kProgramId, 0, 1));
  Search search;
  std::size_t executables = 0;
  search.examine = [&](View bytes) -> std::shared_ptr<const void> {
    if (const auto shbin = pica::parse_shbin(bytes)) executables = shbin->executables.size();
    return nullptr;
  };
  EXPECT_EQ(search_bytes("x.vkch", view_of(joined(entries)), search).shaders.size(), 3U);
  EXPECT_EQ(executables, 2U);
}

TEST(ScanAzahar, TellsWhereACacheOfVulkanIsDamaged) {
  const auto whole = vulkan_entries();
  const std::size_t program = whole[0].size() + whole[1].size();
  struct Damage {
    std::size_t entry;
    Bytes replacement;
    ErrorCode code;
    std::size_t shaders;
  };
  Bytes wrong_version = whole[2];
  wrong_version[0] = std::byte{0x43};
  Bytes wrong_foot = whole[2];
  wrong_foot[wrong_foot.size() - 12] ^= std::byte{1};
  Bytes wrong_type = whole[2];
  wrong_type[2] = std::byte{9};
  Bytes too_large = whole[2];
  too_large[6] = std::byte{0x40};
  Bytes not_packed = whole[2];
  not_packed[20] ^= std::byte{0xff};
  Bytes layout = program_content();
  layout[0] = std::byte{1};
  for (const Damage& damage : {Damage{2, wrong_version, ErrorCode::bad_value, 1}, Damage{2, wrong_foot, ErrorCode::bad_value, 2},
                               Damage{2, wrong_type, ErrorCode::bad_value, 1}, Damage{2, too_large, ErrorCode::bad_value, 1},
                               Damage{2, not_packed, ErrorCode::bad_value, 2},
                               Damage{2, entry_of(CacheEntry::vertex_program, kProgramId, layout), ErrorCode::unsupported, 2},
                               Damage{2, entry_of(CacheEntry::vertex_program, 1, program_content()), ErrorCode::bad_value, 2}}) {
    auto entries = whole;
    entries[damage.entry] = damage.replacement;
    const SearchedFile found = search_bytes("x.vkch", view_of(joined(entries)), {});
    ASSERT_EQ(found.faults.size(), 1U) << damage.entry;
    EXPECT_EQ(found.faults[0].error.code, damage.code) << found.faults[0].error.message;
    EXPECT_EQ(found.faults[0].error.offset, program);
    std::size_t unpacked = 0;
    for (const FoundShader& shader : found.shaders) unpacked += shader.layers != nullptr ? 1 : 0;
    EXPECT_EQ(unpacked, damage.shaders) << found.faults[0].error.message;
  }
  const Bytes file = joined(whole);
  for (std::size_t size = 0; size < file.size(); size += 61) {
    const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    for (const auto& fault : search_bytes("cut", view_of(cut), {}).faults) EXPECT_LE(fault.error.offset, size);
  }
}

TEST(ScanAzahar, ChangedBytesAreHarmless) {
  for (const Bytes& whole : {opengl_cache(), joined(vulkan_entries())}) {
    for (std::size_t i = 0; i < 60; ++i) {
      Bytes file = whole;
      file[(i * 7919) % std::min<std::size_t>(file.size(), 6000)] ^= static_cast<std::byte>(1U << i % 8);
      EXPECT_EQ(fuzz::unpacking(view_of(file)), "");
    }
  }
}

#endif

}  // namespace

}  // namespace unshade::test
