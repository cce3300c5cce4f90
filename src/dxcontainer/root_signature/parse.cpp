#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/input_text.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>

#include "dxcontainer/root_signature/scanner.hpp"
#include "dxcontainer/root_signature/text_layout.hpp"
#include "dxcontainer/root_signature/validate.hpp"

namespace unshade::dxcontainer::root_signature {

namespace {

using Kind = RootSignatureMessageKind;

constexpr std::size_t kQuoted = 40;         // characters of the source in a message
constexpr std::size_t kMostMessages = 100;  // warnings beyond are left out

Message message_of(Kind kind, std::uint32_t line, std::uint32_t column, std::string text) {
  const Rule& of = rule(kind);
  return {of.severity, of.id, line, column, std::move(text)};
}

std::string found(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end";
  std::string quoted = "`";
  for (const char c : token.text.substr(0, kQuoted)) quoted += c >= 0x20 && c < 0x7f ? c : '?';
  return quoted + '`';
}

/// Every function that returns bool: false once an error has been told; then nothing more is read.
class Parser {
 public:
  /// `strings`: the text, if `source` is HLSL and not the text itself.
  Parser(std::string_view source, const SourceText* strings, ParsedRootSignature& result, RootSignatureVersion version, bool version_given)
      : source_(source),
        strings_(strings),
        scanner_(strings != nullptr ? std::string_view(strings->text) : source, strings == nullptr),
        result_(&result),
        version_(version),
        version_given_(version_given) {}

  bool parse();
  /// Checks the root signature against the rules.
  void check();

  RootSignatureVersion version() const { return version_; }
  bool version_given() const { return version_given_; }
  /// From the first thing on that only a later version has, if no version was asked for.
  void raise_version(RootSignatureVersion version) {
    if (version_ < version) version_ = version;
  }

  const Token& peek() const { return scanner_.peek(); }
  Token take() { return scanner_.take(); }
  bool at_sign(char sign) const { return peek().kind == Token::Kind::sign && peek().text[0] == sign; }

  bool error(Kind kind, std::size_t offset, std::string text) {
    add(kind, offset, std::move(text));
    return false;
  }
  bool expected(Kind kind, std::string_view what) {
    return error(kind, peek().offset, "expected " + std::string(what) + ", found " + found(peek()));
  }
  void add(Kind kind, std::size_t offset, std::string text);
  bool sign(char c) {
    if (!at_sign(c)) return expected(Kind::syntax, std::string("`") + c + '`');
    take();
    return true;
  }
  bool u32(std::uint32_t& value);
  bool real(float& value);

 private:
  bool root_flags();
  template <class Record>
  bool described(std::size_t at, std::string_view word, char letter, Record& record);
  bool parameter(const DescriptorWord& word);
  bool table();
  bool static_sampler();
  bool range(const DescriptorWord& word, RootParameter& table);
  template <class F>
  bool list(F&& item, bool may_be_empty = false);

  /// The offset in the source.
  std::size_t place(std::size_t offset) const {
    if (strings_ == nullptr) return offset;
    return offset >= strings_->text.size() ? strings_->end : source_place(strings_->segments, offset);
  }

  /// Where the elements of a root signature are.
  struct ParameterPlace {
    std::size_t at = 0;
    std::vector<std::size_t> ranges;
  };

