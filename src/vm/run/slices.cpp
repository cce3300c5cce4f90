#include "vm/run/slices.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/core/parallel.hpp>

#include "vm/memory/journal.hpp"
#include "vm/memory/pages.hpp"
#include "vm/observe.hpp"
#include "vm/run/groups.hpp"

namespace unshade::vm {
namespace {

using ir::Effects;
using ir::Extra;
using ir::kNone;
using ir::Op;

/// Slices for each thread, so that all end at about the same time.
constexpr std::uint64_t kSlicesOfThread = 16;
constexpr std::uint64_t kMostUnits = 4096;
/// Of slices that share memory: those of a round for each thread, the bytes of pages that all of a round may keep, and what a lane of them
/// is thought to take.
constexpr std::size_t kSlicesOfRound = 8, kBytesOfRound = std::size_t{1} << 27, kBytesOfLane = 32;

// --- what programs touch -----------------------------------------------------------------------------------------------------------------

/// Memory that a program reads or writes.
struct Touched {
  std::span<std::byte> bytes{};
  bool read = false, written = false;
  bool is_noted = true;  ///< by accesses that note which words a slice reads
};

void touch(const texel::Descriptor& one, Touched how, std::vector<Touched>& to) {
  how.bytes = one.bytes;
  if (!one.bytes.empty()) to.push_back(how);
  if (how.written && one.counter != nullptr)
    to.push_back({.bytes = std::as_writable_bytes(std::span(one.counter, 1)), .written = true, .is_noted = false});
}

/// All that a handle may mean.
void touch(const Run& run, ir::Id handle, const Touched& how, std::vector<Touched>& to) {
  const ir::Inst& made = run.program.function->insts[handle];
  if (made.op == Op::handle) {
    for (const texel::Descriptor& one : run.resources.rows[made.extra]) touch(one, how, to);
    return;
  }
  for (const texel::Descriptor* const one : run.table) {
    if (one != nullptr) touch(*one, how, to);
  }
}

/// Memory that is read and written. Nothing: by accesses that do not note it.
std::optional<SharedMemory> read_and_written(std::vector<Touched>& touched) {
  std::ranges::sort(touched, {}, [](const Touched& one) { return one.bytes.data(); });
  SharedMemory made;
  for (std::size_t at = 0; at < touched.size();) {
    // all that overlaps, one with the next
    Touched all = touched[at++];
    for (; at < touched.size() && touched[at].bytes.data() < all.bytes.data() + all.bytes.size(); ++at) {
      const Touched& one = touched[at];
      const auto end = static_cast<std::size_t>(one.bytes.data() + one.bytes.size() - all.bytes.data());
      all = {{all.bytes.data(), std::max(all.bytes.size(), end)},
             all.read || one.read,
             all.written || one.written,
             all.is_noted && one.is_noted};
    }
    if (!all.read || !all.written) continue;
    if (!all.is_noted) return std::nullopt;
    made.push_back(all.bytes);
  }
  return made;
}

// --- slices ------------------------------------------------------------------------------------------------------------------------------

/// What a slice leaves to be done in its turn.
struct Slice {
  Report report;
  messages::Log log;
  Journal journal;
  SlicePages pages;
  std::uint64_t operations = 0, starts = 0;
  std::vector<Lanes::Vertex> emitted;
};

/// Of pages.
constexpr std::size_t bytes_of_slice(std::size_t threads) { return kBytesOfRound / (kSlicesOfRound * std::max<std::size_t>(1, threads)); }

/// Lends engines to slices.
class Pool {
 public:
  /// `limits`: of each slice.
  Pool(const Run& like, const Limits& limits, std::size_t waves, std::size_t count, const SharedMemory& shared)
      : shared_(shared), bytes_of_slice_(bytes_of_slice(count)) {
    for (std::size_t k = 0; k < count; ++k) {
      engines_.emplace_back(like.program, like.resources, limits, like.observer);
      Run& run = engines_.back().run;
      run.groups = like.groups;
      run.alone = like.alone;
      run.group_memory.resize(like.group_memory.size());
      make_waves(engines_.back(), waves);
    }
    for (Engine& engine : engines_) free_.push_back(&engine);
  }

