#include "patterns.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "dxbc/parts/class_linkage_layout.hpp"
#include "dxbc/parts/rdef_layout.hpp"
#include "dxbc/parts/statistics_layout.hpp"
#include "dxcontainer/container_layout.hpp"
#include "dxcontainer/root_signature/layout.hpp"
#include "dxcontainer/signature_layout.hpp"
#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/program_header_layout.hpp"
#include "outline.hpp"
#include "pica/shbin_layout.hpp"
#include "vbc/file_layout.hpp"

namespace unshade::docs {

namespace {

using Kind = OutlineItem::Kind;

std::uint32_t fourcc_of(std::string_view part) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(part[i])} << (8 * i);
  return value;
}

/// Of a part's layouts the one that its bytes ask for: by the integer at `at`, or else by its size. STAT of bitcode is a module.
struct Layouts {
  std::string_view part;
  std::string name;  ///< of the type that chooses
  bool by_size = false;
  std::uint32_t at = 0;
  std::vector<std::pair<std::uint32_t, std::string>> cases;  ///< value, or size, and outline
  std::string otherwise;                                     ///< empty: bytes
};

/// A file format: how it begins is a frame, which is printed for each tool by hand, the rest are outlines.
struct Format {
  OutlineBook book;
  std::vector<std::pair<std::string, std::string>> parts;  ///< of containers: FourCC and outline or choice
  std::vector<Layouts> layouts;
};

std::string outline_in(Format& format, const std::string& root, const auto& model, const auto&... context) {
  Outliner outliner(format.book, root);
  return outliner.outline(root, model, context...);
}

std::string rdef_in(Format& format, const std::string& root, dxbc::RdefStrides strides) {
  dxbc::Rdef rdef;
  rdef.strides = strides;
  return outline_in(format, root, rdef);
}

/// Of an outline of numbers.
std::uint32_t bytes_in(const Format& format, const std::string& name) {
  std::uint32_t bytes = 0;
  for (const OutlineItem& item : format.book.find(name)->items) bytes += item.size;
  return bytes;
}

