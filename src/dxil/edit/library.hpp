// Texts of RDAT parts, for edits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <unshade/dxil/rdat.hpp>

namespace unshade::dxil::edit {

/// A number of an index array that is the offset of a text.
struct RdatWord {
  std::uint32_t at = 0;  ///< in dwords from the arrays' start
  String text;
};

/// Everything in a part that refers to a text. Points into the part.
struct RdatTexts {
  std::deque<RdatWord> words;
  /// In the order in which dxc puts texts into the string buffer; without empty ones, each once.
  /// src: DXC DxilContainerAssembler.cpp, DxilRDATWriter
  std::vector<String*> uses;
  /// Whether the buffer is as dxc makes it of them.
  bool in_order = false;

  /// Errors: overlap if index arrays hold far more numbers than there are.
  static Result<RdatTexts> of(Rdat& rdat);
  /// The buffer for what the texts are now; they get the offsets, and so do the numbers of the index arrays, which `arrays` becomes.
  std::vector<std::byte> place(const Rdat& rdat, std::vector<std::byte>& arrays) const;
};

}  // namespace unshade::dxil::edit
