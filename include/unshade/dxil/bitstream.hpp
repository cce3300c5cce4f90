// The LLVM bitstream: nested blocks of records whose bits abbreviations lay out. What the bits mean is <unshade/dxil/module.hpp>'s
// business.
//
// Two ways to read one: a BitstreamCursor goes through it record by record and keeps nothing; a Bitstream is the whole as a model, which
// write_bitstream turns into the same bits again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxil {

/// How an operand is coded. The values are those of files, but for `literal`, which has a bit of its own there.
enum class Encoding : std::uint8_t {
  literal,  ///< no bits: it always is `value`
  fixed,    ///< `value` bits
  vbr,      ///< chunks of `value` bits, the highest bit of each set if another follows
  array,    ///< a count as VBR6, then that many elements coded as the operand after this one
  char6,    ///< one of a-z A-Z 0-9 . _ in 6 bits
  blob,     ///< a count as VBR6, then bytes, aligned to 32 bits at both ends
};

struct AbbreviationOperand {
  Encoding encoding = Encoding::literal;
  std::uint64_t value = 0;  ///< literal: the value; fixed, vbr: the width in bits
};

/// Abbreviation ids that mean something in every block; those from 4 on are defined.
namespace abbreviation {
inline constexpr std::uint32_t kEndBlock = 0;
inline constexpr std::uint32_t kEnterBlock = 1;
inline constexpr std::uint32_t kDefinition = 2;
inline constexpr std::uint32_t kUnabbreviated = 3;
inline constexpr std::uint32_t kFirst = 4;
}  // namespace abbreviation

/// The block that defines abbreviations for all blocks of an id, and its records.
inline constexpr std::uint32_t kBlockInfo = 0;
namespace block_info {
inline constexpr std::uint32_t kSetBlock = 1;       ///< [block id]: what follows is for that one
inline constexpr std::uint32_t kBlockName = 2;      ///< [characters]
inline constexpr std::uint32_t kSetRecordName = 3;  ///< [code, characters]
}  // namespace block_info

/// Where the bits of a bitcode file lie.
struct BitcodeExtent {
  View stream;  ///< from the magic BC 0xC0DE on
  View before;  ///< a wrapper's header; empty if there is none
  View behind;  ///< what a wrapper has after the stream
};
/// Errors: bad_magic, truncated, out_of_range (a wrapper's offset or size).
Result<BitcodeExtent> find_bitcode(View file);

/// Whether the file holds a module from its first to its last bit, whose contents are not read. Errors: those of find_bitcode() and of the
/// bitstream; missing if there is no module.
Result<void> check_module_extent(View file);

/// Which abbreviations hold where: readers and writers follow the same rules.
class AbbreviationScopes {
 public:
  struct Abbreviation {
    std::uint32_t first = 0;  ///< in operands
    std::uint32_t count = 0;
  };

  AbbreviationScopes();
  AbbreviationScopes(const AbbreviationScopes&) = delete;
  AbbreviationScopes(AbbreviationScopes&&) = default;
  AbbreviationScopes& operator=(const AbbreviationScopes&) = delete;
  AbbreviationScopes& operator=(AbbreviationScopes&&) = default;
  ~AbbreviationScopes() = default;

  void enter(std::uint32_t block);
  void leave();
  /// Adds one to the block that is open, or, in the info block, to the blocks it speaks of. False if it speaks of none yet.
  bool define(std::span<const AbbreviationOperand> operands);
  void set_info_target(std::uint32_t block) {
    info_target_ = block;
    of_target_ = nullptr;
  }
  /// The abbreviation of an id from 4 on, or null.
  const Abbreviation* find(std::uint32_t id) const {
    std::uint32_t index = id - abbreviation::kFirst;
    if (index < inherited_count_) return &all_[inherited_[index]];
    index -= inherited_count_;
    return index < local_.size() - local_first_ ? &all_[local_[local_first_ + index]] : nullptr;
  }
  std::span<const AbbreviationOperand> operands(const Abbreviation& abbreviation) const {
    return {operands_.data() + abbreviation.first, abbreviation.count};
  }

