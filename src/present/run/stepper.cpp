#include <unshade/present/run/stepper.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <set>
#include <span>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/value.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/run/session.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>

namespace unshade::present {
namespace {

constexpr std::size_t kShownLanes = 4;
constexpr std::uint32_t kLanes = 128;
/// Lines of the listing before and after the one that comes next.
constexpr std::uint32_t kLinesAround = 5;

Value shown(const run::Session::Number& number) {
  using Kind = run::Session::Number::Kind;
  switch (number.kind) {
    case Kind::none: return Value::text("-");
    case Kind::single: return Value::real(std::bit_cast<float>(static_cast<std::uint32_t>(number.bits)));
    case Kind::real: return Value::real(std::bit_cast<double>(number.bits));
    case Kind::signed_: return Value::signed_integer(static_cast<std::int64_t>(number.bits));
    case Kind::unsigned_: return Value::integer(number.bits);
    case Kind::boolean: return Value::boolean(number.bits != 0);
    case Kind::nan: return Value::text("nan");
    case Kind::infinity: return Value::text("inf");
    case Kind::minus_infinity: return Value::text("-inf");
  }
  return {};
}

/// `0-3, 6`
void print_lanes(const run::Session::Lanes& lanes, Printer& out) {
  const auto has = [&](std::uint32_t lane) { return lane < kLanes && (lanes[lane / 64] >> (lane % 64) & 1) != 0; };
  bool any = false;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!has(lane)) continue;
    std::uint32_t last = lane;
    while (has(last + 1)) ++last;
    out.text << (std::exchange(any, true) ? ", " : "");
    out.text.dec(lane);
    if (last > lane) {
      out.text << '-';
      out.text.dec(last);
    }
    lane = last;
  }
}

}  // namespace

class Stepper::Dialogue {
 public:
  Dialogue(run::Session& session, const SteppedListing& listing, bool as_json, Printer& out)
      : session_(session), listing_(listing), as_json_(as_json), out_(out) {}

  std::string obey(std::string_view line) {
    // an empty line: once more
    if (!line.empty()) last_ = line;
    return obey_once(last_);
  }
  bool ended() const { return ended_; }
  std::function<void(std::string_view)> note;

  // What the last step changed and printed, and what comes next.
  void print_place() {
    if (as_json_) {
      Json json(out_, Json::Layout::compact);
      write_session(session_, json);
      return;
    }
    for (const run::Session::Register& one : session_.registers())
      if (one.changed) print_register(one, kShownLanes);
    print_messages();
    out_.text << "step ";
    out_.text.dec(session_.position()) << " of ";
    out_.text.dec(session_.steps());
    if (session_.at_end()) {
      out_.text << ": ";
      out_.painted(Paint::heading, session_.is_whole() ? "the end" : "the recording is full");
      const Value* const stop = session_.result().find("stop");
      if (session_.is_whole() && stop != nullptr) out_.text << ", " << *stop->as_text();
      out_.text << '\n';
      return;
    }
    if (session_.line() != 0) {
      out_.text << ", line ";
      out_.text.dec(session_.line());
    }
    out_.text << ": ";
    out_.paint(Paint::heading);
    print_safely(out_.text, session_.text());
    out_.paint(Paint::plain);
    if (const run::Session::Lanes active = session_.active(); active != whole()) {
      out_.text << "  (lanes ";
      print_lanes(active, out_);
      out_.text << ')';
    }
    out_.text << '\n';
  }

 private:
  /// A command: what it is called, what help says of it, and what does it. Each gives what is wrong with its operand.
  struct Row {
    std::string_view name;
    char letter;
    std::string_view operand;
    std::string_view does;
    std::string (Dialogue::*obey)(std::string_view operand);
  };
  static std::span<const Row> rows();

  std::string obey_once(std::string_view line) {
    if (line.empty()) return {};
    const std::string_view word = line.substr(0, line.find(' '));
    const std::string_view operand = trimmed(line.substr(word.size()));
    for (const Row& row : rows()) {
      if (word != row.name && !(word.size() == 1 && word.front() == row.letter)) continue;
      if (row.operand.empty() && !operand.empty()) return '`' + std::string(row.name) + "` has no operand";
      return (this->*row.obey)(operand);
    }
    Nearest nearest(word);
    for (const Row& row : rows()) nearest.consider(row.name);
    return "there is no command " + quoted(word) + nearest.question() + "; `help` lists them";
  }

