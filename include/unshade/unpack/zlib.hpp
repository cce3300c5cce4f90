// zlib for the parts of debug files that are compressed: the library is handed it, as it brings none.
#pragma once

#include <unshade/dxil/source_info.hpp>

namespace unshade::unpack {

dxil::Inflate zlib_inflate();
dxil::Deflate zlib_deflate();

}  // namespace unshade::unpack
