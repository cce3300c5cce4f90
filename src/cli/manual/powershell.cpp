#include <string>
#include <string_view>

#include "cli/manual/help.hpp"

namespace unshade::cli::manual {

namespace {

/// A text in PowerShell's quotes, in which only they are special.
std::string single_quoted(std::string_view text) {
  std::string made = "'";
  for (const char c : text) made += c == '\'' ? std::string("''") : std::string(1, c);
  return made + '\'';
}

std::string list_of(std::string_view choices) {
  std::string made = "@(";
  for_each_choice(choices, [&](std::string_view choice) { made += (made.size() == 2 ? "" : ", ") + single_quoted(choice); });
  return made + ')';
}

std::string_view word_of(Takes takes) {
  switch (takes) {
    case Takes::nothing: return "nothing";
    case Takes::text: return "text";
    case Takes::choice: return "choice";
    default: return "file";
  }
}

/// What is offered: of what stands before the word, elements that end before the cursor. If nothing is, PowerShell offers files.
constexpr std::string_view kRules = R"ps(  $offer = {
    param($value, $says)
    if ($value -like "$wordToComplete*") {
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $says)
    }
  }
  $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  if ($before.Count -le 1) {
    foreach ($verb in $verbs.Keys) { & $offer $verb $verbs[$verb] }
    return
  }
  $verb = $before[1]
  $given = @($options[$verb] | Where-Object { $_ -and $_.names -ccontains $before[-1] })
  if ($given.Count -ne 0 -and $given[0].takes -ne 'nothing') {
    foreach ($value in $given[0].values) { & $offer $value $given[0].says }
    return
  }
  if ($wordToComplete -like '-*') {
    foreach ($option in $options[$verb]) { foreach ($name in $option.names) { & $offer $name $option.says } }
    return
  }
  if ($before.Count -eq 2 -and $operands.ContainsKey($verb)) {
    foreach ($value in $operands[$verb]) { & $offer $value $value }
  }
}
)ps";

}  // namespace

void print_powershell_completions(std::span<const Verb> verbs, Printer& printer) {
  Text& out = printer.text;
  out << "# PowerShell completion for unshade: made by `unshade completions powershell`\n"
         "Register-ArgumentCompleter -Native -CommandName unshade, unshade.exe -ScriptBlock {\n"
         "  param($wordToComplete, $commandAst, $cursorPosition)\n  $verbs = [ordered]@{\n";
  for (const Verb& verb : verbs) out << "    " << single_quoted(verb.name) << " = " << single_quoted(verb.summary) << '\n';
  out << "  }\n  $options = @{\n";
  for (const Verb& verb : verbs) {
    out << "    " << single_quoted(verb.name) << " = @(\n";
    for_each_option(verb, [&](const Option& option) {
      out << "      @{ names = @('--" << option.name << '\'';
      if (option.letter != 0) out << ", '-" << option.letter << '\'';
      out << "); takes = '" << word_of(option.takes) << "'; values = " << list_of(option.choices)
          << "; says = " << single_quoted(option.summary) << " }\n";
    });
    out << "    )\n";
  }
  out << "  }\n  $operands = @{\n";
  std::string all;
  for (const Verb& verb : verbs) all += (all.empty() ? "" : "|") + std::string(verb.name);
  for (const Verb& verb : verbs) {
    if (verb.body.operands.takes == Takes::verb)
      out << "    " << single_quoted(verb.name) << " = " << list_of(all) << '\n';
    else if (!verb.body.operands.choices.empty())
      out << "    " << single_quoted(verb.name) << " = " << list_of(verb.body.operands.choices) << '\n';
  }
  out << "  }\n" << kRules;
}

}  // namespace unshade::cli::manual
