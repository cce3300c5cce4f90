// The layout of SHBIN files, described once for every archive.
// Source: docs/reference/formats/shbin.md
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/outlines.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/pica/float24.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

#include "pica/text_adder.hpp"

namespace unshade::pica {

inline constexpr std::uint32_t kWordBytes = 4;
inline constexpr std::uint32_t kDescriptorBytes = 8;
inline constexpr std::uint32_t kLineBytes = 8;
inline constexpr std::uint32_t kConstantBytes = 20;
inline constexpr std::uint32_t kLabelBytes = 16;
inline constexpr std::uint32_t kOutputBytes = 8;
inline constexpr std::uint32_t kUniformBytes = 8;
inline constexpr std::uint32_t kRelocationBytes = 12;

const FieldType& field_type(Stage);
const FieldType& field_type(GeometryMode);
const FieldType& field_type(ConstantType);
const FieldType& field_type(Output);
const FieldType& field_type(Arrangement);

// Leaves that print more than a number.
extern const FieldType kDescriptorType;
extern const FieldType kInstructionType;      ///< context: the operand descriptor
extern const FieldType kBareInstructionType;  ///< of an instruction without one
extern const FieldType kSymbolType;           ///< context: bytes from the field to the string table, 0 if it lies before it
extern const FieldType kTextsType;            ///< context: bytes of the table
extern const FieldType kFloat24Type;
extern const FieldType kIntegersType;
extern const FieldType kUniformRegisterType;
extern const FieldType kRegisterMaskType;
extern const FieldType kFlagsType;

/// How many bytes structures may claim, all together. Real files claim none twice; a little is left for those that share a string table.
struct Claims {
  mutable std::size_t left = ~std::size_t{0};

