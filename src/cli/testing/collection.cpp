#include "cli/testing/collection.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <unshade/amber/script.hpp>
#include <unshade/amber/write.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/unpack/zlib.hpp>

#include "cli/testing/compiler.hpp"

namespace unshade::cli::testing {

namespace {

constexpr std::string_view kSuites[] = {".toml", ".yaml", ".yml", ".json"};

bool is_suite(std::string_view name) {
  return std::ranges::any_of(kSuites, [&](std::string_view end) { return name.ends_with(end); });
}

bool is_test(std::string_view name) {
  return name.ends_with(".amber") || std::ranges::any_of(kSuites, [&](std::string_view end) {
           return name.ends_with(end) && name.substr(0, name.size() - end.size()).ends_with(".test");
         });
}

/// Files that a test names are beside it.
Result<std::vector<std::byte>> read_beside(void* self, std::string_view path) {
  auto& from = *static_cast<Collection::File*>(self);
  const std::string name = (from.folder / std::filesystem::path(path)).string();
  {
    const std::lock_guard lock(from.mutex);
    from.named.insert(name);
  }
  return read_whole(name);
}

Result<std::vector<std::byte>> compile_beside(void* self, const suite::ShaderSource& source) {
  return compile(source, static_cast<Collection::File*>(self)->folder);
}

/// Of a script, whose errors have `LINE:COLUMN` as path.
suite::Place place_of(const Error& error) {
  suite::Place place;
  const char* const end_of_path = error.path.data() + error.path.size();
  const auto [end, problem] = std::from_chars(error.path.data(), end_of_path, place.line);
  if (problem == std::errc{} && end != end_of_path && *end == ':') std::from_chars(end + 1, end_of_path, place.column);
  return place;
}

}  // namespace

std::vector<std::string> find_tests(std::span<const std::string> operands, Io& io, Exit& exit) {
  std::vector<std::string> made;
  for (const std::string& operand : operands) {
    std::error_code fault;
    if (!std::filesystem::is_directory(operand, fault)) {
      made.push_back(operand);
      continue;
    }
    std::vector<std::string> found;
    for (auto at = std::filesystem::recursive_directory_iterator(operand, fault);
         !fault && at != std::filesystem::recursive_directory_iterator(); at.increment(fault))
      if (is_test(at->path().filename().string())) found.push_back(at->path().string());
    if (fault) {
      io.report(operand, "io", fault.message());
      exit = Exit::failed;
    }
    std::ranges::sort(found);
    made.insert(made.end(), found.begin(), found.end());
  }
  return made;
}

bool matches(std::string_view pattern, std::string_view name) {
  // each part between stars after the one before
  for (;;) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const std::size_t found = name.find(part);
    if (found == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    name.remove_prefix(found + part.size());
    pattern.remove_prefix(star + 1);
  }
}

suite::TestOptions Collection::options_of(File& file) const {
  suite::TestOptions made = options_;
  made.read_file = read_beside;
  made.read_picture = [](void*, std::span<const std::byte> bytes) { return png::read_picture_file(bytes); };
  made.read_document = document_text::read_by_name;
  made.compile = compile_beside;
  made.inflate = unpack::zlib_inflate();
  made.self = &file;
  return made;
}

void Collection::add(Input input, std::span<const std::string_view> patterns) {
  const auto chosen = [&](std::string_view name) {
    bool found = patterns.empty();
    for (const std::string_view one : patterns) {
      if (!matches(one, name)) continue;
      matched_.emplace(one);
      found = true;
    }
    return found;
  };
  auto file = std::make_unique<File>();
  file->folder = std::filesystem::path(input.name).parent_path();
  file->input = std::move(input);
  const std::string_view name = file->input.name;
  const std::size_t first = tests_.size();
  if (is_suite(name)) {
    const std::string_view text = file->input.view().text();
    const suite::TestOptions options = options_of(*file);
    auto document = document_text::read_by_name(name, text);
    auto read = document ? suite::read_suite(std::move(*document), text, options) : Result<suite::Suite>(document.error());
    if (read) {
      file->suite = std::make_unique<suite::SuiteRunner>(std::move(*read), name, options);
      const std::vector<suite::Suite::Test>& tests = file->suite->suite().tests;
      for (std::size_t number = 0; number < tests.size(); ++number)
        if (chosen(std::string(name) + ": " + tests[number].name)) tests_.push_back({files_.size(), number});
    } else {
      file->error = std::move(read).error();
      has_invalid_suite_ = true;
    }
  }
  // nobody knows the names in a suite that cannot be read
  if (file->suite == nullptr && (file->error || chosen(name))) tests_.push_back({files_.size(), 0});
  if (tests_.size() != first) files_.push_back(std::move(file));
}

std::optional<Collection::Script> Collection::amber_script(std::size_t test) const {
  const File& file = *files_[tests_[test].file];
  if (file.suite == nullptr) return std::nullopt;
  const std::size_t number = tests_[test].number;
  return Script{file.input.name, file.suite->suite().tests[number].name, amber::script_of(*file.suite, number)};
}

std::vector<suite::SuiteRunner::Coverage> Collection::coverage() const {
  std::vector<suite::SuiteRunner::Coverage> made;
  for (const auto& file : files_) {
    if (file->suite == nullptr) continue;
    for (suite::SuiteRunner::Coverage& one : file->suite->coverage()) {
      one.shader = (file->folder / one.shader).lexically_normal().string();
      made.push_back(std::move(one));
    }
  }
  return made;
}

std::vector<std::string> Collection::files() const {
  std::vector<std::string> made;
  for (const auto& file : files_) {
    const std::lock_guard lock(file->mutex);
    made.insert(made.end(), file->named.begin(), file->named.end());
  }
  return made;
}

std::vector<suite::OtherUse> Collection::other_uses(const std::string& file, std::span<const suite::TextRange> ranges) const {
  const auto found = std::ranges::find(files_, file, [](const auto& one) -> const std::string& { return one->input.name; });
  if (found == files_.end() || (*found)->suite == nullptr) return {};
  const suite::Suite& suite = (*found)->suite->suite();
  std::vector<bool> runs(suite.tests.size(), false);
  for (const Test& test : tests_)
    if (test.file == static_cast<std::size_t>(found - files_.begin())) runs[test.number] = true;
  return suite::other_uses(suite, ranges, runs);
}

const Input* Collection::input(std::string_view name) const {
  const auto found = std::ranges::find(files_, name, [](const auto& file) -> const std::string& { return file->input.name; });
  return found == files_.end() ? nullptr : &(*found)->input;
}

suite::Outcome Collection::run(std::size_t test) const {
  File& file = *files_[tests_[test].file];
  if (file.suite != nullptr) return file.suite->run(tests_[test].number);
  const std::string_view text = file.input.view().text();
  std::optional<Error> error = file.error;
  suite::Place place;
  if (error) {
    const LinePlace found = LineCounter(text).at(error->offset);
    place = {found.line, found.column};
    if (!error->path.empty()) error->message = error->path + ": " + error->message;
  } else {
    const auto script = amber::read_script(text);
    if (script) return amber::run_script(*script, file.input.name, options_of(file));
    error = script.error();
    if (error->code == ErrorCode::bad_magic) {
      error->message = "expected a suite (.toml, .yaml, .json), or a script of Amber, whose first line is `#!amber`";
    } else {
      place = place_of(*error);
    }
  }
  suite::Outcome made;
  made.name = made.file = file.input.name;
  const bool is_script = !file.error;
  made.status = is_script && error->code == ErrorCode::unsupported ? suite::Status::skipped : suite::Status::failed;
  if (made.status == suite::Status::skipped) {
    made.reason = error->message;
    made.place = place;
  } else {
    made.failed = 1;
    made.failures.push_back({place, error->message, {}, {}});
  }
  return made;
}

}  // namespace unshade::cli::testing
