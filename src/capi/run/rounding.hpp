// How numbers of the PICA200 are rounded: UNSHADE_FLOAT24_*.
#pragma once

#include <cstdint>
#include <optional>

#include <unshade/unshade.h>
#include <unshade/ir/module.hpp>

namespace unshade::capi {

constexpr bool is_rounding(std::uint32_t number) { return number <= UNSHADE_FLOAT24_F32; }

/// Nothing for UNSHADE_FLOAT24_AS_STATED.
constexpr std::optional<ir::F24> f24_of(std::uint32_t rounding) {
  switch (rounding) {
    case UNSHADE_FLOAT24_TRUNCATE: return ir::F24::truncate;
    case UNSHADE_FLOAT24_NEAREST: return ir::F24::nearest;
    case UNSHADE_FLOAT24_F32: return ir::F24::as_f32;
    default: return std::nullopt;
  }
}

inline constexpr const char* kWrongRounding = "float24 is not one of UNSHADE_FLOAT24_*";

}  // namespace unshade::capi
