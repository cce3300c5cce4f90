// A session of stepping on a terminal, or by commands from a pipe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/run/session.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::stepping {

/// The listing whose lines a session tells.
struct SteppedListing {
  std::vector<std::string> lines;
  std::vector<std::optional<std::uint64_t>> offsets;  ///< in the file, of the instruction in each line
};
Result<SteppedListing> list_for_stepping(const shader::Shader& shader);

/// Reads commands from standard input, one a line, and obeys them; as JSON, each that moves is answered by the session's state. Failed if a
/// command was wrong.
Exit step_through(run::Session& session, const SteppedListing& listing, bool as_json, Io& io);

}  // namespace unshade::cli::stepping
