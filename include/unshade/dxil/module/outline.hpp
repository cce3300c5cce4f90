// A module without its code: what its metadata says, in a part of the time.
#pragma once

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

/// parse_module() without attributes, names of values, kinds of attachments and the bodies of functions, which are declarations then.
Result<Module> parse_outline(View bitcode);

}  // namespace unshade::dxil::module
