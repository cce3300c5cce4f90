// SHBIN files: a DVLB holds a program (DVLP) and the executables (DVLE) that run it; a DVOJ is an object that is not linked yet.
// The models own all they hold. What was read keeps its places, so that write(parse(file)) gives the same bytes; what is new, or has
// outgrown its place, is laid out as picasso lays it out.
// Source: docs/reference/formats/shbin.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade::pica {

/// What each structure begins with.
inline constexpr std::uint32_t kDvlb = 0x424c'5644;
inline constexpr std::uint32_t kDvlp = 0x504c'5644;
inline constexpr std::uint32_t kDvle = 0x454c'5644;
inline constexpr std::uint32_t kDvoj = 0x4a4f'5644;
/// Of a DVLB; then an offset for each executable, then its DVLP.
inline constexpr std::uint32_t kDvlbHeaderBytes = 8;

// Offsets of tables are bytes from the start of the structure that holds them (DVLP, DVLE, DVOJ). They are meaningless if a table is
// empty, but kept; if `Origin::placed` is false they are not looked at.

/// An operand descriptor: 8 bytes.
struct Descriptor {
  std::uint32_t bits = 0;  ///< see pica::descriptor
  std::uint32_t used = 0;  ///< second word; picasso writes 0, the vendor's linker what it knows of the use. guess: low 16 bits alone

  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

/// Where a word of code came from: 8 bytes, one for each word.
struct Line {
  std::uint32_t file = 0;  ///< bytes from the start of Program::file_names
  std::uint32_t number = 0;

  friend bool operator==(const Line&, const Line&) = default;
};

/// DVLP: 0x28 bytes, or 0x1c as old writers have it.
struct Program {
  std::uint32_t version = 0;  ///< low half: of the vendor's linker, the lesser number first; 0 else
  std::uint32_t header_bytes = kHeaderBytes;
  Table<std::uint32_t> code;  ///< words
  Table<Descriptor> descriptors;
  Table<Line> lines;
  Table<char> file_names;  ///< zero-terminated texts; Line::file points into them

  static constexpr std::uint32_t kHeaderBytes = 0x28;
  static constexpr std::uint32_t kShortHeaderBytes = 0x1c;

  /// The source of a line; empty if it has none.
  std::string_view file_name(const Line& line) const;
};

enum class Stage : std::uint8_t { vertex, geometry };
enum class GeometryMode : std::uint8_t { point, variable, fixed };
enum class ConstantType : std::uint16_t { boolean, integer, real };
/// The meaning of an output register to the rasterizer.
enum class Output : std::uint16_t {
  position = 0,
  normal_quaternion = 1,
  color = 2,
  texcoord0 = 3,
  texcoord0_w = 4,
  texcoord1 = 5,
  texcoord2 = 6,
  view = 8,
  generic = 9,  ///< no meaning to the rasterizer: handed to the geometry shader
};

/// Bits of Executable::flags.
inline constexpr std::uint8_t kMergeOutputs = 1;
inline constexpr std::uint8_t kDebugBuild = 2;  ///< src: a description of the vendor's linker alone

/// A constant: 20 bytes. All four words are kept as they are; use the functions.
struct Constant {
  ConstantType type = ConstantType::boolean;
  std::uint16_t register_index = 0;  ///< inside its class
  std::array<std::uint32_t, 4> words{};

  bool boolean() const { return (words[0] & 1) != 0; }
  std::uint8_t integer(unsigned component) const { return static_cast<std::uint8_t>(words[0] >> (8 * component)); }
  /// float24 bits of a component
  std::uint32_t real(unsigned component) const { return words[component] & 0xff'ffff; }

  static Constant make_boolean(unsigned register_index, bool value);
  static Constant make_integer(unsigned register_index, std::array<std::uint8_t, 4> value);
  static Constant make_real(unsigned register_index, std::array<std::uint32_t, 4> float24);

  friend bool operator==(const Constant&, const Constant&) = default;
};

/// Text in the string table of an executable.
struct Symbol {
  std::string text;          ///< empty if the offset leads nowhere
  std::uint32_t offset = 0;  ///< bytes from the start of the table
};

/// A label: 16 bytes. Documents disagree on the unit of the length, so it stays as it is.
struct Label {
  std::uint32_t id = 0;  ///< the vendor counts from 0x10000
  std::uint32_t address_words = 0;
  std::uint32_t length = kNoLength;
  Symbol symbol;

  static constexpr std::uint32_t kNoLength = 0xffff'ffff;
};

/// The name of an executable's entry point: that of its label, `main` without one.
std::string_view entry_name(std::span<const Label> labels, std::uint32_t entry_words);

/// An output: 8 bytes.
struct OutputRecord {
  Output type = Output::position;
  std::uint16_t register_index = 0;
  std::uint16_t mask = 0;      ///< bit 0 is x: the other way round than in descriptors
  std::uint16_t reserved = 0;  ///< tools write 0; the vendor's linker one value for all records of an executable

