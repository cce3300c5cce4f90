#include <unshade/dxcontainer/signature.hpp>

#include <algorithm>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/writer.hpp>

#include "dxcontainer/signature_layout.hpp"

namespace unshade::dxcontainer {

namespace {

// The byte after the last text, if there is one.
std::byte fill_of(View data, const Signature& signature) {
  std::size_t end = 0;
  for (const SignatureElement& e : signature.elements) end = std::max(end, e.semantic.offset + e.semantic.text.size() + 1);
  return end != 0 && end < data.size() ? data.bytes()[end] : Signature{}.fill;
}

}  // namespace

SignatureLayout signature_layout(std::uint32_t fourcc) {
  const PartKind* const kind = find_part_kind(fourcc);
  return kind != nullptr ? SignatureLayout{kind->has_stream, kind->has_min_precision} : SignatureLayout{};
}

bool is_signature(std::uint32_t fourcc) {
  const PartKind* const kind = find_part_kind(fourcc);
  return kind != nullptr && kind->is_signature();
}

Result<Signature> parse_signature(const Part& part) {
  Signature signature;
  signature.layout = signature_layout(part.fourcc);
  signature.size = static_cast<std::uint32_t>(part.data.size());
  if (auto read = read_part(part.data, part.name(), signature); !read) return std::move(read).error();
  signature.fill = fill_of(part.data, signature);
  return signature;
}

void record_signature(const Part& part, Tree& tree, std::uint32_t group) {
  Signature signature;
  signature.layout = signature_layout(part.fourcc);
  record_part(part.data, part.name(), tree, group, signature);
}

std::vector<std::byte> write_signature(const Signature& signature) {
  Signature copy = signature;
  Writer writer(copy.fill);
  describe(writer, copy);
  return writer.finish(copy.size);
}

}  // namespace unshade::dxcontainer
