// What validation has to say: findings with stable rule ids, and the type that only validation makes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>

namespace unshade {

enum class Severity : std::uint8_t { note, warning, error };

std::string_view id(Severity severity);

/// A rule of some format: its id is stable, documented and tested.
struct Rule {
  std::string_view id;  ///< `isgn.mask-overlap`: the part or room, then the fault
  Severity severity;
  std::string_view summary;  ///< one sentence: what has to hold, and why
};

/// One finding.
struct Diagnostic {
  const Rule* rule = nullptr;
  std::uint64_t offset = 0;  ///< bytes from the start of the file
  std::string path;
  std::string message;
};

/// `0x1c: error[isgn.mask-overlap]: ISGN/elements[3]: message`, without the file's name in front.
std::string to_string(const Diagnostic& diagnostic);

/// True if any finding is an error.
bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace unshade
