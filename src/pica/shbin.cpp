#include <unshade/pica/shbin.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/text.hpp>
#include <unshade/pica/float24.hpp>

#include "pica/shbin_layout.hpp"

namespace unshade::pica {

namespace {

constexpr NamedValue kStages[] = {{0, "vertex"}, {1, "geometry"}};
constexpr NameTable kStageNames{kStages};
constexpr FieldType kStageType{FieldKind::enumeration, "stage", &kStageNames};

constexpr NamedValue kGeometryModes[] = {{0, "point"}, {1, "variable"}, {2, "fixed"}};
constexpr NameTable kGeometryModeNames{kGeometryModes};
constexpr NamedValue kArrangements[] = {{0, "picasso"}, {1, "nihstro"}, {2, "aemstro"}};
constexpr NameTable kArrangementNames{kArrangements};
constexpr FieldType kArrangementType{FieldKind::enumeration, "arrangement", &kArrangementNames};
constexpr FieldType kGeometryModeType{FieldKind::enumeration, "geometry mode", &kGeometryModeNames};

constexpr NamedValue kConstantTypes[] = {{0, "bool"}, {1, "ivec4"}, {2, "vec4"}};
constexpr NameTable kConstantTypeNames{kConstantTypes};
constexpr FieldType kConstantTypeType{FieldKind::enumeration, "constant type", &kConstantTypeNames};

constexpr NamedValue kOutputTypes[] = {{0, "position"},  {1, "normalquat"}, {2, "color"}, {3, "texcoord0"}, {4, "texcoord0w"},
                                       {5, "texcoord1"}, {6, "texcoord2"},  {8, "view"},  {9, "dummy"}};
constexpr NameTable kOutputNames{kOutputTypes};
constexpr FieldType kOutputType{FieldKind::enumeration, "output type", &kOutputNames};

constexpr NamedValue kExecutableFlags[] = {{kMergeOutputs, "merge_outputs"}, {kDebugBuild, "debug"}};
constexpr NameTable kExecutableFlagNames{kExecutableFlags};

void print_instruction_leaf(Text& out, View bytes, std::uint32_t context) {
  print_instruction(out, decode(bytes.u32(0).value_or(0)), &context);
}
void print_bare_instruction(Text& out, View bytes, std::uint32_t) { print_instruction(out, decode(bytes.u32(0).value_or(0)), nullptr); }

void print_descriptor(Text& out, View bytes, std::uint32_t) {
  const std::uint32_t bits = bytes.u32(0).value_or(0);
  (out << "0x").hex(bits, 8) << ' ';
  const descriptor::Fields fields = descriptor::fields(bits);
  out << (fields.mask.empty() ? "-" : fields.mask.text());
  for (const auto& [negated, swizzle] : fields.sources) out << (negated ? " -" : " ") << swizzle.text();
  if (fields.top) out << " top";
}

void print_symbol(Text& out, View bytes, std::uint32_t context) {
  const std::uint32_t offset = bytes.u32(0).value_or(0);
  (out << "0x").hex(offset);
  if (context == 0) return;
  if (const auto text = bytes.c_string(std::size_t{context} + offset)) {
    // Names may share their bytes: what all of them come to is bounded by showing the start of each.
    constexpr std::size_t kShown = 64;
    out << ' ';
    print_quoted(out, text->substr(0, kShown));
    if (text->size() > kShown) out << "...";
  }
}

void print_texts(Text& out, View bytes, std::uint32_t context) {
  const std::string_view all = bytes.clamped(0, context).text();
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view text = all.substr(at, all.find('\0', at) - at);
    if (at != 0) out << ' ';
    print_quoted(out, text);
    at += text.size() + 1;
  }
}

void print_float24(Text& out, View bytes, std::uint32_t) {
  const std::uint32_t bits = bytes.u32(0).value_or(0);
  out.shortest(from_float24(bits));
  if (bits > kFloat24Bits) (out << " (0x").hex(bits) << ')';
}

void print_integers(Text& out, View bytes, std::uint32_t) {
  for (unsigned i = 0; i < 4; ++i) {
    if (i != 0) out << ", ";
    out.dec(bytes.u8(i).value_or(0));
  }
}

void print_register(Text& out, View bytes, std::uint32_t) { print_uniform_register(out, bytes.u16(0).value_or(0)); }

void print_register_mask(Text& out, View bytes, std::uint32_t) {
  const std::uint32_t mask = bytes.u16(0).value_or(0);
  (out << "0x").hex(mask, 4);
}

// --- places ------------------------------------------------------------------------------------------------------------------------

struct Extent {
  std::uint64_t offset;
  std::uint64_t size;
};

template <class T>
void add(std::vector<Extent>& extents, std::size_t base, const Table<T>& table, std::size_t stride) {
  if (!table.empty()) extents.push_back({base + table.offset, table.size() * stride});
}

void add_tables(std::vector<Extent>& extents, std::size_t base, const Tables& t) {
  add(extents, base, t.constants, kConstantBytes);
  add(extents, base, t.labels, kLabelBytes);
  add(extents, base, t.outputs, kOutputBytes);
  add(extents, base, t.uniforms, kUniformBytes);
  add(extents, base, t.symbols, 1);
}

std::vector<Extent> extents_of(const Shbin& s) {
  std::vector<Extent> extents;
  const std::size_t program = kDvlbHeaderBytes + 4 * s.executables.size();
  extents.push_back({0, program});
  extents.push_back({program, s.program.header_bytes});
  add(extents, program, s.program.code, kWordBytes);
  add(extents, program, s.program.descriptors, kDescriptorBytes);
  add(extents, program, s.program.lines, kLineBytes);
  add(extents, program, s.program.file_names, 1);
  for (const Executable& e : s.executables) {
    extents.push_back({e.offset, Executable::kHeaderBytes});
    add_tables(extents, e.offset, e);
  }
  return extents;
}

std::vector<Extent> extents_of(const Object& o) {
  std::vector<Extent> extents{{0, Object::kHeaderBytes}};
  add(extents, 0, o.code, kWordBytes);
  add(extents, 0, o.descriptors, kDescriptorBytes);
  add(extents, 0, o.lines, kLineBytes);
  add(extents, 0, o.relocations, kRelocationBytes);
  add_tables(extents, 0, o);
  return extents;
}

struct Measure {
  std::uint64_t end = 0;
  std::uint64_t shared = 0;
};

/// Sorts them; `visit_gap(from, to)` for what lies between them.
template <class Visit>
Measure measure(std::vector<Extent>& extents, Visit&& visit_gap) {
  std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.offset < b.offset; });
  Measure m;
  for (const Extent& e : extents) {
    if (e.offset > m.end) visit_gap(m.end, e.offset);
    const std::uint64_t to = e.offset + e.size;
    if (e.offset < m.end) m.shared += std::min(to, m.end) - e.offset;
    m.end = std::max(m.end, to);
  }
  return m;
}

