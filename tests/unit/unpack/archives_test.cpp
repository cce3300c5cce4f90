// The verb scan on archives, compressed files and streams in other bytes.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <unshade/unpack/archive.hpp>
#include <unshade/unpack/packings.hpp>
#include "fuzz/properties.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/made_files.hpp"
#include "support/packed_files.hpp"
#include "support/system.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4frame.h>
#include <lzma.h>
#include <zdict.h>
#include <zstd.h>
#endif

namespace unshade::test {

namespace {

SearchedFile search_with_streams(const Bytes& bytes) {
  Search search;
  search.streams = true;
  return search_bytes("file", view_of(bytes), search);
}

TEST(ScanStreams, FindsWhatIsDeflatedAmongOtherBytes) {
  const Bytes shader = sample("lit_vs_4_0.dxbc");
  const Bytes file = Made{random_bytes(1000)}.add(zlib_of(shader)).add(random_bytes(77)).bytes;
  const SearchedFile found = search_with_streams(file);
  ASSERT_EQ(found.shaders.size(), 1U);
  const FoundShader& first = found.shaders.front();
  EXPECT_EQ(first.hit.offset, 0U);
  EXPECT_EQ(first.hit.size, shader.size());
  ASSERT_NE(first.layers, nullptr);
  EXPECT_EQ(first.layers->front().form, "zlib");
  EXPECT_EQ(first.layers->front().offset, std::optional<std::uint64_t>(1000));
  EXPECT_TRUE(search_bytes("file", view_of(file), {}).shaders.empty());
}

TEST(ScanStreams, CountOnlyIfTheyAreWhole) {
  const Bytes packed = zlib_of(sample("lit_vs_4_0.dxbc"));
  EXPECT_EQ(search_with_streams(packed).shaders.size(), 1U);
  Bytes cut = packed;
  cut.pop_back();
  EXPECT_TRUE(search_with_streams(cut).shaders.empty());
  Bytes wrong = packed;
  wrong.back() ^= std::byte{1};
  EXPECT_TRUE(search_with_streams(wrong).shaders.empty());
}

TEST(ScanStreams, LieInEachOther) {
  Bytes file = zlib_of(sample("lit_vs_4_0.dxbc"));
  for (int depth = 0; depth < 3; ++depth) file = zlib_of(file);
  const SearchedFile found = search_with_streams(file);
  ASSERT_EQ(found.shaders.size(), 1U);
  EXPECT_EQ(found.shaders.front().layers->size(), 4U);
  for (int depth = 0; depth < 5; ++depth) file = zlib_of(file);
  EXPECT_TRUE(search_with_streams(file).shaders.empty());
}

// 30 MiB of zeros in 30 KiB: more than the budget of the file.
TEST(ScanStreams, ThatUnpackToNoEndAreGivenUp) {
  const SearchedFile found = search_with_streams(zlib_of(Bytes(std::size_t{30} << 20)));
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_EQ(found.faults.front().error.code, ErrorCode::limit);
}

// A file of gzip has the content of all its streams; each has a checksum and a size.
TEST(ScanGzip, ComparesChecksums) {
  const Bytes shader = sample("lit_vs_4_0.dxbc");
  const Bytes whole = Made{gzip_of(Bytes(10))}.add(gzip_of(shader)).bytes;
  const SearchedFile found = search_bytes("file", view_of(whole), {});
  ASSERT_EQ(found.shaders.size(), 1U);
  EXPECT_EQ(found.shaders[0].hit.offset, 10U);
  EXPECT_TRUE(found.faults.empty());
  const std::size_t first = gzip_of(Bytes(10)).size();
  for (const std::size_t at : {first - 8, first - 4, whole.size() - 8, whole.size() - 1}) {
    Bytes wrong = whole;
    wrong[at] ^= std::byte{1};
    const SearchedFile damaged = search_bytes("file", view_of(wrong), {});
    ASSERT_EQ(damaged.faults.size(), 1U) << at;
    EXPECT_EQ(damaged.faults[0].error.code, ErrorCode::bad_value) << at;
    const std::size_t end = at < first ? first : whole.size();
    EXPECT_EQ(damaged.faults[0].error.offset, end - at > 4 ? end - 4 : end) << at;  // behind the field
  }
  for (const std::size_t size : {first - 1, first + 5, whole.size() - 1}) {
    const SearchedFile cut = search_bytes("file", view_of(whole).clamped(0, size), {});
    ASSERT_EQ(cut.faults.size(), 1U) << size;
    EXPECT_EQ(cut.faults[0].error.code, ErrorCode::truncated) << size;
  }
}

#if defined(UNSHADE_HAS_ARCHIVES)

struct Case {
  const char* file;
  const char* form;
};
constexpr Case kCases[] = {{"members.zip", "zip"},        {"members.7z", "7zip"},     {"members.tar", "tar"},
                           {"members.tar.gz", "tar"},     {"members.tar.bz2", "tar"}, {"members.tar.xz", "tar"},
                           {"members.tar.zst", "tar"},    {"members.tar.lz4", "tar"}, {"members.tar.lz", "tar"},
                           {"members.iso.gz", "iso9660"}, {"members.cpio", "cpio"},   {"members.a", "ar"},
                           {"mixed.tar.lz4", "tar"}};

void expect_members(const SearchedFile& found, const Case& row) {
  ASSERT_EQ(found.shaders.size(), 2U) << row.file;
  std::vector<std::string> names;
  for (const FoundShader& shader : found.shaders) {
    ASSERT_NE(shader.layers, nullptr) << row.file;
    EXPECT_EQ(shader.layers->back().form, row.form);
    EXPECT_EQ(shader.hit.offset, 0U);
    std::string name = shader.layers->back().member;
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    names.push_back(name.substr(0, name.find(';')));
    EXPECT_EQ(shader.hit.size, names.back() == "lit.cso" ? sample("lit_vs_4_0.dxbc").size() : sample("textured_ps_5_0.dxbc").size())
        << row.file;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"last.cso", "lit.cso"})) << row.file;
  EXPECT_TRUE(found.faults.empty()) << row.file << ": " << found.faults.front().error.message;
}

