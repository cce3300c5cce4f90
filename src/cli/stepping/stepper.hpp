// Stepping through a session on a terminal, or by commands from a pipe.
#pragma once

#include <unshade/present/run/stepper.hpp>
#include <unshade/run/session.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::stepping {

/// Reads commands from standard input, one a line, and obeys them. Failed if a command was wrong.
Exit step_through(run::Session& session, const present::SteppedListing& listing, bool as_json, Io& io);

}  // namespace unshade::cli::stepping
