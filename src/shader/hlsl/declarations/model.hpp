// What a text of HLSL declares, before anything has a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::limits {

/// Largest text of HLSL declarations in bytes, and how many members all its structures may have where they are used: an array of a
/// structure has them again.
inline constexpr std::size_t kDeclarationsText = std::size_t{1} << 22;
inline constexpr std::size_t kDeclaredMembers = std::size_t{1} << 16;

}  // namespace unshade::limits

namespace unshade::shader::hlsl {

struct DeclaredType {
  TypeClass type_class = TypeClass::scalar;  ///< scalar, vector, matrix_rows, matrix_columns or structure
  BaseType base = BaseType::float_;
  BaseType native = BaseType::float_;  ///< with native types of 16 bits
  std::uint32_t rows = 1, columns = 1;
  std::uint32_t elements = 0;       ///< of an array, those of all its dimensions together; 0: it is none
  std::uint32_t structure = kNone;  ///< in Declared::structures
};

/// Names borrow the text; places are bytes from its start.
struct DeclaredMember {
  std::string_view name{};
  std::size_t at = 0;
  DeclaredType type{};
  std::optional<std::uint32_t> offset{};  ///< by packoffset: bytes
};

struct DeclaredStructure {
  std::string_view name{};
  std::size_t at = 0;
  std::vector<DeclaredMember> members{};
  std::optional<Error> fault{};  ///< what a buffer of it is refused for
  unsigned depth = 1;            ///< of the structures in it
};

struct DeclaredResource {
  std::string_view name{};
  std::size_t at = 0;
  ResourceKind kind = ResourceKind::cbuffer;
  ResourceDimension dimension = ResourceDimension::unknown;
  std::uint32_t bind_point = kNone, space = 0;
  std::uint32_t count = 1;                ///< of an array; 0: unbounded
  std::optional<DeclaredType> element{};  ///< of a structured buffer, and of constant buffers the structure of their members
};

struct Declared {
  std::vector<DeclaredStructure> structures;
  std::vector<DeclaredResource> resources;
  bool has_switched_types = false;  ///< some differ between both settings for 16 bits
};

/// The reflection of what is declared. Errors: those of read_hlsl_declarations() on places and sizes.
Result<Reflection> laid_out(const Declared& declared, bool is_native);

}  // namespace unshade::shader::hlsl