  static Claims of(std::size_t file) { return {file + file / 8 + 1024}; }
  bool take(std::size_t bytes) const {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  }
};

/// Whether a model that has places will be written at these.
bool keeps_places(const Shbin& shbin);
bool keeps_places(const Object& object);

template <class Archive>
bool claim(Archive& a, const Claims& claims, const char* name, std::size_t bytes) {
  if constexpr (Archive::kReads) {
    if (!a.ok()) return false;
    if (bytes > a.part().size() || claims.take(bytes)) return true;  // what cannot fit fails where it is read
    a.fail(ErrorCode::overlap, name, "the structures of the file overlap too much to be read in bounded time");
    return false;
  }
  return true;
}

/// f at an offset from the start of the file.
template <class Archive, class F>
void go(Archive& a, std::size_t offset, const char* name, F&& f) {
  if constexpr (Archive::kReads) {
    a.at(offset, f, name);
  } else {
    a.at(offset, f);
  }
}

/// An integer of 32 bits whose leaf has an index or a context.
template <class Archive>
void word32(Archive& a, const char* name, std::uint32_t& value, const FieldType& type, std::uint32_t index = kNoIndex,
            std::uint32_t context = 0) {
  std::array<std::byte, 4> bytes{};
  for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
  View view{std::span<const std::byte>(bytes)};
  a.raw(name, view, 4, type, index, context);
  if constexpr (Archive::kReads) value = view.u32(0).value_or(0);
}

/// The offset of a table, then its count: 8 bytes.
template <class Archive, class T>
std::uint32_t place(Archive& a, const char* offset_name, const char* count_name, Table<T>& table) {
  if constexpr (kIsValueArchive<Archive>) return 0;  // the table says where it is, and knows its size
  auto count = static_cast<std::uint32_t>(table.size());
  a.u32(offset_name, table.offset, kOffset);
  a.u32(count_name, count);
  return count;
}

/// The records of a table, at an offset from `base`. An offset with a count of 0 is not looked at.
template <class Archive, class T, class... Context>
void table(Archive& a, const Claims& claims, std::size_t base, const char* name, Table<T>& table, std::size_t count, std::size_t stride,
           const Context&... context) {
  if constexpr (kIsValueArchive<Archive>) return a.records_at(name, table, count, stride, context...);
  if (count == 0 || !claim(a, claims, name, count * stride)) return;
  go(a, base + table.offset, name, [&] { a.records(name, table.items, count, stride, context...); });
}

/// What documents of lines need to name their sources.
template <class Archive>
TextStarts texts_of_lines(const Table<char>& names) {
  if constexpr (kIsValueArchive<Archive>) return TextStarts::of(names);
  return {};
}

/// A table of texts as a list of them; one without an end at its end as bytes.
template <class Archive>
void text_table(Archive& a, const char* name, Table<char>& table) {
  std::vector<std::string> list;
  const std::string_view all(table.items.data(), table.size());
  for (std::size_t at = 0; at < all.size(); at += list.back().size() + 1) list.emplace_back(all.substr(at, all.find('\0', at) - at));
  a.text_list(name, list);
  if constexpr (kReadsValues<Archive>) {
    table.items.clear();
    for (const std::string& text : list) {
      table.items.insert(table.items.end(), text.begin(), text.end());
      table.items.push_back('\0');
    }
  }
  a.place(name, table.offset);
}

template <class Archive>
void texts(Archive& a, const Claims& claims, std::size_t base, const char* name, Table<char>& table, std::size_t size) {
  if constexpr (kIsValueArchive<Archive>) return text_table(a, name, table);
  if (size == 0 || !claim(a, claims, name, size)) return;
  go(a, base + table.offset, name, [&] {
    View view{std::as_bytes(std::span<const char>(table.items))};
    a.raw(name, view, size, kTextsType, kNoIndex, static_cast<std::uint32_t>(size));
    if constexpr (Archive::kReads) table.items.assign(view.text().begin(), view.text().end());
  });
}

/// A word of code, for documents: its fields.
struct CodeWord {
  std::uint32_t word = 0;
};
template <class Archive>
void describe(Archive& a, CodeWord& c);

/// The fields of an operand descriptor.
extern const FieldType kDescriptorFields;

template <class Archive>
void code(Archive& a, const Claims& claims, std::size_t base, Table<std::uint32_t>& words, std::size_t count,
          const std::vector<Descriptor>& descriptors) {
  if constexpr (kIsValueArchive<Archive>) {
    Table<CodeWord> coded;
    coded.offset = words.offset;
    for (const std::uint32_t word : words) coded.items.push_back({word});
    a.records_at("code", coded, count, kWordBytes);
    if constexpr (kReadsValues<Archive>) {
      words.items.clear();
      for (const CodeWord& word : coded) words.items.push_back(word.word);
      words.offset = coded.offset;
    }
    return;
  }
  if (count == 0 || !claim(a, claims, "code", count * kWordBytes)) return;
  if constexpr (kOutlines<Archive>) {
    View all;
    return go(a, base + words.offset, "code", [&] { a.raw("code", all, count * kWordBytes); });
  }
  go(a, base + words.offset, "code", [&] {
    if constexpr (Archive::kReads) {
      if (count > a.rest() / kWordBytes) {
        a.fail(ErrorCode::truncated, "code", std::to_string(count) + " words exceed the remaining " + std::to_string(a.rest()) + " bytes");
        return;
      }
      words.items.assign(count, 0);
    }
    for (std::size_t i = 0; i < count && a.ok(); ++i) {
      const FieldType* type = &kBareInstructionType;
      std::uint32_t context = 0;
      if constexpr (Archive::kRecords) {
        const Instruction instruction = decode(a.peek32().value_or(0));
        if (has_descriptor(format_of(instruction.opcode)) && instruction.descriptor < descriptors.size()) {
          type = &kInstructionType;
          context = descriptors[instruction.descriptor].bits;
        }
      }
      std::uint32_t none = 0;  // documentation walks over an empty table
      word32(a, "code", i < words.size() ? words[i] : none, *type, static_cast<std::uint32_t>(i), context);
    }
  });
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, Descriptor& d) {
  a.u32("bits", d.bits, kIsValueArchive<Archive> ? kDescriptorFields : kDescriptorType);
  a.u32("used", d.used, kHex);
}

/// Which text of a document's list a line names, and from which of its bytes on.
template <class Archive>
void describe_source(Archive& a, Line& l, const TextStarts& texts) {
  std::uint32_t source = 0;
  std::uint32_t from = 0;
  if constexpr (kReadsValues<Archive>) {
    a.u32("source", source);
    a.u32("from", from);
    if (!a.ok()) return;
    if (source >= texts.starts.size()) {
      if (a.has("source") || !texts.starts.empty())
        a.fail(ErrorCode::bad_value, "source",
               "expected the number of a name in the list, below " + std::to_string(texts.starts.size()) + ", found " +
                   std::to_string(source));
      return;
    }
    if (from >= texts.end_of(source) - texts.starts[source])
      return a.fail(ErrorCode::bad_value, "from", "expected a byte of the name, found " + std::to_string(from));
    l.file = texts.starts[source] + from;
  } else {
    source = static_cast<std::uint32_t>(texts.index_of(l.file));
    from = l.file - texts.starts[source];
    a.u32("source", source);
    if (from != 0) a.u32("from", from);
  }
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, Line& l, const TextStarts& texts) {
  if constexpr (kIsValueArchive<Archive>) {
    // beyond the names: says nothing
    bool is_beyond = l.file >= texts.size;
    if constexpr (kReadsValues<Archive>) is_beyond = a.has("file");
    if (is_beyond) {
      a.u32("file", l.file, kHex);
      if (kReadsValues<Archive> && a.ok() && l.file < texts.size)
        a.fail(ErrorCode::bad_value, "file", "expected an offset beyond the names; `source` is the number of a name in the list");
    } else {
      describe_source(a, l, texts);
    }
  } else {
    a.u32("file", l.file, kOffset);
  }
  a.u32("line", l.number);
}

/// What a constant is, for documents: floats as numbers if that says all of their words.
template <class Archive>
void describe_words(Archive& a, Constant& c) {
  constexpr const char* kNames[] = {"x", "y", "z", "w"};
  constexpr const char* kBitsNames[] = {"x_bits", "y_bits", "z_bits", "w_bits"};
  for (std::size_t i = 0; i < 4; ++i) {
    if constexpr (kReadsValues<Archive>) {
      if (c.type != ConstantType::real || a.has(kBitsNames[i])) {
        a.u32(kBitsNames[i], c.words[i], kHex);
      } else {
        float real = 0;
        a.f32(kNames[i], real);
        c.words[i] = to_float24_nearest(real);
        if (std::isfinite(real) && !std::isfinite(from_float24(c.words[i])))
          a.fail(ErrorCode::bad_value, kNames[i], "the number does not fit into a 24-bit float");
        if (real != 0 && from_float24(c.words[i]) == 0)
          a.fail(ErrorCode::bad_value, kNames[i], "the number is nearer to 0 than any 24-bit float but 0");
      }
    } else {
      float real = from_float24(c.words[i]);
      if (c.type == ConstantType::real && c.words[i] <= kFloat24Bits && to_float24_nearest(real) == c.words[i]) {
        a.f32(kNames[i], real);
      } else if (c.words[i] != 0 || c.type == ConstantType::real) {
        a.u32(kBitsNames[i], c.words[i], kHex);
      }
    }
  }
}

/// Bytes: 20.
template <class Archive>
void describe(Archive& a, Constant& c) {
  a.enum16("type", c.type);
  a.u16("register", c.register_index);
  if constexpr (kIsValueArchive<Archive>) return describe_words(a, c);
  switch (c.type) {
    case ConstantType::real:
      a.u32("x", c.words[0], kFloat24Type);
      a.u32("y", c.words[1], kFloat24Type);
      a.u32("z", c.words[2], kFloat24Type);
      a.u32("w", c.words[3], kFloat24Type);
      break;
    case ConstantType::integer:
    case ConstantType::boolean:
      a.u32("value", c.words[0], c.type == ConstantType::integer ? kIntegersType : kUnsigned);
      for (std::size_t i = 1; i < 4; ++i) a.u32("padding", c.words[i], c.words[i] == 0 ? kPadding : kHex);
      break;
    default:
      for (std::uint32_t& word : c.words) a.u32("value", word, kHex);
      break;
  }
}

/// What a symbol's leaf needs to show the text.
template <class Archive>
void symbol(Archive& a, Symbol& s, std::size_t symbols_at) {
  if constexpr (kIsValueArchive<Archive>) {
    std::string_view text = s.text;
    a.string_here("symbol", text);
    if constexpr (kReadsValues<Archive>) s.text = text;
    return a.place("symbol", s.offset);
  }
  const std::size_t here = a.position();
  word32(a, "symbol", s.offset, kSymbolType, kNoIndex, symbols_at > here ? static_cast<std::uint32_t>(symbols_at - here) : 0);
}

/// Bytes: 16.
template <class Archive>
void describe(Archive& a, Label& l, std::size_t symbols_at) {
  a.u32("id", l.id, kHex);
  a.u32("address", l.address_words);
  a.u32("length", l.length);
  symbol(a, l.symbol, symbols_at);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, OutputRecord& o) {
  a.enum16("type", o.type);
  a.u16("register", o.register_index);
  a.u16("mask", o.mask, kMask);
  a.u16("reserved", o.reserved, kHex);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, Uniform& u, std::size_t symbols_at) {
  symbol(a, u.symbol, symbols_at);
  a.u16("first", u.first, kUniformRegisterType);
  a.u16("last", u.last, kUniformRegisterType);
}

/// Bytes: 12.
template <class Archive>
void describe(Archive& a, Relocation& r) {
  a.u32("word", r.word);
  a.u32("unknown1", r.unknown1, kHex);
  a.u32("unknown2", r.unknown2, kHex);
}

struct TableCounts {
  std::uint32_t constants = 0;
  std::uint32_t labels = 0;
  std::uint32_t outputs = 0;
  std::uint32_t uniforms = 0;
  std::uint32_t symbols = 0;
};

template <class Archive>
void describe_tables(Archive& a, Tables& t, const Claims& claims, std::size_t base, const TableCounts& counts) {
  const std::size_t symbols_at = base + t.symbols.offset;
  table(a, claims, base, "constants", t.constants, counts.constants, kConstantBytes);
  table(a, claims, base, "labels", t.labels, counts.labels, kLabelBytes, symbols_at);
  table(a, claims, base, "outputs", t.outputs, counts.outputs, kOutputBytes);
  table(a, claims, base, "uniforms", t.uniforms, counts.uniforms, kUniformBytes, symbols_at);
  if constexpr (kIsValueArchive<Archive> && !kReadsValues<Archive>) {
    if (a.places() == Places::left_to_the_writer) return;  // the writer makes this table of the symbols' texts
  }
  texts(a, claims, base, "symbols", t.symbols, counts.symbols);
}

/// Bytes: 0x28, or 0x1c in old writers: if code, descriptors or an executable begin before byte 0x28, the fields from there on are
/// theirs. `next`: the first executable after it, bytes from the start of the DVLP.
template <class Archive>
void describe(Archive& a, Program& p, const Claims& claims, std::size_t next) {
  const std::size_t base = a.position();
  a.expect32("magic", kDvlp, kFourCC, ErrorCode::bad_magic);
  a.u32("version", p.version, kHex);
  const std::uint32_t words = place(a, "code_offset", "code_words", p.code);
  const std::uint32_t descriptors = place(a, "descriptor_offset", "descriptor_count", p.descriptors);
  if constexpr (Archive::kReads) {
    std::size_t first = next;
    if (words != 0) first = std::min<std::size_t>(first, p.code.offset);
    if (descriptors != 0) first = std::min<std::size_t>(first, p.descriptors.offset);
    p.header_bytes = first < Program::kHeaderBytes ? Program::kShortHeaderBytes : Program::kHeaderBytes;
  }
  if constexpr (kIsValueArchive<Archive>) a.u32("header_bytes", p.header_bytes, kExtent);
  std::uint32_t lines = 0;
  std::uint32_t names = 0;
  if (p.header_bytes == Program::kHeaderBytes) {
    lines = place(a, "line_offset", "line_count", p.lines);
    names = place(a, "file_names_offset", "file_names_size", p.file_names);
  } else {
    a.u32("line_offset", p.lines.offset, kOffset);
  }
  if (!claim(a, claims, "magic", p.header_bytes)) return;
  table(a, claims, base, "descriptors", p.descriptors, descriptors, kDescriptorBytes);
  code(a, claims, base, p.code, words, p.descriptors.items);
  if constexpr (kReadsValues<Archive>) texts(a, claims, base, "file_names", p.file_names, names);
  table(a, claims, base, "lines", p.lines, lines, kLineBytes, texts_of_lines<Archive>(p.file_names));
  if constexpr (!kReadsValues<Archive>) texts(a, claims, base, "file_names", p.file_names, names);
}

/// Bytes: 0x40.
template <class Archive>
void describe(Archive& a, Executable& e, const Claims& claims) {
  const std::size_t base = a.position();
  if constexpr (kIsValueArchive<Archive>) a.u32("offset", e.offset, kOffset);
  if (!claim(a, claims, "magic", Executable::kHeaderBytes)) return;
  a.expect32("magic", kDvle, kFourCC, ErrorCode::bad_magic);
  a.u16("version", e.version, kHex);
  a.enum8("stage", e.stage);
  a.u8("flags", e.flags, kFlagsType);
  a.u32("entry", e.entry_words);
  a.u32("main_end", e.end_words);
  a.u16("input_mask", e.input_mask, kRegisterMaskType);
  a.u16("output_mask", e.output_mask, kRegisterMaskType);
  a.enum8("geometry_mode", e.geometry_mode);
  a.u8("fixed_start", e.fixed_start);
  a.u8("variable_count", e.variable_count);
  a.u8("fixed_count", e.fixed_count);
  TableCounts counts;
  counts.constants = place(a, "constant_offset", "constant_count", e.constants);
  counts.labels = place(a, "label_offset", "label_count", e.labels);
  counts.outputs = place(a, "output_offset", "output_count", e.outputs);
  counts.uniforms = place(a, "uniform_offset", "uniform_count", e.uniforms);
  counts.symbols = place(a, "symbols_offset", "symbols_size", e.symbols);
  describe_tables(a, e, claims, base, counts);
}

/// Lines of an object name texts of its symbols, which the writer makes anew if the places are left to it: then the texts are a list of
/// their own.
template <class Archive>
void describe_object_lines(Archive& a, Object& o) {
  if constexpr (kReadsValues<Archive>) {
    if (!a.has("file_names")) return a.records_at("lines", o.lines, 0, kLineBytes, TextStarts::of(o.symbols));
    Table<char> names;
    text_table(a, "file_names", names);
    a.records_at("lines", o.lines, 0, kLineBytes, TextStarts::of(names));
    TextAdder(o.symbols).take(names, o.lines.items);
  } else {
    if (a.places() == Places::stated) return a.records_at("lines", o.lines, 0, kLineBytes, TextStarts::of(o.symbols));
    Table<char> names;
    Table<Line> lines = o.lines;
    TextAdder(names).take(o.symbols, lines.items);
    a.records_at("lines", lines, 0, kLineBytes, TextStarts::of(names));
    text_table(a, "file_names", names);
  }
}

/// How a document marks its places as stated.
template <class Archive>
void describe_origin(Archive& a, Origin& origin) {
  bool is_stated = false;
  if constexpr (!kReadsValues<Archive>) is_stated = a.places() == Places::stated;
  a.optional_group("layout", is_stated, [&] {
    origin.placed = true;
    a.u32("bytes", origin.bytes);
    a.u32("shared", origin.shared);
    if constexpr (kReadsValues<Archive>) origin.placed = a.hint_counts();
  });
}

/// DVLB: 8 bytes, then an offset for each executable; the DVLP follows at once.
template <class Archive>
void describe(Archive& a, Shbin& s, const Claims& claims) {
  if constexpr (kIsValueArchive<Archive>) {
    describe_origin(a, s.origin);
    bool is_told = s.arrangement != Arrangement::picasso;
    if constexpr (kReadsValues<Archive>) is_told = a.has("arrangement");
    if (is_told) a.enum8("arrangement", s.arrangement);
    a.record("program", s.program, claims, std::size_t{0});
    return a.records("executables", s.executables, 0, 0, claims);
  }
  a.expect32("magic", kDvlb, kFourCC, ErrorCode::bad_magic);
  auto count = static_cast<std::uint32_t>(s.executables.size());
  a.u32("executable_count", count);
  std::vector<std::uint32_t> offsets;
  for (const Executable& e : s.executables) offsets.push_back(e.offset);
  if constexpr (Archive::kReads) {
    if (count > a.rest() / 4) {
      a.fail(ErrorCode::truncated, "executable_count",
             std::to_string(count) + " offsets exceed the remaining " + std::to_string(a.rest()) + " bytes");
      return;
    }
    offsets.assign(count, 0);
  }
  if (!claim(a, claims, "executable_offset", kDvlbHeaderBytes + 4 * std::size_t{count})) return;
  for (std::uint32_t i = 0; i < offsets.size(); ++i) word32(a, "executable_offset", offsets[i], kOffset, i);
  std::size_t next = ~std::size_t{0};
  for (const std::uint32_t offset : offsets)
    if (offset >= a.position()) next = std::min<std::size_t>(next, offset - a.position());
  a.record("program", s.program, claims, next);
  if constexpr (Archive::kReads) s.executables.clear();
  for (std::uint32_t i = 0; i < offsets.size() && a.ok(); ++i) {
    go(a, offsets[i], "executable_offset", [&] {
      a.group("executables", i, [&] {
        if constexpr (Archive::kReads) s.executables.emplace_back().offset = offsets[i];
        describe(a, s.executables[i], claims);
      });
    });
  }
}

/// DVOJ: 0x58 bytes. src: 3dbrew, GBATEK; no file of the vendor's was seen
template <class Archive>
void describe(Archive& a, Object& o, const Claims& claims) {
  const std::size_t base = a.position();
  if constexpr (kIsValueArchive<Archive>) describe_origin(a, o.origin);
  if (!claim(a, claims, "magic", Object::kHeaderBytes)) return;
  a.expect32("magic", kDvoj, kFourCC, ErrorCode::bad_magic);
  a.u16("version", o.version, kHex);
  a.enum8("stage", o.stage);
  a.u8("flags", o.flags, kFlagsType);
  a.u16("input_mask", o.input_mask, kRegisterMaskType);
  a.u16("output_mask", o.output_mask, kRegisterMaskType);
  a.u32("geometry", o.geometry, kHex);
  TableCounts counts;
  counts.constants = place(a, "constant_offset", "constant_count", o.constants);
  counts.labels = place(a, "label_offset", "label_count", o.labels);
  const std::uint32_t words = place(a, "code_offset", "code_words", o.code);
  const std::uint32_t descriptors = place(a, "descriptor_offset", "descriptor_count", o.descriptors);
  const std::uint32_t lines = place(a, "line_offset", "line_count", o.lines);
  const std::uint32_t relocations = place(a, "relocation_offset", "relocation_count", o.relocations);
  counts.outputs = place(a, "output_offset", "output_count", o.outputs);
  counts.uniforms = place(a, "uniform_offset", "uniform_count", o.uniforms);
  counts.symbols = place(a, "symbols_offset", "symbols_size", o.symbols);
  table(a, claims, base, "descriptors", o.descriptors, descriptors, kDescriptorBytes);
  code(a, claims, base, o.code, words, o.descriptors.items);
  if constexpr (!kIsValueArchive<Archive>) table(a, claims, base, "lines", o.lines, lines, kLineBytes, TextStarts{});
  if constexpr (kIsValueArchive<Archive> && !kReadsValues<Archive>) describe_object_lines(a, o);
  table(a, claims, base, "relocations", o.relocations, relocations, kRelocationBytes);
  describe_tables(a, o, claims, base, counts);
  if constexpr (kReadsValues<Archive>) describe_object_lines(a, o);  // what they name is there
}

}  // namespace unshade::pica
