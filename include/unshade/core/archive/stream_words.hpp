// What descriptions say where reading a stream and making it from a document differ (core/archive/stream_values.hpp). All archives may be
// given to these functions.
//   more (a, list, index, left)      whether there is one more record: by the document's list, else by what `left` says
//   counted (a, name, value, list)   a count of the elements of `list`
//   set_size (a, at, size)           a size that is known only now, into its field at `at`
//   u32_list, u16_list, stream_texts   bytes that are a list
//   expect_size (a, name, bytes, size)   bytes whose size another field states, or none
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// Fields that follow from the records around them, as kExtent does: a document states them if the maker comes to something else.
inline constexpr FieldType kDerivedOffset{FieldKind::offset, "offset"};
inline constexpr FieldType kDerivedHex{FieldKind::hexadecimal, "hexadecimal"};
inline bool is_derived(const FieldType& type) { return &type == &kExtent || &type == &kDerivedOffset || &type == &kDerivedHex; }

/// Bytes that a document spells as text if the text gives them back.
struct Spelling {
  void (*print)(Text& out, View bytes);
  bool (*parse)(std::string_view text, std::vector<std::byte>& bytes);
};

/// Whether an archive makes a document of a stream, or a stream of a document.
template <class Archive>
inline constexpr bool kTellsStream = requires { Archive::kTellsStream; };
template <class Archive>
inline constexpr bool kMakesStream = requires { Archive::kMakesStream; };
template <class Archive>
inline constexpr bool kIsStreamArchive = kTellsStream<Archive> || kMakesStream<Archive>;

template <class Archive>
bool more(const Archive& a, const char* list, std::uint32_t index, bool left) {
  if constexpr (kMakesStream<Archive>) return a.ok() && index < a.list_size(list);
  return left;
}

template <class Archive, class T>
void counted(Archive& a, const char* name, T& value, const char* list) {
  if constexpr (kMakesStream<Archive>) {
    if (a.list_size(list) > static_cast<T>(~T{0})) a.fail(ErrorCode::limit, list, "too many elements");
    value = static_cast<T>(a.list_size(list));
  }
  if constexpr (sizeof(T) == 2) {
    a.u16(name, value, kCount);
  } else {
    a.u32(name, value, kCount);
  }
}

template <class T, class Archive>
void set_size(Archive& a, std::size_t at, std::size_t size) {
  if constexpr (kMakesStream<Archive>) {
    if (size > static_cast<T>(~T{0})) return a.fail(ErrorCode::limit, "", "the record grows too large");
    a.patch(at, static_cast<T>(size));
  }
}

/// 32-bit integers side by side, printed as one list. Context: their bytes.
extern const FieldType kU32List;
/// The same for 16 bits.
extern const FieldType kU16List;

/// 32-bit integer `i` of a list that raw() read; 0 beyond its end.
inline std::uint32_t list_u32(View list, std::size_t i) { return list.u32(i * 4).value_or(0); }

/// `count` of them. `is_derived`: they follow from the rest, so that a document need not state them.
template <class Archive>
void u32_list(Archive& a, const char* name, View& list, std::size_t count, bool is_derived = false) {
  if constexpr (kIsStreamArchive<Archive>) {
    a.template integers<std::uint32_t>(name, list, count, is_derived);
  } else {
    a.raw(name, list, count * 4, kU32List, kNoIndex, static_cast<std::uint32_t>(count * 4));
  }
}
template <class Archive>
void u16_list(Archive& a, const char* name, View& list, std::size_t count) {
  if constexpr (kIsStreamArchive<Archive>) {
    a.template integers<std::uint16_t>(name, list, count);
  } else {
    a.raw(name, list, count * 2, kU16List, kNoIndex, static_cast<std::uint32_t>(count * 2));
  }
}

/// Bytes that no field of their own counts: a document may have more or fewer of them, and what follows would be read from elsewhere.
template <class Archive>
void expect_size(Archive& a, const char* name, View bytes, std::size_t size, std::size_t element = 1) {
  if constexpr (kMakesStream<Archive>) {
    if (a.ok() && bytes.size() != size)
      a.fail(ErrorCode::bad_value, name,
             "expected " + std::to_string(size / element) + (element == 1 ? " bytes" : " elements") + ", found " +
                 std::to_string(bytes.size() / element));
  }
}

/// A table of zero-terminated texts.
template <class Archive>
void stream_texts(Archive& a, const char* name, View& bytes, std::size_t size) {
  if constexpr (kIsStreamArchive<Archive>) {
    a.texts(name, bytes, size);
  } else {
    a.raw(name, bytes, size, kText);
  }
}

}  // namespace unshade
