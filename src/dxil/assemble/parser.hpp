// Reads LLVM's assembly language into a Module. src: LLVM 3.7, LLParser.cpp; DXC's printer
//
// Value ids are known as soon as a text was looked through once: globals, functions and aliases come first, in their order, then constants
// in the order in which they are met, each once. What a function defines itself has no id before the last constant is known. Until then it
// is a number with kLocalMark, and before the end of its function, where things may be used that come later, that of a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/module.hpp>

#include "dxil/assemble/lexer.hpp"
#include "dxil/listing/comments.hpp"

namespace unshade::dxil::assembler {

/// Marks of operands. Other numbers are below them.
inline constexpr std::uint32_t kLocalMark = 0x4000'0000;
inline constexpr std::uint32_t kBlockMark = 0x2000'0000;

/// Numbers for texts, given as they come.
class Interned {
 public:
  /// The number of a key; `added` if it is new.
  std::uint32_t number(const std::string& key, bool& added) {
    const auto [place, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size()));
    added = is_new;
    return place->second;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// A key made of numbers.
class Key {
 public:
  Key& operator<<(std::uint64_t value) {
    while (value >= 0x80) {
      text_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    text_.push_back(static_cast<char>(value));
    return *this;
  }
  Key& operator<<(std::string_view text) {
    *this << text.size();
    text_ += text;
    return *this;
  }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

/// Gives instructions that are `fast`, and whose other flags the text does not state, those of the instructions that they were in `like`:
/// in the function of the same name, found by what precedes them and after. New ones are as most of that function's are.
/// `stated`: by instruction; shorter if the last ones are not stated.
void take_fast_flags(Module& module, const std::vector<bool>& stated, const Module& like);

/// How values without a name are numbered.
enum class Numbers : std::uint8_t {
  dense,  ///< as a listing numbers them, one after the other
  free,   ///< in any order and with gaps, as after an edit. A block without a label has the number of its comment, `; <label>:5`
};

class TextParser {
 public:
  /// `like`: as for parse_module_text().
  /// `comments`: gets those in the places that a listing uses, or null.
  TextParser(std::string_view text, Module& module, const Module* like, std::vector<listing::PlacedComment>* comments = nullptr,
             Numbers numbers = Numbers::dense);

  bool parse();
  Message message() const;
  /// Makes the message one about the first number that is not the next.
  void note_gap();

 private:
  using Kind = Token::Kind;

  // --- words: words.cpp --------------------------------------------------------------------------------------------------------
  void next();
  bool is(char mark) const { return token_.kind == Kind::punctuation && token_.mark == mark; }
  bool is_word(std::string_view word) const { return token_.kind == Kind::word && token_.text == word; }
  /// Steps over it, if it is the token.
  bool take(char mark) {
    if (!is(mark)) return false;
    next();
    return true;
  }
  bool take(std::string_view word) {
    if (!is_word(word)) return false;
    next();
    return true;
  }
  bool expect(char mark);
  bool expect(std::string_view word);
  void keep_comments(listing::PlacedComment::By by, std::uint32_t index);
  void keep_comment_behind(std::uint32_t instruction);
  bool check_sections();
  /// All of these are false, so that callers can return them.
  bool expected(std::string_view what, std::string_view question = {});
  bool fail(ErrorCode code, std::size_t at, std::string text);
  bool number(std::uint64_t& value, std::string_view what);
  bool number32(std::uint32_t& value, std::string_view what);
  bool fits_in(std::uint64_t value, std::uint64_t most, std::size_t at, std::string_view what);
  /// The name of a token, escapes resolved; lives as long as the parser.
  std::string_view name_of(const Token& token);
  StringRange keep(std::string_view text);
  bool string(StringRange& range);
  bool enter() {
    if (depth_ < kDeepest) return ++depth_, true;
    return fail(ErrorCode::limit, token_.at, "nested too deeply");
  }
  void leave() { --depth_; }

  // --- the module: parser.cpp --------------------------------------------------------------------------------------------------
  bool find_globals();
  bool defines_alias();
  bool met(const Token& name);
  bool top_level();
  bool target();
  bool module_assembly();
  bool type_definition();
  bool comdat_definition();
  bool global_definition();
  bool global_variable(std::uint32_t value, Linkage linkage, bool external, Global& global);
  bool alias(std::uint32_t value, Linkage linkage, Alias alias);
  bool function(bool has_body);
  bool function_parameters(std::vector<std::uint32_t>& parts, bool& variadic, bool has_body);
  bool function_tail(Function& function);
  bool linkage(Linkage& linkage, bool& external);
  template <class T>
  bool visibility(T& of);
  bool thread_local_mode(ThreadLocal& mode);
  bool calling_convention(std::uint32_t& convention);
  bool section(std::uint32_t& section);
  bool comdat_of(std::uint32_t value, std::uint32_t& comdat);
  bool alignment(std::uint32_t& alignment);
  /// Adds the word at hand, which a clause begins with, to those before it; false if it is there already.
  bool once(std::vector<std::string_view>& words);
  bool finish();

  // --- attributes: attributes.cpp ----------------------------------------------------------------------------------------------
  /// Attributes of a function or call before the sets of `#5` are known.
  struct AttributeList {
    std::vector<std::pair<std::uint32_t, std::vector<Attribute>>> slots;
    std::vector<std::pair<std::uint32_t, std::size_t>> sets;  ///< numbers, and where they are
  };
  void add_slot(AttributeList& list, std::uint32_t slot, std::vector<Attribute>&& attributes);
  /// Numbers and texts of the attributes of one place, by kinds and keys.
  using AttributeValues = std::map<std::pair<AttributeKind, std::string_view>, std::pair<std::uint64_t, std::string_view>>;
  bool add_values(AttributeValues& values, std::span<const Attribute> attributes) const;
  bool attribute(std::vector<Attribute>& attributes, AttributeValues& values, bool in_set, bool& found);
  bool attributes_here(std::vector<Attribute>& attributes);
  bool function_attributes(AttributeList& list);
  bool attribute_set();
  std::uint32_t keep_attributes(AttributeList&& list);
  bool resolve_attributes();
  void add_to_key(Key& key, std::span<const Attribute> attributes) const;

  // --- types: types.cpp --------------------------------------------------------------------------------------------------------
  bool type(std::uint32_t& type);
  bool type_base(std::uint32_t& type);
  bool member(std::uint32_t& type);
  bool parameter(std::uint32_t& type);
  /// Types of parameters after `(`, added to `parts`, which begins with the type of the result. `after(type)` reads on after each.
  template <class F>
  bool parameters(std::vector<std::uint32_t>& parts, bool& variadic, F&& behind) {
    while (!is(')')) {
      if (parts.size() > 1 && !expect(',')) return false;
      if (take('.')) {
        variadic = true;
        break;
      }
      std::uint32_t part = 0;
      if (!parameter(part) || !behind(part)) return false;
      parts.push_back(part);
    }
    return expect(')');
  }
  bool struct_body(std::vector<std::uint32_t>& parts);
  bool sequence_type(std::uint32_t& type, TypeKind kind, char close);
  std::uint32_t intern(const Type& type, std::span<const std::uint32_t> parts);
  std::uint32_t plain_type(TypeKind kind);
  std::uint32_t integer_type(std::uint32_t width);
  std::uint32_t pointer_to(std::uint32_t type, std::uint32_t address_space = 0);
  std::uint32_t function_type(std::span<const std::uint32_t> parts, bool variadic);
  std::uint32_t sequence_of(TypeKind kind, std::uint64_t count, std::uint32_t element);
  std::uint32_t struct_of(std::span<const std::uint32_t> parts);
  /// i1, or a vector of them if `type` is a vector.
  std::uint32_t truth_type(std::uint32_t type);
  std::uint32_t named_struct(const Token& token);
  const Type& type_at(std::uint32_t type) const { return m_.types[type]; }
  /// The type itself, or that of a vector's elements.
  std::uint32_t scalar_of(std::uint32_t type) const { return type_at(type).kind == TypeKind::vector ? m_.element_of(type) : type; }
  /// Type of a member that constant indices lead to, from `first` of them on; false if there is none.
  bool member_type(std::uint32_t type, std::span<const std::uint64_t> indices, std::uint32_t& member) const;
  bool member_of_value(std::uint32_t type, std::span<const std::uint64_t> indices, std::uint32_t& member) const;
  bool pointee_at(std::uint32_t type, std::span<const std::uint32_t> operands, std::uint32_t& member);
  bool type_error(std::size_t at, std::string_view what);

  // --- values: constants.cpp ---------------------------------------------------------------------------------------------------
  /// A value of that type as an operand: a value id, or a name of the function with kLocalMark.
  bool value(std::uint32_t type, std::uint32_t& operand);
  bool typed_value(std::uint32_t& type, std::uint32_t& operand);
  /// The same, for a place that takes only constants.
  bool constant(std::uint32_t type, std::uint32_t& id);
  bool typed_constant(std::uint32_t& type, std::uint32_t& id);
  bool global_reference(std::uint32_t type, std::uint32_t& id);
  bool global_reference(const Token& token, std::uint32_t type, std::uint32_t& id);
  bool integer(std::uint32_t type, std::uint32_t& id);
  bool real(std::uint32_t type, std::uint32_t& id);
  bool elements(std::uint32_t type, char close, std::uint32_t& id);
  bool characters(std::uint32_t type, std::uint32_t& id);
  bool expression(std::uint32_t type, std::uint32_t& id, Opcode opcode);
  bool expression_operands(Constant& constant, std::vector<std::uint32_t>& operands, std::uint32_t& type);
  bool block_address(std::uint32_t type, std::uint32_t& id);
  std::uint32_t make_aggregate(std::uint32_t type, std::span<const std::uint32_t> members);
  std::uint32_t make_data(std::uint32_t type, std::vector<std::uint64_t>&& elements);
  std::uint32_t make(Constant constant, std::span<const std::uint32_t> operands = {}, std::span<const std::uint64_t> literals = {});
  std::uint32_t make_plain(ConstantKind kind, std::uint32_t type, std::uint64_t bits = 0);
  const Constant* constant_at(std::uint32_t id) const {
    return id < globals_ || id - globals_ >= m_.constants.size() ? nullptr : &m_.constants[id - globals_];
  }
  /// The type of an operand; kNone for a name whose type is not known yet.
  std::uint32_t type_of(std::uint32_t operand) const;
  bool flags(Opcode opcode, std::uint16_t& flags);
  bool predicate(Opcode opcode, Predicate& predicate);
  Opcode opcode_of(std::string_view word) const;

  // --- functions: body.cpp, instructions.cpp --------------------------------------------------------------------------
  /// Something that a function names, or does not know yet.
  struct Local {
    std::uint32_t type = kNone;
    std::uint32_t index = kNone;  ///< of the value or block, once it is there
    bool is_block = false;
    std::size_t at = 0;  ///< position of its first use
    std::string_view name{};
    std::uint32_t number = 0;
  };
  bool body();
  bool block_label();
  bool instruction();
  bool exact_flags(Instruction& instruction);
  bool instruction_tail(Instruction& instruction);
  bool attachment(Instruction& instruction);
  std::uint32_t local(const Token& token);
  bool number_is_next(const Token& token, std::uint32_t& next);
  std::uint32_t number_of_block() const;
  bool local_operand(const Token& token, std::uint32_t type, std::uint32_t& operand);
  bool define(const Token& name, bool has_name, std::uint32_t type, bool is_block, std::uint32_t index);
  bool block_operand(std::uint32_t& operand);
  bool typed_block(std::uint32_t& operand);

  bool operands_of(Instruction& i, std::vector<std::uint32_t>& operands);
  bool ret(Instruction& i, std::vector<std::uint32_t>& operands);
  bool br(Instruction& i, std::vector<std::uint32_t>& operands);
  bool switch_(Instruction& i, std::vector<std::uint32_t>& operands);
  bool indirectbr(Instruction& i, std::vector<std::uint32_t>& operands);
  bool takes(Opcode opcode, std::uint32_t type, std::size_t at);
  bool selects(std::uint32_t condition, std::size_t at);
  bool value_type(std::uint32_t& type);
  bool binary(Instruction& i, std::vector<std::uint32_t>& operands);
  bool compare(Instruction& i, std::vector<std::uint32_t>& operands);
  bool cast(Instruction& i, std::vector<std::uint32_t>& operands);
  bool alloca_(Instruction& i, std::vector<std::uint32_t>& operands);
  bool load(Instruction& i, std::vector<std::uint32_t>& operands);
  bool store(Instruction& i, std::vector<std::uint32_t>& operands);
  bool cmpxchg(Instruction& i, std::vector<std::uint32_t>& operands);
  bool atomicrmw(Instruction& i, std::vector<std::uint32_t>& operands);
  bool fence(Instruction& i);
  bool getelementptr(Instruction& i, std::vector<std::uint32_t>& operands);
  bool phi(Instruction& i, std::vector<std::uint32_t>& operands);
  bool call(Instruction& i, std::vector<std::uint32_t>& operands);
  bool call_arguments(AttributeList& list, std::vector<std::uint32_t>& operands, std::vector<std::uint32_t>& types);
  bool select(Instruction& i, std::vector<std::uint32_t>& operands);
  bool vector_operation(Instruction& i, std::vector<std::uint32_t>& operands);
  bool member_operation(Instruction& i, std::vector<std::uint32_t>& operands);
  bool variadic_argument(Instruction& i, std::vector<std::uint32_t>& operands);
  bool ordering(Ordering& ordering);
  bool scope_and_ordering(Instruction& i);
  bool alignment_behind(Instruction& i);
  bool alignment_code(std::uint8_t& code);

  // --- metadata: metadata.cpp --------------------------------------------------------------------------------------------------
  bool named_metadata();
  bool numbered_metadata();
  bool node_body(Metadata& node);
  bool tuple(Metadata& node);
  bool fields(Metadata& node, MetadataKind kind);
  bool field(const NodeField& field, std::uint64_t& word);
  bool expression_words(std::vector<std::uint64_t>& words);
  /// A reference: `!5`, `!"text"`, `!{...}`, `i32 5`, `null` (kNone).
  bool metadata_operand(std::uint32_t& id);
  bool metadata_argument(std::uint32_t& operand);
  std::uint32_t numbered(std::uint32_t number);
  std::uint32_t metadata_string(std::string_view text);
  std::uint32_t metadata_value(std::uint32_t type, std::uint32_t value);
  std::uint32_t add_metadata(const Metadata& metadata);
  std::uint32_t metadata_kind(std::string_view name);
  bool resolve_metadata();
  void number_kinds();
  void exact_kinds(std::string_view line);

  static constexpr unsigned kDeepest = 200;

  Lexer lexer_;
  Module& m_;
  const Module* like_;
  Token token_;
  Message message_;
  std::size_t fault_at_ = 0;
  bool failed_ = false;
  unsigned depth_ = 0;
  std::vector<listing::PlacedComment>* comments_ = nullptr;
  std::size_t last_end_ = 0;       ///< of the token before this one
  std::size_t functions_met_ = 0;  ///< so far
  std::deque<std::string> unescaped_;

  std::unordered_map<std::string_view, std::uint32_t> global_names_;  ///< value ids
  std::unordered_map<std::uint32_t, std::uint32_t> global_numbers_;   ///< the same of those without a name
  std::uint32_t globals_ = 0;                                         ///< how many values are globals, functions and aliases
  std::uint32_t next_global_number_ = 0;
  std::vector<bool> defined_;  ///< by value id, of globals

  Interned types_, constants_, strings_, metadata_values_, lists_;
  std::unordered_map<std::string_view, std::uint32_t> struct_names_;
  std::unordered_map<std::uint32_t, std::uint32_t> struct_numbers_;
  std::vector<std::uint32_t> interned_types_, interned_constants_, interned_strings_, interned_values_;
  /// Of the text of a type, in which structures with an identity are their name.
  struct TypeExtent {
    std::uint32_t depth = 1;
    std::uint32_t weight = 1;  ///< parts
  };
  std::vector<TypeExtent> type_extents_;        ///< by type id
  std::vector<std::size_t> type_places_;        ///< by type id: position of its definition, or of its first use
  std::vector<std::uint32_t> constant_depths_;  ///< by position in Module::constants
  std::vector<std::size_t> undefined_structs_;  ///< by type id: position of a use, 0 once it is defined
  std::unordered_map<std::string_view, std::uint32_t> section_names_, gc_names_, comdat_names_;
  std::unordered_map<std::string_view, Opcode> opcodes_;

  std::vector<AttributeList> attribute_lists_;
  std::unordered_map<std::uint32_t, std::vector<Attribute>> attribute_sets_;

  std::unordered_set<std::string_view> named_metadata_;  ///< so far
  std::unordered_map<std::uint32_t, std::uint32_t> metadata_numbers_;
  std::vector<std::size_t> metadata_places_;  ///< by metadata id: position of its first use; 0 once it is defined
  std::unordered_map<std::string_view, std::uint32_t> metadata_kind_names_;
  std::unordered_map<std::string_view, MetadataKind> node_kinds_;
  std::string_view exact_flags_;    ///< the comment `; exact: flags 29` that was passed, until an instruction takes it
  std::vector<bool> flags_stated_;  ///< by instruction, as far as some are: by comments of an exact listing
  bool kinds_stated_ = false;
  bool no_kinds_ = false;
  bool has_loop_ = false;                       ///< there is a back edge
  std::vector<std::string_view> stated_kinds_;  ///< by a comment of an exact listing
  std::vector<std::uint32_t> location_nodes_;   ///< by position in Module::locations
  std::unordered_map<std::uint32_t, std::uint32_t> locations_of_nodes_;
  std::vector<std::size_t> location_places_;

  // Of the function at hand:
  bool in_body_ = false;
  bool pending_comma_ = false;  ///< before metadata, and passed
  Body body_;
  std::uint32_t return_type_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> local_names_;
  std::unordered_map<std::uint32_t, std::uint32_t> local_numbers_;
  std::vector<Local> locals_;
  std::uint32_t next_local_number_ = 0;
  const Numbers numbers_;
  std::size_t gap_at_ = 0;
  bool has_gap_ = false;
  std::uint32_t next_value_ = 0;                                     ///< of the function's own values
  std::unordered_map<std::uint32_t, std::uint32_t> local_metadata_;  ///< by name
};

}  // namespace unshade::dxil::assembler
