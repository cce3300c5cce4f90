#include "cli/write/made.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <unshade/system/folder.hpp>

#include "cli/line/args.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::write {

namespace {

constexpr std::size_t kMostTold = 20;

std::string counted(std::size_t errors) { return std::to_string(errors) + (errors == 1 ? " error" : " errors"); }

}  // namespace

bool refuses_json(const Args& args, std::string_view action, Io& io) {
  if (!args.has(kJson.name)) return false;
  io.report({}, "usage", "--json does not apply to " + std::string(action) + ", which writes the bytes of files");
  return true;
}

bool refuses_second_output(const Args& args, const Option& option, Io& io, std::span<const std::string> others) {
  if (!args.has(option.name)) return false;
  const std::string path(args.value(option.name));
  if (path == "-" && args.value(kOutput.name, "-") == "-" && !args.has(kOutputDir.name)) {
    io.report({}, "usage", "--" + std::string(option.name) + " - needs --output FILE, since the result goes to standard output");
    return true;
  }
  const auto is_same = [&](const std::string& other) { return system::is_same_file(path, other); };
  const bool is_output = args.has(kOutput.name) && is_same(std::string(args.value(kOutput.name)));
  if (!is_output && std::ranges::none_of(others, is_same)) return false;
  io.report({}, "usage",
            "--" + std::string(option.name) + " names the same file as " + (is_output ? "--output" : "an input") + ": " + path);
  return true;
}

bool refuses_same_output(const Args& args, const Option& option, const Option& other, Io& io) {
  if (!args.has(option.name) || !args.has(other.name)) return false;
  const std::string path(args.value(option.name));
  if (!system::is_same_file(path, std::string(args.value(other.name)))) return false;
  io.report({}, "usage", "--" + std::string(option.name) + " names the same file as --" + std::string(other.name) + ": " + path);
  return true;
}

Error as_error(std::span<const Diagnostic> errors) {
  const Diagnostic& first = errors.front();
  std::string message = first.message + " (" + std::string(first.rule->id);
  if (errors.size() > 1) message += ", and " + counted(errors.size() - 1) + " more";
  return {ErrorCode::bad_value, first.offset, first.path, std::move(message) + "); use --no-validate to write the file anyway"};
}

void report_errors(std::string_view name, std::span<const Diagnostic> errors, Io& io) {
  for (const Diagnostic& d : errors.first(std::min(errors.size(), kMostTold)))
    io.report(name, d.rule->id, d.path.empty() ? d.message : d.path + ": " + d.message);
  if (errors.size() > kMostTold) io.report(name, Severity::note, "validate", "and " + counted(errors.size() - kMostTold) + " more");
}

void report_made(std::string_view name, std::span<const Diagnostic> errors, Io& io) {
  report_errors(name, errors, io);
  io.report(name, Severity::note, "validate", counted(errors.size()) + ": nothing is written (use --no-validate to write the file anyway)");
}

bool accepts_made(View made, std::string_view name, const Args& args, Io& io, const MadeRules& rules) {
  if (args.has(kNoValidate.name)) return true;
  const auto errors = errors_of_made(made, rules);
  if (errors.empty()) return true;
  report_made(name, errors, io);
  return false;
}

}  // namespace unshade::cli::write
