// Suites written out as scripts of Amber.
#pragma once

#include <string>
#include <vector>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/testing/collection.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::testing {

struct WrittenScript {
  std::string test;    ///< `SUITE: CASE`
  std::string path;    ///< empty: it was not written
  std::string reason;  ///< why
};

/// Adds the tests of suites to `files`, below a folder as `SUITE.CASE.amber`. Reports faults of writing.
std::vector<WrittenScript> write_scripts(const Collection& tests, const std::string& folder, write::PendingFiles& files, Io& io,
                                         Exit& exit);

/// A line for each.
void print_scripts(const std::vector<WrittenScript>& scripts, Printer& out);
void write_scripts(const std::vector<WrittenScript>& scripts, Json& json);

}  // namespace unshade::cli::testing