  friend bool operator==(const OutputRecord&, const OutputRecord&) = default;
};

/// First numbers of each class in the space of uniform records.
inline constexpr std::uint16_t kUniformConstants = 0x10;
inline constexpr std::uint16_t kUniformIntegers = 0x70;
inline constexpr std::uint16_t kUniformBooleans = 0x78;
inline constexpr std::uint16_t kUniformEnd = 0x88;

/// A name for registers: 8 bytes. 0x00-0x0f v, 0x10-0x6f c, 0x70-0x73 i, 0x78-0x87 b.
struct Uniform {
  Symbol symbol;
  std::uint16_t first = 0;
  std::uint16_t last = 0;  ///< inclusive
};

/// Name and size of the tables that DVLE and DVOJ share, in the order picasso writes them.
struct Tables {
  Table<Constant> constants;
  Table<Label> labels;
  Table<OutputRecord> outputs;
  Table<Uniform> uniforms;
  Table<char> symbols;  ///< zero-terminated texts, as read; rebuilt when a symbol's text is not the one at its offset
};

/// DVLE: 0x40 bytes.
struct Executable : Tables {
  std::uint32_t offset = 0;        ///< bytes from the start of the DVLB
  std::uint16_t version = 0x1002;  ///< as picasso writes it
  Stage stage = Stage::vertex;
  std::uint8_t flags = 0;  ///< kMergeOutputs, kDebugBuild
  std::uint32_t entry_words = 0;
  std::uint32_t end_words = 0;   ///< of main; picasso: entry and its length
  std::uint16_t input_mask = 0;  ///< bit n: vn is read; picasso: those of `.in` alone
  std::uint16_t output_mask = 0;
  GeometryMode geometry_mode = GeometryMode::point;
  std::uint8_t fixed_start = 0;     ///< fixed: first float constant of the vertices
  std::uint8_t variable_count = 0;  ///< variable: vertices with all attributes
  std::uint8_t fixed_count = 0;     ///< fixed: vertices

  static constexpr std::uint32_t kHeaderBytes = 0x40;
};

/// Bytes that no structure accounts for and that are not zero.
struct Gap {
  std::uint32_t offset = 0;
  std::vector<std::byte> bytes;
};

/// Facts of a file that was read, so that it can be written as it was.
struct Origin {
  bool placed = false;       ///< the offsets are those of a file; else the writer finds them, and the rest here counts for nothing
  std::uint32_t bytes = 0;   ///< of the file
  std::uint32_t shared = 0;  ///< bytes that belong to several structures, counted each time but one
  std::vector<Gap> gaps;
};

/// In whose order the writer places things. observed: files of each
enum class Arrangement : std::uint8_t {
  picasso,  ///< the program, then each executable with its tables
  nihstro,  ///< the headers of all, code and descriptors, then the tables of each executable; nothing is aligned
  aemstro,  ///< as nihstro, but with other orders of tables and texts, and a program header of 28 bytes
};

/// DVLB.
struct Shbin {
  Program program;
  std::vector<Executable> executables;

  Origin origin;
  Arrangement arrangement = Arrangement::picasso;  ///< counts if the origin does not
};

/// Two words of unknown meaning for each instruction with operands: 12 bytes.
struct Relocation {
  std::uint32_t word = 0;
  std::uint32_t unknown1 = 0;
  std::uint32_t unknown2 = 0;

  friend bool operator==(const Relocation&, const Relocation&) = default;
};

/// DVOJ: 0x58 bytes. No public tool writes it; kept as it is.
struct Object : Tables {
  std::uint16_t version = 0;
  Stage stage = Stage::vertex;
  std::uint8_t flags = 0;
  std::uint16_t input_mask = 0;
  std::uint16_t output_mask = 0;
  std::uint32_t geometry = 0xffff'ffff;  ///< unproven: where an executable has its geometry mode
  Table<std::uint32_t> code;
  Table<Descriptor> descriptors;
  Table<Line> lines;  ///< Line::file points into Tables::symbols
  Table<Relocation> relocations;

  Origin origin;

  static constexpr std::uint32_t kHeaderBytes = 0x58;
};

std::string_view id(Stage stage);
std::string_view id(GeometryMode mode);
std::string_view id(ConstantType type);
/// `position`, `normalquat`, `color`, `texcoord0`, `texcoord0w`, `texcoord1`, `texcoord2`, `view`, `dummy`: the assembler's words; empty
/// for a value without one.
std::string_view id(Output output);
/// How many components of an output mean something: two of texture coordinates, one of `texcoord0w`, three of `view`. Of a record these are
/// the first of its mask.
unsigned component_count(Output output);
/// The components of a record that mean something, bit 0 is x.
unsigned meant_mask(const OutputRecord& record);

bool is_shbin(View file);   ///< begins with DVLB
bool is_object(View file);  ///< begins with DVOJ

/// Reads a DVLB that reaches to the end of `file`. Errors: truncated and out_of_range for tables outside of the file, bad_magic.
Result<Shbin> parse_shbin(View file);
Result<Object> parse_object(View file);
/// Where the last structure of the DVLB that a view begins with ends, bytes from its start; 0 if it cannot be read. The bytes that its
/// structures claim are taken from `budget`; one that claims more cannot be read.
std::uint64_t shbin_end(View file, std::size_t& budget);

/// The bytes: those of the file if nothing was changed, else laid out as picasso does.
std::vector<std::byte> write_shbin(const Shbin& shbin);
std::vector<std::byte> write_object(const Object& object);

/// Adds a text to a string table unless it is there, and returns its offset.
std::uint32_t add_text(Table<char>& table, std::string_view text);

/// The field tree of a whole file that is_shbin or is_object, below `group`; faults go to the tree.
void record_shbin(View file, Tree& tree, std::uint32_t group);

}  // namespace unshade::pica
