// Compilers of source code, where they are installed.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text/identifiers.hpp>
#include <unshade/suite/test.hpp>

namespace unshade::cli {

/// A SPIR-V module of a shader of a test, by glslang's command; files that it includes are in its folder. From any thread. Errors: missing,
/// if there is no compiler; what glslang says of the shader, `path` the `LINE:COLUMN` in its text.
Result<std::vector<std::byte>> compile(const suite::ShaderSource& source);

/// The text of a shader that was written of a binary.
struct WrittenSource {
  ShadingLanguage language = ShadingLanguage::hlsl;
  Stage stage = Stage::none;
  std::string_view text;
  std::string_view entry = "main";
  std::string_view profile;    ///< of Direct3D, for dxc and fxc: `ps_5_0`
  bool of_direct3d = false;    ///< a shader of Direct3D, whose compilers have expansions of their own for functions
  bool binds_itself = false;   ///< HLSL that says the bindings of Vulkan; else registers of one number but several kinds are parted
  std::string_view program{};  ///< the compiler, told by its name: `dxc`, `fxc`, else glslang's; empty: that which is found
};

/// The binary that a compiler makes of it: SPIR-V by glslang, a container by dxc and fxc. Errors: as above.
Result<std::vector<std::byte>> compile(const WrittenSource& source);

}  // namespace unshade::cli
