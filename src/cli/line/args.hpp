// A command line, read by a verb's row of the table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/line/verb.hpp"

namespace unshade::cli {

/// The options given and the operands after them.
class Args {
 public:
  std::vector<std::string> operands;

  bool has(std::string_view option) const;
  /// The value of an option, or `otherwise` if it was not given.
  std::string_view value(std::string_view option, std::string_view otherwise = {}) const;
  /// Which of its choices an option was given, from 0: for enumerators in the order of the words.
  std::optional<std::size_t> choice(const Option& option) const;
  /// All values of an option that may be given more than once, in their order.
  std::vector<std::string_view> values(std::string_view option) const;
  /// The same options with other operands.
  Args with(std::vector<std::string> others) const {
    Args made = *this;
    made.operands = std::move(others);
    return made;
  }
  void set(std::string_view option, std::string value) { given_.emplace_back(option, std::move(value)); }
  void remove(std::string_view option) {
    std::erase_if(given_, [&](const auto& given) { return given.first == option; });
  }

 private:
  std::vector<std::pair<std::string_view, std::string>> given_;  // names from the table
};

/// What is wrong with the options of a verb's action, or an empty text: one of another action has no meaning.
std::string action_fault(const Verb& verb, const Args& args);

/// `--lines must be auto, always or never, found 'alwys'; did you mean `always`?`: of a word that is none of `choices`, which | separates.
std::string not_a_choice(std::string_view what, std::string_view choices, std::string_view word);

/// Reads what follows the verb's name. Returns an empty text, or what is wrong with the line.
std::string parse_args(const Verb& verb, const std::vector<std::string>& words, Args& args);

}  // namespace unshade::cli
