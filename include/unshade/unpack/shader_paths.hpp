// Names of files for shaders that were found.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/find/name_template.hpp>

#include <unshade/unpack/search.hpp>

namespace unshade::unpack {

/// Fields of names that tell where a shader lies: `file`, `offset`, `size`, `number`, `member`, `form`. Others are those of
/// find::name_fields() and the identities.
std::span<const std::string_view> place_fields();
/// What a field is for a shader, `number` of its file. `ids`: of its identities.
std::string place_field(const SearchedFile& file, const FoundShader& shader, std::size_t number, std::span<const std::string> ids,
                        std::string_view field);

/// Paths below a folder. Two shaders of one name, in capital or small letters, are told apart by a number; one of the same bytes is not
/// written again.
class ShaderPaths {
 public:
  explicit ShaderPaths(std::string_view folder) : folder_(folder) {}

  struct Place {
    std::string path;          ///< empty: the shader was to be written under its path before, and could not be
    bool is_repeated = false;  ///< the shader is there
  };
  Place place(const std::string& name, View bytes);
  /// The shader of a path cannot be written.
  void set_failed(const std::string& path);

 private:
  struct Written {
    std::string path;
    dxcontainer::Digest digest{};
    bool is_there = true;
  };
  std::string folder_;
  std::map<std::string, Written> taken_;  // by path, folded
};

}  // namespace unshade::unpack
