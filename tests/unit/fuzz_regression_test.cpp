// What fuzzing and looking for trouble by hand have found: the properties of fuzz/properties.hpp over the samples, over
// tests/data/regressions (commented hex), and over files made here to cost as much as they can.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/container.hpp"
#include "support/cost.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

using dxcontainer::fourcc;
using Bytes = std::vector<std::byte>;

TEST(FuzzRegression, SamplesHaveEveryProperty) {
  const auto files = files_below(source_dir() / "tests/data/dxbc", ".dxbc");
  ASSERT_FALSE(files.empty());
  for (const auto& path : files) {
    const auto bytes = read_bytes(path);
    expect_properties_at_fair_cost(view_of(bytes), path.filename().string());
  }
}

TEST(FuzzRegression, FindsStayMended) {
  for (const auto& path : files_below(source_dir() / "tests/data/regressions", ".hex")) {
    const auto bytes = from_hex(read_text(path));
    expect_properties_at_fair_cost(view_of(bytes), path.filename().string());
  }
}

}  // namespace

}  // namespace unshade::test
