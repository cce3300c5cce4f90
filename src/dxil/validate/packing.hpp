// Registers of a signature, and which elements may share one.
// src: DXC include/dxc/HLSL/DxilSignatureAllocator.inl, PackedRegister
#pragma once

#include <array>
#include <cstdint>

#include <unshade/dxil/enums.hpp>

namespace unshade::dxil::validate {

/// The properties of an element that matter to packing, a bit each.
namespace packed {
inline constexpr std::uint8_t kOccupied = 1, kArbitrary = 2, kGenerated = 4, kSystem = 8, kFactor = 16, kClipCull = 32;
}  // namespace packed

struct PackedElement {
  std::uint8_t what = 0;  ///< one of `packed`
  std::uint32_t rows = 1, columns = 1;
  Interpolation interpolation = Interpolation::undefined;
  std::uint32_t width = 0;  ///< of a component, in bits; 0 where it is left open
};

class PackedRegister {
 public:
  enum class Conflict { none, indexing, interpolation, width, overlap, order };

  /// Whether a row of an element fits; `row` counts from the element's first.
  Conflict fits_row(const PackedElement& e, std::uint32_t row) const {
    const std::uint8_t indexing = indexing_of(e, row);
    const auto merged = static_cast<std::uint8_t>(indexing | indexing_);
    if (indexing_ != 0 && (e.what & kNotIndexed) != 0) return Conflict::indexing;
    if (indexing_is_fixed_ && merged != indexing_) return Conflict::indexing;
    if ((e.what & packed::kFactor) != 0 && merged != indexing) return Conflict::indexing;
    if (interpolation_ != Interpolation::undefined && interpolation_ != e.interpolation) return Conflict::interpolation;
    return width_ != 0 && width_ != e.width ? Conflict::width : Conflict::none;
  }
  /// Whether its columns are free, and such that it may be there.
  Conflict fits_columns(const PackedElement& e, std::uint32_t column) const {
    for (std::uint32_t k = column; k < column + e.columns && k < columns_.size(); ++k) {
      if ((columns_[k] & packed::kOccupied) != 0) return Conflict::overlap;
      if ((columns_[k] & e.what) != 0) return Conflict::order;
    }
    return Conflict::none;
  }
  void place(const PackedElement& e, std::uint32_t row, std::uint32_t column) {
    interpolation_ = e.interpolation;
    indexing_ = static_cast<std::uint8_t>(indexing_ | indexing_of(e, row));
    width_ = e.width;
    if ((e.what & (kNotIndexed | packed::kFactor)) != 0) indexing_is_fixed_ = true;
    for (std::uint32_t k = 0; k < columns_.size(); ++k) {
      if ((columns_[k] & packed::kOccupied) != 0) continue;
      const std::uint8_t more = k < column               ? not_left_of(e.what)
                                : k < column + e.columns ? static_cast<std::uint8_t>(packed::kOccupied | e.what)
                                                         : not_right_of(e.what);
      columns_[k] = static_cast<std::uint8_t>(columns_[k] | more);
    }
  }

 private:
  static constexpr std::uint8_t kNotIndexed = packed::kGenerated | packed::kSystem;
  static constexpr std::uint8_t kOfShader = packed::kSystem | packed::kFactor | packed::kClipCull;
  static constexpr std::uint8_t kUp = 1, kDown = 2;

  /// Whether rows of an element follow above and below, as an index may lead there.
  static std::uint8_t indexing_of(const PackedElement& e, std::uint32_t row) {
    return static_cast<std::uint8_t>((row > 0 ? kUp : 0) | (row + 1 < e.rows ? kDown : 0));
  }
  // Arbitrary values come first, then system values, then what the pipeline makes.
  static std::uint8_t not_left_of(std::uint8_t what) {
    if ((what & packed::kArbitrary) != 0) return packed::kGenerated | kOfShader;
    return (what & kOfShader) != 0 ? packed::kGenerated : std::uint8_t{0};
  }
  static std::uint8_t not_right_of(std::uint8_t what) {
    if ((what & packed::kGenerated) != 0) return packed::kArbitrary | kOfShader;
    return (what & kOfShader) != 0 ? packed::kArbitrary : std::uint8_t{0};
  }

  std::array<std::uint8_t, 4> columns_{};  ///< occupied, or not allowed
  Interpolation interpolation_ = Interpolation::undefined;
  std::uint32_t width_ = 0;
  std::uint8_t indexing_ = 0;
  bool indexing_is_fixed_ = false;
};

}  // namespace unshade::dxil::validate