Format container_format() {
  Format format;
  outline_in(format, "header", dxcontainer::ContainerHeader{});
  outline_in(format, "part_offset", dxcontainer::PartOffset{});
  outline_in(format, "part_header", dxcontainer::PartHeader{});
  for (const char* const part : {"ISGN", "ISG1", "OSGN", "OSG5", "OSG1", "PCSG", "PSG1"}) {
    dxcontainer::Signature signature;
    signature.layout = dxcontainer::signature_layout(fourcc_of(part));
    const std::string root = signature.layout.has_min_precision ? "signature_1" : signature.layout.has_stream ? "signature_5" : "signature";
    format.parts.emplace_back(part, outline_in(format, root, signature));
  }
  dxbc::Statistics statistics;
  const std::string short_statistics = outline_in(format, "statistics", statistics);
  statistics.is_long = true;
  const std::string long_statistics = outline_in(format, "statistics_long", statistics);
  format.layouts.push_back({"STAT",
                            "statistics_of_size",
                            true,
                            0,
                            {{bytes_in(format, long_statistics), long_statistics}, {bytes_in(format, short_statistics), short_statistics}},
                            {}});
  // src: the magic of each version, as fxc writes it; the short header has none
  constexpr dxbc::RdefStrides kShader4{28, 24, 32, 24, 16, 12};
  std::vector<std::pair<std::uint32_t, std::string>> versions;
  for (const auto& [magic, root] : {std::pair{dxcontainer::fourcc("RD11"), "resources_5_0"}, std::pair{0x2544'1313U, "resources_5_1"}})
    versions.emplace_back(magic, rdef_in(format, root, dxbc::standard_strides(magic)));
  format.layouts.push_back({"RDEF", "resources_of_version", false, 28, versions, rdef_in(format, "resources_4", kShader4)});
  std::vector<std::pair<std::uint32_t, std::string>> roots;
  for (const auto& [version, root] : {std::pair{dxcontainer::RootSignatureVersion::v1_0, "root_signature_1_0"},
                                      std::pair{dxcontainer::RootSignatureVersion::v1_1, "root_signature_1_1"},
                                      std::pair{dxcontainer::RootSignatureVersion::v1_2, "root_signature_1_2"}}) {
    dxcontainer::RootSignature signature;
    signature.version = version;
    roots.emplace_back(static_cast<std::uint32_t>(version), Outliner(format.book, root, "version").outline(root, signature));
  }
  format.layouts.push_back({"RTS0", "root_signature_of_version", false, 0, roots, {}});
  format.parts.emplace_back("IFCE", outline_in(format, "class_linkage", dxbc::ClassLinkage{}));
  format.parts.emplace_back("HASH", outline_in(format, "shader_hash", dxil::ShaderHash{}));
  format.parts.emplace_back("ILDN", outline_in(format, "debug_name", dxil::DebugName{}));
  const std::string program = outline_in(format, "program", dxil::Program{}, true);
  for (const char* const part : {"DXIL", "ILDB"}) format.parts.emplace_back(part, program);
  for (const Layouts& layouts : format.layouts) format.parts.emplace_back(layouts.part, layouts.name);
  return format;
}

Format shbin_format() {
  Format format;
  outline_in(format, "dvlp", pica::Program{}, pica::Claims{}, ~std::size_t{0});
  outline_in(format, "dvle", pica::Executable{}, pica::Claims{});
  return format;
}

/// All before the SPIR-V.
struct VbcTables {
  vbc::File file;
  vbc::WordCounts counts;
};
template <class Archive>
void describe(Archive& a, VbcTables& t, const vbc::Form& form) {
  vbc::describe_tables(a, t.file, form, t.counts);
}

Format vbc_format() {
  Format format;
  outline_in(format, "tables", VbcTables{}, vbc::Form{});
  return format;
}

/// Everything that the roots need.
std::vector<const Outline*> needed(const Format& format, const std::vector<std::string>& roots) {
  std::set<std::string> names;
  std::vector<const Outline*> made;
  const std::function<void(const std::string&)> add = [&](const std::string& name) {
    const Outline* const outline = format.book.find(name);
    if (outline == nullptr || !names.insert(name).second) return;
    for (const OutlineItem& item : outline->items) {
      add(item.target);
      for (const auto& [value, target] : item.targets) add(target);
    }
    made.push_back(outline);
  };
  for (const std::string& root : roots) add(root);
  return made;
}

std::vector<std::string> roots_of(const Format& format) {
  std::vector<std::string> roots = {"header", "part_offset", "part_header", "dvlp", "dvle", "tables"};
  for (const auto& [part, outline] : format.parts) roots.push_back(outline);
  for (const Layouts& layouts : format.layouts) {
    for (const auto& [value, outline] : layouts.cases) roots.push_back(outline);
    roots.push_back(layouts.otherwise);
  }
  return roots;
}

std::map<std::string, const NameTable*> enumerations(const std::vector<const Outline*>& outlines) {
  std::map<std::string, const NameTable*> made;
  for (const Outline* const outline : outlines)
    for (const OutlineItem& item : outline->items)
      if (item.names != nullptr) made.emplace(item.names_id, item.names);
  return made;
}

std::string text_of(const Expression& expression) {
  std::string text = expression.field;
  if (text.empty()) return std::to_string(expression.plus);
  if (expression.times != 1) text += " * " + std::to_string(expression.times);
  if (expression.plus > 0) text += " + " + std::to_string(expression.plus);
  if (expression.plus < 0) text += " - " + std::to_string(-expression.plus);
  return text;
}

/// Words of neither language, and no digit in front.
std::string identifier(std::string_view id) {
  static constexpr std::string_view kWords[] = {
      "and",   "as",        "auto",  "be",    "bool", "break", "case",     "catch",  "char",   "const",  "continue", "double",
      "else",  "enum",      "false", "float", "fn",   "for",   "from",     "if",     "import", "in",     "is",       "le",
      "match", "namespace", "not",   "null",  "or",   "out",   "padding",  "parent", "ref",    "return", "signed",   "sizeof",
      "str",   "struct",    "this",  "true",  "try",  "union", "unsigned", "using",  "while"};
  std::string made(id);
  for (char& c : made)
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : '_';
  if (made.empty() || (made.front() >= '0' && made.front() <= '9') || made.front() == '_')
    made = "n" + std::string(made.front() == '_' ? "" : "_") + made;
  if (std::find(std::begin(kWords), std::end(kWords), made) != std::end(kWords)) made += '_';
  return made;
}

std::string fourcc_bytes(std::uint32_t value) {
  Text text;
  text << '[';
  for (unsigned i = 0; i < 4; ++i) (text << (i == 0 ? "0x" : ", 0x")).hex(value >> (8 * i) & 0xff, 2);
  text << ']';
  return text.str();
}

// ---- Kaitai Struct

std::string ksy_number(const OutlineItem& item) {
  return (item.kind == Kind::real ? "f" : item.is_signed ? "s" : "u") + std::to_string(item.size);
}

void ksy_target(Text& out, const OutlineItem& item, std::string_view indent) {
  if (item.targets.empty()) {
    out << indent << "type: " << identifier(item.target) << '\n';
    return;
  }
  out << indent << "type:\n" << indent << "  switch-on: " << identifier(item.switch_on) << ".to_i\n" << indent << "  cases:\n";
  for (const auto& [value, target] : item.targets) (out << indent << "    ").dec(value) << ": " << identifier(target) << '\n';
  out << indent << "    _: " << identifier(item.target) << '\n';
}

void ksy_content(Text& out, const OutlineItem& item) {
  constexpr std::string_view kIndent = "        ";
  switch (item.kind) {
    case Kind::integer:
      if (item.magic) {
        out << kIndent << "contents: " << fourcc_bytes(*item.magic) << '\n';
        break;
      }
      [[fallthrough]];
    case Kind::real:
      out << kIndent << "type: " << ksy_number(item) << '\n';
      if (item.names != nullptr) out << kIndent << "enum: " << identifier(item.names_id) << '\n';
      break;
    case Kind::text: out << kIndent << "type: strz\n" << kIndent << "encoding: UTF-8\n"; break;
    case Kind::bytes: out << kIndent << "size: " << text_of(item.length) << '\n'; break;
    case Kind::record: ksy_target(out, item, kIndent); break;
    case Kind::records:
      ksy_target(out, item, kIndent);
      out << kIndent << "repeat: expr\n" << kIndent << "repeat-expr: " << text_of(item.length) << '\n';
      break;
  }
}

void ksy_type(Text& out, const Outline& outline) {
  out << "  " << identifier(outline.name) << ":\n";
  const auto is_placed = [](const OutlineItem& item) { return item.at.has_value(); };
  const bool has_fields = !std::all_of(outline.items.begin(), outline.items.end(), is_placed);
  out << (has_fields ? "    seq:\n" : "    seq: []\n");
  for (const OutlineItem& item : outline.items) {
    if (item.at) continue;
    out << "      - id: " << identifier(item.id) << '\n';
    if (!item.only_if.empty()) out << "        if: " << identifier(item.only_if) << " != 0\n";
    ksy_content(out, item);
  }
  if (std::none_of(outline.items.begin(), outline.items.end(), is_placed)) return;
  out << "    instances:\n";
  for (const OutlineItem& item : outline.items) {
    if (!item.at) continue;
    out << "      " << identifier(item.id) << ":\n        pos: " << text_of(*item.at) << '\n';
    if (item.is_optional) out << "        if: " << item.at->field << " != 0\n";
    if (item.kind == Kind::records && !item.length.field.empty()) out << "        if: " << item.length.field << " != 0\n";
    ksy_content(out, item);
  }
}

void ksy_choice(Text& out, const Layouts& layouts) {
  out << "  " << layouts.name << ":\n    instances:\n";
  if (layouts.by_size) {
    for (const auto& [size, outline] : layouts.cases) {
      (out << "      of_").dec(size) << "_bytes:\n        pos: 0\n        type: " << outline << "\n        if: _io.size == ";
      out.dec(size) << '\n';
    }
    return;
  }
  (out << "      chosen_by:\n        pos: ").dec(layouts.at) << "\n        type: u4\n        if: _io.size >= ";
  out.dec(layouts.at + 4U) << "\n      fields:\n        pos: 0\n        type:\n          switch-on: '_io.size >= ";
  out.dec(layouts.at + 4U) << " ? chosen_by : 0'\n          cases:\n";
  for (const auto& [value, outline] : layouts.cases) (out << "            0x").hex(value, 8) << ": " << outline << '\n';
  if (!layouts.otherwise.empty()) out << "            _: " << layouts.otherwise << '\n';
}

void ksy_enumerations(Text& out, const std::vector<const Outline*>& outlines) {
  const auto tables = enumerations(outlines);
  if (tables.empty()) return;
  out << "enums:\n";
  for (const auto& [id, names] : tables) {
    out << "  " << identifier(id) << ":\n";
    std::set<std::uint32_t> values;
    std::set<std::string> ids;
    for (const NamedValue& value : names->values)
      if (values.insert(value.value).second && ids.insert(identifier(value.id)).second)
        (out << "    ").dec(value.value) << ": " << identifier(value.id) << '\n';
  }
}

constexpr std::string_view kMadeFrom = "Made from the descriptions of unshade: cmake --build BUILD --target docs_tables";

void ksy_head(Text& out, std::string_view id, std::string_view title, std::string_view endings) {
  out << "# " << kMadeFrom << "\nmeta:\n  id: " << id << "\n  title: " << title << "\n  file-extension: [" << endings
      << "]\n  endian: le\n  license: MIT\n";
}

std::string container_ksy() {
  const Format format = container_format();
  Text out;
  ksy_head(out, "dxcontainer", "shader container of Direct3D 10 to 12 (DXBC, DXIL)", "dxbc, cso, dxil, fxo");
  out << "seq:\n  - id: header\n    type: header\n  - id: parts\n    type: part_place\n    repeat: expr\n    repeat-expr: "
         "header.part_count\ntypes:\n";
  out << "  part_place:\n    seq:\n      - id: place\n        type: part_offset\n    instances:\n      part:\n        io: _root._io\n"
         "        pos: place.offset\n        type: part\n";
  out << "  part:\n    seq:\n      - id: header\n        type: part_header\n      - id: body\n        size: header.size\n        type:\n"
         "          switch-on: header.fourcc\n          cases:\n";
  for (const auto& [part, outline] : format.parts) {
    (out << "            0x").hex(fourcc_of(part), 8) << ": " << identifier(outline) << "  # " << part << '\n';
  }
  for (const Layouts& layouts : format.layouts) ksy_choice(out, layouts);
  const auto outlines = needed(format, roots_of(format));
  for (const Outline* const outline : outlines) ksy_type(out, *outline);
  ksy_enumerations(out, outlines);
  return out.str();
}

std::string shbin_ksy() {
  const Format format = shbin_format();
  Text out;
  ksy_head(out, "shbin", "shader binary of the Nintendo 3DS (DVLB)", "shbin");
  out << "seq:\n  - id: magic\n    contents: " << fourcc_bytes(pica::kDvlb)
      << "\n  - id: executable_count\n    type: u4\n  - id: executables\n    type: executable_place\n    repeat: expr\n"
         "    repeat-expr: executable_count\n  - id: program\n    type: dvlp\n    size-eos: true\ntypes:\n";
  out << "  executable_place:\n    seq:\n      - id: executable_offset\n        type: u4\n    instances:\n      executable:\n        io: "
         "_root._io\n"
         "        pos: executable_offset\n        size-eos: true\n        type: dvle\n";
  const auto outlines = needed(format, roots_of(format));
  for (const Outline* const outline : outlines) ksy_type(out, *outline);
  ksy_enumerations(out, outlines);
  return out.str();
}

std::string vbc_ksy() {
  const Format format = vbc_format();
  Text out;
  ksy_head(out, "vbc", "shader of the Vega library (VBC)", "vbc");
  out << "seq:\n  - id: tables\n    type: tables\n";
  for (const char* const stage : vbc::kStageFields) {
    (out << "  - id: " << stage << "\n    size: tables.word_counts." << stage << " * ").dec(vbc::kWordBytes) << '\n';
  }
  out << "types:\n";
  const auto outlines = needed(format, roots_of(format));
  for (const Outline* const outline : outlines) ksy_type(out, *outline);
  ksy_enumerations(out, outlines);
  return out.str();
}

// ---- ImHex

std::string hexpat_name(std::string_view id) {
  std::string made;
  bool is_first = true;
  for (const char c : identifier(id)) {
    if (c == '_') {
      is_first = true;
      continue;
    }
    made += is_first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = false;
  }
  return made;
}

std::string hexpat_number(const OutlineItem& item) {
  if (item.kind == Kind::real) return "float";
  if (item.names != nullptr) return hexpat_name(item.names_id);
  return (item.is_signed ? "s" : "u") + std::to_string(8 * item.size);
}

std::string hexpat_text(const Expression& expression) {
  constexpr std::string_view kParent = "_parent.";
  const std::string text = text_of(expression);
  return text.starts_with(kParent) ? "parent." + text.substr(kParent.size()) : text;
}

void hexpat_item(Text& out, const OutlineItem& item) {
  const std::string id = identifier(item.id);
  const std::string at = item.at ? " @ base + " + text_of(*item.at) : "";
  std::string condition;
  if (item.is_optional) condition = item.at->field + " != 0";
  if (!item.only_if.empty()) condition = identifier(item.only_if) + " != 0";
  if (item.kind == Kind::records && item.at && !item.length.field.empty()) condition = item.length.field + " != 0";
  const std::string begin = condition.empty() ? "  " : "  if (" + condition + ") ";
  switch (item.kind) {
    case Kind::integer:
    case Kind::real: out << begin << hexpat_number(item) << ' ' << id << at << ";\n"; return;
    case Kind::text: out << begin << "char " << id << "[]" << at << ";\n"; return;
    case Kind::bytes: out << begin << "u8 " << id << '[' << hexpat_text(item.length) << ']' << at << ";\n"; return;
    case Kind::record:
    case Kind::records: break;
  }
  const auto declare = [&](const std::string& target) {
    out << hexpat_name(target) << "<base> " << id;
    if (item.kind == Kind::records) out << '[' << text_of(item.length) << ']';
    out << at << ";\n";
  };
  bool is_first = true;
  for (const auto& [value, target] : item.targets) {
    (out << (is_first ? "  if (u32(" : " if (u32(") << identifier(item.switch_on) << ") == ").dec(value) << ") ";
    declare(target);
    out << "  else";
    is_first = false;
  }
  out << (item.targets.empty() ? begin : " ");
  declare(item.target);
}

void hexpat_types(Text& out, const std::vector<const Outline*>& outlines) {
  for (const auto& [id, names] : enumerations(outlines)) {
    unsigned size = 4;
    for (const Outline* const outline : outlines)
      for (const OutlineItem& item : outline->items)
        if (item.names_id == id) size = item.size;
    (out << "enum " << hexpat_name(id) << " : u").dec(8U * size) << " {\n";
    std::set<std::string> ids;
    for (const NamedValue& value : names->values)
      if (ids.insert(identifier(value.id)).second) (out << "  " << identifier(value.id) << " = ").dec(value.value) << ",\n";
    out << "};\n";
  }
  // a type that contains itself is named before it is known
  std::set<std::string> known;
  for (const Outline* const outline : outlines) {
    known.insert(outline->name);
    for (const OutlineItem& item : outline->items)
      if (!item.target.empty() && known.insert(item.target).second) out << "using " << hexpat_name(item.target) << "<auto base>;\n";
  }
  for (const Outline* const outline : outlines) {
    out << "struct " << hexpat_name(outline->name) << "<auto base> {\n";
    for (const OutlineItem& item : outline->items) hexpat_item(out, item);
    out << "};\n";
  }
}

void hexpat_head(Text& out, std::string_view title, std::uint32_t magic) {
  out << "// " << kMadeFrom << "\n#pragma description " << title << "\n#pragma endian little\n#pragma magic [ ";
  for (unsigned i = 0; i < 4; ++i) out.hex(magic >> (8 * i) & 0xff, 2) << ' ';
  out << "] @ 0x00\n";
}

std::string container_hexpat() {
  const Format format = container_format();
  Text out;
  hexpat_head(out, "shader container of Direct3D 10 to 12 (DXBC, DXIL)", dxcontainer::kMagic);
  hexpat_types(out, needed(format, roots_of(format)));
  for (const Layouts& layouts : format.layouts) {
    out << "struct " << hexpat_name(layouts.name) << "<auto base, auto size> {\n";
    if (!layouts.by_size) {
      (out << "  u32 chosen_by = size >= ").dec(layouts.at + 4U) << " ? std::mem::read_unsigned(base + ";
      out.dec(layouts.at) << ", 4) : 0;\n";
    }
    for (const auto& [value, outline] : layouts.cases) {
      (out << (value == layouts.cases.front().first ? "  if (" : " if (") << (layouts.by_size ? "size == " : "chosen_by == ")).dec(value)
          << ") " << hexpat_name(outline) << "<base> fields;\n  else";
    }
    out << (layouts.otherwise.empty() ? " u8 bytes[size];\n" : ' ' + hexpat_name(layouts.otherwise) + "<base> fields;\n") << "};\n";
  }
  out << "struct Part {\n  PartHeader<0> header;\n";
  for (const auto& [part, outline] : format.parts) {
    const bool is_choice =
        std::any_of(format.layouts.begin(), format.layouts.end(), [&](const Layouts& row) { return row.name == outline; });
    (out << (part == format.parts.front().first ? "  if (header.fourcc == 0x" : " if (header.fourcc == 0x")).hex(fourcc_of(part), 8)
        << ") " << hexpat_name(outline) << (is_choice ? "<$, header.size>" : "<$>") << " body;  // " << part << "\n  else";
  }
  out << " u8 body[header.size];\n};\nstruct PartPlace {\n  PartOffset<0> place;\n  Part part @ place.offset;\n};\n"
         "struct Container {\n  Header<0> header;\n  PartPlace parts[header.part_count];\n};\nContainer container @ 0x00;\n";
  std::string text = out.str();
  const std::size_t includes = text.find("enum ");
  return text.insert(includes, "import std.mem;\n");
}

std::string shbin_hexpat() {
  const Format format = shbin_format();
  Text out;
  hexpat_head(out, "shader binary of the Nintendo 3DS (DVLB)", pica::kDvlb);
  hexpat_types(out, needed(format, roots_of(format)));
  out << "struct ExecutablePlace {\n  u32 executable_offset;\n  Dvle<executable_offset> executable @ executable_offset;\n};\n"
         "struct Shbin {\n  u32 magic;\n  u32 executable_count;\n  ExecutablePlace executables[executable_count];\n  Dvlp<$> program;\n};\n"
         "Shbin shbin @ 0x00;\n";
  return out.str();
}

std::string vbc_hexpat() {
  const Format format = vbc_format();
  Text out;
  hexpat_head(out, "shader of the Vega library (VBC)", vbc::kMagic | std::uint32_t{vbc::kVersion} << 24);
  hexpat_types(out, needed(format, roots_of(format)));
  out << "struct Vbc {\n  Tables<0> tables;\n";
  for (const char* const stage : vbc::kStageFields) {
    (out << "  u8 " << stage << "[tables.word_counts." << stage << " * ").dec(vbc::kWordBytes) << "];\n";
  }
  out << "};\nVbc vbc @ 0x00;\n";
  return out.str();
}

constexpr PatternFile kFiles[] = {{"dxcontainer.ksy", container_ksy},
                                  {"dxcontainer.hexpat", container_hexpat},
                                  {"shbin.ksy", shbin_ksy},
                                  {"shbin.hexpat", shbin_hexpat},
                                  {"vbc.ksy", vbc_ksy},
                                  {"vbc.hexpat", vbc_hexpat}};

}  // namespace

std::span<const PatternFile> pattern_files() { return kFiles; }

}  // namespace unshade::docs
