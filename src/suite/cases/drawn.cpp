// Cases that draw scenes.
#include <algorithm>
#include <string>
#include <utility>

#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>
#include <unshade/scene/scene.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {
namespace {

// What was drawn, as the result and the inputs of a case with resources.
void describe(const scene::Drawn& drawn, const Value& scene, Value& result, Value& given) {
  std::uint64_t operations = 0;
  for (const scene::Drawn::Pass& one : drawn.passes) operations += one.operations;
  result.add("stop", Value::text("finished"));
  result.add("operations", Value::integer(operations));
  Value contents = Value::map();
  Value inputs = Value::map();
  if (const Value* const resources = scene.find("resources")) inputs = *resources;
  for (const scene::Drawn::Resource& one : drawn.resources) {
    Value& own = contents.add(one.name, Value::map());
    own.add("hex", Value::text(run::hex_of(one.bytes)));
    own.add("counter", Value::integer(one.counter));
  }
  for (const scene::Drawn::Target& one : drawn.targets) {
    contents.add(one.name, Value::map()).add("hex", Value::text(run::hex_of(one.picture.bytes)));
    Value& own = inputs.add(one.name, Value::map());
    own.add("format", Value::text(texel::format_name(one.picture.format)));
    own.add("width", Value::integer(one.picture.width));
    own.add("height", Value::integer(one.picture.height));
  }
  result.add("resources", std::move(contents));
  result.add("queries", drawn.queries);
  given.add("resources", std::move(inputs));
}

}  // namespace

std::string SceneFile::placed(const Error& error) const {
  return name_ + ':' + line_and_column(View(bytes_).text(), error.offset) + ": " +
         (error.path.empty() ? error.message : error.path + ": " + error.message);
}

Result<void> SceneFile::read(const Case& one, const TestOptions& options) {
  options_ = &options;
  name_ = one.scene;
  if (options.read_file == nullptr || options.read_document == nullptr)
    return Error{ErrorCode::missing, 0, "", "this run cannot read the files of scenes"};
  auto file = options.read_file(options.self, one.scene);
  if (!file) return Error{file.error().code, 0, "", one.scene + ": " + file.error().message};
  bytes_ = std::move(*file);
  auto scene = options.read_document(one.scene, View(bytes_).text());
  if (!scene) return Error{scene.error().code, 0, "", placed(scene.error())};
  scene_ = std::move(*scene);
  drawing_ = options;
  drawing_.self = this;
  drawing_.read_file = [](void* self, std::string_view path) {
    const SceneFile& own = *static_cast<SceneFile*>(self);
    return own.options_->read_file(own.options_->self, paths::beside(own.name_, path));
  };
  if (options.read_picture != nullptr) {
    drawing_.read_picture = [](void* self, std::span<const std::byte> bytes) {
      const SceneFile& own = *static_cast<SceneFile*>(self);
      return own.options_->read_picture(own.options_->self, bytes);
    };
  }
  return {};
}

void draw(const Suite& suite, const Case& one, const TestOptions& options, const TestOptions& checking, Outcome& outcome) {
  const auto fail = [&](std::string what) {
    outcome.status = Status::failed;
    ++outcome.failed;
    outcome.failures.push_back({suite.place(one.scene_offset), std::move(what), {}, {}});
  };
  SceneFile file;
  if (auto done = file.read(one, options); !done) return fail(done.error().message);
  const auto drawn = scene::draw_scene(file.scene(), file.drawing());
  if (!drawn) {
    if (drawn.error().code != ErrorCode::unsupported) return fail(file.placed(drawn.error()));
    outcome.status = Status::skipped;
    outcome.reason = file.placed(drawn.error());
    outcome.place = suite.place(one.scene_offset);
    return;
  }
  Case checked = one;
  Value result = Value::map();
  describe(*drawn, file.scene(), result, checked.given);
  for (const scene::Drawn::Pass& pass : drawn->passes)
    for (const std::string& mismatch : pass.format_mismatches) outcome.mismatches.push_back(pass.name + ": " + mismatch);
  outcome.operations = result.find("operations")->as_integer()->magnitude;
  check(suite, checked, nullptr, result, scene::run_options(checking), options.corrects, outcome);
  if (outcome.failed != 0) outcome.status = Status::failed;
}

}  // namespace unshade::suite::cases