  // --- moves ---

  std::string step(std::string_view operand) { return by(operand, 1); }
  std::string back(std::string_view operand) { return by(operand, -1); }
  std::string by(std::string_view operand, std::int64_t sign) {
    constexpr std::uint32_t kMost = 1'000'000'000;
    const auto count = operand.empty() ? std::optional(1U) : as_number<std::uint32_t>(operand);
    if (!count || *count == 0 || *count > kMost) return "expected a number of steps, from 1 on";
    session_.move(sign * static_cast<std::int64_t>(*count));
    return moved();
  }
  std::string over(std::string_view) {
    session_.over();
    return moved();
  }
  std::string go_on(std::string_view operand) {
    if (!operand.empty() && operand != "back") return "expected nothing, or `back`";
    const std::vector<std::uint32_t> lines(breakpoints_.begin(), breakpoints_.end());
    session_.run_to(lines, operand == "back");
    return moved();
  }
  std::string until(std::string_view operand) {
    if (operand == "nan" || operand == "NaN") {
      session_.run_to_odd();
      return moved();
    }
    const auto line = stop_of(operand);
    if (!line) return line.error().message;
    session_.run_to(std::span(&*line, 1));
    return moved();
  }
  std::string moved() {
    print_place();
    return {};
  }

  // --- breakpoints ---

  /// A line of the listing with an instruction: by its number, or by an offset in the file.
  Result<std::uint32_t> line_of(std::string_view operand) const {
    if (operand.starts_with("0x")) {
      std::string_view digits = operand.substr(2);
      const auto offset = take_number<std::uint64_t>(digits, 16);
      if (!offset || !digits.empty()) return Error{ErrorCode::bad_value, 0, "", "expected a line, or an offset: 0x1f4"};
      const auto found = std::ranges::find(listing_.offsets, std::optional(*offset));
      if (found == listing_.offsets.end()) return Error{ErrorCode::missing, 0, "", "no instruction begins at this offset"};
      return static_cast<std::uint32_t>(found - listing_.offsets.begin() + 1);
    }
    const auto line = as_number<std::uint32_t>(operand);
    if (!line) return Error{ErrorCode::bad_value, 0, "", "expected a line, or an offset: 0x1f4"};
    if (*line == 0 || *line > listing_.lines.size() || !listing_.offsets[*line - 1])
      return Error{ErrorCode::missing, 0, "", "line " + std::to_string(*line) + " has no instruction"};
    return *line;
  }
  /// The line at which a breakpoint there stops. Says so if it is another.
  Result<std::uint32_t> stop_of(std::string_view operand) const {
    const auto line = line_of(operand);
    if (!line) return line;
    const std::uint32_t stop = session_.stop_line(*line);
    if (stop == *line) return stop;
    const std::string never = "line " + std::to_string(*line) + " is not executable";
    if (stop == 0) return Error{ErrorCode::missing, 0, "", never + ", and no line after it in its function is"};
    if (note) note(never + ": stopping at line " + std::to_string(stop));
    return stop;
  }
  std::string stop_at(std::string_view operand) {
    if (!operand.empty()) {
      const auto line = stop_of(operand);
      if (!line) return line.error().message;
      breakpoints_.insert(*line);
    }
    for (const std::uint32_t line : breakpoints_) print_line(line);
    return {};
  }
  std::string forget(std::string_view operand) {
    if (operand.empty()) {
      breakpoints_.clear();
      return {};
    }
    const auto line = line_of(operand);
    if (!line) return line.error().message;
    return breakpoints_.erase(session_.stop_line(*line)) != 0 ? std::string() : "line " + std::to_string(*line) + " is no breakpoint";
  }

  // --- what is there ---

