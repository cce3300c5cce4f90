// Programs that break one rule each, as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace unshade::test {

struct TextCase {
  std::string_view id;    ///< of the rule; empty: none is broken
  std::string_view body;  ///< instructions
};
std::span<const TextCase> text_cases();
/// Whole programs, without signatures.
std::span<const TextCase> program_cases();

/// A compute shader with resources of all kinds, whose r0 is written.
std::string compute_program(std::string_view body);

}  // namespace unshade::test
