#include <unshade/present/listing.hpp>

#include <algorithm>
#include <cstddef>

#include <unshade/core/text/characters.hpp>

namespace unshade::present {

namespace {

constexpr std::string_view kCommentColor = "\x1b[32m";
constexpr std::string_view kInstructionColor = "\x1b[36m";
constexpr std::string_view kNameColor = "\x1b[33m";
constexpr std::string_view kNumberColor = "\x1b[31m";
constexpr std::string_view kStringColor = "\x1b[35m";
constexpr std::string_view kResetColor = "\x1b[0m";

class LinePainter {
 public:
  LinePainter(shader::Family family, Text& out) : is_dxbc_(family == shader::Family::dxbc), out_(out) {}

  void paint(std::string_view line) {
    rest_ = line;
    has_instruction_ = false;
    while (!rest_.empty()) {
      if (begins_comment()) return painted(kCommentColor, rest_.size());
      const char c = rest_.front();
      if (c == '"') {
        painted(kStringColor, length_of_string(0));
      } else if (is_sigil(c) && rest_.size() > 1 && (is_name_character(rest_[1]) || rest_[1] == '"')) {
        painted(kNameColor, 1 + (rest_[1] == '"' ? length_of_string(1) : length_of_word(1)));
      } else if (is_digit(c) || (c == '-' && rest_.size() > 1 && is_digit(rest_[1]) && !is_after_name_)) {
        painted(kNumberColor, std::max<std::size_t>(1, length_of_word(c == '-' ? 1 : 0) + (c == '-' ? 1 : 0)));
      } else if (is_name_character(c) || c == '.') {
        word();
      } else {
        plain(1);
      }
    }
  }

 private:
  bool begins_comment() const { return is_dxbc_ ? rest_.starts_with("//") : rest_.starts_with(';'); }
  /// `%12` and `@main` of LLVM; `#0` and `!5` too.
  bool is_sigil(char c) const { return !is_dxbc_ && (c == '%' || c == '@' || c == '!' || c == '#'); }

  std::size_t length_of_word(std::size_t from) const {
    std::size_t end = from;
    while (end < rest_.size() && (is_name_character(rest_[end]) || rest_[end] == '.')) ++end;
    return end - from;
  }
  /// With its quotes.
  std::size_t length_of_string(std::size_t from) const {
    for (std::size_t at = from + 1; at < rest_.size(); ++at) {
      if (rest_[at] == '\\') {
        ++at;
      } else if (rest_[at] == '"') {
        return at + 1 - from;
      }
    }
    return rest_.size() - from;
  }

  /// The first word of a line is its instruction, if it is no label; of `%1 = fadd` the word after the sign.
  void word() {
    const std::size_t size = std::max<std::size_t>(1, length_of_word(0));
    const bool is_label = rest_.substr(size).starts_with(':');
    if (has_instruction_ || is_label) return plain(size);
    has_instruction_ = true;
    painted(kInstructionColor, size);
  }

  void painted(std::string_view color, std::size_t size) {
    out_ << color << rest_.substr(0, size) << kResetColor;
    step(size);
  }
  void plain(std::size_t size) {
    out_ << rest_.substr(0, size);
    step(size);
  }
  void step(std::size_t size) {
    is_after_name_ = size != 0 && is_name_character(rest_[size - 1]);
    rest_.remove_prefix(size);
  }

  bool is_dxbc_;
  Text& out_;
  std::string_view rest_;
  bool has_instruction_ = false;
  bool is_after_name_ = false;
};

}  // namespace

void write_listing(std::string_view file, shader::Family family, std::string_view listing, Json& json) {
  json.object([&] {
    json.member("file", file);
    json.member("family", shader::id(family));
    json.member("listing", listing);
  });
}

void paint_listing(shader::Family family, std::string_view listing, Text& out) {
  LinePainter painter(family, out);
  while (!listing.empty()) {
    const std::size_t end = std::min(listing.find('\n'), listing.size());
    painter.paint(listing.substr(0, end));
    if (end < listing.size()) out << '\n';
    listing.remove_prefix(std::min(end + 1, listing.size()));
  }
}

}  // namespace unshade::present
