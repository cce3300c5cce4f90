// Debug parts of DXBC: source files, which line an instruction comes from, and which registers hold a variable. SPDB is a program database
// (CodeView records in an MSF file), SDBG the older form.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/msf.hpp>

namespace unshade::dxbc {

struct SourceFile {
  std::string_view name;  ///< as the compiler was given it
  std::string_view text;  ///< empty if the part does not hold it
  bool has_text = false;
};

/// The source position of one instruction, inlined calls resolved: the innermost function's.
struct LineEntry {
  std::uint32_t code_offset = 0;  ///< bytes from the start of the token program; in SDBG the number of the instruction
  std::uint32_t file = 0;         ///< index into files
  std::uint32_t line = 0;         ///< from 1
  std::uint16_t column = 0;       ///< from 1; 0 if the part does not say
  std::uint16_t column_end = 0;
};

/// Bytes of the token program, `to` excluded.
struct CodeRange {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// A function in which variables are declared: the entry point, or one call of a function that was inlined.
struct DebugScope {
  std::string_view function;
  std::uint32_t parent = 0;             ///< index into scopes; the entry point, scope 0, is its own
  std::vector<CodeRange> instructions;  ///< ascending, apart; empty for the entry point, which has them all
};

/// A type of the CodeView type stream, as far as naming a component needs it.
struct DebugType {
  enum class Kind : std::uint8_t { other, vector, matrix, array, structure, alias };
  Kind kind = Kind::other;
  bool is_row_major = false;  ///< matrices
  std::uint32_t element = 0;  ///< type index of the element, of the aliased type, or of the field list
  std::uint32_t bytes = 0;
  std::uint32_t stride = 0;  ///< bytes from one array element, or matrix row or column, to the next
  std::uint32_t first_member = 0;
  std::uint32_t member_count = 0;  ///< field lists, in DebugInfo::members, by ascending offset
  std::string_view name;
};

struct DebugMember {
  std::uint32_t offset = 0;  ///< bytes from the start of the struct
  std::uint32_t type = 0;    ///< type index
  std::string_view name;
};

struct DebugVariable {
  std::string_view name;
  std::uint32_t type = 0;   ///< type index
  std::uint32_t scope = 0;  ///< index into scopes
  bool is_parameter = false;
  bool is_return_value = false;
};

/// Where one component of a variable lives while a range of instructions runs.
struct VariableLocation {
  std::uint32_t variable = 0;            ///< index into variables
  std::uint16_t offset_in_variable = 0;  ///< bytes
  std::uint16_t bytes = 0;
  std::uint16_t register_file = 0;            ///< an operand type: 0 r, 1 v, 2 o, 3 x
  std::uint8_t dimensions = 0;                ///< how many of register_offset are in use
  std::uint32_t register_offset[2] = {0, 0};  ///< bytes; 16 to a register
  CodeRange range;
  std::uint32_t first_gap = 0;  ///< in DebugInfo::gaps: where in the range the variable is not available
  std::uint32_t gap_count = 0;
};

/// What the debug part of a shader says. Borrows the file's bytes, and keeps copies of streams that lie scattered in it.
struct DebugInfo {
  std::string_view compiler;  ///< "Microsoft (R) HLSL Shader Compiler 6.3.9600.16384"
  std::string_view entry_point;
  std::string_view target;  ///< the profile asked for: "vs_4_0_level_9_1"
  std::string_view flags;   ///< as the part has them: "0x11"
  std::string_view defines;

  std::vector<SourceFile> files;
  std::vector<LineEntry> lines;       ///< by ascending code_offset, one for each instruction
  bool lines_by_instruction = false;  ///< SDBG: code_offset counts instructions other than declarations
  std::vector<DebugScope> scopes;
  std::vector<DebugVariable> variables;
  std::vector<VariableLocation> locations;
  std::vector<CodeRange> gaps;
  std::uint32_t first_type = 0;  ///< the type index of types[0]; lower ones are built in
  std::vector<DebugType> types;
  std::vector<DebugMember> members;

  std::size_t part_bytes = 0;
  std::vector<dxcontainer::MsfBytes> storage;

  const DebugType* type(std::uint32_t index) const {
    return index >= first_type && index - first_type < types.size() ? &types[index - first_type] : nullptr;
  }
};

/// Whether a part is SPDB, SDBG or SDGB.
bool is_debug_part(std::uint32_t fourcc);

/// What to leave out to save time.
enum class DebugDetail : std::uint8_t {
  lines,    ///< everything but the texts of the source files: what a listing needs
  sources,  ///< all
};

/// Reads a debug part; the FourCC must be one (is_debug_part).
/// Errors: those of parse_msf, truncated, out_of_range, overlap, unsupported, with paths such as `SPDB/module/symbols[3]/name`.
Result<DebugInfo> parse_debug_info(const dxcontainer::Part& part, DebugDetail detail = DebugDetail::sources);
/// Adds the part's fields to a tree.
void record_debug_info(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

/// Appends the name of the component of a variable that a location holds: `vin.Position.x`, `skinning._m01`, `lights[2].color.z`.
void append_component(Text& out, const DebugInfo& info, const VariableLocation& location);

/// Appends the source files, each below a line `// file NAME`.
void append_sources(Text& out, const DebugInfo& info);

/// What fxc's listing says between and after instructions, asked for in their order.
/// Source: docs/reference/formats/debug.md, "In fxc's listing".
class DebugCursor {
 public:
  explicit DebugCursor(const DebugInfo& info);

  /// Appends the lines that are before the instruction at `code_offset` (bytes from the start of the token program): once the initial
  /// places of variables, and `#line` where the source moves on. Not for declarations.
  void before(Text& out, std::uint32_t code_offset);
  /// Appends the comment that follows an instruction: the variables whose place begins with what it wrote. Not for declarations.
  void after(Text& out, std::uint32_t code_offset, std::uint32_t bytes);

 private:
  /// A place of a variable that becomes good at an offset.
  struct Event {
    std::uint32_t offset;
    std::uint32_t location;
  };

  void initial_places(Text& out, std::uint32_t code_offset);
  bool in_scope(const VariableLocation& location, std::uint32_t code_offset) const;
  void register_name(Text& out, const VariableLocation& location) const;
  void place(Text& out, const VariableLocation& location);

  const DebugInfo* info_;
  std::vector<Event> events_;  // by ascending offset, then in the order of the records
  std::size_t next_line_ = 0;
  std::size_t next_event_ = 0;
  std::uint32_t instruction_ = 0;
  std::uint32_t file_ = 0;
  std::uint32_t line_ = 0;
  bool has_line_ = false;
  // What may still be printed: long names that many records share must not make a listing out of proportion to its file.
  std::size_t budget_;
};

}  // namespace unshade::dxbc
