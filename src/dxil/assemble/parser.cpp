// The outer level of the assembly language: types, globals, prototypes, named metadata.
#include "dxil/assemble/parser.hpp"

#include <unshade/core/limits.hpp>

#include "dxil/assemble/module.hpp"
#include "dxil/module/record_words.hpp"
#include "dxil/module/type_nesting.hpp"

namespace unshade::dxil::assembler {

TextParser::TextParser(std::string_view text, Module& module, const Module* like, std::vector<listing::PlacedComment>* comments,
                       Numbers numbers)
    : lexer_(text), m_(module), like_(like), comments_(comments), numbers_(numbers) {
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(Opcode::invalid); ++i)
    opcodes_.emplace(dxil::text(static_cast<Opcode>(i)), static_cast<Opcode>(i));
  for (std::uint8_t i = static_cast<std::uint8_t>(MetadataKind::node) + 1; !node_text(static_cast<MetadataKind>(i)).empty(); ++i)
    node_kinds_.emplace(node_text(static_cast<MetadataKind>(i)), static_cast<MetadataKind>(i));
}

// --- the text through once ---------------------------------------------------------------------------------------------------------------

/// After `@name =`, up to the word that states what it is.
bool TextParser::defines_alias() {
  for (;;) {
    const Token token = lexer_.next();
    const bool in_parentheses =
        token.kind == Kind::integer || (token.kind == Kind::punctuation && (token.mark == '(' || token.mark == ')'));
    if (token.kind == Kind::word && token.text == "alias") return true;
    if (token.kind == Kind::word ? token.text == "global" || token.text == "constant" : !in_parentheses) return false;
  }
}

/// Gives ids to what has a name in the module: it may be used before it is there. A definition begins its line, with its name.
bool TextParser::find_globals() {
  const std::string_view text = lexer_.text();
  std::vector<Token> variables, functions, aliases;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = std::min(text.find_first_not_of(kBlanks, at), end);
    const std::string_view line = text.substr(first, end - first);
    exact_kinds(line);
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    const bool definition = word == "define" || word == "declare";
    if (definition || line.starts_with('@')) {
      // Types and words of attributes precede a function's name; names before it are those of types.
      lexer_.restart(first);
      Token token = lexer_.next();
      while (token.kind != Kind::global && token.kind != Kind::end && token.at < end) token = lexer_.next();
      if (token.kind == Kind::global && token.at < end) {
        if (definition)
          functions.push_back(token);
        else if (const Token equals = lexer_.next(); equals.kind == Kind::punctuation && equals.mark == '=')
          (defines_alias() ? aliases : variables).push_back(token);
      }
    }
    at = end + 1;
  }
  lexer_.restart(0);
  for (const auto* list : {&variables, &functions, &aliases})
    for (const Token& token : *list) {
      const auto value = static_cast<std::uint32_t>(m_.values.size());
      const bool added = token.is_number ? global_numbers_.try_emplace(token.number, value).second
                                         : global_names_.try_emplace(name_of(token), value).second;
      if (!added) return fail(ErrorCode::bad_value, token.at, "the name is already defined");
      Value made;
      made.kind = list == &variables ? ValueKind::global : list == &functions ? ValueKind::function : ValueKind::alias;
      made.type = kNone;
      made.index = static_cast<std::uint32_t>(&token - list->data());
      if (!token.is_number) made.name = keep(name_of(token));
      m_.values.push_back(made);
    }
  globals_ = static_cast<std::uint32_t>(m_.values.size());
  defined_.assign(globals_, false);
  m_.globals.resize(variables.size());
  m_.functions.resize(functions.size());
  m_.aliases.resize(aliases.size());
  return true;
}

bool TextParser::parse() {
  constexpr std::size_t kLongest = std::size_t{1} << 29;
  if (lexer_.text().size() > kLongest) return fail(ErrorCode::limit, 0, "the text is too long");
  if (!find_globals()) return false;
  next();
  keep_comments(listing::PlacedComment::By::text, 0);
  if (!check_sections()) return false;
  while (token_.kind != Kind::end)
    if (!top_level() || failed_) return false;
  return finish() && !failed_;
}

