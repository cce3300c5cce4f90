// The assembler: one pass over each source, which leaves words, descriptors and executables, and addresses to fill in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

#include "pica/assemble/name_table.hpp"
#include "pica/assemble/operand_memory.hpp"
#include "pica/characters.hpp"
#include "pica/descriptor_table.hpp"
#include "pica/word.hpp"

namespace unshade::pica::assembler {

// Registers as operands number them: one space of all classes. v and o are told apart by their place.
inline constexpr std::uint32_t kTemporary0 = 0x10;
inline constexpr std::uint32_t kFloat0 = 0x20;
inline constexpr std::uint32_t kInteger0 = 0x80;
inline constexpr std::uint32_t kBool0 = 0x88;
inline constexpr std::uint32_t kRegisters = 0x98;

/// Constants, and names of registers, of one executable. src: picasso
inline constexpr std::size_t kMostRecords = 96;

/// v and o registers share their numbers: which of the two the text names.
enum class Side : std::uint8_t { none, input, output };

/// A register as written: `-name[3].xyz`.
struct Operand {
  std::uint32_t reg = 0;  ///< in the space of operands
  std::uint8_t selectors = descriptor::kIdentity;
  bool negate = false;
  std::uint8_t index = 0;  ///< as pica::Index
  Side side = Side::none;
  const char* at = nullptr;
};

/// The selectors that choosing `outer` from what `inner` chose comes to.
constexpr std::uint8_t compose_selectors(std::uint8_t inner, std::uint8_t outer) {
  if (inner == descriptor::kIdentity) return outer;
  unsigned out = 0;
  for (unsigned place = 0; place < 4; ++place) out = out << 2 | descriptor::selector(inner, descriptor::selector(outer, place));
  return static_cast<std::uint8_t>(out);
}

/// The components that selectors of a destination name.
constexpr WriteMask components_of(std::uint8_t selectors) { return Swizzle(selectors).reversed().read(WriteMask::all()); }
/// Whether they name them in the order of xyzw, the only one that a mask has.
constexpr bool is_ordered(std::uint8_t selectors) {
  for (unsigned place = 1; place < kComponents; ++place)
    if (descriptor::selector(selectors, place) < descriptor::selector(selectors, place - 1)) return false;
  return true;
}

constexpr std::uint32_t opcode_bits(Opcode opcode) { return static_cast<std::uint32_t>(opcode) << word::kOpcode.first; }

/// The nine bits that a descriptor has for a source: its sign below its selectors.
constexpr std::uint32_t source_bits(const Operand& operand) { return (operand.negate ? 1U : 0U) | std::uint32_t{operand.selectors} << 1; }
constexpr std::uint32_t source_bits(const Operand& operand, unsigned place) {
  static_assert(descriptor::kSelectors[0].first == descriptor::kNegate[0].first + 1);
  return source_bits(operand) << descriptor::kNegate[place].first;
}

/// The word of an instruction with one source (b is 0) or two, but for its descriptor. In the inverted form the second source is the wide
/// one.
constexpr std::uint32_t word_of_two(Opcode opcode, bool inverted, std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t index) {
  const std::uint32_t sources = inverted ? a << word::kNarrow1.first | b << word::kWide2.first  //
                                         : a << word::kWide1.first | b << word::kNarrow2.first;
  return opcode_bits(opcode) | sources | index << word::kIndex.first | to << word::kDestination.first;
}
/// The same of mad, and of madi, if the third source is the wide one.
constexpr std::uint32_t word_of_three(bool inverted, std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                      std::uint32_t index) {
  const std::uint32_t sources =
      inverted ? b << word::kMadNarrow2.first | c << word::kMadWide3.first : b << word::kMadWide2.first | c << word::kMadNarrow3.first;
  return opcode_bits(inverted ? Opcode::madi : Opcode::mad) | sources | a << word::kMadSource1.first | index << word::kMadIndex.first |
         to << word::kMadDestination.first;
}

struct Alias {
  std::uint8_t reg = 0;
  std::uint8_t selectors = descriptor::kIdentity;
  bool negate = false;
  Side side = Side::none;
};

/// Where a name is defined.
struct NamePlace {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Procedure {
  std::uint32_t start = 0;
  std::uint32_t size = 0;
  NamePlace place{};
};

struct CodeLabel {
  std::uint32_t address = 0;
  NamePlace place{};
};

/// A word that waits for an address.
struct Fixup {
  std::uint32_t word = 0;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string_view name;
};

enum class UniformType : std::uint8_t { boolean, integer, real };

struct NamedRegisters {
  std::string_view name;
  std::uint32_t first = 0;  ///< in the space of operands
  std::uint32_t size = 1;
  UniformType type = UniformType::real;
  std::size_t unit = 0;  ///< that names it
};

/// Registers of one class: uniforms from below, constants of one source from above.
struct Pool {
  std::uint32_t next = 0;   ///< lowest that no uniform has
  std::uint32_t local = 0;  ///< lowest that a constant of this source has
  std::uint32_t bound = 0;  ///< lowest that a constant of any source has
  std::uint32_t end = 0;

