// What has to hold of stepping through any shader.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <unshade/unshade.h>

#include <unshade/core/value.hpp>
#include <unshade/present/value.hpp>

#include "fuzz/properties.hpp"
#include "fuzz/random.hpp"

namespace unshade::fuzz {
namespace {

/// Operations and bytes that a run may take, moves of a session: little, as it is tried often.
constexpr std::uint64_t kOperations = 1 << 11;
constexpr std::uint64_t kMemory = 1 << 22;
constexpr std::uint64_t kRecord = 1 << 16;
constexpr unsigned kMoves = 40;
constexpr std::int32_t kLanes = 128;

/// The text of a blob, which is freed.
std::string taken(unshade_blob* blob) {
  std::string text(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  unshade_blob_free(blob);
  return text;
}

/// A session, and what is known of where it is.
class Walk {
 public:
  Walk(unshade_session* session, View file) : session_(session), random_(file) {}
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  ~Walk() { unshade_session_free(session_); }

  /// What is broken.
  std::string walk() {
    if (auto fault = look(); !fault.empty()) return fault;
    for (unsigned move = 0; move < kMoves; ++move) {
      if (auto fault = this->move(); !fault.empty()) return fault;
    }
    // to the end and back
    unshade_session_follow_lane(session_, -1);
    lane_ = -1;
    unshade_session_step(session_, std::numeric_limits<std::int64_t>::max());
    if (auto fault = look(); !fault.empty()) return fault;
    if (!at_end()) return "the last step is not the end";
    unshade_session_step(session_, std::numeric_limits<std::int64_t>::min());
    if (auto fault = look(); !fault.empty()) return fault;
    return position_ == 0 ? std::string() : "the first step is not the beginning";
  }

 private:
  bool at_end() const { return position_ == steps_; }

  // Reads where it is. A place has one state, by whatever way it was reached.
  std::string look() {
    unshade_blob* json = nullptr;
    if (unshade_session_state(session_, &json, nullptr) != UNSHADE_OK) return "a session has no state";
    const std::string text = taken(json);
    const auto read = present::read_json(text);
    if (!read) return "a state is no JSON: " + to_string(read.error());
    const auto whole = [&](const Value& map, std::string_view name) { return map.find(name)->as_integer()->magnitude; };
    position_ = whole(*read, "position");
    followed_ = whole(*read, "followed");
    const Value::List& waves = *read->find("waves")->as_list();
    waves_ = waves.size();
    steps_ = waves.empty() ? 0 : whole(waves[followed_], "steps");
    if (position_ > steps_) return "a session is behind its last step";
    const Value& next = *read->find("next");
    if ((next.as_map() == nullptr) != at_end()) return "there is a next step at the end, or none before";
    line_ = 0;
    if (const Value* const line = next.as_map() == nullptr ? nullptr : next.find("line"); line != nullptr && line->as_integer() != nullptr)
      line_ = static_cast<std::uint32_t>(line->as_integer()->magnitude);
    has_lane_ = true;
    if (lane_ >= 0 && next.as_map() != nullptr) {
      const Value::List& active = *next.find("active")->as_list();
      has_lane_ = std::any_of(active.begin(), active.end(),
                              [&](const Value& one) { return one.as_integer()->magnitude == static_cast<std::uint64_t>(lane_); });
    }
    if (position_ == 0 && !read->find("registers")->as_list()->empty()) return "a register was written before the first step";
    const std::size_t hash = std::hash<std::string>()(text);
    const auto [known, is_new] = states_.emplace(std::tuple(followed_, lane_, position_), hash);
    return is_new || known->second == hash ? std::string() : "one place has two states";
  }

  std::string move() {
    const std::uint64_t before = position_, wave = followed_;
    const auto moved = [&](unshade_code code, bool backwards) -> std::string {
      if (code != UNSHADE_OK && code != UNSHADE_MISSING) return "a move is refused: " + std::string(unshade_code_name(code));
      if (auto fault = look(); !fault.empty()) return fault;
      if (followed_ != wave) return "a move changed the wave";
      if (code == UNSHADE_MISSING && position_ != (backwards ? 0 : steps_)) return "a move that did not arrive did not end at the end";
      if (backwards ? position_ > before : position_ < before) return "a move went the other way";
      return {};
    };
    switch (random_.below(8)) {
      case 0:
      case 1: {
        const auto count = static_cast<std::int64_t>(random_.below(9)) - 4;
        const unshade_code code = unshade_session_step(session_, count);
        if (auto fault = moved(code, count < 0); !fault.empty()) return fault;
        const bool arrives = lane_ >= 0 || position_ == before + static_cast<std::uint64_t>(count);
        return code != UNSHADE_OK || arrives ? stopped(count != 0) : "a step of another length";
      }
      case 2: return moved(unshade_session_over(session_), false);
      case 3:
      case 4: {
        const bool backwards = random_.below(3) == 0;
        std::vector<std::uint32_t> lines;
        for (std::uint64_t left = random_.below(4); left != 0; --left) lines.push_back(static_cast<std::uint32_t>(random_.below(64)));
        if (line_ != 0 && random_.below(2) == 0) lines.push_back(line_);
        const unshade_code code = unshade_session_run_to(session_, lines.data(), lines.size(), backwards ? 1 : 0);
        if (auto fault = moved(code, backwards); !fault.empty()) return fault;
        // a line that is never a step stops at another, which is one
        for (std::uint32_t& line : lines) {
          line = unshade_session_stop_line(session_, line);
          if (unshade_session_stop_line(session_, line) != line) return "the line at which a breakpoint stops is no step";
        }
        const bool arrives = line_ != 0 && std::find(lines.begin(), lines.end(), line_) != lines.end();
        return code != UNSHADE_OK || arrives ? stopped(code == UNSHADE_OK) : "it stopped at a line that was not asked for";
      }
      case 5: return moved(unshade_session_run_to_odd(session_), false);
      case 6: {
        lane_ = static_cast<std::int32_t>(random_.below(kLanes + 1)) - 1;
        if (unshade_session_follow_lane(session_, lane_) != UNSHADE_OK) return "a lane is refused";
        if (auto fault = look(); !fault.empty()) return fault;
        return position_ == before && followed_ == wave ? std::string() : "following a lane moved the session";
      }
      default: {
        const std::uint64_t to = random_.below(waves_ + 1);
        const unshade_code code = unshade_session_follow(session_, static_cast<std::uint32_t>(to));
        if ((code == UNSHADE_OK) != (to < waves_)) return "a wave is refused, or one that is not there is followed";
        if (auto fault = look(); !fault.empty()) return fault;
        return code == UNSHADE_OK ? (followed_ == to && position_ == 0 ? "" : "a wave is not followed from its beginning")
                                  : (followed_ == wave && position_ == before ? "" : "a wave that is not there is followed");
      }
    }
  }

  // With a lane, moves stop where it is active.
  std::string stopped(bool has_moved) const {
    return has_lane_ || !has_moved || position_ == 0 ? std::string() : "a move stopped where the lane is not active";
  }

  unshade_session* session_;
  Random random_;
  std::uint64_t position_ = 0, followed_ = 0, waves_ = 0, steps_ = 0;
  std::uint32_t line_ = 0;  ///< of the next step; 0: not known
  std::int32_t lane_ = -1;
  bool has_lane_ = true;
  std::map<std::tuple<std::uint64_t, std::int32_t, std::uint64_t>, std::size_t> states_;  ///< hashes of their texts
};

// What a whole run gives: the same with and without a record.
std::string same_as_run(const unshade_shader* shader, const unshade_session* session) {
  unshade_program* program = nullptr;
  if (unshade_program_new(shader, nullptr, &program, nullptr) != UNSHADE_OK) return "a shader that is stepped through cannot be run";
  unshade_run_options options{};
  options.struct_size = sizeof options;
  options.operations = kOperations;
  options.memory = kMemory;
  unshade_blob* json = nullptr;
  const unshade_code code = unshade_run_case(program, "{}", 2, &options, &json, nullptr);
  unshade_program_free(program);
  if (code != UNSHADE_OK) return {};  // with more registers than without a record, or the other way round
  const auto run = present::read_json(taken(json));
  json = nullptr;
  if (unshade_session_result(session, &json, nullptr) != UNSHADE_OK) return "a session has no result";
  const auto stepped = present::read_json(taken(json));
  if (!run || !stepped) return "a result is no JSON";
  const auto finished = [](const Value& result) { return *result.find("stop")->as_text() == "finished"; };
  if (!finished(*run) || !finished(*stepped)) return {};
  for (const std::string_view what : {"lanes", "vertices", "primitives"}) {
    const Value *const one = run->find(what), *const other = stepped->find(what);
    if ((one == nullptr) != (other == nullptr) || (one != nullptr && !(*one == *other)))
      return "a recorded run has other " + std::string(what);
  }
  for (const Value::Member& resource : *run->find("resources")->as_map()) {
    const Value* const other = stepped->find("resources")->find(resource.key);
    for (const std::string_view what : {"hex", "counter"}) {
      const Value *const one = resource.value.find(what), *const left = other == nullptr ? nullptr : other->find(what);
      if ((one == nullptr) != (left == nullptr) || (one != nullptr && !(*one == *left)))
        return "a recorded run leaves another " + resource.key;
    }
  }
  return {};
}

}  // namespace

std::string session(View file) {
  unshade_shader* shader = nullptr;
  if (unshade_open_borrowed(file.bytes().data(), file.size(), &shader, nullptr) != UNSHADE_OK) return {};
  unshade_session_options options{};
  options.struct_size = sizeof options;
  options.operations = kOperations;
  options.memory = kMemory;
  options.record = kRecord;
  unshade_session* made = nullptr;
  unshade_error* error = nullptr;
  const unshade_code code = unshade_session_new(shader, &options, nullptr, 0, &made, &error);
  std::string fault;
  if (code != UNSHADE_OK) {
    if (*unshade_error_message(error) == '\0') fault = "an error without a message";
    if (unshade_error_offset(error) > file.size()) fault = "an error behind the end";
    unshade_error_free(error);
  } else {
    fault = same_as_run(shader, made);
    Walk walk(made, file);
    if (fault.empty()) fault = walk.walk();
  }
  unshade_shader_free(shader);
  return fault;
}

}  // namespace unshade::fuzz
