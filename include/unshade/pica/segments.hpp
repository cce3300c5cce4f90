// The code of a program in procedures, as a listing shows it: where they begin, what they are called, whose they are.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

inline constexpr std::uint16_t kNoUnit = 0xffff;
/// Longer names are not used in code, so that a listing stays in proportion to its file.
inline constexpr std::size_t kNameLength = 48;

/// A stretch of words that becomes a procedure.
struct Segment {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::string name;
  std::uint16_t unit = kNoUnit;  ///< the executable that it is written below
  bool shared = false;           ///< names of that executable mean nothing to it
};

class Segments {
 public:
  /// `words`: the code, decoded.
  Segments(const Shbin& shbin, std::span<const Instruction> words);

  /// In the order of their addresses, which is that of their executables.
  std::span<const Segment> all() const { return all_; }
  /// The segment that holds an address; null if none does.
  const Segment* find(std::uint32_t address) const;
  /// The segment of exactly these words.
  const Segment* procedure(std::uint32_t start, std::uint32_t end) const;
  /// The name of a target of jumps within one executable's code; null for other addresses.
  const std::string* label(std::uint32_t address) const {
    const auto found = labels_.find(address);
    return found != labels_.end() ? &found->second : nullptr;
  }

 private:
  Segment* find(std::uint32_t address);
  /// Cuts the code into what is called or begun with, and what lies between. Calls of stretches that overlap keep their numbers.
  void split(const Shbin& shbin, std::span<const Instruction> words);
  void name(const Shbin& shbin);
  /// Each segment belongs to the first executable that reaches it; as executables are one after the other in the text, it may have to be
  /// written below a later one, and does without names there.
  void own(const Shbin& shbin, std::span<const Instruction> words);
  void label_targets(const Shbin& shbin, std::span<const Instruction> words);

  std::vector<Segment> all_;
  std::map<std::uint32_t, std::string> labels_;
};

}  // namespace unshade::pica
