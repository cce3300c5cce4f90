// A module as text, as LLVM 3.7's printer writes it, with the comments that dxc puts after instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/module.hpp>

#include "dxil/listing/comments.hpp"
#include "dxil/listing/dxc_style.hpp"
#include "dxil/listing/numbering.hpp"

namespace unshade::dxil::listing {

/// What precedes a name: `%local`, `@global`, `$comdat`; labels go without.
enum class NamePrefix : char { none = 0, local = '%', global = '@', comdat = '$' };

/// A name, quoted if it has to be.
void print_name(Text& out, std::string_view name, NamePrefix prefix);
/// Characters between quotes: what cannot be printed, quotes and backslashes as `\22`.
void print_escaped(Text& out, std::string_view text);
/// A real number: decimal with six decimals if that is exact, else the bits of a double; half and wider types as their own bits.
void print_real(Text& out, TypeKind type, std::uint64_t bits, std::uint64_t high_bits);
/// A signed number of any width, from its little-endian words.
void print_wide_integer(Text& out, std::span<const std::uint64_t> words);

/// What begins a comment that an assembler heeds. Source: docs/reference/texts/dxil.md
inline constexpr std::string_view kExactComment = "; exact: ";
inline constexpr std::string_view kExactKinds = "kinds";
inline constexpr std::string_view kExactFlags = "flags";
inline constexpr std::string_view kExactSections = "sections";

/// list_module(), and where in `out` its comments are.
Result<void> list_module_comments(const Module& module, std::size_t file_bytes, const AskedDxc& dxc, Text& out,
                                  std::vector<PlacedComment>& comments);

class IrPrinter {
 public:
  /// The text may grow by no more than `limit` characters.
  IrPrinter(const Module& module, Text& out, std::size_t limit, const ListingOptions& options);

  /// From here on, says where comments are.
  void record(std::vector<PlacedComment>* comments) { placed_ = comments; }
  /// The same of instructions.
  void record(TextOrigins* origins) { origins_ = origins; }
  /// Appends the module. Errors: limit.
  Result<void> print();

 private:
  /// Facts of a function, gathered before code that calls it is printed.
  struct Callee {
    bool operation = false;  ///< `dx.op.`
    bool debug_declare = false;
    bool debug_value = false;
  };

  /// A text in texts_. Of a value it is the type, a blank, and from `value` on the value.
  struct KeptText {
    const char* text = nullptr;
    std::uint16_t count = 0;  ///< 0: not kept
    std::uint16_t value = 0;
    bool is_long = false;  ///< and will not be: put together anew each time, so that what shares parts cannot fill the memory
  };
  static constexpr std::size_t kLongestKept = 256;
  /// `%12`, such as Text::copy takes, the last character being its length; empty for a thing with a name.
  struct LocalNumber {
    char text[Text::kSlack] = {};
    std::size_t count() const { return static_cast<std::size_t>(text[kLast]); }
    /// To the number that follows.
    void count_up() {
      std::size_t at = count();
      while (text[--at] == '9') text[at] = '0';
      if (at != 0) {
        ++text[at];
      } else {  // 99: it gets a digit more
        text[1] = '1';
        text[count()] = '0';
        ++text[kLast];
      }
    }
    static constexpr LocalNumber zero() {
      LocalNumber number{"%0"};
      number.text[kLast] = 2;
      return number;
    }
    static constexpr std::size_t kLast = Text::kSlack - 1;
  };

  // module.cpp
  void print_header();
  void print_types();
  void print_comdats();
  void print_global(const Global& global);
  void print_alias(const Alias& alias);
  void print_function(const Function& function);
  void print_declared_parameters(const Function& function, const Type& type);
  void print_attribute_groups();
  void print_linkage(Linkage linkage, Visibility visibility, DllStorage storage);
  void print_thread_local(ThreadLocal mode);
  void print_section(std::uint32_t section);
  void print_comdat_of(std::uint32_t comdat, const Value& owner, bool comma);
  void print_raw_string(StringRange text);
  void print_attribute(const Attribute& attribute, bool in_group);
  /// Those of a list that belong to `slot`, with `before` before and `after` after them, if there are any.
  void print_attributes(std::uint32_t list, std::uint32_t slot, std::string_view before, std::string_view after);
  void print_calling_convention(std::uint32_t convention);
  void print_attachments(std::span<const Attachment> attachments, std::string_view separator);

  // module_body.cpp
  /// Makes the values of a function known, without numbers; null: those of the module alone.
  void enter_values(const Body* body);
  /// Numbers values and blocks.
  void enter_body(const Body& body);
  void print_body(const Body& body);
  void print_label(std::uint32_t block);
  void print_instruction(const Instruction& instruction);
  void print_operands(const Instruction& instruction);
  void print_call(const Instruction& call, std::size_t first_argument);
  void print_switch(const Instruction& instruction);
  void print_plain_operands(const Instruction& instruction);
  void print_ordering(Ordering ordering);
  void print_flags(std::uint16_t flags);
  void print_block(std::uint32_t block);
  void print_typed_block(std::uint32_t block);
  void find_predecessors(const Body& body);

  // module_comments.cpp
  void place(PlacedComment::By by, std::size_t index, std::size_t begin) {
    if (placed_ != nullptr && out_.size() != begin) placed_->push_back({by, static_cast<std::uint32_t>(index), begin, out_.size()});
  }
  void place(std::uint32_t instruction, const Body& body) {
    if (origins_ != nullptr) place_origin(instruction, body);
  }
  void place_origin(std::uint32_t instruction, const Body& body);
  void print_comment(const Instruction& instruction);
  void print_exact_flags(const Instruction& instruction);
  void print_exact_kinds();
  void print_debug_variable(const Instruction& call);
  void print_operation_comment(const Instruction& call);
  void print_old_handle(const Instruction& call);

