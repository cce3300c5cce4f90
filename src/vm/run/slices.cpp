#include "vm/run/slices.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <span>
#include <utility>

#include <unshade/core/mutex.hpp>
#include <unshade/core/parallel.hpp>

#include "vm/memory/journal.hpp"
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

// --- what programs touch -----------------------------------------------------------------------------------------------------------------

/// Memory that a program reads or writes.
struct Touched {
  std::span<const std::byte> bytes;
  bool written;
};

void touch(const texel::Descriptor& one, bool written, std::vector<Touched>& to) {
  if (!one.bytes.empty()) to.push_back({one.bytes, written});
  if (written && one.counter != nullptr) to.push_back({std::as_bytes(std::span(one.counter, 1)), true});
}

/// All that a handle may mean.
void touch(const Run& run, ir::Id handle, bool written, std::vector<Touched>& to) {
  const ir::Inst& made = run.program.function->insts[handle];
  if (made.op == Op::handle) {
    for (const texel::Descriptor& one : run.resources.rows[made.extra]) touch(one, written, to);
    return;
  }
  for (const texel::Descriptor* const one : run.table) {
    if (one != nullptr) touch(*one, written, to);
  }
}

/// Whether memory is written of which something is read.
bool overlap(std::vector<Touched>& touched) {
  std::ranges::sort(touched, {}, [](const Touched& one) { return one.bytes.data(); });
  const std::byte* read_to = nullptr;
  const std::byte* written_to = nullptr;
  for (const Touched& one : touched) {
    const std::byte* const begin = one.bytes.data();
    const std::byte* const end = begin + one.bytes.size();
    if ((one.written ? read_to : written_to) > begin) return true;
    const std::byte*& to = one.written ? written_to : read_to;
    to = std::max(to, end);
  }
  return false;
}

// --- slices ------------------------------------------------------------------------------------------------------------------------------

/// What a slice leaves to be done in its turn.
struct Slice {
  Report report;
  messages::Log log;
  Journal journal;
  std::uint64_t operations = 0, starts = 0;
  std::vector<Lanes::Vertex> emitted;
};

/// Lends engines to slices.
class Pool {
 public:
  Pool(const Run& like, std::size_t waves, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      engines_.emplace_back(like.program, like.resources, like.limits, like.observer);
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
  if (schedule.threads <= 1 || units <= 1 || is_watched(run.observer) || !runs_apart(run)) return 1;
  const std::uint64_t bytes = std::max<std::uint64_t>(1, engine_bytes(run.program, engine.waves.size()));
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(std::min<std::uint64_t>(units, run.limits.memory / bytes), 1, schedule.threads));
}

}  // namespace

bool runs_apart(const Run& run) {
  const ir::Function& function = *run.program.function;
  const Stage stage = run.program.module.stage;
  if (stage == Stage::mesh || stage == Stage::amplification || (run.alone != nullptr && !run.group_memory.empty())) return false;
  const std::vector<bool> used = ir::used_values(function);
  std::vector<Touched> touched;
  for (const Access& access : run.program.accesses) {
    const ir::OpInfo& info = ir::info(access.op);
    const bool writes = has(info.effects, Effects::writes);
    if (!info.operands.starts_with('h')) {
      // what is read is a variable of the group or lane, or an output of the lane, or else depends on what ran before
      if (has(info.effects, Effects::reads) && info.extra != Extra::variable && info.extra != Extra::element) return false;
      continue;
    }
    // of operations that only ask for sizes, no result has the type of texels
    if (writes && !info.results.empty() && used[access.inst]) return false;
    if (writes || info.results.find('t') != std::string_view::npos) touch(run, function.operands_of(access.inst)[0], writes, touched);
  }
  return !overlap(touched);
}

void run_all(Engine& engine, std::uint64_t units, const Schedule& schedule) {
  Report& report = engine.run.report;
  const std::size_t threads = thread_count(engine, units, schedule);
  const std::uint64_t each = std::clamp<std::uint64_t>(units / (std::max(1U, schedule.threads) * kSlicesOfThread), 1, kMostUnits);
  const auto progress = [&](std::uint64_t done) {
    if (schedule.progress != nullptr) schedule.progress(schedule.self, done, units);
  };
  if (threads <= 1) {
    for (std::uint64_t first = 0; first < units && report.stop == Stop::finished; first += each) {
      run_units(engine, first, std::min(each, units - first));
      progress(std::min(first + each, units));
    }
    return;
  }
  Pool pool(engine.run, engine.waves.size(), threads);
  const Undo undo(engine.run.alone);
  const auto count = [&](std::uint64_t slice) { return std::min(each, units - slice * each); };
  std::uint64_t end = units;
  in_order(
      static_cast<std::size_t>(units / each + (units % each != 0 ? 1 : 0)), threads,
      [&](std::size_t slice) { return pool.run(slice * each, count(slice)); },
      [&](std::size_t at, Slice slice) {
        if (holds(engine, slice)) {
          commit(engine, slice);
        } else {
          undo.from(at * each, at * each + count(at));
          run_units(engine, at * each, count(at));
        }
        end = at * each + count(at);
        progress(end);
        return report.stop == Stop::finished;
      },
      2 * threads);
  undo.from(end, units);
}

}  // namespace unshade::vm
