#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/lines.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/source_files.hpp>

#include "shader/capability/listing.hpp"
#include "shader/capability/sources.hpp"

namespace unshade::shader {

namespace {

/// So much of a name and of a line is shown: listings must stay in proportion to the file.
constexpr std::size_t kMostName = 120;
constexpr std::size_t kMostLine = 160;

std::string_view base_name(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

/// The lines of the sources that a file holds.
class HeldSources {
 public:
  explicit HeldSources(const Sources& sources) {
    for (const SourceFile& file : sources.files) {
      if (!file.has_text) continue;
      std::vector<std::string_view>& lines = files_.emplace_back(file.name, std::vector<std::string_view>()).second;
      for_each_line(file.text, [&](std::string_view line) { lines.push_back(line); });
    }
  }

  /// Of a file by its name, or else by the end of that, if only one has it. Empty if it is not known.
  std::string_view line(std::string_view name, std::uint32_t number) const {
    const std::vector<std::string_view>* exact = nullptr;
    const std::vector<std::string_view>* alike = nullptr;
    std::size_t count = 0;
    for (const auto& [known, lines] : files_) {
      if (known == name) exact = &lines;
      if (base_name(known) != base_name(name)) continue;
      alike = &lines;
      ++count;
    }
    const auto* const found = exact != nullptr ? exact : count == 1 ? alike : nullptr;
    return found != nullptr && number != 0 && number <= found->size() ? (*found)[number - 1] : std::string_view();
  }

 private:
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> files_;
};

void put(Text& out, std::string_view text, std::size_t most) {
  for (const char c : text.substr(0, most)) out << (static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  if (text.size() > most) out << "...";
}

}  // namespace

Result<void> disassemble_with_sources(const Shader& shader, Text& out, const ListingOptions& options, dxil::Inflate inflate) {
  const auto listed_lines = capability::sources_row(shader.family).listed_lines;
  if (listed_lines == nullptr)
    return Error{ErrorCode::missing, shader.file.file_offset(), "file",
                 "files of the family " + std::string(id(shader.family)) + " have no lines of sources"};
  const auto places = listed_lines(shader);
  if (!places) return places.error();
  const auto sources = sources_of(shader, inflate);
  const Sources none;
  const HeldSources texts(sources ? *sources : none);

  std::map<std::uint64_t, SourceLines::Place> by_offset;
  for (std::size_t i = 0; i < std::min(places->places.size(), places->offsets.size()); ++i)
    if (places->places[i].line != 0) by_offset.emplace(places->offsets[i], places->places[i]);

  Text listing;
  TextOrigins origins;
  ListingOptions how = options;
  how.origins = &origins;
  if (how.lines == LineDirectives::automatic) how.lines = LineDirectives::never;  // the comments say the same
  if (auto done = disassemble(shader, listing, how); !done) return done;

  std::size_t copied = 0;
  SourceLines::Place shown;
  for (const TextOrigin& origin : origins) {
    const auto found = by_offset.find(origin.offset);
    if (found == by_offset.end() || origin.text < copied) continue;
    const SourceLines::Place& place = found->second;
    if (place.file == shown.file && place.line == shown.line) continue;
    shown = place;
    out << listing.view().substr(copied, origin.text - copied);
    copied = origin.text;
    // indented as the instruction
    const std::string_view rest = listing.view().substr(copied);
    out << rest.substr(0, std::min(rest.find_first_not_of(" \t"), rest.size()));
    const std::string_view name = places->files[place.file];
    put(out << capability::listing_row(shader.family).comment << ' ', name, kMostName);
    (out << ':').dec(place.line);
    if (const std::string_view text = trimmed(texts.line(name, place.line)); !text.empty()) put(out << ": ", text, kMostLine);
    out << '\n';
  }
  out << listing.view().substr(copied);
  return {};
}

}  // namespace unshade::shader