template <class Model>
Origin origin_of(const Model& model, View file) {
  Origin origin;
  origin.placed = true;
  origin.bytes = static_cast<std::uint32_t>(file.size());
  const auto keep = [&](std::uint64_t from, std::uint64_t to) {
    const auto bytes = file.clamped(from, to - from).bytes();
    const auto is_set = [](std::byte b) { return b != std::byte{0}; };
    const auto first = std::find_if(bytes.begin(), bytes.end(), is_set);
    if (first == bytes.end()) return;
    const auto last = std::find_if(bytes.rbegin(), bytes.rend(), is_set).base();
    origin.gaps.push_back({static_cast<std::uint32_t>(from + static_cast<std::uint64_t>(first - bytes.begin())), {first, last}});
  };
  auto extents = extents_of(model);
  const Measure m = measure(extents, keep);
  if (m.end < file.size()) keep(m.end, file.size());
  origin.shared = static_cast<std::uint32_t>(m.shared);
  return origin;
}

/// The text at an offset of a string table; empty if there is none.
std::string_view text_at(const Table<char>& table, std::uint32_t offset) {
  if (offset >= table.size()) return {};
  const char* const from = table.items.data() + offset;
  const std::size_t left = table.size() - offset;
  const auto* const end = static_cast<const char*>(std::memchr(from, 0, left));
  return {from, end != nullptr ? static_cast<std::size_t>(end - from) : left};
}

bool symbols_stand(const Tables& t) {
  const auto stands = [&](const auto& record) { return text_at(t.symbols, record.symbol.offset) == record.symbol.text; };
  return std::all_of(t.labels.begin(), t.labels.end(), stands) && std::all_of(t.uniforms.begin(), t.uniforms.end(), stands);
}

