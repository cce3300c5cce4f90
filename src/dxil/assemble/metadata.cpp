// Metadata of the assembly language.
#include <algorithm>

#include "dxil/assemble/parser.hpp"
#include "dxil/listing/module.hpp"
#include "dxil/listing/numbering.hpp"
#include "dxil/module/debug_words.hpp"

namespace unshade::dxil::assembler {

namespace {

/// How many operands a record has. src: DXC BitcodeWriter.cpp; DXIL_NODE's least, but for compile units
std::size_t record_size(MetadataKind kind) {
  constexpr std::uint8_t kLeast[] = {
#define DXIL_NODE(code, id, text, least, most) least,
#include <unshade/dxil/debug_nodes.def>
  };
  return kLeast[static_cast<std::size_t>(kind) - static_cast<std::size_t>(MetadataKind::node) - 1];
}

const module::DebugWord* find_word(std::span<const module::DebugWord> words, std::string_view text) {
  for (const module::DebugWord& word : words)
    if (word.text == text) return &word;
  return nullptr;
}

std::span<const module::DebugWord> words_of(FieldForm form) {
  switch (form) {
    case FieldForm::tag: return module::kDwarfTags;
    case FieldForm::language: return module::kDwarfLanguages;
    case FieldForm::encoding: return module::kDwarfEncodings;
    case FieldForm::virtuality: return module::kDwarfVirtualities;
    default: return {};
  }
}

/// What a tag is that is not given.
std::uint64_t usual_tag(MetadataKind kind) {
  const std::string_view text = kind == MetadataKind::basic_type       ? "DW_TAG_base_type"
                                : kind == MetadataKind::template_value ? "DW_TAG_template_value_parameter"
                                                                       : "";
  const module::DebugWord* const word = find_word(module::kDwarfTags, text);
  return word == nullptr ? 0 : word->value;
}

}  // namespace

std::uint32_t TextParser::add_metadata(const Metadata& metadata) {
  m_.metadata.push_back(metadata);
  metadata_places_.push_back(0);
  return static_cast<std::uint32_t>(m_.metadata.size() - 1);
}

std::uint32_t TextParser::numbered(std::uint32_t number) {
  const auto [found, added] = metadata_numbers_.try_emplace(number, static_cast<std::uint32_t>(m_.metadata.size()));
  if (added) {
    Metadata node;
    node.kind = MetadataKind::node;
    add_metadata(node);
    metadata_places_.back() = token_.at + 1;
  }
  return found->second;
}

std::uint32_t TextParser::metadata_string(std::string_view text) {
  bool added = false;
  const std::uint32_t number = strings_.number(std::string(text), added);
  if (added) {
    Metadata string;
    string.operands = keep(text);
    interned_strings_.push_back(add_metadata(string));
  }
  return interned_strings_[number];
}

std::uint32_t TextParser::metadata_value(std::uint32_t type, std::uint32_t value) {
  Key key;
  key << value;
  bool added = false;
  const std::uint32_t number = metadata_values_.number(key.str(), added);
  if (added) {
    Metadata made;
    made.kind = MetadataKind::value;
    made.type = type;
    made.value = value;
    interned_values_.push_back(add_metadata(made));
  }
  return interned_values_[number];
}

std::uint32_t TextParser::metadata_kind(std::string_view name) {
  const auto [found, added] = metadata_kind_names_.try_emplace(name, static_cast<std::uint32_t>(m_.metadata_kinds.size()));
  if (added) m_.metadata_kinds.push_back({found->second, keep(name)});
  return found->second;
}

/// kNone for `null`.
bool TextParser::metadata_operand(std::uint32_t& id) {
  if (take("null")) {
    id = kNone;
    return true;
  }
  if (token_.kind == Kind::metadata_number) {
    id = numbered(token_.number);
    next();
    return true;
  }
  if (is('!') || token_.kind == Kind::metadata_name || is_word("distinct")) {
    if (is('!')) {
      const Lexer here = lexer_;
      const Token token = token_;
      next();
      if (token_.kind == Kind::string) {
        id = metadata_string(name_of(token_));
        next();
        return true;
      }
      lexer_ = here;
      token_ = token;
    }
    if (!enter()) return false;
    Metadata node;
    if (!node_body(node)) return false;
    id = add_metadata(node);
    leave();
    return true;
  }
  std::uint32_t type = 0;
  std::uint32_t value = 0;
  if (!typed_constant(type, value)) return false;
  id = metadata_value(type, value);
  return true;
}

/// After the type `metadata` of an argument.
bool TextParser::metadata_argument(std::uint32_t& operand) {
  if (token_.kind == Kind::word || token_.kind == Kind::local || is('{') || is('[') || is('<')) {
    // A value, perhaps one of the function's own.
    std::uint32_t type = 0;
    std::uint32_t value = 0;
    if (!is_word("distinct") && !is_word("null")) {
      if (!typed_value(type, value)) return false;
      if ((value & kLocalMark) == 0) {
        operand = kMetadataOperand | metadata_value(type, value);
        return true;
      }
      const auto index = static_cast<std::uint32_t>(m_.local_metadata.size()) - body_.metadata.first;
      const auto [found, added] = local_metadata_.try_emplace(value, index);
      if (added) {
        Metadata made;
        made.kind = MetadataKind::value;
        made.type = type;
        made.value = value;
        m_.local_metadata.push_back(made);
      }
      operand = kMetadataOperand | kLocalMark | found->second;
      return true;
    }
  }
  std::uint32_t id = 0;
  const std::size_t at = token_.at;
  if (!metadata_operand(id)) return false;
  if (id == kNone) return fail(ErrorCode::bad_value, at, "an argument cannot be null metadata");
  operand = kMetadataOperand | id;
  return true;
}

// --- nodes -------------------------------------------------------------------------------------------------------------------------------

bool TextParser::named_metadata() {
  NamedMetadata made;
  const std::string_view name = name_of(token_);
  if (!named_metadata_.insert(name).second)
    return fail(ErrorCode::bad_value, token_.at, "!" + std::string(name) + " is already defined: all its nodes must be in one list");
  made.name = keep(name);
  next();
  if (!expect('=') || !expect('!') || !expect('{')) return false;
  std::vector<std::uint64_t> nodes;
  while (!is('}')) {
    if (!nodes.empty() && !expect(',')) return false;
    if (token_.kind != Kind::metadata_number) return expected("a node as `!5`");
    nodes.push_back(numbered(token_.number));
    next();
  }
  next();
  made.nodes = {static_cast<std::uint32_t>(m_.metadata_operands.size()), static_cast<std::uint32_t>(nodes.size())};
  m_.metadata_operands.insert(m_.metadata_operands.end(), nodes.begin(), nodes.end());
  m_.named_metadata.push_back(made);
  return true;
}

bool TextParser::numbered_metadata() {
  const Token token = token_;
  const std::uint32_t id = numbered(token.number);
  if (metadata_places_[id] == 0) return fail(ErrorCode::bad_value, token.at, "the node is defined twice");
  next();
  if (!expect('=')) return false;
  Metadata node;
  if (!node_body(node)) return false;
  metadata_places_[id] = 0;
  m_.metadata[id] = node;
  return true;
}

/// `distinct !{...}`, `!DILocation(...)`.
bool TextParser::node_body(Metadata& node) {
  node.distinct = take("distinct");
  if (token_.kind == Kind::metadata_name) {
    const auto found = node_kinds_.find(token_.text);
    if (found == node_kinds_.end()) return expected("a kind of node");
    next();
    return fields(node, found->second);
  }
  return expect('!') && tuple(node);
}

bool TextParser::tuple(Metadata& node) {
  node.kind = MetadataKind::node;
  if (!expect('{')) return false;
  std::vector<std::uint64_t> operands;
  while (!is('}')) {
    if (!operands.empty() && !expect(',')) return false;
    std::uint32_t id = 0;
    if (!metadata_operand(id)) return false;
    operands.push_back(id == kNone ? 0 : std::uint64_t{id} + 1);
  }
  next();
  node.operands = {static_cast<std::uint32_t>(m_.metadata_operands.size()), static_cast<std::uint32_t>(operands.size())};
  m_.metadata_operands.insert(m_.metadata_operands.end(), operands.begin(), operands.end());
  return true;
}

bool TextParser::expression_words(std::vector<std::uint64_t>& words) {
  while (!is(')')) {
    if (words.size() > 1 && !expect(',')) return false;
    std::uint64_t word = 0;
    if (token_.kind == Kind::word) {
      bool found = false;
      for (const module::ExpressionOperation& operation : module::kExpressionOperations) {
        if (operation.text != token_.text) continue;
        word = operation.code;
        found = true;
      }
      if (!found) return expected("an operation");
      next();
    } else if (!number(word, "an operation or a number")) {
      return false;
    }
    words.push_back(word);
  }
  return expect(')');
}

bool TextParser::field(const NodeField& field, std::uint64_t& word) {
  const Token token = token_;
  switch (field.form) {
    case FieldForm::node:
    case FieldForm::id: {
      std::uint32_t id = 0;
      if (!metadata_operand(id)) return false;
      if (field.form == FieldForm::id && id == kNone) return fail(ErrorCode::bad_value, token.at, "the field cannot be null");
      word = id == kNone ? 0 : std::uint64_t{id} + (field.form == FieldForm::node ? 1 : 0);
      return true;
    }
    case FieldForm::string:
      if (token.kind != Kind::string) return expected("a string");
      word = token.text.empty() ? 0 : std::uint64_t{metadata_string(name_of(token))} + 1;
      next();
      return true;
    case FieldForm::boolean:
      if (!is_word("true") && !is_word("false")) return expected("`true` or `false`");
      word = is_word("true") ? 1 : 0;
      next();
      return true;
    case FieldForm::i:
    case FieldForm::s: {
      constexpr std::uint64_t kLargest = ~std::uint64_t{0} >> 1;
      const bool negative = token.kind == Kind::integer && token.text[0] == '-';
      if (negative) token_.text.remove_prefix(1);
      if (!number(word, "a number")) return false;
      if (word > kLargest + (negative ? 1U : 0U))
        return fail(ErrorCode::bad_value, token.at, "the number does not fit 64 bits with a sign");
      if (negative) word = 0 - word;
      if (field.form == FieldForm::s) word = (word >> 63) != 0 ? ~(word << 1) : word << 1;
      return true;
    }
    case FieldForm::flags:
      word = 0;
      do {
        std::uint64_t flag = 0;
        if (const module::DebugWord* const found = token_.kind == Kind::word ? find_word(module::kDebugFlags, token_.text) : nullptr) {
          flag = found->value;
          next();
        } else if (!number(flag, "a flag")) {
          return false;
        }
        word |= flag;
      } while (take('|'));
      return true;
    case FieldForm::tag:
    case FieldForm::language:
    case FieldForm::encoding:
    case FieldForm::virtuality:
      if (token.kind == Kind::word) {
        const module::DebugWord* const found = find_word(words_of(field.form), token.text);
        if (found == nullptr) return expected("a DWARF constant");
        word = found->value;
        next();
        return true;
      }
      return number(word, "a DWARF constant");
    case FieldForm::u: return number(word, "a number");
    case FieldForm::line: return number(word, "a line") && fits_in(word, 0xffff'ffff, token.at, "a line");
    case FieldForm::column: return number(word, "a column") && fits_in(word, 0xffff, token.at, "a column");
    case FieldForm::rest: break;
  }
  return expected("a field");
}

bool TextParser::fields(Metadata& node, MetadataKind kind) {
  node.kind = kind;
  std::vector<std::uint64_t> record(record_size(kind));
  record[0] = node.distinct ? 1 : 0;
  if (!expect('(')) return false;
  if (kind == MetadataKind::expression) {
    if (!expression_words(record)) return false;
  } else {
    const auto all = node_fields(kind);
    std::uint64_t seen = 0;
    bool has_tag = false;
    while (!is(')')) {
      if (seen != 0 && !expect(',')) return false;
      const Token name = token_;
      std::size_t i = 0;
      while (i < all.size() && (name.kind != Kind::label || all[i].text != name.text)) ++i;
      if (i == all.size()) return expected("a field of the node");
      if ((seen >> i & 1) != 0) return fail(ErrorCode::bad_value, name.at, "the field is given twice");
      seen |= std::uint64_t{1} << i;
      next();
      has_tag = has_tag || all[i].form == FieldForm::tag;
      if (all[i].form == FieldForm::rest) {
        Metadata rest;
        if (!tuple(rest)) return false;
        const auto operands = m_.metadata_operands_of(rest.operands);
        record.resize(all[i].operand);
        record.insert(record.end(), operands.begin(), operands.end());
        continue;
      }
      if (record.size() <= all[i].operand) record.resize(all[i].operand + std::size_t{1});
      std::uint64_t word = 0;
      if (!field(all[i], word)) return false;
      record[all[i].operand] = word;
    }
    next();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].form == FieldForm::id && (seen >> i & 1) == 0) return expected('`' + std::string(all[i].text) + ":`");
    if (!has_tag && usual_tag(kind) != 0) record[1] = usual_tag(kind);
    if (kind == MetadataKind::compile_unit) record.resize(15);
  }
  node.operands = {static_cast<std::uint32_t>(m_.metadata_operands.size()), static_cast<std::uint32_t>(record.size())};
  m_.metadata_operands.insert(m_.metadata_operands.end(), record.begin(), record.end());
  return true;
}

