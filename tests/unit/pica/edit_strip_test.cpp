#include <unshade/pica/edit.hpp>

#include <gtest/gtest.h>

#include <vector>

#include "support/files.hpp"

namespace unshade::pica {

namespace {

using test::view_of;

std::vector<std::byte> pica_sample(const char* name) { return test::read_bytes(test::source_dir() / "tests/data/pica" / name); }

Shbin model_of(const std::vector<std::byte>& bytes) { return *parse_shbin(view_of(bytes)); }

/// A sample with lines, labels and uniforms.
Shbin with_everything() {
  Shbin shbin = model_of(pica_sample("skin.v.shbin"));
  const std::uint32_t file = add_text(shbin.program.file_names, "a.vsh");
  shbin.program.lines.items.assign(shbin.program.code.size(), {file, 1});
  shbin.executables.front().labels.items = {{0x10000, 0, 2, {"main", 0}}};
  shbin.origin = {};
  return model_of(write_shbin(shbin));
}

TEST(PicaStrip, WhatIsNotAskedForStays) {
  const auto bytes = pica_sample("skin_quad.shbin");
  Shbin shbin = model_of(bytes);
  EXPECT_FALSE(strip(shbin, {}));
  EXPECT_EQ(write_shbin(shbin), bytes);
}

TEST(PicaStrip, WhatIsNotThereChangesNothing) {
  Shbin shbin = with_everything();
  const Strip all{.debug = true, .names = true};
  EXPECT_TRUE(strip(shbin, all));
  const auto bytes = write_shbin(shbin);
  Shbin again = model_of(bytes);
  EXPECT_FALSE(strip(again, all));
  EXPECT_EQ(write_shbin(again), bytes);
}

TEST(PicaStrip, EachOptionTakesItsOwn) {
  const Shbin before = with_everything();
  const auto stripped = [&](const Strip& options) {
    Shbin shbin = before;
    EXPECT_TRUE(strip(shbin, options));
    return model_of(write_shbin(shbin));
  };
  const Shbin debug = stripped({.debug = true});
  EXPECT_TRUE(debug.program.lines.empty());
  EXPECT_TRUE(debug.program.file_names.empty());
  EXPECT_TRUE(debug.executables.front().labels.empty());
  EXPECT_FALSE(debug.executables.front().uniforms.empty());
  const Shbin uniforms = stripped({.names = true});
  EXPECT_FALSE(uniforms.program.lines.empty());
  EXPECT_FALSE(uniforms.executables.front().labels.empty());
  EXPECT_TRUE(uniforms.executables.front().uniforms.empty());
  for (const Shbin& after : {debug, uniforms}) {
    EXPECT_EQ(after.program.code.items, before.program.code.items);
    EXPECT_EQ(after.program.descriptors.items, before.program.descriptors.items);
    EXPECT_EQ(after.executables.size(), before.executables.size());
    EXPECT_LT(write_shbin(after).size(), write_shbin(before).size());
  }
}

TEST(PicaStrip, LabelsOfAnObjectStay) {
  Object object;
  object.code.items = {0x8800'0000};
  object.labels.items = {{0x10000, 0, 1, {"main", 0}}};
  object.lines.items = {{add_text(object.symbols, "a.vsh"), 1}};
  EXPECT_TRUE(strip(object, {.debug = true}));
  EXPECT_TRUE(object.lines.empty());
  EXPECT_EQ(object.labels.size(), 1U);
  EXPECT_FALSE(strip(object, {.debug = true}));
}

}  // namespace

}  // namespace unshade::pica