  Slice run(std::uint64_t first, std::uint64_t count) {
    Engine& engine = take();
    Slice made;
    engine.run.report = {};
    engine.run.journal = &made.journal;
    made.pages = SlicePages(shared_, bytes_of_slice_);
    engine.run.pages = shared_.empty() ? nullptr : &made.pages;
    engine.run.emitted = &made.emitted;
    engine.run.operations = engine.run.starts = 0;
    run_units(engine, first, count);
    made.report = std::move(engine.run.report);
    made.log = std::exchange(engine.run.log, messages::Log(engine.run.limits.messages));
    made.operations = engine.run.operations;
    made.starts = engine.run.starts;
    const std::lock_guard lock(mutex_);
    free_.push_back(&engine);
    return made;
  }

 private:
  Engine& take() {
    const std::lock_guard lock(mutex_);
    Engine& engine = *free_.back();
    free_.pop_back();
    return engine;
  }

  const SharedMemory& shared_;
  const std::size_t bytes_of_slice_;
  Mutex mutex_;
  std::deque<Engine> engines_;
  std::vector<Engine*> free_;
};

/// Whether a slice ends as it does after all those before.
bool holds(const Engine& engine, const Slice& slice) {
  if (slice.report.stop != Stop::finished) return false;
  const Run& run = engine.run;
  const std::uint64_t left = run.limits.operations - std::min(run.limits.operations, run.operations + run.starts);
  if (slice.operations > left || slice.starts > left - slice.operations) return false;
  return slice.emitted.empty() || slice.emitted.size() + engine.run.emitted->size() <= engine.run.limits.emitted;
}

void commit(Engine& engine, Slice& slice) {
  slice.journal.perform();
  engine.run.log.add(std::move(slice.log));
  engine.run.operations += slice.operations;
  engine.run.starts += slice.starts;
  engine.run.report.divergent_barrier = engine.run.report.divergent_barrier || slice.report.divergent_barrier;
  if (!slice.emitted.empty()) std::ranges::move(slice.emitted, std::back_inserter(*engine.run.emitted));
}

/// Takes back what units of lanes wrote of their outputs.
class Undo {
 public:
  explicit Undo(Lanes* lanes) : lanes_(lanes) {
    if (lanes != nullptr) patch_ = lanes->patch;
  }
  void from(std::uint64_t first_unit, std::uint64_t end_unit) const {
    if (lanes_ == nullptr) return;
    const std::size_t first = std::min<std::uint64_t>(lanes_->count, first_unit * lanes_of_unit(*lanes_));
    const std::size_t end = std::min<std::uint64_t>(lanes_->count, end_unit * lanes_of_unit(*lanes_));
    for (std::size_t row = 0; row < lanes_->outputs.size(); row += lanes_->count)
      std::fill(lanes_->outputs.begin() + static_cast<std::ptrdiff_t>(row + first),
                lanes_->outputs.begin() + static_cast<std::ptrdiff_t>(row + end), 0);
    for (std::size_t row = 0; row < patch_.size(); row += lanes_->count)
      std::copy(patch_.begin() + static_cast<std::ptrdiff_t>(row + first), patch_.begin() + static_cast<std::ptrdiff_t>(row + end),
                lanes_->patch.begin() + static_cast<std::ptrdiff_t>(row + first));
    for (std::size_t lane = first; lane < end; ++lane) lanes_->discarded[lane] = false;
  }

