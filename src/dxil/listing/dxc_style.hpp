// What changed in dxc's listings from release to release. What is the same in all of them is in the code that prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/dxil/dxc_version.hpp>

namespace unshade::dxil::listing {

/// Later than any release: a listing without a version follows DXC's main branch.
inline constexpr DxcVersion kNewestDxc{~std::uint32_t{0}, 0, 0};

/// Habits of a release. src: DXC at the tags of its releases; docs/internals/dxil_listing.md, "Versions".
struct DxcStyle {
  DxcVersion version = kNewestDxc;
  // The module.
  bool debug_comments;      ///< ` ; line:3 col:7` and ` ; var:"x"`
  bool variable_functions;  ///< ` func:"main"` after a variable
  bool folds_zero_offsets;  ///< constants that cast the address of a first member cast that of the whole instead
  bool old_handles;         ///< AnnotateHandle is 217, and states class and kind of the resource apart from its properties
  bool reorder_coherent;    ///< `reordercoherent` of a resource
  // PSV0.
  bool wave_size;           ///< `WaveSize`, if the smallest and the largest are the same
  bool thread_groups;       ///< of compute, amplification and mesh shaders: heading, topology, NumThreads
  bool whole_runtime_info;  ///< lane counts, signature sizes, entry point and the line PSVRuntimeInfo
  bool group_shared_bytes;  ///< NumBytesGroupSharedMemory
  // Other sections.
  bool sample_digits;      ///< the sample count of a texture in digits, not as the character with this code
  bool every_array_level;  ///< of resources in arrays of arrays the layout of an element, not that of an array
  bool patch_word_once;    ///< `Patch Constant signature:`, without another `signature`
  bool optional_features;  ///< the note on flags that are optional
  bool wave_matrix_flag;   ///< feature 27 is `Wave Matrix`, not `<RESERVED>`
  bool opacity_micromaps;  ///< the flag's name in RaytracingPipelineConfig1
  std::uint32_t features;  ///< how many flags that are not optional are known
};

constexpr DxcStyle dxc_style(const std::optional<DxcVersion>& asked) {
  const DxcVersion version = asked.value_or(kNewestDxc);
  const auto since = [&](std::uint32_t minor, std::uint32_t release) { return !version.before({1, minor, release}); };
  return {
      .version = version,
      .debug_comments = since(5, 2003),
      .variable_functions = since(6, 2112),
      .folds_zero_offsets = !since(5, 2003),
      .old_handles = !since(6, 2104),
      .reorder_coherent = since(8, 2505),
      .wave_size = since(6, 2104),
      .thread_groups = since(7, 2207),
      .whole_runtime_info = since(8, 2502),
      .group_shared_bytes = since(9, 2602),
      .sample_digits = since(6, 2104),
      .every_array_level = since(7, 2212),
      .patch_word_once = since(8, 2502),
      .optional_features = since(8, 2403),
      .wave_matrix_flag = since(8, 2306),
      .opacity_micromaps = since(8, 2505),
      .features = since(8, 2403)   ? 33U
                  : since(7, 2207) ? 31U
                  : since(6, 2104) ? 29U
                                   : 22U,
  };
}

/// The comment of an operation: `LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)`. Empty if this dxc has none with the opcode.
std::string_view operation_comment(const DxcStyle& style, std::uint32_t opcode);

}  // namespace unshade::dxil::listing