/// Whether everything still has room where it was read.
template <class Model>
bool has_room(const Model& model) {
  const Origin& origin = model.origin;
  if (!origin.placed) return false;
  auto extents = extents_of(model);
  for (const Gap& gap : origin.gaps) extents.push_back({gap.offset, gap.bytes.size()});
  const Measure m = measure(extents, [](std::uint64_t, std::uint64_t) {});
  return m.end <= origin.bytes && m.shared == origin.shared;
}

/// Whether everything, texts too, can be where it was read.
bool stands(const Shbin& s) {
  return std::all_of(s.executables.begin(), s.executables.end(), [](const Executable& e) { return symbols_stand(e); }) && has_room(s);
}
bool stands(const Object& o) { return symbols_stand(o) && has_room(o); }

/// Texts of the uniforms, then of the labels. observed: picasso writes each uniform's, in the order of the records; aemstro begins with
/// labels
void build_symbols(Tables& t, Arrangement arrangement = Arrangement::picasso) {
  t.symbols.items.clear();
  const auto append = [&](Symbol& symbol) {
    symbol.offset = static_cast<std::uint32_t>(t.symbols.size());
    t.symbols.items.insert(t.symbols.items.end(), symbol.text.begin(), symbol.text.end());
    t.symbols.items.push_back('\0');
  };
  const auto append_labels = [&] {
    for (Label& label : t.labels) append(label.symbol);
  };
  if (arrangement == Arrangement::aemstro) append_labels();
  for (Uniform& uniform : t.uniforms) append(uniform.symbol);
  if (arrangement != Arrangement::aemstro) append_labels();
}

template <class T>
void give_place(Table<T>& table, std::size_t& at, std::size_t stride) {
  table.offset = static_cast<std::uint32_t>(at);
  at += table.size() * stride;
}

void align4(std::size_t& at) { at = round_up(at, 4); }

void place_tables(Tables& t, std::size_t& at, Arrangement arrangement) {
  const bool is_aemstro = arrangement == Arrangement::aemstro;
  if (is_aemstro) give_place(t.outputs, at, kOutputBytes);
  give_place(t.constants, at, kConstantBytes);
  if (!is_aemstro) give_place(t.labels, at, kLabelBytes);
  if (!is_aemstro) give_place(t.outputs, at, kOutputBytes);
  give_place(t.uniforms, at, kUniformBytes);
  if (is_aemstro) give_place(t.labels, at, kLabelBytes);
  give_place(t.symbols, at, 1);
  if (arrangement == Arrangement::picasso) align4(at);
}

/// The arrangement that a file looks like; its things may be elsewhere all the same.
Arrangement arrangement_of(const Shbin& s) {
  if (s.executables.empty() || s.program.code.empty()) return Arrangement::picasso;
  const std::size_t program = kDvlbHeaderBytes + 4 * s.executables.size();
  if (s.executables.front().offset > program + s.program.code.offset) return Arrangement::picasso;
  return s.program.header_bytes == Program::kShortHeaderBytes ? Arrangement::aemstro : Arrangement::nihstro;
}

// observed: picasso 2.7.2, whose files have no line info and labels: these are at their offsets; two files of nihstro, one of
// aemstro. guess: nihstro and aemstro with several executables
void lay_out(Shbin& s) {
  Program& p = s.program;
  const bool is_short = s.arrangement == Arrangement::aemstro && p.lines.empty() && p.file_names.empty();
  p.header_bytes = is_short ? Program::kShortHeaderBytes : Program::kHeaderBytes;
  const std::size_t program = kDvlbHeaderBytes + 4 * s.executables.size();
  std::size_t at = p.header_bytes;
  const bool headers_first = s.arrangement != Arrangement::picasso;
  if (headers_first)
    for (Executable& e : s.executables) {
      e.offset = static_cast<std::uint32_t>(program + at);
      at += Executable::kHeaderBytes;
    }
  give_place(p.code, at, kWordBytes);
  give_place(p.descriptors, at, kDescriptorBytes);
  give_place(p.lines, at, kLineBytes);
  give_place(p.file_names, at, 1);
  if (p.file_names.empty()) p.file_names.offset = 0;
  if (is_short) p.lines.offset = 0;
  if (!headers_first) align4(at);
  std::size_t file = program + at;
  for (Executable& e : s.executables) {
    if (!headers_first) {
      e.offset = static_cast<std::uint32_t>(file);
      file += Executable::kHeaderBytes;
    }
    std::size_t inside = file - e.offset;
    build_symbols(e, s.arrangement);
    place_tables(e, inside, s.arrangement);
    file = e.offset + inside;
  }
  s.origin = {true, static_cast<std::uint32_t>(file), 0, {}};
}

