#include <unshade/dxil/source_info.hpp>

#include <memory>
#include <string>
#include <utility>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxil/parts/source_info/layout.hpp"
#include "dxil/parts/write_exact.hpp"

namespace unshade::dxil::parts {

using dxcontainer::Part;

namespace {

constexpr std::uint64_t kContentHeaderBytes = 12;

/// `bytes` of content out of a zlib stream, whose size is checked before memory is taken for it.
Result<std::vector<std::byte>> inflated(View zlib, std::uint32_t bytes, Inflate inflate) {
  const auto fault = [&](ErrorCode code, std::string message) { return Error{code, zlib.file_offset(), "", std::move(message)}; };
  if (bytes / limits::kInflateRatio > zlib.size() || bytes > limits::kInflatedBytes)
    return fault(ErrorCode::limit, std::to_string(bytes) + " bytes cannot be inflated from " + std::to_string(zlib.size()));
  if (bytes > limits::kInflatedBase && (bytes - limits::kInflatedBase) / limits::kInflatedPerByte > zlib.size())
    return fault(ErrorCode::limit,
                 std::to_string(bytes) + " bytes inflated from " + std::to_string(zlib.size()) + " exceed the limit on the ratio");
  std::vector<std::byte> out(bytes);
  if (!inflate.run(zlib.bytes(), out, inflate.user)) return fault(ErrorCode::bad_value, "not a zlib stream of that size");
  return out;
}

template <class Model>
Result<Model> parse_section(View data, Model model = {}) {
  Reader reader(data);
  describe(reader, model);
  if (auto error = reader.take_error()) return *std::move(error);
  return model;
}

/// Bytes of the contents that the names state, each with its header and padding.
std::uint64_t stated_bytes(const std::vector<SourceName>& names) {
  std::uint64_t sum = 0;
  for (const SourceName& name : names) sum += round_up(kContentHeaderBytes + std::uint64_t{name.content_bytes}, 4);
  return sum;
}

Result<void> take_contents(View data, Inflate inflate, SourceInfo& info) {
  auto section = parse_section<SourceContentsSection>(data);
  if (!section) return std::move(section).error();
  info.compression = section->compression;
  View entries = section->entries;
  if (section->compression != Compression::none) {
    if (!inflate || section->compression != Compression::zlib) return {};
    if (const auto stated = stated_bytes(info.names); !info.names.empty() && section->uncompressed_bytes > stated)
      return Error{ErrorCode::bad_value, data.file_offset(), "uncompressed_bytes",
                   std::to_string(section->uncompressed_bytes) + " bytes, but the names state contents of " + std::to_string(stated)};
    auto bytes = inflated(entries, section->uncompressed_bytes, inflate);
    if (!bytes) return std::move(bytes).error().within("entries");
    info.inflated = std::make_shared<const std::vector<std::byte>>(*std::move(bytes));
    entries = View(*info.inflated, entries.file_offset());
  }
  SourceContents contents;
  contents.count = section->count;
  auto parsed = parse_section(entries, std::move(contents));
  if (!parsed) {
    Error error = std::move(parsed).error();
    // Inflated data has no bytes in the file: its fields refer to the stream.
    if (section->compression != Compression::none) error.offset = section->entries.file_offset();
    return error;
  }
  info.contents = std::move(parsed->contents);
  return {};
}

Result<void> take_section(const SourceSection& section, Inflate inflate, SourceInfo& info) {
  switch (section.type) {
    case SourceInfoSection::names: {
      auto names = parse_section<SourceNames>(section.data);
      if (!names) return std::move(names).error();
      info.names = std::move(names->names);
      return {};
    }
    case SourceInfoSection::arguments: {
      auto arguments = parse_section<SourceArguments>(section.data);
      if (!arguments) return std::move(arguments).error();
      info.arguments = std::move(arguments->arguments);
      return {};
    }
    case SourceInfoSection::contents: return take_contents(section.data, inflate, info);
  }
  return {};
}

}  // namespace

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

Result<SourceInfo> parse_source_info(const parts::Part& part, Inflate inflate) {
  SourceInfo info;
  if (auto read = read_part(part.data, part.name(), info); !read) return std::move(read).error();
  // Contents come last, whatever their place: the names state how large they are.
  for (const bool is_contents : {false, true}) {
    for (std::size_t i = 0; i < info.sections.size(); ++i) {
      if ((info.sections[i].type == SourceInfoSection::contents) != is_contents) continue;
      if (auto taken = parts::take_section(info.sections[i], inflate, info); !taken)
        return std::move(taken).error().within("sections[" + std::to_string(i) + ']').within(part.name());
    }
  }
  return info;
}

void record_source_info(const parts::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<SourceInfo>(part, tree, group);
}

std::vector<std::byte> write_source_info(const SourceInfo& info) {
  std::size_t size = kSourceHeaderBytes + info.extra.size();
  for (const SourceSection& section : info.sections) size += kSourceHeaderBytes + section.data.size();
  SourceInfo model;
  model.flags = info.flags;
  model.sections = info.sections;
  model.extra = info.extra;
  Writer writer(std::byte{0});
  describe(writer, model);
  return writer.finish(static_cast<std::uint32_t>(size));
}

Result<PdbInfoPart> parse_pdb_info(const parts::Part& part) { return dxcontainer::parse_model<PdbInfoPart>(part); }

void record_pdb_info(const parts::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<PdbInfoPart>(part, tree, group);
}

std::vector<std::byte> write_pdb_info(const PdbInfoPart& info) { return parts::write_exact(info); }

Result<std::vector<std::byte>> inflate_pdb_info(const PdbInfoPart& info, Inflate inflate) {
  if (info.compression == Compression::none) return std::vector<std::byte>(info.data.bytes().begin(), info.data.bytes().end());
  if (!inflate || info.compression != Compression::zlib)
    return Error{ErrorCode::unsupported, info.data.file_offset(), "PDBI/data", "compressed, but no inflate function is given"};
  auto bytes = parts::inflated(info.data, info.uncompressed_bytes, inflate);
  if (!bytes) return std::move(bytes).error().within("PDBI/data");
  return bytes;
}

}  // namespace unshade::dxil