bool TextParser::finish() {
  Instruction none;
  if (!exact_flags(none)) return false;
  for (std::uint32_t i = 0; i < globals_; ++i)
    if (!defined_[i]) return fail(ErrorCode::missing, 0, "an undefined global is used");
  for (std::size_t i = 0; i < undefined_structs_.size(); ++i)
    if (undefined_structs_[i] != 0) return fail(ErrorCode::missing, undefined_structs_[i] - 1, "undefined type");
  if (const auto fault = module::find_type_fault(m_)) return fail(fault->code, type_places_[fault->type], fault->message);
  if (!resolve_attributes() || !resolve_metadata()) return false;
  // LLVM writes the first always, and the second if there are branches, whatever a text says of them.
  plain_type(TypeKind::metadata);
  plain_type(TypeKind::label);
  m_.file_types = static_cast<std::uint32_t>(m_.types.size());
  // What functions define comes after the last constant.
  const auto first = static_cast<std::uint32_t>(m_.values.size());
  const auto resolve = [&](std::uint32_t& operand) {
    if ((operand & kMetadataOperand) == 0 && (operand & kLocalMark) != 0) operand = first + (operand & ~kLocalMark);
  };
  for (std::uint32_t& operand : m_.operands) resolve(operand);
  for (Instruction& instruction : m_.instructions)
    if (instruction.value != kNone) resolve(instruction.value);
  for (Metadata& metadata : m_.local_metadata) resolve(metadata.value);
  if (like_ != nullptr) take_fast_flags(m_, flags_stated_, *like_);
  const auto metadata = static_cast<std::uint32_t>(m_.metadata.size());
  for (std::uint32_t& operand : m_.operands)
    if ((operand & kMetadataOperand) != 0 && (operand & kLocalMark) != 0)
      operand = kMetadataOperand | (metadata + (operand & (kLocalMark - 1)));
  return true;
}

bool TextParser::top_level() {
  switch (token_.kind) {
    case Kind::local: return type_definition();
    case Kind::comdat: return comdat_definition();
    case Kind::global: return global_definition();
    case Kind::metadata_name: return named_metadata();
    case Kind::metadata_number: return numbered_metadata();
    case Kind::word: break;
    default: return expected("a definition");
  }
  if (take("target")) return target();
  if (take("module")) return module_assembly();
  // Its attributes in words precede it.
  if (is_word("define") || is_word("declare"))
    keep_comments(listing::PlacedComment::By::function, static_cast<std::uint32_t>(functions_met_++));
  if (take("define")) return function(true);
  if (take("declare")) return function(false);
  if (take("attributes")) return attribute_set();
  return expected("a definition");
}

bool TextParser::target() {
  const std::size_t at = token_.at;
  const bool layout = is_word("datalayout");
  if (!layout && !is_word("triple")) return expected("`datalayout` or `triple`");
  next();
  StringRange range;
  if (!expect('=') || !string(range)) return false;
  if (layout ? m_.has_data_layout : m_.has_triple)
    return fail(ErrorCode::bad_value, at, layout ? "`target datalayout` is given twice" : "`target triple` is given twice");
  (layout ? m_.data_layout : m_.triple) = range;
  (layout ? m_.has_data_layout : m_.has_triple) = true;
  return true;
}

bool TextParser::module_assembly() {
  StringRange range;
  if (!expect("asm") || !string(range)) return false;
  const std::string all = std::string(m_.text(m_.inline_asm)) + std::string(m_.text(range)) + '\n';
  if (all.size() > lexer_.text().size()) return fail(ErrorCode::limit, token_.at, "module assembly exceeds its limit");
  m_.inline_asm = keep(all);
  return true;
}

bool TextParser::comdat_definition() {
  constexpr std::string_view kSelections[] = {"any", "exactmatch", "largest", "noduplicates", "samesize"};
  const Token token = token_;
  next();
  if (!expect('=') || !expect("comdat")) return false;
  for (std::uint32_t i = 0; i < std::size(kSelections); ++i) {
    if (!take(kSelections[i])) continue;
    const std::string_view name = name_of(token);
    if (!comdat_names_.try_emplace(name, static_cast<std::uint32_t>(m_.comdats.size())).second)
      return fail(ErrorCode::bad_value, token.at, "the name is already defined");
    m_.comdats.push_back({i + 1, keep(name)});
    return true;
  }
  return expected("a kind of selection");
}

