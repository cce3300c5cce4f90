#include <unshade/dxbc/class_linkage.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace unshade::dxbc {
namespace {

using dxcontainer::fourcc;

/// Two classes, one instance, and an array of two slots that both classes fit.
ClassLinkage sample() {
  ClassLinkage linkage;
  linkage.types.items.resize(2);
  linkage.types[0].name.text = "Plain";
  linkage.types[0].constant_buffer_stride = 1;
  linkage.types[1].name.text = "Fancy";
  linkage.types[1].constant_buffer_stride = 3;
  ClassInstance instance;
  instance.name.text = "g_fancy";
  instance.type = 1;
  instance.constant_buffer_offset = 4;
  linkage.instances.items.push_back(instance);
  InterfaceSlot slot;
  slot.span = 2;
  slot.types.items = {{0}, {1}};
  slot.tables.items = {{5}, {6}};
  linkage.slots.items.push_back(slot);
  linkage.slot_count = 2;
  return linkage;
}

TEST(ClassLinkageTest, ReadsWhatItWrites) {
  const auto bytes = write_class_linkage(sample());
  const auto linkage = parse_class_linkage({fourcc("IFCE"), 0, View(bytes)});
  ASSERT_TRUE(linkage) << to_string(linkage.error());
  ASSERT_EQ(linkage->types.size(), 2U);
  EXPECT_EQ(linkage->types[1].name.text, "Fancy");
  EXPECT_EQ(linkage->types[1].constant_buffer_stride, 3);
  ASSERT_EQ(linkage->instances.size(), 1U);
  EXPECT_EQ(linkage->instances[0].texture, kNoSlot);
  ASSERT_EQ(linkage->slots.size(), 1U);
  EXPECT_EQ(linkage->slots[0].span, 2U);
  EXPECT_EQ(linkage->slots[0].types[1].type, 1);
  EXPECT_EQ(linkage->slots[0].tables[1].table, 6U);
  EXPECT_EQ(linkage->slot_count, 2U);
  EXPECT_EQ(write_class_linkage(*linkage), bytes);
}

TEST(ClassLinkageTest, EveryByteIsNamedOrPadding) {
  const auto bytes = write_class_linkage(sample());
  Tree tree{View(bytes)};
  record_class_linkage({fourcc("IFCE"), 0, View(bytes)}, tree, 0);
  tree.fill_gaps({});
  EXPECT_TRUE(tree.errors().empty());
  EXPECT_EQ(tree.coverage().unknown, 0U);
}

TEST(ClassLinkageTest, TruncationsAreErrorsWithAPath) {
  const auto bytes = write_class_linkage(sample());
  for (std::size_t size = 0; size + 4 < bytes.size(); ++size) {
    const auto linkage = parse_class_linkage({fourcc("IFCE"), 0, View(std::span(bytes).first(size), 64)});
    ASSERT_FALSE(linkage) << size;
    EXPECT_GE(linkage.error().offset, 64U);
    EXPECT_TRUE(linkage.error().path.starts_with("IFCE/")) << linkage.error().path;
  }
}

TEST(ClassLinkageTest, OverlappingTablesOfIdsAreRefused) {
  ClassLinkage linkage = sample();
  linkage.types.items.clear();
  linkage.instances.items.clear();
  InterfaceSlot slot;
  slot.types.items.resize(40);
  slot.tables.items.resize(40);
  slot.types.offset = slot.tables.offset = 36 + 20 * 16;
  linkage.slots.items.assign(20, slot);
  linkage.slots.offset = 36;
  const auto bytes = write_class_linkage(linkage);
  const auto read = parse_class_linkage({fourcc("IFCE"), 0, View(bytes)});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::overlap);
}

}  // namespace
}  // namespace unshade::dxbc
