// Drawing scenes, and what is asked of what was drawn.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/picture/picture.hpp>
#include <unshade/present/drawn.hpp>
#include <unshade/present/heat.hpp>
#include <unshade/present/value.hpp>
#include <unshade/scene/scene.hpp>
#include <unshade/texel/formats.hpp>

#include "capi/object.hpp"
#include "capi/printed.hpp"
#include "capi/run/rounding.hpp"
#include "capi/run/session.hpp"

using namespace unshade;
using capi::guarded;

namespace {

using Bytes = std::vector<std::byte>;
/// Files by their names in the scene.
using Files = std::map<std::string, std::shared_ptr<const Bytes>, std::less<>>;

/// What a drawing reads, and the names that it asked for in vain.
struct Reading {
  const Files& files;
  std::set<std::string> missing{};
};

Result<Bytes> read_file(void* self, std::string_view name) {
  Reading& reading = *static_cast<Reading*>(self);
  if (const auto found = reading.files.find(name); found != reading.files.end()) return Bytes(*found->second);
  reading.missing.emplace(name);
  return Error{ErrorCode::missing, 0, {}, "the file `" + std::string(name) + "` was not given"};
}

scene::SceneOptions scene_options(const unshade_draw_options& how) {
  scene::SceneOptions options;
  options.operations = how.operations != 0 ? how.operations : std::uint64_t{1} << 32;
  // no more than a size has room for, where it has 32 bits
  if (how.memory != 0) options.memory = std::min<std::uint64_t>(how.memory, std::numeric_limits<std::size_t>::max() / 2);
  options.wave = how.wave;
  options.threads = std::max(how.threads, 1U);
  options.f24 = capi::f24_of(how.float24);
  options.read_file = read_file;
  options.read_document = [](std::string_view, std::string_view text) { return present::read_json(text); };
  return options;
}

/// Sizes of waves that the interpreter has.
bool is_wave(std::uint32_t lanes) { return lanes == 0 || (std::has_single_bit(lanes) && lanes >= 4 && lanes <= 128); }

}  // namespace

struct unshade_scene {
  Value scene;
  Files files;
  std::uint32_t frames = 1;
  std::vector<std::string> names{};    ///< of files that the scene has, and those that a drawing asked for
  std::vector<std::string> missing{};  ///< of these, those that were not given

  void find_missing() {
    missing.clear();
    std::ranges::copy_if(names, std::back_inserter(missing), [&](const std::string& name) { return !files.contains(name); });
  }
};

struct unshade_drawing {
  Value scene;  ///< as it is at the frame
  Files files;
  scene::SceneOptions options;
  scene::Drawn drawn{};

  /// Draws it once more, with more to tell. `watched`: each instruction of the file must be there.
  Result<scene::Drawn> again(const scene::Wanted& wanted, bool watched) const {
    Reading reading{files};
    scene::SceneOptions now = options;
    now.self = &reading;
    if (watched) now.optimize = 0;
    return scene::draw_scene(scene, now, {}, wanted);
  }
};

struct unshade_heat {
  scene::Drawn drawn;
  std::size_t target = 0;
  picture::Picture colors{};
  std::vector<float> numbers{};
};

namespace {

constexpr const char* kNull = "an argument is NULL";

unshade_code write_json(const scene::Drawn& drawn, const present::DrawnParts& parts, unshade_blob** json, unshade_error** error) {
  return capi::hand_out(capi::printed([&](present::Printer& printer) -> Result<void> {
                          present::Json out(printer);
                          present::write_drawn(drawn, parts, out);
                          return {};
                        }),
                        json, error);
}

/// Four floats for each texel.
Result<std::string> as_floats(const picture::Picture& picture) {
  const auto format = texel::find_format(texel::format_name(picture.format));
  if (!format) return Error{ErrorCode::bad_value, 0, "format", "a target of this format has no numbers"};
  std::string made;
  for (std::size_t at = 0; at + format->bytes() <= picture.bytes.size(); at += format->bytes()) {
    for (std::uint32_t bits : texel::load_texel(*format, picture.bytes.data() + at)) {
      if (format->encoding == texel::Encoding::sint) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(bits)));
      } else if (format->is_integer()) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(bits));
      }
      for (unsigned byte = 0; byte < 4; ++byte) made += static_cast<char>(bits >> (8 * byte) & 0xff);
    }
  }
  return made;
}

