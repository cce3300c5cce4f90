// Cases that draw scenes.
#include <algorithm>
#include <string>
#include <utility>

#include <unshade/suite/scene.hpp>

#include "shader/run/bindings.hpp"
#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {
namespace {

/// Files that a scene names are beside it.
struct Beside {
  const TestOptions& options;
  std::string folder;  ///< with a slash, or empty
};

std::string placed(std::string_view file, std::string_view text, const Error& error) {
  const std::string_view before = text.substr(0, std::min<std::size_t>(error.offset, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return std::string(file) + ':' + std::to_string(line) + ':' + std::to_string(column) + ": " +
         (error.path.empty() ? error.message : error.path + ": " + error.message);
}

// What was drawn, as the result and the inputs of a case with resources.
void describe(const Drawn& drawn, const Value& scene, Value& result, Value& given) {
  std::uint64_t operations = 0;
  for (const Drawn::Pass& one : drawn.passes) operations += one.operations;
  result.add("stop", Value::text("finished"));
  result.add("operations", Value::integer(operations));
  Value contents = Value::map();
  Value inputs = Value::map();
  if (const Value* const resources = scene.find("resources")) inputs = *resources;
  for (const Drawn::Resource& one : drawn.resources) {
    Value& own = contents.add(one.name, Value::map());
    own.add("hex", Value::text(shader::runner::hex_of(one.bytes)));
    own.add("counter", Value::integer(one.counter));
  }
  for (const Drawn::Target& one : drawn.targets) {
    contents.add(one.name, Value::map()).add("hex", Value::text(shader::runner::hex_of(one.picture.bytes)));
    Value& own = inputs.add(one.name, Value::map());
    own.add("format", Value::text(vm::format_name(one.picture.format)));
    own.add("width", Value::integer(one.picture.width));
    own.add("height", Value::integer(one.picture.height));
  }
  result.add("resources", std::move(contents));
  result.add("queries", drawn.queries);
  given.add("resources", std::move(inputs));
}

}  // namespace

void draw(const Suite& suite, const Case& one, const TestOptions& options, Outcome& outcome) {
  const auto fail = [&](std::string what) {
    outcome.status = Status::failed;
    ++outcome.failed;
    outcome.failures.push_back({suite.place(one.scene_offset), std::move(what), {}, {}});
  };
  if (options.read_file == nullptr || options.read_document == nullptr) return fail("this run cannot read the files of scenes");
  const auto file = options.read_file(options.self, one.scene);
  if (!file) return fail(one.scene + ": " + file.error().message);
  const std::string_view text = View(*file).text();
  const auto scene = options.read_document(one.scene, text);
  if (!scene) return fail(placed(one.scene, text, scene.error()));

  Beside beside{options, one.scene.substr(0, one.scene.rfind('/') + 1)};
  TestOptions drawing = options;
  drawing.self = &beside;
  drawing.read_file = [](void* self, std::string_view path) {
    const Beside& own = *static_cast<Beside*>(self);
    return own.options.read_file(own.options.self, path.starts_with('/') ? std::string(path) : own.folder + std::string(path));
  };
  if (options.read_picture != nullptr) {
    drawing.read_picture = [](void* self, std::span<const std::byte> bytes) {
      const Beside& own = *static_cast<Beside*>(self);
      return own.options.read_picture(own.options.self, bytes);
    };
  }
  const auto drawn = draw_scene(*scene, drawing);
  if (!drawn) {
    if (drawn.error().code != ErrorCode::unsupported) return fail(placed(one.scene, text, drawn.error()));
    outcome.status = Status::skipped;
    outcome.reason = placed(one.scene, text, drawn.error());
    outcome.place = suite.place(one.scene_offset);
    return;
  }
  Case checked = one;
  Value result = Value::map();
  describe(*drawn, *scene, result, checked.given);
  outcome.operations = result.find("operations")->as_integer()->magnitude;
  shader::RunOptions run;
  run.read_file = options.read_file;
  run.read_picture = options.read_picture;
  run.self = options.self;
  check(suite, checked, {}, result, run, options.corrects, outcome);
  if (outcome.failed != 0) outcome.status = Status::failed;
}

}  // namespace unshade::suite::cases
