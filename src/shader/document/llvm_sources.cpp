// SRCI in LLVM's spelling: three sections whose sizes and counts LLVM states. src: LLVM's llvm/ObjectYAML/DXContainerYAML.h and
// lib/Object/DXContainer.cpp of 2026; its tests test/tools/obj2yaml/DXContainer/SRCIPart*.yaml.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/dxil/source_info.hpp>

#include "shader/document/llvm.hpp"
#include "shader/document/llvm_keys.hpp"

namespace unshade::shader::document::llvm_form {

namespace {

using dxil::Compression;
using dxil::SourceInfoSection;

/// A number at a place of the part, by the name of its member: all of them follow from the texts.
struct StatedNumber {
  const char* name;
  std::uint64_t number;
};

/// What LLVM states of a part beside its texts.
struct Numbers {
  std::vector<StatedNumber> header, names_section, names_header, contents_section, contents_header, arguments_section, arguments_header;
  std::vector<std::vector<StatedNumber>> names, contents;
  Compression compression = Compression::none;
};

/// The sections of a part by type, once each.
Result<Numbers> numbers_of_part(const dxcontainer::Part& part, const dxil::SourceInfo& info) {
  const auto unsupported = [&](const char* path, const char* message) {
    return Error{ErrorCode::unsupported, part.data.file_offset(), path, message};
  };
  if (info.flags != 0 || info.sections.size() != 3 || info.names.size() != info.contents.size())
    return unsupported("SourceInfo", "expected three sections, of names, contents and arguments");
  Numbers made;
  made.compression = info.compression;
  made.header = {{"AlignedSizeInBytes", part.data.u32(0).value_or(0)}, {"Flags", info.flags}, {"SectionCount", info.sections.size()}};
  for (const dxil::SourceSection& section : info.sections) {
    const View data = section.data;
    const std::vector<StatedNumber> generic = {{"AlignedSizeInBytes", dxil::kSourceHeaderBytes + data.size()}, {"Flags", section.flags}};
    const auto u32 = [&](std::size_t at) { return std::uint64_t{data.u32(at).value_or(0)}; };
    const auto u16 = [&](std::size_t at) { return std::uint64_t{data.u16(at).value_or(0)}; };
    switch (section.type) {
      case SourceInfoSection::names:
        made.names_section = generic;
        made.names_header = {{"Flags", u32(0)}, {"Count", u32(4)}, {"EntriesSizeInBytes", u16(8)}};
        break;
      case SourceInfoSection::contents:
        made.contents_section = generic;
        made.contents_header = {{"AlignedSizeInBytes", u32(0)},
                                {"Flags", u16(4)},
                                {"EntriesSizeInBytes", u32(8)},
                                {"UncompressedEntriesSizeInBytes", u32(12)},
                                {"Count", u32(16)}};
        break;
      case SourceInfoSection::arguments:
        made.arguments_section = generic;
        made.arguments_header = {{"Flags", u32(0)}, {"SizeInBytes", u32(4)}, {"Count", u32(8)}};
        break;
    }
  }
  if (made.names_section.empty() || made.contents_section.empty() || made.arguments_section.empty())
    return unsupported("SourceInfo", "expected three sections, of names, contents and arguments");
  for (const dxil::SourceName& name : info.names)
    made.names.push_back({{"AlignedSizeInBytes", dxil::aligned_entry_bytes(16, name.name)},
                          {"Flags", name.flags},
                          {"NameSizeInBytes", name.name.size() + 1},
                          {"ContentSizeInBytes", name.content_bytes}});
  for (const dxil::SourceContent& content : info.contents)
    made.contents.push_back({{"AlignedSizeInBytes", dxil::aligned_entry_bytes(12, content.content)},
                             {"Flags", content.flags},
                             {"ContentSizeInBytes", content.content.size() + 1}});
  return made;
}

constexpr std::pair<Compression, const char*> kCompressions[] = {{Compression::none, "None"}, {Compression::zlib, "Zlib"}};
constexpr const char* kSectionTypes[] = {"SourceNames", "SourceContents", "Args"};

void add(Value& map, const std::vector<StatedNumber>& numbers) {
  for (const StatedNumber& stated : numbers) map.add(stated.name, Value::integer(stated.number));
}
Value section_header(const std::vector<StatedNumber>& numbers, const char* type) {
  Value made = Value::map();
  add(made, numbers);
  made.add("Type", Value::text(type));
  return made;
}
bool add_text(Value& map, const char* name, std::string_view text) {
  if (!is_plain_text(text)) return false;
  map.add(name, Value::text(text));
  return true;
}

void expect(DocumentReader& reader, const std::vector<StatedNumber>& numbers) {
  for (const StatedNumber& stated : numbers) expect_number(reader, stated.name, stated.number);
}

/// Texts of a document, which the part is made of.
struct Texts {
  std::vector<std::string> names, contents;
  std::vector<std::pair<std::string, std::string>> arguments;
  Compression compression = Compression::none;
  bool states_contents_size = true;  ///< the header of the contents states its size; dxc leaves a zero there
};

std::string text_of(DocumentReader& reader, const char* name) {
  std::string text;
  const Value* const value = reader.take(name);
  if (value == nullptr) {
    if (reader.ok()) reader.fail(ErrorCode::missing, reader.map(), name, "expected a text");
    return text;
  }
  if (auto problem = parse_text(*value, text); !problem.empty()) reader.fail(ErrorCode::bad_value, *value, name, std::move(problem));
  return text;
}

/// One pass over a document: the texts with `numbers` null, then whether what it states are those of the part.
void read_document(DocumentReader& reader, Texts& texts, const Numbers* numbers) {
  const auto header = [&](DocumentReader& in, const char* name, const std::vector<StatedNumber> Numbers::* stated) {
    map_to_ours(in, name, [&](DocumentReader& map) {
      if (numbers != nullptr) return expect(map, numbers->*stated);
      for (const auto& member : *map.map().as_map()) static_cast<void>(map.take(member.key));
    });
  };
  const auto section = [&](DocumentReader& in, const char* type, const std::vector<StatedNumber> Numbers::* stated) {
    map_to_ours(in, "SectionHeader", [&](DocumentReader& map) {
      const Value* const given = map.take("Type");
      if (given != nullptr && (given->as_text() == nullptr || *given->as_text() != type))
        return map.fail(ErrorCode::bad_value, *given, "Type", std::string("expected ") + type);
      if (numbers != nullptr) return expect(map, numbers->*stated);
      for (const auto& member : *map.map().as_map()) static_cast<void>(map.take(member.key));
    });
  };
  Value unused = Value::map();
  const auto entries = [&](DocumentReader& in, const char* text, std::vector<std::string>& into,
                           const std::vector<std::vector<StatedNumber>> Numbers::* stated) {
    into.clear();
    list_to_ours(in, "Entries", text, unused, [&](DocumentReader& entry, Value&) {
      into.push_back(text_of(entry, text));
      if (numbers != nullptr && into.size() <= (numbers->*stated).size()) return expect(entry, (numbers->*stated)[into.size() - 1]);
      for (const auto& member : *entry.map().as_map()) static_cast<void>(entry.take(member.key));
    });
  };
  header(reader, "Header", &Numbers::header);
  map_to_ours(reader, "Names", [&](DocumentReader& names) {
    section(names, kSectionTypes[0], &Numbers::names_section);
    header(names, "Header", &Numbers::names_header);
    entries(names, "FileName", texts.names, &Numbers::names);
  });
  map_to_ours(reader, "Contents", [&](DocumentReader& contents) {
    section(contents, kSectionTypes[1], &Numbers::contents_section);
    map_to_ours(contents, "Header", [&](DocumentReader& map) {
      if (const Value* const type = map.take("Type")) {
        const auto* const row = std::ranges::find_if(
            kCompressions, [&](const auto& named) { return type->as_text() != nullptr && *type->as_text() == named.second; });
        if (row == std::end(kCompressions)) return map.fail(ErrorCode::bad_value, *type, "Type", "expected None or Zlib");
        texts.compression = row->first;
      }
      if (const Value* const size = map.map().find("AlignedSizeInBytes"))
        texts.states_contents_size = size->as_integer() == nullptr || size->as_integer()->magnitude != 0;
      if (numbers != nullptr) return expect(map, numbers->contents_header);
      for (const auto& member : *map.map().as_map()) static_cast<void>(map.take(member.key));
    });
    entries(contents, "FileContent", texts.contents, &Numbers::contents);
  });
  map_to_ours(reader, "Args", [&](DocumentReader& arguments) {
    section(arguments, kSectionTypes[2], &Numbers::arguments_section);
    header(arguments, "Header", &Numbers::arguments_header);
    texts.arguments.clear();
    list_to_ours(arguments, "Args", "Args", unused, [&](DocumentReader& argument, Value&) {
      std::string name = text_of(argument, "Arg");
      std::string value = text_of(argument, "Value");
      texts.arguments.emplace_back(std::move(name), std::move(value));
    });
  });
}

/// Writes `size` where the header of the contents has it.
void state_contents_size(FileBytes& bytes, const dxil::SourceInfo& info) {
  for (const dxil::SourceSection& section : info.sections) {
    if (section.type != SourceInfoSection::contents) continue;
    const auto at = static_cast<std::size_t>(section.data.file_offset());
    const std::uint64_t used = 20 + section.data.u32(8).value_or(0);
    for (unsigned i = 0; i < 4 && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<std::byte>(used >> 8 * i & 0xff);
  }
}

}  // namespace

bool sources_to_llvm(const PartSource& source, Value& llvm) {
  const auto info = dxil::parse_source_info(source.part, source.options.inflate);
  if (!info) return false;
  const auto numbers = numbers_of_part(source.part, *info);
  if (!numbers) return false;
  llvm = Value::map();
  const auto header_of = [](const std::vector<StatedNumber>& stated) {
    Value made = Value::map();
    add(made, stated);
    return made;
  };
  llvm.add("Header", header_of(numbers->header));
  Value names = Value::map();
  names.add("SectionHeader", section_header(numbers->names_section, kSectionTypes[0]));
  names.add("Header", header_of(numbers->names_header));
  Value name_entries = Value::list();
  Value content_entries = Value::list();
  for (std::size_t i = 0; i < info->names.size(); ++i) {
    Value name = header_of(numbers->names[i]);
    Value content = header_of(numbers->contents[i]);
    if (!add_text(name, "FileName", info->names[i].name) || !add_text(content, "FileContent", info->contents[i].content)) return false;
    name_entries.push(std::move(name));
    content_entries.push(std::move(content));
  }
  names.add("Entries", std::move(name_entries));
  llvm.add("Names", std::move(names));
  Value contents = Value::map();
  contents.add("SectionHeader", section_header(numbers->contents_section, kSectionTypes[1]));
  Value contents_header = Value::map();
  for (const StatedNumber& stated : numbers->contents_header) {
    contents_header.add(stated.name, Value::integer(stated.number));
    if (std::string_view(stated.name) != "Flags") continue;
    for (const auto& [compression, name] : kCompressions)
      if (compression == numbers->compression) contents_header.add("Type", Value::text(name));
  }
  contents.add("Header", std::move(contents_header));
  contents.add("Entries", std::move(content_entries));
  llvm.add("Contents", std::move(contents));
  Value arguments = Value::map();
  arguments.add("SectionHeader", section_header(numbers->arguments_section, kSectionTypes[2]));
  arguments.add("Header", header_of(numbers->arguments_header));
  Value list = Value::list();
  for (const dxil::SourceArgument& argument : info->arguments) {
    Value made = Value::map();
    if (!add_text(made, "Arg", argument.name) || !add_text(made, "Value", argument.value)) return false;
    list.push(std::move(made));
  }
  arguments.add("Args", std::move(list));
  llvm.add("Args", std::move(arguments));
  return true;
}

Result<FileBytes> sources_to_bytes(const Value& llvm, const LlvmOptions& options) {
  Texts texts;
  {
    DocumentReader reader(llvm);
    read_document(reader, texts, nullptr);
    if (auto done = reader.finish(); !done) return std::move(done).error();
  }
  const auto fault = [&](const char* path, std::string message) {
    return Error{ErrorCode::bad_value, llvm.text_offset, path, std::move(message)};
  };
  if (texts.names.size() != texts.contents.size())
    return fault("Contents/Entries", "expected " + std::to_string(texts.names.size()) + " contents, as many as names, found " +
                                         std::to_string(texts.contents.size()));
  std::vector<dxil::SourceText> files;
  for (std::size_t i = 0; i < texts.names.size(); ++i) files.push_back({texts.names[i], texts.contents[i]});
  std::vector<dxil::SourceArgument> arguments;
  for (const auto& [name, value] : texts.arguments) arguments.push_back({name, value});
  const bool is_zlib = texts.compression == Compression::zlib;
  if (is_zlib && !options.deflate) return fault("Contents/Header/Type", "there is no zlib to compress the contents with");
  auto bytes = dxil::make_source_info(files, arguments, is_zlib ? options.deflate : dxil::Deflate{});
  if (!bytes) {
    Error error = std::move(bytes).error();
    error.offset = llvm.text_offset;
    error.path.clear();
    return error;
  }
  const auto parse = [&] {
    dxcontainer::Part part;
    part.fourcc = dxcontainer::fourcc("SRCI");
    part.data = View(std::span<const std::byte>(*bytes));
    return std::pair{part, dxil::parse_source_info(part, options.inflate)};
  };
  {
    const auto [part, info] = parse();
    if (info && texts.states_contents_size) state_contents_size(*bytes, *info);
  }
  const auto [part, info] = parse();
  if (!info) return info.error();
  // Compressed contents cannot be read without zlib, and their sizes are those of another zlib: nothing to compare with.
  if (is_zlib) return bytes;
  const auto numbers = numbers_of_part(part, *info);
  if (!numbers) return numbers.error();
  DocumentReader reader(llvm);
  read_document(reader, texts, &*numbers);
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return bytes;
}

}  // namespace unshade::shader::document::llvm_form
