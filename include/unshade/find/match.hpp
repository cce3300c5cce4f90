// Which shader of one build is which of another one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/find/sketch.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::find {

/// What a shader is compared by.
struct Fingerprint {
  shader::Family family = shader::Family::unknown;
  std::string stage;                               ///< `pixel`; only shaders of the same stage are paired
  std::array<std::byte, 16> bytes{};               ///< a digest of the file
  std::optional<std::array<std::byte, 16>> code;   ///< of its code alone
  std::optional<std::array<std::byte, 16>> plain;  ///< of its code without names, constants and numbers
  std::optional<Sketch> sketch;
  std::vector<std::uint64_t> plain_lines;  ///< checksums of the lines of plain_code(), in ascending order
  std::vector<std::uint64_t> lines;        ///< of those of the listing with its tables
};
Fingerprint fingerprint(const shader::Shader& shader);

/// How two shaders were recognized as one.
enum class MatchKind : std::uint8_t {
  same,   ///< all bytes are the same
  code,   ///< the code is
  plain,  ///< it is but for names, constants, registers
  alike,  ///< the code has lines in common
  none,
};
/// `same`, ...
std::string_view id(MatchKind kind);

/// A shader that may be the one.
struct Counterpart {
  std::size_t index = 0;  ///< among the new ones
  MatchKind kind = MatchKind::alike;
  double similarity = 0;  ///< from 0 to 1: the part of the lines that both have
};

struct Match {
  std::vector<Counterpart> counterparts;  ///< the best first; empty if there is none
  bool ambiguous = false;                 ///< another one, of other bytes, is as good, or nearly so
};

struct MatchOptions {
  double threshold = 0.5;  ///< what is less similar is no counterpart
  std::size_t most = 4;    ///< counterparts of each
};

/// A counterpart is nearly as good as another one if their similarities differ by less.
inline constexpr double kAmbiguous = 0.02;

/// The counterparts of each of the old ones. A new one is the first counterpart of one old one, where the next one is
/// nearly as similar: that which is more alike has it. What differs completely is not compared: time grows with the number of shaders, not
/// with its square.
std::vector<Match> match(std::span<const Fingerprint> before, std::span<const Fingerprint> after, const MatchOptions& options = {});

}  // namespace unshade::find
