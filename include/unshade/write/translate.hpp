// Translates an opened shader of any family.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text/identifiers.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/write/source.hpp>
#include <unshade/write/spirv.hpp>

namespace unshade::write {

struct TranslateOptions {
  /// As shader::LowerOptions::entry.
  std::string_view entry;
  /// `source` is the listing or what `debug_language` says, unless it is given.
  SpirvOptions spirv;
  /// Debug information has source in this language, as to_source() writes it, instead of the listing.
  std::optional<ShadingLanguage> debug_language{};
  /// Of the shader: its listing is called so in debug information, with the ending of listings of its family, its source with that of the
  /// language. Empty: `listing`, `source`.
  std::string_view file_name{};
};

struct Translation {
  std::vector<std::byte> bytes;  ///< the module, in little-endian words
  Stage stage = Stage::none;
  std::uint32_t wave_min = 4, wave_max = 128;  ///< sizes of subgroups that the program allows: the pipeline has to ask for one
  std::vector<BoundResource> bindings;         ///< by the order of their first use
  std::vector<Specialization> specializations;
};

/// Whether a family has entry points that are chosen by a name. Errors: missing, for DXBC.
Result<void> check_entry(const shader::Shader& shader, std::string_view entry);

/// SPIR-V that computes what the shader does. Programs of the PICA200 compute in 32 bits. Errors: those of shader::lower() and
/// ir::structured(); unsupported for what Vulkan lacks or is not translated, by name.
Result<Translation> to_spirv(const shader::Shader& shader, const TranslateOptions& options = {});

/// Where resources are bound by a name: `nvrhi`, the default; `dxc`, without shifts; `sdl-gpu`; `vkd3d`. Nothing for others.
std::optional<Binding> binding_model(std::string_view name);
/// Reads shifts of bindings by kind: `t=0,s=128,b=256,u=384`, or some of these; the others are those of `model`. Errors: bad_value.
Result<Binding> parse_shifts(std::string_view text, Binding model = {});
/// The model with Binding::first_set. Errors: bad_value, above kMostFirstSet, and for `sdl_gpu` above 0.
Result<Binding> with_first_set(Binding model, std::uint32_t set);

/// What debug information has, by a name: `lines`, where instructions are in the listing; `source`, the text of the listing too; `hlsl`,
/// `glsl`, source in its place. False for others.
bool choose_debug_info(std::string_view name, TranslateOptions& options);

/// Source of a shader, and where the functions of a module are in it that shader::lower() made. `entry`: as in TranslateOptions. Errors:
/// those of to_source().
Result<DebugSource> source_of(const shader::Shader& shader, const ir::Module& module, ShadingLanguage language, std::string_view entry,
                              std::string_view file_name);
/// Sets SourceLine::listing_line of a text that was written of a shader; of one that has no listing, it does not.
void find_in_listing(const shader::Shader& shader, SourceText& source);

/// The listing of a shader, and where the functions of a module are in it that shader::lower() made with LowerOptions::keep_copies. Errors:
/// those of shader::stepped_lines() and shader::control_flow().
Result<DebugSource> listing_of(const shader::Shader& shader, const ir::Module& module, std::string_view file_name);

}  // namespace unshade::write