  std::string_view source_;
  const SourceText* strings_;
  Scanner scanner_;
  ParsedRootSignature* result_;
  RootSignatureVersion version_;
  bool version_given_;
  LineCounter lines_{source_};
  std::size_t element_at_ = 0;
  std::size_t flags_at_ = 0;
  std::vector<ParameterPlace> parameter_places_;
  std::vector<std::size_t> sampler_places_;
};

void Parser::add(Kind kind, std::size_t offset, std::string text) {
  if (result_->messages.size() >= kMostMessages && rule(kind).severity != Severity::error) return;
  const auto [line, column] = lines_.at(place(offset));
  result_->messages.push_back(message_of(kind, line, column, std::move(text)));
}

/// Decimal or 0x…: all of the text.
std::optional<std::uint32_t> read_u32(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    text.remove_prefix(2);
    base = 16;
  }
  return as_number<std::uint32_t>(text, base);
}

bool Parser::u32(std::uint32_t& value) {
  const auto read = peek().kind == Token::Kind::number ? read_u32(peek().text) : std::nullopt;
  if (!read) return expected(Kind::invalid_number, "a whole number from 0 to 4294967295");
  value = *read;
  take();
  return true;
}

bool Parser::real(float& value) {
  constexpr std::string_view kWhat = "a number in the range of float";
  if (peek().kind == Token::Kind::word && same_letters(peek().text, "asfloat")) {
    take();
    std::uint32_t bits = 0;
    if (!sign('(') || !u32(bits)) return false;
    value = std::bit_cast<float>(bits);
    return sign(')');
  }
  std::string_view text = peek().text;
  if (peek().kind != Token::Kind::number) return expected(Kind::invalid_number, kWhat);
  if (text[0] == '+') text.remove_prefix(1);
  if (text.size() > 1 && (text.back() == 'f' || text.back() == 'F')) text.remove_suffix(1);
  const auto wide = as_number<double>(text);
  constexpr double kMost = std::numeric_limits<float>::max();
  if (!wide || *wide > kMost || *wide < -kMost) return expected(Kind::invalid_number, kWhat);
  value = static_cast<float>(*wide);
  take();
  return true;
}

/// Gives every setting its default.
class Defaults {
 public:
  void reg(char, std::uint32_t& value) { value = 0; }
  void required_number(std::string_view, std::uint32_t& value) { value = 0; }
  void number(std::string_view, std::uint32_t& value, std::uint32_t otherwise, std::string_view = {}, std::uint32_t = 0) {
    value = otherwise;
  }
  void real(std::string_view, float& value, float otherwise) { value = otherwise; }
  template <class E>
  void word(std::string_view, E& value, E otherwise) {
    value = otherwise;
  }
  void filter(std::string_view, Filter& value, Filter otherwise) { value = otherwise; }
  void flags(std::string_view, std::uint32_t& value, const NameTable&, std::uint32_t, RootSignatureVersion) { value = 0; }
};

/// Which setting the next word names, and its value. Used for one setting: described once through.
class Setting {
 public:
  Setting(Parser& parser, std::uint32_t& seen) : parser_(&parser), seen_(&seen), token_(parser.peek()) {
    is_register_ = token_.kind == Token::Kind::word && token_.text.size() > 1 &&
                   std::string_view("btus").find(token_.text[0]) != std::string_view::npos &&
                   token_.text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }

  bool found() const { return found_; }
  bool ok() const { return ok_; }

  void reg(char letter, std::uint32_t& value) {
    if (!next(is_register_, "a register")) return;
    if (token_.text[0] != letter) return fault(Kind::invalid_register, std::string("a register ") + letter + "#");
    const auto read = read_u32(token_.text.substr(1));
    if (!read) return fault(Kind::invalid_number, "a register's number");
    value = *read;
    parser_->take();
  }
  void required_number(std::string_view name, std::uint32_t& value) {
    if (starts(name)) ok_ = parser_->u32(value);
  }
  void number(std::string_view name, std::uint32_t& value, std::uint32_t, std::string_view word = {}, std::uint32_t worded = 0) {
    if (!starts(name)) return;
    if (word.empty() || parser_->peek().kind != Token::Kind::word) {
      ok_ = parser_->u32(value);
    } else if (same_letters(parser_->peek().text, word)) {
      parser_->take();
      value = worded;
    } else {
      ok_ = parser_->expected(Kind::unknown_word, "a number or " + std::string(word));
    }
  }
  void real(std::string_view name, float& value, float) {
    if (starts(name)) ok_ = parser_->real(value);
  }
  template <class E>
  void word(std::string_view name, E& value, E) {
    if (!starts(name)) return;
    std::uint32_t number = 0;
    ok_ = one_of(hlsl_prefix(value), *field_type(value).names, ~0U, number);
    if (ok_) value = static_cast<E>(number);
  }
  void filter(std::string_view name, Filter& value, Filter) {
    if (!starts(name)) return;
    if (parser_->peek().kind == Token::Kind::number) {
      std::uint32_t number = 0;
      ok_ = parser_->u32(number);
      value = Filter{number};
      return;
    }
    for (std::size_t i = 0; i < kNamedFilters; ++i) {
      if (!same_letters(parser_->peek().text, filter_name(named_filter(i)))) continue;
      value = named_filter(i);
      parser_->take();
      return;
    }
    ok_ = parser_->expected(Kind::unknown_word, "the name of a filter such as FILTER_MIN_MAG_MIP_LINEAR");
  }
  void flags(std::string_view name, std::uint32_t& value, const NameTable& names, std::uint32_t allowed, RootSignatureVersion since) {
    const std::size_t at = token_.offset;
    if (!starts(name)) return;
    // Of its own accord a text becomes 1.2, as no compiler took that for the default yet; 1.0 is always asked for.
    if (parser_->version() < since && !parser_->version_given()) parser_->raise_version(since);
    if (parser_->version() < since) {
      ok_ = parser_->error(Kind::version, at, "these flags require a later root signature version");
      return;
    }
    ok_ = flag_words(names, allowed, value);
  }

