// Where instructions have what edits look at: words from an instruction's first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unshade::spirv::grammar {

/// The limit of an instruction: its length is a half word.
inline constexpr std::size_t kMostWords = 0xffff;
/// What names and decorations are of; the result of OpString and OpExtInstImport.
inline constexpr std::uint32_t kTargetWord = 1;
/// The first operand of an instruction of an extended set.
inline constexpr std::uint32_t kExtendedOperandsWord = 5;
/// In place of a member's index: the type itself.
inline constexpr std::uint32_t kNoMember = 0xffff'ffff;

}  // namespace unshade::spirv::grammar