  // module_values.cpp
  void print_type(std::uint32_t type) { print_type("", type, ""); }
  template <std::size_t kBefore, std::size_t kBehind>
  void print_type(const char (&before)[kBefore], std::uint32_t type, const char (&behind)[kBehind]) {
    if (const KeptText& kept = type_texts_[type]; kept.count != 0) [[likely]] {
      out_.copy(before, kept.text, kept.count, behind);
    } else {
      out_ << before;
      print_new_type(type);
      out_ << behind;
    }
  }
  void print_new_type(std::uint32_t type);
  void print_struct_body(const Type& type);
  /// Results of instructions are printed by number or name; the text of other values is kept from its first use on.
  void print_value(std::uint32_t id) { print_value("", id, ""); }
  template <std::size_t kBefore, std::size_t kBehind>
  void print_value(const char (&before)[kBefore], std::uint32_t id, const char (&behind)[kBehind]) {
    if (id >= first_result_) {
      print_result(before, id, behind);
    } else if (const KeptText& kept = kept_value(id); kept.count != 0) [[likely]] {
      out_.copy(before, kept.text + kept.value, kept.count - kept.value, behind);
    } else {
      out_ << before;
      print_long_value(id);
      out_ << behind;
    }
  }
  void print_typed_value(std::uint32_t id) { print_typed_value("", id); }
  template <std::size_t kBefore>
  void print_typed_value(const char (&before)[kBefore], std::uint32_t id) {
    if (id >= first_result_) {
      print_type(before, value(id).type, " ");
      print_result("", id, "");
    } else if (const KeptText& kept = kept_value(id); kept.count != 0) [[likely]] {
      out_.copy(before, kept.text, kept.count, "");
    } else {
      print_type(before, value(id).type, " ");
      print_long_value(id);
    }
  }
  template <std::size_t kBefore, std::size_t kBehind>
  void print_result(const char (&before)[kBefore], std::uint32_t id, const char (&behind)[kBehind]) {
    const LocalNumber& number = local_numbers_[id - module_values_];
    if (number.count() != 0) [[likely]] {
      out_.copy(before, number.text, number.count(), behind);
    } else {
      out_ << before;
      print_named(value(id));
      out_ << behind;
    }
  }
  void print_named(const Value& local);
  void print_long_value(std::uint32_t id);
  /// Empty for those that are too long to be kept.
  const KeptText& kept_value(std::uint32_t id) {
    const KeptText& kept = value_texts_[id];
    if (kept.count == 0 && !kept.is_long) keep_value(id);
    return kept;
  }
  void keep_value(std::uint32_t id);
  void print_constant(const Constant& constant);
  void print_zero(const Type& type);
  void print_elements(const Constant& constant, char open, char close);
  void print_data(const Constant& constant);
  void print_expression(const Constant& constant);
  void print_inline_asm(const Constant& constant);
  /// Whether an aggregate is all zeros (`null`) or all undef, in which case LLVM does not keep its members.
  ConstantKind folded(const Constant& constant) const;
  /// The constant or global that a value addresses the first member of: what a cast of it casts in older versions of dxc.
  std::uint32_t without_zero_offsets(std::uint32_t id) const;
  bool is_null(const Constant& constant) const;

  // module_metadata.cpp
  void print_named_metadata();
  void print_metadata_nodes();
  void print_node(const Metadata& node);
  void print_location(const Location& location);
  void print_fields(const Metadata& node);
  void print_expression_node(const Metadata& node);
  /// A reference to metadata: `!12`, `!"text"`, `i32 3`.
  void print_metadata(std::uint32_t id);
  void print_metadata_slot(std::uint32_t slot);
  void print_metadata_identifier(std::string_view name);

  const Value& value(std::uint32_t id) const { return id < module_values_ ? module_.values[id] : locals_[id - module_values_]; }
  std::string_view name_of(const Value& of) const { return module_.text(of.name); }
  bool full() const { return out_.size() > limit_; }

  const Module& module_;
  Text& out_;
  std::size_t limit_;  ///< size of the text
  bool comments_;
  bool exact_;
  DxcStyle style_;
  std::vector<PlacedComment>* placed_ = nullptr;
  TextOrigins* origins_ = nullptr;
  bool too_deep_ = false;
  unsigned depth_ = 0;
  StructOrder structs_;
  MetadataSlots metadata_;
  AttributeSlots attributes_;
  std::vector<std::uint32_t> global_slots_;  ///< by value id: numbers of globals, functions and aliases without a name
  std::vector<Callee> callees_;              ///< by position in Module::functions
  TextPool texts_;
  std::vector<KeptText> type_texts_;   ///< by type id
  std::vector<KeptText> value_texts_;  ///< by value id: those of the module, then those of the function before its first result
  std::uint32_t module_values_;        ///< how many the module has

  // Of the function being printed:
  const Body* body_ = nullptr;
  const Value* locals_ = nullptr;
  std::uint32_t first_result_ = kNone;           ///< value id: those of instructions follow
  std::vector<LocalNumber> local_numbers_;       ///< by value id less those of the module
  std::vector<std::uint32_t> block_slots_;       ///< kNone for those with a name
  std::vector<Range> predecessors_;              ///< by block, in predecessor_list_
  std::vector<std::uint32_t> predecessor_list_;  ///< blocks
};

}  // namespace unshade::dxil::listing