 private:
  struct Scope {
    std::uint32_t block;
    std::uint32_t local_first;      // in local_
    std::uint32_t inherited_count;  // what the info block had said when this one was entered
  };
  void use(const Scope& scope);

  std::vector<AbbreviationOperand> operands_;
  std::vector<Abbreviation> all_;
  std::vector<std::uint32_t> local_;  // of all open blocks, the innermost last
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> info_;
  std::vector<Scope> scopes_;
  const std::uint32_t* inherited_ = nullptr;
  std::uint32_t inherited_count_ = 0;
  std::size_t local_first_ = 0;
  std::uint32_t info_target_ = kNoTarget;
  std::vector<std::uint32_t>* of_target_ = nullptr;  // in info_, once it has one
  static constexpr std::uint32_t kNoTarget = 0xffff'ffff;
};

/// Something the bits do otherwise than a writer would: more chunks of a VBR than needed, bits other than zero in a gap.
struct Irregularity {
  std::uint32_t item = 0;   ///< of Bitstream::items
  std::uint32_t bit = 0;    ///< from the item's first bit
  std::uint64_t value = 0;  ///< how many chunks; the bits of the gap
};

/// Goes through a bitstream. Definitions of abbreviations and what the info block says are followed on the way. Borrows the bytes.
class BitstreamCursor {
 public:
  enum class Event : std::uint8_t {
    record,
    enter_block,
    end_block,
    definition,  ///< of an abbreviation; only if requested
    end,         ///< of the stream; after it are zeros at most
    error,       ///< see error(); stays so
  };

  /// `stream`: see BitcodeExtent.
  explicit BitstreamCursor(View stream);

  Event next(bool definitions = false);
  /// After enter_block: goes on after the block's end, whose length the file gives. False if that lies beyond the enclosing block.
  bool skip_block();

  /// Of the last record: the id of its abbreviation, its code, and its operands, blobs not among them. They live until the next call.
  std::uint32_t abbreviation() const { return abbreviation_; }
  std::uint32_t code() const { return code_; }
  std::span<const std::uint64_t> operands() const { return {operands_.get(), count_}; }
  View blob() const { return blob_; }
  bool has_blob() const { return has_blob_; }
  /// Operands of the abbreviation defined last, or of that of the last record; empty if it was unabbreviated.
  std::span<const AbbreviationOperand> definition() const { return definition_; }

  /// The open block: its id, the width of abbreviation ids in it, and the length of its contents as the file gives it. kNoBlock outside.
  std::uint32_t block() const { return scopes_.back().block; }
  unsigned width() const { return scopes_.back().width; }
  std::uint32_t length_words() const { return scopes_.back().length_words; }
  std::size_t depth() const { return scopes_.size() - 1; }
  static constexpr std::uint32_t kNoBlock = 0xffff'ffff;

  /// Bits from the start of the stream: where the last event begins, and where it ends.
  std::uint64_t begin_bit() const { return begin_; }
  std::uint64_t end_bit() const { return at_; }
  /// Bytes from the start of the file to the one where the last event begins.
  std::uint64_t file_offset() const { return stream_.file_offset() + begin_ / 8; }

  /// Makes an error of the last event, for faults that the reader of records finds.
  Event fail(ErrorCode code, std::string message);
  /// The path leads through the blocks by their names: `MODULE_BLOCK/FUNCTION_BLOCK/record[12]`.
  const Error& error() const { return *error_; }
  bool ok() const { return error_ == nullptr; }

  /// Where irregularities go, with bits counted from the start of the stream modulo 2^32 and item 0; null: nowhere.
  void report_to(std::vector<Irregularity>* irregularities) { irregularities_ = irregularities; }

