// Transferable shader caches of the emulators Citra and Azahar: memories of PICA200 programs, of which SHBINs are made.
// Source: docs/reference/formats/azahar.md
#pragma once

#include <unshade/core/view.hpp>

#include <unshade/unpack/archive.hpp>

namespace unshade::unpack {

/// Whether a file that begins with these bytes is the cache of the OpenGL renderer, `opengl/transferable/*.bin`.
bool is_opengl_cache(View head);
void read_opengl_cache(Feed& packed, Budget& budget, const ArchiveReader& reader);

/// The same of the Vulkan renderer, `vulkan/transferable/*.vkch`, which holds SPIR-V too. The feed must be able to go anywhere.
bool is_vulkan_cache(View head);
void read_vulkan_cache(Feed& packed, Budget& budget, const ArchiveReader& reader);

}  // namespace unshade::unpack