  static constexpr Pool of(std::uint32_t first, std::uint32_t end) { return {first, end, end, end}; }
  std::optional<std::uint32_t> take_uniform(std::uint32_t size) {
    if (bound < next || bound - next < size) return std::nullopt;
    next += size;
    return next - size;
  }
  std::optional<std::uint32_t> take_constant(std::uint32_t size) {
    if (local < next || local - next < size) return std::nullopt;
    local -= size;
    bound = local < bound ? local : bound;
    return local;
  }
};

struct Pools {
  std::array<Pool, 3> of;  // by UniformType
  static constexpr Pools vertex() {
    return {{Pool::of(kBool0, kBool0 + 16), Pool::of(kInteger0, kInteger0 + 4), Pool::of(kFloat0, kFloat0 + 96)}};
  }
  /// b15 is the hardware's in geometry shaders.
  static constexpr Pools geometry(std::uint32_t first) {
    return {{Pool::of(kBool0, kBool0 + 15), Pool::of(kInteger0, kInteger0 + 4), Pool::of(first, kFloat0 + 96)}};
  }
};

/// Fields of an executable that a directive of our own states.
enum StatedField : std::uint8_t {
  kStatedInputMask = 1,
  kStatedOutputMask = 2,
  kStatedFlags = 4,
  kStatedVersion = 8,
  kStatedGeometry = 16,
  kStatedMode = 32,  // by .gsh
};

/// What one source gives: an executable in the making.
struct Unit {
  Executable executable;
  std::uint32_t file = 0;
  std::string_view entry = "main";
  std::uint32_t line = 0;    ///< of .entry, else of the first statement
  std::uint32_t column = 0;  ///< 0: no .entry
  bool entry_given = false;  ///< both addresses are there
  std::uint8_t stated = 0;   ///< StatedField bits: directives of which one more with another value is an error
  bool hidden = false;       ///< .nodvle
  bool geometry = false;
  bool shares_space = true;        ///< uniforms are those of the vertex shaders
  std::uint64_t outputs_used = 0;  ///< four bits for each register
  std::vector<NamedRegisters> uniforms;

