// Meshes of glTF files. src: Khronos, glTF 2.0 specification
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>

namespace unshade::scene {

/// Reads a text of JSON, by the ending of its name. Errors: at offsets of the text.
using ReadDocument = Result<Value> (*)(std::string_view name, std::string_view text);

/// The triangles of a file's scene, or of all its meshes if it has none, in left-handed coordinates, clockwise from outside.
struct GltfMesh {
  struct Attribute {
    std::string name;  ///< `POSITION`, `NORMAL`, `TANGENT`, `TEXCOORD`, `TEXCOORD1`, `COLOR`
    unsigned components = 0;
    std::vector<float> numbers;  ///< [vertex * components + component]
  };
  std::vector<Attribute> attributes;
  std::uint32_t vertices = 0;
  std::vector<std::uint32_t> indices;
};

/// What reads files beside the one that names them.
struct GltfFiles {
  ReadDocument read_document = nullptr;
  void* self = nullptr;
  Result<std::vector<std::byte>> (*read_file)(void* self, std::string_view path) = nullptr;
};

/// Reads a file of JSON (.gltf) or one with its buffer (.glb). Errors: bad_magic, truncated, bad_value, missing, limit; unsupported for
/// primitives that are no triangles, sparse accessors, and extensions that are required. Offsets count bytes of the file.
Result<GltfMesh> read_gltf(View file, const GltfFiles& files);

}  // namespace unshade::scene
