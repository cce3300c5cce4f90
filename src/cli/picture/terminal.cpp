#include "cli/picture/terminal.hpp"

#include <algorithm>

#include <unshade/system/terminal.hpp>

namespace unshade::cli::print {

// src: VT510 manual, "Primary DA": parameter 4 is sixel graphics
bool has_sixel(std::string_view answer) {
  constexpr std::string_view kBegin = "\x1b[?";
  const std::size_t begin = answer.find(kBegin);
  if (begin == std::string_view::npos) return false;
  answer.remove_prefix(begin + kBegin.size());
  const std::size_t end = answer.find('c');
  if (end == std::string_view::npos) return false;
  answer = answer.substr(0, end);
  while (!answer.empty()) {
    const std::size_t next = std::min(answer.size(), answer.find(';'));
    if (answer.substr(0, next) == "4") return true;
    answer.remove_prefix(std::min(answer.size(), next + 1));
  }
  return false;
}

bool terminal_has_sixel() {
  constexpr unsigned kMilliseconds = 200;
  return has_sixel(system::ask_terminal(kAttributesRequest, 'c', kMilliseconds));
}

}  // namespace unshade::cli::print
