// The level 9 block of fxc's listing: mapping tables, shader model 2 instructions, and their slot count.
#pragma once

#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/dxbc/level9.hpp>

namespace unshade::dxbc::level9 {

struct Level9ListingOptions {
  std::uint32_t fourcc = dxcontainer::fourcc("Aon9");  ///< of the part: it names the block
  /// Whether `#line` lines are printed. They come from the DBUG comment of the program itself; without them their empty lines stay.
  bool line_directives = true;
  TextOrigins* origins = nullptr;  ///< gets an entry for each instruction
};

/// Appends the block, from after the signature tables up to and including the slot count's line end. Source:
/// docs/reference/formats/level9.md.
void print_level9(Text& out, const Level9& level9, const Level9ListingOptions& options = {});

}  // namespace unshade::dxbc::level9
