// What edits of all formats are asked for, and what they answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>

namespace unshade {

/// What came of an edit of a whole file.
struct Edited {
  std::vector<std::byte> bytes;  ///< the whole file
  bool changed = false;          ///< false: `bytes` are the file's as they were
  /// What the user should know: what could not follow the edit, and why that does no harm. Sentences without a full stop.
  std::vector<std::string> notes;
};

/// What to take out. Formats that do not have one of these ignore it.
struct Strip {
  /// debug information, names and sources: ILDB, SPDB, SDBG, SRCI, PDBI, debug metadata; OpName, OpLine, OpSource; line tables and labels
  bool debug = false;
  bool debug_name = false;      ///< ILDN: where the debug file is; debuggers find what was taken out by it
  bool reflection = false;      ///< RDEF and STAT; semantics of HLSL and non-semantic instructions in SPIR-V
  bool private_data = false;    ///< PRIV
  bool root_signature = false;  ///< RTS0
  bool statistics = false;      ///< STAT of DXBC alone: instruction counts
  bool names = false;           ///< names by which programs find uniforms at run time: PICA200, VBC
};

/// What gets another name.
enum class NameKind : std::uint8_t {
  entry,     ///< an entry point
  input,     ///< the semantic or name of an input
  output,    ///< the same of an output
  patch,     ///< the same of a patch constant
  resource,  ///< a binding, and a constant buffer
  variable,  ///< a member of a buffer, a uniform
  node,      ///< the id of a work graph node
};

/// Renames one item.
struct Rename {
  using What = NameKind;
  What what = What::resource;
  std::string from;  ///< as `reflect` prints it: `TEXCOORD1`, `main`, `g_albedo`; empty with `entry`: the only one
  std::string to;    ///< of a semantic with its index: `COLOR0`; without digits the index stays
};

/// Moves a resource to another register (Direct3D), binding (SPIR-V), slot (VBC) or uniform register (PICA200).
struct Rebind {
  char kind = 0;                 ///< `t`, `s`, `u`, `b` of Direct3D; `c`, `i`, `b` of the PICA200; 0 if the format has but one kind
  std::uint32_t from = 0;        ///< first register, or binding
  std::uint32_t from_space = 0;  ///< register space, or descriptor set
  std::uint32_t to = 0;
  std::optional<std::uint32_t> to_space;  ///< absent: stays
};

/// What formats without work graphs say. `offset`: of the file.
inline Error no_nodes(std::uint64_t offset) {
  return {ErrorCode::unsupported, offset, "node", "only DXIL libraries have work graph nodes"};
}

}  // namespace unshade
