// Suites written out as scripts of Amber.
#pragma once

#include <string>
#include <vector>

#include <unshade/present/tests.hpp>

#include "cli/io/io.hpp"
#include "cli/testing/collection.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::testing {

/// Adds the tests of suites to `files`, below a folder as `SUITE.CASE.amber`. Reports faults of writing.
std::vector<present::WrittenScript> write_scripts(const Collection& tests, const std::string& folder, write::PendingFiles& files, Io& io,
                                                  Exit& exit);

}  // namespace unshade::cli::testing
