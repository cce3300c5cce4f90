// Root signatures in HLSL source: as much of a preprocessor as their strings need.
// src: C11 6.4 (translation phases 2 to 6), 6.10.1, 6.10.3.4; DXC lib/Frontend/FrontendActions.cpp, HLSLRootSignatureAction: a #define that
// a command line names is taken as it is at the end of the file.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

#include "dxcontainer/root_signature/scanner.hpp"

namespace unshade::dxcontainer::root_signature {

namespace {

using SourceKind = RootSignatureMessageKind;

constexpr std::size_t kMostSteps = std::size_t{1} << 17;  // tokens of macros, in all that is expanded of a source
constexpr std::size_t kCharactersOfStep = 64;             // long strings take their time as well
constexpr std::size_t kMostNested = 64;                   // macros in macros, and brackets in a condition

struct SourceToken {
  enum class Kind : std::uint8_t { end, line_end, name, string, open_string, number, sign };
  Kind kind = Kind::end;
  bool follows = false;  ///< no blank between it and the token before
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

struct SourceMacro {
  bool is_defined = false;
  bool takes_arguments = false;
  std::uint32_t offset = 0;  ///< of its name
  std::vector<SourceToken> body;
};

/// The text without the line ends that a backslash takes away, and where it was.
struct SplicedText {
  std::string text;
  std::vector<TextSegment> segments;

  explicit SplicedText(std::string_view source) {
    segments.push_back({0, 0});
    for (std::size_t at = 0; at < source.size();) {
      std::size_t gone = 0;
      if (source[at] == '\\') gone = source.substr(at + 1, 1) == "\n" ? 2 : source.substr(at + 1, 2) == "\r\n" ? 3 : 0;
      if (gone == 0) {
        text += source[at++];
      } else {
        at += gone;
        segments.push_back({text.size(), at});
      }
    }
  }
};

class SourceLexer {
 public:
  explicit SourceLexer(std::string_view text) : text_(text) {}

  SourceToken next() {
    const std::size_t behind = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const auto end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        break;
      }
    }
    SourceToken token;
    token.follows = at_ == behind;
    token.offset = static_cast<std::uint32_t>(at_);
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    if (c == '\n') {
      token.kind = SourceToken::Kind::line_end;
      ++at_;
    } else if (is_name_start(c)) {
      token.kind = SourceToken::Kind::name;
      while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    } else if (is_digit(c)) {
      token.kind = SourceToken::Kind::number;
      while (at_ < text_.size() && (is_name_character(text_[at_]) || text_[at_] == '.')) ++at_;
    } else if (c == '"' || c == '\'') {
      const bool closed = quoted(c);
      token.kind = c == '\'' ? SourceToken::Kind::sign : closed ? SourceToken::Kind::string : SourceToken::Kind::open_string;
    } else {
      token.kind = SourceToken::Kind::sign;
      ++at_;
    }
    token.size = static_cast<std::uint32_t>(at_ - token.offset);
    return token;
  }

 private:
  /// False if the line ends before the quote does.
  bool quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == quote) return ++at_, true;
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Strings that macros and literals became, and what kept them from it.
struct Expansion {
  SourceText strings;
  std::size_t tokens = 0;  ///< strings in it
  bool failed = false;
  std::set<std::string_view> macros;  ///< that were used
};

class SourceReader {
 public:
  explicit SourceReader(std::string_view source) : spliced_(source), code_(spliced_.text), lexer_(code_) {}

  Strings find(std::string_view define) {
    read();
    return define.empty() ? any() : named(define);
  }

 private:
  using TokenKind = SourceToken::Kind;
  using Tokens = std::span<const SourceToken>;

  std::string_view text(const SourceToken& token) const { return code_.substr(token.offset, token.size); }
  bool is(const SourceToken& token, std::string_view expected) const { return text(token) == expected; }
  std::size_t place(std::size_t offset) const { return source_place(spliced_.segments, offset); }

