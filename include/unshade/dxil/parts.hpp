// The small parts of a DXIL container: program header, debug name, hash, compiler version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {

/// Whether the FourCC is one of a part that holds bitcode after a program header: DXIL, ILDB, and STAT in a DXIL container.
bool is_program(std::uint32_t fourcc);

// Fields of the program version.
inline constexpr Bits kProgramMinor{"minor", 0, 4};
inline constexpr Bits kProgramMajor{"major", 4, 4};
inline constexpr Bits kProgramKind{"kind", 16, 16};  ///< a ShaderKind

/// From the magic `DXIL` to the bitcode, if nothing is between.
inline constexpr std::uint32_t kBitcodeHeaderBytes = 16;

/// DXIL, ILDB, STAT: a header of 24 bytes, and bitcode. src: DXC DxilContainer.h, DxilProgramHeader
struct Program {
  std::uint32_t program_version = 0;                   ///< shader model and stage
  std::uint32_t size_dwords = 0;                       ///< header and bitcode; write_program() counts if it is 0
  std::uint32_t dxil_version = 0;                      ///< [7:0] minor, [15:8] major
  std::uint32_t bitcode_offset = kBitcodeHeaderBytes;  ///< bytes from the magic `DXIL`, which is 8 bytes after the start of the part's data
  View before;                                         ///< bytes between header and bitcode; empty in what compilers write
  View bitcode;
  View behind;  ///< what is left of the part, at most 3 bytes in what compilers write

  ShaderKind kind() const { return static_cast<ShaderKind>(kProgramKind.get(program_version)); }
  std::uint32_t major() const { return kProgramMajor.get(program_version); }
  std::uint32_t minor() const { return kProgramMinor.get(program_version); }
  std::uint32_t dxil_major() const { return dxil_version >> 8 & 0xff; }
  std::uint32_t dxil_minor() const { return dxil_version & 0xff; }
};

/// Reads the part. Errors: bad_magic; truncated; out_of_range for bitcode that begins inside the header.
Result<Program> parse_program(const dxcontainer::Part& part);
/// Adds the part's fields to a tree; the bitcode is one leaf unless `with_bitcode` is false.
void record_program(const dxcontainer::Part& part, Tree& tree, std::uint32_t group, bool with_bitcode = true);
std::vector<std::byte> write_program(const Program& program);

/// `ps`, `vs`, ..., `lib` for all that live in libraries; empty for a kind without a profile.
std::string_view profile_prefix(ShaderKind kind);

/// The kind of the container's program, by the first of DXIL, ILDB, STAT that has one; invalid if none does.
ShaderKind program_kind(const dxcontainer::Container& container);

/// ILDN: the file name of the PDB. src: DXC DxilContainer.h, DxilShaderDebugName
struct DebugName {
  std::uint16_t flags = 0;
  std::string_view name;
  View terminator;  ///< a zero, and zeros up to a multiple of 4; if a model has none, they are written all the same
};
Result<DebugName> parse_debug_name(const dxcontainer::Part& part);
void record_debug_name(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
std::vector<std::byte> write_debug_name(const DebugName& name);

/// HASH: the MD5 of the bitcode. src: DXC DxilContainer.h, DxilShaderHash
struct ShaderHash {
  static constexpr std::uint32_t kIncludesSource = 1;  ///< it is that of the module with debug information (-Zss)
  std::uint32_t flags = 0;
  std::array<std::byte, 16> digest{};
  View extra;
};
inline constexpr NamedValue kHashFlagValues[] = {{ShaderHash::kIncludesSource, "includes_source"}};
inline constexpr NameTable kHashFlagNames{kHashFlagValues};
inline constexpr FieldType kHashFlags{FieldKind::flags, "hash flags", &kHashFlagNames};
Result<ShaderHash> parse_hash(const dxcontainer::Part& part);
void record_hash(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
std::vector<std::byte> write_hash(const ShaderHash& hash);

/// VERS: the compiler. src: DXC DxilContainer.h, DxilCompilerVersion
struct CompilerVersion {
  static constexpr std::uint32_t kDebug = 1;
  static constexpr std::uint32_t kInternal = 2;
  static constexpr std::uint32_t kUncounted = 0xffff'ffff;
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::uint32_t flags = 0;
  std::uint32_t commit_count = 0;
  std::uint32_t texts_bytes = kUncounted;  ///< as the file states them
  std::string_view commit;
  std::string_view custom;  ///< version as text: `1.8.2403.34`
  View padding;
};
/// Before its texts.
inline constexpr std::size_t kVersionHeaderBytes = 16;
// src: DXC dxcapi.h, DxcVersionInfoFlags
inline constexpr NamedValue kVersionFlagValues[] = {{CompilerVersion::kDebug, "debug"}, {CompilerVersion::kInternal, "internal"}};
inline constexpr NameTable kVersionFlagNames{kVersionFlagValues};
inline constexpr FieldType kVersionFlags{FieldKind::flags, "compiler version flags", &kVersionFlagNames};
Result<CompilerVersion> parse_compiler_version(const dxcontainer::Part& part);
void record_compiler_version(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
std::vector<std::byte> write_compiler_version(const CompilerVersion& version);

/// Adds the fields of a part that this room describes, or returns false. The container is DXIL: STAT is taken as a program. `kind`: that
/// of the container's program.
bool record_dxil_part(const dxcontainer::Part& part, ShaderKind kind, Tree& tree, std::uint32_t group);

}  // namespace unshade::dxil
