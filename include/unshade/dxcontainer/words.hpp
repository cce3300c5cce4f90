// The rows of vocabulary.def as constants, for tables that are made when compiled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxcontainer {

/// A row. Columns as in vocabulary.def; empty: no such word.
struct Word {
  std::uint32_t number = 0;
  std::string_view name, part, token, fxc, dxc, llvm;
  std::string_view field;  ///< in documents of DXBC's parts: the name of what files have
};

/// The rows of an enumeration, in the order of their numbers.
template <class E>
struct Words;

#define DX_ENUM(type, underlying, text, part_text)           \
  template <>                                                \
  struct Words<type> {                                       \
    static constexpr std::string_view kText = text;          \
    static constexpr std::string_view kPartText = part_text; \
    static constexpr Word kRows[] = {
#define DX_VALUE(id, number, name, part, token, fxc, dxc, llvm) {number, name, sizeof(part) > 1 ? part : name, token, fxc, dxc, llvm, name},
#define DX_REPORTED(id, number, name, token, fxc) {number, name, "", token, fxc, "", "", ""},
#define DX_END(type) \
  }                  \
  ;                  \
  }                  \
  ;
#include <unshade/dxcontainer/vocabulary.def>

/// The numbers that have a word in a column, with their words.
template <class E, std::string_view Word::* column>
inline constexpr auto kNamedValues = [] {
  constexpr std::size_t kCount = [] {
    std::size_t count = 0;
    for (const Word& row : Words<E>::kRows) count += (row.*column).empty() ? 0 : 1;
    return count;
  }();
  std::array<NamedValue, kCount> named{};
  std::size_t at = 0;
  for (const Word& row : Words<E>::kRows)
    if (!(row.*column).empty()) named[at++] = {row.number, row.*column};
  return named;
}();

template <class E, std::string_view Word::* column>
inline constexpr NameTable kNamesOf{kNamedValues<E, column>};

/// A dimension of resources in its three numberings.
struct Shape {
  ResourceDimension dimension;
  std::uint32_t token_number;  ///< D3D10_SB_RESOURCE_DIMENSION
  std::uint32_t kind;          ///< DXIL's ResourceKind of a texture, 0 of buffers
  std::string_view token, word, hlsl;
};
inline constexpr Shape kShapes[] = {
#define DX_ENUM(type, underlying, text, part_text)
#define DX_VALUE(id, number, name, part, token, fxc, dxc, llvm)
#define DX_SHAPE(id, number, token_number, kind, name, token, fxc, hlsl) {ResourceDimension::id, token_number, kind, token, fxc, hlsl},
#define DX_END(type)
#include <unshade/dxcontainer/vocabulary.def>
};

/// The output of a pixel shader without a register that a semantic stands for, if it does.
std::optional<SystemValue> special_output(std::string_view semantic);
/// What listings show for the register of an element that has none, with the blanks before it.
std::string_view special_register_text(std::string_view semantic, SystemValue value);

}  // namespace unshade::dxcontainer
