// Suites corrected in place: values that would have been right, and golden pictures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>

#include "cli/io/io.hpp"
#include "cli/testing/collection.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::testing {

/// The text of a suite with corrections in the places of the values that they name, all else as it was.
struct Corrected {
  std::string text;
  std::size_t values = 0;      ///< that were replaced
  std::vector<Error> refused;  ///< at values that cannot be replaced, or that tests would have different
};
/// What else the values of a suite are.
struct OtherValues {
  std::vector<std::uint64_t> kept;  ///< offsets of those that are expected and right
  /// suite::other_uses(); null: none.
  std::function<std::vector<suite::OtherUse>(std::span<const suite::TextRange>)> uses;
};
/// `name`: of the file, which tells the syntax. What is used for something else than the expectation that it corrects is refused. Errors:
/// those of the corrected text, if it cannot be read.
Result<Corrected> corrected(std::string_view name, std::string_view text, std::span<const suite::Correction> corrections,
                            const OtherValues& others = {});

/// Writes what the outcomes of a run with TestOptions::corrects say into suites and golden pictures. Reports what it wrote, and what it
/// could not.
Exit update(const Collection& tests, std::span<const suite::Outcome> outcomes, Io& io);

/// Adds the pictures of an outcome that are no golden ones to `files`, below a folder as `SUITE.CASE.u0.difference.png`. Reports faults.
Exit write_pictures(const suite::Outcome& outcome, const std::string& folder, write::PendingFiles& files, Io& io);

/// A text as a part of the name of a file.
std::string file_part(std::string_view name);

}  // namespace unshade::cli::testing
