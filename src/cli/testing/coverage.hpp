// Coverage of shaders by tests in files: listings with counts, as lcov reads them.
#pragma once

#include <string>
#include <vector>

#include <unshade/present/tests.hpp>

#include "cli/io/io.hpp"
#include "cli/testing/collection.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::testing {

using present::print_coverage;
using present::write_coverage;
using suite::CoveredShader;

inline std::vector<CoveredShader> coverage_of(const Collection& tests) { return suite::covered_shaders(tests.coverage()); }

/// Adds a tracefile to `files`, and beside it listings, `skin.vs.cso.lst`, and sources that shaders carry and that are not there as files.
/// `read` gets the names of the files of sources that are there. Reports faults.
Exit write_coverage(const std::vector<CoveredShader>& shaders, const std::string& path, std::vector<std::string>& read,
                    write::PendingFiles& files, Io& io);

}  // namespace unshade::cli::testing
