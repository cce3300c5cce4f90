#include <unshade/find/name_template.hpp>

#include <algorithm>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/file_names.hpp>
#include <unshade/find/names.hpp>

namespace unshade::find {

namespace {

/// The dots of a template that a name begins with stay: whoever typed them wants it hidden.
std::string_view first_dots(std::string_view piece) {
  const std::size_t end = piece.find_first_not_of('.');
  return end == std::string_view::npos ? std::string_view() : piece.substr(0, end);
}

/// Each name of a path as every system takes it.
std::string portable_path(std::string_view path) {
  std::string made;
  for (;;) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view dots = first_dots(path.substr(0, end));
    (made += dots) += portable_file_name(path.substr(dots.size(), end - dots.size()));
    if (end == path.size()) return made;
    made += '/';
    path.remove_prefix(end + 1);
  }
}

/// Whether a path made of the text lies below the folder that it is put into.
bool stays_below(std::string_view text) {
  if (text.starts_with('/')) return false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('/'), text.size());
    if (const std::string_view piece = text.substr(0, end); piece.empty() || piece == "." || piece == "..") return false;
    if (end + 1 == text.size()) return false;  // a folder
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

}  // namespace

std::string NameTemplate::parse(std::string_view text, const std::vector<std::string_view>& fields) {
  if (text.empty()) return "the name is empty";
  if (text.find_first_of("{}./") == std::string_view::npos) {
    Nearest nearest(text);
    std::string known;
    for (const NamePreset& preset : name_presets()) {
      nearest.consider(preset.id);
      (known += known.empty() ? "" : ", ") += preset.id;
    }
    return "expected a preset (" + known + ") or a field between braces, such as {crc32}, found " + quoted(text) + nearest.question();
  }
  if (!stays_below(text)) return "the name must lead to a file below the folder: " + quoted(text);
  if (portable_path(text) != text)
    return "the name must be one that Windows takes, without \\ : < > \" | ? *, names of devices, and dots and spaces at the ends: " +
           quoted(text);
  runs_.clear();
  while (!text.empty()) {
    const std::size_t brace = std::min(text.find_first_of("{}"), text.size());
    if (brace != 0) runs_.push_back({std::string(text.substr(0, brace)), false});
    text.remove_prefix(brace);
    if (text.empty()) break;
    const std::size_t end = text.find('}');
    if (text.front() == '}' || end == std::string_view::npos) return "a brace without the other";
    const std::string_view field = text.substr(1, end - 1);
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) {
      std::string known;
      for (const std::string_view name : fields) (known += known.empty() ? "" : ", ") += name;
      return "there is no field " + quoted(field) + "; there are " + known;
    }
    runs_.push_back({std::string(field), true});
    text.remove_prefix(end + 1);
  }
  return {};
}

std::string NameTemplate::expand(const std::function<std::string(std::string_view field)>& value) const {
  std::string name;
  for (const Run& run : runs_) {
    if (!run.is_field) {
      name += run.text;
      continue;
    }
    std::string text = value(run.text);
    if (text.empty()) text = "none";
    for (char& c : text)
      if (!is_name_character(c) && c != '-' && c != '+' && c != '.') c = '_';
    // no hidden files, no `..`
    if (name.empty() || name.ends_with('/'))
      for (std::size_t i = 0; i < text.size() && text[i] == '.'; ++i) text[i] = '_';
    name += text;
  }
  return portable_path(name);
}

}  // namespace unshade::find
