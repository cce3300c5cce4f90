// Enumerations of the parts of a DXIL container, made from enums.def.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/core/tree.hpp>

namespace unshade::dxil {

// Each with its field type, and the identifier of a value: empty if it has none.
#define UNSHADE_DXIL_ENUM(name, text) enum class name : std::uint32_t {
#define UNSHADE_DXIL_VALUE(id, value) id = value,
#define UNSHADE_DXIL_END(name)       \
  }                                  \
  ;                                  \
  const FieldType& field_type(name); \
  std::string_view id(name value);
#include <unshade/dxil/enums.def>
#undef UNSHADE_DXIL_ENUM
#undef UNSHADE_DXIL_VALUE
#undef UNSHADE_DXIL_END

}  // namespace unshade::dxil
