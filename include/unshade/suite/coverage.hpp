// Coverage of shaders by tests: of all suites together, by lines of sources, and as lcov reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/suite/suite.hpp>

namespace unshade::suite {

/// What tests ran of a text: of a source, or of a listing, whose lines are instructions.
struct CoveredText {
  std::string name;                              ///< of a source, as the compiler was given it
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

/// What tests ran of a function of a shader.
struct CoveredShader {
  SuiteRunner::Coverage coverage;  ///< of all suites together
  CoveredText listing;
  std::vector<CoveredText> sources;  ///< with the lines that instructions come from; none if the shader does not say
};

/// A shader that several suites test once; `shader` has to be a name that is the same in all of them.
std::vector<CoveredShader> covered_shaders(std::vector<SuiteRunner::Coverage> coverage);

/// A record of a tracefile. src: geninfo(1), "FILES"
std::string lcov_record(const CoveredText& text, std::string_view file);

}  // namespace unshade::suite
