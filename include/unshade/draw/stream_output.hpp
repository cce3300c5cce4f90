// Stream output: vertices of primitives go to buffers, before the rasterizer. src: Direct3D 11.3 functional specification 14
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace unshade::draw {

/// Streams of a geometry shader, and buffers that they go to.
inline constexpr std::uint32_t kStreams = 4;
/// Components of 32 bits of a vertex in all buffers of a stream, bytes of them in one, and bytes from a vertex to the next.
inline constexpr std::uint32_t kMostStreamComponents = 128;
inline constexpr std::uint32_t kMostStreamWindow = 512;
inline constexpr std::uint32_t kMostStreamStride = 2048;

/// Components of an output that go to a buffer, after those of the entry before for the same one. src: D3D12_SO_DECLARATION_ENTRY
struct StreamEntry {
  std::uint32_t stream = 0;
  std::string semantic{};   ///< empty: a gap, that leaves the buffer as it is
  std::uint32_t index = 0;  ///< of the semantic
  std::uint32_t first_component = 0;
  std::uint32_t components = 4;
  std::uint32_t slot = 0;  ///< of Bindings::stream_buffers
};

struct StreamOutput {
  std::vector<StreamEntry> entries;
  std::array<std::uint32_t, kStreams> strides{};  ///< bytes by slot; 0: what the entries take
};

/// A buffer that a stream goes to. A draw goes on where the one before ended.
struct StreamBuffer {
  std::span<std::byte> bytes{};
  std::uint64_t filled = 0;  ///< bytes: where the next vertex goes to
};

/// Of a stream. src: D3D11_QUERY_DATA_SO_STATISTICS
struct StreamCounts {
  std::uint64_t written = 0;  ///< primitives
  std::uint64_t needed = 0;   ///< and those that would have been, had there been room for all
};

}  // namespace unshade::draw