  bool flag_words(const NameTable& names, std::uint32_t allowed, std::uint32_t& value) {
    value = 0;
    for (;;) {
      std::uint32_t flag = 0;
      if (!one_of({}, names, allowed, flag)) return false;
      value |= flag;
      if (!parser_->at_sign('|')) return true;
      parser_->take();
    }
  }

 private:
  // A name of the table in capitals after a prefix, or a number.
  bool one_of(std::string_view prefix, const NameTable& names, std::uint32_t allowed, std::uint32_t& value) {
    if (parser_->peek().kind == Token::Kind::number) return parser_->u32(value);
    const std::string_view text = parser_->peek().text;
    if (parser_->peek().kind == Token::Kind::word && text.size() > prefix.size() && same_letters(text.substr(0, prefix.size()), prefix)) {
      for (const NamedValue& named : names.values) {
        if (!same_letters(text.substr(prefix.size()), named.id) || (named.value & ~allowed) != 0) continue;
        value = named.value;
        parser_->take();
        return true;
      }
    }
    std::string what = prefix.empty() ? "a flag (" : "one of (";
    bool first = true;
    for (const NamedValue& named : names.values) {
      if ((named.value & ~allowed) != 0) continue;
      if (!first) what += ", ";
      first = false;
      what += prefix;
      for (const char c : named.id) what += upper(c);
    }
    return parser_->expected(Kind::unknown_word, what + ')');
  }
  void fault(Kind kind, std::string_view what) { ok_ = parser_->expected(kind, what); }
  /// Whether this is the setting; then it must not occur before.
  bool next(bool is_this, std::string_view name) {
    const std::uint32_t bit = 1U << index_++;
    if (found_ || !is_this) return false;
    found_ = true;
    if ((*seen_ & bit) != 0) {
      ok_ = parser_->error(Kind::duplicate, token_.offset, std::string(name) + " is given twice");
      return false;
    }
    *seen_ |= bit;
    return true;
  }
  /// The same, and the sign after its name.
  bool starts(std::string_view name) {
    if (!next(token_.kind == Token::Kind::word && same_letters(token_.text, name), name)) return false;
    parser_->take();
    ok_ = parser_->sign('=');
    return ok_;
  }

  Parser* parser_;
  std::uint32_t* seen_;
  Token token_;
  bool is_register_ = false;
  bool found_ = false;
  bool ok_ = true;
  unsigned index_ = 0;
};

/// The names of the settings, and which of them are required.
class Required {
 public:
  explicit Required(std::uint32_t seen) : seen_(seen) {}
  std::string missing;
  std::string names;

  void reg(char letter, std::uint32_t&) { require(std::string(1, letter) + '#'); }
  void required_number(std::string_view name, std::uint32_t&) { require(name); }
  void number(std::string_view name, std::uint32_t&, std::uint32_t, std::string_view = {}, std::uint32_t = 0) { pass(name); }
  void real(std::string_view name, float&, float) { pass(name); }
  template <class E>
  void word(std::string_view name, E&, E) {
    pass(name);
  }
  void filter(std::string_view name, Filter&, Filter) { pass(name); }
  void flags(std::string_view name, std::uint32_t&, const NameTable&, std::uint32_t, RootSignatureVersion) { pass(name); }

 private:
  void require(std::string_view name) {
    if ((seen_ >> index_ & 1) == 0 && missing.empty()) missing = name;
    pass(name);
  }
  void pass(std::string_view name) {
    if (index_++ != 0) names += ", ";
    names += name;
  }

