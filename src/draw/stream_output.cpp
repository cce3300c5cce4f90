#include "draw/stream_output.hpp"

#include <cstring>

#include <unshade/core/spelling.hpp>

namespace unshade::draw {
namespace {

Error wrong_entry(std::size_t number, std::string message, ErrorCode code = ErrorCode::bad_value) {
  return {code, 0, "stream_output/Declaration[" + std::to_string(number) + ']', std::move(message)};
}

}  // namespace

Result<StreamWriter> StreamWriter::make(const Pipeline& pipeline, const Bindings& bindings) {
  constexpr std::uint32_t kComponentBytes = 4;
  const StreamOutput& given = pipeline.stream_output;
  StreamWriter made;
  made.buffers_ = bindings.stream_buffers;
  std::array<std::uint32_t, kStreams> ends{}, components{};
  for (std::size_t number = 0; number < given.entries.size(); ++number) {
    const StreamEntry& one = given.entries[number];
    if (one.stream >= kStreams || one.slot >= kStreams) return wrong_entry(number, "streams and slots are numbered from 0 to 3");
    if (one.stream != 0 && pipeline.geometry == nullptr) return wrong_entry(number, "without a geometry shader, the stream must be 0");
    if (one.components < 1 || one.components > 4 || one.first_component > 4 - one.components)
      return wrong_entry(number, "an entry must select 1 to 4 components of an output");
    for (std::uint32_t other = 0; other < kStreams; ++other)
      if (other != one.stream && made.streams_[other].slots[one.slot])
        return wrong_entry(number, "stream " + std::to_string(other) + " has this slot: two streams cannot go to one buffer");
    Stream& stream = made.streams_[one.stream];
    stream.slots[one.slot] = true;
    stream.entries.push_back({&one, number, ends[one.slot]});
    ends[one.slot] += one.components * kComponentBytes;
    components[one.stream] += one.components;
    if (components[one.stream] > kMostStreamComponents || ends[one.slot] > kMostStreamWindow)
      return wrong_entry(number, "a vertex must have at most 128 components in a stream, and 512 bytes in a buffer", ErrorCode::limit);
  }
  for (std::uint32_t slot = 0; slot < kStreams; ++slot) {
    made.strides_[slot] = given.strides[slot] != 0 ? given.strides[slot] : ends[slot];
    if (made.strides_[slot] < ends[slot] || made.strides_[slot] > kMostStreamStride || made.strides_[slot] % kComponentBytes != 0)
      return Error{ErrorCode::bad_value, 0, "stream_output/BufferStrides[" + std::to_string(slot) + ']',
                   "a stride must be a multiple of 4, at least what the entries take, and at most 2048 bytes"};
  }
  return made;
}

Result<void> StreamWriter::link(Stream& stream, const Vertices& vertices) const {
  stream.is_linked = true;
  for (Entry& entry : stream.entries) {
    const StreamEntry& declared = *entry.declared;
    if (declared.semantic.empty()) continue;
    std::uint32_t first = 0;
    for (const ir::Element& element : vertices.elements) {
      if (const auto row = row_named(element, declared.semantic, declared.index)) {
        if (declared.first_component + declared.components > element.columns)
          return wrong_entry(entry.number, "the output has " + std::to_string(element.columns) + " components");
        entry.component = first + *row * element.columns + declared.first_component;
      }
      first += element.rows * element.columns;
    }
    if (entry.component != kNone) continue;
    Nearest nearest(declared.semantic);
    for (const ir::Element& element : vertices.elements) nearest.consider(element.semantic);
    return wrong_entry(entry.number,
                       "the vertices have no output `" + declared.semantic + std::to_string(declared.index) + '`' + nearest.question(),
                       ErrorCode::missing);
  }
  return {};
}

Result<void> StreamWriter::write(std::uint32_t number, const Vertices& vertices, const Primitives& primitives,
                                 std::array<StreamCounts, kStreams>& counts) {
  Stream& stream = streams_[number];
  if (!stream.is_linked) {
    if (auto done = link(stream, vertices); !done) return done;
  }
  for (std::size_t primitive = 0; primitive < primitives.count(); ++primitive) {
    ++counts[number].needed;
    bool fits = true;
    for (std::uint32_t slot = 0; slot < kStreams; ++slot) {
      if (!stream.slots[slot]) continue;
      const std::uint64_t size = std::uint64_t{strides_[slot]} * primitives.corners;
      const StreamBuffer* const buffer = buffers_[slot];
      fits = fits && buffer != nullptr && buffer->filled <= buffer->bytes.size() && size <= buffer->bytes.size() - buffer->filled;
    }
    if (!fits) continue;
    ++counts[number].written;
    for (const std::uint32_t vertex : primitives.of(primitive)) {
      const auto values = vertices.of(vertex);
      for (const Entry& entry : stream.entries) {
        std::byte* to = buffers_[entry.declared->slot]->bytes.data() + buffers_[entry.declared->slot]->filled + entry.offset;
        for (std::uint32_t k = 0; entry.component != kNone && k < entry.declared->components; ++k, to += sizeof(std::uint32_t)) {
          const auto bits = static_cast<std::uint32_t>(values[entry.component + k]);
          std::memcpy(to, &bits, sizeof bits);
        }
      }
      for (std::uint32_t slot = 0; slot < kStreams; ++slot)
        if (stream.slots[slot]) buffers_[slot]->filled += strides_[slot];
    }
  }
  return {};
}

}  // namespace unshade::draw
