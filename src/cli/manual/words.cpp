#include "cli/manual/words.hpp"

namespace unshade::cli::manual {

std::string usage_of(const Verb& verb) {
  std::string usage = "unshade " + std::string(verb.name) + " [OPTION]...";
  if (verb.body.operands.name.empty()) return usage;
  constexpr std::size_t kFewChoices = 40;  // characters; more would hide the rest of the line
  const bool by_choices = verb.body.operands.takes == Takes::choice && verb.body.operands.choices.size() <= kFewChoices;
  std::string operand(by_choices ? verb.body.operands.choices : verb.body.operands.name);
  if (!verb.body.operands.rest.empty())
    operand += " [" + std::string(verb.body.operands.rest) + "]...";
  else if (verb.body.operands.many)
    operand += "...";
  return usage + ' ' + (verb.body.operands.required ? operand : '[' + operand + ']');
}

std::string described(const Option& option) {
  std::string text(option.summary);
  if (option.takes != Takes::choice) return text;
  bool all = true;
  std::string choices;
  for_each_choice(option.choices, [&](std::string_view choice) {
    if (option.summary.find(choice) == std::string_view::npos) all = false;
    choices += (choices.empty() ? "" : ", ") + std::string(choice);
  });
  return all ? text : text + "; one of: " + choices;
}

}  // namespace unshade::cli::manual