// --- at the end --------------------------------------------------------------------------------------------------------------------------

/// Kinds of attachments in the order in which the compiler came by them, which decides their numbers: LLVM's own, then those that an exact
/// listing states or the module has that the text is about, or else those that dxc has most often, and last what else the text uses.
void TextParser::number_kinds() {
  if (!kinds_stated_ && like_ != nullptr) {
    kinds_stated_ = true;
    no_kinds_ = like_->metadata_kinds.empty();
    for (std::size_t i = std::size(listing::kFixedMetadataKinds); i < like_->metadata_kinds.size(); ++i)
      stated_kinds_.push_back(like_->text(like_->metadata_kinds[i].name));
  }
  if (no_kinds_ && m_.metadata_kinds.empty()) return;
  struct Usual {
    std::string_view name;
    bool always;
  };
  // observed: dxc 1.7 to 1.9. dx.break.br is there if the source has loops, among others.
  constexpr Usual kUsual[] = {{"dx.temp", true},          {"llvm.loop", false},     {"dx.precise", false}, {"dx.controlflow.hints", false},
                              {"dx.dbg.varlayout", true}, {"dx.nonuniform", false}, {"dx.break.br", false}};
  std::vector<MetadataKindName> kinds;
  std::vector<std::uint32_t> places(m_.metadata_kinds.size(), kNone);
  const auto add = [&](std::uint32_t kind) {
    if (places.size() <= kind) places.resize(kind + std::size_t{1}, kNone);
    if (places[kind] != kNone) return;
    places[kind] = static_cast<std::uint32_t>(kinds.size());
    kinds.push_back({places[kind], m_.metadata_kinds[kind].name});
  };
  const auto uses = [&](std::string_view name) { return metadata_kind_names_.contains(name); };
  const bool loops = has_loop_ || uses("llvm.loop") || uses("dx.controlflow.hints");
  for (const std::string_view name : listing::kFixedMetadataKinds) add(metadata_kind(name));
  for (const Usual& kind : kUsual)
    if (!kinds_stated_ && (kind.always || uses(kind.name) || (loops && kind.name == "dx.break.br"))) add(metadata_kind(kind.name));
  for (const std::string_view name : stated_kinds_) add(metadata_kind(name));
  for (std::uint32_t i = 0; i < m_.metadata_kinds.size(); ++i) add(i);
  m_.metadata_kinds = std::move(kinds);
  for (Attachment& attachment : m_.attachments) attachment.kind = places[attachment.kind];
  const auto earlier = [](const Attachment& a, const Attachment& b) { return a.kind < b.kind; };
  for (const Body& body : m_.bodies) {
    const auto end = m_.attachments.begin() + body.attachments.end();
    for (auto first = m_.attachments.begin() + body.attachments.first; first != end;) {
      auto last = first;
      while (last != end && last->instruction == first->instruction) ++last;
      std::stable_sort(first, last, earlier);
      first = last;
    }
  }
}

