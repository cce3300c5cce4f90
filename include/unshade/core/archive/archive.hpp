// Words that descriptions share beside the archives: what a field is to a document, and which archives make one.
#pragma once

#include <string>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>

namespace unshade {

/// A count or size that follows from the rest of the model, as vectors know their sizes: no document states it.
inline constexpr FieldType kCount{FieldKind::unsigned_integer, "unsigned"};
/// The same, kept by the model: a document states it if the writer would come to another one.
inline constexpr FieldType kExtent{FieldKind::unsigned_integer, "unsigned"};

/// Whether a field says where things lie rather than what they are. A document states it only as a hint.
inline bool is_layout(const FieldType& type) { return &type == &kOffset || &type == &kExtent; }

/// Whether a document says where things are.
enum class Places : unsigned char { left_to_the_writer, stated };

/// Whether an archive makes documents (ValueWriter) or reads them (ValueReader). These walk a model by its structure: they have no bytes,
/// so that descriptions which look at bytes, or go to places, have to say it in another way for them. Besides the words of all archives
/// they have
///   optional_shared_at (name, index, pool, none, ctx...)   as shared_at; `none` is an index that stands for no record
///   optional_group (name, present, f)                       a nested map; on reading f is called if it is there
///   numbers (name, View, how)                               bytes that are numbers of 32 bits
///   u32_list (name, vector)                                 numbers
///   text_list (name, vector)                                texts
///   layout_bytes (name, View)                               bytes that the layout decides: a hint
template <class Archive>
inline constexpr bool kIsValueArchive = requires { Archive::kIsValueArchive; };

/// Whether it is the one that reads documents, which alone can be asked whether it `has` a member.
template <class Archive>
inline constexpr bool kReadsValues = requires { Archive::kReadsValues; };

/// After a list of a document: its count has so many bits in the file.
template <class Archive, class List>
void count_fits(Archive& a, const char* name, const List& list, unsigned bits) {
  if constexpr (kReadsValues<Archive>) {
    if (list.size() >> bits != 0) {
      a.fail(ErrorCode::out_of_range, name, std::to_string(list.size()) + " elements, but the count has " + std::to_string(bits) + " bits");
    }
  }
}

/// How numbers of 32 bits are shown.
enum class Numbers : unsigned char { real, sint, uint, hex, mixed };

/// After a member's name: where that thing is (`elements@`). Alone: where the record itself is.
inline constexpr const char* kPlaceMark = "@";

}  // namespace unshade