  std::uint32_t seen_;
  unsigned index_ = 0;
};

/// A list in brackets, commas between: at least one item, unless it may be empty (so that printing can say a table of nothing).
template <class F>
bool Parser::list(F&& item, bool may_be_empty) {
  if (!sign('(')) return false;
  if (may_be_empty && at_sign(')')) {
    take();
    return true;
  }
  for (;;) {
    if (!item()) return false;
    if (at_sign(')')) break;
    if (!at_sign(',')) return expected(Kind::syntax, "`,` or `)`");
    take();
  }
  take();
  return true;
}

/// The settings of a construct, by its description, called with an archive.
template <class F>
bool settings_item(Parser& parser, std::uint32_t& seen, F&& describe) {
  Setting setting(parser, seen);
  describe(setting);
  if (setting.found()) return setting.ok();
  Required names(~0U);
  describe(names);
  return parser.expected(Kind::unknown_word, "a setting (" + names.names + ")");
}

template <class F>
bool check_required(Parser& parser, std::size_t at, std::uint32_t seen, std::string_view construct, F&& describe) {
  Required required(seen);
  describe(required);
  if (required.missing.empty()) return true;
  return parser.error(Kind::missing, at, std::string(construct) + " requires " + required.missing);
}

bool Parser::root_flags() {
  if (!sign('(')) return false;
  std::uint32_t seen = 0;
  Setting setting(*this, seen);
  return setting.flag_words(kRootFlagNames, ~0U, result_->signature.flags) && sign(')');
}

/// A record of what its own settings say in brackets, by its description.
template <class Record>
bool Parser::described(std::size_t at, std::string_view word, char letter, Record& record) {
  const auto settings = [&](auto& a) { describe_text(a, record, letter); };
  Defaults defaults;
  settings(defaults);
  std::uint32_t seen = 0;
  return list([&] { return settings_item(*this, seen, settings); }) && check_required(*this, at, seen, word, settings);
}

bool Parser::parameter(const DescriptorWord& word) {
  const std::size_t at = peek().offset;
  RootParameter p;
  p.type = word.parameter;
  if (!described(at, word.text, word.letter, p)) return false;
  parameter_places_.push_back({element_at_, {}});
  result_->signature.parameters.items.push_back(std::move(p));
  return true;
}

bool Parser::range(const DescriptorWord& word, RootParameter& table) {
  const std::size_t at = take().offset;
  DescriptorRange r;
  r.type = word.range;
  if (!described(at, word.text, word.letter, r)) return false;
  parameter_places_.back().ranges.push_back(at);
  table.ranges.items.push_back(r);
  return true;
}

bool Parser::table() {
  const std::size_t at = peek().offset;
  RootParameter p;
  p.type = RootParameterType::descriptor_table;
  parameter_places_.push_back({element_at_, {}});
  const auto described = [&](auto& a) { describe_text_of_table(a, p); };
  std::uint32_t seen = 0;
  const auto item = [&] {
    for (const DescriptorWord& word : kDescriptorWords)
      if (peek().kind == Token::Kind::word && same_letters(peek().text, word.text)) return range(word, p);
    Setting setting(*this, seen);
    described(setting);
    if (setting.found()) return setting.ok();
    return expected(Kind::unknown_word, "CBV, SRV, UAV, Sampler or visibility");
  };
  if (!list(item, true)) return false;
  if (p.ranges.empty()) add(Kind::empty_table, at, "this table has no ranges");
  result_->signature.parameters.items.push_back(std::move(p));
  return true;
}

bool Parser::static_sampler() {
  const std::size_t at = peek().offset;
  StaticSampler s;
  if (!described(at, kStaticSamplerWord, 's', s)) return false;
  sampler_places_.push_back(element_at_);
  result_->signature.static_samplers.items.push_back(s);
  return true;
}

bool Parser::parse() {
  bool has_flags = false;
  while (peek().kind != Token::Kind::end) {
    const Token word = peek();
    const auto is = [&](std::string_view known) { return word.kind == Token::Kind::word && same_letters(word.text, known); };
    const DescriptorWord* descriptor = nullptr;
    for (const DescriptorWord& known : kDescriptorWords)
      if (known.is_parameter && is(known.text)) descriptor = &known;
    bool read = false;
    element_at_ = word.offset;
    if (is(kRootFlagsWord)) {
      flags_at_ = word.offset;
      if (has_flags) return error(Kind::duplicate, word.offset, std::string(kRootFlagsWord) + " is given twice");
      has_flags = true;
      take();
      read = root_flags();
    } else if (is(kConstantsWord)) {
      take();
      read = parameter({kConstantsWord, 'b', DescriptorRangeType::cbv, RootParameterType::constants, true});
    } else if (is(kTableWord)) {
      take();
      read = table();
    } else if (is(kStaticSamplerWord)) {
      take();
      read = static_sampler();
    } else if (descriptor != nullptr) {
      take();
      read = parameter(*descriptor);
    } else {
      return expected(Kind::unknown_word, "RootFlags, RootConstants, CBV, SRV, UAV, DescriptorTable or StaticSampler");
    }
    if (!read) return false;
    if (peek().kind == Token::Kind::end) break;
    if (!sign(',')) return false;
  }
  return true;
}

/// The number of `name[12]` at the start of a path, or nothing.
std::optional<std::size_t> take_index(std::string_view& path, std::string_view name) {
  if (!path.starts_with(name) || path.substr(name.size(), 1) != "[") return std::nullopt;
  const char* const first = path.data() + name.size() + 1;
  std::size_t index = 0;
  const auto [end, fault] = std::from_chars(first, path.data() + path.size(), index);
  if (fault != std::errc{}) return std::nullopt;
  path.remove_prefix(static_cast<std::size_t>(end - path.data()) + 1);
  if (path.starts_with('/')) path.remove_prefix(1);
  return index;
}

void Parser::check() {
  RootSignature signature = result_->signature;
  signature.version = version_;
  for (Diagnostic& finding : root_signature::check(signature)) {
    std::string_view path = finding.path;
    std::size_t at = path == "flags" ? flags_at_ : 0;
    if (const auto sampler = take_index(path, "static_samplers")) {
      at = sampler_places_[*sampler];
    } else if (const auto parameter = take_index(path, "parameters")) {
      at = parameter_places_[*parameter].at;
      if (const auto range = take_index(path, "ranges")) at = parameter_places_[*parameter].ranges[*range];
    }
    finding.path = "RTS0/" + finding.path;
    const auto [line, column] = lines_.at(place(at));
    result_->findings.push_back({line, column, std::move(finding)});
  }
}

}  // namespace

}  // namespace unshade::dxcontainer::root_signature

