// Coverage of shaders by tests: listings with counts, as lcov reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/suite/suite.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/testing/collection.hpp"

namespace unshade::cli::testing {

/// What tests ran of a function of a shader.
struct CoveredShader {
  suite::SuiteRunner::Coverage coverage;  ///< `shader` is the path of the file
  std::size_t instructions = 0;           ///< that are counted
  std::size_t executed = 0;
  std::size_t branches = 0;  ///< ways that branches can go
  std::size_t taken = 0;
};

/// Of all suites, a shader that several test once.
std::vector<CoveredShader> coverage_of(const Collection& tests);

/// A record of a tracefile. Lines are those of a listing: an instruction each. src: geninfo(1), "FILES"
std::string lcov_record(const CoveredShader& shader, std::string_view listing);

/// Writes a tracefile, and listings beside it: `skin.vs.cso.lst`. Reports faults.
Exit write_coverage(const std::vector<CoveredShader>& shaders, const std::string& path, Io& io);

/// A line for each shader.
void print_coverage(const std::vector<CoveredShader>& shaders, Printer& out);
void write_coverage(const std::vector<CoveredShader>& shaders, Json& json);

}  // namespace unshade::cli::testing
