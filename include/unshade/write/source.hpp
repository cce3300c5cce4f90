// Source code of a module of the IR: statements and expressions that compilers take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text/identifiers.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/write/spirv.hpp>

namespace unshade::write {

/// How far a text may go from what the file says, to be read easily.
enum class Setting : std::uint8_t {
  exact,     ///< each operation in its own form, so that compilers give the same bits
  readable,  ///< intrinsics in the place of what they are computed by, where that gives the same bits here
  native,    ///< also where results may differ in the last bits
};

/// What takes GLSL.
enum class GlslEnvironment : std::uint8_t { vulkan, opengl, es };

struct GlslOptions {
  GlslEnvironment environment = GlslEnvironment::vulkan;
  std::uint32_t version = 0;  ///< 460, 450, 330, of ES 310, 320; 0: 460 for Vulkan, 450 for OpenGL, 310 for ES
  Binding binding;            ///< of Vulkan
  bool flip_y = false;        ///< negates the y of positions
  /// Converts the depth of positions from what Direct3D has, [0, w], to what OpenGL has without glClipControl(), [-w, w].
  bool depth_from_minus_w = false;
};

struct SourceOptions {
  ShadingLanguage language = ShadingLanguage::hlsl;
  Setting setting = Setting::readable;
  GlslOptions glsl = {};
  std::string_view entry = {};  ///< as shader::LowerOptions::entry
};

/// What a text consists of.
struct SourceScore {
  std::size_t instructions = 0;  ///< of the listing that something is written of
  std::size_t lines = 0;         ///< of functions
  std::size_t statements = 0;
  std::size_t temporaries = 0;  ///< variables that are declared in functions
  std::size_t casts = 0;        ///< of bits
  std::size_t components = 0;   ///< of operations, and of these written as vectors
  std::size_t vector_components = 0;
  std::size_t loops = 0, once = 0, jumps = 0;
};

struct SourceText {
  std::string text;
  /// By line of the text: the instruction of the listing (ir::Source::instruction) that it is written of; ir::kNone: of none.
  std::vector<std::uint32_t> instructions;
  SourceScore score;
};

/// Writes a module. `reflection`, which may be null, names resources and what is in them. Errors: unsupported, with the path of the
/// function and what the language lacks or is not written yet.
Result<SourceText> to_source(const ir::Structured& module, const shader::Reflection* reflection, const SourceOptions& options = {});
/// The same of an opened shader. Errors: those of shader::lower() and ir::structured() too.
Result<SourceText> to_source(const shader::Shader& shader, const SourceOptions& options = {});

}  // namespace unshade::write
