#include <unshade/core/text/color_escapes.hpp>

#include <unshade/core/result.hpp>
#include <unshade/core/text/line_counter.hpp>

namespace unshade {

std::size_t find_color_escape(std::string_view text) {
  constexpr std::string_view kBegin = "\x1b[";
  for (std::size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at + kBegin.size())) {
    const std::size_t end = text.find_first_not_of("0123456789;:", at + kBegin.size());
    if (end != std::string_view::npos && text[end] == 'm') return at;
  }
  return std::string_view::npos;
}

std::optional<Message> color_escape_fault(std::string_view text) {
  const std::size_t at = find_color_escape(text);
  if (at == std::string_view::npos) return std::nullopt;
  const LinePlace place = LineCounter(text).at(at);
  return Message{Severity::error, id(ErrorCode::bad_value), place.line, place.column,
                 "the text has color escapes (ESC [ ... m), as programs print them on terminals: write it without colors (--color never)"};
}

}  // namespace unshade
