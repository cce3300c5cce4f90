#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/pdb.hpp>

#include "support/files.hpp"

namespace unshade::dxcontainer {
namespace {

using Bytes = std::vector<std::byte>;
using test::view_of;

Bytes sample() { return test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_6_zi.pdb"); }

TEST(MsfWrite, PutsWhatDxcWroteTogetherAgain) {
  const Bytes file = sample();
  const auto pdb = find_container_in_pdb(view_of(file));
  ASSERT_TRUE(pdb);
  const auto identity = parse_pdb_identity(pdb->msf());
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->age, 1U);
  const auto again = write_pdb(pdb->view(), *identity);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_TRUE(*again == file);
}

TEST(MsfWrite, StreamsComeBack) {
  for (const std::uint32_t block : {512U, 4096U}) {
    std::vector<Bytes> streams;
    for (const std::size_t size : {0U, 1U, 511U, 512U, 513U, 70000U, 0U})
      streams.emplace_back(size, static_cast<std::byte>(streams.size() + 1));
    std::vector<View> views;
    for (const Bytes& stream : streams) views.push_back(view_of(stream));
    const auto file = write_msf(views, {block, true});
    ASSERT_TRUE(file);
    EXPECT_EQ(file->size() % block, 0U);
    const auto msf = parse_msf(view_of(*file));
    ASSERT_TRUE(msf) << to_string(msf.error());
    EXPECT_EQ(msf->block_count, file->size() / block);
    ASSERT_EQ(msf->streams.size(), streams.size());
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const MsfBytes bytes = msf->bytes(i);
      EXPECT_TRUE(bytes.view().text() == view_of(streams[i]).text()) << i;
    }
  }
}

TEST(MsfWrite, ADirectoryOfSeveralMapBlocks) {
  // 128 block numbers to a map block of 512 bytes: more than that takes a directory of over 64 KiB, so 8 MiB of streams.
  const Bytes large(std::size_t{9} << 20, std::byte{7});
  const View view = view_of(large);
  const auto file = write_msf({&view, 1});
  ASSERT_TRUE(file);
  const auto msf = parse_msf(view_of(*file));
  ASSERT_TRUE(msf) << to_string(msf.error());
  const MsfBytes bytes = msf->bytes(0);
  EXPECT_EQ(bytes.view().size(), large.size());
}

TEST(MsfWrite, RefusesBlocksThatNoReaderTakes) {
  for (const std::uint32_t block : {0U, 256U, 513U, 65536U}) {
    const auto file = write_msf({}, {block, false});
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::bad_value);
  }
}

TEST(MsfWrite, AnIdentityNeedsItsStream) {
  const Bytes file = write_msf({}).has_value() ? *write_msf({}) : Bytes();
  const auto msf = parse_msf(view_of(file));
  ASSERT_TRUE(msf);
  const auto identity = parse_pdb_identity(*msf);
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().code, ErrorCode::missing);
}

}  // namespace
}  // namespace unshade::dxcontainer