  std::uint32_t output_registers() const { return geometry ? 7 : 16; }
};

struct Block {
  enum class Kind : std::uint8_t { procedure, loop, branch, array };
  Kind kind = Kind::procedure;
  std::uint32_t start = 0;
  std::uint32_t else_at = 0;  ///< 0: none yet
  std::string_view name;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class Assembler {
 public:
  explicit Assembler(const AssemblerOptions& options) : options_(options) {}

  void source(const Source& source);
  void finish(Assembly& assembly);

 private:
  // --- text: text.cpp
  bool at_end() const { return at_ == end_ || *at_ == '\n' || *at_ == ';'; }
  void blanks() {
    while (at_ != end_ && characters::is(*at_, characters::kBlank)) ++at_;
  }
  std::string_view name();                             ///< letters, digits, _ and $ at the cursor; may be empty
  std::string_view word();                             ///< up to a blank or the end
  bool number(std::int64_t& value, const char* what);  ///< C's prefix of a number: 12, 0x1f, 017
  bool number_in(std::uint32_t& value, std::int64_t least, std::int64_t most, const char* what);
  std::int64_t decimal();                     ///< C's atoi; 0 if there is none
  std::uint32_t real();                       ///< float24 bits of C's atof, or of `$3f0000`
  void skip_ignored(std::string_view until);  ///< to one of these characters or the end; a warning if that skips something
  bool string(std::string_view& text);
  bool comma(const char* what);
  bool no_more();
  bool finish_instruction();

  bool fail(MessageKind message, const char* where, std::string text);
  void warn(MessageKind message, const char* where, std::string text);
  void report(MessageKind message, std::uint32_t file, std::uint32_t line, std::uint32_t column, std::string text);
  std::string found(const char* where) const;
  /// Whether a line ends here, with \r\n too.
  bool ends_line(const char* where) const {
    return where == end_ || *where == '\n' || (*where == '\r' && (where + 1 == end_ || where[1] == '\n'));
  }
  std::uint32_t column(const char* where) const {
    if (where > line_start_ && where[-1] == '\r' && ends_line(where)) --where;  // a blank was passed over
    return static_cast<std::uint32_t>(where - line_start_) + 1;
  }

  // --- operands: operands.cpp
  bool operand(Operand& out, bool may_index, const char* what);
  void remember(const Operand& operand);
  bool register_name(Operand& out, std::string_view text, bool may_index);
  bool index(Operand& out, std::uint32_t& offset, bool may_index);
  bool selectors(std::uint8_t& out);
  bool destination(Operand& out);
  bool bare_register(Operand& out, const char* what);
  void check_bare(const Operand& reg);
  void check_side(const Operand& reg, Side wanted);
  /// Adds the register to the mask of outputs.
  bool uses_output(unsigned reg, const char* at);
  bool input_mask_ok(const Operand& a, const Operand& b, const Operand* c);
  WriteMask mask(const Operand& destination);
  /// As descriptors have it.
  std::uint32_t mask_bits(const Operand& destination) { return mask(destination).reversed().bits(); }
  bool comparison(std::uint32_t& out);
  bool condition(std::uint32_t& out);
  bool boolean(std::uint32_t& out);
  bool target(std::uint32_t& fields, std::string_view& name, const char* what);

  // --- lines of the common kind: plain.cpp
  void plain_lines();
  bool choose(Opcode opcode, std::uint32_t bits, std::uint32_t& index);
  bool choose_short(std::uint32_t bits, std::uint32_t& index);
  bool choose_given(Opcode opcode, std::uint32_t bits, std::uint32_t care, std::uint32_t& index);
  bool too_many_descriptors(std::uint32_t most, const char* of);

  // --- instructions: instructions.cpp
  bool statement();
  bool instruction(const OpcodeInfo& row);
  bool two_sources(Opcode opcode);
  bool one_source(Opcode opcode);
  bool emit_two(Opcode opcode, const Operand& to, const Operand& a, const Operand& b);
  bool emit_one(Opcode opcode, const Operand& to, const Operand& a);
  bool emit_three(Opcode opcode, const Operand& to, const Operand& a, const Operand& b, const Operand& c);
  bool address_move();
  bool compare();
  bool three_sources(Opcode opcode);
  bool set_emit();
  bool flow(const OpcodeInfo& row);
  bool open(Block::Kind kind, const char* where, std::string_view name);
  void emit(std::uint32_t word) {
    code_.push_back(word);
    if (want_lines_) note_line();
  }
  void note_line() { lines_.push_back(place_.value_or(Place{file_, line_})); }
  void padding_nop();
  void end_of_block(Block::Kind kind, std::uint32_t start);

  // --- directives: directives.cpp
  bool directive(std::string_view name, const char* where);
  bool do_proc();
  bool do_else();
  bool do_end();
  bool do_alias();
  bool do_uniforms(UniformType type);
  bool do_constant(UniformType type);
  bool do_array();
  bool do_array_element();
  bool do_set(UniformType type);
  bool do_setb();
  bool do_in();
  bool do_out();
  bool do_entry();
  bool do_nodvle();
  bool do_gsh();
  /// Adds it to the mask of inputs, which a .imask above may already state.
  bool use_input(std::uint32_t reg, const char* at);
  bool end_array();
  bool values(UniformType type, Constant& constant);
  bool add_constant(const Constant& constant, const char* where);
  bool add_alias(std::string_view name, std::uint32_t reg, const char* where, Side side = Side::none);
  void define(std::string_view name, const Alias& alias);
  bool fresh_name(std::string_view name, const char* where, const char* what);

  // --- additions: additions.cpp
  bool addition(std::string_view name, bool& known);
  bool do_desc();
  bool do_program_version();
  /// A directive that states one field; twice in an executable, it has to state the same.
  template <class T>
  bool do_field(StatedField field, T Executable::* member, const char* what);
  bool do_uniform_record();
  void name_in_header(std::string_view name, std::uint32_t first, std::uint32_t last);
  bool do_label_record();
  bool do_const_record();
  bool do_out_record();
  bool do_geometry();
  bool do_loc();
  bool do_object();
  bool do_relocation();
  bool uniform_register(std::uint32_t& number);
  bool linker_constant(UniformType type);
  bool pragma();

  // --- sources and units: assembler.cpp
  Unit& unit();
  void begin_unit(std::uint32_t file);
  void end_unit();
  void line_marker();
  void labels_and_statement();
  void check_label_records();
  bool ends_older_program(const char* from) const;
  void finish_unit(Unit& unit);
  Object make_object(Executable&& executable);
  std::vector<Descriptor> descriptors() const;
  std::vector<Line> lines(Table<char>& names) const;
  void print_header(std::string& out) const;
  static void upper_hex(Text& text, std::uint32_t value);
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  AssemblerOptions options_;
  std::vector<Message> messages_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  bool stop_ = false;

  // the source at hand
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* line_start_ = nullptr;
  std::uint32_t line_ = 1;
  std::uint32_t file_ = 0;
  std::deque<std::string> kept_;
  std::vector<std::string_view> files_;

  // the program
  std::vector<std::uint32_t> code_;
  DescriptorTable descriptors_;
  NameTable<Procedure> procedures_;
  std::vector<Fixup> calls_;
  std::deque<Unit> units_;
  std::vector<NamedRegisters> shared_;  // uniforms of vertex shaders, once for each source that names them
  NameTable<std::uint32_t> shared_names_;
  Pools vertex_pools_ = Pools::vertex();
  Pools geometry_pools_ = Pools::geometry(kFloat0);
  std::optional<std::uint32_t> version_;
  std::vector<NamedRegisters> named_;    // by `.uniform` and `bind_symbol`
  std::optional<std::uint32_t> object_;  // .object: its word of unknown meaning
  std::vector<Relocation> relocations_;
  bool exact_ = false;
  bool begun_ = false;        // there was a statement
  bool just_closed_ = false;  // the statement before closed an if or a loop
  struct Place {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
  };
  std::vector<Place> lines_;  // of each word if requested
  bool want_lines_ = false;
  std::optional<std::size_t> lines_end_;  // `.loc none`: words from there on have no line
  std::optional<Place> place_;            // .loc

  // the unit at hand
  Unit* unit_ = nullptr;
  std::size_t first_procedure_ = 0;  // of this unit
  std::uint32_t label_count_ = 0;
  bool own_main_ = false;  // `main:` of the older linker's language is open
  NameTable<CodeLabel> labels_;
  std::vector<Fixup> jumps_;
  NameTable<Alias> aliases_;
  OperandMemory memory_;
  bool register_aliases_ = false;  // an alias is spelled like a register
  std::vector<Block> blocks_;
  std::vector<Constant> array_;
  std::optional<std::uint32_t> array_size_;
  std::string_view array_name_;

  // the statement at hand
  std::optional<std::uint32_t> chosen_;  // {N}
};

}  // namespace unshade::pica::assembler
