// CLI11 is slow to compile and throws: it stays in this file.
#include "cli/line/args.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/paths.hpp>

namespace unshade::cli {

bool Args::has(std::string_view option) const {
  return std::any_of(given_.begin(), given_.end(), [&](const auto& given) { return given.first == option; });
}

std::string_view Args::value(std::string_view option, std::string_view otherwise) const {
  for (const auto& [name, value] : given_)
    if (name == option) return value;
  return otherwise;
}

std::vector<std::string_view> Args::values(std::string_view option) const {
  std::vector<std::string_view> values;
  for (const auto& [name, value] : given_)
    if (name == option) values.emplace_back(value);
  return values;
}

std::optional<std::size_t> Args::choice(const Option& option) const {
  std::optional<std::size_t> found;
  std::size_t at = 0;
  for_each_choice(option.choices, [&](std::string_view choice) {
    if (has(option.name) && choice == value(option.name)) found = at;
    ++at;
  });
  return found;
}

std::string not_a_choice(std::string_view what, std::string_view choices, std::string_view word) {
  Nearest nearest(word);
  std::string known;
  for_each_choice(choices, [&](std::string_view choice) {
    nearest.consider(choice);
    const bool is_last =
        choices.ends_with(choice) && (choices.size() == choice.size() || choices[choices.size() - choice.size() - 1] == '|');
    known += (known.empty() ? "" : is_last ? " or " : ", ") + std::string(choice);
  });
  return std::string(what) + " must be " + known + ", found " + quoted(word) + nearest.question();
}

namespace {

/// The option that a wrong one is probably meant to be: ` (did you mean --json?)`, or an empty text.
std::string option_meant(const Verb& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    if (!word.starts_with("--")) continue;
    const auto name = std::string_view(word).substr(2, word.find('=') == std::string::npos ? std::string::npos : word.find('=') - 2);
    std::string_view nearest;
    std::size_t best = name.size() > 32 ? 0 : 3;  // further off is no typing mistake
    for_each_option(verb, [&](const Option& option) {
      if (const auto far = spelling_distance(name, option.name); far < best) {
        best = far;
        nearest = option.name;
      }
    });
    if (best != 0 && !nearest.empty()) return "; did you mean --" + std::string(nearest) + "?";
  }
  return {};
}

constexpr std::string_view kNoOption = "\1";
/// What CLI11 gives of an option without a value. Of `--json=no` it gives `no`.
constexpr std::string_view kNoValue = "\1";

bool is_array_of_input(std::string_view word) { return word.starts_with("-:"); }

bool is_among(std::string_view choices, std::string_view word) {
  bool found = false;
  for_each_choice(choices, [&](std::string_view choice) { found = found || choice == word; });
  return found;
}

/// What is wrong with a word that must be one of some, or nothing.
std::string choice_fault(std::string_view what, std::string_view choices, std::string_view word) {
  return is_among(choices, word) ? std::string() : not_a_choice(what, choices, word);
}

/// What is wrong with the values of an option: it takes none, needs a name, or one of some words.
std::string value_fault(const Option& option, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (option.takes == Takes::choice)
      if (std::string fault = choice_fault("--" + std::string(option.name), option.choices, value); !fault.empty()) return fault;
    if (option.takes == Takes::nothing && value != kNoValue)
      return "--" + std::string(option.name) + " takes no value, found '" + value + "'";
    if ((option.takes == Takes::file || option.takes == Takes::folder) && value.empty())
      return "--" + std::string(option.name) + " requires the name of a " + (option.takes == Takes::file ? "file" : "folder") +
             ", found an empty text";
  }
  return {};
}

/// The value of an option as verbs take it.
std::string value_of(const Option& option, std::string given) {
  return option.takes == Takes::file || option.takes == Takes::folder ? paths::with_slashes(std::move(given)) : given;
}

}  // namespace

std::string action_fault(const Verb& verb, const Args& args) {
  if (args.operands.empty() || !is_among(verb.body.operands.choices, args.operands.front())) return {};
  for (const ActionOption& row : verb.body.action_options) {
    if (!args.has(row.option) || is_among(row.actions, args.operands.front())) continue;
    std::string fault = "--" + std::string(row.option) + " is only valid with ";
    std::string_view before;
    for_each_choice(row.actions, [&](std::string_view action) {
      fault += before;
      fault += std::string(verb.name) + ' ' + std::string(action);
      before = ", ";
    });
    return fault;
  }
  return {};
}

