// Optional features of Direct3D that instructions need, and the global flags that allow them.
#pragma once

#include <cstdint>
#include <string>

#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::program {

/// A set of features: the bits of SFI0, see dxcontainer/features.hpp.
using Features = std::uint64_t;
inline constexpr Features kDoubles = 1U << 0;
inline constexpr Features kRawStructured4 = 1U << 1;
inline constexpr Features kUavsEverywhere = 1U << 2;
inline constexpr Features k64Uavs = 1U << 3;
inline constexpr Features kMinPrecision = 1U << 4;
inline constexpr Features kDoubleExtensions = 1U << 5;
inline constexpr Features kShaderExtensions = 1U << 6;
inline constexpr Features kTiled = 1U << 8;
inline constexpr Features kStencilRef = 1U << 9;
inline constexpr Features kInnerCoverage = 1U << 10;
inline constexpr Features kRovs = 1U << 12;
inline constexpr Features kArrayIndex = 1U << 13;

/// Bits of dcl_globalFlags, which enum_text.hpp names.
inline constexpr std::uint32_t kFlagRefactoring = 1U << 0;
inline constexpr std::uint32_t kFlagDouble = 1U << 1;
inline constexpr std::uint32_t kFlagForceEarlyDepthStencil = 1U << 2;
inline constexpr std::uint32_t kFlagRawStructured = 1U << 3;
inline constexpr std::uint32_t kFlagMinPrecision = 1U << 5;
inline constexpr std::uint32_t kFlagDoubleExtensions = 1U << 6;
inline constexpr std::uint32_t kFlagShaderExtensions = 1U << 7;

/// The shader model of a program; the last of those known for what is newer.
ShaderModel model_of(const Program& program);
/// `4.1`
std::string model_text(ShaderModel model);

/// Whether the program's shader model has an opcode of the table without an optional feature.
bool is_in_model(Opcode opcode, const Program& program);

/// The features that an opcode needs in this program. Opcodes that its shader model lacks need none.
Features features_of(Opcode opcode, const Program& program);

/// What an instruction or declaration names beside its opcode and register files that the program's shader model lacks, and since which
/// it is: `texturecubearray, which needs shader model 4.1`; empty: nothing.
std::string model_fault(const Instruction& instruction, const Program& program);

}  // namespace unshade::dxbc::program
