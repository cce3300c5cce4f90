// Shader libraries of Unreal Engine.
#pragma once

#include <unshade/core/view.hpp>

#include <unshade/unpack/archive.hpp>

namespace unshade::unpack {

/// Whether a file that begins with these bytes is a library (`.ushaderbytecode`) of Unreal Engine 4.25 and later: a version, and lists of
/// SHA-1.
bool is_unreal_library(View head);
/// Reads its shaders, which are stored, of LZ4 or of zlib, in the order of their bytes. Those of Oodle cannot be read, and are counted.
/// src: FabianFG/CUE4Parse, UE4/Shaders/FSerializedShaderArchive.cs
void read_unreal_library(Feed& packed, Budget& budget, const ArchiveReader& reader);

}  // namespace unshade::unpack
