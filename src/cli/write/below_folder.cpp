#include "cli/write/below_folder.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/system/path.hpp>

namespace unshade::cli::write {

ResultPlaces::ResultPlaces(std::string_view folder) : folder_(folder), real_folder_(system::real_path(folder_)) {}

std::vector<ResultPlaces::Operand> ResultPlaces::find(const Args& args, std::size_t actions, Io& io, Exit& exit) {
  std::vector<Operand> found;
  Args one = args;
  for (std::size_t i = actions; i < args.operands.size(); ++i) {
    one.operands = {args.operands[i]};
    begin(args.operands[i]);
    std::vector<std::string> files = io.inputs(one, exit);
    std::erase_if(files, [&](const std::string& file) { return is_result(file); });
    if (!folder_.empty())
      for (const std::string& file : files) protect(file);
    found.push_back({args.operands[i], std::move(files)});
  }
  return found;
}

void ResultPlaces::begin(const std::string& operand) {
  operand_ = operand;
  is_folder_ = operand != "-" && system::is_folder(operand);
  holds_results_ = is_folder_ && system::is_below(real_folder_, system::real_path(operand));
}

bool ResultPlaces::is_result(const std::string& input) const {
  return holds_results_ && system::is_below(system::real_path(input), real_folder_);
}

std::string ResultPlaces::place(const std::string& input, std::string_view suffix, std::string& output) {
  const auto below = [&] { return system::text_of(system::path_of(input).lexically_relative(system::path_of(operand_))); };
  output = system::path_in(folder_, is_folder_ ? below() : std::string(paths::name_of(input)));
  output += suffix;
  if (inputs_.has(output)) return output + " would overwrite an input";
  if (!taken_.insert(output).second) return "two inputs have the same output " + output;
  return {};
}

std::string make_folders_of(const std::string& file) {
  const std::string_view folder = paths::folder_of(file);
  return folder.empty() || system::make_folders(std::string(folder)) ? std::string() : std::strerror(errno);
}

namespace {

/// Runs a verb on a file, with its product in another. `found`: in a folder. Nothing if the verb does not apply to it.
std::optional<Exit> run_into(const std::string& output, const Args& args, bool found, Io& io, const OneFile& run) {
  OutputFile file;
  std::string fault = make_folders_of(output);
  if (fault.empty() && !file.open(output)) fault = file.fault;
  if (!fault.empty()) {
    io.report(output, "io", fault);
    return Exit::failed;
  }
  Io one(io.host(), file, false, io.err_color());
  if (found) one.set_found(args.operands.back());
  const Exit exit = run(args, one);
  io.add_faults(one.faults());
  const bool was_left_out = one.has_skipped();
  io.add_skipped(one.take_skipped());
  if (was_left_out && exit == Exit::ok) return std::nullopt;
  const bool wrote = one.out.wrote();
  // As with -o: what fails with nothing to say leaves no file behind.
  if (!one.out.flush() || ((exit == Exit::ok || wrote) && exit != Exit::failed && !file.commit())) {
    io.report(output, "io", file.fault);
    return Exit::failed;
  }
  return exit;
}

}  // namespace

Exit run_below_folder(const Args& args, Io& io, std::size_t actions, const Suffix& suffix, const OneFile& run) {
  if (args.has(kOutput.name)) return io.refuse_usage("-o requires a single file, and must not be combined with --output-dir");
  struct Job {
    std::string input;
    std::string output;
    bool was_found = false;
  };
  std::vector<Job> jobs;
  std::size_t left_out = 0;
  Exit exit = Exit::ok;
  ResultPlaces places(args.value(kOutputDir.name));
  Args one = args;
  for (const std::string& operand : args.operands)
    if (operand == "-" || operand.starts_with("-:")) return io.refuse_usage("--output-dir requires files, not standard input");
  for (ResultPlaces::Operand& operand : places.find(args, actions, io, exit)) {
    places.begin(operand.name);
    for (std::string& name : operand.files) {
      const Read input = io.read(name);
      if (!input) {
        exit = worse(exit, input.exit);
        continue;
      }
      const auto end = suffix(*input);
      if (!end && places.is_folder()) {
        ++left_out;
        continue;
      }
      std::string output;
      if (const std::string fault = places.place(name, end.value_or(std::string()), output); !fault.empty()) return io.refuse_usage(fault);
      jobs.push_back({std::move(name), std::move(output), places.is_folder()});
    }
  }
  one.remove(kOutputDir.name);
  std::size_t done_files = 0;
  std::size_t failed = 0;
  for (Job& job : jobs) {
    one.operands.assign(args.operands.begin(), args.operands.begin() + static_cast<std::ptrdiff_t>(actions));
    one.operands.push_back(std::move(job.input));
    const auto done = run_into(job.output, one, job.was_found, io, run);
    left_out += done ? 0 : 1;
    if (!done) continue;
    ++done_files;
    failed += *done == Exit::ok ? 0 : 1;
    exit = worse(exit, *done);
  }
  if (done_files == 0 && !jobs.empty()) exit = worse(exit, Exit::invalid);
  Text text;
  text.dec(done_files) << (done_files == 1 ? " file" : " files");
  if (failed != 0) (text << ", ").dec(failed) << " failed";
  if (left_out != 0) (text << ", ").dec(left_out) << " skipped";
  text << '\n';
  io.host().err->write(text.view());
  return exit;
}

}  // namespace unshade::cli::write
