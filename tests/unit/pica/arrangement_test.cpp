// The orders in which assemblers place things.
#include <gtest/gtest.h>

#include <unshade/pica/shbin.hpp>

#include "support/files.hpp"

namespace unshade::pica {

namespace {

Shbin parsed(const std::vector<std::byte>& bytes) {
  auto shbin = parse_shbin(test::view_of(bytes));
  EXPECT_TRUE(shbin) << to_string(shbin.error());
  return shbin ? *std::move(shbin) : Shbin{};
}

/// The sample's things in another arrangement, read again.
Shbin arranged(const char* name, Arrangement arrangement) {
  Shbin shbin = parsed(test::read_bytes(test::source_dir() / "tests/data/pica" / name));
  EXPECT_EQ(shbin.arrangement, Arrangement::picasso);
  shbin.arrangement = arrangement;
  shbin.origin = {};
  const auto written = write_shbin(shbin);
  Shbin again = parsed(written);
  EXPECT_EQ(again.arrangement, arrangement);
  EXPECT_EQ(write_shbin(again), written);
  // The writer finds the same places once more.
  Shbin unplaced = again;
  unplaced.origin = {};
  EXPECT_EQ(write_shbin(unplaced), written);
  EXPECT_EQ(again.program.code.items, shbin.program.code.items);
  return again;
}

// Bytes of a file with one executable: 12 of the DVLB, then the program's header, then the executable's.
TEST(Arrangement, OfNihstroHasHeadersFirst) {
  const Shbin shbin = arranged("skin.v.shbin", Arrangement::nihstro);
  ASSERT_EQ(shbin.executables.size(), 1U);
  const Executable& e = shbin.executables[0];
  EXPECT_EQ(e.offset, 0x34U);
  EXPECT_EQ(shbin.program.code.offset, 0x68U);
  EXPECT_EQ(12 + shbin.program.descriptors.offset + 8 * shbin.program.descriptors.size(), e.offset + e.constants.offset);
  EXPECT_LT(e.outputs.offset, e.uniforms.offset);
}

TEST(Arrangement, OfAemstroHasAShortHeader) {
  const Shbin shbin = arranged("skin.v.shbin", Arrangement::aemstro);
  ASSERT_EQ(shbin.executables.size(), 1U);
  const Executable& e = shbin.executables[0];
  EXPECT_EQ(shbin.program.header_bytes, Program::kShortHeaderBytes);
  EXPECT_EQ(e.offset, 0x28U);
  EXPECT_EQ(shbin.program.code.offset, 0x5cU);
  EXPECT_EQ(e.constants.offset, e.outputs.offset + 8 * e.outputs.size());
}

TEST(Arrangement, SeveralExecutablesKeepTheirTables) {
  for (const Arrangement arrangement : {Arrangement::nihstro, Arrangement::aemstro}) {
    const Shbin shbin = arranged("skin_quad.shbin", arrangement);
    EXPECT_EQ(shbin.executables.size(), 2U);
  }
}

}  // namespace

}  // namespace unshade::pica