void lay_out(Object& o) {
  std::size_t at = Object::kHeaderBytes;
  // Lines point into the string table too: theirs stays in front, and what is new follows.
  const std::vector<char> kept = o.lines.empty() ? std::vector<char>{} : o.symbols.items;
  build_symbols(o);
  if (!kept.empty()) {
    const auto shift = static_cast<std::uint32_t>(kept.size());
    o.symbols.items.insert(o.symbols.items.begin(), kept.begin(), kept.end());
    for (Uniform& uniform : o.uniforms) uniform.symbol.offset += shift;
    for (Label& label : o.labels) label.symbol.offset += shift;
  }
  give_place(o.constants, at, kConstantBytes);
  give_place(o.labels, at, kLabelBytes);
  give_place(o.code, at, kWordBytes);
  give_place(o.descriptors, at, kDescriptorBytes);
  give_place(o.lines, at, kLineBytes);
  give_place(o.relocations, at, kRelocationBytes);
  give_place(o.outputs, at, kOutputBytes);
  give_place(o.uniforms, at, kUniformBytes);
  give_place(o.symbols, at, 1);
  align4(at);
  o.origin = {true, static_cast<std::uint32_t>(at), 0, {}};
}

template <class Model>
std::vector<std::byte> write_placed(Model& model) {
  Writer writer(std::byte{0});
  describe(writer, model, Claims{});
  auto bytes = writer.finish(model.origin.bytes);
  for (const Gap& gap : model.origin.gaps)
    if (gap.offset <= bytes.size() && gap.bytes.size() <= bytes.size() - gap.offset)
      std::copy(gap.bytes.begin(), gap.bytes.end(), bytes.begin() + gap.offset);
  return bytes;
}

/// Gives every symbol its text. Names may share bytes of the table, so their length together is bounded.
Result<void> resolve(Tables& t, std::size_t& budget, const char* path, View file) {
  const auto name = [&](Symbol& symbol) {
    const std::string_view text = text_at(t.symbols, symbol.offset);
    if (text.size() > budget) return false;
    budget -= text.size();
    symbol.text = text;
    return true;
  };
  for (Uniform& uniform : t.uniforms)
    if (!name(uniform.symbol))
      return Error{ErrorCode::limit, file.file_offset(), path, "the names of the file exceed the limit on their total size"};
  for (Label& label : t.labels)
    if (!name(label.symbol))
      return Error{ErrorCode::limit, file.file_offset(), path, "the names of the file exceed the limit on their total size"};
  return {};
}

std::size_t name_budget(View file) { return limits::kWorkPerByte * file.size() + limits::kWorkBase; }

}  // namespace

std::string_view entry_name(std::span<const Label> labels, std::uint32_t entry_words) {
  std::string_view name = "main";
  for (const Label& label : labels)
    if (label.address_words == entry_words && !label.symbol.text.empty()) name = label.symbol.text;
  return name;
}

const FieldType kDescriptorType{FieldKind::custom, "operand descriptor", nullptr, {}, print_descriptor};
const FieldType kInstructionType{FieldKind::custom, "instruction", nullptr, {}, print_instruction_leaf};
const FieldType kBareInstructionType{FieldKind::custom, "instruction", nullptr, {}, print_bare_instruction};
const FieldType kSymbolType{FieldKind::custom, "offset of text", nullptr, {}, print_symbol};
const FieldType kTextsType{FieldKind::custom, "zero-terminated texts", nullptr, {}, print_texts};
const FieldType kFloat24Type{FieldKind::custom, "float24", nullptr, {}, print_float24};
const FieldType kIntegersType{FieldKind::custom, "x, y, z, w", nullptr, {}, print_integers};
const FieldType kUniformRegisterType{FieldKind::custom, "uniform register", nullptr, {}, print_register};
const FieldType kRegisterMaskType{FieldKind::custom, "register mask", nullptr, {}, print_register_mask};
const FieldType kFlagsType{FieldKind::flags, "flags", &kExecutableFlagNames};

