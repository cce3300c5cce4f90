#include "dxbc/validate/written_temps.hpp"

#include <algorithm>

#include <unshade/dxbc/program/limits.hpp>

namespace unshade::dxbc::validate {

namespace {

constexpr std::size_t kStateBits = 64;

}  // namespace

void WrittenTemps::begin(std::uint32_t registers) {
  const std::size_t components = std::size_t{4} * std::min(registers, program::kTempRegisters);
  is_active_ = true;
  has_calls_ = false;
  loops_ = 0;
  now_.written.assign((components + kStateBits - 1) / kStateBits, 0);
  now_.is_reachable = true;
  blocks_.clear();
  last_write_.assign(components, 0);
  waiting_.clear();
}

void WrittenTemps::read(const Read& read) {
  if (!is_active_ || !now_.is_reachable || read.component >= last_write_.size()) return;
  std::uint64_t& word = now_.written[read.component / kStateBits];
  const std::uint64_t bit = std::uint64_t{1} << read.component % kStateBits;
  if ((word & bit) != 0) return;
  word |= bit;  // one finding is enough
  (loops_ != 0 || has_calls_ ? waiting_ : found_).push_back(read);
}

void WrittenTemps::write(std::uint32_t component, std::uint32_t instruction) {
  if (!is_active_ || component >= last_write_.size()) return;
  now_.written[component / kStateBits] |= std::uint64_t{1} << component % kStateBits;
  last_write_[component] = instruction + 1;
}

void WrittenTemps::join(State& into, const State& other) {
  if (!other.is_reachable) return;
  if (!into.is_reachable) {
    into = other;
    return;
  }
  for (std::size_t i = 0; i < into.written.size() && i < other.written.size(); ++i) into.written[i] |= other.written[i];
}

void WrittenTemps::open(Kind kind, std::uint32_t instruction) {
  if (!is_active_) return;
  if (blocks_.size() >= program::kFlowDepth) return stop();
  Block& block = blocks_.emplace_back();
  block.kind = kind;
  block.first_instruction = instruction;
  block.first_waiting = waiting_.size();
  block.behind.is_reachable = false;
  if (kind != Kind::loop) block.entry = now_;
}

void WrittenTemps::begin_if() { open(Kind::if_, 0); }

void WrittenTemps::begin_else() {
  if (!is_active_) return;
  if (blocks_.empty()) return stop();
  Block& block = blocks_.back();
  block.has_other = true;
  block.behind = std::exchange(now_, block.entry);
}

void WrittenTemps::begin_switch() {
  open(Kind::switch_, 0);
  now_.is_reachable = false;
}

void WrittenTemps::begin_case(bool is_default) {
  if (!is_active_) return;
  if (blocks_.empty()) return stop();
  Block& block = blocks_.back();
  block.has_other = block.has_other || is_default;
  join(now_, block.entry);
}

void WrittenTemps::begin_loop(std::uint32_t instruction) {
  open(Kind::loop, instruction);
  ++loops_;
}

void WrittenTemps::end_block() {
  if (!is_active_) return;
  if (blocks_.empty()) return stop();
  Block block = std::move(blocks_.back());
  blocks_.pop_back();
  if (block.kind != Kind::loop) {
    join(now_, block.behind);
    if (!block.has_other) join(now_, block.entry);
    return;
  }
  --loops_;
  now_ = std::move(block.behind);
  // What the body writes after a read it has written when it runs again.
  const auto first = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(block.first_waiting, waiting_.size()));
  const auto is_written = [&](const Read& read) { return last_write_[read.component] > block.first_instruction; };
  waiting_.erase(std::remove_if(first, waiting_.end(), is_written), waiting_.end());
  if (loops_ != 0 || has_calls_) return;
  found_.insert(found_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
}

void WrittenTemps::leave_block(bool always) {
  if (!is_active_) return;
  const auto block = std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Block& b) { return b.kind != Kind::if_; });
  if (block == blocks_.rend()) return stop();
  join(block->behind, now_);
  leave(always);
}

void WrittenTemps::leave(bool always) {
  if (always) now_.is_reachable = false;
}

void WrittenTemps::begin_function() {
  call();
  std::fill(now_.written.begin(), now_.written.end(), 0);
  now_.is_reachable = true;
  blocks_.clear();
  loops_ = 0;
}

std::vector<WrittenTemps::Read> WrittenTemps::finish() {
  for (const Read& read : waiting_)
    if (last_write_[read.component] == 0) found_.push_back(read);
  waiting_.clear();
  if (!is_active_) found_.clear();
  return std::exchange(found_, {});
}

}  // namespace unshade::dxbc::validate
