// Commands that step through a session, a line each, and what they print.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/run/session.hpp>

namespace unshade::present {

/// The listing whose lines a session tells.
struct SteppedListing {
  std::vector<std::string> lines;
  std::vector<std::optional<std::uint64_t>> offsets;  ///< in the file, of the instruction in each line
};
Result<SteppedListing> list_for_stepping(const shader::Shader& shader);

/// Moves through a session as commands ask for: `step 3`, `until nan`, `print r0.x`; `help` lists them. What they print goes to a printer;
/// as JSON, each that moves is answered by the session's state (write_session()). All that is given must outlive it.
class Stepper {
 public:
  Stepper(run::Session& session, const SteppedListing& listing, bool as_json, Printer& out);
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// Receives what a command did other than asked: a breakpoint that is set at another line.
  void set_note(std::function<void(std::string_view)> note);

  /// What the last step changed and printed, and what comes next.
  void print_place();
  /// Does what a line says; an empty one, the last command once more. Returns what is wrong with it, or an empty text.
  std::string obey(std::string_view line);
  /// Whether a command was the last.
  bool ended() const;

 private:
  class Dialogue;
  std::unique_ptr<Dialogue> dialogue_;
};

}  // namespace unshade::present
