#include <unshade/present/printer.hpp>

namespace unshade::present {

namespace {

std::string_view escape(Paint paint) {
  switch (paint) {
    case Paint::plain: return "\x1b[0m";
    case Paint::heading: return "\x1b[1m";
    case Paint::faint: return "\x1b[2m";
    case Paint::good: return "\x1b[32m";
    case Paint::warning: return "\x1b[33m";
    case Paint::error: return "\x1b[1;31m";
    case Paint::value: return "\x1b[36m";
    case Paint::part0: return "\x1b[34m";
    case Paint::part1: return "\x1b[32m";
    case Paint::part2: return "\x1b[35m";
    case Paint::part3: return "\x1b[33m";
    case Paint::part4: return "\x1b[36m";
    case Paint::part5: return "\x1b[31m";
  }
  return {};
}

}  // namespace

bool Printer::flush() {
  if (ok_ && !text.empty()) {
    ok_ = to_->write(text.view());
    wrote_ = true;
  }
  text.clear();
  return ok_;
}

Text& Printer::paint(Paint paint) {
  if (color_) text << escape(paint);
  return text;
}

Text& Printer::painted(Paint paint, std::string_view shown) {
  if (!color_ || paint == Paint::plain) return text << shown;
  return text << escape(paint) << shown << escape(Paint::plain);
}

namespace {

/// Length of the sequence that sets a foreground colour or resets it at the beginning of `text`, else 0.
std::size_t color_sequence(std::string_view text) {
  constexpr std::string_view kReset = "\x1b[0m";
  if (text.starts_with(kReset)) return kReset.size();
  for (const std::string_view start : {"\x1b[3", "\x1b[1;3"})
    if (text.starts_with(start) && text.size() >= start.size() + 2 && text[start.size()] >= '0' && text[start.size()] <= '7' &&
        text[start.size() + 1] == 'm')
      return start.size() + 2;
  return 0;
}

}  // namespace

void print_safely(Text& out, std::string_view text, bool lines, bool colors) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7f;
    if (!control || (lines && (c == '\n' || c == '\t'))) {
      out << c;
    } else if (const std::size_t length = colors ? color_sequence(text.substr(at)) : 0; length != 0) {
      out << text.substr(at, length);
      at += length - 1;
    } else {
      out << "\\x";
      out.hex(byte, 2);
    }
  }
}

}  // namespace unshade::present
