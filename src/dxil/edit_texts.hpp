// Tables of texts whose texts change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxil {

/// Whether a text that several refer to stands in a table once.
enum class Sharing : std::uint8_t { never, always };

/// What follows the last text: zeros up to a multiple of 4, or nothing.
enum class Padding : std::uint8_t { words, none };

/// A table in which everyone's text is where the old one was; offsets, which are those of the old table, become those of the new. Where
/// those who shared a text part, theirs follow each other; with Sharing::always they come together again when they are the same.
std::vector<std::byte> place_texts(View table, std::span<String* const> texts, Sharing sharing, Padding padding);

}  // namespace unshade::dxil
