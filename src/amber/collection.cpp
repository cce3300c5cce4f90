#include <unshade/amber/collection.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include <unshade/amber/script.hpp>
#include <unshade/amber/write.hpp>
#include <unshade/core/mutex.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/shader/other_kind.hpp>

namespace unshade::amber {

struct Collection::File {
  const suite::TestOptions& options;  ///< of the collection
  std::string name;
  std::string text;
  Mutex mutex{};
  std::set<std::string> named{};  ///< files that it read
  std::unique_ptr<suite::SuiteRunner> suite{};
  std::optional<Error> error{};
};

namespace {

constexpr std::string_view kSuites[] = {".toml", ".yaml", ".yml", ".json"};

bool is_suite(std::string_view name) {
  return std::ranges::any_of(kSuites, [&](std::string_view end) { return name.ends_with(end); });
}

/// Whether a name has a pattern in it, whose stars stand for anything.
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

View bytes_of(std::string_view text) { return View(std::as_bytes(std::span(text))); }

/// Of a script, whose errors have `LINE:COLUMN` as path.
suite::Place place_of(const Error& error) {
  suite::Place place;
  const char* const end_of_path = error.path.data() + error.path.size();
  const auto [end, problem] = std::from_chars(error.path.data(), end_of_path, place.line);
  if (problem == std::errc{} && end != end_of_path && *end == ':') std::from_chars(end + 1, end_of_path, place.column);
  return place;
}

}  // namespace

bool is_test_name(std::string_view name) {
  return name.ends_with(".amber") || std::ranges::any_of(kSuites, [&](std::string_view end) {
           return name.ends_with(end) && name.substr(0, name.size() - end.size()).ends_with(".test");
         });
}

Collection::Collection(const suite::TestOptions& options) : options_(options) {}
Collection::~Collection() = default;

suite::TestOptions Collection::options_of(File& file) const {
  suite::TestOptions made = options_;
  made.self = &file;
  if (options_.read_file != nullptr)
    made.read_file = [](void* self, std::string_view path) {
      File& from = *static_cast<File*>(self);
      const std::string name = paths::beside(from.name, path);
      {
        const std::lock_guard lock(from.mutex);
        from.named.insert(name);
      }
      return from.options.read_file(from.options.self, name);
    };
  if (options_.read_picture != nullptr)
    made.read_picture = [](void* self, std::span<const std::byte> bytes) {
      const suite::TestOptions& options = static_cast<File*>(self)->options;
      return options.read_picture(options.self, bytes);
    };
  if (options_.compile != nullptr)
    made.compile = [](void* self, const suite::ShaderSource& source) {
      const File& from = *static_cast<File*>(self);
      suite::ShaderSource placed = source;
      placed.folder = paths::folder_of(from.name);
      return from.options.compile(from.options.self, placed);
    };
  return made;
}

void Collection::add(std::string file_name, std::string file_text, std::span<const std::string_view> patterns) {
  const auto chosen = [&](std::string_view name) {
    bool found = patterns.empty();
    for (const std::string_view one : patterns) {
      if (!matches(one, name)) continue;
      matched_.emplace(one);
      found = true;
    }
    return found;
  };
  auto file = std::make_unique<File>(options_, std::move(file_name), std::move(file_text));
  const std::string_view name = file->name;
  const std::size_t first = tests_.size();
  if (is_suite(name)) {
    const suite::TestOptions options = options_of(*file);
    const shader::FileKind* const kind = shader::other_kind(bytes_of(file->text));
    auto document = kind != nullptr && kind->use == shader::FileUse::assemble
                        ? Result<Value>(Error{ErrorCode::bad_magic, 0, {}, "expected a suite, found " + std::string(kind->name)})
                    : options.read_document != nullptr
                        ? options.read_document(name, file->text)
                        : Result<Value>(Error{ErrorCode::unsupported, 0, {}, "suites need a reader of their documents"});
    auto read = document ? suite::read_suite(std::move(*document), file->text, options) : Result<suite::Suite>(document.error());
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
  return Script{file.name, file.suite->suite().tests[number].name, script_of(*file.suite, number)};
}

std::vector<suite::SuiteRunner::Coverage> Collection::coverage() const {
  std::vector<suite::SuiteRunner::Coverage> made;
  for (const auto& file : files_) {
    if (file->suite == nullptr) continue;
    for (suite::SuiteRunner::Coverage& one : file->suite->coverage()) {
      one.shader = paths::plain(paths::beside(file->name, one.shader));
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

std::vector<suite::OtherUse> Collection::other_uses(std::size_t file, std::span<const suite::TextRange> ranges) const {
  const suite::SuiteRunner* const runner = files_[file]->suite.get();
  if (runner == nullptr) return {};
  std::vector<bool> runs(runner->suite().tests.size(), false);
  for (const Test& test : tests_)
    if (test.file == file) runs[test.number] = true;
  return suite::other_uses(runner->suite(), ranges, runs);
}

Updates Collection::updates(std::span<const suite::Outcome> outcomes) const {
  Updates made;
  struct OfFile {
    std::vector<suite::Correction> corrections;
    suite::OtherValues others{};
  };
  std::map<std::string, OfFile> by_file;
  std::map<std::string, const picture::Picture*> goldens;
  std::set<std::string> inputs;
  const auto beside = [](const suite::Outcome& outcome, const std::string& name) {
    return paths::plain(paths::beside(outcome.file, name));
  };
  for (const suite::Outcome& outcome : outcomes) {
    OfFile& of_file = by_file[outcome.file];
    of_file.corrections.insert(of_file.corrections.end(), outcome.corrections.begin(), outcome.corrections.end());
    of_file.others.kept.insert(of_file.others.kept.end(), outcome.kept.begin(), outcome.kept.end());
    for (const std::string& name : outcome.inputs) inputs.insert(beside(outcome, name));
    if (outcome.elsewhere != 0)
      made.faults.push_back({outcome.name, "the expected values are in the file of table.csv, which --update does not change"});
    for (const suite::MadePicture& one : outcome.pictures) {
      if (!one.is_golden) continue;
      const std::string path = beside(outcome, one.name);
      const auto [known, is_new] = goldens.emplace(path, &one.picture);
      if (!is_new && known->second->bytes != one.picture.bytes)
        made.faults.push_back({path, "tests share this picture, and draw different ones"});
    }
  }
  for (auto& [name, all] : by_file) {
    const auto found = std::ranges::find(files_, name, [](const auto& one) -> const std::string& { return one->name; });
    if (all.corrections.empty() || found == files_.end()) continue;
    const auto number = static_cast<std::size_t>(found - files_.begin());
    all.others.uses = [&](std::span<const suite::TextRange> ranges) { return other_uses(number, ranges); };
    const std::string_view text = (*found)->text;
    made.texts.push_back({name, text, suite::corrected(name, text, all.corrections, options_.read_document, all.others)});
  }
  for (const auto& [path, picture] : goldens) made.goldens.push_back({path, picture, inputs.contains(path)});
  return made;
}

suite::Outcome Collection::run(std::size_t test) const {
  File& file = *files_[tests_[test].file];
  if (file.suite != nullptr) return file.suite->run(tests_[test].number);
  const std::string_view text = file.text;
  std::optional<Error> error = file.error;
  suite::Place place;
  if (error) {
    const LinePlace found = LineCounter(text).at(error->offset);
    place = {found.line, found.column};
    if (!error->path.empty()) error->message = error->path + ": " + error->message;
  } else {
    const auto script = read_script(text);
    if (script) return run_script(*script, file.name, options_of(file));
    error = script.error();
    if (error->code == ErrorCode::bad_magic) {
      error->message = "expected a suite (.toml, .yaml, .json), or a script of Amber, whose first line is `#!amber`, found " +
                       shader::shown_kind(bytes_of(file.text));
    } else {
      place = place_of(*error);
    }
  }
  suite::Outcome made;
  made.name = made.file = file.name;
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

}  // namespace unshade::amber
