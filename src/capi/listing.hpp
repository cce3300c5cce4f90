// Flags of listings, for those that list.
#pragma once

#include <cstdint>

#include <unshade/unshade.h>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>

namespace unshade::capi {

inline shader::ListingOptions listing_options(std::uint32_t flags) {
  shader::ListingOptions options;
  options.offsets = (flags & UNSHADE_LISTING_OFFSETS) != 0;
  options.bytes = (flags & UNSHADE_LISTING_BYTES) != 0;
  options.exact = (flags & UNSHADE_LISTING_EXACT) != 0;
  options.checks = &shader::listing_checks();
  options.exact_floats = (flags & UNSHADE_LISTING_EXACT_FLOATS) != 0;
  options.header = (flags & UNSHADE_LISTING_NO_HEADER) == 0;
  options.raw_ids = (flags & UNSHADE_LISTING_RAW_IDS) != 0;
  return options;
}

}  // namespace unshade::capi
