#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/writer.hpp>

#include "support/files.hpp"

namespace unshade::dxcontainer {

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}); }

TEST(WriteContainer, SamplesComeOutAsTheyWentIn) {
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "tests/data/dxbc")) {
    if (entry.path().extension() != ".dxbc") continue;
    const auto bytes = test::read_bytes(entry.path());
    const auto container = parse_container(view_of(bytes));
    ASSERT_TRUE(container) << entry.path();
    std::vector<PartBytes> parts;
    for (const Part& part : container->parts) parts.push_back({part.fourcc, part.data.bytes(), {}});
    const auto written = write_container(parts, {.signing = signing_of(*container), .digest = container->digest});
    ASSERT_TRUE(written) << entry.path();
    EXPECT_EQ(*written, bytes) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 8U);
}

TEST(WriteContainer, BytesOfNoPartAreKeptInTheirPlaces) {
  const auto data = bytes_of("data");
  const auto gap = bytes_of("gap");
  const auto after = bytes_of("after");
  const auto trailing = bytes_of("trailing");
  const PartBytes parts[] = {{fourcc("PRIV"), data, gap}, {fourcc("ABCD"), {}, {}}};
  const auto written = write_container(parts, {.signing = Signing::debug, .after = after, .trailing = trailing});
  ASSERT_TRUE(written);
  const auto container = parse_container(view_of(*written));
  ASSERT_TRUE(container);
  EXPECT_EQ(container->size, kHeaderBytes + 8 + 3 + kPartHeaderBytes + 4 + kPartHeaderBytes + 5);
  EXPECT_EQ(container->parts[0].offset, kHeaderBytes + 8 + 3);
  EXPECT_EQ(container->parts[0].data.text(), "data");
  EXPECT_EQ(container->parts[1].fourcc, fourcc("ABCD"));
  EXPECT_EQ(check_digest(*container), DigestState::valid_debug);
  EXPECT_EQ(view_of(*written).text().substr(container->size), "trailing");
  EXPECT_EQ(signing_of(*container), Signing::debug);
}

TEST(WriteContainer, ADigestThatIsGivenIsWritten) {
  Digest digest;
  digest.fill(std::byte{2});
  const auto written = write_container({}, {.signing = Signing::given, .digest = digest});
  ASSERT_TRUE(written);
  const auto container = parse_container(view_of(*written));
  ASSERT_TRUE(container);
  EXPECT_EQ(check_digest(*container), DigestState::preview_bypass);
  EXPECT_EQ(signing_of(*container), Signing::given);
}

TEST(WriteContainer, MorePartsThanAReaderTakesAreRefused) {
  const std::vector<PartBytes> parts(5000);
  const auto written = write_container(parts);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::limit);
}

}  // namespace

}  // namespace unshade::dxcontainer