  std::string print(std::string_view operand) {
    if (as_json_) return moved();
    bool any = false;
    for (const run::Session::Register& one : session_.registers()) {
      const bool is_of = one.name == operand || (one.name.starts_with(operand) && one.name.substr(operand.size()).starts_with('.'));
      if (!operand.empty() && !is_of) continue;
      print_register(one, one.numbers.size());
      any = true;
    }
    return any || operand.empty() ? std::string() : "nothing was written to " + quoted(operand) + " yet";
  }
  std::string lanes(std::string_view) {
    if (as_json_) return moved();
    if (session_.at_end()) return "no instruction comes next";
    out_.text << "  active: ";
    print_lanes(session_.active(), out_);
    if (session_.lane()) {
      out_.text << "; following ";
      out_.text.dec(*session_.lane());
    }
    out_.text << '\n';
    return {};
  }
  std::string lane(std::string_view operand) {
    const auto number = as_number<std::uint32_t>(operand);
    if (operand != "all" && (!number || *number >= kLanes)) return "expected a lane, from 0 to 127, or `all`";
    if (number && (whole()[*number / 64] >> (*number % 64) & 1) == 0)
      return "lane " + std::to_string(*number) + " is not one of the lanes that the wave begins with";
    session_.follow_lane(number);
    return moved();
  }
  std::string wave(std::string_view operand) {
    if (!operand.empty()) {
      const auto number = as_number<std::size_t>(operand);
      if (!number || !session_.follow(*number)) return "expected a wave, from 0 to " + std::to_string(session_.waves().size() - 1);
      return moved();
    }
    if (as_json_) return moved();
    for (std::size_t number = 0; number < session_.waves().size(); ++number) {
      const run::Session::Wave& one = session_.waves()[number];
      out_.text << (number == session_.followed() ? "> " : "  ");
      out_.text.dec(number) << ": group ";
      for (std::size_t axis = 0; axis < one.group.size(); ++axis) (out_.text << (axis == 0 ? "" : ",")).dec(one.group[axis]);
      out_.text << ", wave ";
      out_.text.dec(one.wave) << ", ";
      out_.text.dec(one.steps.size()) << " steps\n";
    }
    return {};
  }
  std::string list(std::string_view operand) {
    const auto around = operand.empty() ? std::optional(kLinesAround) : as_number<std::uint32_t>(operand);
    if (!around) return "expected a number of lines";
    const std::uint32_t here = session_.at_end() ? 0 : session_.line();
    if (here == 0) return "the line is not known";
    const std::uint64_t last = std::min<std::uint64_t>(listing_.lines.size(), std::uint64_t{here} + *around);
    for (std::uint64_t line = here - std::min(here - 1, *around); line <= last; ++line) print_line(static_cast<std::uint32_t>(line));
    return {};
  }
  std::string help(std::string_view) {
    for (const Row& row : rows()) {
      const std::string head = std::string(row.name) + (row.operand.empty() ? "" : " " + std::string(row.operand));
      out_.text << "  ";
      out_.text.left(head, 24) << ' ' << row.letter << "  " << row.does << '\n';
    }
    out_.text << "  an empty line: repeat the last command\n";
    return {};
  }
  std::string quit(std::string_view) {
    ended_ = true;
    return {};
  }

  // --- printing ---

  void print_line(std::uint32_t line) {
    out_.text << (!session_.at_end() && line == session_.line() ? '>' : ' ') << (breakpoints_.contains(line) ? "* " : "  ");
    out_.text.dec(line, 5) << "  ";
    print_safely(out_.text, listing_.lines[line - 1], true);
    out_.text << '\n';
  }

  void print_register(const run::Session::Register& one, std::size_t most) {
    out_.text << "  ";
    print_safely(out_.text, one.name);
    out_.text << " = ";
    out_.paint(Paint::value);
    if (session_.lane()) {
      print_value(*session_.lane() < one.numbers.size() ? shown(one.numbers[*session_.lane()]) : Value::text("-"), out_.text);
    } else {
      for (std::size_t lane = 0; lane < std::min(most, one.numbers.size()); ++lane) {
        if (lane != 0) out_.text << ", ";
        print_value(shown(one.numbers[lane]), out_.text);
      }
    }
    out_.paint(Paint::plain);
    if (!session_.lane() && one.numbers.size() > most) {
      out_.text << " and ";
      out_.text.dec(one.numbers.size() - most);
      out_.text << " more lanes";
    }
    out_.text << '\n';
  }

