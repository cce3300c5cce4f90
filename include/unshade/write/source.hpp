// Source code of a module of the IR: statements and expressions that compilers take.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text/identifiers.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/shader/hlsl/declarations.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/write/names.hpp>
#include <unshade/write/spirv.hpp>

namespace unshade::write {

/// How far a text may go from what the file says, to be read easily.
enum class Setting : std::uint8_t {
  exact,     ///< each operation in its own form, so that compilers give the same bits
  readable,  ///< intrinsics in the place of what they are computed by, where that gives the same bits here
  native,    ///< also where results may differ in the last bits
};

inline constexpr std::array<std::string_view, 3> kSettingIds = {"exact", "readable", "native"};

/// What takes GLSL.
enum class GlslEnvironment : std::uint8_t { vulkan, opengl, es };
inline constexpr std::array<std::string_view, 3> kGlslEnvironmentIds = {"vulkan", "opengl", "es"};

/// Of ShadingLanguage.
inline constexpr std::array<std::string_view, 2> kShadingLanguageIds = {"hlsl", "glsl"};

/// What most want of a family: GLSL of SPIR-V and VBC, else HLSL.
constexpr ShadingLanguage usual_language(shader::Family family) {
  return family == shader::Family::spirv || family == shader::Family::vbc ? ShadingLanguage::glsl : ShadingLanguage::hlsl;
}

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
  std::string_view entry = {};      ///< as shader::LowerOptions::entry
  const NewNames* names = nullptr;  ///< may be null
  /// Names and layouts of resources that the file has none of; may be null. A declaration fits a resource of its kind with its register, if
  /// it has one; a constant buffer if its size is the same (of DXBC, whose compilers declare what is used, not less) and all accesses are
  /// to members, a structured buffer if its stride is the same. The one that fits best is taken, by register before size, if only one does.
  const shader::HlslDeclarations* declarations = nullptr;
};

/// What a text consists of.
struct SourceScore {
  std::size_t instructions = 0;  ///< of the listing that something is written of
  std::size_t lines = 0;         ///< of functions
  std::size_t statements = 0;
  std::size_t temporaries = 0;  ///< variables that are declared in functions
  std::size_t casts = 0;        ///< of bits
  std::size_t components = 0;   ///< of operations on vectors (ir::Vectors), and of these written as vectors
  std::size_t vector_components = 0;
  std::size_t loops = 0, once = 0, jumps = 0;
};

/// A count, as it is called in documents and in print.
struct ScoreRow {
  std::string_view id, name;
  std::size_t SourceScore::* count;
};
inline constexpr ScoreRow kScoreRows[] = {
    {"instructions", "instructions", &SourceScore::instructions},
    {"lines", "lines", &SourceScore::lines},
    {"statements", "statements", &SourceScore::statements},
    {"temporaries", "temporaries", &SourceScore::temporaries},
    {"casts", "casts", &SourceScore::casts},
    {"components", "components", &SourceScore::components},
    {"in_vectors", "in vectors", &SourceScore::vector_components},
    {"loops", "loops", &SourceScore::loops},
    {"one_round_loops", "one-round loops", &SourceScore::once},
};

/// What a line of a text is written of.
struct SourceLine {
  std::uint32_t function = ir::kNone;     ///< in SourceText::functions
  std::uint32_t instruction = ir::kNone;  ///< of the function's listing (ir::Source::instruction); ir::kNone: of none
  std::uint32_t listing_line = 0;         ///< where that is in the listing, from 1; 0: find_in_listing() was not asked
};

struct SourceText {
  std::string text;
  std::vector<SourceLine> lines;       ///< of the text, from the first
  std::vector<std::string> functions;  ///< what the module calls its functions
  SourceScore score;
  std::vector<SourceName> names;   ///< those that NewNames can replace
  std::vector<std::string> notes;  ///< why declarations are not taken that could be, a sentence each
};

/// Writes a module. `reflection`, which may be null, names resources and what is in them. Errors: unsupported, with the path of the
/// function and what the language lacks or is not written yet; those of check_names(), and overlap for new names that something else has,
/// with the same path.
Result<SourceText> to_source(const ir::Structured& module, const shader::Reflection* reflection, const SourceOptions& options = {});
/// The same of an opened shader. Errors: those of shader::lower() and ir::structured() too.
Result<SourceText> to_source(const shader::Shader& shader, const SourceOptions& options = {});

}  // namespace unshade::write
