// Listings in colour.
#pragma once

#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::present {

/// Appends a listing with colours for a terminal: comments, instructions, names with a sigil, numbers, texts. Without the escape sequences
/// it is the same text. Listings of SPIR-V and VBC have colours of their own, those of spirv-dis (shader::ListingOptions::color).
void paint_listing(shader::Family family, std::string_view listing, Text& out);

}  // namespace unshade::present
