#include "cli/app.hpp"

#include <algorithm>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/io/version.hpp"
#include "cli/line/args.hpp"
#include "cli/manual/help.hpp"
#include "cli/print/files.hpp"
#include "cli/verbs/other_words.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/results.hpp"

namespace unshade::cli {

namespace {

/// The error for a command line that begins with an option and has no verb.
std::string no_verb(std::string_view option) {
  std::string message = "no verb given: the option '" + std::string(option) + "' must follow a verb";
  while (option.starts_with('-')) option.remove_prefix(1);
  if (const auto verb = verbs::verb_of_word(option); !verb.empty()) message += "; did you mean 'unshade " + verb + "'?";
  return message;
}

Exit usage(Host& host, std::string_view message, const Verb* verb) {
  Io io(host, *host.out, false, host.err_is_terminal && !host.no_color);
  Text text;
  text << message << " (see unshade ";
  if (verb != nullptr) text << verb->name << ' ';
  text << "--help)";
  return io.refuse_usage(text.view());
}

/// With --json there is a document in any case: if a verb that failed wrote none, one with the errors, on standard output.
void write_errors(Io& io, const Verb& verb) {
  if (!io.has_product_file()) io.split_product();
  Json json(io.out, verb.body.json_lines ? Json::Layout::compact : Json::Layout::indented);
  present::write_errors(io.faults(), json);
}

bool has_option(const Verb& verb, std::string_view name) {
  bool has = false;
  for_each_option(verb, [&](const Option& option) { has = has || option.name == name; });
  return has;
}

/// -o DIR/, or a folder that is there, is --output-dir DIR in each verb that has it. Returns what is wrong with the line, or an empty text.
std::string take_folder(const Verb& verb, Args& args) {
  const std::string path(args.value(kOutput.name, "-"));
  if (path == "-" || verb.body.makes_output || verb.body.fills_folders || !write::names_folder(path)) return {};
  if (!has_option(verb, write::kOutputDir.name))
    return "-o " + path + " names a folder, but " + std::string(verb.name) + " writes a single file: give its name";
  if (args.has(write::kOutputDir.name)) return "-o DIR/ and --output-dir must not be combined: each names the folder for the results";
  args.remove(kOutput.name);
  args.set(write::kOutputDir.name, path);
  return action_fault(verb, args);
}

Exit run_verb(const Verb& verb, const Args& args, Host& host) {
  const auto when = args.value(kColor.name, "auto");
  const auto path = args.value(kOutput.name, "-");
  OutputFile file;
  const bool to_file = path != "-" && !verb.body.makes_output && !(verb.body.fills_folders && write::names_folder(path));
  const auto wants_color = [&](bool terminal) { return when == "always" || (when == "auto" && terminal && !host.no_color); };
  Stream& out = to_file ? static_cast<Stream&>(file) : *host.out;
  Io io(host, out, wants_color(host.out_is_terminal && !to_file), wants_color(host.err_is_terminal));
  if (to_file && !file.open(std::string(path))) {
    io.report(path, "io", file.fault);
    return Exit::failed;
  }
  if (to_file) io.set_output(std::string(path));

  Exit exit = verb.body.run(args, io);
  // of all files of a folder, none has what was asked for
  if (io.has_skipped() && exit == Exit::ok && !io.out.wrote() && !io.wrote_product() && !args.has(write::kOutputDir.name))
    exit = Exit::invalid;
  io.note_skipped(verb.name);
  if (exit != Exit::ok && args.has(kJson.name) && !io.out.wrote() && !io.wrote_product() && !io.faults().empty()) write_errors(io, verb);
  const bool wrote = io.wrote_product();
  const Stream& printed = io.has_product_file() ? *host.out : out;
  if (!io.out.flush() && !printed.fault.empty()) {
    io.report(&printed == &file ? path : "<stdout>", "io", printed.fault);
    return Exit::failed;
  }
  if (!io.flush_product()) {
    io.report(path, "io", out.fault);
    return Exit::failed;
  }
  // A file that would say nothing because its input was no good is not left behind.
  if (to_file && (exit == Exit::ok || wrote) && exit != Exit::failed && !file.commit()) {
    io.report(path, "io", file.fault);
    return Exit::failed;
  }
  return exit;
}

}  // namespace

Exit run(const std::vector<std::string>& words, Host& host) {
  Printer out(*host.out, host.out_is_terminal && !host.no_color);
  const auto printed = [&] { return out.flush() || host.out->fault.empty() ? Exit::ok : Exit::failed; };
  if (words.empty()) {
    manual::print_overview(verbs::all(), out);
    out.flush();
    return Exit::failed;
  }
  const std::string& first = words.front();
  if (first == "--help" || first == "-h") {
    manual::print_overview(verbs::all(), out);
    return printed();
  }
  if (first == "--version" || first == "-V") {
    out.text << "unshade " << version() << '\n';
    return printed();
  }
  // Options may precede the verb.
  auto at = words.begin();
  if (first.starts_with('-')) {
    at = std::find_if(at, words.end(), [](const std::string& word) { return verbs::find(word) != nullptr; });
    if (at == words.end()) return usage(host, no_verb(first), nullptr);
  }
  const Verb* verb = verbs::find(*at);
  if (verb == nullptr) return usage(host, verbs::no_such_verb(first), nullptr);
  std::vector<std::string> rest(words.begin(), at);
  rest.insert(rest.end(), at + 1, words.end());
  Args args;
  const std::string fault = parse_args(*verb, rest, args);
  if (!fault.empty()) return usage(host, fault, verb);
  if (args.has(kHelp.name)) {
    manual::print_help(*verb, out);
    return printed();
  }
  if (const std::string folder_fault = take_folder(*verb, args); !folder_fault.empty()) return usage(host, folder_fault, verb);
  return run_verb(*verb, args, host);
}

}  // namespace unshade::cli