std::string parse_args(const Verb& verb, const std::vector<std::string>& words, Args& args) {
  CLI::App app;
  app.set_help_flag();                     // --help is an option of the table like any other
  app.allow_windows_style_options(false);  // `/folder/file` is an operand everywhere
  std::vector<std::pair<const Option*, CLI::Option*>> options;
  for_each_option(verb, [&](const Option& option) {
    const std::string marked = option.takes == Takes::nothing ? '{' + std::string(kNoValue) + '}' : std::string();
    std::string names = "--" + std::string(option.name) + marked;
    if (option.letter != 0) names = '-' + std::string(1, option.letter) + marked + ',' + names;
    CLI::Option* made = nullptr;
    if (option.takes == Takes::nothing) {
      made = app.add_flag(names)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    } else {
      made = app.add_option(names)->expected(1);
      if (option.repeats) made->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    options.emplace_back(&option, made);
  });
  CLI::Option* operands = nullptr;
  if (!verb.body.operands.name.empty()) {
    operands = app.add_option(std::string(verb.body.operands.name));
    // Without extra arguments allowed, CLI11 takes only as many as there must be.
    if (verb.body.operands.many) operands->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
  }

  // `-:NAME`, an array of standard input, is an operand: what CLI11 takes for options begins otherwise.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  for (std::string& word : reversed)
    if (is_array_of_input(word)) word.insert(0, kNoOption);
  const auto as_given = [](std::string word) {
    if (word.starts_with(kNoOption) && is_array_of_input(std::string_view(word).substr(kNoOption.size()))) word.erase(0, kNoOption.size());
    return word;
  };
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ExtrasError& fault) {
    return fault.what() + option_meant(verb, words);
  } catch (const CLI::ArgumentMismatch& fault) {
    // what() is "NAME: " and how many arguments are missing or too many
    const auto named = [&](const auto& one) { return std::string_view(fault.what()).starts_with(one.second->get_name() + ':'); };
    const auto found = std::ranges::find_if(options, named);
    if (found == options.end()) return fault.what();
    return found->second->get_name() + (found->second->results().size() > 1 ? ": must be given once" : ": a value is required");
  } catch (const CLI::ParseError& fault) {
    return fault.what();
  }
  for (const auto& [option, made] : options) {
    if (made->count() == 0) continue;
    if (std::string fault = value_fault(*option, made->results()); !fault.empty()) return fault;
    if (option->takes == Takes::nothing) {
      args.set(option->name, {});
    } else if (option->repeats) {
      for (const std::string& value : made->results()) args.set(option->name, value_of(*option, as_given(value)));
    } else {
      args.set(option->name, value_of(*option, as_given(made->results().back())));
    }
  }
  if (operands != nullptr && operands->count() != 0)
    std::ranges::transform(operands->results(), std::back_inserter(args.operands), as_given);
  for (std::string& operand : args.operands) {
    if (verb.body.operands.takes != Takes::file) break;
    operand = paths::with_slashes(std::move(operand));
    if (!verb.body.operands.rest.empty()) break;  // what follows the file is none
  }
  if (args.has(kHelp.name)) return {};
  if (verb.body.operands.required && !verb.body.operands.name.empty() && args.operands.empty()) {
    return "no " + std::string(verb.body.operands.name) + " given";
  }
  constexpr std::size_t kFewChoices = 120;  // characters; more are not told in a line: the verb says where they are listed
  if (!verb.body.operands.choices.empty() && verb.body.operands.choices.size() <= kFewChoices && !args.operands.empty()) {
    const std::string what =
        verb.body.operands.takes == Takes::choice ? std::string(verb.body.operands.name) : "the action of " + std::string(verb.name);
    if (std::string fault = choice_fault(what, verb.body.operands.choices, args.operands.front()); !fault.empty()) return fault;
  }
  if (verb.body.operands.takes == Takes::file &&
      std::ranges::count_if(args.operands, [](const std::string& word) { return word == "-" || is_array_of_input(word); }) > 1) {
    return "standard input (-) can be read only once";
  }
  return action_fault(verb, args);
}

}  // namespace unshade::cli
