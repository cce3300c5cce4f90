// Types of data and how they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/amber/script.hpp>

namespace unshade::amber {

/// A number with as few digits as give it back: as a float if it is `single`.
std::string shown_number(double value, bool single);

/// Layouts of the GLSL specification, 7.6.2.2.
enum class Layout : std::uint8_t { std140, std430 };

/// A type by its parts: a scalar, vector, matrix or structure, or an array of it.
struct TypeShape {
  struct Member;
  std::string name;
  DataScalar::Kind kind = DataScalar::Kind::uint;
  std::uint8_t bytes = 4;
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  std::uint32_t structure = kNone;  ///< among those of the script
  bool is_array = false;
  std::uint32_t count = 0;  ///< of an array; 0: not said, each value of the buffer is an element
  std::optional<texel::Format> format;
  bool is_tight = false;  ///< three components take the room of three, as texels do
};
struct TypeShape::Member {
  TypeShape type;
  std::optional<std::uint32_t> offset;
  std::uint32_t array_stride = 0;   ///< 0: by the layout
  std::uint32_t matrix_stride = 0;  ///< likewise
};
struct Structure {
  std::string name;
  std::uint32_t stride = 0;  ///< 0: by the layout
  unsigned depth = 1;        ///< of structures in it
  std::vector<TypeShape::Member> members;
};

/// The number of a structure by its name.
using FindStructure = std::function<std::optional<std::size_t>(std::string_view)>;
/// A type's word: `vec3<float>`, `int32[]`, `mat4x4<float>`, a structure's name, a format.
std::optional<TypeShape> parse_type(std::string_view word, const FindStructure& find);
/// A format of Vulkan: `B8G8R8A8_UNORM`, `A2B10G10R10_UINT_PACK32`; with components of 64 bits by parse_wide_format() alone.
std::optional<texel::Format> parse_format(std::string_view name);
/// Numbers that a format with components of 64 bits is: `R64G64_SFLOAT`. The interpreter has no texels of them.
std::optional<TypeShape> parse_wide_format(std::string_view name);
/// A format of depth, stencil or both.
std::optional<draw::DepthStencilTarget> parse_depth_stencil(std::string_view name);

/// Nothing if it has more scalars than `most`.
std::optional<DataType> lay_out(const TypeShape& type, Layout layout, const std::vector<Structure>& structures, std::size_t most);
DataType type_of(const texel::Format& format, std::string_view name);

/// Numbers that memory can hold: `a whole number of 32 bits`.
std::string numbers_of(const DataScalar& scalar);
/// Whether memory can hold a number: integers only whole ones of their width, of either sign; floats none that would become infinite.
bool can_hold(const DataScalar& scalar, const ScriptNumber& number);

}  // namespace unshade::amber
