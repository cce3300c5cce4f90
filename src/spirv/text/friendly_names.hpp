// Names for ids, by the rules of spirv-dis: OpName first, then built-ins, types and constants, numbers for the rest; each name once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv::text {

class FriendlyNames {
 public:
  /// In proportion to the module, however it names things.
  explicit FriendlyNames(const IdTable& ids);

  /// The name of an id, without %; empty for ids that have none, which are printed as numbers.
  std::string_view find(std::uint32_t id) const {
    const Name& name = at(id);
    return {text_ + name.offset, name.size};
  }
  /// Characters that may be read after the end of each name.
  static constexpr std::size_t kSlack = 16;
  std::size_t longest() const { return longest_; }
  /// Whether a listing cannot say which id is meant: OpName "17" names another, and 17 is undefined or its definition is listed as words.
  bool is_ambiguous(std::uint32_t id) const;
  /// Whether any may be.
  bool has_numbers() const { return has_numbers_; }
  /// Whether an instruction gave this id its name.
  bool is_named_by(std::uint32_t id, const Instruction& instruction) const { return at(id).given_by == instruction.first_word(); }

 private:
  struct Name {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    std::uint32_t given_by = 0;  // first word of the instruction; 0: no name
  };
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t size = 0;
    std::uint32_t offset = 0;  // 1 + where the text lies; 0: free
    std::uint32_t next = 0;    // the first suffix that may be free
  };

  const Name& at(std::uint32_t id) const { return names_[ids_.places().find(id)]; }
  bool has_name(std::uint32_t id) const { return at(id).given_by != 0; }
  std::string_view made(std::uint32_t id) const { return arena_.view().substr(at(id).offset, at(id).size); }
  bool is_listed(const Instruction& instruction, const OpcodeInfo& info) const;
  void read(const Instruction& instruction, std::uint32_t result);
  void save(std::uint32_t id, std::string_view suggestion, bool is_clean);
  void save_builtin(std::uint32_t id, std::uint32_t built_in);
  void save_constant(const Instruction& instruction, std::uint32_t result);
  void append_name(std::uint32_t id);
  void append_enumerant(OperandKind kind, std::uint32_t value);
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  Slot* find_slot(std::string_view text, std::uint32_t hash) { return &slots_[slot_of(text, hash)]; }
  bool insert(std::string_view text);
  void grow_slots();
  void shorten_names();

  const IdTable& ids_;
  std::uint32_t giver_ = 0;  // the instruction being read
  std::vector<Name> names_;  // by place; the first stays empty
  Text arena_;               // all names
  const char* text_ = "";    // where they lie, once all are there
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::size_t longest_ = 0;
  bool has_numbers_ = false;  // a name is the number of another id
  Text scratch_;
  std::string buffer_;
};

}  // namespace unshade::spirv::text
