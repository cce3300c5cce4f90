#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/picture/sixel.hpp>
#include <unshade/png/apng.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/present/drawn.hpp>
#include <unshade/present/heat.hpp>
#include <unshade/run/run.hpp>
#include <unshade/scene/scene.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/process.hpp>
#include <unshade/system/terminal.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/open_input.hpp"
#include "cli/print/progress.hpp"
#include "cli/stepping/stepper.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/named_files.hpp"

namespace unshade::cli::verbs::draw {

namespace {

constexpr std::string_view kHeatHelp =
    "show what each pixel of the target cost instead of its color, and print what the colors mean: overdraw (fragments that passed all "
    "tests), runs (of the pixel shader), instructions (that it executed), level (the largest level of detail of a sample), divergence "
    "(instructions that its wave executed without it), nan (fragments that are NaN or infinite)";
/// `overdraw|runs`: all kinds.
constexpr auto kHeatChoices = [] {
  std::array<char, 128> made{};
  std::size_t end = 0;
  for (const unshade::draw::HeatRow& row : unshade::draw::kHeatRows) {
    if (end != 0) made[end++] = '|';
    for (const char c : row.id) made[end++] = c;
  }
  return made;
}();
constexpr Option kTarget{"target", 't', Takes::text, "NAME", {}, "the target to write (default: the first of the last pass that draws)"};
constexpr Option kPixel{"pixel", 0, Takes::text, "X,Y", {}, "print the values of the targets at a pixel, as numbers", true};
constexpr Option kHistory{"history",      0,  Takes::text,
                          "X,Y[,SAMPLE]", {}, "list the primitives that reach a pixel of the target, and which test rejected each"};
constexpr Option kTrace{"trace", 0,  Takes::text,
                        "EVENT", {}, "with --history, print that event alone, with each instruction that its pixel shader executed"};
constexpr Option kStep{
    "step",  0,  Takes::text,
    "EVENT", {}, "with --history, step through the pixel shader of that event by commands from standard input; `help` lists them"};
constexpr Option kHeat{"heat", 0, Takes::choice, "KIND", kHeatChoices.data(), kHeatHelp};
constexpr Option kAnimate{"animate", 0,  Takes::nothing,
                          {},        {}, "draw each frame of the scene's animation into the file of -o, as animated PNG"};
constexpr Option kFrame{"frame", 0, Takes::text, "N", {}, "draw the scene as it is at this frame of its animation, from 0 on"};
constexpr Option kTerminal{
    "terminal",
    0,
    Takes::choice,
    "HOW",
    "auto|sixel|blocks|none",
    "how a picture is shown without -o: sixel graphics, two pixels a character, or not at all; auto: on a terminal, as "
    "sixel if it says that it shows them"};
/// Bytes that the record of --step may take.
constexpr std::size_t kMostRecorded = std::size_t{1} << 30;
/// A terminal is rarely wider.
constexpr std::uint32_t kMostSixelPixels = 1024;
constexpr Option kResources{"resources", 0, Takes::nothing, {}, {}, "with --json, also the contents of the scene's resources"};
constexpr Option kWave{"wave", 'w', Takes::text, "N", {}, "lanes of a wave: 4, 8, 16, 32, 64 or 128 (default: 32)"};
constexpr Option kOptions[] = {kOptimize, kTarget, kPixel,    kHistory, kTrace,   kStep, kHeat,
                               kAnimate,  kFrame,  kTerminal, kWave,    kFloat24, kJson, kResources};

using present::PixelAt;
/// `12,40`
std::optional<PixelAt> pixel_of(std::string_view text) {
  PixelAt made;
  const char* const end = text.data() + text.size();
  const auto [comma, first_fault] = std::from_chars(text.data(), end, made.first);
  if (first_fault != std::errc{} || comma == end || *comma != ',') return std::nullopt;
  const auto [last, fault] = std::from_chars(comma + 1, end, made.second);
  return fault == std::errc{} && last == end ? std::optional(made) : std::nullopt;
}

/// `12,40` or `12,40,3`
std::optional<unshade::draw::PixelPlace> place_of(std::string_view text) {
  unshade::draw::PixelPlace made;
  const std::size_t first = text.find(','), second = first == std::string_view::npos ? first : text.find(',', first + 1);
  const auto pixel = pixel_of(text.substr(0, second));
  if (!pixel) return std::nullopt;
  std::tie(made.x, made.y) = *pixel;
  if (second == std::string_view::npos) return made;
  const auto sample = as_number<std::uint32_t>(text.substr(second + 1));
  if (!sample || *sample > 15) return std::nullopt;
  made.sample = *sample;
  return made;
}

/// What the scene does not have.
Exit report(Io& io, std::string_view file, const Error& error) {
  io.report(file, id(error.code), error.message);
  return Exit::invalid;
}

std::uint32_t terminal_columns() {
  constexpr std::uint32_t kColumns = 80, kMost = 1024;
  unsigned long columns = std::strtoul(system::environment("COLUMNS").c_str(), nullptr, 10);
  if (columns == 0) columns = system::terminal_columns().value_or(kColumns);
  return static_cast<std::uint32_t>(std::min<unsigned long>(columns, kMost));
}

/// What the command line asks for.
struct Request {
  std::string_view output;
  bool as_json = false;
  std::optional<unshade::draw::PixelPlace> followed;
  std::optional<present::TracedEvent> traced;
  std::optional<std::size_t> stepped;  ///< the number of an event
  std::optional<unshade::draw::HeatKind> heat;
  std::optional<std::uint32_t> frame;
  std::vector<PixelAt> pixels;
  const png::PictureFile* type = nullptr;  ///< of the output
  /// Whether the picture goes to the terminal.
  bool shows() const { return output.empty() && !as_json && (heat || (pixels.empty() && !followed)); }
};

/// Reports what is wrong with the command line.
std::optional<Request> read_request(const Args& args, Io& io) {
  const auto refuse = [&](const std::string& message) { return io.refuse_usage(message), std::nullopt; };
  Request made;
  made.output = args.value(kOutput.name);
  made.as_json = args.has(kJson.name);
  if (args.has(kHistory.name)) {
    made.followed = place_of(args.value(kHistory.name));
    if (!made.followed) return refuse("--history must be two or three whole numbers, the third below 16: X,Y or X,Y,SAMPLE");
  }
  if (args.has(kTrace.name)) {
    const auto event = as_number<std::size_t>(args.value(kTrace.name));
    if (!made.followed || !event) return refuse("--trace must be the number of an event of --history");
    made.traced.emplace().number = *event;
  }
  if (args.has(kStep.name)) {
    made.stepped = as_number<std::size_t>(args.value(kStep.name));
    if (!made.followed || !made.stepped) return refuse("--step must be the number of an event of --history");
    if (args.operands[0] == "-") return refuse("--step reads commands from standard input: SCENE must be a file");
    for (const Option* const other : {&kTrace, &kPixel, &kResources, &kOutput})
      if (args.has(other->name)) return refuse("--step cannot be combined with --" + std::string(other->name));
  }
  for (const std::string_view one : args.values(kPixel.name)) {
    const auto pixel = pixel_of(one);
    if (!pixel) return refuse("--pixel must be two whole numbers: X,Y");
    made.pixels.push_back(*pixel);
  }
  made.heat = unshade::draw::find_heat(args.value(kHeat.name));
  if (made.heat && made.followed) return refuse("--heat cannot be combined with --history");
  if (args.has(kFrame.name)) {
    made.frame = as_number<std::uint32_t>(args.value(kFrame.name));
    if (!made.frame) return refuse("--frame must be the number of a frame, from 0 on");
  }
  const bool to_pipe = made.output == "-";
  if (to_pipe && io.refuses_bytes("draw")) return std::nullopt;
  if (to_pipe && (made.as_json || made.followed || made.heat || !made.pixels.empty()))
    return refuse("-o - cannot be combined with what prints to standard output");
  made.type = to_pipe ? &png::picture_files().front() : png::picture_file_of(made.output);
  if (!made.output.empty() && made.type == nullptr) return refuse("the file of -o must end in .png, .dds or .exr; - is standard output");
  if (args.has(kAnimate.name)) {
    if (!to_pipe && !made.output.ends_with(".png")) return refuse("--animate must have -o FILE.png");
    if (made.as_json || made.followed || made.heat || made.frame || !made.pixels.empty())
      return refuse("--animate cannot be combined with --json, --pixel, --history, --heat and --frame");
  }
  return made;
}

/// How a picture gets onto the terminal.
enum class Shown : std::uint8_t { not_at_all, sixel, blocks };
/// Nothing if it cannot: no terminal is there.
std::optional<Shown> shown_on(std::string_view terminal, const Io& io, const Host& host) {
  if (terminal == "none") return Shown::not_at_all;
  if (terminal == "sixel") return Shown::sixel;
  if (terminal == "blocks") return Shown::blocks;
  if (!io.to_terminal() && !io.out.color()) return std::nullopt;
  return io.to_terminal() && io.out.color() && host.has_sixel != nullptr && host.has_sixel() ? Shown::sixel : Shown::blocks;
}

Exit show(const unshade::picture::Picture& picture, Shown how, std::string_view name, Io& io) {
  if (how == Shown::not_at_all) return Exit::ok;
  const auto converted = unshade::picture::as_rgba8(picture);
  if (!converted) return io.refuse_file(name, converted.error());
  if (how == Shown::sixel) {
    picture::write_sixel(*converted, kMostSixelPixels, io.out.text);
  } else {
    present::print_picture(*converted, terminal_columns(), io.out);
  }
  return Exit::ok;
}

/// The target by its name, or the one to look at. Reports if there is none.
const scene::Drawn::Target* find_target(const scene::Drawn& drawn, const Args& args, std::string_view file, Io& io) {
  const auto found = scene::find_target(drawn, args.value(kTarget.name));
  return found ? &drawn.targets[*found] : (report(io, file, found.error()), nullptr);
}

void report_doubts(const scene::Drawn& drawn, std::string_view file, Io& io) {
  for (const present::Doubt& doubt : present::doubts_of(drawn)) io.report(file, Severity::warning, doubt.id, doubt.message);
}

Exit animate(const Value& scene, const Args& args, const scene::SceneOptions& options, const NamedFiles& files, const Input& text, Io& io) {
  const auto animation = scene::animation_of(scene);
  if (!animation) return io.report_in(text, animation.error()), Exit::invalid;
  png::ApngWriter file(animation->fps, animation->plays);
  print::Progress progress(io.host(), animation->frames, "frames");
  for (std::uint32_t frame = 0; frame < animation->frames; ++frame) {
    progress.show(frame);
    const auto now = scene::scene_at(scene, frame);
    const auto drawn = now ? scene::draw_scene(*now, options) : Result<scene::Drawn>(now.error());
    if (!drawn) {
      progress.clear();
      return io.report_in(text, drawn.error()), Exit::invalid;
    }
    if (frame == 0) {
      progress.clear();
      report_doubts(*drawn, text.name, io);
    }
    const scene::Drawn::Target* const target = find_target(*drawn, args, text.name, io);
    if (target == nullptr) return Exit::invalid;
    if (auto added = file.add(target->picture); !added) return progress.clear(), io.refuse_file(text.name, added.error());
  }
  progress.clear();
  if (files.refuse_output(io)) return Exit::failed;
  io.write_bytes(file.finish());
  return Exit::ok;
}

/// Through the pixel shader of an event.
Exit step_event(scene::Drawn::Stepped& stepped, std::string_view file, bool as_json, Io& io) {
  const auto opened = shader::open(View(stepped.file));
  if (!opened) return io.refuse_file(file, opened.error());
  const auto listing = present::list_for_stepping(*opened);
  if (!listing) return io.refuse_file(file, listing.error());
  return stepping::step_through(stepped.session, *listing, as_json, io);
}

Exit draw_scene(const Args& args, Io& io) {
  auto asked = read_request(args, io);
  if (!asked) return Exit::failed;
  const bool shows = asked->shows();
  const auto how = shows ? shown_on(args.value(kTerminal.name, "auto"), io, io.host()) : Shown::not_at_all;
  if (!how && !asked->heat) return io.refuse_usage("draw shows pictures on a terminal: use -o FILE.png, FILE.dds or FILE.exr");
  if (asked->as_json) io.split_product();

  const Read text = io.read_text(args.operands[0]);
  if (!text) return text.exit;
  constexpr std::string_view kOthers[] = {"amber", "document", "llvm-document"};
  auto document = open_document(*text, "a scene", kOthers, io);
  if (!document) return Exit::invalid;
  Result<Value> scene = std::move(*document);
  NamedFiles files{args.operands[0], {}};
  scene::SceneOptions options;
  options.operations = std::uint64_t{1} << 32;
  options.optimize = args.value(kOptimize.name) == "0" ? 0 : 2;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  const auto wave = io.lanes_of(args, kWave);
  if (!wave) return Exit::failed;
  options.wave = *wave;
  options.f24 = unshade::run::f24_of(args.value(kFloat24.name));
  options.read_file = [](void* self, std::string_view path) { return static_cast<NamedFiles*>(self)->read(path); };
  options.read_document = document_text::read_by_name;
  options.read_picture = [](void*, std::span<const std::byte> file) { return png::read_picture_file(file); };
  options.self = &files;
  if (args.has(kAnimate.name)) return animate(*scene, args, options, files, *text, io);
  if (asked->frame) {
    const auto animation = scene::animation_of(*scene);
    if (!animation) return io.report_in(*text, animation.error()), Exit::invalid;
    if (*asked->frame >= animation->frames)
      return io.refuse_usage("--frame must be below the number of the animation's frames, " + std::to_string(animation->frames));
    scene = scene::scene_at(*scene, *asked->frame);
    if (!scene) return io.report_in(*text, scene.error()), Exit::invalid;
  }
  const Value* const passes = scene->find("pass");
  print::Progress progress(io.host(), passes == nullptr || passes->as_list() == nullptr ? 0 : passes->as_list()->size(), "passes");
  scene::Wanted wanted;
  wanted.heat = asked->heat;
  if (asked->followed) wanted.followed.emplace().place = *asked->followed;
  if (asked->traced || asked->stepped || (asked->heat && unshade::draw::info(*asked->heat).watches)) options.optimize = 0;
  const auto draw = [&] {
    auto made = scene::draw_scene(*scene, options, [&](std::size_t done, std::size_t) { progress.show(done); }, wanted);
    progress.clear();
    return made;
  };
  const auto drawn = draw();
  if (files.refuse_output(io)) return Exit::failed;
  if (!drawn) return io.report_in(*text, drawn.error()), Exit::invalid;
  report_doubts(*drawn, text->name, io);

  const scene::Drawn::Target* target = nullptr;
  if (shows || !asked->output.empty() || asked->followed || asked->heat || args.has(kTarget.name)) {
    target = find_target(*drawn, args, text->name, io);
    if (target == nullptr) return Exit::invalid;
  }
  for (const PixelAt& pixel : asked->pixels) {
    const auto has = [&](const scene::Drawn::Target& one) { return pixel.first < one.picture.width && pixel.second < one.picture.height; };
    if (std::ranges::any_of(drawn->targets, has)) continue;
    io.report(text->name, "missing", "no target has the pixel " + std::to_string(pixel.first) + ',' + std::to_string(pixel.second));
    return Exit::invalid;
  }
  if (asked->followed) {
    if (auto has = scene::check_place(*target, *asked->followed); !has) return report(io, text->name, has.error());
  }
  if (asked->heat && !target->heat) {
    io.report(text->name, "missing", "no pass that was drawn has `" + target->name + "` as its first target");
    return Exit::invalid;
  }
  if (asked->traced || asked->stepped) {
    const auto number_of_target = static_cast<std::size_t>(target - drawn->targets.data());
    const auto place = scene::find_event(*drawn, number_of_target, asked->traced ? asked->traced->number : *asked->stepped);
    if (!place) return report(io, text->name, place.error());
    wanted.followed->pass = place->pass;
    wanted.followed->event = place->event;
    if (asked->traced) {
      wanted.followed->self = &asked->traced->steps;
      wanted.followed->trace = [](void* self, const Value& step) { static_cast<std::vector<Value>*>(self)->push_back(step); };
    } else {
      wanted.followed->recorded.emplace().record = kMostRecorded;
    }
    auto again = draw();
    if (!again) return io.report_in(*text, again.error()), Exit::invalid;
    if (asked->stepped) {
      if (!again->stepped) return io.report(text->name, "missing", "the pixel shader did not run for this event"), Exit::invalid;
      const present::TracedEvent shown{.number = *asked->stepped, .steps = {}};
      if (!asked->as_json) present::print_history(*drawn, number_of_target, *asked->followed, &shown, io.out);
      return step_event(*again->stepped, text->name, asked->as_json, io);
    }
  }
  const unshade::picture::Picture colors = asked->heat ? present::heat_colors(*target->heat) : unshade::picture::Picture{};
  const present::TracedEvent* const traced = asked->traced ? &*asked->traced : nullptr;
  if (asked->as_json) {
    Json json(io.out);
    present::DrawnParts parts{.pixels = asked->pixels, .traced = traced, .resources = args.has(kResources.name)};
    if (asked->followed) parts.history = static_cast<std::size_t>(target - drawn->targets.data());
    if (asked->heat) parts.heat = target;
    present::write_drawn(*drawn, parts, json);
  } else {
    if (!asked->output.empty() && (asked->heat || asked->followed || !asked->pixels.empty())) io.split_product();
    if (shows && how) {
      if (const Exit exit = show(asked->heat ? colors : target->picture, *how, text->name, io); exit != Exit::ok) return exit;
    }
    if (asked->heat) present::print_heat(*drawn, *target, asked->pixels, io.out);
    present::print_pixels(*drawn, asked->pixels, io.out);
    if (asked->followed)
      present::print_history(*drawn, static_cast<std::size_t>(target - drawn->targets.data()), *asked->followed, traced, io.out);
  }
  if (asked->output.empty()) return Exit::ok;
  const auto file = asked->type->write(!asked->heat              ? target->picture
                                       : asked->type->is_colored ? colors
                                                                 : present::heat_numbers(*target->heat));
  if (!file) return io.refuse_file(text->name, file.error());
  io.write_bytes(*file);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade draw cube.toml", "on the terminal"},
    {"unshade draw cube.toml -o cube.png", "the first target of the last pass"},
    {"unshade draw shadow.toml --target depth -o depth.exr", "another target, as floats"},
    {"unshade draw cube.toml --pixel 64,40", "the values of the targets at a pixel"},
    {"unshade draw cube.toml --history 64,40", "the primitives that reach a pixel, and which test rejected each"},
    {"unshade draw cube.toml --history 64,40 --trace 1", "the first of them, instruction by instruction"},
    {"unshade draw cube.toml --history 64,40 --step 1", "through the first of them, forward and back"},
    {"unshade draw cube.toml --heat overdraw -o heat.png", "how often each pixel was drawn; of .exr or .dds, the numbers"},
    {"unshade draw turn.toml --animate -o turn.png", "each frame of its animation"},
    {"unshade draw cube.toml --json", "targets, and what each pass ran, drew and rejected"},
};

constexpr SampleFile kMove{"move.asm", R"(// Input signature:
// POSITION 0 xyz 0 NONE float xyz
//
// Output signature:
// SV_Position 0 xyzw 0 POS float xyzw
vs_5_0
dcl_input v0.xyz
dcl_output_siv o0.xyzw, position
mov o0.xyz, v0.xyzx
mov o0.w, l(1.0)
ret
)"};
constexpr SampleFile kScene{"scene.toml", R"([targets.picture]
format = "R8G8B8A8_UNORM"
width = 4
height = 4

[[pass]]
vertex = "move.asm"
pixel = "orange.asm"
targets = ["picture"]
mesh = "quad"
)"};
constexpr const SampleFile* kInputs[] = {&kMove, &samples::kOrange, &kScene};
constexpr std::string_view kSession = R"($ unshade draw scene.toml --pixel 1,1
picture 1,1: 1.0 0.5019608 0.0 1.0
$ unshade draw scene.toml --history 1,1
picture 1,1
1: pass 1, primitive 0, front: written
  corners     (0.0, 0.0), (4.0, 0.0), (4.0, 4.0)
  output      1.0, 0.5, 0.0, 1.0
  color       0.0, 0.0, 0.0, 0.0 -> 1.0, 0.5019608, 0.0, 1.0)";

}  // namespace

const VerbBody kBody{
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
    .session = {kInputs, kSession},
    .run = draw_scene,
};

}  // namespace unshade::cli::verbs::draw
