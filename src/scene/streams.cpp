// Stream output of a pass, in the words of Direct3D 12. src: d3d12.h, D3D12_STREAM_OUTPUT_DESC, D3D12_SO_DECLARATION_ENTRY
#include <unshade/run/fields.hpp>

#include <unshade/run/values.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using run::fault;
using run::Field;
using run::read_fields;
using run::read_number;

constexpr Field<draw::StreamEntry> kEntryFields[] = {
    {"Stream", read_number<&draw::StreamEntry::stream>},
    {"SemanticName",
     [](const Value& given, draw::StreamEntry& to) -> Result<void> {
       if (given.as_text() == nullptr) return fault(given, "", "expected the name of a semantic, or an empty text for a gap");
       to.semantic = *given.as_text();
       return {};
     }},
    {"SemanticIndex", read_number<&draw::StreamEntry::index>},
    {"StartComponent", read_number<&draw::StreamEntry::first_component>},
    {"ComponentCount", read_number<&draw::StreamEntry::components>},
    {"OutputSlot", read_number<&draw::StreamEntry::slot>},
};

constexpr Field<Streams::Buffer> kStreamBufferFields[] = {
    {"resource", [](const Value& given, Streams::Buffer& to) { return to.resource = &given, Result<void>(); }},
    {"offset", read_number<&Streams::Buffer::offset>},
};

// A list of at most so many, each read by `read(value, number in the list)`.
template <class Read>
Result<void> read_each(const Value& given, std::size_t most, Read read) {
  const Value::List* const list = given.as_list();
  if (list == nullptr || list->size() > most) return fault(given, "", "expected a list of up to " + std::to_string(most));
  for (std::size_t k = 0; k < list->size(); ++k)
    if (auto done = read((*list)[k], k); !done) return run::in_field(std::move(done).error(), '[' + std::to_string(k) + ']');
  return {};
}

constexpr Field<Streams> kStreamFields[] = {
    {"Declaration",
     [](const Value& given, Streams& to) {
       constexpr std::size_t kMostEntries = std::size_t{draw::kMostStreamComponents} * draw::kStreams;
       return read_each(given, kMostEntries, [&](const Value& one, std::size_t) {
         return read_fields(one, kEntryFields, "an entry", to.output.entries.emplace_back());
       });
     }},
    {"BufferStrides",
     [](const Value& given, Streams& to) {
       return read_each(given, draw::kStreams, [&](const Value& one, std::size_t slot) -> Result<void> {
         const auto number = run::number_of(one, "");
         if (!number) return number.error();
         to.output.strides[slot] = *number;
         return {};
       });
     }},
    {"RasterizedStream",
     [](const Value& given, Streams& to) -> Result<void> {
       if (given.as_text() != nullptr && *given.as_text() == "NONE") return to.rasterized.reset(), Result<void>();
       const auto number = run::number_of(given, "");
       if (!number || *number >= draw::kStreams) return fault(given, "", "expected the number of a stream, 0 to 3, or NONE");
       to.rasterized = *number;
       return {};
     }},
    {"buffers",
     [](const Value& given, Streams& to) {
       return read_each(given, draw::kStreams, [&](const Value& one, std::size_t) -> Result<void> {
         Streams::Buffer& made = to.buffers.emplace_back();
         made.resource = &one;
         if (one.as_map() != nullptr) made.resource = nullptr;
         if (one.as_map() != nullptr) {
           if (auto done = read_fields(one, kStreamBufferFields, "a buffer", made); !done) return done;
         }
         if (made.resource == nullptr || made.resource->as_text() == nullptr) return fault(one, "", "expected the name of a resource");
         return {};
       });
     }},
};

}  // namespace

Result<Streams> read_streams(const Value& given) {
  Streams made;
  if (auto done = read_fields(given, kStreamFields, "stream_output", made); !done) return std::move(done).error();
  return made;
}

}  // namespace unshade::scene
