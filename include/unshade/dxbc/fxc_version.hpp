// Which fxc wrote or shall write a listing: its format changed with its versions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace unshade::dxbc {

/// Version of the HLSL compiler, as its creator string gives it: `9.29.952.3111`, `10.1`. Numbers left out are 0.
/// `10.1.18362` is 10.1 as the Windows 10 SDK of that build has it; 10.1 alone has the habits of most listings by it
/// (docs/internals/dxbc_listing.md).
struct FxcVersion {
  std::array<std::uint32_t, 4> number{};

  friend bool operator==(const FxcVersion&, const FxcVersion&) = default;
  /// Whether this version was released before another: 9.x of the DirectX SDK and Windows 8, then 6.x of Windows 8.1, then 10.x.
  constexpr bool before(const FxcVersion& other) const { return order() < other.order(); }

 private:
  constexpr std::array<std::uint32_t, 5> order() const {
    return {number[0] == 9 ? 0U : number[0] == 6 ? 1U : 2U, number[0], number[1], number[2], number[3]};
  }
};

/// The version for a file without a creator string: the newest.
inline constexpr FxcVersion kNewestFxc{{10, 1, 0, 0}};

/// Versions whose listings differ, and those that their kits named in full.
inline constexpr std::string_view kFxcVersionTexts[] = {"9.29", "9.29.952.3111", "9.30", "9.30.9200.16384", "6.3",        "6.3.9600.16384",
                                                        "6.4",  "10.0",          "10.1", "10.1.17134",      "10.1.18362", "10.1.19041"};

/// Reads `9.29.952.3111` or `10.1`; nothing if the text is no version.
std::optional<FxcVersion> parse_fxc_version(std::string_view text);
/// The version that a creator string names: `Microsoft (R) HLSL Shader Compiler 10.1`; nothing if it names none.
std::optional<FxcVersion> fxc_version_of_creator(std::string_view creator);

}  // namespace unshade::dxbc
