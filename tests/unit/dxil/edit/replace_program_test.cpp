// No word of a listing can be changed without a change in what is assembled of it, a fault, or a warning.
#include "support/dxil_listing_edits.hpp"

namespace unshade::dxil {

namespace {

using test::check_listing_edits;
using test::files_below;
using test::ListingUse;
using test::source_dir;

void check_some(ListingUse use, std::size_t step) {
  std::size_t edits = 0;
  std::size_t first = 0;
  for (const auto& path : files_below(source_dir() / "tests/data/dxil", ".dxil")) check_listing_edits(path, use, first += 7, step, edits);
  EXPECT_GT(edits, 150U);
}

TEST(DxilListingEdits, IntoTheirContainer) { check_some(ListingUse::into, 211); }
TEST(DxilListingEdits, IntoANewContainer) { check_some(ListingUse::container, 307); }
TEST(DxilListingEdits, ExactOnes) { check_some(ListingUse::exact, 307); }

}  // namespace

}  // namespace unshade::dxil
