#include <algorithm>
#include <string>

#include "cli/io/version.hpp"
#include "cli/manual/help.hpp"
#include "cli/manual/words.hpp"

namespace unshade::cli::manual {

namespace {

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  std::ranges::transform(capitals, capitals.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return capitals;
}

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
    roff(out, described(option));
    out << '\n';
  }
}

void roff_examples(Text& out, std::span<const Example> examples) {
  for (const Example& example : examples) {
    out << ".TP\n\\fB";
    roff(out, example.command);
    out << "\\fR\n";
    roff(out, example.does);
    out << '\n';
  }
}

}  // namespace

void print_man(std::span<const Verb> verbs, Printer& printer) {
  Text& out = printer.text;
  out << ".\\\" Made by `unshade man`.\n.TH UNSHADE 1 \"\" \"unshade " << version() << "\"\n.SH NAME\nunshade \\- " << kTagline
      << "\n.SH SYNOPSIS\n.B unshade\n.I VERB\n[\\fIOPTION\\fR]...\n[\\fIFILE\\fR]...\n.SH DESCRIPTION\n"
         "A \\fIFILE\\fR may be a folder, to read all shaders in it, or \\fB\\-\\fR for standard input.\n"
         "Results are written to standard output, errors to standard error as \\fIFILE\\fR:\\fIOFFSET\\fR: error[\\fIid\\fR]: "
         "\\fIpath\\fR: \\fImessage\\fR.\n"
         "The verbs follow, in groups by task.\n";
  const VerbGroup* group = nullptr;
  for (const Verb& verb : verbs) {
    if (group != &verb.group) out << ".SH " << in_capitals(verb.group.title) << '\n';
    group = &verb.group;
    out << ".SS ";
    roff(out, usage_of(verb).substr(std::string_view("unshade ").size()));
    out << '\n';
    roff_paragraphs(out, verb.body.description);
    roff_options(out, verb.body.options);
    if (!verb.body.examples.empty()) out << ".PP\nExamples:\n";
    roff_examples(out, verb.body.examples);
  }
  out << ".SH COMMON OPTIONS\n";
  roff_options(out, kCommonOptions);
  out << ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\na file is invalid or lacks the requested item\n.TP\n2\nusage or I/O error\n"
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set and not empty, no colour unless \\fB\\-\\-color=always\\fR is given\n";
}

void print_man(const Verb& verb, Printer& printer) {
  Text& out = printer.text;
  out << ".\\\" Made by `unshade man " << verb.name << "`.\n.TH ";
  roff(out, in_capitals("unshade-" + std::string(verb.name)));
  out << " 1 \"\" \"unshade " << version() << "\"\n.SH NAME\n";
  roff(out, "unshade-" + std::string(verb.name));
  out << " \\- ";
  roff(out, verb.summary);
  out << "\n.SH SYNOPSIS\n.B ";
  roff(out, usage_of(verb));
  out << "\n.SH DESCRIPTION\n";
  roff_paragraphs(out, verb.body.description);
  out << ".SH OPTIONS\n";
  for_each_option(verb, [&](const Option& option) { roff_options(out, {&option, 1}); });
  if (!verb.body.examples.empty()) out << ".SH EXAMPLES\n";
  roff_examples(out, verb.body.examples);
  out << ".SH EXIT STATUS\n";
  roff(out, verb.body.exits);
  out << "\n.SH WORKED EXAMPLE\n.nf\n";
  for_each_line(verb.body.session, [&](std::string_view line) {
    const bool is_command = line.starts_with(kPrompt);
    if (is_command) out << "\\fB";
    roff(out, line);
    out << (is_command ? "\\fR\n" : "\n");
  });
  out << ".fi\n.SH SEE ALSO\n.BR unshade (1)\n";
}

}  // namespace unshade::cli::manual
