#include "cli/manual/help.hpp"

#include <algorithm>
#include <string>

#include "cli/manual/words.hpp"

namespace unshade::cli::manual {

namespace {

/// `-o, --output FILE`
std::string spelled(const Option& option) {
  std::string text = option.letter != 0 ? '-' + std::string(1, option.letter) + ", --" : "    --";
  text += option.name;
  if (!option.value.empty()) text += ' ' + std::string(option.value);
  return text;
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

void print_overview(std::span<const Verb> verbs, Printer& out) {
  out.painted(Paint::heading, "unshade") << ": " << kTagline << "\n\nunshade VERB [OPTION]... FILE...\n";
  std::size_t width = 0;
  for (const Verb& verb : verbs) width = std::max(width, verb.name.size());
  const VerbGroup* group = nullptr;
  for (const Verb& verb : verbs) {
    if (group != &verb.group) heading(out, verb.group.title);
    group = &verb.group;
    (out.text << "  ").left(verb.name, width + 2) << verb.summary << '\n';
  }
  out.text << "\nA FILE may be a folder, to read all shaders in it, or - for standard input.\n"
              "unshade VERB --help describes a verb, with examples.\n";
  heading(out, "Exit status");
  out.text << "  0 success, 1 a file is invalid or lacks the requested item, 2 usage or I/O error\n";
}

void print_help(const Verb& verb, Printer& out) {
  out.painted(Paint::heading, usage_of(verb)) << "\n\n";
  fill(out.text, verb.body.description, 0, kWidth);
  heading(out, "Options");
  std::size_t width = 0;
  for_each_option(verb, [&](const Option& option) { width = std::max(width, spelled(option).size()); });
  for_each_option(verb, [&](const Option& option) {
    (out.text << "  ").left(spelled(option), width + 2);
    Text summary;
    fill(summary, described(option), width + 4, kWidth);
    out.text << summary.view().substr(width + 4);
  });
  heading(out, "Examples");
  for (const Example& example : verb.body.examples) {
    out.text << "  ";
    out.painted(Paint::value, example.command) << "\n      " << example.does << '\n';
  }
  heading(out, "Exit status");
  fill(out.text, verb.body.exits, 2, kWidth);
  heading(out, "Worked example");
  for_each_line(verb.body.session, [&](std::string_view line) {
    out.text << (line.empty() ? "" : "  ");
    if (line.starts_with(kPrompt)) {
      out.text << kPrompt;
      line.remove_prefix(kPrompt.size());
      out.painted(Paint::value, line) << '\n';
    } else {
      out.text << line << '\n';
    }
  });
}

}  // namespace unshade::cli::manual
