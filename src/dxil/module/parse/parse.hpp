// Reads the blocks of a module, one function for each kind of block. Used by parse_module alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/module.hpp>

#include "dxil/bitcode/records.hpp"
#include "dxil/module/record_operands.hpp"
#include "dxil/module/type_kinds.hpp"

namespace unshade::dxil::module {

inline constexpr std::uint64_t kLargestAlignment = 30;  // its logarithm + 1. src: LLVM 3.7, Value.h, MaxAlignmentExponent

/// Ids that are one more than what they mean, 0 for none.
inline std::uint32_t less_one(std::uint64_t id) { return id == 0 || id > kNone ? kNone : static_cast<std::uint32_t>(id - 1); }

class ModuleReader {
 public:
  /// `outline`: as for parse_outline().
  ModuleReader(View stream, bool outline);

  Result<Module> read();

 private:
  using Event = BitstreamCursor::Event;
  using Operands = std::span<const std::uint64_t>;

  // --- position and errors: all readers give false after an error ---------------------------------------------------------
  bool fail(ErrorCode code, std::string message) { return fail_at(code, "record", record_, std::move(message)); }
  bool fail(ErrorCode code, const char* message);
  bool fail_at(ErrorCode code, const char* name, std::uint32_t index, std::string message);
  bool bad_record();
  bool bad_reference(const char* what, std::uint64_t id);
  bool cursor_error();
  bool over_budget();
  /// Pays for memory that the model takes.
  bool spend(std::size_t bytes) {
    if (bytes > budget_) [[unlikely]]
      return over_budget();
    budget_ -= bytes;
    return true;
  }
  /// Growing by half, old and new take 2.5 times the items at once, rather than 3.
  template <class T>
  static void append(std::vector<T>& items, const T& item) {
    if (items.size() == items.capacity()) [[unlikely]]
      items.reserve(items.size() + items.size() / 2 + 16);
    items.push_back(item);
  }
  /// The same for what there is most of: `left` says for how many more there is room, which is cheaper than to ask the vector.
  template <class T>
  static void append(std::vector<T>& items, std::size_t& left, const T& item) {
    if (left == 0) [[unlikely]]
      make_room(items, left, 1);
    --left;
    items.push_back(item);
  }
  template <class T>
  static void make_room(std::vector<T>& items, std::size_t& left, std::size_t count) {
    if (items.capacity() - items.size() < count) items.reserve(items.size() + std::max(count, items.size() / 2 + 16));
    left = items.capacity() - items.size();
  }
  template <class T>
  bool push(std::vector<T>& items, const T& item) {
    if (!spend(sizeof(T))) return false;
    append(items, item);
    return true;
  }
  /// Calls f for each record of the block that was entered; blocks within it are skipped.
  template <class F>
  bool each_record(F&& f);
  /// The same, with block() called at the begin of a block.
  template <class F, class G>
  bool each(F&& record, G&& block);
  bool skip_block();
  bool in(const char* name, std::uint32_t index, bool (ModuleReader::*read_block)());

  StringRange characters(Operands operands, bool& good);
  bool read_text(StringRange& text);
  bool read_text_into(std::vector<StringRange>& texts);

  // --- module ---------------------------------------------------------------------------------------------------------------------------
  bool read_module();
  bool module_record();
  bool module_block();
  bool global(Operands o);
  bool function(Operands o);
  bool alias(Operands o);
  bool comdat(Operands o);
  bool alignment(std::uint64_t code, std::uint32_t& bytes);
  bool section(std::uint64_t code, std::uint32_t& index);
  bool attribute_list(std::uint64_t code, std::uint32_t& index);
  bool read_symbols();
  bool read_use_lists();
  bool finish_module();
  bool constant_reference(std::uint32_t id, const char* name, std::uint32_t index);

  bool read_attribute_groups();
  bool attribute_group(Operands o);
  bool read_attributes();

