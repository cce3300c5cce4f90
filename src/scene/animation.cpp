// Values of a scene that change from frame to frame.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/spelling.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/values.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using run::fault;
using run::Field;
using run::read_number;

constexpr std::uint32_t kMostFrames = 4096, kMostPerSecond = 1000;

/// Of `animation.tracks`: a field of the scene, and its values.
struct Track {
  const Value *field = nullptr, *linear = nullptr, *turn = nullptr, *keys = nullptr, *steps = nullptr;
};
template <const Value* Track::* member>
Result<void> keep_member(const Value& given, Track& to) {
  to.*member = &given;
  return {};
}
constexpr Field<Track> kTrackFields[] = {
    {"field", keep_member<&Track::field>}, {"linear", keep_member<&Track::linear>}, {"turn", keep_member<&Track::turn>},
    {"keys", keep_member<&Track::keys>},   {"steps", keep_member<&Track::steps>},
};

struct AnimationFields {
  Animation animation;
  const Value* tracks = nullptr;
};
constexpr Field<AnimationFields> kAnimationFields[] = {
    {"frames",
     [](const Value& given, AnimationFields& to) {
       auto done = read_number<&Animation::frames>(given, to.animation);
       if (done && (to.animation.frames == 0 || to.animation.frames > kMostFrames))
         return Result<void>(fault(given, "", "expected a number of frames from 1 to " + std::to_string(kMostFrames)));
       return done;
     }},
    {"fps",
     [](const Value& given, AnimationFields& to) {
       auto done = read_number<&Animation::fps>(given, to.animation);
       if (done && (to.animation.fps == 0 || to.animation.fps > kMostPerSecond))
         return Result<void>(fault(given, "", "expected a number of frames per second from 1 to " + std::to_string(kMostPerSecond)));
       return done;
     }},
    {"plays", [](const Value& given, AnimationFields& to) { return read_number<&Animation::plays>(given, to.animation); }},
    {"tracks", [](const Value& given, AnimationFields& to) -> Result<void> { return to.tracks = &given, Result<void>(); }},
};

std::optional<double> real_of(const Value& given) {
  if (const Integer* const whole = given.as_integer()) return static_cast<double>(whole->magnitude) * (whole->negative ? -1 : 1);
  if (const Real* const real = given.as_real(); real != nullptr && std::isfinite(real->wide)) return real->wide;
  return std::nullopt;
}

Value number_value(double number) {
  constexpr double kMostWhole = 9007199254740992;
  if (number == std::floor(number) && std::abs(number) < kMostWhole) return Value::signed_integer(static_cast<std::int64_t>(number));
  return Value::real(number);
}

// Between two numbers, or two lists of as many; nothing if they are not of a kind.
std::optional<Value> between(const Value& from, const Value& to, double share) {
  if (const auto a = real_of(from), b = real_of(to); a && b) return number_value(*a + (*b - *a) * share);
  const Value::List *const first = from.as_list(), *const second = to.as_list();
  if (first == nullptr || second == nullptr || first->size() != second->size()) return std::nullopt;
  Value made = Value::list();
  for (std::size_t k = 0; k < first->size(); ++k) {
    auto one = between((*first)[k], (*second)[k], share);
    if (!one) return std::nullopt;
    made.push(std::move(*one));
  }
  return made;
}
Error unlike(const Value& at, std::string path) {
  return fault(at, std::move(path), "values of a track must be numbers, or lists of the same length");
}

// What a track's field is at a frame. `now`: what the scene says.
Result<Value> linear_at(const Value& given, const Value&, const Animation& animation, std::uint32_t frame) {
  if (given.as_list() == nullptr || given.as_list()->size() != 2) return fault(given, "", "expected the first value and the last");
  const double share = animation.frames == 1 ? 0 : static_cast<double>(frame) / (animation.frames - 1);
  auto made = between((*given.as_list())[0], (*given.as_list())[1], share);
  if (!made) return unlike(given, "");
  return std::move(*made);
}

Result<Value> turn_at(const Value& given, const Value& now, const Animation& animation, std::uint32_t frame) {
  const auto by = real_of(given), from = real_of(now);
  if (!by) return fault(given, "", "expected a number");
  if (!from) return fault(given, "", "the field must be a number");
  return number_value(*from + *by * frame / animation.frames);
}

Result<Value> keys_at(const Value& given, const Value&, const Animation&, std::uint32_t frame) {
  struct Key {
    std::uint32_t frame;
    const Value* value;
  };
  std::vector<Key> keys;
  for (std::size_t k = 0; given.as_list() != nullptr && k < given.as_list()->size(); ++k) {
    const Value& one = (*given.as_list())[k];
    const std::string at = '[' + std::to_string(k) + ']';
    if (one.as_list() == nullptr || one.as_list()->size() != 2) return fault(one, at, "expected a frame and its value");
    const auto number = run::number_of((*one.as_list())[0], at);
    if (!number) return number.error();
    if (!keys.empty() && *number <= keys.back().frame) return fault(one, at, "frames must ascend");
    const Value& value = (*one.as_list())[1];
    if (!between(keys.empty() ? value : *keys.back().value, value, 0)) return unlike(one, at);
    keys.push_back({*number, &value});
  }
  if (keys.empty()) return fault(given, "", "expected a list of frames and their values");
  const auto next = std::ranges::find_if(keys, [&](const Key& key) { return key.frame > frame; });
  if (next == keys.begin()) return Value(*keys.front().value);
  const Key& before = *(next - 1);
  if (next == keys.end()) return Value(*before.value);
  return *between(*before.value, *next->value, static_cast<double>(frame - before.frame) / (next->frame - before.frame));
}