namespace unshade::dxcontainer {

ParsedRootSignature parse_root_signature_text(std::string_view file, const RootSignatureTextOptions& options) {
  using namespace root_signature;
  const InputText input(file);
  const std::string_view text = input.view();
  ParsedRootSignature result;
  if (text.size() > limits::kRootSignatureText) {
    result.messages.push_back(
        message_of(Kind::size, 1, 1, "the text has more than " + std::to_string(limits::kRootSignatureText) + " bytes"));
    return result;
  }
  auto version = options.version;
  std::size_t after_version = 0;
  if (!version) {
    const std::string_view comment = first_comment(text);
    for (const VersionName& name : kVersionTargets)
      if (comment == name.target) version = name.version;
    if (version) after_version = static_cast<std::size_t>(comment.data() + comment.size() - text.data());
  }
  Strings strings;
  const bool is_source = !options.define.empty() || !begins_root_signature(text);
  if (is_source) strings = find_strings(text, options.define);
  LineCounter lines(text);
  if (const std::size_t stray = is_source || options.version ? text.npos : find_version_comment(text, after_version); stray != text.npos) {
    const auto [line, column] = lines.at(stray);
    result.messages.push_back(message_of(Kind::version_comment, line, column, std::string(rule(Kind::version_comment).summary)));
  }
  for (SourceText::Message& message : strings.strings.messages) {
    const auto [line, column] = lines.at(message.offset);
    result.messages.push_back(message_of(message.kind, line, column, std::move(message.text)));
  }
  if (strings.state == Strings::State::faulty) return result;
  const bool is_found = strings.state == Strings::State::found;
  if (!is_found && is_blank_text(text)) {
    result.messages.push_back(message_of(Kind::empty, 1, 1, "the text contains no root signature"));
    return result;
  }
  Parser parser(text, is_found ? &strings.strings : nullptr, result, version.value_or(RootSignatureVersion::v1_1), version.has_value());
  result.ok = parser.parse();
  result.signature.version = parser.version();
  if (result.ok) parser.check();
  return result;
}

}  // namespace unshade::dxcontainer
