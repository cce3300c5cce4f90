#include <unshade/shader/code.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"

namespace unshade::shader {

namespace {

TEST(InstructionCount, IsOfTheCodeOfEveryFamily) {
  std::size_t with_code = 0;
  for (const char* const folder : {"dxbc", "dxil", "pica", "spirv", "vbc", "effects"}) {
    for (const auto& path : test::files_below(test::source_dir() / "tests/data" / folder, "")) {
      const auto bytes = test::read_bytes(path);
      const auto opened = open(test::view_of(bytes));
      if (!opened) continue;
      const auto counted = instruction_count(*opened);
      const Summary summary = summarize(*opened);
      EXPECT_EQ(summary.instruction_count.has_value(), counted.has_value()) << path;
      if (!counted) {
        EXPECT_FALSE(code_bytes(*opened).has_value()) << path << ": " << to_string(counted.error());
        continue;
      }
      ++with_code;
      EXPECT_NE(*counted, 0U) << path;
      EXPECT_EQ(*summary.instruction_count, *counted) << path;
      // whatever is stated of it, or not
      Strip all;
      all.debug = all.reflection = all.names = true;
      const auto bare = strip(*opened, all);
      if (!bare || !bare->changed) continue;
      const auto again = open(test::view_of(bare->bytes));
      ASSERT_TRUE(again.has_value()) << path;
      const auto recounted = instruction_count(*again);
      ASSERT_TRUE(recounted.has_value()) << path;
      EXPECT_EQ(*recounted, *counted) << path;
    }
  }
  EXPECT_GT(with_code, 20U);
}

}  // namespace

}  // namespace unshade::shader
