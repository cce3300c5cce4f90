#include "support/ir_file.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "support/command.hpp"
#include "support/ir.hpp"
#include "support/ir_run.hpp"

namespace unshade::test {

namespace {

constexpr std::string_view kCommand = "; RUN: ";
constexpr std::string_view kRun = "; run(";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// What a command prints, as comments.
std::vector<std::string> printed_by(std::string_view command, std::string_view file, std::string& out) {
  Surroundings around;
  for (const char c : file) around.input.push_back(static_cast<std::byte>(c));
  const Outcome outcome = run_command(split_words(command), around);
  out = outcome.out;
  std::string all = outcome.out;
  if (!all.empty() && !all.ends_with('\n')) all += '\n';
  if (!outcome.err.empty()) all += "stderr:\n" + outcome.err;
  if (outcome.exit != 0) all += "exit: " + std::to_string(outcome.exit) + '\n';
  std::vector<std::string> comments;
  for (const std::string_view line : lines_of(all)) comments.push_back(line.empty() ? ";" : "; " + std::string(line));
  return comments;
}

/// A module that lines run, and where it comes from.
struct Variant {
  std::string name;
  Validated<ir::Module> module;
};

class Checker {
 public:
  explicit Checker(std::string_view text) : text_(text), lines_(lines_of(text)) {}

  IrFile check() {
    if (text_.find('\r') != text_.npos) fault(0, "lines that end with a line feed alone", "a carriage return");
    check_commands();
    check_runs();
    if (commands_ == 0 && runs_ == 0) fault(0, std::string(kCommand) + "or " + std::string(kRun), "none of them");
    return std::move(file_);
  }

 private:
  void fault(std::size_t line, std::string expected, std::string got) {
    file_.faults.push_back({line + 1, std::move(expected), std::move(got)});
  }
  bool begins(std::size_t line, std::string_view what) const { return line < lines_.size() && lines_[line].starts_with(what); }
  /// Whether a line is expected of the command before it.
  bool is_expected(std::size_t line) const { return begins(line, ";") && !begins(line, kCommand) && !begins(line, kRun); }

  void check_commands() {
    for (std::size_t at = 0; at < lines_.size();) {
      const std::string_view line = lines_[at++];
      (file_.blessed += line) += '\n';
      if (!line.starts_with(kCommand)) continue;
      ++commands_;
      std::string out;
      const auto got = printed_by(line.substr(kCommand.size()), text_, out);
      for (const std::string& one : got) (file_.blessed += one) += '\n';
      if (auto module = ir::parse(out)) {
        if (auto valid = ir::verified(*std::move(module)))
          variants_.push_back({" (what line " + std::to_string(at) + " makes)", *std::move(valid)});
      }
      bool is_right = true;
      for (std::size_t k = 0; k < got.size() || is_expected(at); ++k) {
        const std::string_view expected = is_expected(at) ? lines_[at] : std::string_view();
        const std::string_view actual = k < got.size() ? std::string_view(got[k]) : std::string_view();
        if (std::exchange(is_right, is_right && expected == actual) && !is_right)
          fault(at, expected.empty() ? "the end of the text" : std::string(expected),
                actual.empty() ? "the end of the text" : std::string(actual));
        if (is_expected(at)) ++at;
      }
    }
  }

  // A line goes on with the comment after it if it ends with a comma or with ==.
  void check_runs() {
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      if (!begins(at, kRun)) continue;
      const std::size_t first = at;
      std::string run(trimmed(lines_[at].substr(2)));
      while ((run.ends_with(',') || run.ends_with("==")) && begins(at + 1, ";")) (run += ' ') += trimmed(lines_[++at].substr(1));
      if (runs_++ == 0 && !read_variants(first)) return;
      for (const Variant& variant : variants_) {
        if (auto found = run_ir(run, variant.module)) {
          fault(first, std::move(found->expected), std::move(found->got) + variant.name);
          break;
        }
      }
    }
  }

  // The module as it stands in the file, in canonical form and without calls, and after the passes of each level.
  bool read_variants(std::size_t line) {
    auto module = ir::parse(text_);
    if (!module) return fault(line, "a module", to_string(module.error())), false;
    ir::canonicalize(*module);
    if (const auto calls = ir::passes::inline_calls(*module); !calls) return fault(line, "a module", to_string(calls.error())), false;
    for (const unsigned level : {0U, 1U}) {
      auto valid = optimized(*module, level);
      if (!valid) return fault(line, "a module that verifies", to_string(valid.error())), false;
      variants_.insert(variants_.begin() + level, {level == 0 ? "" : " (after all passes)", *std::move(valid)});
    }
    return true;
  }

  std::string_view text_;
  std::vector<std::string_view> lines_;
  IrFile file_;
  std::vector<Variant> variants_;
  std::size_t commands_ = 0, runs_ = 0;
};

}  // namespace

IrFile check_ir_file(std::string_view text) { return Checker(text).check(); }

}  // namespace unshade::test