TEST(ScanArchives, FindMembersOfEachForm) {
  for (const Case& row : kCases) {
    const Bytes file = archive_named(row.file);
    ASSERT_NE(unpack::packing_of(view_of(file)), nullptr) << row.file;
    expect_members(search_bytes("file", view_of(file), {}), row);
  }
}

TEST(ScanArchives, LieInEachOther) {
  for (const Case& row : kCases) {
    const Bytes outer = zip_of("in", archive_named(row.file));
    const SearchedFile found = search_bytes("file", view_of(outer), {});
    expect_members(found, row);
    ASSERT_FALSE(found.shaders.empty());
    EXPECT_EQ(found.shaders.front().layers->front().member, "in");
  }
}

TEST(ScanArchives, AreOpenedSoDeep) {
  Bytes file = sample("lit_vs_4_0.dxbc");
  for (int depth = 0; depth < 6; ++depth) file = zip_of("in", file);
  EXPECT_EQ(search_bytes("file", view_of(file), {}).shaders.size(), 1U);
  for (int depth = 0; depth < 3; ++depth) file = zip_of("in", file);
  const SearchedFile found = search_bytes("file", view_of(file), {});
  EXPECT_TRUE(found.shaders.empty());
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_EQ(found.faults.front().error.code, ErrorCode::limit);
  EXPECT_EQ(found.faults.front().layers.size(), 6U);
}

TEST(ScanArchives, ThatUnpackToNoEndAreGivenUp) {
  const Bytes file = zip_of("zeros", Bytes(std::size_t{30} << 20));
  const SearchedFile found = search_bytes("file", view_of(file), {});
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_EQ(found.faults.front().error.code, ErrorCode::limit);
  EXPECT_EQ(found.faults.front().error.path, "zeros");
}