// --- globals -----------------------------------------------------------------------------------------------------------------------------

bool TextParser::linkage(Linkage& linkage, bool& external) {
  linkage = Linkage::external;
  if (take("external")) return external = true;
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(Linkage::available_externally); ++i) {
    if (text(static_cast<Linkage>(i)).empty() || !take(text(static_cast<Linkage>(i)))) continue;
    linkage = static_cast<Linkage>(i);
    break;
  }
  return true;
}

template <class T>
bool TextParser::visibility(T& of) {
  if (take("hidden"))
    of.visibility = Visibility::hidden;
  else if (take("protected"))
    of.visibility = Visibility::protected_;
  else
    take("default");
  if (take("dllimport"))
    of.dll_storage = DllStorage::import;
  else if (take("dllexport"))
    of.dll_storage = DllStorage::export_;
  return true;
}

bool TextParser::thread_local_mode(ThreadLocal& mode) {
  if (!take("thread_local")) return true;
  mode = ThreadLocal::general_dynamic;
  if (!take('(')) return true;
  if (take("localdynamic"))
    mode = ThreadLocal::local_dynamic;
  else if (take("initialexec"))
    mode = ThreadLocal::initial_exec;
  else if (take("localexec"))
    mode = ThreadLocal::local_exec;
  else
    return expected("a model of thread local storage");
  return expect(')');
}

bool TextParser::section(std::uint32_t& section) {
  const std::string_view name = name_of(token_);
  StringRange range;
  if (!string(range)) return false;
  const auto [found, added] = section_names_.try_emplace(name, static_cast<std::uint32_t>(m_.sections.size()));
  if (added) m_.sections.push_back(range);
  section = found->second;
  return true;
}

bool TextParser::comdat_of(std::uint32_t value, std::uint32_t& comdat) {
  std::string_view name = m_.text(m_.values[value].name);
  const std::size_t at = token_.at;
  if (take('(')) {
    if (token_.kind != Kind::comdat) return expected("a comdat");
    name = name_of(token_);
    next();
    if (!expect(')')) return false;
  }
  const auto found = comdat_names_.find(name);
  if (found == comdat_names_.end()) return fail(ErrorCode::missing, at, "undefined comdat");
  comdat = found->second;
  return true;
}

bool TextParser::alignment(std::uint32_t& alignment) {
  const std::size_t at = token_.at;
  if (!number32(alignment, "an alignment")) return false;
  constexpr std::uint32_t kLargest = 1U << 29;  // src: LLVM 3.7, Value.h
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > kLargest)
    return fail(ErrorCode::bad_value, at, "an alignment must be a power of two up to 536870912");
  return true;
}

bool TextParser::once(std::vector<std::string_view>& words) {
  if (token_.kind != Kind::word) return true;
  for (const std::string_view word : words)
    if (word == token_.text) return fail(ErrorCode::bad_value, token_.at, '`' + std::string(word) + "` is given twice");
  words.push_back(token_.text);
  return true;
}

/// Whether find_globals() has met the name that is defined here.
bool TextParser::met(const Token& name) {
  const bool known = name.is_number ? global_numbers_.contains(name.number) : global_names_.contains(name_of(name));
  return known || fail(ErrorCode::bad_value, name.at, "a definition must begin a line, and its name must be in the same line");
}

bool TextParser::global_definition() {
  const Token token = token_;
  if (!met(token)) return false;
  std::uint32_t value = 0;
  if (!global_reference(kNone, value)) return false;
  if (token.is_number && !number_is_next(token, next_global_number_)) return false;
  const ValueKind kind = m_.values[value].kind;
  if (kind == ValueKind::function || defined_[value]) return fail(ErrorCode::bad_value, token.at, "the name is already defined");
  defined_[value] = true;
  Linkage linkage{};
  bool external = false;
  if (!expect('=') || !this->linkage(linkage, external)) return false;
  return kind == ValueKind::alias ? alias(value, linkage, {})
                                  : global_variable(value, linkage, external, m_.globals[m_.values[value].index]);
}

