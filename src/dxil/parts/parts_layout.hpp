// The descriptions of the small parts: debug name, hash, compiler version.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxil/parts.hpp>

#include "dxil/parts/shared_fields.hpp"

namespace unshade::dxil {

/// Text of a stated size, without a zero.
template <class Archive>
void sized_text(Archive& a, const char* name, std::string_view& text, std::size_t size) {
  View bytes(std::as_bytes(std::span(text.data(), text.size())));
  if constexpr (kIsValueArchive<Archive>) return a.string_here(name, text);
  if (size != 0 || !Archive::kReads) a.raw(name, bytes, size, kText);
  text = size == 0 ? std::string_view() : bytes.text();
}

/// Bytes: 4, the name, a zero, zeros up to a multiple of 4. src: DXC DxilContainer.h, DxilShaderDebugName
template <class Archive>
void describe(Archive& a, DebugName& n) {
  auto length = static_cast<std::uint16_t>(std::min<std::size_t>(n.name.size(), 0xffff));
  a.u16("flags", n.flags, kHex);
  a.u16("name_bytes", length, kCount);
  sized_text(a, "name", n.name, length);
  if (Archive::kReads || !n.terminator.empty())
    return parts::opaque_bytes(a, "terminator", n.terminator, Archive::kReads ? a.rest() : n.terminator.size());
  // A model made by hand gets the zeros that dxc writes.
  a.padding(1);
  a.align(4);
}

/// Bytes: 20. src: DXC DxilContainer.h, DxilShaderHash
template <class Archive>
void describe(Archive& a, ShaderHash& h) {
  a.u32("flags", h.flags, kHashFlags);
  View digest{std::span<const std::byte>(h.digest)};
  a.raw("digest", digest, h.digest.size());
  if ((Archive::kReads || kReadsValues<Archive>) && a.ok()) {
    if (digest.size() != h.digest.size()) return a.fail(ErrorCode::bad_value, "digest", "expected 16 bytes");
    std::copy_n(digest.data(), h.digest.size(), h.digest.begin());
  }
  parts::rest(a, "extra", h.extra, kUnknown);
}

/// Of the texts that are there, with their zeros.
inline std::size_t text_bytes(const CompilerVersion& v) {
  std::size_t bytes = 0;
  if (v.texts_bytes != 0) bytes = v.commit.size() + 1;
  if (v.texts_bytes > bytes) bytes += v.custom.size() + 1;
  return bytes;
}
/// Whether zeros fill it up to a multiple of 4, as dxc writes it.
inline bool has_regular_padding(const CompilerVersion& v) {
  const std::size_t end = kVersionHeaderBytes + text_bytes(v);
  return v.padding.size() == round_up(end, 4) - end && v.padding.text().find_first_not_of('\0') == std::string_view::npos;
}

/// Bytes: 16, texts, zeros up to a multiple of 4. src: DXC DxilContainer.h, DxilCompilerVersion
template <class Archive>
void describe(Archive& a, CompilerVersion& v) {
  a.u16("major", v.major);
  a.u16("minor", v.minor);
  a.u32("flags", v.flags, kVersionFlags);
  a.u32("commit_count", v.commit_count);
  if (!Archive::kReads && !kIsValueArchive<Archive> && v.texts_bytes == CompilerVersion::kUncounted)
    v.texts_bytes = static_cast<std::uint32_t>(v.commit.size() + v.custom.size() + 2);
  a.u32("texts_bytes", v.texts_bytes, kExtent);
  const std::size_t end = a.position() + v.texts_bytes;
  if (v.texts_bytes != 0) a.string_here("commit", v.commit);
  if (a.position() < end) a.string_here("custom", v.custom);
  // How many zeros there are depends on the texts, which people edit: documents have none but strange ones.
  if constexpr (kIsValueArchive<Archive> && !kReadsValues<Archive>)
    if (has_regular_padding(v)) return;
  parts::rest(a, "padding", v.padding, kPadding);
  if (!Archive::kReads && v.padding.empty()) a.align(4);
}

}  // namespace unshade::dxil
