// How parts beside the program name what its metadata say.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/metadata.hpp>

namespace unshade::dxil::program {

PsvResourceType psv_type(const ProgramResource& resource);
/// A flag of a resource in PSV0, from version 2 on.
inline constexpr std::uint32_t kUsedByAtomic64 = 1;
/// Flags of a resource of the kind uav in RDAT; those of its declaration, and that of its uses. src: DXC RDAT_LibraryTypes.inl,
/// DxilResourceFlag
inline constexpr std::uint32_t kDeclaredResourceFlags = 0x1 | 0x2 | 0x4 | 0x20;
inline constexpr std::uint32_t kResourceAtomics64 = 0x10;
std::uint32_t declared_flags(const ProgramResource& resource);
/// A flag of a function in RDAT. src: DXC RDAT_LibraryTypes.inl, DxilShaderFlags
inline constexpr std::uint16_t kNodeProgramEntry = 0x1;
/// A flag of a subobject of state objects: additions are allowed. src: DXC DxilConstants.h, StateObjectFlags
inline constexpr std::uint32_t kAllowAdditions = 0x4;
/// The first register, and the space, of resources of libraries before they are linked.
inline constexpr std::uint32_t kNotAllocated = 0xffff'ffff;
/// 0xffffffff if a range has no end. Counted around zero if the range is not allocated, as dxc writes it.
std::uint32_t last_register_of(const ProgramResource& resource);
/// In the order in which parts list them.
std::vector<const ProgramResource*> resources_in_order(const ProgramMetadata& program);

}  // namespace unshade::dxil::program
