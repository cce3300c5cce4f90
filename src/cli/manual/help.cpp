#include "cli/manual/help.hpp"

#include <algorithm>
#include <string>

#include "cli/io/version.hpp"

namespace unshade::cli::manual {

namespace {

constexpr std::string_view kTagline = "takes compiled shaders apart";

/// `info [OPTION]... FILE...`
std::string usage_of(const Verb& verb) {
  std::string usage = "unshade " + std::string(verb.name) + " [OPTION]...";
  if (verb.operands.name.empty()) return usage;
  constexpr std::size_t kFewChoices = 40;  // characters; more would hide the rest of the line
  const bool by_choices = verb.operands.takes == Takes::choice && verb.operands.choices.size() <= kFewChoices;
  std::string operand(by_choices ? verb.operands.choices : verb.operands.name);
  if (!verb.operands.rest.empty())
    operand += " [" + std::string(verb.operands.rest) + "]...";
  else if (verb.operands.many)
    operand += "...";
  return usage + ' ' + (verb.operands.required ? operand : '[' + operand + ']');
}

/// `-o, --output FILE`
std::string spelled(const Option& option) {
  std::string text = option.letter != 0 ? '-' + std::string(1, option.letter) + ", --" : "    --";
  text += option.name;
  if (!option.value.empty()) text += ' ' + std::string(option.value);
  return text;
}

/// The description of an option, with its values if the summary does not name them all.
std::string told(const Option& option) {
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

/// Words of a paragraph filled into lines of at most `width` characters after `indent` blanks.
void fill(Text& out, std::string_view text, std::size_t indent, std::size_t width) {
  std::size_t column = 0;
  while (!text.empty()) {
    const auto blank = text.find_first_of(" \n");
    const auto word = text.substr(0, blank);
    const bool paragraph = blank != std::string_view::npos && text.substr(blank).starts_with("\n\n");
    if (!word.empty()) {
      if (column != 0 && column + 1 + word.size() > width) {
        out << '\n';
        column = 0;
      }
      if (column == 0) {
        out.repeat(' ', indent);
        column = indent;
      } else {
        out << ' ';
        ++column;
      }
      out << word;
      column += word.size();
    }
    if (paragraph) {
      out << "\n\n";
      column = 0;
    }
    if (blank == std::string_view::npos) break;
    text.remove_prefix(blank + 1);
  }
  out << '\n';
}

void heading(Printer& out, std::string_view title) {
  out.text << '\n';
  out.painted(Paint::heading, title) << '\n';
}

constexpr std::size_t kWidth = 100;

}  // namespace

void print_overview(std::span<const Verb* const> verbs, Printer& out) {
  out.painted(Paint::heading, "unshade") << ": " << kTagline << "\n\nunshade VERB [OPTION]... FILE...\n";
  heading(out, "Verbs");
  std::size_t width = 0;
  for (const Verb* verb : verbs) width = std::max(width, verb->name.size());
  for (const Verb* verb : verbs) (out.text << "  ").left(verb->name, width + 2) << verb->summary << '\n';
  out.text << "\nA FILE may be a folder, to read all shaders in it, or - for standard input.\n"
              "unshade VERB --help describes a verb, with examples. unshade version prints the version.\n";
  heading(out, "Exit status");
  out.text << "  0 success, 1 a file is invalid or lacks the requested item, 2 usage or I/O error\n";
}

void print_help(const Verb& verb, Printer& out) {
  out.painted(Paint::heading, usage_of(verb)) << "\n\n";
  fill(out.text, verb.description, 0, kWidth);
  heading(out, "Options");
  std::size_t width = 0;
  for_each_option(verb, [&](const Option& option) { width = std::max(width, spelled(option).size()); });
  for_each_option(verb, [&](const Option& option) {
    (out.text << "  ").left(spelled(option), width + 2);
    Text summary;
    fill(summary, told(option), width + 4, kWidth);
    out.text << summary.view().substr(width + 4);
  });
  heading(out, "Examples");
  for (const Example& example : verb.examples) {
    out.text << "  ";
    out.painted(Paint::value, example.command) << "\n      " << example.does << '\n';
  }
  heading(out, "Exit status");
  fill(out.text, verb.exits, 2, kWidth);
}

namespace {

/// Text for troff: hyphens as typed, no backslash with a meaning, no control line.
void roff(Text& out, std::string_view text) {
  bool start = true;
  for (const char c : text) {
    if (start && (c == '.' || c == '\'')) out << "\\&";
    start = c == '\n';
    if (c == '-') {
      out << "\\-";
    } else if (c == '\\') {
      out << "\\e";
    } else {
      out << c;
    }
  }
}

void roff_paragraphs(Text& out, std::string_view text) {
  for (;;) {
    const auto end = text.find("\n\n");
    roff(out, text.substr(0, end));
    out << '\n';
    if (end == std::string_view::npos) break;
    out << ".PP\n";
    text.remove_prefix(end + 2);
  }
}

void roff_options(Text& out, std::span<const Option> options) {
  for (const Option& option : options) {
    out << ".TP\n";
    if (option.letter != 0) out << "\\fB\\-" << option.letter << "\\fR, ";
    out << "\\fB\\-\\-";
    roff(out, option.name);
    out << "\\fR";
    if (!option.value.empty()) out << " \\fI" << option.value << "\\fR";
    out << '\n';
    roff(out, told(option));
    out << '\n';
  }
}

}  // namespace

void print_man(std::span<const Verb* const> verbs, Printer& printer) {
  Text& out = printer.text;
  out << ".\\\" Made by `unshade man`.\n.TH UNSHADE 1 \"\" \"unshade " << version() << "\"\n.SH NAME\nunshade \\- " << kTagline
      << "\n.SH SYNOPSIS\n.B unshade\n.I VERB\n[\\fIOPTION\\fR]...\n[\\fIFILE\\fR]...\n.SH DESCRIPTION\n"
         "A \\fIFILE\\fR may be a folder, to read all shaders in it, or \\fB\\-\\fR for standard input.\n"
         "Results are written to standard output, errors to standard error as \\fIFILE\\fR:\\fIOFFSET\\fR: error[\\fIid\\fR]: "
         "\\fIpath\\fR: \\fImessage\\fR.\n"
         ".SH VERBS\n";
  for (const Verb* verb : verbs) {
    out << ".SS ";
    roff(out, usage_of(*verb).substr(std::string_view("unshade ").size()));
    out << '\n';
    roff_paragraphs(out, verb->description);
    roff_options(out, verb->options);
    if (!verb->examples.empty()) {
      out << ".PP\nExamples:\n";
      for (const Example& example : verb->examples) {
        out << ".TP\n\\fB";
        roff(out, example.command);
        out << "\\fR\n";
        roff(out, example.does);
        out << '\n';
      }
    }
  }
  out << ".SH COMMON OPTIONS\n";
  roff_options(out, kCommonOptions);
  out << ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\na file is invalid or lacks the requested item\n.TP\n2\nusage or I/O error\n"
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set and not empty, no colour unless \\fB\\-\\-color=always\\fR is given\n";
}

void print_man(const Verb& verb, Printer& printer) {
  Text& out = printer.text;
  std::string title = "unshade-" + std::string(verb.name);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  out << ".\\\" Made by `unshade man " << verb.name << "`.\n.TH ";
  roff(out, title);
  out << " 1 \"\" \"unshade " << version() << "\"\n.SH NAME\n";
  roff(out, "unshade-" + std::string(verb.name));
  out << " \\- ";
  roff(out, verb.summary);
  out << "\n.SH SYNOPSIS\n.B ";
  roff(out, usage_of(verb));
  out << "\n.SH DESCRIPTION\n";
  roff_paragraphs(out, verb.description);
  out << ".SH OPTIONS\n";
  for_each_option(verb, [&](const Option& option) { roff_options(out, {&option, 1}); });
  if (!verb.examples.empty()) out << ".SH EXAMPLES\n";
  for (const Example& example : verb.examples) {
    out << ".TP\n\\fB";
    roff(out, example.command);
    out << "\\fR\n";
    roff(out, example.does);
    out << '\n';
  }
  out << ".SH EXIT STATUS\n";
  roff(out, verb.exits);
  out << "\n.SH SEE ALSO\n.BR unshade (1)\n";
}

void print_bash_completions(std::span<const Verb* const> verbs, Printer& printer) {
  Text& out = printer.text;
  out << "# bash completion for unshade: made by `unshade completions bash`\n_unshade() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=\n"
         "  if [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  if [ \"$cur\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-1]} cur=; fi\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '";
  for (const Verb* verb : verbs) out << verb->name << ' ';
  out << "version --help --version' -- \"$cur\"))\n    return\n  fi\n  case $verb:$prev in\n";
  for (const Verb* verb : verbs) {
    for_each_option(*verb, [&](const Option& option) {
      if (option.takes == Takes::nothing) return;
      out << "    " << verb->name << ":--" << option.name;
      if (option.letter != 0) out << '|' << verb->name << ":-" << option.letter;
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
  for (const Verb* verb : verbs) {
    out << "    " << verb->name << ") words='";
    for_each_option(*verb, [&](const Option& option) {
      out << "--" << option.name << ' ';
      if (option.letter != 0) out << '-' << option.letter << ' ';
    });
    out << "' ;;\n";
  }
  // The first operand, if it is one of several words: an action, a shell, a verb.
  out << "  esac\n  case $COMP_CWORD:$verb:$cur in\n";
  for (const Verb* verb : verbs) {
    if (verb->operands.choices.empty() && verb->operands.takes != Takes::verb) continue;
    out << "    2:" << verb->name << ":[!-]*|2:" << verb->name << ":) COMPREPLY=($(compgen -W '";
    for_each_choice(verb->operands.choices, [&](std::string_view choice) { out << choice << ' '; });
    if (verb->operands.takes == Takes::verb)
      for (const Verb* other : verbs) out << other->name << ' ';
    out << "' -- \"$cur\")); return ;;\n";
  }
  out << "  esac\n  case $cur in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n    *)\n      case $verb in\n        ";
  bool first = true;
  for (const Verb* verb : verbs) {
    if (verb->operands.takes != Takes::file) continue;
    if (!first) out << '|';
    first = false;
    out << verb->name;
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

void print_zsh_completions(std::span<const Verb* const> verbs, Printer& printer) {
  Text& out = printer.text;
  out << "#compdef unshade\n# zsh completion for unshade: made by `unshade completions zsh`\n_unshade() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb* verb : verbs) out << "    '" << verb->name << ':' << shell_quoted(verb->summary, true) << "'\n";
  out << "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
         "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const Verb* verb : verbs) {
    out << "    " << verb->name << ")\n      _arguments -s";
    for_each_option(*verb, [&](const Option& option) {
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
    if (verb->operands.takes == Takes::file) out << " \\\n        '*:file:_files'";
    if (!verb->operands.choices.empty()) {
      out << " \\\n        '1:" << verb->operands.name << ":(";
      words_of(out, verb->operands.choices);
      out << ")'";
    }
    if (verb->operands.takes == Takes::verb) out << " \\\n        '1:verb:{_describe verb verbs}'";
    out << " ;;\n";
  }
  out << "  esac\n}\n_unshade \"$@\"\n";
}

void print_fish_completions(std::span<const Verb* const> verbs, Printer& printer) {
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
  for (const Verb* verb : verbs) {
    out << "complete -c unshade -n __fish_use_subcommand -a " << verb->name << " -d '" << shell_quoted(verb->summary, false) << "'\n";
  }
  for (const Verb* verb : verbs) {
    const std::string condition = "-n '__fish_seen_subcommand_from " + std::string(verb->name) + "'";
    for_each_option(*verb, [&](const Option& option) { option_line(option, condition); });
    if (verb->operands.takes == Takes::file) {
      // After an action, if there is one.
      const bool acts = !verb->operands.choices.empty();
      out << "complete -c unshade " << (acts ? "-n 'test (count (commandline -opc)) -gt 2; and __fish_seen_subcommand_from " : "");
      out << (acts ? std::string(verb->name) + "'" : condition) << " -F\n";
    }
    if (!verb->operands.choices.empty()) {
      out << "complete -c unshade -n 'test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from " << verb->name << "' -a '";
      words_of(out, verb->operands.choices);
      out << "'\n";
    }
    if (verb->operands.takes == Takes::verb) {
      out << "complete -c unshade " << condition << " -a '";
      for (const Verb* other : verbs) out << other->name << ' ';
      out << "'\n";
    }
  }
}

}  // namespace unshade::cli::manual
