#include "cli/write/editing.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unshade/core/parallel.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/present/made.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/system/replace.hpp>

#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/print/progress.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::write {

namespace {

/// A file to edit, and where its result goes.
struct Job {
  std::string input;
  bool was_found = false;  // in a folder, not named
  std::string output;      // empty: to the verb's output
};

constexpr std::string_view kLeftAlone = "program databases in folders are not changed";

/// What came of a file, and what there is to say about it. `file` is empty if it could not be read, `bytes` if they are in a file.
struct Outcome : present::EditedFile {
  Exit exit = Exit::ok;
  std::string complaints;  // lines for standard error
  std::vector<Fault> faults;
  bool lacks_it = false;  // it is skipped for what was to be changed
};

class Batch {
 public:
  Batch(const Args& args, Io& io, const EditingVerb& verb, const EditFile& edit) : args_(args), io_(io), verb_(verb), edit_(edit) {}

  Exit run(const std::vector<std::string>& operands) {
    std::string fault = find_jobs(operands);
    const std::size_t threads = thread_count(fault);
    if (!fault.empty()) {
      io_.report({}, "usage", fault);
      return Exit::failed;
    }
    if (exit_ == Exit::failed && jobs_.empty()) return exit_;
    const bool to_files = args_.has(kInPlace.name) || args_.has(kOutputDir.name);
    // then -o is for JSON
    if (to_files && std::ranges::any_of(jobs_, [&](const Job& job) { return io_.refuses_input(job.input); })) return Exit::failed;
    if (!to_files && !args_.has(kJson.name) && io_.refuses_bytes(verb_.name)) return Exit::failed;
    if (args_.has(kJson.name) && !to_files) io_.split_product();
    if (args_.has(kJson.name)) print::begin_files(json_.emplace(io_.out), verb_.schema);
    // JSON that scrolls by tells how far the work is.
    print::Progress progress(io_.host(), json_ && io_.to_terminal() ? 0 : jobs_.size());
    (void)system::new_file_rights();  // asked for here: finding it out disturbs other threads
    in_order(
        jobs_.size(), threads, [&](std::size_t i) { return run_one(jobs_[i]); },
        [&](std::size_t i, const Outcome& outcome) {
          if (!outcome.complaints.empty()) {
            progress.clear();
            io_.out.flush();
            io_.host().err->write(outcome.complaints);
          }
          take(jobs_[i], outcome);
          progress.show(i + 1);
          return io_.out.keep_going();
        });
    progress.clear();
    // none of the files has what was to be changed
    if (lacking_ != 0 && done_ == 0) exit_ = worse(exit_, Exit::invalid);
    if (json_) print::end_files(*json_, io_);
    if (is_batch_) sum_up();
    return exit_;
  }

 private:
  /// How many files at once.
  std::size_t thread_count(std::string& fault) const {
    constexpr std::size_t kFilesOfThread = 4;  // less are done before a thread has begun
    constexpr std::size_t kMostThreads = 256;
    const std::size_t processors = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
    std::size_t threads = std::clamp<std::size_t>(jobs_.size() / kFilesOfThread, 1, processors);
    if (!args_.has(kJobs.name)) return threads;
    threads = as_number<std::size_t>(args_.value(kJobs.name)).value_or(0);
    if (threads == 0 || threads > kMostThreads) fault = "--jobs must be a number from 1 to " + std::to_string(kMostThreads);
    return threads;
  }

  /// Finds all files and where they go, before the first is touched. Returns what is wrong with the command.
  std::string find_jobs(const std::vector<std::string>& operands) {
    const bool in_place = args_.has(kInPlace.name);
    const bool to_dir = args_.has(kOutputDir.name);
    if (in_place && to_dir) return "--in-place and --output-dir are mutually exclusive";
    const bool to_files = in_place || to_dir;
    if (to_files && args_.has(kOutput.name) && !args_.has(kJson.name))
      return "-o requires a single file, and must not be combined with --in-place or --output-dir";
    std::set<std::string> outputs;
    ResultPlaces places(args_.value(kOutputDir.name));
    for (const std::string& operand : operands) {
      places.begin(operand);
      is_batch_ = is_batch_ || places.is_folder() || operands.size() > 1;
      if (!to_files && is_batch_) return "several files require --in-place or --output-dir";
      if (to_files && operand == "-") return "--in-place and --output-dir require files, not standard input";
    }
    for (const std::string& source : verb_.sources) places.protect(source);
    for (ResultPlaces::Operand& operand : places.find(args_.with(operands), 0, io_, exit_)) {
      places.begin(operand.name);
      for (std::string& name : operand.files) {
        std::string output;
        if (in_place) {
          output = system::real_path(name);  // not the link, but what it leads to
          if (!outputs.insert(output).second) continue;
        } else if (to_dir) {
          if (const std::string fault = places.place(name, {}, output); !fault.empty())
            return fault + " (--in-place overwrites the input files)";
        }
        jobs_.push_back({std::move(name), places.is_folder(), std::move(output)});
      }
    }
    return {};
  }

  /// On any thread.
  Outcome run_one(const Job& job) const {
    Outcome outcome;
    outcome.output = job.output.empty() && io_.has_product_file() ? std::string(args_.value(kOutput.name)) : job.output;
    MemoryStream nowhere;
    MemoryStream err;
    Host host = io_.host();
    host.err = &err;
    Io io(host, nowhere, false, io_.err_color());
    work(job, io, outcome);
    outcome.complaints = std::move(err.text);
    outcome.faults = io.faults();
    return outcome;
  }