bool TextParser::global_variable(std::uint32_t value, Linkage linkage, bool external, Global& global) {
  global.value = value;
  global.linkage = linkage;
  if (!visibility(global) || !thread_local_mode(global.thread_local_mode)) return false;
  if (take("unnamed_addr")) global.unnamed_addr = true;
  if (take("addrspace") && (!expect('(') || !number32(global.address_space, "an address space") || !expect(')'))) return false;
  if (take("externally_initialized")) global.externally_initialized = true;
  if (take("constant"))
    global.constant = true;
  else if (!expect("global"))
    return false;
  const std::size_t at = token_.at;
  if (!value_type(global.type)) return false;
  const std::uint32_t pointer = pointer_to(global.type, global.address_space);
  if (m_.values[value].type == kNone) m_.values[value].type = pointer;
  if (m_.values[value].type != pointer) return type_error(at, "the global is used with a different type");
  const bool declaration = external || linkage == Linkage::extern_weak;
  if (!declaration && !constant(global.type, global.initializer)) return false;
  std::vector<std::string_view> clauses;
  while (take(',')) {
    if (!once(clauses)) return false;
    if (take("section")) {
      if (!section(global.section)) return false;
    } else if (take("comdat")) {
      if (!comdat_of(value, global.comdat)) return false;
    } else if (!expect("align") || !alignment(global.alignment)) {
      return false;
    }
  }
  return true;
}

bool TextParser::alias(std::uint32_t value, Linkage linkage, Alias alias) {
  alias.value = value;
  alias.linkage = linkage;
  if (!visibility(alias) || !thread_local_mode(alias.thread_local_mode)) return false;
  if (take("unnamed_addr")) alias.unnamed_addr = true;
  if (!expect("alias")) return false;
  const std::size_t at = token_.at;
  std::uint32_t type = 0;
  if (opcode_of(token_.text) != Opcode::invalid) {  // an expression has no type before it
    if (!constant(kNone, alias.aliasee)) return false;
    type = m_.values[alias.aliasee].type;
  } else if (!typed_constant(type, alias.aliasee)) {
    return false;
  }
  if (m_.values[value].type == kNone) m_.values[value].type = type;
  if (m_.values[value].type != type) return type_error(at, "the alias is used with a different type");
  m_.aliases[m_.values[value].index] = alias;
  return true;
}

// --- functions ---------------------------------------------------------------------------------------------------------------------------

bool TextParser::calling_convention(std::uint32_t& convention) {
  constexpr std::uint32_t kNamed = 96;
  if (token_.kind != Kind::word) return true;
  if (take("ccc")) return true;
  for (std::uint32_t i = 1; i < kNamed; ++i) {
    if (calling_convention_text(i).empty() || !take(calling_convention_text(i))) continue;
    convention = i;
    return true;
  }
  if (is_word("cc")) {
    next();
    const std::size_t at = token_.at;
    return number32(convention, "a calling convention") && fits_in(convention, module::kLargestConvention, at, "a calling convention");
  }
  if (token_.text.starts_with("cc") && token_.text.size() > 2 && token_.text.size() < 8) {
    std::uint32_t value = 0;
    for (const char c : token_.text.substr(2)) {
      if (c < '0' || c > '9') return true;
      value = value * 10 + static_cast<std::uint32_t>(c - '0');
    }
    const std::size_t at = token_.at;
    next();
    convention = value;
    return fits_in(convention, module::kLargestConvention, at, "a calling convention");
  }
  return true;
}

bool TextParser::function_parameters(std::vector<std::uint32_t>& parts, bool& variadic, bool has_body) {
  return expect('(') && parameters(parts, variadic, [&](std::uint32_t type) {
           std::vector<Attribute> attributes;
           if (!attributes_here(attributes)) return false;
           add_slot(attribute_lists_.back(), static_cast<std::uint32_t>(parts.size()), std::move(attributes));
           Token name;
           const bool has_name = token_.kind == Kind::local;
           if (has_name) {
             name = token_;
             next();
           }
           if (!has_body) return true;
           Value parameter;
           parameter.kind = ValueKind::parameter;
           parameter.type = type;
           parameter.index = body_.parameters;
           m_.local_values.push_back(parameter);
           return define(name, has_name, type, false, body_.parameters++);
         });
}