// Damage is told with its place, and the file is searched as it is too: what is stored is found.
TEST(ScanArchives, ThatAreDamagedAreToldAndSearchedAsTheyAre) {
  Bytes file = archive_named("members.tar");
  const std::vector<std::byte> shader = sample("lit_vs_4_0.dxbc");
  const auto at = std::search(file.begin(), file.end(), shader.begin(), shader.end());
  ASSERT_NE(at, file.end());
  *(at - 512 + 150) ^= std::byte{1};  // the checksum of its header
  const SearchedFile found = search_bytes("file", view_of(file), {});
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_EQ(found.faults.front().error.code, ErrorCode::bad_value);
  EXPECT_GT(found.faults.front().error.offset, 0U);
  EXPECT_EQ(std::count_if(found.shaders.begin(), found.shaders.end(), [](const FoundShader& one) { return one.layers == nullptr; }), 2);
}

TEST(ScanArchives, ThatAreEncryptedAreToldSo) {
  Bytes file = zip_of("secret", sample("lit_vs_4_0.dxbc"));
  for (std::size_t at = 0; at + 4 <= file.size(); ++at) {
    const auto begins = [&](std::uint8_t third, std::uint8_t last) {
      return file[at] == std::byte{'P'} && file[at + 1] == std::byte{'K'} && file[at + 2] == std::byte{third} &&
             file[at + 3] == std::byte{last};
    };
    if (begins(3, 4)) file[at + 6] |= std::byte{1};  // the flags of the member, and those of the directory
    if (begins(1, 2)) file[at + 8] |= std::byte{1};
  }
  const SearchedFile found = search_bytes("file", view_of(file), {});
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_EQ(found.faults.front().error.code, ErrorCode::unsupported);
  EXPECT_EQ(found.faults.front().error.path, "secret");
  EXPECT_EQ(found.faults.front().error.message, "the member is encrypted");
}

// However many members are damaged, those behind them are searched, and all are counted.
TEST(ScanArchives, AreSearchedBehindDamagedMembers) {
  Made file;
  for (int i = 0; i < 12; ++i) {
    Bytes damaged = zip_of("bad" + std::to_string(i), sample("lit_vs_4_0.dxbc"));
    const std::size_t end = damaged.size() - 22 - 46 - (i < 10 ? 4 : 5);  // the directory's two records
    damaged.resize(end);
    damaged[14] ^= std::byte{1};  // the checksum
    file.add(damaged);
  }
  file.add(zip_of("good", sample("textured_ps_5_0.dxbc")));
  const Bytes outer = zip_of("in", file.bytes);  // where it is read without its directory
  const SearchedFile found = search_bytes("file", view_of(outer), {});
  ASSERT_EQ(found.faults.size(), 9U);
  EXPECT_EQ(found.faults[0].error.path, "bad0");
  EXPECT_EQ(found.faults[7].error.path, "bad7");
  EXPECT_EQ(found.faults[8].error.code, ErrorCode::limit);
  EXPECT_EQ(found.faults[8].error.message.substr(0, 13), "4 more errors");
  EXPECT_EQ(std::count_if(found.shaders.begin(), found.shaders.end(),
                          [](const FoundShader& one) { return one.layers != nullptr && one.layers->back().member == "good"; }),
            1);
}

