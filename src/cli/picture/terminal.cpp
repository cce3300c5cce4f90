#include "cli/picture/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

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

std::string ask_attributes(int terminal, int milliseconds) {
  constexpr std::string_view kRequest = "\x1b[c";
  constexpr std::size_t kMostAnswer = 256;
  std::string answer;
  termios before{};
  // a process in the background would be stopped
  if (::tcgetpgrp(terminal) != ::getpgrp() || ::tcgetattr(terminal, &before) != 0) return answer;
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  if (::tcsetattr(terminal, TCSANOW, &raw) != 0) return answer;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
  if (::write(terminal, kRequest.data(), kRequest.size()) == static_cast<ssize_t>(kRequest.size())) {
    while (answer.size() < kMostAnswer && answer.find('c') == std::string::npos) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd waits{terminal, POLLIN, 0};
      if (left <= 0 || ::poll(&waits, 1, static_cast<int>(left)) <= 0) break;
      char letter = 0;
      if (::read(terminal, &letter, 1) != 1) break;
      answer += letter;
    }
  }
  ::tcsetattr(terminal, TCSANOW, &before);
  return answer;
}

bool terminal_has_sixel() {
  constexpr int kMilliseconds = 200;
  const int terminal = ::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return false;
  const bool has = has_sixel(ask_attributes(terminal, kMilliseconds));
  ::close(terminal);
  return has;
}

}  // namespace unshade::cli::print
