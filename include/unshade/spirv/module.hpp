// A SPIR-V module: its header and instructions, read where they lie. Nothing is copied; words may be at any offset, in either byte
// order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/spirv/enumerants.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/id_map.hpp>

namespace unshade::spirv {

inline constexpr std::uint32_t kMagic = 0x0723'0203;
inline constexpr std::uint32_t kNewestVersion = 0x0001'0600;
inline constexpr std::uint32_t kHeaderWords = 5;
inline constexpr std::size_t kHeaderBytes = 4 * kHeaderWords;
inline constexpr std::size_t kBoundWord = 3;  ///< of the header: one more than the highest id

/// The header's words after the magic number.
struct Header {
  std::uint32_t version = 0;    ///< 0x00010300 is 1.3
  std::uint32_t generator = 0;  ///< the tool's number in the high half, its version in the low one
  std::uint32_t bound = 0;      ///< all ids are below it
  std::uint32_t schema = 0;     ///< reserved: 0

  std::uint32_t major() const { return version >> 16 & 0xff; }
  std::uint32_t minor() const { return version >> 8 & 0xff; }
};

/// One instruction of a module: a few bytes to pass by value. Borrows the module's bytes.
class Instruction {
 public:
  Instruction() = default;
  /// `bytes`: those of the instruction, 4 for each of its words.
  Instruction(const std::byte* bytes, std::uint32_t first_word, bool is_swapped)
      : bytes_(bytes), first_word_(first_word), is_swapped_(is_swapped) {
    const std::uint32_t head = load(0);
    opcode_ = static_cast<std::uint16_t>(head & 0xffff);
    words_ = static_cast<std::uint16_t>(head >> 16);
  }

  Opcode opcode() const { return static_cast<Opcode>(opcode_); }
  /// Its row of the table, or nullptr.
  const OpcodeInfo* info() const { return find_opcode(opcode_); }
  /// Whether instructions of a section must precede this one, if it is outside of functions.
  bool is_behind(Section section) const {
    const OpcodeInfo* const row = info();
    return row == nullptr || row->section == Section::any || row->section > section;
  }
  /// The first word counts.
  std::uint32_t word_count() const { return words_; }
  /// A word in the order of this machine; 0 beyond the last. Word 0 is the opcode and word count.
  std::uint32_t word(std::uint32_t index) const { return index < words_ ? load(index) : 0; }
  /// Words from the start of the module.
  std::uint32_t first_word() const { return first_word_; }
  bool is_swapped() const { return is_swapped_; }
  const std::byte* data() const { return bytes_; }

 private:
  std::uint32_t load(std::uint32_t index) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_ + std::size_t{4} * index, 4);
    if (is_swapped_) value = value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
    return value;
  }

  const std::byte* bytes_ = nullptr;
  std::uint32_t first_word_ = 0;
  std::uint16_t opcode_ = 0;
  std::uint16_t words_ = 0;
  bool is_swapped_ = false;
};

/// A module whose instructions are known to lie within its bytes.
class Module {
 public:
  class Iterator {
   public:
    Iterator(const Module& module, std::uint32_t word) : module_(&module), word_(word) {}
    Instruction operator*() const { return module_->at(word_); }
    Iterator& operator++() {
      word_ += module_->at(word_).word_count();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.word_ == b.word_; }

   private:
    const Module* module_;
    std::uint32_t word_;
  };

  const Header& header() const { return header_; }
  View bytes() const { return bytes_; }
  bool is_big_endian() const { return is_big_endian_; }
  /// Words of the file are in the other order than those of this machine.
  bool is_swapped() const { return is_big_endian_ == (std::endian::native == std::endian::little); }
  std::uint32_t word_count() const { return static_cast<std::uint32_t>(bytes_.size() / 4); }
  std::uint32_t instruction_count() const { return instruction_count_; }
  Iterator begin() const { return {*this, kHeaderWords}; }
  Iterator end() const { return {*this, word_count()}; }
  /// The instruction that begins at a word of the module: one that iteration gave.
  Instruction at(std::uint32_t word) const { return {bytes_.data() + std::size_t{4} * word, word, is_swapped()}; }
  /// Bytes from the start of the file to an instruction's first or another word.
  std::uint64_t file_offset(const Instruction& instruction, std::uint32_t word = 0) const {
    return bytes_.file_offset() + std::uint64_t{4} * (instruction.first_word() + word);
  }

 private:
  friend Result<Module> parse(View bytes);
  View bytes_;
  Header header_;
  std::uint32_t instruction_count_ = 0;
  bool is_big_endian_ = false;
};

