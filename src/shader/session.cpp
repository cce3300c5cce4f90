#include <unshade/shader/session.hpp>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include <unshade/core/text.hpp>
#include <unshade/shader/flow.hpp>

#include "core/characters.hpp"

namespace unshade::shader {

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

/// Lines of a listing, from 1, of instructions that it has in their order; 0 of those that are not found.
std::vector<std::uint32_t> lines_of_instructions(std::string_view listing, std::uint32_t first, const std::vector<std::string>& texts) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = listing; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(trimmed(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  constexpr unsigned kMostMissing = 64;  // each costs a look at all lines
  unsigned missing = 0;
  std::vector<std::uint32_t> found(texts.size(), 0);
  std::size_t next = first == 0 ? 0 : first - 1;
  for (std::size_t k = 0; k < texts.size() && missing < kMostMissing; ++k) {
    const std::string_view text = trimmed(texts[k]);
    if (text.empty()) continue;
    std::size_t line = next;
    while (line < lines.size() && !lines[line].starts_with(text)) ++line;
    if (line == lines.size()) {
      ++missing;
      continue;
    }
    found[k] = static_cast<std::uint32_t>(line + 1);
    next = line + 1;
  }
  return found;
}

}  // namespace

/// What a run calls with each step.
struct Recorder {
  Session& session;
  std::size_t room;
  Session::Lanes active{};
  std::unordered_map<std::string, std::uint32_t> names{};
  std::map<std::pair<std::array<std::uint32_t, 3>, std::uint32_t>, std::size_t> waves{};

  static bool on_step(void* self, std::uint32_t instruction, const Value& step) {
    return static_cast<Recorder*>(self)->add(instruction, step);
  }

  bool add(std::uint32_t instruction, const Value& value) {
    Session::Step step{instruction, static_cast<std::uint32_t>(session.names_of_steps_.size()), 0, session.numbers_.size(), active};
    const auto* const lanes = value.find("lanes")->as_list();
    if (!lanes->empty()) {
      const auto& first = *lanes->front().as_map();
      for (std::size_t k = 1; k < first.size(); ++k) {
        if (!is_register(first[k].key)) continue;
        ++step.names;
        session.names_of_steps_.push_back(name_of(first[k].key));
        for (const Value& lane : *lanes) session.numbers_.push_back(number_of((*lane.as_map())[k].value));
      }
    }
    session.waves_[wave_of(value)].steps.push_back(static_cast<std::uint32_t>(session.record_.size()));
    session.record_.push_back(step);
    const std::size_t taken =
        sizeof(Session::Step) + sizeof(std::uint32_t) * (1 + step.names) + sizeof(Session::Number) * step.names * lanes->size();
    session.whole_ = taken <= room;
    room -= std::min(room, taken);
    return session.whole_;
  }

  std::uint32_t name_of(const std::string& name) {
    const auto [found, is_new] = names.emplace(name, static_cast<std::uint32_t>(session.names_.size()));
    if (is_new) session.names_.push_back(name);
    return found->second;
  }
  std::size_t wave_of(const Value& value) {
    std::array<std::uint32_t, 3> group{};
    const auto* const list = value.find("group")->as_list();
    for (std::size_t k = 0; k < 3; ++k) group[k] = static_cast<std::uint32_t>((*list)[k].as_integer()->magnitude);
    const auto number = static_cast<std::uint32_t>(value.find("wave")->as_integer()->magnitude);
    const auto [found, is_new] = waves.emplace(std::pair{group, number}, session.waves_.size());
    if (is_new) session.waves_.push_back({group, number, {}});
    return found->second;
  }
};

Result<Session> Session::record(const Shader& shader, const Value& given, const SessionOptions& options, const LowerOptions& lowering) {
  const auto runnable = prepare(shader, lowering, 0);
  if (!runnable) return runnable.error();
  const std::string name = runnable->module().functions.front().name;
  auto texts = instruction_lines(shader, name);
  if (!texts) return std::move(texts).error();
  Text listing;
  const auto flow = control_flow(shader, listing, options.listing);
  if (!flow) return flow.error();

  Session made;
  made.texts_ = *std::move(texts);
  std::uint32_t first_line = 0;
  for (const FlowFunction& function : flow->functions) {
    made.functions_.push_back(function.name);
    const bool is_entry = shader.family == Family::dxil && function.name == name;
    for (const FlowBlock& block : function.blocks) {
      if (is_entry && first_line == 0) first_line = block.line;
      if (made.function_of_line_.size() < std::size_t{block.line} + block.lines)
        made.function_of_line_.resize(std::size_t{block.line} + block.lines);
      for (std::uint32_t k = 0; k < block.lines; ++k)
        made.function_of_line_[block.line + std::size_t{k}] = static_cast<std::uint32_t>(made.functions_.size());
    }
  }
  made.lines_ = lines_of_instructions(listing.view(), first_line, made.texts_);

  Recorder recorder{made, options.record};
  RunOptions run = options.run;
  run.trace = Recorder::on_step;
  run.self = &recorder;
  run.traced_active = &recorder.active;
  run.lines = &made.texts_;
  run.read_file = nullptr;
  run.read_picture = nullptr;
  run.profile = nullptr;
  run.breakpoints.clear();
  run.trace_lanes.clear();
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) run.trace_lanes.push_back(lane);
  auto result = shader::run(*runnable, given, run);
  if (!result) return std::move(result).error();
  made.result_ = *std::move(result);
  return made;
}

