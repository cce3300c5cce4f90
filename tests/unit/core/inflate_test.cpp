#include <unshade/core/inflate.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "support/files.hpp"

namespace unshade {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::string_view kText =
    "float4 main(float2 uv : TEXCOORD) : SV_Target { return float4(uv, uv.x * uv.y, 1); } // float4 main(float2 uv : TEXCOORD)";
// what zlib 1.3 makes: of the text stored and in the fixed code, of numbers_of_dynamic() in a code of its own
constexpr std::string_view kStored =
    "780101790086ff666c6f617434206d61696e28666c6f617432207576203a20544558434f4f524429203a2053565f546172676574207b207265747572"
    "6e20666c6f6174342875762c2075762e78202a2075762e792c2031293b207d202f2f20666c6f617434206d61696e28666c6f617432207576203a2054"
    "4558434f4f52442942d725e1";
constexpr std::string_view kFixed =
    "78014bcbc94f2c3151c84dccccd34803b18d144acb14ac14425c239cfdfd835c3481ece0b0f890c4a2f4d412856a85a2d492d2a23c05b052138dd232"
    "1da072bd0a052d1055a9a360a869ad50aba0af0f5580c75c0042d725e1";
constexpr std::string_view kDynamic =
    "78da8dd24b0a04310804d08bf9c1443d7b1dab33308b2668d2ae8b87858288456d06e90819a92e535cc3d84d729a3265f89a48e2954b81b3c53f9643"
    "6228c5ca09d36f2a0c3d6635861e6b36438f359be15cb3c070ae596038d72c30dc0fb061b81f60c3703fc086e1db6bbcb00773239e4f";

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Bytes numbers_of_dynamic() {
  Bytes made;
  for (unsigned k = 0; k < 600; ++k) made.push_back(static_cast<std::byte>(k % 50 != 0 ? k * k / 7 % 11 + 60 : 200U));
  return made;
}

struct Stream {
  Bytes zlib, content;
};
std::vector<Stream> streams() {
  return {{test::from_hex(kStored), bytes_of(kText)},
          {test::from_hex(kFixed), bytes_of(kText)},
          {test::from_hex(kDynamic), numbers_of_dynamic()}};
}

TEST(Inflate, GivesTheContent) {
  for (const Stream& one : streams()) {
    Bytes made(one.content.size());
    EXPECT_TRUE(inflate_zlib(one.zlib, made));
    EXPECT_EQ(made, one.content);
  }
}

TEST(Inflate, RefusesAnotherSize) {
  for (const Stream& one : streams()) {
    for (const std::size_t size : {std::size_t{0}, one.content.size() - 1, one.content.size() + 1, one.content.size() * 3}) {
      Bytes made(size);
      EXPECT_FALSE(inflate_zlib(one.zlib, made)) << size;
    }
  }
}

TEST(Inflate, RefusesDamagedStreams) {
  for (const Stream& one : streams()) {
    Bytes made(one.content.size());
    for (std::size_t size = 0; size < one.zlib.size(); ++size) EXPECT_FALSE(inflate_zlib(std::span(one.zlib).first(size), made)) << size;
    // a bit of a stream, but for those of its header that have no meaning here
    for (std::size_t at = 2; at < one.zlib.size(); ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        Bytes damaged = one.zlib;
        damaged[at] ^= std::byte{1} << bit;
        EXPECT_TRUE(!inflate_zlib(damaged, made) || made == one.content) << at << ' ' << bit;
      }
    }
  }
}

TEST(Inflate, RefusesOtherMethods) {
  for (const std::string_view hex : {"", "78", "7801", "7701", "8801", "7902", "78bb", "780107"}) {
    Bytes made(1);
    EXPECT_FALSE(inflate_zlib(test::from_hex(hex), made)) << hex;
  }
}

}  // namespace
}  // namespace unshade
