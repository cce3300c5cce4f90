// Listings in colour, and as JSON.
#pragma once

#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/present/json.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::present {

/// Appends a listing with colours for a terminal: comments, instructions, names with a sigil, numbers, texts. Without the escape sequences
/// it is the same text. Listings of SPIR-V and VBC have colours of their own, those of spirv-dis (shader::ListingOptions::color).
void paint_listing(shader::Family family, std::string_view listing, Text& out);

/// One file's object; docs/reference/json/dis.schema.json has its shape.
void write_listing(std::string_view file, shader::Family family, std::string_view listing, Json& json);

}  // namespace unshade::present
