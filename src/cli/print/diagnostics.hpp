// Findings of validation as SARIF.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <unshade/core/diagnostic.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"

namespace unshade::cli::print {

/// A file and its findings. The rules are the library's, which are never freed.
struct FileFindings {
  std::string file;
  std::vector<Diagnostic> findings;
};

/// A whole document of SARIF 2.1.0, with regions by byteOffset.
/// The invocation repeats the errors that kept files from being checked.
void write_sarif(std::span<const FileFindings> files, std::span<const Rule* const> rules, std::span<const Fault> faults, Json& json);

}  // namespace unshade::cli::print
