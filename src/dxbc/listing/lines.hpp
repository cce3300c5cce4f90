// Lines of listings as they are compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unshade::dxbc::listing {

/// A line without the slashes of its comment, with single blanks, and where it begins.
struct Line {
  std::string text;
  const char* at = nullptr;
};

/// The lines that say something. `#line` says something of sources only.
std::vector<Line> lines_of(std::string_view text);

/// Whether these tokens are one instruction, whole, of a program with this version token.
bool is_one_instruction(std::span<const std::uint32_t> tokens, std::uint32_t version);

/// Whether a comment is the listing of the instruction that these tokens are. True if they are no single instruction.
bool is_listing_of(std::string_view comment, std::span<const std::uint32_t> tokens, std::uint32_t version);

}  // namespace unshade::dxbc::listing