const FieldType& field_type(Stage) { return kStageType; }
const FieldType& field_type(GeometryMode) { return kGeometryModeType; }
const FieldType& field_type(ConstantType) { return kConstantTypeType; }
const FieldType& field_type(Output) { return kOutputType; }
const FieldType& field_type(Arrangement) { return kArrangementType; }
std::string_view id(Stage stage) { return kStageNames.find(static_cast<std::uint32_t>(stage)); }
std::string_view id(GeometryMode mode) { return kGeometryModeNames.find(static_cast<std::uint32_t>(mode)); }
std::string_view id(ConstantType type) { return kConstantTypeNames.find(static_cast<std::uint32_t>(type)); }
std::string_view id(Output output) { return kOutputNames.find(static_cast<std::uint32_t>(output)); }

std::string_view Program::file_name(const Line& line) const { return text_at(file_names, line.file); }

Constant Constant::make_boolean(unsigned register_index, bool value) {
  return {ConstantType::boolean, static_cast<std::uint16_t>(register_index), {value ? 1U : 0U, 0, 0, 0}};
}
Constant Constant::make_integer(unsigned register_index, std::array<std::uint8_t, 4> value) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i) word |= static_cast<std::uint32_t>(value[i]) << (8 * i);
  return {ConstantType::integer, static_cast<std::uint16_t>(register_index), {word, 0, 0, 0}};
}
Constant Constant::make_real(unsigned register_index, std::array<std::uint32_t, 4> float24) {
  return {ConstantType::real, static_cast<std::uint16_t>(register_index), float24};
}

bool is_shbin(View file) { return file.u32(0) == kDvlb; }
bool is_object(View file) { return file.u32(0) == kDvoj; }

Result<Shbin> parse_shbin(View file) {
  Shbin shbin;
  if (auto read = read_part(file, "DVLB", shbin, Claims::of(file.size())); !read) return std::move(read).error();
  std::size_t budget = name_budget(file);
  for (Executable& e : shbin.executables)
    if (auto named = resolve(e, budget, "DVLB/executables", file); !named) return std::move(named).error();
  shbin.origin = origin_of(shbin, file);
  shbin.arrangement = arrangement_of(shbin);
  return shbin;
}

Result<Object> parse_object(View file) {
  Object object;
  if (auto read = read_part(file, "DVOJ", object, Claims::of(file.size())); !read) return std::move(read).error();
  std::size_t budget = name_budget(file);
  if (auto named = resolve(object, budget, "DVOJ", file); !named) return std::move(named).error();
  object.origin = origin_of(object, file);
  return object;
}

bool keeps_places(const Shbin& shbin) { return !shbin.origin.placed || stands(shbin); }
bool keeps_places(const Object& object) { return !object.origin.placed || stands(object); }

std::vector<std::byte> write_shbin(const Shbin& shbin) {
  Shbin copy = shbin;
  if (!stands(copy)) lay_out(copy);
  return write_placed(copy);
}

std::vector<std::byte> write_object(const Object& object) {
  Object copy = object;
  if (!stands(copy)) lay_out(copy);
  return write_placed(copy);
}

std::uint64_t shbin_end(View file, std::size_t& budget) {
  Shbin shbin;
  const Claims claims{budget};
  const auto read = read_part(file, "DVLB", shbin, claims);
  budget = claims.left;
  if (!read) return 0;
  auto extents = extents_of(shbin);
  return measure(extents, [](std::uint64_t, std::uint64_t) {}).end;
}

std::uint32_t add_text(Table<char>& table, std::string_view text) {
  for (std::size_t at = 0; at < table.size();) {
    const std::string_view here = text_at(table, static_cast<std::uint32_t>(at));
    if (here == text) return static_cast<std::uint32_t>(at);
    at += here.size() + 1;
  }
  const auto offset = static_cast<std::uint32_t>(table.size());
  table.items.insert(table.items.end(), text.begin(), text.end());
  table.items.push_back('\0');
  return offset;
}

void record_shbin(View file, Tree& tree, std::uint32_t group) {
  const Claims claims = Claims::of(file.size());
  if (is_object(file)) {
    Object object;
    record_part(file, "DVOJ", tree, group, object, claims);
  } else {
    Shbin shbin;
    record_part(file, "DVLB", tree, group, shbin, claims);
  }
}

}  // namespace unshade::pica
