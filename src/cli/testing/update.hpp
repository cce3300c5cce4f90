// Suites corrected in place: values that would have been right, and golden pictures.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <unshade/suite/test.hpp>

#include "cli/io/io.hpp"
#include "cli/testing/collection.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::testing {

/// Writes what the outcomes of a run with TestOptions::corrects say into suites and golden pictures. Reports what it wrote, and what it
/// could not.
Exit update(const Collection& tests, std::span<const suite::Outcome> outcomes, Io& io);

/// Adds the pictures of an outcome that are no golden ones to `files`, below a folder as `SUITE.CASE.u0.difference.png`. Reports faults.
Exit write_pictures(const suite::Outcome& outcome, const std::string& folder, write::PendingFiles& files, Io& io);

/// A text as a part of the name of a file.
std::string file_part(std::string_view name);

}  // namespace unshade::cli::testing
