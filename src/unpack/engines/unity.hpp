// Bundles of Unity's assets.
#pragma once

#include <unshade/core/view.hpp>

#include <unshade/unpack/archive.hpp>

namespace unshade::unpack {

/// Reads the files of a bundle, `UnityFS` of versions 6 to 8, whose blocks are stored, of LZ4 or LZMA. The feed must be able to go
/// anywhere. src: K0lb3/UnityPy, files/BundleFile.py; Perfare/AssetStudio, BundleFile.cs
void read_unity_bundle(Feed& packed, Budget& budget, const ArchiveReader& reader);

/// Whether a file that begins with these bytes is a serialized file of Unity (`.assets`, and most members of bundles): by its header and
/// the version of Unity behind it. src: Perfare/AssetStudio, SerializedFile.cs: since version 22 of the format sizes have 64 bits
bool is_unity_serialized(View head);

}  // namespace unshade::unpack
