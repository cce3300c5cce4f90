// Writes primitives into the buffers of stream output.
#pragma once

#include <optional>

#include <unshade/draw/stream_output.hpp>

#include "draw/stage.hpp"

namespace unshade::draw {

class StreamWriter {
 public:
  /// Errors: bad_value for declarations that do not fit together.
  static Result<StreamWriter> make(const Pipeline& pipeline, const Bindings& bindings);

  bool takes(std::uint32_t stream) const { return stream < kStreams && !streams_[stream].entries.empty(); }
  /// Adds the primitives of a stream to its buffers, as long as each of them has room for a whole one. Errors: missing for an output that
  /// the vertices do not have.
  Result<void> write(std::uint32_t stream, const Vertices& vertices, const Primitives& primitives,
                     std::array<StreamCounts, kStreams>& counts);

 private:
  struct Entry {
    const StreamEntry* declared;
    std::size_t number;              ///< in the declaration
    std::uint32_t offset;            ///< bytes, in a vertex of its buffer
    std::uint32_t component{kNone};  ///< of the vertices
  };
  struct Stream {
    std::vector<Entry> entries;
    std::array<bool, kStreams> slots{};  ///< that it goes to
    bool is_linked = false;
  };
  Result<void> link(Stream& stream, const Vertices& vertices) const;

  std::array<Stream, kStreams> streams_;
  std::array<std::uint32_t, kStreams> strides_{};
  std::array<StreamBuffer*, kStreams> buffers_{};
};

}  // namespace unshade::draw
