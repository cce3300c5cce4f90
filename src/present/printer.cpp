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

}  // namespace unshade::present