Error no_target(std::uint32_t target) { return {ErrorCode::missing, 0, "targets", "there is no target " + std::to_string(target)}; }

/// A pixel of a target that was asked of, with its history.
struct Asked {
  std::size_t target = 0;
  std::size_t event = 0;  ///< from 1; 0: none
  scene::Wanted wanted;
  scene::Drawn drawn;

  scene::Followed& followed() { return *wanted.followed; }
};
Result<Asked> history_of(const unshade_drawing& drawing, const unshade_pixel& pixel) {
  Asked made;
  made.target = pixel.target;
  made.event = pixel.event;
  if (pixel.target >= drawing.drawn.targets.size()) return no_target(pixel.target);
  scene::Followed& followed = made.wanted.followed.emplace();
  followed.place.x = pixel.x;
  followed.place.y = pixel.y;
  if (pixel.sample >= 0) followed.place.sample = static_cast<std::uint32_t>(pixel.sample);
  if (auto has = scene::check_place(drawing.drawn.targets[pixel.target], followed.place); !has) return std::move(has).error();
  auto drawn = drawing.again(made.wanted, false);
  if (!drawn) return std::move(drawn).error();
  made.drawn = *std::move(drawn);
  if (pixel.event == 0) return made;
  const auto place = scene::find_event(made.drawn, made.target, made.event);
  if (!place) return place.error();
  followed.pass = place->pass;
  followed.event = place->event;
  return made;
}

}  // namespace

unshade_code unshade_scene_new(const char* text, size_t size, unshade_scene** scene, unshade_error** error) {
  if (scene != nullptr) *scene = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (text == nullptr || scene == nullptr) return capi::invalid_argument(error, kNull);
    auto given = present::read_json({text, size});
    if (!given) return capi::fail(error, given.error());
    if (given->as_map() == nullptr) return capi::fail(error, UNSHADE_BAD_VALUE, 0, {}, "a scene must be an object");
    auto made = std::make_unique<unshade_scene>(unshade_scene{*std::move(given), {}});
    if (made->scene.find("animation") != nullptr) {
      const auto animation = scene::animation_of(made->scene);
      if (!animation) return capi::fail(error, animation.error());
      made->frames = animation->frames;
    }
    made->names = scene::files_of(made->scene);
    made->find_missing();
    *scene = made.release();
    return UNSHADE_OK;
  });
}

void unshade_scene_free(unshade_scene* scene) { delete scene; }

unshade_code unshade_scene_set_file(unshade_scene* scene, const char* name, const void* bytes, size_t size) {
  if (scene == nullptr || name == nullptr || (bytes == nullptr && size != 0)) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> unshade_code {
    const auto given = capi::view_of(bytes, size).bytes();
    scene->files.insert_or_assign(name, std::make_shared<const Bytes>(given.begin(), given.end()));
    scene->find_missing();
    return UNSHADE_OK;
  });
}

const char* unshade_scene_missing_file(const unshade_scene* scene, uint32_t index) {
  return scene != nullptr && index < scene->missing.size() ? scene->missing[index].c_str() : nullptr;
}

uint32_t unshade_scene_frame_count(const unshade_scene* scene) { return scene != nullptr ? scene->frames : 0; }

