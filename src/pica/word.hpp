// The bit fields of instruction words: the one place that says where they lie. Decoder, encoder and documentation read them from here.
// src: docs/reference/formats/shbin.md, "Instructions"
#pragma once

#include <cstdint>

#include <unshade/core/tree.hpp>

namespace unshade::pica::word {

inline constexpr Bits kOpcode{"opcode", 26, 6};

// f1, f1u, f1i, f1c
inline constexpr Bits kDestination{"destination", 21, 5};
inline constexpr Bits kIndex{"index", 19, 2};
inline constexpr Bits kWide1{"source1", 12, 7};
inline constexpr Bits kNarrow2{"source2", 7, 5};
inline constexpr Bits kNarrow1{"source1", 14, 5};
inline constexpr Bits kWide2{"source2", 7, 7};
inline constexpr Bits kDescriptor{"descriptor", 0, 7};
inline constexpr Bits kCompareX{"compare_x", 24, 3};
inline constexpr Bits kCompareY{"compare_y", 21, 3};

// f2, f3
inline constexpr Bits kRefX{"ref_x", 25, 1};
inline constexpr Bits kRefY{"ref_y", 24, 1};
inline constexpr Bits kCondition{"condition", 22, 2};
inline constexpr Bits kUniform{"uniform", 22, 4};
inline constexpr Bits kTarget{"target", 10, 12};
/// Documents and emulators take 8 bits, picasso and aemstro write 10.
inline constexpr Bits kCount{"count", 0, 10};
inline constexpr std::uint32_t kDocumentedCount = 0xff;

// f4
inline constexpr Bits kVertex{"vertex", 24, 2};
inline constexpr Bits kPrimitive{"primitive", 23, 1};
inline constexpr Bits kInverted{"inverted", 22, 1};

// f5, f5i
inline constexpr Bits kMadDestination{"destination", 24, 5};
inline constexpr Bits kMadIndex{"index", 22, 2};
inline constexpr Bits kMadSource1{"source1", 17, 5};
inline constexpr Bits kMadWide2{"source2", 10, 7};
inline constexpr Bits kMadNarrow3{"source3", 5, 5};
inline constexpr Bits kMadNarrow2{"source2", 12, 5};
inline constexpr Bits kMadWide3{"source3", 5, 7};
inline constexpr Bits kMadDescriptor{"descriptor", 0, 5};

}  // namespace unshade::pica::word
