// Every bound that protects a reader from its input, in one place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unshade::limits {

/// Largest file that is opened. Offsets in every format we read are 32 bits wide.
inline constexpr std::uint64_t kFileBytes = 0x7fff'ffff;

/// How deep records may nest (struct types, groups of fields). fxc's own limit on nested structs is far below.
inline constexpr unsigned kNesting = 64;

/// How deep an operand may index by operands that are themselves indexed. fxc writes two levels.
inline constexpr unsigned kOperandNesting = 4;

/// How many parts a container may have. Those seen have 11 at most; parts may lie inside each other, so that a small file could have any
/// number of large ones.
inline constexpr std::uint32_t kParts = 4096;

/// How many fields the tree of a file may have: `size / kTreeBytes * kTreeFields + kTreeBase`. Real files have 0.39 a byte at most.
inline constexpr std::size_t kTreeFields = 5;
inline constexpr std::size_t kTreeBytes = 8;
inline constexpr std::size_t kTreeBase = 4096;

/// How many resources a program may declare. Direct3D 11 binds 222 to a stage at most. src: d3d11.h, D3D11_COMMONSHADER_*_SLOT_COUNT
inline constexpr std::size_t kDeclaredResources = 4096;

/// A reader may look at no more than `kWorkPerByte * size + kWorkBase` bytes of a part. Records that share bytes (types, strings) are
/// read more than once, so this is over 1 (real parts need 2 at most); tables that overlap on purpose to multiply themselves run into it.
inline constexpr std::size_t kWorkPerByte = 4;
inline constexpr std::size_t kWorkBase = 4096;

/// Types are shared, so that nested structs can expand to far more text than the part has bytes. If the text of a part's buffers grows
/// beyond `kExpandedTextPerByte * size + kExpandedTextBase` characters, structs print as `...`. Real files need 3 at most.
inline constexpr std::size_t kExpandedTextPerByte = 12;
inline constexpr std::size_t kExpandedTextBase = std::size_t{1} << 18;

/// Names of SPIR-V ids are made of other names, and printed at each use. All names of a module together may have
/// `kNameTextPerByte * size + kNameTextBase` characters, and so may those that are longer than kNameCharacters where they are printed; what
/// is beyond is printed as a number. Real modules need 2 at most.
inline constexpr std::size_t kNameTextPerByte = 16;
inline constexpr std::size_t kNameTextBase = std::size_t{1} << 16;
inline constexpr std::size_t kNameCharacters = 256;

/// A bitstream may have no more operands than `kBitstreamOperandsPerByte * size + kBitstreamBase`. Real files have 0.9 a byte at most;
/// arrays of single bits and abbreviations of nothing but constants have more.
inline constexpr std::size_t kBitstreamOperandsPerByte = 2;
inline constexpr std::size_t kBitstreamBase = 4096;

/// How many operands an abbreviation may have. LLVM's own have 13 at most.
inline constexpr std::size_t kAbbreviationOperands = 256;

/// How many bytes of memory the models of bitcode may take: `kModelPerByte * size + kModelBase`. Real files need half of that at most; an
/// addition of 2.5 bytes becomes an instruction of 72.
inline constexpr std::size_t kModelPerByte = 24;
inline constexpr std::size_t kModelBase = std::size_t{1} << 17;

/// How deep types and constants of a DXIL module may nest in its listing. Real ones stay below 10.
inline constexpr unsigned kIrNesting = 256;

/// The listing of a DXIL module may have no more than `kListingTextPerByte * size + kListingTextBase` characters, `size` being that of the
/// file: names, types and constants are shared there and written out each time. Real files have 12 a byte at most.
inline constexpr std::size_t kListingTextPerByte = 18;
inline constexpr std::size_t kListingTextBase = std::size_t{1} << 18;

/// What the reflection of a DXIL file holds may weigh `kReflectedPerByte * size + kReflectedBase`: a character of a name 1, a record 4.
/// Real files need less than 1 a byte.
inline constexpr std::size_t kReflectedPerByte = 4;
inline constexpr std::size_t kReflectedBase = std::size_t{1} << 16;

/// Largest text of a root signature, or source that holds one, in bytes.
inline constexpr std::size_t kRootSignatureText = std::size_t{1} << 22;

