#include <unshade/run/session.hpp>

#include <algorithm>
#include <bit>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/shader/flow.hpp>

namespace unshade::run {

namespace {

constexpr std::uint32_t kLanes = 128;

Session::Number number_of(const Value& value) {
  using Kind = Session::Number::Kind;
  if (const bool* const boolean = value.as_boolean()) return {Kind::boolean, *boolean ? 1U : 0U};
  if (const auto* const integer = value.as_integer())
    return integer->negative ? Session::Number{Kind::signed_, ~integer->magnitude + 1}
                             : Session::Number{Kind::unsigned_, integer->magnitude};
  if (const std::string* const text = value.as_text())
    return {*text == "nan" ? Kind::nan : text->starts_with('-') ? Kind::minus_infinity : Kind::infinity, 0};
  if (const Real* const real = value.as_real()) {
    if (real->single) return {Kind::single, std::bit_cast<std::uint32_t>(real->narrow)};
    return {Kind::real, std::bit_cast<std::uint64_t>(real->wide)};
  }
  return {};
}

/// Whether a name in a trace is one of the listing, and not that of a value that has none.
bool is_register(std::string_view name) {
  constexpr std::string_view kUnnamed = "value";
  return !name.starts_with(kUnnamed) || name.find_first_not_of("0123456789", kUnnamed.size()) != std::string_view::npos;
}

}  // namespace

Result<SessionRecorder> SessionRecorder::of(const shader::Shader& shader, std::string_view function, const SessionOptions& options) {
  auto stepped = shader::stepped_lines(shader, function);
  if (!stepped) return std::move(stepped).error();
  Text listing;
  const auto flow = shader::control_flow(shader, listing, options.listing);
  if (!flow) return flow.error();

  SessionRecorder made;
  made.room_ = options.record;
  Session& session = made.session_;
  for (const shader::FlowFunction& one : flow->functions) {
    session.functions_.push_back(one.name);
    for (const shader::FlowBlock& block : one.blocks) {
      if (session.function_of_line_.size() < std::size_t{block.line} + block.lines)
        session.function_of_line_.resize(std::size_t{block.line} + block.lines);
      for (std::uint32_t k = 0; k < block.lines; ++k)
        session.function_of_line_[block.line + std::size_t{k}] = static_cast<std::uint32_t>(session.functions_.size());
    }
  }
  session.lines_ = shader::lines_in_listing(shader.family, listing.view(), *flow, *stepped);
  session.texts_ = std::move(stepped->lines);
  return made;
}

bool SessionRecorder::add(std::uint32_t instruction, const Value& value, const Session::Lanes& active) {
  if (!session_.whole_) return false;
  Session::Step step{instruction, static_cast<std::uint32_t>(session_.names_of_steps_.size()), 0, session_.numbers_.size(), active};
  const auto* const lanes = value.find("lanes")->as_list();
  if (!lanes->empty()) {
    const auto& first = *lanes->front().as_map();
    for (std::size_t k = 1; k < first.size(); ++k) {
      if (!is_register(first[k].key)) continue;
      ++step.names;
      session_.names_of_steps_.push_back(name_of(first[k].key));
      for (const Value& lane : *lanes) session_.numbers_.push_back(number_of((*lane.as_map())[k].value));
    }
  }
  std::size_t printed_bytes = 0;
  step.first_printed = static_cast<std::uint32_t>(session_.printed_.size());
  if (const Value* const messages = value.find("messages")) {
    for (const Value& one : *messages->as_list()) {
      session_.printed_.push_back({static_cast<std::uint32_t>(one.find("lane")->as_integer()->magnitude), *one.find("text")->as_text()});
      printed_bytes += sizeof(Session::Printed) + session_.printed_.back().text.size();
    }
    step.printed = static_cast<std::uint32_t>(session_.printed_.size()) - step.first_printed;
  }
  session_.waves_[wave_of(value)].steps.push_back(static_cast<std::uint32_t>(session_.record_.size()));
  session_.record_.push_back(step);
  const std::size_t taken = sizeof(Session::Step) + sizeof(std::uint32_t) * (1 + step.names) +
                            sizeof(Session::Number) * step.names * lanes->size() + printed_bytes;
  session_.whole_ = taken <= room_;
  room_ -= std::min(room_, taken);
  return session_.whole_;
}

std::uint32_t SessionRecorder::name_of(const std::string& name) {
  const auto [found, is_new] = names_.emplace(name, static_cast<std::uint32_t>(session_.names_.size()));
  if (is_new) session_.names_.push_back(name);
  return found->second;
}

std::size_t SessionRecorder::wave_of(const Value& step) {
  std::array<std::uint32_t, 3> group{};
  const auto* const list = step.find("group")->as_list();
  for (std::size_t k = 0; k < 3; ++k) group[k] = static_cast<std::uint32_t>((*list)[k].as_integer()->magnitude);
  const auto number = static_cast<std::uint32_t>(step.find("wave")->as_integer()->magnitude);
  const auto [found, is_new] = waves_.emplace(std::pair{group, number}, session_.waves_.size());
  if (is_new) session_.waves_.push_back({group, number, {}});
  return found->second;
}

Session SessionRecorder::finish(Value result, const std::vector<bool>& executed) && {
  session_.result_ = std::move(result);
  const std::size_t count = std::min(executed.size(), session_.lines_.size());
  for (std::size_t instruction = 0; instruction < count; ++instruction)
    if (executed[instruction] && session_.lines_[instruction] != 0) session_.stop_lines_.push_back(session_.lines_[instruction]);
  std::ranges::sort(session_.stop_lines_);
  return std::move(session_);
}

Result<Session> Session::record(const shader::Shader& shader, const Value& given, const SessionOptions& options,
                                const shader::LowerOptions& lowering) {
  shader::LowerOptions stepped = lowering;
  stepped.keep_copies = true;
  const auto runnable = prepare(shader, stepped, 0);
  if (!runnable) return runnable.error();
  auto recorder = SessionRecorder::of(shader, runnable->module().functions.front().name, options);
  if (!recorder) return std::move(recorder).error();

  struct Recording {
    SessionRecorder& recorder;
    const RunOptions& options;
    Lanes active{};
  } recording{*recorder, options.run};
  RunOptions run = options.run;
  run.trace = [](void* self, std::uint32_t instruction, const Value& step) {
    auto& own = *static_cast<Recording*>(self);
    return own.recorder.add(instruction, step, own.active);
  };
  // these get their own `self`
  if (run.read_file != nullptr) {
    run.read_file = [](void* self, std::string_view path) {
      const RunOptions& own = static_cast<Recording*>(self)->options;
      return own.read_file(own.self, path);
    };
  }
  if (run.read_picture != nullptr) {
    run.read_picture = [](void* self, std::span<const std::byte> file) {
      const RunOptions& own = static_cast<Recording*>(self)->options;
      return own.read_picture(own.self, file);
    };
  }
  run.progress = nullptr;
  run.self = &recording;
  run.traced_active = &recording.active;
  run.lines = &recorder->lines();
  vm::Profile profile;
  run.profile = &profile;  // tells what is executed at all
  run.breakpoints.clear();
  run.trace_lanes.clear();
  run.trace_all_lanes = true;
  auto result = execute(*runnable, given, run);
  if (!result) return std::move(result).error();
  return (*std::move(recorder)).finish(*std::move(result), profile.counted);
}

bool Session::follow(std::size_t wave) {
  if (wave >= waves_.size()) return false;
  followed_ = wave;
  position_ = 0;
  return true;
}

void Session::seek(std::size_t position) { position_ = std::min(position, steps()); }

std::uint32_t Session::stop_line(std::uint32_t line) const {
  const auto found = std::ranges::lower_bound(stop_lines_, line);
  if (line == 0 || found == stop_lines_.end()) return 0;
  // declarations stand before the function
  const std::uint32_t function = function_of_line(line);
  return function == 0 || function == function_of_line(*found) ? *found : 0;
}

bool Session::stops_at(std::size_t position) const {
  return !lane_ || (*lane_ < kLanes && (step_at(position).active[*lane_ / 64] >> (*lane_ % 64) & 1) != 0);
}

bool Session::move(std::int64_t count) {
  std::size_t at = position_;
  for (; count > 0; --count) {
    if (at == steps()) break;
    for (++at; at < steps() && !stops_at(at);) ++at;
  }
  for (; count < 0; ++count) {
    std::size_t before = at;
    while (before > 0 && !stops_at(before - 1)) --before;
    if (before == 0) break;
    at = before - 1;
  }
  seek(count < 0 ? 0 : at);
  return count == 0;
}

void Session::over() {
  if (at_end()) return;
  const Step& from = step_at(position_);
  const std::uint32_t function = function_of(from);
  std::size_t elsewhere = steps();
  for (std::size_t at = position_ + 1; at < steps(); ++at) {
    if (!stops_at(at)) continue;
    const bool is_same = function_of(step_at(at)) == function;
    if (is_same && step_at(at).instruction > from.instruction) return seek(at);
    if (!is_same && elsewhere == steps()) elsewhere = at;
  }
  seek(elsewhere);
}

bool Session::run_to(std::span<const std::uint32_t> lines, bool backwards) {
  std::vector<std::uint32_t> stops;
  for (const std::uint32_t line : lines)
    if (const std::uint32_t stop = stop_line(line); stop != 0) stops.push_back(stop);
  const auto is_there = [&](std::size_t at) { return stops_at(at) && std::ranges::find(stops, line_of(step_at(at))) != stops.end(); };
  if (backwards) {
    for (std::size_t at = position_; at-- > 0;) {
      if (!is_there(at)) continue;
      seek(at);
      return true;
    }
    seek(0);
    return false;
  }
  for (std::size_t at = position_ + 1; at < steps(); ++at) {
    if (!is_there(at)) continue;
    seek(at);
    return true;
  }
  seek(steps());
  return false;
}

// Numbers of a step are name by name, each of its active lanes.
bool Session::writes_odd(const Step& step) const {
  const auto in_range = [&](std::size_t from, std::size_t count) {
    const auto numbers = std::span(numbers_).subspan(from, count);
    return std::any_of(numbers.begin(), numbers.end(), [](const Number& number) { return number.is_odd(); });
  };
  const auto count = [](std::uint64_t low, std::uint64_t high) {
    return static_cast<std::size_t>(std::popcount(low) + std::popcount(high));
  };
  const std::size_t lanes = count(step.active[0], step.active[1]);
  if (!lane_) return in_range(step.first_number, step.names * lanes);
  const std::uint64_t below = (std::uint64_t{1} << (*lane_ % 64)) - 1;
  const std::size_t place = *lane_ < 64 ? count(step.active[0] & below, 0) : count(step.active[0], step.active[1] & below);
  for (std::uint32_t name = 0; name < step.names; ++name)
    if (in_range(step.first_number + name * lanes + place, 1)) return true;
  return false;
}

bool Session::run_to_odd() {
  for (std::size_t at = position_; at < steps(); ++at) {
    if (!stops_at(at) || !writes_odd(step_at(at))) continue;
    seek(at + 1);
    return true;
  }
  seek(steps());
  return false;
}

std::string_view Session::text() const {
  return step().instruction < texts_.size() ? trimmed(texts_[step().instruction]) : std::string_view();
}

std::string_view Session::function() const {
  const std::uint32_t function = function_of(step());
  return function == 0 ? std::string_view() : std::string_view(functions_[function - 1]);
}

std::size_t Session::last_step() const {
  std::size_t last = position_;
  while (last > 0 && !stops_at(last - 1)) --last;
  return last;
}

std::span<const Session::Printed> Session::printed() const {
  const std::size_t last = waves_.empty() ? 0 : last_step();
  if (last == 0) return {};
  return std::span(printed_).subspan(step_at(last - 1).first_printed, step_at(last - 1).printed);
}

std::vector<Session::Register> Session::registers() const {
  std::vector<Register> registers;
  if (waves_.empty()) return registers;
  std::vector<std::size_t> place(names_.size(), ~std::size_t{0});
  const std::size_t last = last_step();
  for (std::size_t at = 0; at < position_; ++at) {
    const Step& step = step_at(at);
    std::size_t from = step.first_number;
    for (std::uint32_t k = 0; k < step.names; ++k) {
      const std::uint32_t name = names_of_steps_[step.first_name + k];
      if (place[name] == ~std::size_t{0}) {
        place[name] = registers.size();
        registers.push_back({names_[name], false, {}});
      }
      Register& to = registers[place[name]];
      to.changed = to.changed || at + 1 == last;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if ((step.active[lane / 64] >> (lane % 64) & 1) == 0) continue;
        if (to.numbers.size() <= lane) to.numbers.resize(lane + std::size_t{1});
        to.numbers[lane] = numbers_[from++];
      }
    }
  }
  return registers;
}

}  // namespace unshade::run
