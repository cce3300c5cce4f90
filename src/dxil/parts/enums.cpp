#include <unshade/dxil/enums.hpp>

#include <cstddef>
#include <iterator>

#include <unshade/dxil/parts.hpp>

#include "dxil/parts/program_header_layout.hpp"
#include "dxil/parts/rdat_layout.hpp"

namespace unshade::dxil {

// Field types by overload, as descriptions look them up.
#define UNSHADE_DXIL_ENUM(name, text)               \
  namespace {                                       \
  struct name##Table {                              \
    static constexpr std::string_view kText = text; \
    static constexpr NamedValue kValues[] = {
#define UNSHADE_DXIL_VALUE(id, value) {value, #id},
#define UNSHADE_DXIL_END(name)                                              \
  }                                                                         \
  ;                                                                         \
  static constexpr NameTable kNames{kValues};                               \
  static constexpr FieldType kType{FieldKind::enumeration, kText, &kNames}; \
  }                                                                         \
  ;                                                                         \
  }                                                                         \
  const FieldType& field_type(name) { return name##Table::kType; }          \
  std::string_view id(name value) { return name##Table::kNames.find(static_cast<std::uint32_t>(value)); }
#include <unshade/dxil/enums.def>
#undef UNSHADE_DXIL_ENUM
#undef UNSHADE_DXIL_VALUE
#undef UNSHADE_DXIL_END

namespace {
constexpr ComponentTypeInfo kComponentTypes[] = {
#define DXIL_COMPONENT(id, value, bits, real, stated, held, precision, base, minimum, returned, type, format, hlsl, minimum_text) \
  {bits,                                                                                                                          \
   real,                                                                                                                          \
   dxcontainer::ComponentType::stated,                                                                                            \
   dxcontainer::ComponentType::held,                                                                                              \
   dxcontainer::MinPrecision::precision,                                                                                          \
   dxcontainer::BaseType::base,                                                                                                   \
   dxcontainer::BaseType::minimum,                                                                                                \
   dxcontainer::ReturnType::returned,                                                                                             \
   type,                                                                                                                          \
   format,                                                                                                                        \
   hlsl,                                                                                                                          \
   minimum_text},
#include <unshade/dxil/component_types.def>
};
}  // namespace

const ComponentTypeInfo& component_type_info(ComponentType type) {
  const auto index = static_cast<std::size_t>(type);
  return kComponentTypes[index < std::size(kComponentTypes) ? index : 0];
}

// Here, where the names of kinds are, so that they are constants.
namespace {
constexpr Bits kNamedProgramKind{kProgramKind.name, kProgramKind.first, kProgramKind.count, &ShaderKindTable::kNames};
constexpr Bits kProgramVersionBits[] = {kNamedProgramKind, kProgramMajor, kProgramMinor, {"reserved", 8, 8}};

void print_stages(Text& out, View bytes, std::uint32_t) {
  std::uint32_t value = bytes.u32(0).value_or(0);
  bool any = false;
  for (std::uint32_t kind = 0; kind < static_cast<std::uint32_t>(ShaderKind::invalid); ++kind) {
    if ((value >> kind & 1) == 0) continue;
    if (any) out << '|';
    any = true;
    out << id(static_cast<ShaderKind>(kind));
    value &= ~(1U << kind);
  }
  if (value == 0 && any) return;
  if (any) out << '|';
  if (value != 0) out << "0x";
  out.hex(value);
}
}  // namespace
const FieldType kProgramVersionType{FieldKind::bits, "program version", nullptr, kProgramVersionBits};
const FieldType kStageSet{FieldKind::custom, "set of shader kinds", &ShaderKindTable::kNames, {}, print_stages};

}  // namespace unshade::dxil
