#include <limits>
#include <string>
#include <utility>

#include <unshade/core/archive/writer.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/dxil/source_info.hpp>

#include "dxil/parts/source_info/layout.hpp"

namespace unshade::dxil::parts {

namespace {

/// An entry by its description, whose first field is its size with the zeros after it.
template <class Entry>
void append_entry(std::vector<std::byte>& to, Entry entry) {
  Writer writer(LayoutPolicy{.fill = std::byte{0}, .pads_end = false});
  describe(writer, entry);
  const auto bytes = writer.finish();
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// The header of a section, and what follows it, padded to a multiple of 4.
template <class Model>
std::vector<std::byte> section_of(Model model) {
  Writer writer(LayoutPolicy{.fill = std::byte{0}});
  describe(writer, model);
  return writer.finish();
}

Error fault(ErrorCode code, const char* path, std::string message) { return {code, 0, path, std::move(message)}; }

}  // namespace

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

Result<std::vector<std::byte>> make_source_info(std::span<const SourceText> files, std::span<const SourceArgument> arguments,
                                                Deflate deflate) {
  constexpr std::uint64_t kMostNames = std::numeric_limits<std::uint16_t>::max();
  std::uint64_t bytes = 0;
  std::uint64_t name_bytes = 0;
  for (const SourceText& file : files) {
    if (file.name.find('\0') != std::string_view::npos) return parts::fault(ErrorCode::bad_value, "SRCI/names", "a name contains a zero");
    if (file.content.find('\0') != std::string_view::npos)
      return parts::fault(ErrorCode::bad_value, "SRCI/contents", "a source contains a zero: " + std::string(file.name));
    name_bytes += 16 + file.name.size() + 4;
    bytes += file.content.size() + 16;
  }
  for (const SourceArgument& argument : arguments) bytes += argument.name.size() + argument.value.size() + 2;
  if (name_bytes > kMostNames) return parts::fault(ErrorCode::limit, "SRCI/names", "the names exceed 65535 bytes");
  if (bytes > limits::kInflatedBytes) return parts::fault(ErrorCode::limit, "SRCI/contents", "the sources are too large");

  std::vector<std::byte> name_entries;
  std::vector<std::byte> entries;
  for (const SourceText& file : files) {
    parts::append_entry(name_entries, SourceName{0, static_cast<std::uint32_t>(file.content.size() + 1), file.name});
    parts::append_entry(entries, SourceContent{0, file.content});
  }
  SourceNames names;
  names.count = static_cast<std::uint32_t>(files.size());
  names.entries = View(name_entries);
  SourceContentsSection contents;
  contents.count = static_cast<std::uint32_t>(files.size());
  contents.uncompressed_bytes = static_cast<std::uint32_t>(entries.size());
  std::vector<std::byte> compressed;
  if (deflate) {
    if (!deflate.run(entries, compressed, deflate.user)) return parts::fault(ErrorCode::bad_value, "SRCI/contents", "compressing failed");
    contents.compression = Compression::zlib;  // dxc compresses whether it gains or not
  }
  contents.entries = View(contents.compression == Compression::zlib ? compressed : entries);
  SourceArguments model;
  model.arguments.assign(arguments.begin(), arguments.end());

  const auto names_bytes = parts::section_of(std::move(names));
  const auto contents_bytes = parts::section_of(contents);
  const auto arguments_bytes = parts::section_of(std::move(model));
  SourceInfo info;
  info.sections.push_back({0, SourceInfoSection::names, View(names_bytes)});
  info.sections.push_back({0, SourceInfoSection::contents, View(contents_bytes)});
  info.sections.push_back({0, SourceInfoSection::arguments, View(arguments_bytes)});
  return write_source_info(info);
}

}  // namespace unshade::dxil
