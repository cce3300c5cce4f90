// The first four bytes of every format that is looked for, and one pass over bytes that finds them all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/find/carve.hpp>

namespace unshade::find {

inline constexpr std::size_t kNeedleBytes = 4;

struct Needle {
  std::array<std::uint8_t, kNeedleBytes> bytes;
  Form form;
};

constexpr Needle needle(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d, Form form) { return {{a, b, c, d}, form}; }

inline constexpr std::array kNeedles = {
    needle('D', 'X', 'B', 'C', Form::container),    // DXContainer
    needle(0x03, 0x02, 0x23, 0x07, Form::spirv),    // the lowest byte first
    needle(0x07, 0x23, 0x02, 0x03, Form::spirv),    // the highest byte first
    needle('D', 'V', 'L', 'B', Form::shbin),        // SHBIN
    needle('V', 'B', 'C', 1, Form::vbc),            // with the version
    needle('B', 'C', 0xc0, 0xde, Form::bitcode),    // LLVM
    needle(0xde, 0xc0, 0x17, 0x0b, Form::bitcode),  // LLVM's wrapper
    needle('M', 'i', 'c', 'r', Form::database),     // Microsoft C/C++ MSF 7.00
};

/// Where one of the needles is.
struct Candidate {
  std::size_t offset = 0;  ///< bytes from the start of what was searched
  Form form{};
};

/// A pass for an instruction set. Adds the candidates of `bytes` in the order of their offsets.
struct NeedlePass {
  std::string_view id;  ///< `portable`, `sse2`, `avx2`, `neon`
  void (*run)(std::span<const std::byte> bytes, std::vector<Candidate>& candidates);
};

/// Those that this machine can run, the fastest last.
std::span<const NeedlePass> needle_passes();

/// The fastest.
void find_needles(View bytes, std::vector<Candidate>& candidates);

}  // namespace unshade::find
