// Texts as editors and other programs leave them in files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <unshade/core/text.hpp>

namespace unshade {

/// A text without the zeros after it, which programs write that count the terminator of a string, and without a final 0x1a of DOS. Other
/// zeros are left for what reads the text to refuse.
constexpr std::string_view without_terminator(std::string_view text) {
  std::size_t end = text.size();
  while (end != 0 && (text[end - 1] == '\0' || text[end - 1] == '\n' || text[end - 1] == '\r')) --end;
  if (end != 0 && text[end - 1] == '\x1a') return text.substr(0, end - 1);
  return text.substr(0, text.find('\0', end));
}

/// What assemblers and readers of documents take: the text without byte order mark and terminator, with blanks for the page breaks (form
/// feeds and vertical tabs) that begin a line, and, if its lines end in carriage returns alone, with line feeds for these. Places in it are
/// those of the text after the byte order mark, or with `keeps_mark` of the file.
class InputText {
 public:
  explicit InputText(std::string_view file, bool keeps_mark = false)
      : view_(without_terminator(keeps_mark ? file : without_byte_order_mark(file))) {
    constexpr std::string_view kBreaks = "\f\v";
    const bool ends_in_returns = view_.find('\n') == std::string_view::npos && view_.find('\r') != std::string_view::npos;
    if (!ends_in_returns && view_.find_first_of(kBreaks) == std::string_view::npos) return;
    kept_ = view_;
    if (ends_in_returns) std::replace(kept_.begin(), kept_.end(), '\r', '\n');
    bool at_begin = true;
    for (char& c : kept_) {
      if (c == '\n') {
        at_begin = true;
      } else if (at_begin && kBreaks.find(c) != std::string_view::npos) {
        c = ' ';
      } else if (c != ' ' && c != '\t' && c != '\r') {
        at_begin = false;
      }
    }
    view_ = kept_;
  }
  InputText(const InputText&) = delete;
  InputText& operator=(const InputText&) = delete;

  std::string_view view() const { return view_; }

 private:
  std::string kept_;
  std::string_view view_;
};

}  // namespace unshade
