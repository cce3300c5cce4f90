#include <unshade/dxil/dxc_version.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <utility>

#include <unshade/core/spelling.hpp>

namespace unshade::dxil {

namespace {

std::string dxc_version_text(const DxcVersion& version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' + std::to_string(version.release);
}

Error no_such_dxc(std::string message) { return {ErrorCode::unsupported, 0, {}, std::move(message)}; }

/// `1.7.2207, 1.7.2212 or 1.7.2308`: the releases of a number.
std::string releases_of(const DxcVersion& version) {
  std::string list;
  std::string last;
  for (const DxcVersion& release : kDxcReleases) {
    if (release.major != version.major || release.minor != version.minor) continue;
    if (!last.empty()) list += (list.empty() ? "" : ", ") + last;
    last = dxc_version_text(release);
  }
  return list.empty() ? last : list + " or " + last;
}

}  // namespace

std::vector<std::string> dxc_version_texts() {
  std::vector<std::string> texts;
  for (const DxcVersion& release : kDxcReleases) {
    const std::string text = dxc_version_text(release);
    std::string number = text.substr(0, text.rfind('.'));
    if (std::ranges::find(texts, number) == texts.end()) texts.push_back(std::move(number));
    texts.push_back(text);
  }
  return texts;
}

Result<DxcVersion> parse_dxc_version(std::string_view text) {
  constexpr std::size_t kFewest = 2;
  std::array<std::uint32_t, 4> numbers{};
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (bool more = true; more;) {
    const auto [next, error] = count < numbers.size() ? std::from_chars(at, end, numbers[count]) : std::from_chars_result{at, std::errc{}};
    const bool read = count < numbers.size() && error == std::errc{};
    count += read ? 1 : 0;
    more = read && next != end && *next == '.';
    if (!more && (!read || next != end || count < kFewest))
      return Error{ErrorCode::bad_value, 0, {}, "must be a version of dxc such as 1.7 or 1.7.2207, found " + quoted(text)};
    at = next + (more ? 1 : 0);
  }
  const DxcVersion asked{numbers[0], numbers[1], numbers[2]};
  const DxcVersion oldest = kDxcReleases[0];
  const DxcVersion newest = kDxcReleases[std::size(kDxcReleases) - 1];
  const DxcVersion* found = nullptr;
  bool has_number = false;
  for (const DxcVersion& release : kDxcReleases) {
    if (release.major != asked.major || release.minor != asked.minor) continue;
    has_number = true;
    if (count == kFewest || release.release == asked.release) found = &release;
  }
  if (found != nullptr) return *found;
  if (has_number) return no_such_dxc(quoted(text) + " is no release of dxc, expected " + releases_of(asked));
  if (asked.before(oldest)) return no_such_dxc(quoted(text) + " is too old, the oldest release supported is " + dxc_version_text(oldest));
  return no_such_dxc(quoted(text) + " is unknown, the newest release known is " + dxc_version_text(newest));
}

}  // namespace unshade::dxil
