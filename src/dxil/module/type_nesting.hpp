// How types may hold one another: the same bounds for those that are read from bitcode and from text.
#pragma once

#include <cstdint>
#include <optional>

#include <unshade/core/result.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

/// Parts that the text of a type may have, far more than any program's.
inline constexpr std::uint32_t kHeaviestType = 1U << 16;

struct TypeFault {
  ErrorCode code = ErrorCode::limit;
  std::uint32_t type = 0;  ///< type id
  const char* message = "";
};
/// No type may hold itself, and none may hold others too deeply, so that whoever lays them out can recurse.
std::optional<TypeFault> find_type_fault(const Module& module);

}  // namespace unshade::dxil::module