bool Session::follow(std::size_t wave) {
  if (wave >= waves_.size()) return false;
  followed_ = wave;
  position_ = 0;
  return true;
}

void Session::seek(std::size_t position) { position_ = std::min(position, steps()); }

std::uint32_t Session::function_of(const Step& step) const {
  const std::uint32_t line = line_of(step);
  return line < function_of_line_.size() ? function_of_line_[line] : 0;
}

void Session::over() {
  if (at_end()) return;
  const auto& steps = waves_[followed_].steps;
  const Step& from = record_[steps[position_]];
  const std::uint32_t function = function_of(from);
  std::size_t elsewhere = steps.size();
  for (std::size_t at = position_ + 1; at < steps.size(); ++at) {
    const Step& to = record_[steps[at]];
    const bool is_same = function_of(to) == function;
    if (is_same && to.instruction > from.instruction) return seek(at);
    if (!is_same && elsewhere == steps.size()) elsewhere = at;
  }
  seek(elsewhere);
}

bool Session::run_to(std::span<const std::uint32_t> lines, bool backwards) {
  if (waves_.empty()) return false;
  const auto& steps = waves_[followed_].steps;
  const auto is_there = [&](std::size_t at) { return std::find(lines.begin(), lines.end(), line_of(record_[steps[at]])) != lines.end(); };
  if (backwards) {
    for (std::size_t at = position_; at-- > 0;) {
      if (!is_there(at)) continue;
      seek(at);
      return true;
    }
    seek(0);
    return false;
  }
  for (std::size_t at = position_ + 1; at < steps.size(); ++at) {
    if (!is_there(at)) continue;
    seek(at);
    return true;
  }
  seek(steps.size());
  return false;
}

bool Session::run_to_odd() {
  if (waves_.empty()) return false;
  const auto& steps = waves_[followed_].steps;
  for (std::size_t at = position_; at < steps.size(); ++at) {
    const Step& step = record_[steps[at]];
    const auto lanes = static_cast<std::size_t>(std::popcount(step.active[0]) + std::popcount(step.active[1]));
    const auto numbers = std::span(numbers_).subspan(step.first_number, step.names * lanes);
    if (std::none_of(numbers.begin(), numbers.end(), [](const Number& number) { return number.is_odd(); })) continue;
    seek(at + 1);
    return true;
  }
  seek(steps.size());
  return false;
}

std::string_view Session::text() const {
  return step().instruction < texts_.size() ? trimmed(texts_[step().instruction]) : std::string_view();
}

std::string_view Session::function() const {
  const std::uint32_t function = function_of(step());
  return function == 0 ? std::string_view() : std::string_view(functions_[function - 1]);
}

std::vector<Session::Register> Session::registers() const {
  std::vector<Register> registers;
  if (waves_.empty()) return registers;
  std::vector<std::size_t> place(names_.size(), ~std::size_t{0});
  const auto& steps = waves_[followed_].steps;
  for (std::size_t at = 0; at < position_; ++at) {
    const Step& step = record_[steps[at]];
    std::size_t from = step.first_number;
    for (std::uint32_t k = 0; k < step.names; ++k) {
      const std::uint32_t name = names_of_steps_[step.first_name + k];
      if (place[name] == ~std::size_t{0}) {
        place[name] = registers.size();
        registers.push_back({names_[name], false, {}});
      }
      Register& to = registers[place[name]];
      to.changed = at + 1 == position_;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if ((step.active[lane / 64] >> (lane % 64) & 1) == 0) continue;
        if (to.numbers.size() <= lane) to.numbers.resize(lane + std::size_t{1});
        to.numbers[lane] = numbers_[from++];
      }
    }
  }
  return registers;
}

}  // namespace unshade::shader
