// Runs tests of suites.
#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include <unshade/run/run.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite {

namespace {

// With the specialization constants that the case sets.
Result<run::Runnable> specialized_for(const run::Runnable& shader, const cases::Case& one) {
  const Value* const constants = one.given.find("constants");
  return run::specialized(shader, constants == nullptr ? Value::map() : *constants);
}

}  // namespace

/// A shader of the suite, or why there is none.
struct SuiteRunner::Loaded {
  std::once_flag once;
  std::vector<std::byte> bytes;
  std::optional<shader::Shader> opened;
  std::optional<run::Runnable> made;
  Error error;
  bool is_not_run = false;  ///< it was read, and needs what the interpreter does not do
  std::string path;
  std::string entry;
  std::map<std::uint32_t, vm::Profile> profiles;  ///< by function; SuiteRunner::mutex_ is theirs
};

SuiteRunner::SuiteRunner(Suite suite, std::string_view file, const TestOptions& options)
    : suite_(std::move(suite)), file_(file), options_(options) {}
SuiteRunner::~SuiteRunner() = default;

SuiteRunner::Loaded& SuiteRunner::load(std::string_view path, std::string_view entry, bool watched) {
  Loaded* loaded = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Loaded>& place = loaded_[std::string(path) + '\0' + std::string(entry) + (watched ? "\1" : "")];
    if (place == nullptr) {
      place = std::make_unique<Loaded>();
      place->path = path;
      place->entry = entry;
    }
    loaded = place.get();
  }
  std::call_once(loaded->once, [&] {
    const auto fill = [&]() -> Result<void> {
      if (options_.read_file == nullptr) return Error{ErrorCode::missing, 0, "", "this run cannot read the files of suites"};
      auto bytes = options_.read_file(options_.self, path);
      if (!bytes) return std::move(bytes).error();
      auto file = shader::binary_of(std::move(*bytes));
      if (!file) return std::move(file).error();
      loaded->bytes = std::move(*file);
      auto opened = shader::open(View(loaded->bytes));
      if (!opened) return std::move(opened).error();
      loaded->opened = std::move(*opened);
      shader::LowerOptions lowering;
      lowering.entry = entry;
      auto made = run::prepare(*loaded->opened, lowering, watched ? 0 : 2);
      if (!made) {
        loaded->is_not_run = made.error().code == ErrorCode::unsupported;
        return std::move(made).error();
      }
      loaded->made = std::move(*made);
      return {};
    };
    if (auto done = fill(); !done) loaded->error = std::move(done).error();
  });
  return *loaded;
}

Outcome SuiteRunner::run(std::size_t test) {
  Outcome made;
  made.file = file_;
  made.name = file_ + ": " + suite_.tests[test].name;
  const auto fail = [&](std::uint64_t offset, std::string what) {
    made.status = Status::failed;
    made.failed += 1;
    made.failures.push_back({suite_.place(offset), std::move(what), {}, {}});
    return made;
  };
  const auto message = [](const Error& error) { return error.path.empty() ? error.message : error.path + ": " + error.message; };
  const auto one = cases::expand(suite_, test);
  if (!one) return fail(one.error().offset, message(one.error()));
  const cases::ReadLog log(options_, made.inputs);
  if (!one->scene.empty()) {
    cases::draw(suite_, *one, log.options(), options_, made);
    return made;
  }
  if (options_.corrects) made.inputs.push_back(one->shader);
  Loaded& loaded = load(one->shader, one->entry, one->check || options_.covers);
  if (!loaded.made) {
    if (!loaded.is_not_run) return fail(one->shader_offset, one->shader + ": " + message(loaded.error));
    made.status = Status::skipped;
    made.reason = one->shader + ": " + message(loaded.error);
    made.place = suite_.place(one->shader_offset);
    return made;
  }
  const auto specialized = specialized_for(*loaded.made, *one);
  run::RunOptions options = scene::run_options(log.options());
  options.wave = options_.wave;
  options.f24 = options_.f24;
  options.check = one->check;
  const Value* const messages = one->expect.find("messages");
  const Value::List* const expected = messages == nullptr ? nullptr : messages->as_list();
  options.messages = expected == nullptr ? 0 : expected->size() + 1;
  vm::Profile profile;
  if (options_.covers) options.profile = &profile;
  const auto result = specialized ? run::execute(*specialized, one->given, options) : Result<Value>(specialized.error());
  if (options_.covers && !profile.counted.empty()) {
    const Value* const function = one->given.find("function");
    const std::lock_guard lock(mutex_);
    loaded
        .profiles[function == nullptr || function->as_integer() == nullptr ? 0
                                                                           : static_cast<std::uint32_t>(function->as_integer()->magnitude)]
        .add(profile);
  }
  if (!result) {
    const Error& error = result.error();
    if (error.code != ErrorCode::unsupported) return fail(error.offset != 0 ? error.offset : one->offset, message(error));
    made.status = Status::skipped;
    made.reason = message(error);
    made.place = suite_.place(one->offset);
    return made;
  }
  made.operations = result->find("operations")->as_integer()->magnitude;
  if (const Value* const mismatches = result->find("format_mismatches"))
    for (const Value& mismatch : *mismatches->as_list()) made.mismatches.push_back(*mismatch.as_text());
  cases::check(suite_, *one, &*specialized, *result, scene::run_options(options_), options_.corrects, made);
  if (made.failed != 0) made.status = Status::failed;
  return made;
}

Result<SuiteRunner::ReadyShader> SuiteRunner::shader_of(const cases::Case& one) {
  Loaded& loaded = load(one.shader, one.entry, false);
  if (!loaded.made) return loaded.error;
  auto specialized = specialized_for(*loaded.made, one);
  if (!specialized) return std::move(specialized).error();
  const View file = specialized->specialized_file().empty() ? loaded.opened->file : specialized->specialized_file();
  return ReadyShader{std::move(*specialized), loaded.opened->family, file};
}

std::vector<SuiteRunner::Coverage> SuiteRunner::coverage() {
  std::vector<Coverage> made;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, loaded] : loaded_) {
    for (const auto& [number, profile] : loaded->profiles) {
      Coverage& one = made.emplace_back();
      one.shader = loaded->path;
      one.entry = loaded->entry;
      one.function = loaded->made->module().functions[number].name;
      if (auto lines = shader::instruction_lines(*loaded->opened, one.function)) one.lines = std::move(*lines);
      if (auto places = shader::source_lines(*loaded->opened, one.function)) {
        one.places = std::move(*places);
        if (auto sources = shader::sources_of(*loaded->opened, options_.inflate)) one.sources = std::move(sources->files);
      }
      one.profile = profile;
    }
  }
  return made;
}

}  // namespace unshade::suite
