#include <unshade/system/terminal.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>

namespace unshade::system {

bool is_terminal(Standard which) { return ::isatty(static_cast<int>(which)) == 1; }

bool takes_sequences(Standard) { return true; }

std::optional<unsigned> terminal_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::string ask_terminal(File& terminal, std::string_view request, char last, unsigned milliseconds) {
  constexpr std::size_t kMostAnswer = 256;
  const int number = static_cast<int>(terminal.native());
  std::string answer;
  termios before{};
  // a process in the background would be stopped
  if (::tcgetpgrp(number) != ::getpgrp() || ::tcgetattr(number, &before) != 0) return answer;
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  if (::tcsetattr(number, TCSANOW, &raw) != 0) return answer;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
  if (::write(number, request.data(), request.size()) == static_cast<ssize_t>(request.size())) {
    while (answer.size() < kMostAnswer && !answer.ends_with(last)) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd waits{number, POLLIN, 0};
      if (left <= 0 || ::poll(&waits, 1, static_cast<int>(left)) <= 0) break;
      char letter = 0;
      if (::read(number, &letter, 1) != 1) break;
      answer += letter;
    }
  }
  ::tcsetattr(number, TCSANOW, &before);
  return answer;
}

std::string ask_terminal(std::string_view request, char last, unsigned milliseconds) {
  File terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  return terminal ? ask_terminal(terminal, request, last, milliseconds) : std::string();
}

}  // namespace unshade::system
