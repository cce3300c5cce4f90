// What users run programs by, and what is checked before.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <unshade/vm/machine.hpp>

#include "vm/program.hpp"
#include "vm/run/groups.hpp"
#include "vm/run/slices.hpp"

namespace unshade::vm {

std::string_view id(Stop stop) {
  switch (stop) {
    case Stop::finished: return "finished";
    case Stop::budget: return "budget";
    case Stop::breakpoint: return "breakpoint";
    default: return "fault";
  }
}

std::string_view id(Misuse misuse) { return misuse == Misuse::undefined ? "undefined" : "out-of-bounds"; }

namespace {

// That exist at once to run so many lanes.
std::uint64_t waves_of(const Program::Data& program, std::uint64_t lanes) {
  return program.waits ? std::max<std::uint64_t>(1, (lanes + program.wave - 1) / program.wave) : 1;
}

Result<void> check_memory(const Program::Data& program, std::uint64_t waves, const Limits& limits) {
  const std::uint64_t bytes = engine_bytes(program, waves);
  if (bytes <= limits.memory) return {};
  return Error{ErrorCode::limit, 0, "memory",
               std::to_string(waves) + " waves and the memory of a group take " + std::to_string(bytes) + " bytes of " +
                   std::to_string(limits.memory)};
}

}  // namespace

Runner::Runner(Program program, Resources& resources, const Limits& limits, const Observer& observer) : program_(std::move(program)) {
  const Program::Data* data = &program_.data();
  if (is_watched(observer)) {
    if (const auto watched = watched_data(*data)) {
      data = *watched;
    } else {
      refused_ = watched.error();
    }
  }
  engine_ = std::make_unique<Engine>(*data, resources, limits, observer);
  engine_->run.group_memory.resize(program_.data().group_bytes);
}
Runner::Runner(Runner&&) noexcept = default;
Runner::~Runner() = default;

void Runner::bind() {
  engine_->run.bind();
  if (!engine_->waves.empty()) run_preamble(*engine_);
}

Result<void> Runner::make_room(std::uint64_t waves) {
  if (refused_) return *refused_;
  if (auto fits = check_memory(engine_->run.program, waves, engine_->run.limits); !fits) return fits;
  make_waves(*engine_, waves);
  return {};
}

void Runner::begin() {
  engine_->run.operations = engine_->run.starts = 0;
  engine_->run.report = {};
  engine_->run.log.clear();
}

Result<Report> Runner::dispatch(std::array<std::uint32_t, 3> groups, const Schedule& schedule, Groups* made) {
  Engine& engine = *engine_;
  const Program::Data& data = engine.run.program;
  const std::uint64_t threads = threads_of(data);
  if (threads == 0 || threads > kMostThreads) {
    const auto& size = data.module.info.group_size;
    return Error{ErrorCode::limit, 0, "group_size",
                 "expected 1 to " + std::to_string(kMostThreads) + " threads, found " + std::to_string(size[0]) + " x " +
                     std::to_string(size[1]) + " x " + std::to_string(size[2])};
  }
  const std::uint64_t waves = waves_of(data, threads);
  if (engine.waves.size() != waves) {
    if (auto made_room = make_room(waves); !made_room) return std::move(made_room).error();
  }
  begin();
  engine.run.groups = groups;
  engine.run.alone = nullptr;
  engine.run.emitted = nullptr;
  engine.run.to = nullptr;
  engine.run.made_bytes = 0;
  if (made != nullptr && data.module.stage != Stage::compute) {
    constexpr std::uint64_t kMost = 65536;  // of each: keeps sums in range
    const GroupSize size(data.module);
    if (size.vertices > kMost || size.primitives > kMost || size.bytes() > engine.run.limits.memory)
      return Error{ErrorCode::limit, 0, "memory", "the outputs of a group are larger than the limit"};
    made->made.clear();
    engine.run.to = made;
  }
  // more than 2^64 groups do not end in any case
  const std::uint64_t plane = std::uint64_t{groups[0]} * groups[1];
  const bool fits = plane == 0 || groups[2] <= ~std::uint64_t{0} / plane;
  run_all(engine, fits ? plane * groups[2] : ~std::uint64_t{0}, schedule);
  engine.run.report.operations = engine.run.operations;
  engine.run.log.move_to(engine.run.report);
  return std::move(engine.run.report);
}

Result<Report> Runner::run(Lanes& lanes, const Schedule& schedule) {
  Engine& engine = *engine_;
  const std::uint32_t inputs = engine.run.program.inputs;
  const std::uint64_t outputs = engine.run.program.outputs, patch = engine.run.program.patch;
  if (lanes.inputs.size() != std::uint64_t{inputs} * lanes.vertices * lanes.count) {
    return Error{
        ErrorCode::bad_value, 0, "inputs",
        std::to_string(lanes.inputs.size()) + " values, expected " + std::to_string(std::uint64_t{inputs} * lanes.vertices * lanes.count)};
  }
  if ((outputs + patch) * lanes.count * 8 > engine.run.limits.memory)
    return Error{ErrorCode::limit, 0, "memory", "the outputs are larger than the limit"};
  const std::uint64_t waves = waves_of(engine.run.program, std::min<std::uint64_t>(lanes.count, lanes_of_unit(lanes)));
  if (engine.waves.size() < waves) {
    if (auto made_room = make_room(waves); !made_room) return std::move(made_room).error();
  }
  begin();
  engine.run.groups = {1, 1, 1};
  engine.run.group = {};
  engine.run.alone = &lanes;
  engine.run.emitted = &lanes.emitted;
  engine.run.to = nullptr;
  std::ranges::fill(engine.run.group_memory, std::byte{});
  lanes.outputs.assign(outputs * lanes.count, 0);
  lanes.patch.resize(patch * lanes.count);
  lanes.discarded.assign(lanes.count, false);
  lanes.emitted.clear();
  run_all(engine, (std::uint64_t{lanes.count} + lanes_of_unit(lanes) - 1) / lanes_of_unit(lanes), schedule);
  // a shader may emit in several places, and waves reach those of one lane after another's
  if (!std::ranges::is_sorted(lanes.emitted, {}, &Lanes::Vertex::lane)) std::ranges::stable_sort(lanes.emitted, {}, &Lanes::Vertex::lane);
  engine.run.report.operations = engine.run.operations;
  engine.run.log.move_to(engine.run.report);
  return std::move(engine.run.report);
}

Result<Report> dispatch(const Program& program, Resources& resources, std::array<std::uint32_t, 3> groups, const Limits& limits,
                        const Observer& observer, const Schedule& schedule, Groups* made) {
  return Runner(program, resources, limits, observer).dispatch(groups, schedule, made);
}

Result<Report> run_lanes(const Program& program, Resources& resources, Lanes& lanes, const Limits& limits, const Observer& observer,
                         const Schedule& schedule) {
  return Runner(program, resources, limits, observer).run(lanes, schedule);
}

}  // namespace unshade::vm
