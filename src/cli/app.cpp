#include "cli/app.hpp"

#include <algorithm>
#include <cstddef>

#include "cli/io/args.hpp"
#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/io/version.hpp"
#include "cli/print/files.hpp"
#include "cli/print/help.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/results.hpp"
#include "core/spelling.hpp"

namespace unshade::cli {

namespace {

/// Other words for verbs: of other tools, and likely guesses.
struct OtherWord {
  std::string_view word;
  std::string_view verb;
};
constexpr OtherWord kOtherWords[] = {
    {"asm", "as"},
    {"assemble", "as"},
    {"cmp", "diff"},
    {"compare", "diff"},
    {"cross", "decompile"},
    {"disasm", "dis"},
    {"disassemble", "dis"},
    {"dumpbin", "dis"},
    {"extractpart", "part"},
    {"extractrootsignature", "rootsig"},
    {"file", "info"},
    {"find", "extract"},
    {"glsl", "decompile"},
    {"header", "embed"},
    {"hexdump", "dump"},
    {"hlsl", "decompile"},
    {"identify", "info"},
    {"lint", "validate"},
    {"list", "info"},
    {"listparts", "part"},
    {"ls", "info"},
    {"merge", "link"},
    {"msl", "decompile"},
    {"obj2yaml", "dump"},
    {"objdump", "dis"},
    {"parts", "part"},
    {"print", "dis"},
    {"readelf", "dump"},
    {"reflection", "reflect"},
    {"rename", "edit"},
    {"rebind", "edit"},
    {"rootsignature", "rootsig"},
    {"setprivate", "part"},
    {"setrootsignature", "rootsig"},
    {"show", "dis"},
    {"sources", "source"},
    {"usage", "help"},
    {"val", "validate"},
    {"verify", "validate"},
    {"check", "validate"},
    {"yaml2obj", "build"},
};

/// The verb that a word probably means, or an empty text: another tool's word for it, or a typing mistake in a verb or such a word.
std::string_view meant_by(std::string_view word) {
  if (word.size() > 32) return {};
  std::string_view nearest;
  std::size_t best = 3;  // further off is no typing mistake
  const auto consider = [&](std::string_view known, std::string_view verb) {
    if (verbs::find(verb) == nullptr) return;
    // Of a short word, two other letters leave nothing.
    if (const auto far = spelling_distance(word, known); far < best && (far < 2 || known.size() > 2)) {
      best = far;
      nearest = verb;
    }
  };
  for (const OtherWord& other : kOtherWords)
    if (other.word == word) consider(other.word, other.verb);
  for (const Verb* verb : verbs::all()) consider(verb->name, verb->name);
  for (const OtherWord& other : kOtherWords) consider(other.word, other.verb);
  return nearest;
}

std::string no_such_verb(std::string_view word) {
  std::string message = "no verb '" + std::string(word) + "'";
  if (const auto verb = meant_by(word); !verb.empty()) message += "; did you mean '" + std::string(verb) + "'?";
  return message;
}

/// The error for a command line that begins with an option and has no verb.
std::string no_verb(std::string_view option) {
  std::string message = "no verb given: the option '" + std::string(option) + "' must follow a verb";
  while (option.starts_with('-')) option.remove_prefix(1);
  for (const OtherWord& other : kOtherWords)
    if (other.word == option && verbs::find(other.verb) != nullptr) message += "; did you mean 'unshade " + std::string(other.verb) + "'?";
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
  Json json(io.out, verb.json_lines ? Json::Layout::compact : Json::Layout::indented);
  json.begin_object();
  json.member("schema", "unshade.error/1");
  print::write_faults(json, io);
  json.end_object();
  json.finish();
}

Exit run_verb(const Verb& verb, const Args& args, Host& host) {
  const auto when = args.value(kColor.name, "auto");
  const auto path = args.value(kOutput.name, "-");
  OutputFile file;
  const bool to_file = path != "-" && !verb.makes_output && !(verb.fills_folders && write::names_folder(path));
  const auto wants_color = [&](bool terminal) { return when == "always" || (when == "auto" && terminal && !host.no_color); };
  Stream& out = to_file ? static_cast<Stream&>(file) : *host.out;
  Io io(host, out, wants_color(host.out_is_terminal && !to_file), wants_color(host.err_is_terminal));
  if (to_file && !file.open(std::string(path))) {
    io.report(path, "io", file.fault);
    return Exit::failed;
  }
  if (to_file) io.set_output(std::string(path));

  const Exit exit = verb.run(args, io);
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
  if (words.empty()) return usage(host, "no verb given", nullptr);
  const std::string& first = words.front();
  Printer out(*host.out, host.out_is_terminal && !host.no_color);
  if (first == "--help" || first == "-h") {
    print::print_overview(verbs::all(), out);
    return out.flush() || host.out->fault.empty() ? Exit::ok : Exit::failed;
  }
  if (first == "--version" || first == "-V" || first == "version") {
    out.text << "unshade " << version() << '\n';
    return out.flush() || host.out->fault.empty() ? Exit::ok : Exit::failed;
  }
  // Options may precede the verb.
  auto at = words.begin();
  if (first.starts_with('-')) {
    at = std::find_if(at, words.end(), [](const std::string& word) { return verbs::find(word) != nullptr; });
    if (at == words.end()) return usage(host, no_verb(first), nullptr);
  }
  const Verb* verb = verbs::find(*at);
  if (verb == nullptr) return usage(host, no_such_verb(first), nullptr);
  std::vector<std::string> rest(words.begin(), at);
  rest.insert(rest.end(), at + 1, words.end());
  Args args;
  const std::string fault = parse_args(*verb, rest, args);
  if (!fault.empty()) return usage(host, fault, verb);
  if (args.has(kHelp.name)) {
    print::print_help(*verb, out);
    return out.flush() || host.out->fault.empty() ? Exit::ok : Exit::failed;
  }
  return run_verb(*verb, args, host);
}

}  // namespace unshade::cli