  // --- the lines ---------------------------------------------------------------------------------------------------------------------
  void read() {
    bool begins_line = true;
    for (SourceToken token = lexer_.next(); token.kind != TokenKind::end; token = lexer_.next()) {
      if (begins_line && is(token, "#")) {
        directive();
        continue;  // its end is that of the line
      }
      begins_line = token.kind == TokenKind::line_end;
      if (!begins_line && is_active()) code(token);
    }
    end_of_run();
    if (brackets_ == 0) return;
    keep(attributes_, attribute_, attribute_at_);
    if (attributes_.size() == 1) fault(attributes_[0].expansion, SourceKind::macro, code_.size(), "expected `)`, found the end");
  }

  bool is_active() const { return branches_.empty() || branches_.back().is_active; }

  void directive() {
    std::vector<SourceToken> line;
    for (SourceToken token = lexer_.next(); token.kind != TokenKind::end && token.kind != TokenKind::line_end; token = lexer_.next())
      line.push_back(token);
    if (line.empty() || line[0].kind != TokenKind::name) return;
    const std::string_view word = text(line[0]);
    const Tokens rest = Tokens(line).subspan(1);
    const bool has_name = !rest.empty() && rest[0].kind == TokenKind::name;
    if (word == "ifdef" || word == "ifndef") {
      enter(has_name ? std::optional(is_defined(rest[0]) == (word == "ifdef")) : std::nullopt);
    } else if (word == "if") {
      enter(is_active() ? condition(rest) : std::optional(false));
    } else if (word == "elif") {
      other_branch([&] { return condition(rest); });
    } else if (word == "else") {
      other_branch([] { return std::optional(true); });
    } else if (word == "endif") {
      if (!branches_.empty()) branches_.pop_back();
    } else if (word == "define" && has_name) {
      define(rest);
    } else if (word == "undef" && has_name && is_active()) {
      macros_[text(rest[0])].is_defined = false;
    } else if (word == "include" && is_active()) {
      includes_ = true;
    }
  }

  struct Branch {
    bool is_active;
    bool is_over;  ///< one of the group's branches was taken, or may be the one that a compiler takes
    bool around;   ///< the group itself is in text that is compiled
  };
  void enter(std::optional<bool> holds) {
    const bool around = is_active();
    branches_.push_back({around && holds.value_or(false), holds.value_or(true), around});
  }
  template <class F>
  void other_branch(F&& holds) {
    if (branches_.empty()) return;
    Branch& branch = branches_.back();
    branch.is_active = false;
    if (branch.is_over || !branch.around) return;
    const std::optional<bool> known = holds();
    branch.is_active = known.value_or(false);
    branch.is_over = known.value_or(true);
  }

  void define(Tokens rest) {
    const std::string_view name = text(rest[0]);
    if (!is_active()) {
      skipped_.try_emplace(name, rest[0].offset);
      return;
    }
    SourceMacro& macro = macros_[name];
    if (macro.offset == 0 && !macro.is_defined) order_.push_back(name);
    macro.is_defined = true;
    macro.offset = rest[0].offset;
    macro.takes_arguments = rest.size() > 1 && rest[1].follows && is(rest[1], "(");
    macro.body.assign(rest.begin() + 1, rest.end());
  }

  bool is_defined(const SourceToken& name) const {
    const auto found = macros_.find(text(name));
    return found != macros_.end() && found->second.is_defined;
  }
  const SourceMacro* find_macro(const SourceToken& name) const {
    const auto found = macros_.find(text(name));
    return found == macros_.end() || !found->second.is_defined ? nullptr : &found->second;
  }

  // --- conditions --------------------------------------------------------------------------------------------------------------------
  /// What a condition says with no more defined than the source defines; nothing if it cannot be told.
  std::optional<bool> condition(Tokens tokens) {
    std::size_t at = 0;
    const auto value = binary(tokens, at, 0, 0);
    if (!value || at != tokens.size()) return std::nullopt;
    return *value != 0;
  }