 private:
  Lanes* lanes_;
  std::vector<std::uint64_t> patch_;
};

std::size_t thread_count(const Engine& engine, std::uint64_t units, const Schedule& schedule) {
  const Run& run = engine.run;
  const std::uint64_t bytes = std::max<std::uint64_t>(1, engine_bytes(run.program, engine.waves.size()));
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(std::min<std::uint64_t>(units, run.limits.memory / bytes), 1, schedule.threads));
}

}  // namespace

std::optional<SharedMemory> shared_by_units(const Run& run) {
  const ir::Function& function = *run.program.function;
  const Stage stage = run.program.module.stage;
  if (stage == Stage::mesh || stage == Stage::amplification || (run.alone != nullptr && !run.group_memory.empty())) return std::nullopt;
  const std::vector<bool> used = ir::used_values(function);
  std::vector<Touched> touched;
  for (const Access& access : run.program.accesses) {
    const ir::OpInfo& info = ir::info(access.op);
    const bool writes = has(info.effects, Effects::writes);
    if (!info.operands.starts_with('h')) {
      // what is read is a variable of the group or lane, or an output of the lane, or else depends on what ran before
      if (has(info.effects, Effects::reads) && info.extra != Extra::variable && info.extra != Extra::element) return std::nullopt;
      continue;
    }
    // of operations that only ask for sizes, no result has the type of texels
    if (writes && !info.results.empty() && used[access.inst]) return std::nullopt;
    const bool reads = !writes && info.results.find('t') != std::string_view::npos;
    const bool is_noted = writes || access.op == Op::buffer_load || access.op == Op::texel_load;
    if (writes || reads)
      touch(run, function.operands_of(access.inst)[0], {.read = reads, .written = writes, .is_noted = is_noted}, touched);
  }
  return read_and_written(touched);
}

namespace {

/// Units that run as slices.
class Slicing {
 public:
  Slicing(Engine& engine, std::uint64_t units, const Schedule& schedule, SharedMemory shared)
      : engine_(engine),
        schedule_(schedule),
        shared_(std::move(shared)),
        units_(units),
        each_(std::clamp<std::uint64_t>(units / (std::max(1U, schedule.threads) * kSlicesOfThread), 1,
                                        shared_.empty() ? kMostUnits : units_sharing(engine.run, schedule.threads))),
        undo_(engine.run.alone) {}

  /// All units from `first` on, on this thread.
  void alone(std::uint64_t first) {
    for (; first < units_ && is_going(); first += each_) {
      run_units(engine_, first, std::min(each_, units_ - first));
      progress(std::min(first + each_, units_));
    }
  }

  /// Units of which none sees what another writes: what slices leave is done as soon as all those before are done.
  void apart(std::size_t threads) {
    Pool pool(engine_.run, engine_.run.limits, engine_.waves.size(), threads, shared_);
    std::uint64_t end = units_;
    in_order(
        static_cast<std::size_t>(units_ / each_ + (units_ % each_ != 0 ? 1 : 0)), threads,
        [&](std::size_t slice) { return pool.run(slice * each_, count(slice * each_)); },
        [&](std::size_t at, Slice slice) {
          const std::uint64_t first = at * each_;
          if (holds(engine_, slice)) {
            commit(engine_, slice);
          } else {
            again(first);
          }
          end = first + count(first);
          progress(end);
          return is_going();
        },
        2 * threads);
    undo_.from(end, units_);
  }

