// What is asked of a scene that was drawn: targets, pixels and events that it may not have.
#include <algorithm>
#include <string>

#include <unshade/scene/scene.hpp>

namespace unshade::scene {

bool Drawn::Pass::has_target(std::size_t number) const { return depth == number || std::ranges::find(colors, number) != colors.end(); }

Result<std::size_t> find_target(const Drawn& drawn, std::string_view name) {
  if (drawn.targets.empty()) return Error{ErrorCode::missing, 0, "targets", "the scene has no targets"};
  if (name.empty()) return drawn.shown;
  const auto found = std::ranges::find(drawn.targets, name, &Drawn::Target::name);
  if (found != drawn.targets.end()) return static_cast<std::size_t>(found - drawn.targets.begin());
  std::string names;
  for (const Drawn::Target& one : drawn.targets) names += (names.empty() ? "" : ", ") + one.name;
  return Error{ErrorCode::missing, 0, "targets/" + std::string(name), "there is no target of this name, only " + names};
}

Result<void> check_place(const Drawn::Target& target, const draw::PixelPlace& place) {
  if (place.x < target.picture.width && place.y < target.picture.height && place.sample.value_or(0) < target.samples) return {};
  return Error{ErrorCode::missing, 0, "targets/" + target.name,
               '`' + target.name + "` has " + std::to_string(target.picture.width) + " by " + std::to_string(target.picture.height) +
                   " pixels of " + std::to_string(target.samples) + (target.samples == 1 ? " sample" : " samples")};
}

Result<EventPlace> find_event(const Drawn& drawn, std::size_t target, std::size_t number) {
  std::size_t first = 1;
  for (std::size_t pass = 0; pass < drawn.passes.size(); ++pass) {
    const auto& events = drawn.passes[pass].history;
    if (!drawn.passes[pass].has_target(target)) continue;
    if (number >= first && number - first < events.size()) {
      const std::string event = "event " + std::to_string(number) + " of the pixel's history";
      if (!drawn.passes[pass].has_pixel_shader)
        return Error{ErrorCode::missing, 0, "history", drawn.passes[pass].name + ", which has " + event + ", has no pixel shader"};
      if (events[number - first].outputs.empty())
        return Error{ErrorCode::missing, 0, "history",
                     "the pixel shader did not run for " + event + ": " + std::string(draw::id(events[number - first].fate))};
      return EventPlace{pass, number - first};
    }
    first += events.size();
  }
  const std::size_t count = first - 1;
  const std::string found = ", found " + std::to_string(number);
  if (count == 0) return Error{ErrorCode::missing, 0, "history", "the pixel's history has no events" + found};
  return Error{
      ErrorCode::missing, 0, "history",
      "the pixel's history has " +
          (count == 1 ? std::string("one event: expected 1") : std::to_string(count) + " events: expected 1 to " + std::to_string(count)) +
          found};
}

}  // namespace unshade::scene
