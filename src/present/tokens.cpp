#include <unshade/present/tokens.hpp>

#include <algorithm>

#include <unshade/core/text/characters.hpp>

namespace unshade::present {

namespace {

/// How the assembly language of a family is told apart by its characters alone.
struct Language {
  shader::Family family;
  std::string_view comment;    ///< what begins one, to the end of the line
  std::string_view sigils;     ///< what names of values begin with; empty: they are letters with a number after them, `r0`
  std::string_view directive;  ///< what directives begin with
  bool has_results = false;    ///< an instruction may follow `name =`
  bool has_columns = false;    ///< lines that are not indented have no opcode
};

constexpr Language kLanguages[] = {
    {shader::Family::dxbc, "//", "", "#", false, false}, {shader::Family::dxil, ";", "%@!", "", true, true},
    {shader::Family::pica, ";", "", ".", false, true},   {shader::Family::spirv, ";", "%", "", true, false},
    {shader::Family::vbc, ";", "%", ".", true, false},
};

bool is_word_character(char c) { return is_name_character(c) || c == '.'; }

class TokenReader {
 public:
  TokenReader(std::string_view listing, const Language& language) : listing_(listing), language_(language) {}

  std::vector<Token> read() {
    while (at_ < listing_.size()) {
      line_ = at_;
      wants_opcode_ = true;
      const char first = listing_[at_];
      if (language_.has_columns && first != ' ' && first != '\t') wants_opcode_ = false;
      while (at_ < listing_.size() && listing_[at_] != '\n') token();
      ++at_;
    }
    return std::move(tokens_);
  }

 private:
  void add(std::size_t start, TokenClass token) {
    if (at_ > 0xffff'ffff) return;
    tokens_.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at_ - start), token});
  }
  template <class Fits>
  void skip_while(Fits fits) {
    while (at_ < listing_.size() && fits(listing_[at_])) ++at_;
  }

  void token() {
    const std::size_t start = at_;
    const char c = listing_[at_];
    if (listing_.substr(at_).starts_with(language_.comment)) {
      at_ = std::min(listing_.find('\n', at_), listing_.size());
      return add(start, TokenClass::comment);
    }
    if (c == '"') return text(start);
    if (language_.sigils.find(c) != std::string_view::npos) {
      ++at_;
      skip_while(is_word_character);
      return add(start, TokenClass::value);
    }
    if (language_.directive.find(c) != std::string_view::npos && wants_opcode_at(start)) {
      ++at_;
      skip_while(is_word_character);
      wants_opcode_ = false;
      return add(start, TokenClass::directive);
    }
    if (is_digit(c)) {
      skip_while(
          [this](char next) { return is_word_character(next) || ((next == '-' || next == '+') && (listing_[at_ - 1] | 0x20) == 'e'); });
      return add(start, TokenClass::number);
    }
    if (is_name_start(c)) return word(start);
    if (c == '=' && language_.has_results) wants_opcode_ = true;
    ++at_;
  }

  /// Whether nothing but blanks are before it in its line.
  bool wants_opcode_at(std::size_t start) const {
    return listing_.substr(line_, start - line_).find_first_not_of(" \t") == std::string_view::npos;
  }

  void text(std::size_t start) {
    for (++at_; at_ < listing_.size() && listing_[at_] != '"' && listing_[at_] != '\n'; ++at_)
      if (listing_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, listing_.size());
    add(start, TokenClass::text);
  }

  void word(std::size_t start) {
    if (wants_opcode_) {
      skip_while(is_word_character);
      wants_opcode_ = false;
      // `name =` in front of an instruction is none
      return add(start, TokenClass::opcode);
    }
    skip_while(is_name_character);
    if (!language_.sigils.empty()) return;
    const std::string_view word = listing_.substr(start, at_ - start);
    const auto digits = word.find_first_of("0123456789");
    const bool is_register = digits != std::string_view::npos && word.find_first_not_of("0123456789", digits) == std::string_view::npos;
    if (is_register || word == "icb") add(start, TokenClass::value);
  }

  std::string_view listing_;
  const Language& language_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  bool wants_opcode_ = false;
};

}  // namespace

std::string_view id(TokenClass token) {
  constexpr std::string_view kIds[] = {"opcode", "value", "number", "text", "comment", "directive"};
  return kIds[static_cast<std::size_t>(token)];
}

std::vector<Token> tokens_of(std::string_view listing, shader::Family family) {
  const auto language = std::ranges::find(kLanguages, family, &Language::family);
  if (language == std::end(kLanguages)) return {};
  return TokenReader(listing, *language).read();
}

}  // namespace unshade::present