/// Whether a file begins with the magic number, in either byte order.
bool is_module(View bytes);

/// Reads the header and finds the instructions. All of `bytes` is the module. Errors: no magic number, bytes that are no whole words, an
/// instruction of no words or of more than are left. Opcodes and operands are not looked at.
Result<Module> parse(View bytes);

/// A scalar type of numbers.
struct NumberType {
  std::uint8_t width = 0;  ///< bits; 0: no number
  bool is_float = false;
  bool is_signed = false;
  std::uint8_t fraction_bits = 0;  ///< of floats with an encoding other than IEEE 754's, of which the text spells some; 0: IEEE 754

  /// Of encodings that the text has no spelling for.
  static constexpr std::uint8_t kNoFraction = 0xff;
  /// Words of a literal of the type.
  std::uint32_t words() const { return (width + 31U) / 32U; }
};

/// What each id is defined by: made in one pass over a module, in proportion to it. Borrows the module.
class IdTable {
 public:
  explicit IdTable(const Module& module);

  const Module& module() const { return *module_; }
  /// The instruction that defines an id; the first of several.
  std::optional<Instruction> definition(std::uint32_t id) const {
    const std::uint32_t word = entry(id).definition;
    if (word == 0) return std::nullopt;
    return module_->at(word);
  }
  /// Whether an id is defined, and before an instruction.
  bool stands_before(std::uint32_t id, const Instruction& instruction) const {
    const std::uint32_t word = entry(id).definition;
    return word != 0 && word < instruction.first_word();
  }
  /// The id of a value's type; 0 for types, labels and ids without a definition.
  std::uint32_t type_of(std::uint32_t id) const;
  /// By the id of OpTypeInt or OpTypeFloat; width 0 for others.
  NumberType number_type(std::uint32_t type) const { return entry(type).number; }
  /// By the id of OpExtInstImport; `none` for others.
  ExtendedSet set(std::uint32_t id) const { return entry(id).set; }
  /// Places of the ids that are defined, named or decorated: what others that keep something for each id may use.
  const IdPlaces& places() const { return entries_.places(); }
  /// The OpName of an id, the first of several.
  std::optional<Instruction> name(std::uint32_t id) const;

 private:
  struct Entry {
    std::uint32_t definition = 0;  // words from the start of the module; 0: none
    std::uint32_t name = 0;        // likewise, of its OpName
    NumberType number{};
    ExtendedSet set = ExtendedSet::none;
  };
  const Entry& entry(std::uint32_t id) const { return entries_.get(id); }

  const Module* module_;
  IdMap<Entry> entries_;
};

/// One decoded operand: `words` words from `word` on.
struct Operand {
  OperandKind kind{};
  std::uint16_t word = 0;
  std::uint16_t words = 0;
  NumberType number{};                     ///< of a literal_number
  const char* name = "";                   ///< what the grammar calls it
  const Enumerant* enumerant = nullptr;    ///< of an enumeration that is no mask
  const OpcodeInfo* opcode = nullptr;      ///< of a spec_constant_opcode
  const ExtendedInfo* extended = nullptr;  ///< of an extended_instruction; nullptr for unknown ones of non-semantic sets
};

/// Whether an operand of this kind is an id: its word may stand for a definition.
constexpr bool is_id(OperandKind kind) { return kind >= OperandKind::id_result_type && kind <= OperandKind::id_memory_semantics; }

/// How far the grammar accounts for an instruction's words.
enum class Decoded : std::uint8_t {
  whole,      ///< every word has its operand
  in_part,    ///< from some word on they are `unknown`: an enumerant or opcode without a name, a literal of a type that is no number
  too_long,   ///< words after the last operand, which are `unknown`
  too_short,  ///< operands that have to be there are missing
};

/// Gives an instruction's operands, composites taken apart, in the order of its words. `operands` is emptied first, and keeps its memory.
Decoded decode_operands(const Instruction& instruction, const IdTable& ids, std::vector<Operand>& operands);

/// The text of a literal_string that begins at a word, without its terminating zero, up to the instruction's end at most. Lies in the
/// module's bytes, or in `buffer` if the byte order is the other one.
std::string_view literal_string(const Instruction& instruction, std::uint32_t word, std::string& buffer);
std::string literal_string(const Instruction& instruction, std::uint32_t word);

/// The bits of a literal of up to 64 bits.
std::uint64_t literal_bits(const Instruction& instruction, const Operand& operand);

/// Adds the module's fields below a group: the header, and each instruction down to its operands. `bytes`: of the whole module.
void record_module(View bytes, Tree& tree, std::uint32_t group);

}  // namespace unshade::spirv
