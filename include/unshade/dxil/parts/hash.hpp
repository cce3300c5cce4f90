// Keeps the HASH part in step with the bitcode it is of.
#pragma once

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/edit.hpp>

namespace unshade::dxil {

/// The digest of HASH is the MD5 of the bitcode of a program part: of DXIL or, with ShaderHash::kIncludesSource, of ILDB as the compiler
/// had it. If it was right in `before`, and that part is another in `edit`, it is made right again. A hash of anything else, such as a
/// debug module that is gone, stays. Returns whether HASH changed. observed: right in all 668 files that have one, of DXIL each time.
bool update_hash(const dxcontainer::Container& before, dxcontainer::ContainerEdit& edit);

/// Makes HASH that of DXIL, unless it is right of DXIL or ILDB. Nothing if there is no HASH or no DXIL. Errors: those of parse_hash()
/// and parse_program().
Result<void> correct_hash(dxcontainer::ContainerEdit& edit);

}  // namespace unshade::dxil
