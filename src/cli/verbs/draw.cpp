#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/suite/scene.hpp>

#include "cli/io/exr.hpp"
#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/io/png.hpp"
#include "cli/print/blocks.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/yaml/yaml.hpp"

namespace unshade::cli::verbs::draw {

namespace {

constexpr Option kTarget{"target", 't', Takes::text, "NAME", {}, "the target to write (default: the first of the last pass that draws)"};
constexpr Option kOptions[] = {kTarget, kJson};

using Write = Result<std::vector<std::byte>> (*)(const shader::Picture&);
struct FileType {
  std::string_view ending;
  Write write;
};
constexpr FileType kFileTypes[] = {
    {".png", write_png},
    {".dds", [](const shader::Picture& picture) -> Result<std::vector<std::byte>> { return shader::write_dds(picture); }},
    {".exr", write_exr},
};

void write_statistics(const unshade::draw::Statistics& statistics, Json& json) {
  const std::pair<std::string_view, std::uint64_t> rows[] = {{"vertices", statistics.vertices},
                                                             {"primitives", statistics.primitives},
                                                             {"vertex_runs", statistics.vertex_runs},
                                                             {"hull_runs", statistics.hull_runs},
                                                             {"domain_runs", statistics.domain_runs},
                                                             {"geometry_runs", statistics.geometry_runs},
                                                             {"geometry_primitives", statistics.geometry_primitives},
                                                             {"clipper_in", statistics.clipper_in},
                                                             {"clipper_out", statistics.clipper_out},
                                                             {"pixel_runs", statistics.pixel_runs},
                                                             {"samples_passed", statistics.samples_passed}};
  json.begin_object();
  for (const auto& [name, count] : rows) json.member(name, count);
  json.end_object();
}

void write_drawn(const suite::Drawn& drawn, Json& json) {
  json.begin_object();
  json.member("schema", "unshade.draw/1");
  json.key("targets");
  json.begin_array();
  for (std::size_t k = 0; k < drawn.targets.size(); ++k) {
    const suite::Drawn::Target& one = drawn.targets[k];
    json.begin_object();
    json.member("name", one.name);
    json.member("format", one.format);
    json.member("width", std::uint64_t{one.picture.width});
    json.member("height", std::uint64_t{one.picture.height});
    json.member("layers", std::uint64_t{one.picture.layers});
    json.member("samples", std::uint64_t{one.samples});
    json.member("shown", k == drawn.shown);
    json.end_object();
  }
  json.end_array();
  json.key("passes");
  json.begin_array();
  for (const suite::Drawn::Pass& one : drawn.passes) {
    json.begin_object();
    json.member("name", one.name);
    json.member("operations", one.operations);
    json.key("statistics");
    write_statistics(one.statistics, json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.finish();
}

std::uint32_t terminal_columns() {
  constexpr std::uint32_t kColumns = 80, kMost = 1024;
  const char* const given = std::getenv("COLUMNS");
  const unsigned long columns = given == nullptr ? 0 : std::strtoul(given, nullptr, 10);
  return columns == 0 ? kColumns : static_cast<std::uint32_t>(std::min<unsigned long>(columns, kMost));
}

Exit draw_scene(const Args& args, Io& io) {
  const std::string_view output = args.value(kOutput.name);
  const bool as_json = args.has(kJson.name);
  const bool shows = output.empty() && !as_json;
  const auto* const type = std::ranges::find_if(kFileTypes, [&](const FileType& one) { return output.ends_with(one.ending); });
  if (!output.empty() && type == std::end(kFileTypes))
    return io.report({}, "usage", "the file of -o must end in .png, .dds or .exr"), Exit::failed;
  if (shows && !io.to_terminal() && !io.out.color())
    return io.report({}, "usage", "draw shows pictures on a terminal: use -o FILE.png, FILE.dds or FILE.exr"), Exit::failed;
  if (as_json) io.split_product();

  const Read text = io.read_text(args.operands[0]);
  if (!text) return text.exit;
  if (!io.accepts_text(*text)) return Exit::invalid;
  const auto scene = yaml::read_by_name(text->name, text->view().text());
  if (!scene) return yaml::report_in(io, *text, scene.error()), Exit::invalid;
  std::filesystem::path folder = std::filesystem::path(args.operands[0]).parent_path();
  suite::TestOptions options;
  options.operations = std::uint64_t{1} << 32;
  options.read_file = [](void* self, std::string_view path) {
    return read_whole((*static_cast<std::filesystem::path*>(self) / std::filesystem::path(path)).string());
  };
  options.read_picture = [](void*, std::span<const std::byte> file) { return read_png(file); };
  options.self = &folder;
  print::Progress progress(
      io.host(), scene->find("pass") == nullptr || scene->find("pass")->as_list() == nullptr ? 0 : scene->find("pass")->as_list()->size(),
      "passes");
  const auto drawn = suite::draw_scene(*scene, options, [&](std::size_t done, std::size_t) { progress.show(done); });
  progress.clear();
  if (!drawn) return yaml::report_in(io, *text, drawn.error()), Exit::invalid;

  if (as_json) {
    Json json(io.out);
    write_drawn(*drawn, json);
  }
  if (!shows && output.empty()) return Exit::ok;
  const suite::Drawn::Target* target = drawn->shown < drawn->targets.size() ? &drawn->targets[drawn->shown] : nullptr;
  if (args.has(kTarget.name)) {
    const auto found = std::ranges::find(drawn->targets, args.value(kTarget.name), &suite::Drawn::Target::name);
    target = found == drawn->targets.end() ? nullptr : &*found;
  }
  if (target == nullptr) {
    std::string names;
    for (const suite::Drawn::Target& one : drawn->targets) names += (names.empty() ? "" : ", ") + one.name;
    io.report(text->name, "missing", names.empty() ? "the scene has no targets" : "there is no target of this name; there are " + names);
    return Exit::invalid;
  }
  if (shows) {
    const auto pixels = shader::as_rgba8(target->picture);
    if (!pixels) return io.report(text->name, pixels.error()), Exit::invalid;
    print::print_picture(*pixels, terminal_columns(), io.out);
    return Exit::ok;
  }
  const auto file = type->write(target->picture);
  if (!file) return io.report(text->name, file.error()), Exit::invalid;
  io.write_bytes(*file);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade draw cube.toml", "on the terminal"},
    {"unshade draw cube.toml -o cube.png", "the first target of the last pass"},
    {"unshade draw shadow.toml --target depth -o depth.exr", "another target, as floats"},
    {"unshade draw cube.toml --json", "targets, and what each pass ran, drew and rejected"},
};

}  // namespace

const Verb kVerb{
    .name = "draw",
    .summary = "draw a scene on the CPU",
    .description =
        "Draws a scene without a GPU, by the rules of Direct3D 11.3: the same bits on every machine. A scene is TOML, YAML or JSON: "
        "targets, "
        "resources, and passes with shaders, states in Direct3D's words, meshes and constants. Shaders of all families are files beside "
        "the "
        "scene, or texts that `as` assembles. Without -o, the picture is shown on the terminal.",
    .operands = {"SCENE", Takes::file, {}, true, false},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 the scene was drawn, 1 the scene or one of its files is not valid, or a shader was stopped, 2 usage or I/O error",
    .run = draw_scene,
};

}  // namespace unshade::cli::verbs::draw
