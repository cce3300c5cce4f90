// What every form of an outcome says of failures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <unshade/suite/test.hpp>

namespace unshade::present::tests {

inline std::string at(std::string_view name, suite::Place place) {
  std::string made(name);
  if (place.line != 0) made += ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
  return made;
}

inline std::string sentence(const suite::Failure& failure) {
  return failure.expected.empty() && failure.actual.empty() ? failure.what
                                                            : failure.what + ": expected " + failure.expected + ", found " + failure.actual;
}

/// What is said of failures that an outcome counts but does not have; empty if it has all.
inline std::string more(const suite::Outcome& outcome) {
  const std::size_t hidden = outcome.failed - std::min<std::size_t>(outcome.failed, outcome.failures.size());
  return hidden == 0 ? "" : "... and " + std::to_string(hidden) + " more";
}

}  // namespace unshade::present::tests
