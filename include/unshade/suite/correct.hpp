// The text of a suite with the values that would have been right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>

namespace unshade::suite {

/// The text of a suite with corrections in the places of the values that they name, all else as it was.
struct Corrected {
  std::string text;
  std::size_t values = 0;      ///< that were replaced
  std::vector<Error> refused;  ///< at values that cannot be replaced, or that tests would have different
};
/// What else the values of a suite are.
struct OtherValues {
  std::vector<std::uint64_t> kept;  ///< offsets of those that are expected and right
  /// other_uses(); null: none.
  std::function<std::vector<OtherUse>(std::span<const TextRange>)> uses;
};
/// Reads a document by the ending of its name, as of SceneOptions.
using ReadDocument = Result<Value> (*)(std::string_view name, std::string_view text);

/// `name`: of the file, which tells the syntax. What is used for something else than the expectation that it corrects is refused. Errors:
/// those of the corrected text, if it cannot be read.
Result<Corrected> corrected(std::string_view name, std::string_view text, std::span<const Correction> corrections,
                            ReadDocument read_document, const OtherValues& others = {});

}  // namespace unshade::suite