/// `; exact: kinds dx.temp dx.precise`, `; exact: kinds -` if not even LLVM's own are there. Other lines are no business of this.
void TextParser::exact_kinds(std::string_view line) {
  if (!line.starts_with(listing::kExactComment) || !line.substr(listing::kExactComment.size()).starts_with(listing::kExactKinds)) return;
  if (kinds_stated_) {
    fail(ErrorCode::bad_value, static_cast<std::size_t>(line.data() - lexer_.text().data()), "`; exact: kinds` is given twice");
    return;
  }
  line.remove_prefix(listing::kExactComment.size() + listing::kExactKinds.size());
  kinds_stated_ = true;
  constexpr std::string_view kBlanks = " \t\r";
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    Token name;
    name.kind = Token::Kind::metadata_name;
    name.text = line.substr(at, end - at);
    if (name.text == "-")
      no_kinds_ = true;
    else
      stated_kinds_.push_back(name_of(name));
    at = line.find_first_not_of(kBlanks, end);
  }
}

bool TextParser::resolve_metadata() {
  number_kinds();
  for (std::size_t i = 0; i < metadata_places_.size(); ++i)
    if (metadata_places_[i] != 0) return fail(ErrorCode::missing, metadata_places_[i] - 1, "undefined node");
  for (std::size_t i = 0; i < m_.locations.size(); ++i) {
    const Metadata& node = m_.metadata[location_nodes_[i]];
    if (node.kind != MetadataKind::location) return fail(ErrorCode::bad_value, location_places_[i], "`!dbg` must refer to a location");
    const auto record = m_.metadata_operands_of(node.operands);
    Location& location = m_.locations[i];
    location.line = static_cast<std::uint32_t>(record[1]);
    location.column = static_cast<std::uint32_t>(record[2]);
    location.scope = static_cast<std::uint32_t>(record[3]);
    location.inlined_at = record[4] == 0 ? kNone : static_cast<std::uint32_t>(record[4] - 1);
  }
  return true;
}

}  // namespace unshade::dxil::assembler
