// Findings of validation as SARIF.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/present/files.hpp>
#include <unshade/present/json.hpp>

namespace unshade::present {

/// A file and its findings. The rules are the library's, which are never freed.
struct FileFindings {
  std::string file;
  std::vector<Diagnostic> findings;
};

/// Who found them, and where.
struct SarifTool {
  std::string_view version;  ///< of unshade
  std::string_view help;     ///< the page that describes rules: a rule's id follows it, after `#`
  std::string folder;        ///< that relative names of files are below, absolute; empty: not known
};

/// A whole document of SARIF 2.1.0, with regions by byteOffset. The invocation repeats the errors that kept files from being checked.
void write_sarif(const SarifTool& tool, std::span<const FileFindings> files, std::span<const Rule* const> rules,
                 std::span<const Fault> faults, Json& json);

}  // namespace unshade::present
