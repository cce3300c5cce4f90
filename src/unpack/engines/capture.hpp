// Captures of RenderDoc, whose shaders lie in the bytes of the frame as the program gave them.
#pragma once

#include <unshade/unpack/archive.hpp>

namespace unshade::unpack {

/// Reads the sections of a capture: `forms` is `rdc`, and `lz4` or `zstd` if the section is compressed. src: baldurk/renderdoc,
/// renderdoc/serialise/rdcfile.cpp, lz4io.cpp, zstdio.cpp
void read_capture(Feed& packed, Budget& budget, const ArchiveReader& reader);

}  // namespace unshade::unpack
