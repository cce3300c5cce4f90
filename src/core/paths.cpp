#include <unshade/core/text/paths.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace unshade::paths {

namespace {

constexpr std::array<std::string_view, 2> kVerbatim = {"\\\\?\\", "\\\\.\\"};

/// `\\?\` or `\\.\`, if a path begins with it.
std::string_view verbatim_mark(std::string_view path, PathRules rules) {
  for (const std::string_view mark : kVerbatim)
    if (rules == PathRules::windows && path.starts_with(mark)) return mark;
  return {};
}

/// Where the next part behind `at` begins, after its separator.
std::size_t after_part(std::string_view path, std::size_t at, PathRules rules) {
  while (at < path.size() && !is_separator(path[at], rules)) ++at;
  return std::min(at + 1, path.size());
}

void encode(std::string& uri, std::string_view path) {
  constexpr std::string_view kAllowed = "-._~/!$&'()*+,;=@:";
  for (const char c : path) {
    const bool is_alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (is_alphanumeric || kAllowed.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      constexpr char kDigits[] = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      (uri += '%') += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
}

}  // namespace

bool is_separator(char letter, PathRules rules) { return letter == '/' || (letter == '\\' && rules == PathRules::windows); }

std::size_t drive_letters(std::string_view path, PathRules rules) {
  const auto is_letter = [](char letter) { return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z'); };
  return rules == PathRules::windows && path.size() >= 2 && path[1] == ':' && is_letter(path[0]) ? 2 : 0;
}

std::size_t root_letters(std::string_view path, PathRules rules) {
  if (const std::string_view mark = verbatim_mark(path, rules); !mark.empty()) {
    const std::size_t device = after_part(path, mark.size(), rules);
    if (path.substr(mark.size(), device - mark.size()) != "UNC\\") return device;
    return after_part(path, after_part(path, device, rules), rules);
  }
  const std::size_t drive = drive_letters(path, rules);
  if (path.size() <= drive || !is_separator(path[drive], rules)) return drive;
  const bool has_server = rules == PathRules::windows && drive == 0 && path.size() > 2 && is_separator(path[1], rules);
  return has_server ? after_part(path, after_part(path, 2, rules), rules) : drive + 1;
}

bool is_absolute(std::string_view path, PathRules rules) {
  const std::size_t drive = drive_letters(path, rules);
  return path.size() > drive && is_separator(path[drive], rules);
}

std::size_t last_part(std::string_view path, PathRules rules) {
  const std::size_t root = root_letters(path, rules);
  std::size_t at = path.size();
  while (at > root && !is_separator(path[at - 1], rules)) --at;
  return at;
}

std::string_view name_of(std::string_view path, PathRules rules) { return path.substr(last_part(path, rules)); }

std::string_view folder_of(std::string_view path, PathRules rules) { return path.substr(0, last_part(path, rules)); }

std::string beside(std::string_view file, std::string_view path, PathRules rules) {
  if (is_absolute(path, rules) || drive_letters(path, rules) != 0) return std::string(path);
  std::string made(folder_of(file, rules));
  made += path;
  if (!verbatim_mark(made, rules).empty()) std::ranges::replace(made, '/', '\\');
  return made;
}

std::string with_slashes(std::string path, PathRules rules) {
  if (rules == PathRules::windows && verbatim_mark(path, rules).empty()) std::ranges::replace(path, '\\', '/');
  return path;
}

std::string plain(std::string_view path, PathRules rules) {
  const bool stays_below = is_absolute(path, rules);
  const std::size_t root = root_letters(path, rules);
  std::vector<std::string_view> parts;
  for (std::size_t at = root; at < path.size();) {
    const std::size_t next = after_part(path, at, rules);
    std::string_view part = path.substr(at, next - at);
    if (is_separator(part.back(), rules)) part.remove_suffix(1);
    at = next;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (part != ".." || !stays_below) {
      parts.push_back(part);
    }
  }
  const char separator = verbatim_mark(path, rules).empty() ? '/' : '\\';
  std::string made = with_slashes(std::string(path.substr(0, root)), rules);
  for (std::size_t at = 0; at < parts.size(); ++at) {
    if (at != 0) made += separator;
    made += parts[at];
  }
  return made;
}

std::string uri_of(std::string_view path, PathRules rules) {
  constexpr std::string_view kServer = "UNC\\";
  std::string local(path);
  if (const std::string_view mark = verbatim_mark(path, rules); !mark.empty()) {
    path.remove_prefix(mark.size());
    local = path.starts_with(kServer) ? "//" + std::string(path.substr(kServer.size())) : std::string(path);
    std::ranges::replace(local, '\\', '/');
  }
  local = with_slashes(std::move(local), rules);
  std::string uri;
  if (is_absolute(local, rules)) {
    const bool has_server = rules == PathRules::windows && local.starts_with("//");
    uri = has_server ? "file:" : drive_letters(local, rules) != 0 ? "file:///" : "file://";
  } else {
    std::string_view rest = local;
    while (rest.starts_with("./")) rest.remove_prefix(2);
    local = rest;
    // a colon in the first part would end the name of a scheme
    if (std::string_view(local).substr(0, local.find('/')).find(':') != std::string_view::npos) uri = "./";
  }
  encode(uri, local);
  return uri;
}

}  // namespace unshade::paths
