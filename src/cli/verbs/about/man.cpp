#include <string>

#include <unshade/system/folder.hpp>

#include "cli/io/io.hpp"
#include "cli/io/stream.hpp"
#include "cli/manual/help.hpp"
#include "cli/verbs/other_words.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::verbs::man {

namespace {

constexpr Option kPages{"output-dir", 'd', Takes::folder,
                        "DIR",        {},  "write all pages into DIR: unshade.1, and unshade-VERB.1 for each verb"};
constexpr Option kOptions[] = {kPages};

Exit write_pages(const std::string& folder, Io& io) {
  write::PendingFiles files;
  const auto add = [&](const std::string& name, const auto& print_page) {
    MemoryStream page;
    Printer printer(page, false);
    print_page(printer);
    printer.flush();
    return files.add(system::path_in(folder, name + ".1"), page.text, io);
  };
  bool is_written = add("unshade", [](Printer& out) { manual::print_man(all(), out); });
  for (const Verb& verb : all())
    is_written = is_written && add("unshade-" + std::string(verb.name), [&](Printer& out) { manual::print_man(verb, out); });
  return is_written && files.commit({}, io) ? Exit::ok : Exit::failed;
}

Exit run_man(const Args& args, Io& io) {
  if (args.has(kPages.name)) {
    if (!args.operands.empty()) return io.refuse_usage("--output-dir writes the pages of all verbs, and takes none");
    return write_pages(std::string(args.value(kPages.name)), io);
  }
  if (args.operands.empty()) {
    manual::print_man(all(), io.out);
    return Exit::ok;
  }
  const Verb* const verb = find(args.operands.front());
  if (verb == nullptr) return io.refuse_usage(no_such_verb(args.operands.front()));
  manual::print_man(*verb, io.out);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade man | man -l -", "read the manual page"},
    {"unshade man dis | man -l -", "read that of a verb"},
    {"unshade man -o unshade.1", "write it to a file"},
    {"unshade man -d man1", "write the page of each verb too: man unshade-dis, once they are in a folder of MANPATH"},
};

constexpr std::string_view kSession = R"($ unshade man -d man1
$ ls man1 | head -n 3
unshade-as.1
unshade-build.1
unshade-completions.1)";

}  // namespace

const VerbBody kBody{
    .description = "Prints unshade(1), which describes all verbs, or unshade-VERB(1) in troff's man macros.",
    .operands = {"VERB", Takes::verb, {}, false, false},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 2 usage or output error",
    .session = {{}, kSession},
    .run = run_man,
};

}  // namespace unshade::cli::verbs::man
