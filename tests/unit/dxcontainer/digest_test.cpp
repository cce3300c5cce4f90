#include <unshade/dxcontainer/digest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/files.hpp"

namespace unshade::dxcontainer {
namespace {

struct Case {
  std::string_view text;
  std::string_view digest;
};

// src: RFC 1321, A.5, and lengths around the ends of a block
TEST(Md5, IsThatOfTheStandard) {
  for (const Case& c :
       {Case{"", "d41d8cd98f00b204e9800998ecf8427e"}, Case{"abc", "900150983cd24fb0d6963f7d28e17f72"},
        Case{"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        Case{"12345678901234567890123456789012345678901234567890123456789012345678901234567890", "57edf4a22be3c955ac49da2e2107b67a"}}) {
    const Digest digest = md5(View(std::as_bytes(std::span(c.text.data(), c.text.size()))));
    EXPECT_TRUE(std::ranges::equal(digest, test::from_hex(c.digest))) << c.text;
  }
}

// Two messages of any two lengths, around the ends of blocks, have the digests that each has alone.
TEST(Md5, OfTwoIsThatOfEach) {
  std::vector<std::byte> bytes(400);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + i / 7);
  const std::size_t sizes[] = {0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 191, 192, 200};
  for (const std::size_t first : sizes)
    for (const std::size_t second : sizes) {
      const View a = View(bytes).clamped(0, first);
      const View b = View(bytes).clamped(bytes.size() - second, second);
      const std::array<Digest, 2> both = md5(a, b);
      EXPECT_EQ(both[0], md5(a)) << first << ' ' << second;
      EXPECT_EQ(both[1], md5(b)) << first << ' ' << second;
    }
}

}  // namespace
}  // namespace unshade::dxcontainer
