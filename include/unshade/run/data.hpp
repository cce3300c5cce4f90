// Files of numbers that a case names: arrays of NumPy, comma-separated values, meshes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>

namespace unshade::run {

/// An array of NumPy. src: numpy/lib/format.py, versions 1 and 2
struct Array {
  char kind = 'f';  ///< f floats, i signed, u unsigned integers
  unsigned item_bytes = 4;
  std::vector<std::uint64_t> shape;  ///< the last dimension varies fastest
  std::span<const std::byte> bytes;

  std::uint64_t count() const { return bytes.size() / item_bytes; }
  /// An item as an integer or real.
  Value at(std::uint64_t index) const;
};

/// Errors: bad_magic if it is no .npy file; truncated; unsupported for big endian, Fortran order, and types other than f2, f4, f8, i1 to i8
/// and u1 to u8. Offsets count bytes of the file.
Result<Array> read_npy(std::span<const std::byte> file);
/// A file of version 1. `kind` and `item_bytes` as in Array.
std::vector<std::byte> write_npy(char kind, unsigned item_bytes, std::span<const std::uint64_t> shape, std::span<const std::byte> bytes);

/// Numbers in rows.
struct Table {
  std::vector<std::string> columns;  ///< empty without a header; `POSITION.y` is component 1 of POSITION
  std::size_t width = 0;             ///< cells of a row
  std::vector<Value> cells;          ///< integers, reals, and the texts nan, inf and -inf
  std::size_t rows() const { return width == 0 ? 0 : cells.size() / width; }
  /// A row as inputs by name: numbers and lists of them.
  Value row(std::size_t index) const;
};

/// Lines of numbers between commas; the first may hold names. Empty lines and those that begin with `#` are skipped.
/// Errors: bad_value with the line in the message; limit.
Result<Table> read_csv(std::string_view text);

/// Vertices of the triangles of a Wavefront OBJ file, three rows a triangle; polygons become fans.
/// `names`: of the position (v), the texture coordinate (vt) and the normal (vn). Errors as above.
struct MeshNames {
  std::string v = "POSITION", vt = "TEXCOORD", vn = "NORMAL";
};
Result<Table> read_obj(std::string_view text, const MeshNames& names = {});

}  // namespace unshade::run
