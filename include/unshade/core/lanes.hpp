// The four components of a register: sets of them, and rearrangements.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace unshade {

inline constexpr std::string_view kComponentLetters = "xyzw";
inline constexpr unsigned kComponents = 4;

/// `x` for 0 to `w` for 3; components further on begin again.
constexpr char component_letter(unsigned component) { return kComponentLetters[component % kComponents]; }
/// The component of a letter of `xyzw`.
constexpr std::optional<unsigned> find_component(char letter) {
  const auto at = kComponentLetters.find(letter);
  return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<unsigned>(at));
}

/// A set of components; bit 0 is x.
class WriteMask {
 public:
  constexpr WriteMask() = default;
  /// Of the low four bits.
  constexpr explicit WriteMask(std::uint64_t bits) : bits_(static_cast<std::uint8_t>(bits & 0xf)) {}

  static constexpr WriteMask all() { return WriteMask(0xf); }
  static constexpr WriteMask of(unsigned component) { return WriteMask(1U << component); }
  /// x and those that follow, `count` in all.
  static constexpr WriteMask first_components(unsigned count) { return WriteMask((1U << count) - 1); }

  constexpr std::uint8_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool contains(unsigned component) const { return (bits_ >> component & 1) != 0; }
  constexpr unsigned count() const { return static_cast<unsigned>(std::popcount(bits_)); }
  /// The lowest component; 4 if there is none.
  constexpr unsigned first() const { return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(bits_ | 0x10))); }

  /// Over the components, in order.
  class Iterator {
   public:
    constexpr explicit Iterator(unsigned rest) : rest_(rest) {}
    constexpr unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(rest_)); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    unsigned rest_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

  /// `xyw`; empty for no components.
  constexpr std::string_view text() const;
  /// The same from w to x, as formats have it that keep x in the highest bit.
  constexpr WriteMask reversed() const {
    return WriteMask((contains(3) ? 1U : 0U) | (contains(2) ? 2U : 0U) | (contains(1) ? 4U : 0U) | (contains(0) ? 8U : 0U));
  }
  /// A place for each component, with `absent` if the set does not have it: `xy w`.
  std::string columns(char absent) const {
    std::string text(kComponents, absent);
    for (const unsigned c : *this) text[c] = component_letter(c);
    return text;
  }
  /// Letters of `xyzw` in their order.
  static constexpr std::optional<WriteMask> parse(std::string_view letters) {
    WriteMask mask;
    for (const char letter : letters) {
      const auto component = find_component(letter);
      if (!component || mask.bits_ >> *component != 0) return std::nullopt;
      mask = mask | of(*component);
    }
    return mask;
  }

  friend constexpr WriteMask operator|(WriteMask a, WriteMask b) { return WriteMask(a.bits_ | b.bits_); }
  friend constexpr WriteMask operator&(WriteMask a, WriteMask b) { return WriteMask(a.bits_ & b.bits_); }
  constexpr bool operator==(const WriteMask&) const = default;

 private:
  std::uint8_t bits_ = 0;
};

/// Which component of a source is in each place; two bits a place, x lowest.
class Swizzle {
 public:
  constexpr Swizzle() = default;
  /// Of the low eight bits.
  constexpr explicit Swizzle(std::uint32_t bits) : bits_(static_cast<std::uint8_t>(bits & 0xff)) {}

  static constexpr Swizzle broadcast(unsigned component) { return Swizzle(0x55 * (component & 3)); }

  constexpr std::uint8_t bits() const { return bits_; }
  constexpr unsigned operator[](unsigned place) const { return bits_ >> (2 * place) & 3U; }
  constexpr bool is_identity() const { return *this == Swizzle(); }
  constexpr bool is_broadcast() const { return *this == broadcast((*this)[0]); }
  /// The same places from w to x, as formats have it that keep x in the highest bits.
  constexpr Swizzle reversed() const { return Swizzle((*this)[3] | (*this)[2] << 2 | (*this)[1] << 4 | (*this)[0] << 6); }
  /// The components of the source that these places take.
  constexpr WriteMask read(WriteMask places) const {
    WriteMask mask;
    for (const unsigned place : places) mask = mask | WriteMask::of((*this)[place]);
    return mask;
  }

  /// Four letters.
  constexpr std::string_view text() const;
  /// One to four letters of `xyzw`; the last is in the places that follow, too.
  static constexpr std::optional<Swizzle> parse(std::string_view letters) {
    if (letters.empty() || letters.size() > kComponents) return std::nullopt;
    std::uint32_t bits = 0;
    for (unsigned place = 0; place < kComponents; ++place) {
      const auto component = find_component(letters[place < letters.size() ? place : letters.size() - 1]);
      if (!component) return std::nullopt;
      bits |= *component << (2 * place);
    }
    return Swizzle(bits);
  }

  constexpr bool operator==(const Swizzle&) const = default;

 private:
  std::uint8_t bits_ = 0xe4;
};

namespace lanes {

struct Letters {
  char text[kComponents];
  std::uint8_t size;
};
inline constexpr auto kMaskTexts = [] {
  std::array<Letters, 16> texts{};
  for (unsigned bits = 0; bits < texts.size(); ++bits)
    for (const unsigned c : WriteMask(bits)) texts[bits].text[texts[bits].size++] = component_letter(c);
  return texts;
}();
inline constexpr auto kSwizzleTexts = [] {
  std::array<std::array<char, kComponents>, 256> texts{};
  for (unsigned bits = 0; bits < texts.size(); ++bits)
    for (unsigned place = 0; place < kComponents; ++place) texts[bits][place] = component_letter(Swizzle(bits)[place]);
  return texts;
}();

}  // namespace lanes

constexpr std::string_view WriteMask::text() const { return {lanes::kMaskTexts[bits_].text, lanes::kMaskTexts[bits_].size}; }
constexpr std::string_view Swizzle::text() const { return {lanes::kSwizzleTexts[bits_].data(), kComponents}; }

}  // namespace unshade
