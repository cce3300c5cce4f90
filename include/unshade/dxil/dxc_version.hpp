// As which dxc a listing shall be printed: its text changed with its versions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>

namespace unshade::dxil {

/// A release of the DirectX Shader Compiler: 1.7.2207 is that of July 2022. What `dxc --version` prints after it counts builds.
struct DxcVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t release = 0;

  friend bool operator==(const DxcVersion&, const DxcVersion&) = default;
  constexpr bool before(const DxcVersion& other) const {
    if (major != other.major) return major < other.major;
    return minor != other.minor ? minor < other.minor : release < other.release;
  }
};

/// The releases, oldest first. 1.8.2306 is the preview that came before 1.8.2403. Source: tags of DXC's repository.
inline constexpr DxcVersion kDxcReleases[] = {
    {1, 4, 1907}, {1, 5, 2003}, {1, 5, 2010}, {1, 6, 2104}, {1, 6, 2106}, {1, 6, 2112}, {1, 7, 2207}, {1, 7, 2212}, {1, 7, 2308},
    {1, 8, 2306}, {1, 8, 2403}, {1, 8, 2405}, {1, 8, 2407}, {1, 8, 2502}, {1, 8, 2505}, {1, 9, 2602}, {1, 9, 2607}, {1, 10, 2605},
};

/// Reads `1.7`, the newest release of that number, `1.7.2207`, or `1.7.2207.3`, of which the count of builds does not matter. Errors:
/// bad_value if the text is no version; unsupported if it is older than the releases, newer, or none of them.
Result<DxcVersion> parse_dxc_version(std::string_view text);

/// The numbers and releases that it reads: `1.7`, `1.7.2207`.
std::vector<std::string> dxc_version_texts();

}  // namespace unshade::dxil
