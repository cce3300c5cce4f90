#include "cli/io/io.hpp"
#include "cli/manual/help.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::completions {

namespace {

Exit run_completions(const Args& args, Io& io) {
  const std::string& shell = args.operands.front();
  if (shell == "bash") {
    manual::print_bash_completions(all(), io.out);
  } else if (shell == "zsh") {
    manual::print_zsh_completions(all(), io.out);
  } else if (shell == "fish") {
    manual::print_fish_completions(all(), io.out);
  } else {
    manual::print_powershell_completions(all(), io.out);
  }
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"source <(unshade completions bash)", "enable completion in this bash"},
    {"unshade completions zsh -o ~/.zfunc/_unshade", "install for zsh, in a folder of its fpath"},
    {"unshade completions powershell | Out-String | Invoke-Expression", "enable completion in this PowerShell, also from its profile"},
    {"unshade completions fish -o ~/.config/fish/completions/unshade.fish", "install for fish"},
};

constexpr std::string_view kSession = R"($ unshade completions bash | tail -n 1
complete -F _unshade unshade)";

}  // namespace

const VerbBody kBody{
    .description = "Prints a script with which a shell completes verbs, options and their values.",
    .operands = {"SHELL", Takes::choice, "bash|zsh|fish|powershell", true, false},
    .options = {},
    .examples = kExamples,
    .exits = "0 success, 2 usage or output error",
    .session = {{}, kSession},
    .run = run_completions,
};

}  // namespace unshade::cli::verbs::completions
