#include <string>

#include "cli/manual/help.hpp"

namespace unshade::cli::manual {

void print_bash_completions(std::span<const Verb> verbs, Printer& printer) {
  Text& out = printer.text;
  out << "# bash completion for unshade: made by `unshade completions bash`\n_unshade() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=\n"
         "  if [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  if [ \"$cur\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-1]} cur=; fi\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '";
  for (const Verb& verb : verbs) out << verb.name << ' ';
  out << "--help --version' -- \"$cur\"))\n    return\n  fi\n  case $verb:$prev in\n";
  for (const Verb& verb : verbs) {
    for_each_option(verb, [&](const Option& option) {
      if (option.takes == Takes::nothing) return;
      out << "    " << verb.name << ":--" << option.name;
      if (option.letter != 0) out << '|' << verb.name << ":-" << option.letter;
      out << ") ";
      if (option.takes == Takes::choice) {
        out << "COMPREPLY=($(compgen -W '";
        for_each_choice(option.choices, [&](std::string_view choice) { out << choice << ' '; });
        out << "' -- \"$cur\")); ";
      } else if (option.takes == Takes::file) {
        out << "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames; ";
      } else if (option.takes == Takes::folder) {
        out << "COMPREPLY=($(compgen -d -- \"$cur\")); compopt -o filenames; ";
      }
      out << "return ;;\n";
    });
  }
  out << "  esac\n  case $verb in\n";
  for (const Verb& verb : verbs) {
    out << "    " << verb.name << ") words='";
    for_each_option(verb, [&](const Option& option) {
      out << "--" << option.name << ' ';
      if (option.letter != 0) out << '-' << option.letter << ' ';
    });
    out << "' ;;\n";
  }
  // The first operand, if it is one of several words: an action, a shell, a verb.
  out << "  esac\n  case $COMP_CWORD:$verb:$cur in\n";
  for (const Verb& verb : verbs) {
    if (verb.body.operands.choices.empty() && verb.body.operands.takes != Takes::verb) continue;
    out << "    2:" << verb.name << ":[!-]*|2:" << verb.name << ":) COMPREPLY=($(compgen -W '";
    for_each_choice(verb.body.operands.choices, [&](std::string_view choice) { out << choice << ' '; });
    if (verb.body.operands.takes == Takes::verb)
      for (const Verb& other : verbs) out << other.name << ' ';
    out << "' -- \"$cur\")); return ;;\n";
  }
  out << "  esac\n  case $cur in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n    *)\n      case $verb in\n        ";
  bool first = true;
  for (const Verb& verb : verbs) {
    if (verb.body.operands.takes != Takes::file) continue;
    if (!first) out << '|';
    first = false;
    out << verb.name;
  }
  out << ") COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames ;;\n"
         "        *) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n      esac ;;\n  esac\n}\ncomplete -F _unshade unshade\n";
}

namespace {

/// A summary inside zsh's '...[...]' and fish's '...'.
std::string shell_quoted(std::string_view text, bool zsh) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += zsh ? "'\\''" : "\\'";
    } else if (zsh && (c == '[' || c == ']' || c == ':' || c == '\\')) {
      quoted += '\\';
      quoted += c;
    } else {
      quoted += c;
    }
  }
  return quoted;
}

void words_of(Text& out, std::string_view choices) {
  bool first = true;
  for_each_choice(choices, [&](std::string_view choice) {
    if (!first) out << ' ';
    first = false;
    out << choice;
  });
}

}  // namespace

void print_zsh_completions(std::span<const Verb> verbs, Printer& printer) {
  Text& out = printer.text;
  out << "#compdef unshade\n# zsh completion for unshade: made by `unshade completions zsh`\n_unshade() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb& verb : verbs) out << "    '" << verb.name << ':' << shell_quoted(verb.summary, true) << "'\n";
  out << "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
         "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const Verb& verb : verbs) {
    out << "    " << verb.name << ")\n      _arguments -s";
    for_each_option(verb, [&](const Option& option) {
      const auto spell = [&](std::string_view dashes, std::string_view name) {
        out << " \\\n        '" << dashes << name << (option.takes != Takes::nothing && dashes.size() == 2 ? "=" : "") << '['
            << shell_quoted(option.summary, true) << ']';
        if (option.takes != Takes::nothing) {
          out << ':' << option.value << ':';
          if (option.takes == Takes::file) out << "_files";
          if (option.takes == Takes::folder) out << "_files -/";
          if (option.takes == Takes::choice) {
            out << '(';
            words_of(out, option.choices);
            out << ')';
          }
        }
        out << '\'';
      };
      spell("--", option.name);
      if (option.letter != 0) spell("-", std::string_view(&option.letter, 1));
    });
    if (verb.body.operands.takes == Takes::file) out << " \\\n        '*:file:_files'";
    if (!verb.body.operands.choices.empty()) {
      out << " \\\n        '1:" << verb.body.operands.name << ":(";
      words_of(out, verb.body.operands.choices);
      out << ")'";
    }
    if (verb.body.operands.takes == Takes::verb) out << " \\\n        '1:verb:{_describe verb verbs}'";
    out << " ;;\n";
  }
  out << "  esac\n}\n_unshade \"$@\"\n";
}

void print_fish_completions(std::span<const Verb> verbs, Printer& printer) {
  Text& out = printer.text;
  out << "# fish completion for unshade: made by `unshade completions fish`\ncomplete -c unshade -f\n";
  const auto option_line = [&](const Option& option, std::string_view condition) {
    out << "complete -c unshade " << condition << " -l " << option.name;
    if (option.letter != 0) out << " -s " << option.letter;
    if (option.takes == Takes::text) out << " -x";
    if (option.takes == Takes::file) out << " -r -F";
    if (option.takes == Takes::folder) out << " -x -a '(__fish_complete_directories)'";
    if (option.takes == Takes::choice) {
      out << " -x -a '";
      words_of(out, option.choices);
      out << '\'';
    }
    out << " -d '" << shell_quoted(option.summary, false) << "'\n";
  };
  for (const Verb& verb : verbs) {
    out << "complete -c unshade -n __fish_use_subcommand -a " << verb.name << " -d '" << shell_quoted(verb.summary, false) << "'\n";
  }
  for (const Verb& verb : verbs) {
    const std::string condition = "-n '__fish_seen_subcommand_from " + std::string(verb.name) + "'";
    for_each_option(verb, [&](const Option& option) { option_line(option, condition); });
    if (verb.body.operands.takes == Takes::file) {
      // After an action, if there is one.
      const bool acts = !verb.body.operands.choices.empty();
      out << "complete -c unshade " << (acts ? "-n 'test (count (commandline -opc)) -gt 2; and __fish_seen_subcommand_from " : "");
      out << (acts ? std::string(verb.name) + "'" : condition) << " -F\n";
    }
    if (!verb.body.operands.choices.empty()) {
      out << "complete -c unshade -n 'test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from " << verb.name << "' -a '";
      words_of(out, verb.body.operands.choices);
      out << "'\n";
    }
    if (verb.body.operands.takes == Takes::verb) {
      out << "complete -c unshade " << condition << " -a '";
      for (const Verb& other : verbs) out << other.name << ' ';
      out << "'\n";
    }
  }
}

}  // namespace unshade::cli::manual
