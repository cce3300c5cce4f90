#include <unshade/unpack/packings.hpp>

#include <algorithm>
#include <iterator>

#include <unshade/unpack/archive.hpp>
#include "unpack/archives/zip_gaps.hpp"
#include "unpack/engines/azahar.hpp"
#include "unpack/engines/capture.hpp"
#include "unpack/engines/chrome_cache.hpp"
#include "unpack/engines/unity.hpp"
#include "unpack/engines/unreal.hpp"
#include "unpack/streams/compressed.hpp"
#include "unpack/streams/streams.hpp"

namespace unshade::unpack {

namespace {

using namespace std::string_view_literals;

/// A tar of before POSIX, whose headers have no magic number: the name of a member, and the sum of the header's bytes in octal digits,
/// where the sum itself counts as blanks. src: POSIX.1-1988, IEEE Std 1003.1, 10.1.1
bool is_old_tar(View head) {
  constexpr std::size_t kHeader = 512;
  constexpr std::size_t kSum = 148;
  constexpr std::size_t kSumEnd = 156;
  if (head.size() < kHeader || head.u8(0) == std::uint8_t{0}) return false;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < kHeader; ++i) sum += i >= kSum && i < kSumEnd ? std::uint32_t{' '} : *head.u8(i);
  std::string_view digits = head.text().substr(kSum, kSumEnd - kSum);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  std::uint32_t stated = 0;
  std::size_t count = 0;
  for (; count < digits.size() && digits[count] >= '0' && digits[count] <= '7'; ++count)
    stated = 8 * stated + static_cast<std::uint32_t>(digits[count] - '0');
  return count >= 4 && stated == sum;
}

constexpr Packing kPackings[] = {
    {"zip", 0, "PK\x03\x04"sv, false, nullptr, nullptr, false, true, read_zip_gap},
    {"7zip", 0, "7z\xbc\xaf\x27\x1c"sv, true},
    {"rar", 0, "Rar!\x1a\x07"sv, true},
    {"cab", 0, "MSCF\0\0\0\0"sv},
    {"tar", 257, "ustar"sv},
    {"ar", 0, "!<arch>\n"sv},
    {"tar", 0, {}, false, is_old_tar},
    {"cpio", 0, "070701"sv},
    {"cpio", 0, "070702"sv},
    {"cpio", 0, "070707"sv},
    {"iso9660", 0x8001, "CD001"sv, false, nullptr, nullptr, false, true},
    {"gzip", 0, "\x1f\x8b\x08"sv, false, nullptr, read_gzip},
    {"bzip2", 0, "BZh"sv, false, nullptr, read_compressed},
    {"xz", 0,
     "\xfd"
     "7zXZ\0"sv,
     false, nullptr, read_xz},
    {"lzip", 0, "LZIP\x01"sv, false, nullptr, read_compressed},
    {"zstd", 0, "\x28\xb5\x2f\xfd"sv, false, nullptr, read_zstd},
    {"zstd", 0, {}, false, is_zstd_behind_skippable, read_zstd},
    {"lz4", 0, "\x04\x22\x4d\x18"sv, false, nullptr, read_lz4},
    {"lz4", 0, kLegacyLz4, false, nullptr, read_lz4},
    {"lz4", 0, {}, false, is_lz4_behind_skippable, read_lz4},
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

}  // namespace unshade::unpack
