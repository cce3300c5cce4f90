// Enumerations of the parts of a DXIL container, made from enums.def.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxil {

using dxcontainer::InputPrimitive;
using dxcontainer::Interpolation;
using dxcontainer::MeshTopology;
using dxcontainer::NodeLaunch;
using dxcontainer::OutputTopology;
using dxcontainer::SemanticKind;
using dxcontainer::TessellatorDomain;
using dxcontainer::TessellatorOutput;
using dxcontainer::TessellatorPartitioning;

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

/// A row of component_types.def, whose legend says what the columns are.
struct ComponentTypeInfo {
  std::uint32_t bits;
  bool is_real;
  dxcontainer::ComponentType stated, held;
  dxcontainer::MinPrecision precision;
  dxcontainer::BaseType base, minimum;
  dxcontainer::ReturnType returned;
  std::string_view type, format, hlsl, minimum_text;

  /// Of a component in memory; if 16 bits are a minimum they take 4 bytes.
  std::uint32_t bytes(bool minimum_precision) const { return bits == 64 ? 8 : bits == 16 && !minimum_precision ? 2 : 4; }
};
/// The row of a type; that of invalid for a number that is none.
const ComponentTypeInfo& component_type_info(ComponentType type);

}  // namespace unshade::dxil
