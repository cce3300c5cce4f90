// What the code that an entry point reaches reads and writes.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// Masks have bit 0 for x. An instruction whose descriptor is missing reads and writes all components.
struct Usage {
  std::vector<bool> reached;  ///< of each word
  std::array<std::uint8_t, kInputs> inputs{};
  std::array<std::uint8_t, kOutputs> outputs{};
  std::bitset<kFloatConstants> constants;  ///< read without an index
  std::bitset<kFloatConstants> bases;      ///< read with one: indexed_constants() are those it may lead to
  std::uint16_t integers = 0;              ///< bit n: in is read
  std::uint16_t booleans = 0;
  bool emits = false;
  bool sets_emit = false;
  bool runs_off = false;  ///< a path leads beyond the last word without `end`
};

/// Following the paths of many executables through the same code is given up if it comes to more words than this.
inline constexpr std::uint64_t kUsageWords = std::uint64_t{1} << 22;

/// The constants that reads with an index may lead to: those of the array that the base is in, by the uniforms' names; of a base that is in
/// none, all.
std::bitset<kFloatConstants> indexed_constants(const Usage& usage, const Tables& tables);

/// What is read and written on all paths from word `entry` of the code, through calls. A word out of bounds ends a path.
Usage usage_of(const std::vector<std::uint32_t>& code, const std::vector<Descriptor>& descriptors, std::uint32_t entry);

}  // namespace unshade::pica
