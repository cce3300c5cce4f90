// Words that descriptions of this room share: bytes that are kept without being understood, and texts of a table.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/reader.hpp>
#include <unshade/core/placed.hpp>

namespace unshade::dxil::parts {

/// Bytes that are kept as they were read: zeros if a model has none.
template <class Archive>
void opaque_bytes(Archive& a, const char* name, View& bytes, std::size_t size, const FieldType& type = kPadding) {
  if constexpr (kIsValueArchive<Archive>) {
    // zeros are what the writer puts there anyway
    if (kReadsValues<Archive> || bytes.text().find_first_not_of('\0') != std::string_view::npos) a.raw(name, bytes, size, type);
  } else if (size == 0) {
    bytes = {};
  } else if (Archive::kReads || bytes.size() == size) {
    a.raw(name, bytes, size, type);
  } else {
    a.padding(size);
  }
}

/// The bytes of a record of `stride` bytes after the `known` ones.
template <class Archive>
void extra(Archive& a, View& bytes, std::size_t stride, std::size_t known) {
  opaque_bytes(a, "extra", bytes, stride > known ? stride - known : 0, kUnknown);
}

/// Bytes from here to the end of the part: those of the model if there is none.
template <class Archive>
void rest(Archive& a, const char* name, View& bytes, const FieldType& type) {
  if constexpr (kIsValueArchive<Archive>) return a.raw(name, bytes, bytes.size(), type);
  const std::size_t size = Archive::kReads ? a.rest() : bytes.size();
  if (size != 0) a.raw(name, bytes, size, type);
}

/// Records bytes of the part by the description of another model, which sees no more than them.
template <class Archive, class Model, class... Context>
void nested(Archive& a, View bytes, Model& model, const Context&... context) {
  static_assert(Archive::kRecords);
  if (!a.ok()) return;
  Archive inner(bytes, a.recorder());
  describe(inner, model, context...);
  if (auto error = inner.take_error())
    a.fail_at(error->code, static_cast<std::size_t>(error->offset - a.part().file_offset()), error->path.c_str(),
              std::move(error->message));
}

/// Where in a part the zero-terminated texts lie that its records refer to.
struct TextTable {
  std::size_t at = 0;
  std::size_t size = 0;
};

/// u32: offset of a text in a table of them. Without a table, 0 is the empty text.
template <class Archive>
void text_in(Archive& a, const char* name, String& string, const TextTable& table) {
  if constexpr (kIsValueArchive<Archive>) return a.string_at(name, string);
  a.u32(name, string.offset, kOffset);
  if constexpr (Archive::kReads) {
    string.text = {};
    if (!a.ok() || (table.size == 0 && string.offset == 0)) return;
    const auto found = a.part().clamped(table.at, table.size).c_string(string.offset);
    if (!found) {
      return a.fail_at(ErrorCode::out_of_range, a.position() - 4, name,
                       "no zero-terminated string at offset " + std::to_string(string.offset) + " of " + std::to_string(table.size) +
                           " bytes of strings");
    }
    // The empty text stands for none: it is no news.
    if (!found->empty()) a.at(table.at + string.offset, [&] { a.string_here("text", string.text); });
  }
}

/// The table itself, text by text; zeros at its end are padding.
template <class Archive>
void text_table(Archive& a, const char* name, View& texts, std::size_t size) {
  if constexpr (kIsValueArchive<Archive>) {
    a.layout_bytes(name, texts);
  } else if constexpr (Archive::kRecords) {
    texts = a.part().clamped(a.position(), size);
    a.group(name, kNoIndex, [&] {
      std::size_t left = size;
      for (std::uint32_t i = 0; left != 0 && a.ok(); ++i) {
        const View here = a.part().clamped(a.position(), left);
        const auto text = here.c_string(0);
        const bool zeros = text && text->empty() && here.text().find_first_not_of('\0') == std::string_view::npos;
        const std::size_t taken = zeros || !text ? left : text->size() + 1;
        View piece;
        a.raw(zeros ? "padding" : "text", piece, taken, zeros ? kPadding : kText, zeros ? kNoIndex : i);
        left -= taken;
      }
    });
  } else {
    a.raw(name, texts, size);
  }
}

}  // namespace unshade::dxil::parts
