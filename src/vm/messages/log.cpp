#include "vm/messages/log.hpp"

#include <iterator>
#include <utility>

#include <unshade/ir/message.hpp>

namespace unshade::vm {

std::string text_of(const ir::Module& module, const Printed& printed) {
  return ir::text_of(module.messages[printed.message], printed.values);
}

namespace messages {

bool Log::count(const std::array<std::uint32_t, 3>& group, std::uint32_t lane) {
  last_ = {{group[2], group[1], group[0]}, lane, count_++};
  return !end_ || last_ < *end_;
}

// What is kept is all that comes before `end_`, so that it is the same set in whatever order messages come.
void Log::shorten() {
  while (kept_.size() > most_ || bytes_ > kMostBytes) {
    const auto last = std::prev(kept_.end());
    bytes_ -= last->second.bytes;
    end_ = last->first;
    kept_.erase(last);
  }
}

void Log::keep(Printed printed, std::size_t characters) {
  constexpr std::size_t kOfMessage = 128, kOfValue = 32;  // a value is a number of 8 bytes, and a text of about 24
  const std::size_t bytes = kOfMessage + characters + printed.values.size() * kOfValue;
  bytes_ += bytes;
  kept_.emplace(last_, Kept{std::move(printed), bytes});
  shorten();
}

void Log::add(Log other) {
  if (other.end_ && (!end_ || *other.end_ < *end_)) end_ = other.end_;
  count_ += other.count_;
  for (auto& [place, kept] : other.kept_) {
    bytes_ += kept.bytes;
    kept_.emplace(place, std::move(kept));
  }
  if (end_) {
    for (auto one = kept_.lower_bound(*end_); one != kept_.end(); one = kept_.erase(one)) bytes_ -= one->second.bytes;
  }
  shorten();
}

void Log::move_to(Report& report) {
  report.messages.reserve(kept_.size());
  for (auto& [place, kept] : kept_) report.messages.push_back(std::move(kept.printed));
  report.more_messages = count_ - report.messages.size();
  clear();
}

}  // namespace messages
}  // namespace unshade::vm
