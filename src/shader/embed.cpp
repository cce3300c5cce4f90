#include <unshade/shader/embed.hpp>

#include <cstddef>
#include <utility>

#include <unshade/core/text/characters.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/reflection.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader {

std::string stem_array_name(std::string_view stem, SourceLanguage language) {
  std::string name = source_identifier("g_" + std::string(stem));
  if (language == SourceLanguage::rust)
    for (char& c : name) c = upper(c);
  return name;
}

std::string default_array_name(const Shader& shader, std::string_view stem, SourceLanguage language) {
  const auto reflection = reflect(shader);
  const bool is_named = reflection && reflection->entry_points.size() == 1 && !reflection->entry_points.front().name.empty();
  return stem_array_name(is_named ? std::string_view(reflection->entry_points.front().name) : stem, language);
}

SourceType default_source_type(const Shader& shader, SourceLanguage language) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.is_words && shader.file.size() % 4 == 0) return SourceType::uint32;
  if (language != SourceLanguage::c) return SourceType::uint8;
  return row.element;
}

std::string_view source_prologue(SourceLanguage language, SourceType type) {
  if (language == SourceLanguage::rust || (type != SourceType::uint8 && type != SourceType::uint32)) return {};
  return language == SourceLanguage::c ? "#include <stdint.h>\n" : "#include <cstdint>\n";
}

Result<void> embed(const Shader& shader, const EmbedOptions& options, Text& out) {
  const SourceType type = options.type.value_or(default_source_type(shader, options.language));
  if (shader.file.size() % bytes_of(type) != 0)
    return Error{ErrorCode::bad_value, shader.file.file_offset(), "file",
                 std::to_string(shader.file.size()) + " bytes are not a multiple of 4"};
  if (options.listing) {
    Text listing;
    ListingOptions how;
    how.checks = &listing_checks();
    how.lines = LineDirectives::always;  // what the compiler lists: observed: headers of DirectXTK made with /Zi
    if (auto listed = disassemble(shader, listing, how); listed) {
      // dxc writes a line end of its own after the listing.
      if (options.language == SourceLanguage::c && family::row_of(shader).blank_line_after_listing) listing << '\n';
      write_source_comment(listing.view(), options.language, out);
      out << '\n';
    } else if (listed.error().code != ErrorCode::missing) {
      return listed;
    }
  }
  const std::string name = source_identifier(options.name.empty() ? default_array_name(shader, "shader", options.language) : options.name);
  write_source_array(shader.file, name, options.language, type, out);
  return {};
}

Result<SourceShader> shader_in_source(View text, std::string_view name) {
  const std::vector<SourceArray> arrays = find_source_arrays(text.text());
  if (!name.empty()) {
    for (const SourceArray& array : arrays) {
      if (array.name != name) continue;
      SourceBytes read = read_source_array(text, array);
      if (!read.read) return std::move(read.read).error();
      return SourceShader{array.name, std::move(read.bytes)};
    }
  }
  // A reader that breaks off has read the beginning.
  std::string names;
  std::size_t count = 0;
  const SourceArray* found = nullptr;
  SourceBytes bytes;
  for (const SourceArray& array : arrays) {
    SourceBytes read = read_source_array(text, array);
    if (!is_shader(View(read.bytes))) continue;
    constexpr std::size_t kShown = 20;
    if (++count <= kShown) names += (names.empty() ? "" : ", ") + array.name;
    if (count == kShown + 1) names += ", ...";
    if (found != nullptr) continue;
    found = &array;
    bytes = std::move(read);
  }
  const std::uint64_t at = text.file_offset();
  if (!name.empty())
    return Error{ErrorCode::missing, at, "file", "no array '" + std::string(name) + "'" + (names.empty() ? "" : "; shaders: " + names)};
  if (found == nullptr) return Error{ErrorCode::missing, at, "file", "no array in the text is a shader"};
  if (count > 1) return Error{ErrorCode::bad_value, at, "file", "the text has several shaders, select one: " + names};
  if (!bytes.read) return std::move(bytes.read).error();
  return SourceShader{found->name, std::move(bytes.bytes)};
}

}  // namespace unshade::shader
