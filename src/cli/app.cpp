#include "cli/app.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cli/args.hpp"
#include "cli/io.hpp"
#include "cli/print/help.hpp"

namespace unshade::cli {

namespace {

/// Single letters to insert, drop or exchange to get from one word to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t kept = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, kept}));
    }
  }
  return row[b.size()];
}

std::string no_such_verb(std::string_view word) {
  std::string message = "no verb '" + std::string(word) + "'";
  const Verb* nearest = nullptr;
  std::size_t best = 3;  // further off is no typing mistake
  if (word.size() > 32) return message;
  for (const Verb* verb : all_verbs()) {
    if (const auto far = distance(word, verb->name); far < best) {
      best = far;
      nearest = verb;
    }
  }
  if (nearest != nullptr) message += "; did you mean '" + std::string(nearest->name) + "'?";
  return message;
}

Exit usage(Host& host, std::string_view message, const Verb* verb) {
  Io io(host, *host.out, false, host.err_is_terminal && !host.no_color);
  Text text;
  text << message << " (see unshade ";
  if (verb != nullptr) text << verb->name << ' ';
  text << "--help)";
  io.report({}, "usage", text.view());
  return Exit::failed;
}

Exit run_verb(const Verb& verb, const Args& args, Host& host) {
  const auto when = args.value(kColor.name, "auto");
  const auto path = args.value(kOutput.name, "-");
  OutputFile file;
  const bool to_file = path != "-";
  const auto wants_color = [&](bool terminal) { return when == "always" || (when == "auto" && terminal && !host.no_color); };
  Stream& out = to_file ? static_cast<Stream&>(file) : *host.out;
  Io io(host, out, wants_color(host.out_is_terminal && !to_file), wants_color(host.err_is_terminal));
  if (to_file && !file.open(std::string(path))) {
    io.report(path, "io", file.fault);
    return Exit::failed;
  }

  const Exit exit = verb.run(args, io);
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

std::string_view version() { return UNSHADE_VERSION; }

Exit run(const std::vector<std::string>& words, Host& host) {
  if (words.empty()) return usage(host, "no verb given", nullptr);
  const std::string& first = words.front();
  Printer out(*host.out, host.out_is_terminal && !host.no_color);
  if (first == "--help" || first == "-h") {
    print_overview(out);
    return out.flush() || host.out->fault.empty() ? Exit::ok : Exit::failed;
  }
  if (first == "--version" || first == "-V") {
    out.text << "unshade " << version() << '\n';
    return out.flush() || host.out->fault.empty() ? Exit::ok : Exit::failed;
  }
  if (first.starts_with('-')) return usage(host, "a verb comes first, then its options", nullptr);
  const Verb* verb = find_verb(first);
  if (verb == nullptr) return usage(host, no_such_verb(first), nullptr);
  Args args;
  const std::string fault = parse_args(*verb, {words.begin() + 1, words.end()}, args);
  if (!fault.empty()) return usage(host, fault, verb);
  if (args.has(kHelp.name)) {
    print_help(*verb, out);
    return out.flush() || host.out->fault.empty() ? Exit::ok : Exit::failed;
  }
  return run_verb(*verb, args, host);
}

}  // namespace unshade::cli
