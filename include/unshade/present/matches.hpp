// The pairs of two versions of a program as JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <unshade/find/match.hpp>
#include <unshade/present/files.hpp>
#include <unshade/present/json.hpp>

namespace unshade::present {

/// Of a similarity, rounded down.
std::uint64_t percent(double similarity);

/// Matches of shaders, by the names of their files.
struct MatchedFiles {
  std::span<const std::string> before;
  std::span<const std::string> after;
  std::span<const find::Match> matches;           ///< of each of `before`
  std::function<bool(const find::Match&)> shows;  ///< whether a match is given
};
/// Which of `after` are the counterpart of one.
std::vector<bool> counterparts(const MatchedFiles& files);
/// The document: `unshade.match/1`.
void write_matches(const MatchedFiles& files, std::span<const Fault> faults, Json& json);

}  // namespace unshade::present
