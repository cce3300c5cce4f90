#include <algorithm>
#include <cstring>
#include <string>

#include <unshade/core/archive/writer.hpp>
#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/pdb/msf_layout.hpp>

namespace unshade::dxcontainer {

namespace {

constexpr std::uint32_t kMapBlock = 3;  // after the superblock and the two free block maps

template <class Model, class... Context>
std::vector<std::byte> described(Model model, const Context&... context) {
  Writer writer(LayoutPolicy{.fill = std::byte{0}, .pads_end = false});
  describe(writer, model, context...);
  return writer.finish();
}

}  // namespace

Result<std::vector<std::byte>> write_msf(std::span<const View> streams, const MsfForm& form) {
  const auto fault = [](ErrorCode code, const char* path, std::string message) { return Error{code, 0, path, std::move(message)}; };
  const std::uint64_t block = form.block_bytes;
  if (block < 512 || block > 32768 || (block & (block - 1)) != 0)
    return fault(ErrorCode::bad_value, "superblock/block_bytes", "expected a power of two from 512 to 32768");
  const auto blocks_of = [&](std::uint64_t bytes) { return (bytes + block - 1) / block; };
  std::uint64_t stream_blocks = 0;
  std::uint64_t bytes = 0;
  for (const View& stream : streams) {
    bytes += stream.size();
    stream_blocks += blocks_of(stream.size());
  }
  const std::uint64_t directory_bytes = 4 + 4 * (std::uint64_t{streams.size()} + stream_blocks);
  const std::uint64_t directory_blocks = blocks_of(directory_bytes);
  const std::uint64_t map_blocks = blocks_of(directory_blocks * 4);
  const std::uint64_t total = kMapBlock + map_blocks + directory_blocks + stream_blocks;
  if (bytes > limits::kFileBytes || total * block > limits::kFileBytes)
    return fault(ErrorCode::limit, "streams", "the file would exceed " + std::to_string(limits::kFileBytes) + " bytes");
  // The superblock has the place of the list of the directory's blocks, which has no room for a longer one.
  if (kMsfMagic.size() + 20 + 4 * map_blocks > block) return fault(ErrorCode::limit, "directory", "the directory is too large");

  const auto first_directory_block = static_cast<std::uint32_t>(kMapBlock + map_blocks);
  const auto first_stream_block = static_cast<std::uint32_t>(first_directory_block + directory_blocks);
  const auto numbers = [](std::uint32_t first, std::uint64_t count) {
    std::vector<std::byte> list;
    list.reserve(static_cast<std::size_t>(count) * 4);
    for (std::uint64_t i = 0; i < count; ++i) append_little_endian<std::uint32_t>(list, first + static_cast<std::uint32_t>(i));
    return list;
  };
  const auto map_numbers = numbers(kMapBlock, map_blocks);
  const auto directory_numbers = numbers(first_directory_block, directory_blocks);
  // Streams are in their order, each in one piece.
  const auto stream_numbers = numbers(first_stream_block, stream_blocks);
  std::vector<std::byte> sizes;
  for (const View& stream : streams) append_little_endian<std::uint32_t>(sizes, static_cast<std::uint32_t>(stream.size()));

  pdb::Superblock superblock;
  superblock.magic = View(std::as_bytes(std::span(kMsfMagic.data(), kMsfMagic.size())));
  superblock.block_bytes = form.block_bytes;
  superblock.free_block_map = 1;
  superblock.block_count = static_cast<std::uint32_t>(form.counts_map ? total : total - map_blocks);
  superblock.directory_bytes = static_cast<std::uint32_t>(directory_bytes);
  superblock.directory_map_blocks = View(map_numbers);
  pdb::Directory directory;
  directory.stream_count = static_cast<std::uint32_t>(streams.size());
  directory.sizes = View(sizes);
  directory.blocks = View(stream_numbers);

  std::vector<std::byte> file(static_cast<std::size_t>(total * block));
  const auto put = [&](std::uint64_t at_block, std::span<const std::byte> data) {
    if (!data.empty()) std::memcpy(file.data() + static_cast<std::size_t>(at_block * block), data.data(), data.size());
  };
  put(0, described(superblock));
  // Free block maps of zeros: no block is free.
  put(kMapBlock, directory_numbers);
  put(first_directory_block, described(directory, form.block_bytes));
  std::uint64_t at = first_stream_block;
  for (const View& stream : streams) {
    put(at, stream.bytes());
    at += blocks_of(stream.size());
  }
  return file;
}

}  // namespace unshade::dxcontainer
