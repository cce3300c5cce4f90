#include <unshade/core/lanes.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace unshade {
namespace {

TEST(WriteMask, HasComponentsAndText) {
  const WriteMask mask(0xfb);
  EXPECT_EQ(mask.bits(), 0xb);
  EXPECT_EQ(mask.text(), "xyw");
  EXPECT_EQ(mask.columns('-'), "xy-w");
  EXPECT_EQ(mask.count(), 3U);
  EXPECT_EQ(mask.first(), 0U);
  std::vector<unsigned> components;
  for (const unsigned c : mask) components.push_back(c);
  EXPECT_EQ(components, (std::vector<unsigned>{0, 1, 3}));
  EXPECT_EQ(mask.reversed(), WriteMask(0xd));
  EXPECT_TRUE(WriteMask().empty());
  EXPECT_EQ(WriteMask().first(), 4U);
  EXPECT_EQ(WriteMask().text(), "");
  EXPECT_EQ(WriteMask::first_components(3).text(), "xyz");
}

TEST(WriteMask, ParsesLettersInTheirOrder) {
  EXPECT_EQ(WriteMask::parse("xzw"), WriteMask(0xd));
  EXPECT_EQ(WriteMask::parse(""), WriteMask());
  EXPECT_FALSE(WriteMask::parse("zx"));
  EXPECT_FALSE(WriteMask::parse("xx"));
  EXPECT_FALSE(WriteMask::parse("r"));
}

TEST(Swizzle, SaysWhatIsRead) {
  const Swizzle swizzle = Swizzle::parse("zyx").value();
  EXPECT_EQ(swizzle.text(), "zyxx");
  EXPECT_EQ(swizzle.read(WriteMask(0x3)), WriteMask(0x6));
  EXPECT_EQ(swizzle.read(WriteMask()), WriteMask());
  EXPECT_EQ(swizzle.reversed().text(), "xxyz");
  EXPECT_FALSE(swizzle.is_broadcast());
  EXPECT_TRUE(Swizzle::broadcast(2).is_broadcast());
  EXPECT_EQ(Swizzle::broadcast(2).text(), "zzzz");
  EXPECT_TRUE(Swizzle().is_identity());
  EXPECT_EQ(Swizzle().bits(), 0xe4);
  EXPECT_FALSE(Swizzle::parse(""));
  EXPECT_FALSE(Swizzle::parse("xyzwx"));
  EXPECT_FALSE(Swizzle::parse("xr"));
}

}  // namespace
}  // namespace unshade