  // --- types ----------------------------------------------------------------------------------------------------------------------------
  bool read_types();
  bool type_record();
  bool type_parts(Type& type, Operands parts);
  bool add_type(Type type);
  bool finish_types();
  /// The canonical type of an id in the file; fails if there is none.
  bool type_at(std::uint64_t id, std::uint32_t& type);
  /// The type that looks like this, which is added if there is none; kNone after an error.
  std::uint32_t intern(Type type, std::span<const std::uint32_t> parts);
  std::uint32_t pointer_to(std::uint32_t type, std::uint32_t address_space);
  std::uint32_t integer_type(std::uint32_t width);
  std::uint32_t void_type();
  std::uint32_t vector_of(std::uint32_t type, std::uint64_t count);
  std::uint32_t find_same(const Type& type, std::span<const std::uint32_t> parts, std::uint32_t hash) const;
  const Type& type(std::uint32_t id) const { return m_.types[id]; }
  bool is(std::uint32_t id, TypeKind kind) const { return m_.types[id].kind == kind; }
  /// The type itself, or that of a vector's elements.
  std::uint32_t scalar_of(std::uint32_t id) const { return is(id, TypeKind::vector) ? m_.element_of(id) : id; }
  bool is_integer(std::uint32_t id) const { return is(scalar_of(id), TypeKind::integer); }
  bool is_real(std::uint32_t id) const { return module::is_real(type(scalar_of(id)).kind); }
  bool is_first_class(std::uint32_t id) const { return module::is_first_class(type(id).kind); }
  /// Of a value of comparing values of this type.
  std::uint32_t truth_of(std::uint32_t id);

  // --- constants ------------------------------------------------------------------------------------------------------------------------
  bool read_constants();
  bool constant_record(std::uint32_t& current);
  bool constant(Constant constant, std::span<const std::uint64_t> operands, Operands literals);
  bool literal_constant(std::uint32_t code, std::uint32_t type, Operands o);
  bool expression(std::uint32_t code, std::uint32_t type, Operands o);
  bool inline_assembly(Constant constant, Operands o);
  /// References of the constants from the first one on are in range and make no cycle.
  bool check_constants(std::uint32_t first);
  bool fits(const Constant& constant) const;

  // --- metadata -------------------------------------------------------------------------------------------------------------------------
  bool read_metadata();
  bool metadata_record();
  bool metadata_node(MetadataKind kind, Operands o);
  bool named_metadata();
  bool metadata_kind(Operands o);
  /// In metadata_kinds; kNone if there is none of that number.
  std::uint32_t find_kind(std::uint64_t id) const;
  bool add_metadata(const Metadata& metadata);
  bool check_metadata(const std::vector<Metadata>& nodes, std::size_t first);
  bool check_node(const Metadata& node, std::size_t index);
  std::uint64_t metadata_count() const {
    return m_.metadata.size() + (body_ == nullptr ? 0 : m_.local_metadata.size() - body_->metadata.first);
  }
  bool is_string(std::uint64_t id) const;
  bool read_attachments();

  // --- functions ------------------------------------------------------------------------------------------------------------------------
  bool read_body();
  bool begin_body();
  bool finish_body();
  bool body_record();
  bool body_block();
  bool declare_blocks(Operands o);
  bool location(Operands o);
  bool instruction(std::uint32_t code, Operands o);
  bool add_instruction(Instruction& instruction);
  /// The record of an instruction while it is read.
  struct Record {
    Operands o;
    std::size_t at = 0;
    Instruction i{};
    std::array<std::uint32_t, 4> types{kNone, kNone, kNone, kNone};  // of the values in the order of the record, of those that come once
    std::size_t values = 0;
    std::uint32_t stated_type = kNone;  // the last that was not the result's
    std::uint64_t operation = 0;        // or predicate
    std::uint64_t flags = 0;            // of an operation, or of an alloca
    bool has_flags = false;
    std::uint64_t count = 0;
  };
  struct OperandReaders;
  template <std::size_t number, std::size_t... n>
  bool fixed_operands(Record& r, std::index_sequence<n...>);
  template <std::size_t number, std::size_t n>
  bool fixed_operand(Record& r, bool& ended);
  template <char letter>
  bool operand(Record& r);
  bool missing(char letter);
  bool finish(Record& r, Opcode opcode, std::uint32_t result);
  bool binary(Record& r);
  bool cast(Record& r);
  bool getelementptr(Record& r);
  bool pointee(std::uint32_t pointer, std::uint32_t& stated, const char* mismatch);
  bool step_into(std::uint32_t& type, std::uint32_t index_value);
  bool aggregate_access(Opcode opcode, Record& r);
  bool select(Record& r);
  bool compare(Record& r);
  bool switch_(Record& r);
  static void call_bits(bool invoke, std::uint64_t bits, Instruction& i);
  bool call(Opcode opcode, Record& r);
  bool phi(Record& r);
  bool personality();
  bool landingpad(Record& r);
  bool alloca_(Record& r);
  bool load(Record& r);
  bool store(Record& r);
  bool cmpxchg(Record& r);
  bool atomicrmw(Record& r);