// libarchive takes two blocks of zeros for an empty tar.
TEST(ScanArchives, ContentsThatBeginWithZerosAreSearched) {
  const Bytes shader = sample("textured_ps_5_0.dxbc");
  for (const std::size_t zeros : {std::size_t{511}, std::size_t{512}, std::size_t{1024}, std::size_t{100'000}}) {
    const Bytes content = Made{Bytes(zeros)}.add(shader).bytes;
    Bytes zstd(200'000);
    zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), content.data(), content.size(), 3));
    for (const Bytes& file : {gzip_of(content), zstd}) {
      const SearchedFile found = search_bytes("file", view_of(file), {});
      ASSERT_EQ(found.shaders.size(), 1U) << zeros;
      EXPECT_EQ(found.shaders[0].hit.offset, zeros);
      ASSERT_NE(found.shaders[0].layers, nullptr);
      EXPECT_TRUE(found.faults.empty());
    }
  }
}

// Bytes behind the end of an archive, and streams among them, are searched; at the end of a file and in another archive.
TEST(ScanArchives, WhatLiesBehindTheirEndIsSearched) {
  const Bytes shader = sample("textured_ps_5_0.dxbc");
  for (const char* name : {"members.zip", "members.tar", "members.tar.gz", "members.tar.bz2", "members.tar.lz4", "mixed.tar.lz4",
                           "members.tar.lz", "members.tar.xz", "members.tar.zst", "members.cpio"}) {
    const Bytes archive = archive_named(name);
    const Bytes whole = Made{archive}.add(Bytes(64)).add(shader).add(gzip_of(shader)).bytes;
    for (const bool nested : {false, true}) {
      const Bytes file = nested ? zip_of("in", whole) : whole;
      const SearchedFile found = search_bytes("file", view_of(file), {});
      EXPECT_TRUE(found.faults.empty()) << name;
      ASSERT_EQ(found.shaders.size(), 4U) << name;
      std::size_t plain = 0;
      std::size_t packed = 0;
      for (const FoundShader& one : found.shaders) {
        const std::size_t layers = one.layers == nullptr ? 0 : one.layers->size();
        if (layers == (nested ? 1 : 0) && one.hit.offset == archive.size() + 64) ++plain;
        if (layers == (nested ? 2 : 1) && one.layers->back().offset == archive.size() + 64 + shader.size()) ++packed;
      }
      EXPECT_EQ(plain, 1U) << name;
      EXPECT_EQ(packed, 1U) << name;
    }
  }
}

// The headers of a tar of before POSIX have no magic number.
TEST(ScanArchives, OldTarsAreKnownByTheirSum) {
  Bytes tar = archive_named("members.tar");
  for (std::size_t at = 0; at + 512 <= tar.size(); at += 512) {
    if (view_of(tar).clamped(at + 257, 5).text() != "ustar") continue;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 512; ++i) {
      if (i >= 257) tar[at + i] = {};
      sum += i >= 148 && i < 156 ? 0x20U : std::to_integer<std::uint32_t>(tar[at + i]);
    }
    Text digits;
    for (unsigned shift = 18; shift-- != 0;)
      if (shift % 3 == 0) digits.dec(sum >> shift & 7);
    for (std::size_t i = 0; i < 6; ++i) tar[at + 148 + i] = static_cast<std::byte>(digits.view()[i]);
  }
  for (const Bytes& file : {tar, gzip_of(tar)}) {
    const SearchedFile found = search_bytes("file", view_of(file), {});
    ASSERT_EQ(found.shaders.size(), 2U);
    EXPECT_EQ(found.shaders[0].layers->back().form, "tar");
    EXPECT_TRUE(found.faults.empty());
  }
}

/// A folder that is gone at the end.
class UnpackCommand : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const Bytes& bytes) const {
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("unshade-unpack-" + std::to_string(process_id()));
};

