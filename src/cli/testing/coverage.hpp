// Coverage of shaders by tests: listings with counts, as lcov reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/suite/suite.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/testing/collection.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::testing {

/// What tests ran of a function of a shader.
struct CoveredShader {
  suite::SuiteRunner::Coverage coverage;  ///< `shader` is the path of the file
  std::size_t instructions = 0;           ///< that are counted
  std::size_t executed = 0;
  std::size_t branches = 0;  ///< ways that branches can go
  std::size_t taken = 0;
};

/// What tests ran of a source file of a shader.
struct CoveredSource {
  std::string name;                              ///< as the compiler was given it
  std::map<std::uint32_t, std::uint64_t> lines;  ///< executions by waves: of the instruction of the line that ran most often
  struct Branch {
    std::uint32_t line = 0;
    std::vector<std::uint64_t> waves;  ///< as of vm::Profile
  };
  std::vector<Branch> branches;
  std::size_t executed = 0;  ///< of the lines
  std::size_t ways = 0;      ///< that branches can go
  std::size_t taken = 0;
};

/// Of all suites, a shader that several test once.
std::vector<CoveredShader> coverage_of(const Collection& tests);
/// By the lines that the instructions of a shader come from; empty if it does not say.
std::vector<CoveredSource> by_source(const CoveredShader& shader);

/// Records of a tracefile. Lines of the first are those of a listing: an instruction each. src: geninfo(1), "FILES"
std::string lcov_record(const CoveredShader& shader, std::string_view listing);
std::string lcov_record(const CoveredSource& source, std::string_view file);

/// Adds a tracefile to `files`, and beside it listings, `skin.vs.cso.lst`, and sources that shaders carry and that are not there as files.
/// `read` gets the names of the files of sources that are there. Reports faults.
Exit write_coverage(const std::vector<CoveredShader>& shaders, const std::string& path, std::vector<std::string>& read,
                    write::PendingFiles& files, Io& io);

/// A line for each shader.
void print_coverage(const std::vector<CoveredShader>& shaders, Printer& out);
void write_coverage(const std::vector<CoveredShader>& shaders, Json& json);

}  // namespace unshade::cli::testing