unshade_code unshade_draw(unshade_scene* scene, const unshade_draw_options* options, unshade_drawing** drawing, unshade_error** error) {
  if (drawing != nullptr) *drawing = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (scene == nullptr || drawing == nullptr) return capi::invalid_argument(error, kNull);
    unshade_draw_options how{};
    if (!capi::read_options(options, how)) return capi::invalid_argument(error, capi::kSmallOptions);
    if (!capi::is_rounding(how.float24)) return capi::invalid_argument(error, capi::kWrongRounding);
    if (!is_wave(how.wave)) return capi::invalid_argument(error, "a wave must have 4, 8, 16, 32, 64 or 128 lanes");
    if (how.frame >= scene->frames) return capi::invalid_argument(error, "the animation has no frame of this number");
    auto made = std::make_unique<unshade_drawing>(unshade_drawing{scene->scene, scene->files, scene_options(how)});
    if (scene->scene.find("animation") != nullptr) {
      auto now = scene::scene_at(scene->scene, how.frame);
      if (!now) return capi::fail(error, now.error());
      made->scene = *std::move(now);
    }
    Reading reading{made->files};
    scene::SceneOptions reads = made->options;
    reads.self = &reading;
    auto drawn = scene::draw_scene(made->scene, reads);
    if (!drawn) {
      for (const std::string& name : reading.missing)
        if (std::ranges::find(scene->names, name) == scene->names.end()) scene->names.push_back(name);
      scene->find_missing();
      return capi::fail(error, drawn.error());
    }
    made->drawn = *std::move(drawn);
    *drawing = made.release();
    return UNSHADE_OK;
  });
}

void unshade_drawing_free(unshade_drawing* drawing) { delete drawing; }

unshade_code unshade_drawing_json(const unshade_drawing* drawing, int with_resources, unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (drawing == nullptr || json == nullptr) return capi::invalid_argument(error, kNull);
    return write_json(drawing->drawn, {.resources = with_resources != 0}, json, error);
  });
}

unshade_code unshade_target_at(const unshade_drawing* drawing, uint32_t index, unshade_target* target) {
  if (drawing == nullptr || index >= drawing->drawn.targets.size()) return UNSHADE_INVALID_ARGUMENT;
  const scene::Drawn::Target& from = drawing->drawn.targets[index];
  unshade_target made{};
  made.name = from.name.c_str();
  made.format = from.format.c_str();
  made.width = from.picture.width;
  made.height = from.picture.height;
  made.layers = from.picture.layers;
  made.samples = from.samples;
  made.is_depth = from.is_depth ? 1 : 0;
  made.is_shown = index == drawing->drawn.shown ? 1 : 0;
  return capi::fill(target, made);
}

unshade_code unshade_target_pixels(const unshade_drawing* drawing, uint32_t target, int32_t form, unshade_blob** pixels,
                                   unshade_error** error) {
  if (pixels != nullptr) *pixels = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (drawing == nullptr || pixels == nullptr) return capi::invalid_argument(error, kNull);
    if (target >= drawing->drawn.targets.size()) return capi::fail(error, no_target(target));
    const picture::Picture& picture = drawing->drawn.targets[target].picture;
    switch (form) {
      case UNSHADE_PIXELS_RGBA8: {
        const auto converted = picture::as_rgba8(picture);
        if (!converted) return capi::fail(error, converted.error());
        *pixels = capi::make_blob(View(converted->bytes).text());
        return UNSHADE_OK;
      }
      case UNSHADE_PIXELS_FLOAT: return capi::hand_out(as_floats(picture), pixels, error);
      case UNSHADE_PIXELS_STORED: *pixels = capi::make_blob(View(picture.bytes).text()); return UNSHADE_OK;
      default: return capi::invalid_argument(error, "form is not one of UNSHADE_PIXELS_*");
    }
  });
}

unshade_code unshade_pixel_history(const unshade_drawing* drawing, const unshade_pixel* pixel, unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return guarded(error, [&]() -> unshade_code {
    unshade_pixel where{};
    if (drawing == nullptr || pixel == nullptr || json == nullptr) return capi::invalid_argument(error, kNull);
    if (!capi::read_options(pixel, where)) return capi::invalid_argument(error, capi::kSmallOptions);
    auto asked = history_of(*drawing, where);
    if (!asked) return capi::fail(error, asked.error());
    present::TracedEvent traced{.number = asked->event, .steps = {}};
    if (asked->event != 0) {
      asked->followed().self = &traced.steps;
      asked->followed().trace = [](void* self, const Value& step) { static_cast<std::vector<Value>*>(self)->push_back(step); };
      if (const auto again = drawing->again(asked->wanted, true); !again) return capi::fail(error, again.error());
    }
    return write_json(asked->drawn, {.history = asked->target, .traced = asked->event != 0 ? &traced : nullptr}, json, error);
  });
}

