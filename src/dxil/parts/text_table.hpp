// Tables of texts whose texts change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxil::parts {

/// Whether a text that several refer to is in a table once.
enum class Sharing : std::uint8_t { never, always };

/// What follows the last text: zeros up to a multiple of 4, or nothing.
enum class Padding : std::uint8_t { words, none };

/// A table in which everyone's text is where the old one was; offsets, which are those of the old table, become those of the new. If
/// those who shared a text part, theirs follow each other; with Sharing::always they come together again when they are the same.
std::vector<std::byte> place_texts(View table, std::span<String* const> texts, Sharing sharing, Padding padding);

/// A table in which texts are in the order in which they come, equal ones once. The texts have to outlive it.
class TextTableWriter {
 public:
  /// The offset of a text, which goes after the others if it is not there yet.
  std::uint32_t add(std::string_view text);
  /// The same of a text that is not shared.
  std::uint32_t append(std::string_view text);
  std::vector<std::byte> take(Padding padding);

 private:
  std::vector<std::byte> bytes_;
  std::unordered_map<std::string_view, std::uint32_t> offsets_;
};

}  // namespace unshade::dxil::parts
