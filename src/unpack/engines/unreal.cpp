#include "unpack/engines/unreal.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>

#include "unpack/streams/blocks.hpp"
#include "unpack/streams/cursor.hpp"

namespace unshade::unpack {

namespace {

constexpr std::size_t kHash = 20;  // bytes of a SHA-1
constexpr std::size_t kMapEntry = 16;
constexpr std::size_t kShaderEntry = 17;
constexpr std::size_t kPreloadEntry = 16;
constexpr std::size_t kIndex = 4;
constexpr std::uint32_t kMostEntries = 1U << 24;
constexpr std::uint32_t kMostShader = 1U << 26;  // bytes, unpacked

struct LibraryShader {
  std::uint64_t offset = 0;  // from the first byte of code
  std::uint32_t packed_bytes = 0;
  std::uint32_t bytes = 0;
};

/// Reads a list of records after its count, as far as there are bytes.
std::optional<std::vector<std::byte>> read_list(Cursor& cursor, std::size_t record, std::optional<std::uint32_t> expected = {}) {
  std::array<std::byte, 4> head;
  if (!cursor.read(head.data(), head.size())) return std::nullopt;
  const auto count = View(head).load_unchecked<std::uint32_t>(0);
  if (count > kMostEntries || (expected && count != *expected)) return std::nullopt;
  constexpr std::size_t kStep = std::size_t{1} << 20;
  const std::size_t size = count * record;
  std::vector<std::byte> bytes;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    bytes.resize(std::min(size, before + kStep));
    if (!cursor.read(bytes.data() + before, bytes.size() - before)) return std::nullopt;
  }
  return bytes;
}

std::string hex_of(View bytes) {
  Text text;
  for (const std::byte byte : bytes.bytes()) text.hex(std::to_integer<std::uint32_t>(byte), 2);
  return text.str();
}

/// What a library lists.
struct LibraryLists {
  std::vector<LibraryShader> shaders;
  std::vector<std::byte> hashes;
};

std::optional<LibraryLists> read_lists(Cursor& cursor) {
  if (!cursor.skip(4)) return std::nullopt;
  LibraryLists lists;
  const auto maps = read_list(cursor, kHash);
  if (!maps) return std::nullopt;
  auto hashes = read_list(cursor, kHash);
  if (!hashes) return std::nullopt;
  lists.hashes = std::move(*hashes);
  const auto count = static_cast<std::uint32_t>(lists.hashes.size() / kHash);
  if (!read_list(cursor, kMapEntry, static_cast<std::uint32_t>(maps->size() / kHash))) return std::nullopt;
  const auto entries = read_list(cursor, kShaderEntry, count);
  if (!entries || !read_list(cursor, kPreloadEntry) || !read_list(cursor, kIndex)) return std::nullopt;
  const View view(*entries);
  for (std::size_t at = 0; at < entries->size(); at += kShaderEntry)
    lists.shaders.push_back(
        {*view.load<std::uint64_t>(at), view.load_unchecked<std::uint32_t>(at + 8), view.load_unchecked<std::uint32_t>(at + 12)});
  return lists;
}

}  // namespace

bool is_unreal_library(View head) {
  // Whether as many hashes as there may be here, as far as they are in the head. Of 20 random bytes, fewer than 12 values are as good as
  // never seen.
  const auto are_hashes = [&](std::size_t at, std::size_t count) {
    for (std::size_t i = 0; i < count && head.holds(at + i * kHash, kHash); ++i) {
      std::bitset<256> values;
      for (const std::byte byte : head.clamped(at + i * kHash, kHash).bytes()) values.set(std::to_integer<std::size_t>(byte));
      if (values.count() < 12) return false;
    }
    return true;
  };
  constexpr std::size_t kFirst = 4;
  const auto maps = head.u32(kFirst);
  if (!maps || *maps == 0 || *maps > kMostEntries || !head.holds(kFirst + 4, kHash) || !are_hashes(kFirst + 4, *maps)) return false;
  const std::size_t second = kFirst + 4 + std::size_t{*maps} * kHash;
  if (!head.holds(second, 4)) return *maps * kHash > head.size() / 2;
  const std::uint32_t shaders = *head.u32(second);
  if (shaders == 0 || shaders > kMostEntries || !are_hashes(second + 4, shaders)) return false;
  const std::size_t third = second + 4 + std::size_t{shaders} * kHash;
  return head.holds(third, 4) ? head.u32(third) == maps : shaders * kHash > head.size() / 4;
}

void read_unreal_library(Feed& packed, Budget& budget, const ArchiveReader& reader) {
  Cursor cursor(packed);
  const auto lists = read_lists(cursor);
  if (!lists) return reader.fault(fault_at(ErrorCode::bad_value, cursor, {}, "the lists of the shader library are damaged"));
  const auto& shaders = lists->shaders;
  std::vector<std::size_t> order(shaders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shaders[a].offset < shaders[b].offset; });
  const std::uint64_t base = cursor.offset();
  std::size_t unread = 0;
  std::vector<std::byte> code, out;
  for (const std::size_t i : order) {
    const LibraryShader& shader = shaders[i];
    const std::string name = hex_of(View(lists->hashes).clamped(i * kHash, kHash));
    const auto fail = [&](ErrorCode error, std::string_view message) { reader.fault(fault_at(error, cursor, name, message)); };
    const std::uint64_t at = cursor.offset() - base;
    if (shader.offset < at) {
      fail(ErrorCode::bad_value, "the shader overlaps the one before it");
      continue;
    }
    if (shader.bytes > kMostShader || shader.packed_bytes > kMostShader)
      return fail(ErrorCode::limit, "the shader states more than 64 MiB");
    if (!cursor.skip(shader.offset - at)) return fail(ErrorCode::truncated, "the shader lies beyond the end of the library");
    constexpr std::size_t kStep = std::size_t{1} << 20;
    code.clear();
    while (code.size() < shader.packed_bytes) {
      const std::size_t before = code.size();
      code.resize(std::min<std::size_t>(shader.packed_bytes, before + kStep));
      if (!cursor.read(code.data() + before, code.size() - before)) return fail(ErrorCode::truncated, "the shader is cut off");
    }
    Member member{{"ushaderlib"}, name};
    if (shader.bytes != shader.packed_bytes) {
      // neither LZ4 nor zlib makes so much of so little
      constexpr std::uint32_t kMostRatio = 1032;
      if (shader.bytes / kMostRatio > shader.packed_bytes) {
        ++unread;
        continue;
      }
      out.resize(shader.bytes);
      if (unpack_lz4_block(View(code), out)) {
        member.forms.emplace_back("lz4");
      } else if (unpack_zlib_block(View(code), out)) {
        member.forms.emplace_back("zlib");
      } else {
        ++unread;
        continue;
      }
      code.swap(out);
    }
    if (!budget.take(code.size() + 1)) return fail(ErrorCode::limit, kBudgetSpent);
    MemoryFeed feed{View(code)};
    if (!reader.member(member, feed)) return;
  }
  if (unread == 0) return;
  Text text;
  (text.dec(unread) << " of ").dec(shaders.size()) << " shaders are compressed by Oodle, whose format is not public, or are damaged";
  reader.fault(fault_at(ErrorCode::unsupported, cursor, {}, text.view()));
}

}  // namespace unshade::unpack
