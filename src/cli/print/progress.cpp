#include "cli/print/progress.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace unshade::cli::print {

namespace {

constexpr std::size_t kBarCharacters = 24;
constexpr std::chrono::milliseconds kFirst{300};  // shorter work needs no bar
constexpr std::chrono::milliseconds kBetween{100};

}  // namespace

Progress::Progress(Host& host, std::uint64_t total, std::string_view unit)
    : to_(host.err_is_terminal ? host.err : nullptr), total_(total), unit_(unit), start_(Clock::now()), next_(start_ + kFirst) {}

void Progress::show(std::uint64_t done) {
  if (to_ == nullptr || total_ == 0) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kBetween;
  const auto filled = static_cast<std::size_t>(static_cast<double>(std::min(done, total_)) / static_cast<double>(total_) * kBarCharacters);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  Text text;
  text << "\r[" << std::string(filled, '#') << std::string(kBarCharacters - filled, ' ') << "] ";
  const double rate = static_cast<double>(done) / seconds;
  if (unit_ == kProgressBytes) {
    print_size(text, done);
    print_size(text << '/', total_);
    print_size(text << ", ", static_cast<std::uint64_t>(rate));
    text << "/s";
    if (done != 0 && done < total_) {
      const auto left = static_cast<std::uint64_t>(static_cast<double>(total_ - done) / rate);
      text << ", ";
      if (left >= 60) text.dec(left / 60) << " min ";
      text.dec(left % 60) << " s left";
    }
  } else {
    text.dec(done) << '/';
    text.dec(total_) << ' ' << unit_ << ", ";
    text.dec(static_cast<std::uint64_t>(rate)) << ' ' << unit_ << "/s";
  }
  // Over the line before, not on an empty one: that would flicker. No escape sequences: terminals may have none.
  const std::size_t length = text.size() - 1;
  for (std::size_t i = length; i < shown_; ++i) text << ' ';
  to_->write(text.view());
  shown_ = std::max(shown_, length);
}

void Progress::clear() {
  if (shown_ != 0) to_->write('\r' + std::string(shown_, ' ') + '\r');
  shown_ = 0;
}

void print_size(Text& out, std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits = {" bytes", " kB", " MB", " GB"};
  std::size_t unit = 0;
  std::uint64_t tenths = bytes * 10;
  for (; tenths >= 10'000 && unit + 1 < kUnits.size(); ++unit) tenths = (tenths + 500) / 1000;
  out.dec(tenths / 10);
  if (unit != 0) {
    out << '.';
    out.dec(tenths % 10);
  }
  out << kUnits[unit];
}

}  // namespace unshade::cli::print