  /// Operands of the instruction that is being read. The value of a typed pair has its type after it if it comes later in the file.
  bool typed_value(Operands o, std::size_t& at, std::uint32_t& type) {
    if (at < o.size() && o[at] < kNone) [[likely]]
      if (const std::uint32_t id = absolute(o[at]); id < next_value_) [[likely]] {
        ++at;
        type = value_at(id).type;
        return put_operand(id);
      }
    return later_value(o, at, type);
  }
  bool later_value(Operands o, std::size_t& at, std::uint32_t& type);
  bool value_of(Operands o, std::size_t& at, std::uint32_t type) {
    if (at < o.size() && o[at] < kNone) [[likely]]
      if (const std::uint32_t id = absolute(o[at]); id < next_value_ && value_at(id).type == type && type != metadata_type_) [[likely]] {
        ++at;
        return put_operand(id);
      }
    return other_value_of(o, at, type);
  }
  bool other_value_of(Operands o, std::size_t& at, std::uint32_t type);
  bool value_id(std::uint64_t id, std::uint32_t type);
  bool block_at(Operands o, std::size_t& at);
  bool alignment_code(std::uint64_t code, Instruction& i);
  bool ordering(std::uint64_t code, Ordering& ordering);
  std::uint32_t absolute(std::uint64_t operand) const {
    return relative_ ? next_value_ - static_cast<std::uint32_t>(operand) : static_cast<std::uint32_t>(operand);
  }
  bool add_operand(std::uint32_t operand) {
    if (!spend(sizeof(operand))) return false;
    append(m_.operands, operand);
    return true;
  }
  /// The same for instructions, whose records have paid for all their operands.
  bool put_operand(std::uint32_t operand) {
    append(m_.operands, room_.operands, operand);
    return true;
  }
  const Value& value_at(std::uint32_t id) const {
    return id < module_values_ ? m_.values[id] : m_.local_values[current_body_.values.first + (id - module_values_)];
  }

  Module m_;
  BitstreamCursor cursor_;
  bool outline_;
  std::size_t budget_;
  std::unique_ptr<Error> error_;

  struct Place {
    const char* name;
    std::uint32_t index;
  };
  std::vector<Place> path_;
  std::uint32_t record_ = 0;  // among the records and blocks of its block

  struct Room {
    std::size_t operands = 0, instructions = 0, local_values = 0;
  };
  Room room_;  // in vectors of the model: see append

  bool relative_ = false;
  bool functions_begun_ = false;
  std::uint64_t declared_types_ = 0;
  StringRange struct_name_;
  std::uint32_t void_type_ = kNone;
  std::uint32_t truth_type_ = kNone;
  std::uint32_t metadata_type_ = kNone;
  struct TypeFacts {
    std::uint32_t canonical = 0;  // the first type that is the same
    std::uint32_t depth = 0;      // of what it prints as
    std::uint32_t weight = 0;     // parts of what it prints as
    std::uint32_t hash = 0;
    std::uint32_t before = kNone;  // the one before it in its slot of type_slots_
  };
  void find_again(std::uint32_t id);
  std::vector<TypeFacts> type_facts_;         // by id
  std::vector<std::uint32_t> forward_types_;  // ids referred to before they were read
  std::vector<std::uint32_t> type_slots_;     // by the lower bits of a hash: the last type of those; a power of two, or empty
  std::unordered_map<std::uint32_t, std::uint32_t> group_ids_;
  std::unordered_map<std::uint32_t, std::uint32_t> kind_ids_;  // of those that are not numbered as they come
  std::vector<std::uint32_t> pending_bodies_;                  // functions whose bodies are to come
  std::size_t next_body_ = 0;

  Body* body_ = nullptr;  // that which is being read
  Body current_body_;
  std::uint32_t module_values_ = kNone;  // how many the module has, once that is known
  std::uint32_t next_value_ = 0;
  std::uint32_t open_block_ = kNone;  // the block that takes the next instruction
  std::uint32_t first_operand_ = 0;   // of the instruction that is being read
  std::uint32_t last_location_ = kNone;
  struct Forward {
    std::uint32_t id;
    std::uint32_t type;
    std::uint32_t instruction;
  };
  std::vector<Forward> forwards_;
};

template <class F, class G>
bool ModuleReader::each(F&& record, G&& block) {
  record_ = 0;
  for (;;) {
    switch (cursor_.next()) {
      case Event::record:
        if (!record()) return false;
        ++record_;
        break;
      case Event::enter_block: {
        const std::uint32_t back = record_;
        if (!block()) return false;
        record_ = back + 1;
        break;
      }
      case Event::end_block: return true;
      default: return cursor_error();
    }
  }
}

template <class F>
bool ModuleReader::each_record(F&& f) {
  return each(f, [this] { return skip_block(); });
}

}  // namespace unshade::dxil::module
