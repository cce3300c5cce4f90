// VBC ("Vega ByteCode") files: SPIR-V for each stage, and tables that say what the stages take and give.
// The model owns all it holds. write(parse(file)) gives the same bytes, whatever the writer's defects: `Form` says which were found.
// Source: docs/reference/formats/vbc.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade::vbc {

/// In the order in which their code is in the file.
enum class Stage : std::uint8_t { vertex, tess_control, tess_evaluation, geometry, fragment };
inline constexpr std::size_t kStages = 5;
/// The bit of a stage in a stage mask: Vulkan's.
constexpr std::uint16_t stage_bit(Stage stage) { return static_cast<std::uint16_t>(1U << static_cast<unsigned>(stage)); }
constexpr std::uint16_t stage_bit(std::size_t stage) { return static_cast<std::uint16_t>(1U << stage); }

enum class BaseType : std::uint8_t {
  void_,
  boolean,
  signed_int,
  unsigned_int,
  real,
  sampler,  ///< image and sampler in one
  image,    ///< storage image
  ro_buffer,
  rw_buffer,
  ro_texels,  ///< uniform texel buffer
  rw_texels,  ///< storage texel buffer
  subpass_input,
  uniform,
  structure,
};

enum class Rank : std::uint8_t { d1, d2, d3, d1_array, d2_array, cube, buffer };
enum class TexelType : std::uint8_t { signed_int, unsigned_int, real, unorm, snorm };

constexpr bool is_buffer(BaseType type) { return type == BaseType::ro_buffer || type == BaseType::rw_buffer; }
constexpr bool is_texel_buffer(BaseType type) { return type == BaseType::ro_texels || type == BaseType::rw_texels; }

/// Every layout that calls itself version 1, the newest first. src: history of the one writer, github.com/LibVega/VSL
enum class Layout : std::uint8_t {
  current,       ///< c110b1b, 2021-01-30: the documented one
  uncounted,     ///< c1a4170, 2021-01-30: SPIR-V follows, but its word counts are missing
  reflection,    ///< 0209e93, 2021-01-23: neither word counts nor SPIR-V
  wide,          ///< a77136f, 2021-01-13: uniform with 32-bit fields; older numbers of types and ranks
  wide_full,     ///< 449c2f6, 2021-01-09: the same; a uniform of no size has a stage mask and a count too
  wide_untyped,  ///< adb6b69, 2021-01-04: the same; members without types
  first,         ///< d6c226a, 2021-01-03: no shader type, 8-bit counts, no stage masks
};
inline constexpr std::size_t kLayouts = 7;

/// A value of one or more locations: vertex input or fragment output. 8 bytes.
struct Variable {
  std::uint8_t location = 0;
  BaseType type = BaseType::void_;
  std::uint8_t components = 1;  ///< of a column
  std::uint8_t columns = 1;
  std::uint8_t array_size = 1;  ///< 1: no array
  std::array<std::uint8_t, 3> padding{};

  friend bool operator==(const Variable&, const Variable&) = default;
};

/// The binding of a slot. 8 bytes; the second half depends on the type.
struct Binding {
  std::uint8_t slot = 0;
  BaseType type = BaseType::void_;
  std::uint16_t stages = 0;               ///< stage mask; 0 if nothing uses it
  std::array<std::uint8_t, 4> padding{};  ///< buffers: the last two; in the first layout all four, the last two of other types
  // buffers
  std::uint16_t struct_bytes = 0;
  // all others
  Rank rank = Rank::d1;
  TexelType texel = TexelType::signed_int;
  std::uint8_t component_bytes = 0;
  std::uint8_t components = 0;

  friend bool operator==(const Binding&, const Binding&) = default;
};

/// A member of the uniform block's struct.
struct Member {
  std::string name;
  std::uint32_t offset = 0;  ///< bytes; 16 bits wide in the current layout
  BaseType type = BaseType::void_;
  std::uint8_t components = 1;
  std::uint8_t columns = 1;
  std::uint8_t array_size = 1;

  /// 4 bytes a component, packed: the layout of all structs of the format.
  std::uint32_t size() const { return 4U * components * columns * array_size; }

  friend bool operator==(const Member&, const Member&) = default;
};

/// The one uniform block. Without a size there is none, and the rest is not in the file.
struct Uniform {
  std::uint32_t size = 0;  ///< bytes; 16 bits wide in the current layout
  std::uint16_t stages = 0;
  std::vector<Member> members;

  friend bool operator==(const Uniform&, const Uniform&) = default;
};

/// What is in place of a subpass input's record if the writer left an image of its own memory.
struct SubpassImage {
  std::vector<std::byte> string;  ///< std::string: 24 bytes (libc++), 32 (libstdc++, MSVC) or 40 (MSVC, debug)
  std::uint32_t index = 0;
  std::uint32_t padding = 0;
  std::uint64_t format = 0;  ///< an address in the compiler's memory

