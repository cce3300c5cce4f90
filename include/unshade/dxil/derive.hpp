// Parts of a container that follow from its module: what dxc's container assembler writes beside the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/rdat.hpp>

namespace unshade::dxil {

struct DerivedPart {
  std::uint32_t fourcc = 0;
  std::vector<std::byte> data;
};

/// Of a module: SFI0, then ISG1, OSG1, PSG1 (where there are such elements) and PSV0, or RDAT of a library: in dxc's order, and laid out as
/// the dxc of the module's validator version does. Nothing of a module that is not one of DXIL. `before`: runtime data with the subobjects
/// of a library, which its module no longer has; or null. If these share so much that repeating it is out of proportion, there is no RDAT.
/// src: DXC DxilContainerAssembler.cpp
std::vector<DerivedPart> derive_parts(const ProgramMetadata& program, const Rdat* before = nullptr);

/// A container around bitcode, as dxc's assembler makes one of a module: the derived parts, the name of the debug file and ILDB if there
/// is debug information, HASH if the validator's version has one, and DXIL without debug information. Its digest is right. Errors: those
/// of parse_module; missing for a module that is not one of DXIL.
Result<std::vector<std::byte>> make_container(View bitcode);
/// The same of a program that was read already. `parts`: derive_parts() of its module.
Result<std::vector<std::byte>> make_container(const ProgramMetadata& program, View bitcode, std::vector<DerivedPart> parts);

/// Keeps derived parts of a container in step with a module.
struct DerivedChanges {
  struct Change {
    std::uint32_t fourcc = 0;
    std::vector<std::byte> data;
    bool removed = false;  ///< the module has nothing of it any more
  };
  std::vector<Change> parts;       ///< those that differ
  std::vector<std::string> notes;  ///< parts that were not as dxc writes them, and are made anew
};
/// What has to change in a container when another module takes the place of `before`: parts that say the same of both stay as they are,
/// whoever wrote them.
DerivedChanges derive_changes(const dxcontainer::Container& container, const Module& before, const Module& now);

}  // namespace unshade::dxil
