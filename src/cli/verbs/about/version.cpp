#include "cli/io/version.hpp"
#include "cli/io/io.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::version {

namespace {

Exit run_version(const Args&, Io& io) {
  io.out.text << "unshade " << cli::version() << '\n';
  return Exit::ok;
}

constexpr Example kExamples[] = {{"unshade version", "print it; unshade --version and unshade -V do too"}};

constexpr std::string_view kSession = "$ unshade version\nunshade " UNSHADE_VERSION;

}  // namespace

const VerbBody kBody{
    .description = "Prints the name of the command and its version.",
    .operands = {},
    .options = {},
    .examples = kExamples,
    .exits = "0 success, 2 usage or output error",
    .session = {{}, kSession},
    .run = run_version,
};

}  // namespace unshade::cli::verbs::version