  /// The input's name, if it is short enough to lie in the string itself (15 characters; libc++: 22); empty else.
  std::string name() const;

  friend bool operator==(const SubpassImage&, const SubpassImage&) = default;
};

/// 4 bytes. Its input attachment index is its place.
struct SubpassInput {
  TexelType texel = TexelType::signed_int;
  std::uint8_t components = 4;
  std::array<std::uint8_t, 2> padding{};
  std::optional<SubpassImage> image;  ///< then texel and components are what the fragment shader's SPIR-V says, not the file

  friend bool operator==(const SubpassInput&, const SubpassInput&) = default;
};

/// Sizes of the descriptor tables: the lengths of the descriptor arrays in the SPIR-V.
struct TableSizes {
  std::uint16_t samplers = 8192;
  std::uint16_t images = 128;
  std::uint16_t buffers = 512;
  std::uint16_t ro_texels = 128;
  std::uint16_t rw_texels = 128;

  friend bool operator==(const TableSizes&, const TableSizes&) = default;
};

/// How a file is laid out. A file that conforms has the default; others are written as they were found.
struct Form {
  Layout layout = Layout::current;
  std::uint8_t subpass_bytes = kSubpassBytes;  ///< of a subpass record: 4, or 40, 48, 56 for images of memory

  static constexpr std::uint8_t kSubpassBytes = 4;
  bool raw_subpass() const { return subpass_bytes != kSubpassBytes; }

  friend bool operator==(const Form&, const Form&) = default;
};

/// Where the tables of a file that was read begin, bytes from its start: what diagnostics point to.
struct Places {
  std::uint32_t word_counts = 0;
  std::uint32_t table_sizes = 0;
  std::uint32_t inputs = 0;  ///< of the first record, as for all tables
  std::uint32_t outputs = 0;
  std::uint32_t bindings = 0;
  std::uint32_t uniform = 0;
  std::uint32_t members = 0;
  std::uint32_t subpass_inputs = 0;
  std::array<std::uint32_t, kStages> stages{};
  std::uint32_t trailing = 0;
};

struct File {
  std::uint8_t shader_type = kGraphics;
  TableSizes tables;
  std::vector<Variable> inputs;
  std::vector<Variable> outputs;
  std::vector<Binding> bindings;
  Uniform uniform;
  std::vector<SubpassInput> subpass_inputs;
  std::array<std::vector<std::byte>, kStages> stages;  ///< SPIR-V; empty if a stage is absent
  std::vector<std::byte> trailing;                     ///< bytes after the last stage: none in a file that conforms

  Form form;
  Places places;

  static constexpr std::uint8_t kGraphics = 1;
  static constexpr std::size_t kStageWords = 65535;  ///< most that a header can say

  const std::vector<std::byte>& code(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
  std::vector<std::byte>& code(Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
  /// Mask of the stages that have code.
  std::uint16_t stage_mask() const;
  /// Whether a stage is longer than the header can say: its count is the rest of a division by 65536.
  bool has_wrapped_counts() const;
  /// Whether a reader that knows the documented layout alone finds everything where it expects it.
  bool conforms() const;
};

std::string_view id(Stage stage);       ///< `vertex`
std::string_view id(BaseType type);     ///< `float`; empty if unknown, as for all below
std::string_view id(Rank rank);         ///< `2d_array`
std::string_view id(TexelType type);    ///< `unorm`
std::string_view id(Layout layout);     ///< `current`
std::string_view since(Layout layout);  ///< the commit and date of the writer that began with it

const NameTable& stage_mask_names();
const NameTable& base_type_names();
const NameTable& rank_names();
const NameTable& texel_type_names();
const NameTable& layout_names();

/// A type as the language spells it: `float4x4` (columns by components), `int3`, `float2[4]`; `type(9,7,0)[3]` if it has no such name.
void print_type(Text& out, BaseType type, unsigned components, unsigned columns, unsigned array_size);
/// `vertex|fragment`, `none`
void print_stages(Text& out, std::uint16_t mask);

/// Begins with `VBC`.
bool is_vbc(View file);

/// Reads a file of any layout. The current one is tried first; if it does not end with the file and its stages are no SPIR-V, the
/// writer's defects and its older layouts are. Errors: bad_magic, unsupported (version, shader type), truncated, bad_value.
Result<File> parse(View file);

/// The bytes, by `file.form`.
std::vector<std::byte> write(const File& file);

/// The field tree of a whole file, below `group`, down to the operands of the SPIR-V; faults go to the tree.
void record(View file, Tree& tree, std::uint32_t group);

}  // namespace unshade::vbc