unshade_code unshade_pixel_session(const unshade_drawing* drawing, const unshade_pixel* pixel, const unshade_session_options* options,
                                   unshade_session** session, unshade_error** error) {
  if (session != nullptr) *session = nullptr;
  return guarded(error, [&]() -> unshade_code {
    unshade_pixel where{};
    unshade_session_options how{};
    if (drawing == nullptr || pixel == nullptr || session == nullptr) return capi::invalid_argument(error, kNull);
    if (!capi::read_options(pixel, where) || !capi::read_options(options, how)) return capi::invalid_argument(error, capi::kSmallOptions);
    if (where.event == 0) return capi::invalid_argument(error, "a session must have an event of the pixel's history");
    auto asked = history_of(*drawing, where);
    if (!asked) return capi::fail(error, asked.error());
    asked->followed().recorded = capi::session_options(how);
    auto again = drawing->again(asked->wanted, true);
    if (!again) return capi::fail(error, again.error());
    if (!again->stepped) return capi::fail(error, UNSHADE_MISSING, 0, "history", "the pixel shader did not run for this event");
    *session =
        std::make_unique<unshade_session>(unshade_session{std::move(again->stepped->session), std::move(again->stepped->file)}).release();
    return UNSHADE_OK;
  });
}

unshade_code unshade_heat_new(const unshade_drawing* drawing, uint32_t target, const char* kind, unshade_heat** heat,
                              unshade_error** error) {
  if (heat != nullptr) *heat = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (drawing == nullptr || kind == nullptr || heat == nullptr) return capi::invalid_argument(error, kNull);
    scene::Wanted wanted;
    wanted.heat = draw::find_heat(kind);
    if (!wanted.heat) return capi::fail(error, UNSHADE_BAD_VALUE, 0, {}, "there is no heat map of this kind");
    if (target >= drawing->drawn.targets.size()) return capi::fail(error, no_target(target));
    auto drawn = drawing->again(wanted, draw::info(*wanted.heat).watches);
    if (!drawn) return capi::fail(error, drawn.error());
    auto made = std::make_unique<unshade_heat>(unshade_heat{*std::move(drawn), target});
    const auto& counted = made->drawn.targets[target].heat;
    if (!counted)
      return capi::fail(error, UNSHADE_MISSING, 0, "targets/" + made->drawn.targets[target].name,
                        "no pass that was drawn has this target as its first");
    made->colors = present::heat_colors(*counted);
    made->numbers.reserve(counted->counts.size());
    for (const std::uint32_t count : counted->counts)
      made->numbers.push_back(count == 0 ? -1.0F : static_cast<float>(draw::info(counted->kind).number(count)));
    *heat = made.release();
    return UNSHADE_OK;
  });
}

void unshade_heat_free(unshade_heat* heat) { delete heat; }

unshade_code unshade_heat_json(const unshade_heat* heat, unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (heat == nullptr || json == nullptr) return capi::invalid_argument(error, kNull);
    return write_json(heat->drawn, {.heat = &heat->drawn.targets[heat->target]}, json, error);
  });
}

const void* unshade_heat_colors(const unshade_heat* heat, size_t* size) {
  if (size != nullptr) *size = heat != nullptr ? heat->colors.bytes.size() : 0;
  return heat != nullptr ? heat->colors.bytes.data() : nullptr;
}

const float* unshade_heat_numbers(const unshade_heat* heat, uint32_t* count) {
  if (count != nullptr) *count = heat != nullptr ? static_cast<std::uint32_t>(heat->numbers.size()) : 0;
  return heat != nullptr ? heat->numbers.data() : nullptr;
}