// A member across several pieces of what is searched at once, with shaders across their ends.
TEST_F(UnpackCommand, FindsWhatLiesAcrossPieces) {
  Bytes large = random_bytes((std::size_t{3} << 22) / 8);
  for (int i = 0; i < 3; ++i) large = Made{large}.add(large).bytes;
  const Bytes shader = sample("lit_vs_4_0.dxbc");
  for (const std::size_t end : {std::size_t{1} << 22, std::size_t{2} << 22})
    std::copy(shader.begin(), shader.end(), large.begin() + static_cast<std::ptrdiff_t>(end - 100));
  Bytes out(std::size_t{1} << 24);
  out.resize(LZ4F_compressFrame(out.data(), out.size(), large.data(), large.size(), nullptr));
  write("pack.lz4", out);
  const auto outcome = run_command({"scan", path("pack.lz4")});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_NE(outcome.out.find("pack.lz4!(lz4):0x003fff9c  5984 bytes  dxbc vs_4_0  certain\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("pack.lz4!(lz4):0x007fff9c  5984 bytes  dxbc vs_4_0  certain\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(run_command({"scan", "--no-unpack", path("pack.lz4")}).out.find("!(lz4)"), std::string::npos);
  // the same stream with bytes in front, which are several pieces too
  write("behind", Made{random_bytes(3)}.add(out).bytes);
  const auto streams = run_command({"scan", "--decompress", path("behind")});
  EXPECT_NE(streams.out.find("behind!(lz4@0x00000003):0x007fff9c  5984 bytes"), std::string::npos) << streams.out;
}

TEST_F(UnpackCommand, WritesWhatItUnpacks) {
  write("pack.zip", zip_of("../../a", sample("lit_vs_4_0.dxbc")));
  EXPECT_EQ(run_command({"scan", "-d", path("out"), "--name", "{member}.{ext}", path("pack.zip")}).exit, 0);
  EXPECT_EQ(read_bytes(path("out/a.dxbc")), sample("lit_vs_4_0.dxbc"));
}

// Whatever the encoding of this process' locale.
TEST(ScanArchives, HaveNamesInUtf8) {
  constexpr std::string_view kBefore = "lit.cso";
  constexpr std::string_view kAfter = "\xe4\xb8\xad.cso";
  Bytes file = archive_named("members.zip");
  for (const std::size_t to_flags : {std::size_t{30 - 6}, std::size_t{46 - 8}}) {  // of the local header, and of the directory's
    const std::string_view text = view_of(file).text();
    const std::size_t at = text.find(kBefore);
    ASSERT_NE(at, std::string_view::npos);
    const auto bytes = std::as_bytes(std::span(kAfter));
    std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
    file[at - to_flags + 1] |= std::byte{8};  // the name is UTF-8
  }
  const SearchedFile found = search_bytes("file", view_of(file), {});
  ASSERT_EQ(found.shaders.size(), 2U);
  const auto has_name = [&](const FoundShader& shader) { return shader.layers->back().member == kAfter; };
  EXPECT_EQ(std::count_if(found.shaders.begin(), found.shaders.end(), has_name), 1);
}

TEST_F(UnpackCommand, ReportsDamage) {
  Bytes file = archive_named("members.zip");
  file.resize(3000);
  write("pack.zip", file);
  const auto outcome = run_command({"scan", path("pack.zip")});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("pack.zip:0xbb8: error[bad-value]: "), std::string::npos) << outcome.err;
}

// Streams of each form among other bytes.
TEST(ScanStreams, FindEachForm) {
  const Bytes shader = sample("lit_vs_4_0.dxbc");
  const auto* const from = reinterpret_cast<const std::uint8_t*>(shader.data());
  std::vector<std::pair<std::string, Bytes>> streams;
  Bytes out(100'000);
  const auto add = [&](const char* form, std::size_t size) {
    streams.emplace_back(form, Bytes(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size)));
  };
  add("zstd", ZSTD_compress(out.data(), out.size(), shader.data(), shader.size(), 3));
  add("lz4", LZ4F_compressFrame(out.data(), out.size(), shader.data(), shader.size(), nullptr));
  std::size_t size = 0;
  auto* const to = reinterpret_cast<std::uint8_t*>(out.data());
  ASSERT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, from, shader.size(), to, &size, out.size()), LZMA_OK);
  add("xz", size);
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 6);
  lzma_stream stream = LZMA_STREAM_INIT;
  ASSERT_EQ(lzma_alone_encoder(&stream, &options), LZMA_OK);
  stream.next_in = from;
  stream.avail_in = shader.size();
  stream.next_out = to;
  stream.avail_out = out.size();
  ASSERT_EQ(lzma_code(&stream, LZMA_FINISH), LZMA_STREAM_END);
  add("lzma", out.size() - stream.avail_out);
  lzma_end(&stream);
  Made file{random_bytes(100)};
  std::vector<std::uint64_t> offsets;
  for (const auto& [form, bytes] : streams) {
    offsets.push_back(file.bytes.size());
    file.add(bytes).add(random_bytes(33));
  }
  const SearchedFile found = search_with_streams(file.bytes);
  ASSERT_EQ(found.shaders.size(), streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    EXPECT_EQ(found.shaders[i].layers->front().form, streams[i].first);
    EXPECT_EQ(found.shaders[i].layers->front().offset, std::optional(offsets[i]));
  }
}