/// zlib makes 1032 bytes at most out of one. The sources of a shader may be `kInflatedPerByte * size + kInflatedBase` and kInflatedBytes:
/// HLSL is a tenth of its size when it is compressed.
inline constexpr std::size_t kInflateRatio = 1032;
inline constexpr std::size_t kInflatedPerByte = 64;
inline constexpr std::size_t kInflatedBase = std::size_t{1} << 24;
inline constexpr std::size_t kInflatedBytes = std::size_t{1} << 28;

/// What a document describes may have `kBuiltBytesPerWeight` bytes for each value and character of text, and kBuiltBytesBase more: a place
/// that is stated far away must not cost memory. Real documents need less than 4.
inline constexpr std::uint64_t kBuiltBytesPerWeight = 16;
inline constexpr std::uint64_t kBuiltBytesBase = std::uint64_t{1} << 16;

/// Largest source text in which arrays of numbers are looked for, in bytes: it takes five for one of the shader.
inline constexpr std::uint64_t kSourceTextBytes = std::uint64_t{1} << 28;

/// How many arrays of numbers are looked for in a source text.
inline constexpr std::size_t kSourceArrays = std::size_t{1} << 16;

/// Zeros that LLVM's documents may ask for by the sizes of parts, whatever their own size: such parts have no contents there.
inline constexpr std::uint64_t kZeroFilledBytes = std::uint64_t{1} << 26;

/// How deep lists and maps of a document may nest. Those made here have 10 levels.
inline constexpr unsigned kDocumentNesting = 48;

/// Comparing two shaders: how many insertions and deletions one stretch of lines may need before it counts as replaced as a whole (the
/// search keeps four bytes times the square of it), how many steps all searches may take together, and how many fields of each side's
/// interface are compared (types are shared, so that few bytes can nest into many).
inline constexpr std::uint32_t kDiffEdits = 1024;
inline constexpr std::uint64_t kDiffSteps = std::uint64_t{1} << 27;
inline constexpr std::size_t kDiffFields = std::size_t{1} << 18;

/// How many states of program counter and stacks a PICA200 program may have: calls are copied to where they are made, so that four levels
/// of them multiply. Programs of the corpus have less than 2 for each word. Short programs may have kPicaStatesPerWord for each word and
/// kPicaStatesBase more.
inline constexpr std::size_t kPicaStates = std::size_t{1} << 14;
inline constexpr std::size_t kPicaStatesPerWord = 32;
inline constexpr std::size_t kPicaStatesBase = 256;

/// How many instructions (after calls are inlined) and blocks a function of the IR may have, and how many bytes the variables of a space.
/// What a lowering makes is in proportion to the program as well (ir/sizes.hpp).
inline constexpr std::size_t kIrInstructions = std::size_t{1} << 22;
inline constexpr std::size_t kIrBlocks = std::size_t{1} << 20;
inline constexpr std::size_t kIrSpaceBytes = std::size_t{1} << 26;

/// How many phis the variables of a function may need: each of them one where paths meet, so that few bytes can ask for very many.
inline constexpr std::size_t kIrPhis = std::size_t{1} << 21;

/// Characters of a message that a shader prints, and bytes of all messages of a module: few instructions can name one long string very
/// often. Of a longer one the beginning is shown. Widths and precisions of its conversions are cut off at the last.
inline constexpr std::size_t kMessageCharacters = 1024;
inline constexpr std::size_t kMessageBytes = std::size_t{1} << 20;
inline constexpr unsigned kMessageWidth = 255;

/// Bodies of DXBC functions are copied to where they are called: how many blocks a program may become (how many instructions:
/// ir/sizes.hpp), and how deep calls may nest. src: functional specification of Direct3D 11.3, 22.7.10
inline constexpr std::uint32_t kInlinedBlocks = 0xfff0;
inline constexpr unsigned kCallDepth = 32;

/// Elements of all signatures of a program that is lowered; 32 registers of 4 components in 4 streams are 512.
inline constexpr std::size_t kSignatureElements = 2048;

/// Bytes that the variables of one space may take in a module. Direct3D has 64 KiB of temporaries and 32 KiB of group memory.
inline constexpr std::uint32_t kVariableBytes = std::uint32_t{1} << 20;
inline constexpr std::size_t kDeclaredVariables = 4096;

}  // namespace unshade::limits
