// What stripping of modules and stripping of parts have in common.
#pragma once

#include <unshade/dxil/edit.hpp>

namespace unshade::dxil::edit {

/// Whether strip_debug() would find something.
bool has_debug(const Module& module);
/// False if nothing was there.
bool strip(ModuleEdit& module, Strip what);

}  // namespace unshade::dxil::edit