  void print_messages() {
    std::size_t shown_lanes = 0;
    for (const run::Session::Printed& one : session_.printed()) {
      if (session_.lane() ? one.lane != *session_.lane() : shown_lanes++ == kShownLanes) {
        if (session_.lane()) continue;
        out_.text << "  ... and ";
        out_.text.dec(session_.printed().size() - kShownLanes);
        out_.text << " more lanes\n";
        break;
      }
      out_.text << "  lane ";
      out_.text.dec(one.lane);
      print_safely(out_.text << ": ", one.text);
      out_.text << '\n';
    }
  }

  /// The lanes with which the wave began.
  run::Session::Lanes whole() {
    if (wholes_.size() <= session_.followed()) wholes_.resize(session_.followed() + 1);
    auto& known = wholes_[session_.followed()];
    if (!known) {
      const std::size_t here = session_.position();
      session_.seek(0);
      known = session_.active();
      session_.seek(here);
    }
    return *known;
  }

  run::Session& session_;
  const SteppedListing& listing_;
  const bool as_json_;
  Printer& out_;
  std::set<std::uint32_t> breakpoints_;
  std::vector<std::optional<run::Session::Lanes>> wholes_;  ///< by wave
  std::string last_;
  bool ended_ = false;
};

std::span<const Stepper::Dialogue::Row> Stepper::Dialogue::rows() {
  static constexpr Row kRows[] = {
      {"step", 's', "[N]", "run the next instruction, or N", &Dialogue::step},
      {"back", 'b', "[N]", "undo the last instruction, or N", &Dialogue::back},
      {"over", 'o', "", "to the next instruction after this one, past loop iterations and calls", &Dialogue::over},
      {"continue", 'c', "[back]", "to the next breakpoint, or to the end; back: to the one before", &Dialogue::go_on},
      {"until", 'u', "nan|LINE|0xOFFSET", "past the next NaN or infinity, or to a line", &Dialogue::until},
      {"break", 'k', "[LINE|0xOFFSET]", "set a breakpoint, and list all", &Dialogue::stop_at},
      {"delete", 'd', "[LINE|0xOFFSET]", "delete a breakpoint, or all", &Dialogue::forget},
      {"print", 'p', "[REGISTER]", "a register in all lanes (r0, r0.x, %17), or all that were written", &Dialogue::print},
      {"list", 'l', "[N]", "the listing around the next instruction", &Dialogue::list},
      {"lanes", 'a', "", "the lanes that run the next instruction", &Dialogue::lanes},
      {"lane", 'n', "N|all", "stop only where this lane is active, and show no other", &Dialogue::lane},
      {"wave", 'w', "[N]", "follow another wave from its beginning, or list them", &Dialogue::wave},
      {"help", 'h', "", "this list", &Dialogue::help},
      {"quit", 'q', "", "end", &Dialogue::quit},
  };
  return kRows;
}

Stepper::Stepper(run::Session& session, const SteppedListing& listing, bool as_json, Printer& out)
    : dialogue_(std::make_unique<Dialogue>(session, listing, as_json, out)) {}
Stepper::~Stepper() = default;

void Stepper::set_note(std::function<void(std::string_view)> note) { dialogue_->note = std::move(note); }
void Stepper::print_place() { dialogue_->print_place(); }
std::string Stepper::obey(std::string_view line) { return dialogue_->obey(trimmed(line)); }
bool Stepper::ended() const { return dialogue_->ended(); }

Result<SteppedListing> list_for_stepping(const shader::Shader& shader) {
  Text text;
  TextOrigins origins;
  shader::ListingOptions options;
  options.origins = &origins;
  options.checks = &shader::listing_checks();
  if (auto done = shader::disassemble(shader, text, options); !done) return std::move(done).error();
  SteppedListing made;
  auto origin = origins.begin();
  const std::string_view all = text.view();
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    made.lines.emplace_back(all.substr(at, end - at));
    while (origin != origins.end() && origin->text < at) ++origin;
    const bool has = origin != origins.end() && origin->text <= end;
    made.offsets.push_back(has ? std::optional(origin->offset) : std::nullopt);
    at = end + 1;
  }
  return made;
}

}  // namespace unshade::present
