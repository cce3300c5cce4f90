#include "cli/unpack/packings.hpp"

#include <algorithm>
#include <iterator>

#include "cli/unpack/azahar.hpp"
#include "cli/unpack/capture.hpp"
#include "cli/unpack/chrome_cache.hpp"
#include "cli/unpack/unity.hpp"
#include "cli/unpack/unreal.hpp"

namespace unshade::cli::unpack {

namespace {

using namespace std::string_view_literals;

constexpr Packing kPackings[] = {
    {"zip", 0, "PK\x03\x04"sv},
    {"7zip", 0, "7z\xbc\xaf\x27\x1c"sv, true},
    {"rar", 0, "Rar!\x1a\x07"sv, true},
    {"cab", 0, "MSCF\0\0\0\0"sv},
    {"tar", 257, "ustar"sv},
    {"ar", 0, "!<arch>\n"sv},
    {"cpio", 0, "070701"sv},
    {"cpio", 0, "070702"sv},
    {"iso9660", 0x8001, "CD001"sv},
    {"gzip", 0, "\x1f\x8b\x08"sv},
    {"bzip2", 0, "BZh"sv},
    {"xz", 0,
     "\xfd"
     "7zXZ\0"sv},
    {"lzip", 0, "LZIP\x01"sv},
    {"zstd", 0, "\x28\xb5\x2f\xfd"sv},
    {"lz4", 0, "\x04\x22\x4d\x18"sv},
    {"rdc", 0, "RDOC\0\0\0\0"sv, false, nullptr, read_capture},
    {"unityfs", 0, "UnityFS\0"sv, true, nullptr, read_unity_bundle},
    {"ushaderlib", 0, "\x02\0\0\0"sv, false, is_unreal_library, read_unreal_library},
    {"azahar", 0, "\x01\0\0\0\0\0\0\0"sv, false, is_opengl_cache, read_opengl_cache},
    {"vkch", 16, "VKCH"sv, true, is_vulkan_cache, read_vulkan_cache},
    {"sqlite", 0, "SQLite format 3\0"sv, true, is_chrome_cache, read_chrome_cache, true},
};

constexpr std::string_view kStreamHolders[] = {
    "\x81"
    "FOSSILIZEDB\0\0\0"sv,  // Fossilize, Steam's shader caches
    "VKL\x04"sv,            // vkd3d-proton: pipeline libraries, and the stream in its cache file
    "VKS\x04"sv,
    "vcs2"sv,              // Source 2
    "\xc3\xca\x04\xc1"sv,  // Chrome's blocks of caches, of GPU programs too. src: Chromium, net/disk_cache/blockfile/disk_format_base.h
    "\x30\x5c\x72\xa7\x1b\x6d\xfb\xfc"sv,  // and an entry of its simple cache. src: Chromium, net/disk_cache/simple/simple_entry_format.h
};
static_assert(std::all_of(std::begin(kPackings), std::end(kPackings),
                          [](const Packing& row) { return row.offset + row.magic.size() <= kPackingHead; }));

}  // namespace

std::span<const Packing> packings() { return kPackings; }

const Packing* packing_of(View head) {
  const std::string_view text = head.text();
  for (const Packing& row : kPackings)
    if (text.size() >= row.offset && text.substr(row.offset).starts_with(row.magic) && (row.is == nullptr || row.is(head))) return &row;
  return nullptr;
}

bool holds_streams(View head) {
  return is_unity_serialized(head) || std::any_of(std::begin(kStreamHolders), std::end(kStreamHolders),
                                                  [&](std::string_view magic) { return head.text().starts_with(magic); });
}

}  // namespace unshade::cli::unpack
