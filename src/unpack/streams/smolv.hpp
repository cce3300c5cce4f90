// SMOL-V: SPIR-V in fewer bytes, as Unity stores its shaders for Vulkan.
#pragma once

#include <cstdint>
#include <memory>

#include <unshade/core/view.hpp>

namespace unshade::unpack {

class Decoder;

inline constexpr std::uint32_t kSmolvMagic = 0x534d'4f4c;
/// Whether a module of SMOL-V, versions 0 and 1, may begin here.
bool begins_smolv(View from);
/// Gives the SPIR-V, whose size the header states. Null if there is no memory. src: aras-p/smol-v, source/smolv.cpp (public domain)
std::unique_ptr<Decoder> make_smolv_decoder();

}  // namespace unshade::unpack