  /// Units that may see what others write: in rounds, whose slices all begin with the memory that the round before left. A slice that read
  /// a word which one before it in the round wrote runs again, in its turn.
  void sharing(std::size_t threads) {
    // the first tells how long slices take: of those that wait for what others write, none waits for ever
    const std::uint64_t before = engine_.run.operations + engine_.run.starts;
    run_units(engine_, 0, count(0));
    progress(count(0));
    if (!is_going()) return;
    const std::uint64_t taken = engine_.run.operations + engine_.run.starts - before;
    Limits limits = engine_.run.limits;
    limits.operations = std::min(limits.operations, kMostTimes * taken + kMostMore);
    Pool pool(engine_.run, limits, engine_.waves.size(), threads, shared_);
    WrittenWords written(shared_);
    const std::size_t of_round = threads * kSlicesOfRound;
    std::uint64_t first = count(0);
    while (first < units_ && is_going()) {
      std::vector<Slice> slices;
      slices.reserve(of_round);
      in_order(
          static_cast<std::size_t>(std::min<std::uint64_t>(of_round, (units_ - first + each_ - 1) / each_)), threads,
          [&](std::size_t at) { return pool.run(first + at * each_, count(first + at * each_)); },
          [&](std::size_t, Slice slice) {
            slices.push_back(std::move(slice));
            return true;
          });
      written.clear();
      const std::size_t ran = slices.size(), late = finish_round(pool, slices, first, written);
      // most wait for others: the order is all that there is to gain
      if (2 * late > ran) return alone(first);
    }
    undo_.from(first, units_);
  }

 private:
  static constexpr std::uint64_t kMostTimes = 16, kMostMore = 1 << 16;

  /// As many as keep few pages.
  static std::uint64_t units_sharing(const Run& run, unsigned threads) {
    const std::uint64_t lanes = run.alone != nullptr ? lanes_of_unit(*run.alone) : threads_of(run.program);
    return std::clamp<std::uint64_t>(bytes_of_slice(threads) / kBytesOfLane / std::max<std::uint64_t>(1, lanes), 1, kMostUnits);
  }
  std::uint64_t count(std::uint64_t first) const { return std::min(each_, units_ - first); }
  bool is_going() const { return engine_.run.report.stop == Stop::finished; }
  void progress(std::uint64_t done) const {
    if (schedule_.progress != nullptr) schedule_.progress(schedule_.self, done, units_);
  }
  /// Runs a slice on this thread, in its turn.
  void again(std::uint64_t first) {
    undo_.from(first, first + count(first));
    run_units(engine_, first, count(first));
  }

  /// Does what the slices of a round leave, from unit `first` on, which it moves behind them. Returns how many ran again.
  std::size_t finish_round(Pool& pool, std::vector<Slice>& slices, std::uint64_t& first, WrittenWords& written) {
    std::size_t late = 0;
    bool is_known = true;  // what those before wrote
    for (std::size_t at = 0; at < slices.size() && is_going(); ++at) {
      Slice& slice = slices[at];
      if (is_known && holds(engine_, slice) && !slice.pages.depends_on(written)) {
        commit(engine_, slice);
        slice.pages.commit(written);
      } else {
        ++late;
        undo_.from(first, first + count(first));
        const bool is_full = slice.journal.is_full() || slice.pages.is_full();
        slice = Slice();
        Slice made = is_full ? Slice() : pool.run(first, count(first));
        if (!is_full && holds(engine_, made)) {
          commit(engine_, made);
          made.pages.commit(written);
        } else {
          again(first);
          is_known = false;
        }
      }
      slice = Slice();
      first += count(first);
      progress(first);
    }
    return late;
  }

  Engine& engine_;
  const Schedule& schedule_;
  const SharedMemory shared_;
  const std::uint64_t units_, each_;
  const Undo undo_;
};

}  // namespace

void run_all(Engine& engine, std::uint64_t units, const Schedule& schedule) {
  std::optional<SharedMemory> shared;
  if (schedule.threads > 1 && units > 1 && !is_watched(engine.run.observer)) shared = shared_by_units(engine.run);
  const bool is_apart = shared && shared->empty();
  const std::size_t threads = shared ? thread_count(engine, units, schedule) : 1;
  Slicing slicing(engine, units, schedule, shared ? *std::move(shared) : SharedMemory());
  if (threads <= 1) {
    slicing.alone(0);
  } else if (is_apart) {
    slicing.apart(threads);
  } else {
    slicing.sharing(threads);
  }
}

}  // namespace unshade::vm
