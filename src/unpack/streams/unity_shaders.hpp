// What a shader of Unity keeps of its programs: lists of platforms, offsets and sizes, and a blob of segments of LZ4.
#pragma once

#include <cstdint>
#include <memory>

#include <unshade/core/view.hpp>

namespace unshade::unpack {

class Decoder;

/// A shader is built for so many platforms at most.
inline constexpr std::uint8_t kMostPlatforms = 12;
/// Whether the fields `platforms`, `offsets`, `compressedLengths`, `decompressedLengths` and `compressedBlob` of a Shader may begin here.
bool begins_unity_shader(View from);
/// Gives what all segments hold, in the order of the blob. The lists are of numbers up to Unity 2019.2, and of lists of numbers since. Null
/// if there is no memory. src: Perfare/AssetStudio, ShaderConverter.cs; AssetRipper, ShaderSubProgramBlob.cs
std::unique_ptr<Decoder> make_unity_shader_decoder();

}  // namespace unshade::unpack
