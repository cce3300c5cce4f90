// Collects what validation finds, within bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/diagnostic.hpp>

namespace unshade {

/// Of every family: what the limits left out.
inline constexpr Rule kFindingsMore{"findings.more", Severity::note,
                                    "The limit on findings is reached: the message gives the number of those left out."};

/// Findings of one file. A rule is listed kPerRule times at most, all together in proportion to the file, so that a file made to break
/// every rule everywhere costs no more than a good one.
class Findings {
 public:
  /// `begin`: what offsets count from, if that is not the start of the file.
  explicit Findings(std::size_t file_bytes, std::uint64_t begin = 0) : room_(kBase + file_bytes / kBytesPerFinding), begin_(begin) {}

  /// Notes a breach of `rule` at `offset`, in bytes.
  void add(const Rule& rule, std::uint64_t offset, std::string path, std::string message);
  /// How often rules were broken whose severity is error.
  std::size_t errors() const;
  /// Everything found, in the order of the offsets; then empty.
  std::vector<Diagnostic> take();

 private:
  static constexpr std::size_t kPerRule = 32;
  static constexpr std::size_t kBase = 64;
  static constexpr std::size_t kBytesPerFinding = 32;

  struct Count {
    const Rule* rule;
    std::size_t seen;
  };
  std::vector<Diagnostic> list_;
  std::vector<Count> counts_;
  std::size_t room_;
  std::uint64_t begin_;
};

}  // namespace unshade
