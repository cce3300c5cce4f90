#include <unshade/dxcontainer/digest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace
}  // namespace unshade::dxcontainer
