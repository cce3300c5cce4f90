// What kinds of types have in common.
#pragma once

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

constexpr bool is_real(TypeKind kind) { return kind >= TypeKind::half && kind <= TypeKind::ppc_fp128; }

/// Whether instructions can have and take values of it.
constexpr bool is_first_class(TypeKind kind) {
  return kind != TypeKind::void_ && kind != TypeKind::function && kind != TypeKind::label && kind != TypeKind::metadata;
}

}  // namespace unshade::dxil::module