 private:
  struct Scope {
    std::uint32_t block;
    std::uint32_t width;
    std::uint32_t length_words;
    std::uint32_t records;
    std::uint64_t end;  // bit after the contents
  };

  std::uint64_t peek() const;
  std::uint64_t last_bits() const;
  std::uint64_t fixed(unsigned width);
  std::uint64_t wide_fixed(unsigned width);
  std::uint64_t vbr(unsigned width);
  std::uint64_t long_vbr(unsigned width);
  void vbrs(std::uint64_t* out, const std::uint64_t* end, unsigned width);
  std::uint64_t char6();
  bool align();
  std::uint64_t scalar(AbbreviationOperand operand);
  bool append(std::uint64_t count);
  Event truncated();
  Event enter_block();
  Event end_block();
  Event define();
  Event unabbreviated();
  Event abbreviated(const AbbreviationScopes::Abbreviation& abbreviation);
  Event array(AbbreviationOperand element);
  Event read_blob();
  Event finish_record();

  View stream_;
  const std::byte* data_;
  std::uint64_t bits_;     // of the stream
  std::uint64_t at_ = 32;  // after the magic
  std::uint64_t begin_ = 32;
  bool overrun_ = false;
  bool malformed_ = false;
  std::uint64_t budget_;  // how many operands the stream may still have

  std::uint32_t abbreviation_ = 0;
  std::uint32_t code_ = 0;
  std::unique_ptr<std::uint64_t[]> operands_;
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
  View blob_;
  bool has_blob_ = false;
  std::span<const AbbreviationOperand> definition_;
  std::vector<AbbreviationOperand> defined_;

  AbbreviationScopes abbreviations_;
  std::vector<Scope> scopes_;
  std::vector<Irregularity>* irregularities_ = nullptr;
  std::unique_ptr<Error> error_;
};

/// One item of a bitstream, in the order of the file.
struct BitstreamItem {
  enum class Kind : std::uint8_t { enter_block, end_block, definition, record };
  Kind kind = Kind::record;
  std::uint8_t width = 0;          ///< enter_block: of abbreviation ids in it
  std::uint32_t abbreviation = 0;  ///< record: the id it is coded by
  std::uint32_t code = 0;          ///< record; enter_block: the block's id
  std::uint32_t first = 0;         ///< record: in operands, a blob's bytes last; definition: in definitions
  std::uint32_t count = 0;
  std::uint64_t bit = 0;  ///< where it begins, from the start of the stream; not used by the writer
};

/// A bitstream as a model. Borrows the bytes before and after the stream.
struct Bitstream {
  View before;
  View behind;
  std::vector<BitstreamItem> items;
  std::vector<std::uint64_t> operands;
  std::vector<AbbreviationOperand> definitions;
  std::vector<Irregularity> irregularities;  ///< in the order of the file
  std::uint32_t trailing_zeros = 0;          ///< bytes after the last block

  // Items at the end.
  void enter_block(std::uint32_t block, std::uint8_t width);
  void end_block();
  void add_record(std::uint32_t code, std::uint32_t abbreviation, std::span<const std::uint64_t> values);
};

/// Errors: bad_magic, truncated, bad_value, out_of_range, limit.
Result<Bitstream> parse_bitstream(View file);
/// What was read and not changed comes out as it was. Errors: bad_value for a model that has no bits, such as a record that its
/// abbreviation cannot hold; their path names the item.
Result<std::vector<std::byte>> write_bitstream(const Bitstream& bitstream);

/// Appends blocks and records as llvm-bcanalyzer --dump of LLVM 14 prints them, without its statistics.
/// Errors: those of parse_bitstream; the text holds what came before.
Result<void> list_bitcode(View file, Text& out);

/// Adds blocks and records to a tree, below a group. A record's leaf has the bytes whose first bits are the record's: every byte belongs to
/// one leaf, and a record that begins and ends within one byte may have none. Errors go to the tree.
void record_bitcode(View file, Tree& tree, std::uint32_t group);

}  // namespace unshade::dxil
