// A run that was recorded, to be stepped through: forward, back, to a line of the listing, to the next number that is none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::run {

struct SessionOptions {
  RunOptions run;                             ///< of what watches a run, nothing has an effect
  std::size_t record = std::size_t{1} << 27;  ///< bytes that the record may take; then it ends
  shader::ListingOptions listing;             ///< of the listing whose lines are named
};

class Session {
 public:
  /// Lanes of a wave, as bits.
  using Lanes = std::array<std::uint64_t, 2>;
  /// What a lane has in a register.
  struct Number {
    enum class Kind : std::uint8_t { none, single, real, signed_, unsigned_, boolean, nan, infinity, minus_infinity };
    Kind kind = Kind::none;  ///< none: never written
    std::uint64_t bits = 0;  ///< of a float (single), of a double (real), or the integer
    /// Whether it is no finite number.
    bool is_odd() const { return kind >= Kind::nan; }
  };
  struct Wave {
    std::array<std::uint32_t, 3> group{};
    std::uint32_t wave = 0;
    std::vector<std::uint32_t> steps;  ///< places in the record
  };
  struct Register {
    std::string_view name;        ///< as the listing writes it: `r0.x`, `%17`
    bool changed = false;         ///< by the last step
    std::vector<Number> numbers;  ///< by lane
  };

  /// What a lane printed.
  struct Printed {
    std::uint32_t lane = 0;
    std::string text;
  };

  /// Runs the shader on a case, as run() does, and records what each instruction writes. A record that would be too large ends early:
  /// is_whole() tells. Errors: those of prepare() and run(); of control_flow(), if the listing cannot be made.
  static Result<Session> record(const shader::Shader& shader, const Value& given, const SessionOptions& options = {},
                                const shader::LowerOptions& lowering = {});

  bool is_whole() const { return whole_; }
  /// What run() gives; of a record that ends early, up to there. Null if what ran was not a case.
  const Value& result() const { return result_; }
  /// In the order in which they ran first.
  std::span<const Wave> waves() const { return waves_; }

  // One wave is followed, the first one at first. The position counts the steps that it has made: between two of them, the second is the
  // one that comes next.
  std::size_t followed() const { return followed_; }
  /// Follows another, from its beginning. False if there is none.
  bool follow(std::size_t wave);
  std::size_t position() const { return position_; }
  std::size_t steps() const { return waves_.empty() ? 0 : waves_[followed_].steps.size(); }
  bool at_end() const { return position_ == steps(); }
  /// Goes to a position, or as far as there are steps.
  void seek(std::size_t position);

  /// Moves stop only at steps that this lane of the wave runs; without one, at all steps. seek() goes anywhere.
  void follow_lane(std::optional<std::uint32_t> lane) { lane_ = lane; }
  std::optional<std::uint32_t> lane() const { return lane_; }
  /// So many steps, below 0 back. False, and at the end or beginning, if there are fewer.
  bool move(std::int64_t steps);
  /// Past rounds of loops and calls: to the next instruction of the same function that is after this one in the listing; if there is none,
  /// to the next of another function, or to the end.
  void over();
  /// To the next step, or the one before, at which a breakpoint at one of these lines stops. False, and at the end or beginning, if there
  /// is none.
  bool run_to(std::span<const std::uint32_t> lines, bool backwards = false);
  /// Behind the next step that writes a number that is not finite, in the lane that is followed, or in any. False, and at the end, if there
  /// is none.
  bool run_to_odd();

  /// The line at which a breakpoint at this line stops: the line itself, or, if it is not executable (a declaration, an `endif`), that of
  /// the next instruction of the same function that is one. 0: there is none.
  std::uint32_t stop_line(std::uint32_t line) const;

  // Of the step that comes next; without meaning at the end.
  std::uint32_t instruction() const { return step().instruction; }
  std::uint32_t line() const { return line_of(step()); }  ///< of the listing, from 1; 0: not known
  std::string_view text() const;
  Lanes active() const { return step().active; }
  std::string_view function() const;  ///< as the listing calls it

  /// All that were written, by their first writing. Takes time in proportion to the position.
  std::vector<Register> registers() const;
  /// What the last step printed, by lane.
  std::span<const Printed> printed() const;

 private:
  struct Step {
    std::uint32_t instruction = 0;
    std::uint32_t first_name = 0, names = 0;  ///< in names_of_steps_
    std::size_t first_number = 0;             ///< in numbers_: name by name, each with the active lanes
    Lanes active{};
    std::uint32_t first_printed = 0, printed = 0;  ///< in printed_
  };
  friend class SessionRecorder;

  const Step& step() const { return record_[waves_[followed_].steps[position_]]; }
  std::uint32_t line_of(const Step& step) const { return step.instruction < lines_.size() ? lines_[step.instruction] : 0; }
  std::uint32_t function_of_line(std::uint32_t line) const { return line < function_of_line_.size() ? function_of_line_[line] : 0; }
  std::uint32_t function_of(const Step& step) const { return function_of_line(line_of(step)); }
  /// Of the wave that is followed.
  const Step& step_at(std::size_t position) const { return record_[waves_[followed_].steps[position]]; }
  bool stops_at(std::size_t position) const;
  bool writes_odd(const Step& step) const;
  /// Where the step ends that the last move made; 0: there is none.
  std::size_t last_step() const;

  std::vector<Step> record_;
  std::vector<std::uint32_t> names_of_steps_;
  std::vector<Number> numbers_;
  std::vector<Printed> printed_;
  std::vector<std::string> names_;
  std::vector<Wave> waves_;
  Value result_;
  std::vector<std::string> texts_;    ///< by instruction
  std::vector<std::uint32_t> lines_;  ///< by instruction
  std::vector<std::string> functions_;
  std::vector<std::uint32_t> function_of_line_;  ///< from 1; a place in functions_ and one
  std::vector<std::uint32_t> stop_lines_;        ///< ascending: of the instructions that can be steps
  std::size_t followed_ = 0, position_ = 0;
  std::optional<std::uint32_t> lane_;
  bool whole_ = true;
};

/// Makes a session of what runs elsewhere, step by step.
class SessionRecorder {
 public:
  /// `function`: that runs, as the module names it. Errors: those of control_flow(), if the listing cannot be made.
  static Result<SessionRecorder> of(const shader::Shader& shader, std::string_view function, const SessionOptions& options);

  /// What RunOptions must have; and `trace_all_lanes`.
  const std::vector<std::string>& lines() const { return session_.texts_; }
  /// A step as RunOptions::trace has it, and the lanes that are active. False: the record is full, and the session ends before the next.
  bool add(std::uint32_t instruction, const Value& step, const Session::Lanes& active);
  /// `executed`: vm::Program::executed() of what ran.
  Session finish(Value result, const std::vector<bool>& executed) &&;

 private:
  std::uint32_t name_of(const std::string& name);
  std::size_t wave_of(const Value& step);

  Session session_;
  std::size_t room_ = 0;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::map<std::pair<std::array<std::uint32_t, 3>, std::uint32_t>, std::size_t> waves_;
};

}  // namespace unshade::run
