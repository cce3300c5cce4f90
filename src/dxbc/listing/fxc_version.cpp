#include <unshade/dxbc/fxc_version.hpp>

#include <charconv>

namespace unshade::dxbc {

std::optional<FxcVersion> parse_fxc_version(std::string_view text) {
  FxcVersion version;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < version.number.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, version.number[i]);
    if (error != std::errc{}) return std::nullopt;
    at = next;
    if (at == end) return i == 0 ? std::nullopt : std::optional(version);
    if (*at != '.') return std::nullopt;
    ++at;
  }
  return std::nullopt;
}

std::optional<FxcVersion> fxc_version_of_creator(std::string_view creator) {
  while (!creator.empty() && creator.back() == ' ') creator.remove_suffix(1);
  const auto blank = creator.rfind(' ');
  return blank == std::string_view::npos ? std::nullopt : parse_fxc_version(creator.substr(blank + 1));
}

}  // namespace unshade::dxbc