  /// Whether -o names the file of an input.
  bool names_output(const std::string& input) const {
    const std::string output(args_.value(kOutput.name, "-"));
    return output != "-" && system::regular_file_bytes(output) && Io::input_id(input) == Io::file_id(output);
  }

  void work(const Job& job, Io& io, Outcome& outcome) const {
    const Read input = io.read(job.input);
    if (!input) {
      outcome.exit = input.exit;
      return;
    }
    outcome.file = input->name;
    outcome.size_before = input->bytes.size;
    const auto opened = open_input(*input);
    outcome.family = shader::id(opened ? opened->family : shader::identify(input->view()));
    const auto fail = [&](Error error) {
      io.report(input->name, error);
      outcome.exit = Exit::invalid;
      outcome.error = std::move(error);
    };
    if (input->is_source && (!job.output.empty() || names_output(job.input))) return fail({ErrorCode::unsupported, 0, "file", kInSource});
    // The compiler writes databases beside the shaders; none of these verbs is for them.
    const auto skip = [&](std::string why) {
      outcome.size_before = 0;  // no result has a size to compare it with
      outcome.notes.push_back(why);
      outcome.skipped = std::move(why);
    };
    if (job.was_found && dxcontainer::is_msf(input->view())) return skip(std::string(kLeftAlone));
    if (!opened) return fail(opened.error());
    auto edited = edit_(*opened);
    // a folder may hold files of families that have nothing to change, and files without what is to be changed
    if (!edited && job.was_found) {
      outcome.lacks_it = edited.error().code == ErrorCode::missing;
      if (outcome.lacks_it || (edited.error().code == ErrorCode::unsupported && edited.error().path == "file"))
        return skip(edited.error().message);
    }
    if (!edited) return fail(std::move(edited).error());
    if (verb_.validates && edited->changed && !args_.has(kNoValidate.name)) {
      const View source = input->view();
      const auto errors = errors_of_made(View(edited->bytes), {.sources = {&source, 1}, .always = verb_.always});
      if (!errors.empty()) {
        report_made(input->name, errors, io);
        outcome.exit = Exit::invalid;
        outcome.error = as_error(errors);
        return;
      }
    }
    if (!job.output.empty())
      if (const std::string fault = save(job, *edited); !fault.empty()) {
        io.report(job.output, "io", fault);
        outcome.exit = Exit::failed;
        outcome.file.clear();
        return;
      }
    outcome.changed = edited->changed;
    outcome.size = edited->bytes.size();
    if (!is_batch_ && !json_)
      for (const std::string& note : edited->notes) io.report(input->name, Severity::note, verb_.name, note);
    outcome.notes = std::move(edited->notes);
    if (job.output.empty()) outcome.bytes = std::move(edited->bytes);
  }

  std::string save(const Job& job, const shader::Edited& edited) const {
    const std::string_view bytes = View(edited.bytes).text();
    if (args_.has(kInPlace.name)) return edited.changed ? write_whole(job.output, bytes) : std::string();
    const std::string fault = make_folders_of(job.output);
    return fault.empty() ? write_whole(job.output, bytes) : fault;
  }

  /// In the order of the jobs.
  void take(const Job& job, const Outcome& outcome) {
    exit_ = worse(exit_, outcome.exit);
    io_.add_faults(outcome.faults);
    ++files_;
    lacking_ += outcome.lacks_it ? 1 : 0;
    done_ += outcome.exit == Exit::ok && outcome.skipped.empty() ? 1 : 0;
    if (outcome.exit == Exit::ok) {
      before_ += outcome.size_before;
      after_ += outcome.size;
      changed_ += outcome.changed ? 1 : 0;
    } else {
      ++failed_;
    }
    if (json_) {
      if (!outcome.file.empty()) present::write_edited(outcome, *json_);
      if (outcome.exit == Exit::ok && job.output.empty() && io_.has_product_file()) io_.write_bytes(outcome.bytes);
      return;
    }
    if (is_batch_)
      for (const std::string& note : outcome.notes) ++notes_[note];
    if (job.output.empty()) io_.write_bytes(outcome.bytes);
  }

  /// `10000 files, 9120 changed, 41.2 MB -> 30.1 MB`
  void sum_up() {
    for (const auto& [note, files] : notes_)
      io_.report({}, Severity::note, verb_.name, note + " (" + std::to_string(files) + (files == 1 ? " file)" : " files)"));
    Text text;
    text.dec(files_) << (files_ == 1 ? " file, " : " files, ");
    text.dec(changed_) << " changed, ";
    if (failed_ != 0) text.dec(failed_) << " failed, ";
    print::print_size(text, before_);
    text << " -> ";
    print::print_size(text, after_);
    text << '\n';
    io_.out.flush();
    io_.host().err->write(text.view());
  }

  const Args& args_;
  Io& io_;
  const EditingVerb& verb_;
  const EditFile& edit_;
  std::vector<Job> jobs_;
  std::optional<Json> json_;
  std::map<std::string, std::size_t> notes_;  // how many files each is of
  Exit exit_ = Exit::ok;
  bool is_batch_ = false;
  std::size_t files_ = 0;
  std::size_t lacking_ = 0;  // of a folder, without what is to be changed
  std::size_t done_ = 0;     // edited, whether that changed them or not
  std::size_t changed_ = 0;
  std::size_t failed_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t after_ = 0;
};

}  // namespace

Exit run_edits(const Args& args, Io& io, const EditingVerb& verb, const EditFile& edit) {
  return Batch(args, io, verb, edit).run(args.operands);
}

Exit run_edit(const Args& args, Io& io, const EditingVerb& verb, const std::string& file, const EditFile& edit) {
  return Batch(args, io, verb, edit).run({file});
}

}  // namespace unshade::cli::write