Result<Value> steps_at(const Value& given, const Value&, const Animation& animation, std::uint32_t frame) {
  const Value::List* const list = given.as_list();
  if (list == nullptr || list->empty()) return fault(given, "", "expected a list of values");
  return Value((*list)[std::size_t{frame} * list->size() / animation.frames]);
}

struct TrackKind {
  std::string_view name;
  const Value* Track::* given;
  Result<Value> (*at)(const Value& given, const Value& now, const Animation& animation, std::uint32_t frame);
};
constexpr TrackKind kTrackKinds[] = {{"linear", &Track::linear, linear_at},
                                     {"turn", &Track::turn, turn_at},
                                     {"keys", &Track::keys, keys_at},
                                     {"steps", &Track::steps, steps_at}};

// The value of a map or list that a step of a path names; null if there is none.
Value* step_into(Value& value, std::string_view name, bool is_index) {
  if (!is_index) {
    Value::Map* const map = value.as_map();
    const auto found = map == nullptr ? Value::Map::iterator() : std::ranges::find(*map, name, &Value::Member::key);
    return map == nullptr || found == map->end() ? nullptr : &found->value;
  }
  std::size_t index = 0;
  const auto [end, fault_of] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (fault_of != std::errc{} || end != name.data() + name.size() || value.as_list() == nullptr || index >= value.as_list()->size())
    return nullptr;
  return &(*value.as_list())[index];
}

// `pass[0]/constants/color[2]`: as errors say where something is.
Value* find_field(Value& scene, std::string_view path) {
  Value* at = &scene;
  bool is_index = false;
  while (at != nullptr && !path.empty()) {
    const std::size_t end = std::min(path.size(), path.find_first_of(is_index ? "]" : "/["));
    if (end != 0 || is_index) at = step_into(*at, path.substr(0, end), is_index);
    if (is_index && end == path.size()) return nullptr;
    is_index = !is_index && end < path.size() && path[end] == '[';
    path.remove_prefix(std::min(path.size(), end + 1));
  }
  return is_index ? nullptr : at;
}

Result<void> apply(const Track& track, const Value& given, const Animation& animation, std::uint32_t frame, Value& scene) {
  if (track.field == nullptr || track.field->as_text() == nullptr)
    return fault(track.field == nullptr ? given : *track.field, "field", "expected the path of a field of the scene",
                 track.field == nullptr ? ErrorCode::missing : ErrorCode::bad_value);
  const TrackKind* kind = nullptr;
  for (const TrackKind& one : kTrackKinds) {
    if (track.*one.given == nullptr) continue;
    if (kind != nullptr) return fault(given, "", "a track must have only one of linear, turn, keys and steps");
    kind = &one;
  }
  if (kind == nullptr) return fault(given, "", "a track must have one of linear, turn, keys and steps", ErrorCode::missing);
  Value* const field = find_field(scene, *track.field->as_text());
  if (field == nullptr || field == &scene)
    return fault(*track.field, "field", "the scene has no field `" + *track.field->as_text() + '`', ErrorCode::missing);
  auto made = kind->at(*(track.*kind->given), *field, animation, frame);
  if (!made) return run::in_field(std::move(made).error(), kind->name);
  const std::uint32_t place = field->text_offset;
  *field = std::move(*made);
  field->text_offset = place;
  return {};
}

Result<AnimationFields> read_animation(const Value& scene) {
  AnimationFields fields;
  const Value* const given = scene.find("animation");
  if (given == nullptr) return fault(scene, "animation", "the scene has no animation", ErrorCode::missing);
  if (auto done = run::read_fields(*given, kAnimationFields, "an animation", fields); !done)
    return std::move(done).error().within("animation");
  if (fields.tracks != nullptr && fields.tracks->as_list() == nullptr)
    return fault(*fields.tracks, "animation/tracks", "expected a list of tracks");
  return fields;
}

// The scene with the values of a frame.
Result<Value> frame_of(const Value& scene, const AnimationFields& fields, std::uint32_t frame) {
  Value made = scene;
  for (std::size_t k = 0; fields.tracks != nullptr && k < fields.tracks->as_list()->size(); ++k) {
    const Value& given = (*fields.tracks->as_list())[k];
    Track track;
    auto done = run::read_fields(given, kTrackFields, "a track", track);
    if (done) done = apply(track, given, fields.animation, frame, made);
    if (!done) return std::move(done).error().within("animation/tracks[" + std::to_string(k) + ']');
  }
  return made;
}

}  // namespace

Result<Animation> animation_of(const Value& scene) {
  const auto fields = read_animation(scene);
  if (!fields) return fields.error();
  return fields->animation;
}

Result<Value> scene_at(const Value& scene, std::uint32_t frame) {
  const auto fields = read_animation(scene);
  if (!fields) return fields.error();
  return frame_of(scene, *fields, frame);
}

}  // namespace unshade::scene