bool TextParser::function_tail(Function& function) {
  if (take("unnamed_addr")) function.unnamed_addr = true;
  if (!function_attributes(attribute_lists_.back())) return false;
  std::vector<std::string_view> clauses;
  for (;;) {
    if (!once(clauses)) return false;
    if (take("section")) {
      if (!section(function.section)) return false;
    } else if (take("comdat")) {
      if (!comdat_of(function.value, function.comdat)) return false;
    } else if (take("align")) {
      if (!alignment(function.alignment)) return false;
    } else if (take("gc")) {
      const std::string_view name = name_of(token_);
      StringRange range;
      if (!string(range)) return false;
      const auto [found, added] = gc_names_.try_emplace(name, static_cast<std::uint32_t>(m_.gc_names.size()));
      if (added) m_.gc_names.push_back(range);
      function.gc = found->second;
    } else if (is_word("prefix") || is_word("prologue") || is_word("personality")) {
      std::uint32_t& id = is_word("prefix") ? function.prefix : is_word("prologue") ? function.prologue : function.personality;
      next();
      std::uint32_t type = 0;
      if (!typed_constant(type, id)) return false;
    } else {
      return true;
    }
  }
}

bool TextParser::function(bool has_body) {
  Function made;
  bool external = false;
  if (!linkage(made.linkage, external) || !visibility(made) || !calling_convention(made.calling_convention)) return false;
  attribute_lists_.emplace_back();
  std::vector<Attribute> attributes;
  std::vector<std::uint32_t> parts(1);
  if (!attributes_here(attributes) || !type(parts[0])) return false;
  add_slot(attribute_lists_.back(), AttributeGroup::kReturn, std::move(attributes));
  if (token_.kind != Kind::global) return expected("a function's name");
  const Token name = token_;
  if (!met(name) || !global_reference(kNone, made.value)) return false;
  if (m_.values[made.value].kind != ValueKind::function || defined_[made.value])
    return fail(ErrorCode::bad_value, name.at, "the name is already defined");
  if (name.is_number && !number_is_next(name, next_global_number_)) return false;
  defined_[made.value] = true;
  body_ = {};
  locals_.clear();
  local_names_.clear();
  local_numbers_.clear();
  local_metadata_.clear();
  next_local_number_ = 0;
  body_.function = m_.values[made.value].index;
  body_.values.first = static_cast<std::uint32_t>(m_.local_values.size());
  bool variadic = false;
  if (!function_parameters(parts, variadic, has_body)) return false;
  made.type = function_type(parts, variadic);
  return_type_ = parts[0];
  const std::uint32_t pointer = pointer_to(made.type);
  Value& value = m_.values[made.value];
  if (value.type == kNone) value.type = pointer;
  if (value.type != pointer) return type_error(name.at, "the function is used with a different type");
  if (!function_tail(made)) return false;
  AttributeList list = std::move(attribute_lists_.back());
  attribute_lists_.pop_back();
  made.attributes = keep_attributes(std::move(list));
  if (has_body) {
    made.body = static_cast<std::uint32_t>(m_.bodies.size());
    m_.functions[body_.function] = made;
    return body();
  }
  m_.functions[body_.function] = made;
  return true;
}

bool parse_commented_text(std::string_view text, Module& module, Message& message, const Module* like,
                          std::vector<listing::PlacedComment>* comments) {
  if (TextParser(text, module, like, comments).parse()) return true;
  // Of a listing that was edited numbers may be missing.
  module = {};
  if (comments != nullptr) comments->clear();
  TextParser parser(text, module, like, comments, Numbers::free);
  const bool ok = parser.parse();
  if (ok) parser.note_gap();
  message = parser.message();
  return ok;
}

}  // namespace unshade::dxil::assembler

namespace unshade::dxil {

bool parse_module_text(std::string_view text, Module& module, Message& message, const Module* like) {
  return assembler::parse_commented_text(text, module, message, like, nullptr);
}

}  // namespace unshade::dxil
