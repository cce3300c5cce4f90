#include <unshade/core/text/file_names.hpp>

#include <algorithm>
#include <cstdint>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/lowered.hpp>
#include <unshade/core/text/utf8.hpp>

namespace unshade {

namespace {

/// An ending that a name keeps when it is cut.
constexpr std::size_t kMostEnding = 32;

/// src: Unicode 15.0, CaseFolding.txt, of the blocks that names of files are likely to have
std::uint32_t folded(std::uint32_t code) {
  const auto within = [&](std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; };
  if (within('A', 'Z')) return code + 0x20;
  if (within(0xc0, 0xde) && code != 0xd7) return code + 0x20;
  // Latin Extended-A: pairs, the capital letter first, with an even or an odd number
  if (code == 0x178) return 0xff;
  if (within(0x100, 0x12f) || within(0x132, 0x137) || within(0x14a, 0x177)) return code | 1;
  if (within(0x139, 0x148) || within(0x179, 0x17e)) return code + (code & 1);
  if (within(0x391, 0x3a9) && code != 0x3a2) return code + 0x20;
  if (within(0x400, 0x40f)) return code + 0x50;
  if (within(0x410, 0x42f)) return code + 0x20;
  return code;
}

/// At most so many bytes of a text, of whole characters.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most != 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace

bool names_device(std::string_view name) {
  name = name.substr(0, name.find('.'));
  while (name.ends_with(' ')) name.remove_suffix(1);
  const std::string base = lowered(name);
  for (const std::string_view device : {"con", "prn", "aux", "nul", "conin$", "conout$"})
    if (base == device) return true;
  if (!base.starts_with("com") && !base.starts_with("lpt")) return false;
  const std::string_view number = std::string_view(base).substr(3);
  return (number.size() == 1 && number[0] >= '1' && number[0] <= '9') || number == "\u00b9" || number == "\u00b2" || number == "\u00b3";
}

std::string portable_file_name(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    const bool is_refused = next.bytes == 0 || next.code < 0x20 || next.code == 0x7f ||
                            (next.bytes == 1 && std::string_view("\\/:<>\"|?*").find(text[0]) != std::string_view::npos);
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    is_refused ? name += '_' : name += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  const auto is_dropped = [](char c) { return c == '.' || c == ' '; };
  for (std::size_t i = 0; i < name.size() && is_dropped(name[i]); ++i) name[i] = '_';
  for (std::size_t i = name.size(); i > 0 && is_dropped(name[i - 1]); --i) name[i - 1] = '_';
  if (names_device(name)) name.insert(0, 1, '_');
  if (name.size() <= kMostFileNameBytes) return name;
  const std::size_t dot = name.rfind('.');
  const std::string ending = dot != std::string::npos && name.size() - dot <= kMostEnding ? name.substr(dot) : std::string();
  std::string made(cut(name, kMostFileNameBytes - ending.size()));
  for (std::size_t i = made.size(); i > 0 && is_dropped(made[i - 1]); --i) made[i - 1] = '_';
  return made + ending;
}

std::string folded_path(std::string_view path) {
  std::string made;
  while (!path.empty()) {
    const Utf8Character next = first_character(path);
    if (next.bytes == 0)
      made += path[0];
    else
      append_utf8(made, folded(next.code));
    path.remove_prefix(std::max<std::size_t>(next.bytes, 1));
  }
  return made;
}

}  // namespace unshade
