// Words and numbers of assembly text, and messages about them with line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/dxbc/assembler.hpp>

namespace unshade::dxbc::assembler {

/// Collects messages about places in one text.
class Messages {
 public:
  static constexpr std::size_t kMost = 100;

  /// `quiet`: that something is wrong is all that is kept.
  explicit Messages(std::string_view text, bool quiet = false) : text_(text), lines_(text), quiet_(quiet) {}

  /// `expected such and such, found ...`; the text at `at` is quoted. Always false, so that callers can return it.
  /// `question`: what may be meant instead.
  bool expected(MessageKind message, const char* at, std::string_view what, std::string_view question = {});
  /// Any sentence. Always false.
  bool report(MessageKind message, const char* at, std::string sentence);

  bool failed() const { return failed_; }
  bool full() const { return messages_.size() >= kMost; }
  std::vector<Message> take() { return std::move(messages_); }

 private:
  std::string_view text_;
  LineCounter lines_;
  bool quiet_;
  bool failed_ = false;
  std::vector<Message> messages_;
};

/// A place in a text. Nothing reads beyond the end: there, `peek` gives a zero.
class Scanner {
 public:
  Scanner(std::string_view text, Messages& messages) : at_(text.data()), end_(text.data() + text.size()), messages_(messages) {}

  void restart(std::string_view text) {
    at_ = text.data();
    end_ = text.data() + text.size();
  }

  const char* at() const { return at_; }
  void set(const char* at) { at_ = at; }
  bool at_end() const { return at_ == end_; }
  char peek() const { return at_ != end_ ? *at_ : '\0'; }
  char peek(std::size_t ahead) const { return static_cast<std::size_t>(end_ - at_) > ahead ? at_[ahead] : '\0'; }
  void next() { ++at_; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  void blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  /// Blanks, line ends and comments: inside braces a statement goes on over lines.
  void blanks_and_lines();
  /// Whether nothing but a comment follows the place, blanks aside.
  bool at_line_end() {
    blanks();
    return at_ == end_ || *at_ == '\n' || *at_ == '\r' || (*at_ == '/' && peek(1) == '/');
  }
  /// Whether nothing but blanks is left.
  bool at_end_of_text() {
    blanks();
    return at_ == end_;
  }
  void skip_line();

  /// Steps over a character, if it is the next one.
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  /// The same after blanks.
  bool take_next(char c) {
    blanks();
    return take(c);
  }
  bool expect(char c);

  /// Letters, digits and `_`; empty if there is none.
  std::string_view name() {
    const char* from = at_;
    while (at_ != end_ && is_name_character(*at_)) ++at_;
    return {from, static_cast<std::size_t>(at_ - from)};
  }
  std::string_view letters() {
    const char* from = at_;
    while (at_ != end_ && is_name_start(*at_)) ++at_;
    return {from, static_cast<std::size_t>(at_ - from)};
  }

  /// Decimal digits; false if there is none, or their number does not fit.
  bool digits(std::uint32_t& value);
  /// A number without sign, decimal or `0x...`.
  bool number(std::uint32_t& value, std::string_view what);
  bool number_up_to(std::uint32_t& value, std::uint32_t most, std::string_view what);

  bool fail(MessageKind message, std::string_view what, std::string_view question = {}) {
    return messages_.expected(message, at_, what, question);
  }
  Messages& messages() { return messages_; }

  /// A literal's value in an operand of this letter of the shape: floats and integers are told apart by how they look, if the letter
  /// does not say. `guess_rounded`: AssemblerOptions.
  bool literal(std::uint32_t& bits, char kind, bool guess_rounded);
  bool literal_double(std::uint64_t& bits);

 private:
  struct NumberForm {
    const char* end;  ///< after the number
    bool is_real;
    bool is_hex;
  };
  NumberForm number_form() const;

  const char* at_;
  const char* end_;
  Messages& messages_;
};

}  // namespace unshade::dxbc::assembler
