#include <unshade/core/archive/stream_words.hpp>

namespace unshade {

namespace {

// `size`: bytes of the list, which `bytes` run beyond; 0 if the reader did not say.
template <std::size_t kBytesEach>
void print_list(Text& out, View bytes, std::uint32_t size) {
  constexpr std::size_t kShown = 16;
  const std::size_t count = (size != 0 ? size : bytes.size()) / kBytesEach;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == kShown) {
      (out << " ... (").dec(count) << ')';
      return;
    }
    if (i != 0) out << ' ';
    out.dec(little_endian(bytes.clamped(i * kBytesEach, kBytesEach)));
  }
}

}  // namespace

const FieldType kU32List{FieldKind::custom, "list of u32", nullptr, {}, print_list<4>};
const FieldType kU16List{FieldKind::custom, "list of u16", nullptr, {}, print_list<2>};

}  // namespace unshade