  std::optional<std::int64_t> unary(Tokens tokens, std::size_t& at, std::size_t depth) {
    if (at >= tokens.size() || depth > kMostNested || ++steps_ > kMostSteps) return std::nullopt;
    const SourceToken& token = tokens[at++];
    if (token.kind == TokenKind::number) {
      std::string_view digits = text(token);
      while (!digits.empty() && (lower(digits.back()) == 'u' || lower(digits.back()) == 'l')) digits.remove_suffix(1);
      const bool hexadecimal = digits.size() > 2 && digits[0] == '0' && lower(digits[1]) == 'x';
      if (hexadecimal) digits.remove_prefix(2);
      const int base = hexadecimal ? 16 : digits.size() > 1 && digits[0] == '0' ? 8 : 10;
      return as_number<std::int64_t>(digits, base);
    }
    if (token.kind == TokenKind::name) return name_value(tokens, at, depth, token);
    if (is(token, "(")) {
      const auto value = binary(tokens, at, 0, depth + 1);
      if (!value || at >= tokens.size() || !is(tokens[at], ")")) return std::nullopt;
      ++at;
      return value;
    }
    for (const char sign : {'!', '-', '+', '~'}) {
      if (token.kind != TokenKind::sign || text(token) != std::string_view(&sign, 1)) continue;
      const auto value = unary(tokens, at, depth + 1);
      if (!value) return std::nullopt;
      const auto bits = static_cast<std::uint64_t>(*value);
      return static_cast<std::int64_t>(sign == '!' ? std::uint64_t{*value == 0} : sign == '-' ? 0 - bits : sign == '~' ? ~bits : bits);
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> name_value(Tokens tokens, std::size_t& at, std::size_t depth, const SourceToken& token) {
    if (is(token, "defined")) {
      const bool in_brackets = at < tokens.size() && is(tokens[at], "(");
      if (in_brackets) ++at;
      if (at >= tokens.size() || tokens[at].kind != TokenKind::name) return std::nullopt;
      const bool value = is_defined(tokens[at++]);
      if (in_brackets && (at >= tokens.size() || !is(tokens[at++], ")"))) return std::nullopt;
      return value;
    }
    const SourceMacro* const macro = find_macro(token);
    if (macro == nullptr) return is(token, "true") ? 1 : 0;
    if (macro->takes_arguments) return std::nullopt;
    std::size_t inner = 0;
    const auto value = binary(macro->body, inner, 0, depth + 1);
    return value && inner == macro->body.size() ? value : std::nullopt;
  }

  struct Operator {
    std::string_view text;
    int level;
  };
  /// Of two signs before those of one, so that the longer is found.
  static constexpr Operator kOperators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                                            {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                                            {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

  std::optional<std::int64_t> binary(Tokens tokens, std::size_t& at, int level, std::size_t depth) {
    auto left = unary(tokens, at, depth);
    while (left && at < tokens.size() && tokens[at].kind == TokenKind::sign) {
      const bool two = at + 1 < tokens.size() && tokens[at + 1].kind == TokenKind::sign && tokens[at + 1].follows;
      const std::string_view signs = code_.substr(tokens[at].offset, two ? 2 : 1);
      const Operator* found = nullptr;
      for (const Operator& known : kOperators)
        if (found == nullptr && signs.starts_with(known.text)) found = &known;
      if (found == nullptr || found->level <= level) return left;
      at += found->text.size();
      const auto right = binary(tokens, at, found->level, depth + 1);
      if (!right) return std::nullopt;
      left = apply(found->text, *left, *right);
    }
    return left;
  }

  static std::optional<std::int64_t> apply(std::string_view sign, std::int64_t a, std::int64_t b) {
    const auto wide_a = static_cast<std::uint64_t>(a), wide_b = static_cast<std::uint64_t>(b);
    if (sign == "||") return a != 0 || b != 0;
    if (sign == "&&") return a != 0 && b != 0;
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<=") return a <= b;
    if (sign == ">=") return a >= b;
    if (sign == "<") return a < b;
    if (sign == ">") return a > b;
    if (sign == "|") return a | b;
    if (sign == "^") return a ^ b;
    if (sign == "&") return a & b;
    if (sign == "+") return static_cast<std::int64_t>(wide_a + wide_b);
    if (sign == "-") return static_cast<std::int64_t>(wide_a - wide_b);
    if (sign == "*") return static_cast<std::int64_t>(wide_a * wide_b);
    if (sign == "<<" || sign == ">>") {
      if (b < 0 || b > 63) return std::nullopt;
      return sign == "<<" ? static_cast<std::int64_t>(wide_a << b) : a >> b;
    }
    if (b == 0 || b == -1) return std::nullopt;  // the latter overflows
    return sign == "/" ? a / b : a % b;
  }

  // --- macros ------------------------------------------------------------------------------------------------------------------------
  void fault(Expansion& into, SourceKind kind, std::size_t offset, std::string message) {
    if (!into.failed) into.strings.messages.push_back({kind, place(offset), std::move(message)});
    into.failed = true;
  }

  /// `at`: the place of the expanded text in the source; messages about the contents of macros are located at the macro.
  void expand(Tokens tokens, Expansion& into) {
    for (const SourceToken& token : tokens) {
      if (into.failed) return;
      if (++steps_ > kMostSteps) return fault(into, SourceKind::macro, token.offset, "the macros expand to too many tokens");
      switch (token.kind) {
        case TokenKind::string: literal(token, into); break;
        case TokenKind::name: expand_name(token, into); break;
        case TokenKind::open_string: return fault(into, SourceKind::macro, token.offset, "unterminated string");
        default: return fault(into, SourceKind::macro, token.offset, "expected a string, found " + quote(token));
      }
    }
  }

  std::string quote(const SourceToken& token) const {
    std::string quoted = "`";
    for (const char c : text(token).substr(0, 40)) quoted += c >= 0x20 && c < 0x7f ? c : '?';
    return quoted + '`';
  }

  void expand_name(const SourceToken& token, Expansion& into) {
    const SourceMacro* const macro = find_macro(token);
    const auto skipped = skipped_.find(text(token));
    if (macro == nullptr) {
      std::string message = quote(token) + " is not defined here";
      if (skipped != skipped_.end())
        message += ": its #define is in an inactive conditional block";
      else if (includes_)
        message += ": included files are not read";
      return fault(into, SourceKind::macro, token.offset, std::move(message));
    }
    if (macro->takes_arguments)
      return fault(into, SourceKind::macro, token.offset, quote(token) + " has arguments: such macros are not expanded");
    if (std::find(nested_.begin(), nested_.end(), text(token)) != nested_.end())
      return fault(into, SourceKind::macro, token.offset, "the macro " + quote(token) + " is recursive");
    if (nested_.size() >= kMostNested) return fault(into, SourceKind::macro, token.offset, "macros are nested too deeply");
    if (skipped != skipped_.end() && !into.macros.contains(text(token)))
      into.strings.messages.push_back({SourceKind::condition, place(skipped->second),
                                       "this #define of " + quote(token) + " is in an inactive conditional block: another one is used"});
    into.macros.insert(text(token));
    nested_.push_back(text(token));
    expand(macro->body, into);
    nested_.pop_back();
  }

  /// The character of the escape sequence at `i`, which is left at its last character. Blanks of all kinds are one to a root signature.
  static char escaped(std::string_view quoted, std::size_t& i) {
    const auto number = [&](std::size_t most, int base) {
      int value = 0;
      for (std::size_t count = 0; count < most && i + 2 < quoted.size(); ++count, ++i) {
        const int digit = hex_digit(quoted[i + 1]);
        if (digit < 0 || digit >= base) break;
        value = (value * base + digit) & 0xff;
      }
      return static_cast<char>(value);
    };
    constexpr std::string_view kBlanks = "ntrfv";
    const char c = quoted[i + 1];
    if (c >= '0' && c <= '7') return number(3, 8);
    ++i;
    if (c == 'x' && hex_digit(quoted[i + 1]) >= 0) return number(quoted.size(), 16);
    return kBlanks.find(c) != std::string_view::npos ? ' ' : c;
  }

  void literal(const SourceToken& token, Expansion& into) {
    const std::string_view quoted = text(token);
    steps_ += quoted.size() / kCharactersOfStep;
    std::size_t expected = ~std::size_t{0};
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
      const std::size_t from = place(token.offset + i);
      char c = quoted[i];
      if (c == '\\' && i + 2 < quoted.size()) c = escaped(quoted, i);
      if (from != expected) into.strings.segments.push_back({into.strings.text.size(), from});
      expected = place(token.offset + i) + 1;
      into.strings.text += c;
    }
    into.strings.end = place(token.offset + quoted.size() - 1);
    ++into.tokens;
  }

  // --- where the strings may be -----------------------------------------------------------------------------------------------------
  /// One token of the code. [RootSignature(...)] is the place of root signatures; else strings side by side may be one.
  void code(const SourceToken& token) {
    if (brackets_ != 0) {  // after `[RootSignature(`
      if (is(token, "(")) ++brackets_;
      if (is(token, ")") && --brackets_ == 0) return keep(attributes_, attribute_, attribute_at_);
      attribute_.push_back(token);
      return;
    }
    if (is(token, "(") && before_.kind == TokenKind::name && same_letters(text(before_), "RootSignature") && is(before_that_, "[")) {
      run_.clear();
      attribute_.clear();
      attribute_at_ = before_.offset;
      brackets_ = 1;
    } else if (token.kind == TokenKind::name || token.kind == TokenKind::string || token.kind == TokenKind::open_string) {
      run_.push_back(token);
    } else {
      end_of_run();
    }
    before_that_ = before_;
    before_ = token;
  }

  /// Names and strings side by side: of these, what begins like a root signature is one.
  void end_of_run() {
    const std::vector<SourceToken> run = std::exchange(run_, {});
    std::size_t first = 0;
    while (first < run.size() && run[first].kind == TokenKind::name && find_macro(run[first]) == nullptr) ++first;
    if (first == run.size()) return;
    Expansion tried;
    expand(Tokens(run).subspan(first), tried);
    if (begins_root_signature(tried.strings.text)) keep(in_code_, run, run[first].offset);
  }

  struct Candidate {
    Expansion expansion;
    std::size_t offset = 0;
  };
  void keep(std::vector<Candidate>& candidates, Tokens tokens, std::size_t offset) {
    constexpr std::size_t kEnough = 2;  // the first, and another one to tell of
    if (candidates.size() >= kEnough) return;
    Candidate candidate;
    candidate.offset = offset;
    nested_.clear();
    expand(tokens, candidate.expansion);
    if (candidate.expansion.tokens == 0 && !candidate.expansion.failed)
      fault(candidate.expansion, SourceKind::macro, offset, "expected a string");
    if (!candidates.empty() && candidates.front().expansion.strings.text == candidate.expansion.strings.text) return;
    candidates.push_back(std::move(candidate));
  }

  static Strings taken(Expansion&& expansion) {
    return {expansion.failed ? Strings::State::faulty : Strings::State::found, std::move(expansion.strings)};
  }

  Strings named(std::string_view name) {
    const auto macro = macros_.find(name);
    const auto skipped = skipped_.find(name);
    Expansion expansion;
    if (macro == macros_.end() || !macro->second.is_defined) {
      std::string message = "no #define " + std::string(name) + " with a string";
      std::size_t offset = 0;
      if (macro != macros_.end()) {
        message += " is active at the end of the source";
        offset = macro->second.offset;
      } else if (skipped != skipped_.end()) {
        message += ": this one is in an inactive conditional block";
        offset = skipped->second;
      }
      fault(expansion, SourceKind::missing, offset, std::move(message));
      return taken(std::move(expansion));
    }
    const SourceToken token{TokenKind::name, false, macro->second.offset, static_cast<std::uint32_t>(name.size())};
    expand(Tokens(&token, 1), expansion);
    if (expansion.tokens == 0 && !expansion.failed)
      fault(expansion, SourceKind::missing, macro->second.offset, "no #define " + std::string(name) + " with a string");
    return taken(std::move(expansion));
  }

  Strings any() {
    for (std::vector<Candidate>* candidates : {&attributes_, &in_code_}) {
      if (candidates->empty()) continue;
      Expansion& first = candidates->front().expansion;
      if (candidates->size() > 1)
        first.strings.messages.push_back(
            {SourceKind::several, place((*candidates)[1].offset), "another root signature: only the first in the source is used"});
      return taken(std::move(first));
    }
    return defined();
  }

  /// A #define that is nothing but a root signature, and no part of another one.
  Strings defined() {
    std::vector<Candidate> candidates;
    std::vector<std::string_view> names, parts;
    bool is_too_much = false;
    for (const std::string_view name : order_) {
      const SourceMacro& macro = macros_.at(name);
      if (!macro.is_defined || macro.takes_arguments || macro.body.empty()) continue;
      Candidate candidate;
      candidate.offset = macro.offset;
      const SourceToken token{TokenKind::name, false, macro.offset, static_cast<std::uint32_t>(name.size())};
      nested_.clear();
      expand(Tokens(&token, 1), candidate.expansion);
      is_too_much = is_too_much || steps_ > kMostSteps;
      if (!begins_root_signature(candidate.expansion.strings.text)) continue;
      for (const std::string_view part : candidate.expansion.macros)
        if (part != name) parts.push_back(part);
      names.push_back(name);
      candidates.push_back(std::move(candidate));
    }
    std::sort(parts.begin(), parts.end());
    Candidate* first = nullptr;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (std::binary_search(parts.begin(), parts.end(), names[i])) continue;
      if (first == nullptr) {
        first = &candidates[i];
      } else if (candidates[i].expansion.strings.text != first->expansion.strings.text) {
        first->expansion.strings.messages.push_back(
            {SourceKind::several, place(candidates[i].offset),
             "another root signature, " + std::string(names[i]) + ": only the first in the source is used"});
        break;
      }
    }
    if (first != nullptr) return taken(std::move(first->expansion));
    Strings nothing;
    if (is_too_much) {
      nothing.state = Strings::State::faulty;
      nothing.strings.messages.push_back({SourceKind::macro, 0, "the macros expand to too many tokens"});
    }
    return nothing;
  }

  SplicedText spliced_;
  std::string_view code_;
  SourceLexer lexer_;
  std::vector<Branch> branches_;
  std::unordered_map<std::string_view, SourceMacro> macros_;
  std::unordered_map<std::string_view, std::uint32_t> skipped_;  // the first #define of a name in a branch that is not taken
  std::vector<std::string_view> order_;                          // of macros
  std::vector<std::string_view> nested_;                         // macros that are being expanded
  bool includes_ = false;
  std::size_t steps_ = 0;
  SourceToken before_, before_that_;
  std::vector<SourceToken> run_, attribute_;
  std::size_t attribute_at_ = 0;
  std::size_t brackets_ = 0;
  std::vector<Candidate> attributes_, in_code_;
};

}  // namespace

std::size_t source_place(const std::vector<TextSegment>& segments, std::size_t offset) {
  if (segments.empty()) return offset;
  const auto behind = std::upper_bound(segments.begin(), segments.end(), offset,
                                       [](std::size_t wanted, const TextSegment& segment) { return wanted < segment.text_offset; });
  const TextSegment& segment = behind == segments.begin() ? *behind : *std::prev(behind);
  return segment.source_offset + (offset - std::min(offset, segment.text_offset));
}

Strings find_strings(std::string_view source, std::string_view define) { return SourceReader(source).find(define); }

}  // namespace unshade::dxcontainer::root_signature
