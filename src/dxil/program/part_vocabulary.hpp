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
/// The first register, and the space, of resources of libraries before they are linked.
inline constexpr std::uint32_t kNotAllocated = 0xffff'ffff;
/// 0xffffffff if a range has no end. Counted around zero if the range is not allocated, as dxc writes it.
std::uint32_t last_register_of(const ProgramResource& resource);
/// In the order in which parts list them.
std::vector<const ProgramResource*> resources_in_order(const ProgramMetadata& program);

}  // namespace unshade::dxil::program
