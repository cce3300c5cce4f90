#include "cli/stepping/stepper.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace unshade::cli::stepping {
namespace {

constexpr std::size_t kMostCommand = 4096;

/// The lines of standard input.
class Commands {
 public:
  explicit Commands(Source& from) : from_(from) {}
  /// Nothing at the end.
  std::optional<std::string> next() {
    std::string line;
    while (true) {
      const std::size_t end = ahead_.find('\n');
      if (end != std::string::npos || (ended_ && !ahead_.empty())) {
        line = ahead_.substr(0, std::min(end, kMostCommand));
        ahead_.erase(0, end == std::string::npos ? end : end + 1);
        return line;
      }
      if (ended_) return std::nullopt;
      std::byte piece[512];
      const std::ptrdiff_t got = from_.read(piece);
      if (got <= 0) {
        ended_ = true;
        continue;
      }
      for (const std::byte byte : std::span(piece).first(static_cast<std::size_t>(got)))
        if (ahead_.size() < kMostCommand || byte == std::byte{'\n'}) ahead_ += static_cast<char>(byte);
    }
  }

 private:
  Source& from_;
  std::string ahead_;
  bool ended_ = false;
};

}  // namespace

Exit step_through(run::Session& session, const present::SteppedListing& listing, bool as_json, Io& io) {
  if (session.waves().empty()) {
    io.report({}, "missing", "the run has no instruction to step through");
    return Exit::invalid;
  }
  present::Stepper stepper(session, listing, as_json, io.out);
  stepper.set_note([&](std::string_view message) { io.report({}, Severity::note, "step", message); });
  Commands commands(*io.host().in);
  stepper.print_place();
  Exit exit = Exit::ok;
  while (!stepper.ended()) {
    if (io.to_terminal()) io.out.painted(Paint::faint, "(step) ");
    if (!io.out.flush()) break;
    const auto line = commands.next();
    if (!line) break;
    const std::string fault = stepper.obey(*line);
    if (fault.empty()) continue;
    io.report({}, "usage", fault);
    exit = Exit::failed;
  }
  return exit;
}

}  // namespace unshade::cli::stepping