TEST_F(UnpackCommand, UnpacksFramesOfADictionary) {
  // of words of shaders; a number of zstd's own choice
  std::string samples;
  std::vector<std::size_t> sizes;
  for (const char* const name : {"lit_vs_4_0.dxbc", "textured_ps_5_0.dxbc"})
    for (std::size_t at = 0; at + 64 <= sample(name).size(); at += 64) {
      samples += std::string(view_of(sample(name)).clamped(at, 64).text());
      sizes.push_back(64);
    }
  Bytes dictionary(4096);
  const std::size_t size =
      ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(), sizes.data(), static_cast<unsigned>(sizes.size()));
  ASSERT_EQ(ZDICT_isError(size), 0U);
  dictionary.resize(size);
  const Bytes shader = sample("lit_vs_4_0.dxbc");
  Bytes frame(100'000);
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  frame.resize(
      ZSTD_compress_usingDict(context, frame.data(), frame.size(), shader.data(), shader.size(), dictionary.data(), dictionary.size(), 9));
  ZSTD_freeCCtx(context);
  const Bytes file = Made{random_bytes(50)}.add(frame).bytes;
  EXPECT_TRUE(search_with_streams(file).shaders.empty());
  Search search;
  search.streams = true;
  EXPECT_FALSE(search.dictionaries.add(view_of(shader)));
  EXPECT_TRUE(search.dictionaries.add(view_of(dictionary)));
  const SearchedFile found = search_bytes("file", view_of(file), search);
  ASSERT_EQ(found.shaders.size(), 1U);
  EXPECT_EQ(found.shaders[0].hit.size, shader.size());

  write("dictionary", dictionary);
  write("file", file);
  const auto scanned = run_command({"scan", "--decompress", "--dictionary", path("dictionary"), path("file")});
  EXPECT_EQ(scanned.exit, 0);
  EXPECT_NE(scanned.out.find("dxbc vs_4_0"), std::string::npos);
  EXPECT_EQ(run_command({"scan", "--dictionary", path("file"), path("file")}).exit, 2);
  EXPECT_EQ(run_command({"scan", "--dictionary", path("none"), path("file")}).exit, 2);
}

/// What is made of a file by cutting and changing it, all of it searched.
TEST(ScanArchives, OfDamagedBytesAreSearched) {
  std::mt19937 random(11);
  for (const Case& row : kCases) {
    const Bytes whole = archive_named(row.file);
    for (int i = 0; i < 12; ++i) {
      Bytes file = whole;
      if (i % 3 == 0) file.resize(random() % file.size());
      for (int change = 0; change < i && !file.empty(); ++change)
        file[random() % std::min<std::size_t>(file.size(), 700)] = static_cast<std::byte>(random());
      EXPECT_EQ(fuzz::unpacking(view_of(file)), "") << row.file << ' ' << i;
    }
  }
}

#endif

}  // namespace

}  // namespace unshade::test
