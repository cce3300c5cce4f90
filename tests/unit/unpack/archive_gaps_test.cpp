// The verb scan on bytes of archives that no member covers.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/properties.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/made_files.hpp"
#include "support/packed_files.hpp"
#include "support/system.hpp"
#include "unpack/archives/zip_gaps.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)

namespace unshade::test {

namespace {

// The directory of the last one has its own members alone.
TEST(ScanZip, ArchivesBeforeTheLastAreRead) {
  const Bytes a = sample("lit_vs_4_0.dxbc");
  const Bytes b = sample("textured_ps_5_0.dxbc");
  for (const bool stored : {false, true}) {
    for (const std::size_t between : {std::size_t{0}, std::size_t{100}, std::size_t{100'000}}) {
      const Bytes junk = random_bytes(between);
      const Bytes first = zip_of("a.cso", a, stored);
      const Bytes file = Made{first}.add(junk).add(zip_of("b.cso", b, stored)).bytes;
      EXPECT_EQ(places_of(file), (Places{"!b.cso:0x0", "!a.cso:0x0"})) << between;
      const Bytes three = Made{first}.add(junk).add(zip_of("c.cso", a, !stored)).add(zip_of("b.cso", b, stored)).bytes;
      EXPECT_EQ(places_of(three), (Places{"!b.cso:0x0", "!a.cso:0x0", "!c.cso:0x0"})) << between;
      const Bytes raw = Made{first}.add(a).add(junk).add(zip_of("b.cso", b, stored)).bytes;
      EXPECT_EQ(places_of(raw), (Places{at_offset("", first.size()), "!b.cso:0x0", "!a.cso:0x0"})) << between;
      // so far behind the directory that libarchive does not see it
      const Bytes behind = Made{file}.add(random_bytes(200'000)).bytes;
      EXPECT_EQ(places_of(behind), (Places{"!a.cso:0x0", "!b.cso:0x0"})) << between;
    }
  }
}

TEST(ScanZip, MembersOutsideOfTheDirectoryAreRead) {
  const Bytes a = sample("lit_vs_4_0.dxbc");
  const Bytes b = sample("textured_ps_5_0.dxbc");
  for (const bool stored : {false, true}) {
    const Bytes file = Made{member_of("a.cso", a, stored)}.add(member_of("d/", {}, true)).add(zip_of("b.cso", b, stored)).bytes;
    EXPECT_EQ(places_of(file), (Places{"!b.cso:0x0", "!a.cso:0x0"}));
  }
  // as the first one, of which libarchive learns that it is damaged
  Bytes damaged = member_of("a.cso", a);
  damaged[14] ^= std::byte{1};  // the checksum
  const SearchedFile found = search_bytes("file", view_of(Made{damaged}.add(zip_of("b.cso", b)).bytes), {});
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_EQ(found.faults[0].error.path, "a.cso");
}

// What is read without its directory, from the front to the end, is read up to that.
TEST(ScanZip, ArchivesThatAreNotReadAreTold) {
  const Bytes a = sample("lit_vs_4_0.dxbc");
  for (std::size_t between = 0; between < 70; between += 7) {
    const Bytes first = zip_of("a.cso", a);
    const Bytes two = Made{first}.add(random_bytes(between)).add(zip_of("b.cso", a)).bytes;
    const SearchedFile found = search_bytes("file", view_of(gzip_of(two)), {});
    EXPECT_EQ(places_of(found), (Places{"!(gzip)!a.cso:0x0"}));
    ASSERT_EQ(found.faults.size(), 1U) << between;
    EXPECT_EQ(found.faults[0].error.code, ErrorCode::limit);
    EXPECT_EQ(found.faults[0].error.offset, member_of("a.cso", a).size());
    EXPECT_EQ(found.faults[0].layers.size(), 1U);
    EXPECT_EQ(places_of(gzip_of(Made{first}.add(random_bytes(between)).bytes)), (Places{"!(gzip)!a.cso:0x0"}));
  }
}

// Magic numbers of headers alone are no members.
TEST(ScanZip, WhatIsNoHeaderIsNoMember) {
  const Bytes b = sample("textured_ps_5_0.dxbc");
  const Bytes first = zip_of("a", Bytes(10));
  const Bytes file = Made{first}.add(Made{}.letters("PK\3\4PK\3\4").bytes).add(Bytes(40)).add(zip_of("b.cso", b, true)).bytes;
  EXPECT_EQ(places_of(file), (Places{"!b.cso:0x0"}));
  // each costs an opened archive
  Made many{first};
  for (int i = 0; i < 20'000; ++i) many.add(member_of("x", {}, true)).add(Made{}.little(0x02014b50, 4).bytes);
  EXPECT_EQ(fuzz::unpacking(view_of(many.add(zip_of("b.cso", b)).bytes)), "");
}

// A local header has 30 bytes.
TEST(ScanZip, HeadersThatAreCutOffAreNone) {
  const Bytes member = member_of("a", {}, true);
  std::array<std::byte, 64> read{};
  for (const std::size_t size : {std::size_t{28}, std::size_t{29}, std::size_t{30}, std::size_t{31}}) {
    unpack::MemoryFeed feed(view_of(member).clamped(0, size));
    unpack::WatchedFeed watched(feed);
    EXPECT_EQ(watched.read(read.data(), read.size()), size);
    EXPECT_EQ(watched.has_header(), size >= 30) << size;
  }
  unpack::MemoryFeed feed(view_of(member));
  unpack::WatchedFeed watched(feed);
  EXPECT_EQ(watched.read(read.data(), 29), 29U);
  EXPECT_FALSE(watched.has_header());
  EXPECT_EQ(watched.read(read.data(), 1), 1U);
  EXPECT_TRUE(watched.has_header());
}

// The 32 KiB before the descriptors of an image are for programs that boot from it.
TEST(ScanImage, WhatNoFileCoversIsSearched) {
  const Bytes packed = archive_named("members.iso.gz");
  Bytes image(std::size_t{1} << 22);
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(image.data());
  stream.avail_out = static_cast<uInt>(image.size());
  ASSERT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  image.resize(stream.total_out);
  inflateEnd(&stream);
  const Places members = places_of(image);
  ASSERT_EQ(members.size(), 2U);
  const Bytes shader = sample("lit_vs_5_0.dxbc");
  std::copy(shader.begin(), shader.end(), image.begin() + 1024);
  const Bytes more = Made{image}.add(shader).bytes;
  EXPECT_EQ(places_of(more), (Places{":0x400", at_offset("", image.size()), members[0], members[1]}));
}

// Gaps of more than a piece of what is searched at once.
TEST(ScanZip, WhatNoMemberCoversIsSearchedPieceByPiece) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("unshade-gaps-" + std::to_string(process_id()) + "-two.zip");
  const Bytes shader = sample("lit_vs_5_0.dxbc");
  Bytes gap(std::size_t{9} << 20);
  std::copy(shader.begin(), shader.end(), gap.begin() + (1 << 22) - 100);
  const Bytes first = zip_of("a.cso", shader);
  const Bytes file = Made{first}.add(gap).add(zip_of("b.cso", shader, true)).bytes;
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  const auto outcome = run_command({"scan", path.string()});
  std::filesystem::remove(path);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3) << outcome.out;
  Text raw;
  (raw << "two.zip:0x").hex(first.size() + (1 << 22) - 100, 8);
  for (const std::string& place : {raw.str(), std::string("!a.cso:0x00000000"), std::string("!b.cso:0x00000000")})
    EXPECT_NE(outcome.out.find(place), std::string::npos) << outcome.out;
}

}  // namespace

}  // namespace unshade::test

#endif
