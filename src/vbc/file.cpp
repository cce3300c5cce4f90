#include <unshade/vbc/file.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/detect.hpp>

#include "vbc/file_layout.hpp"

namespace unshade::vbc {

namespace {

constexpr NamedValue kBaseTypes[] = {{0, "void"},       {1, "bool"},     {2, "int"},       {3, "uint"},      {4, "float"},
                                     {5, "sampler"},    {6, "image"},    {7, "ro_buffer"}, {8, "rw_buffer"}, {9, "ro_texels"},
                                     {10, "rw_texels"}, {11, "subpass"}, {12, "uniform"},  {13, "struct"}};
constexpr NamedValue kRanks[] = {{0, "1d"}, {1, "2d"}, {2, "3d"}, {3, "1d_array"}, {4, "2d_array"}, {5, "cube"}, {6, "buffer"}};
constexpr NamedValue kTexels[] = {{0, "int"}, {1, "uint"}, {2, "float"}, {3, "unorm"}, {4, "snorm"}};
constexpr NamedValue kStageMasks[] = {{1, "vertex"}, {2, "tess_control"}, {4, "tess_evaluation"}, {8, "geometry"}, {16, "fragment"}};
constexpr NamedValue kShaderTypes[] = {{1, "graphics"}};
constexpr NamedValue kLayoutNames[] = {{0, "current"},   {1, "uncounted"},    {2, "reflection"}, {3, "wide"},
                                       {4, "wide_full"}, {5, "wide_untyped"}, {6, "first"}};
constexpr std::string_view kLayoutSince[] = {"c110b1b, 2021-01-30", "c1a4170, 2021-01-30", "0209e93, 2021-01-23", "a77136f, 2021-01-13",
                                             "449c2f6, 2021-01-09", "adb6b69, 2021-01-04", "d6c226a, 2021-01-03"};

constexpr NameTable kBaseTypeNames{kBaseTypes};
constexpr NameTable kRankNames{kRanks};
constexpr NameTable kTexelNames{kTexels};
constexpr NameTable kStageMaskNames{kStageMasks};
constexpr NameTable kShaderTypeNames{kShaderTypes};
constexpr NameTable kLayoutNameTable{kLayoutNames};

// The names of today for the numbers of then.
constexpr auto kOldBaseTypes = [] {
  std::array<NamedValue, std::size(kBaseTypes)> names{};
  for (std::uint32_t old = 0; old < names.size(); ++old)
    names[old] = {old, kBaseTypes[static_cast<std::size_t>(to_new(static_cast<OldBaseType>(old)))].id};
  return names;
}();
constexpr auto kOldRanks = [] {
  std::array<NamedValue, std::size(kRanks) + kOldRankStep> names{{{0, "none"}}};
  for (std::uint32_t i = 0; i < std::size(kRanks); ++i) names[i + kOldRankStep] = {i + kOldRankStep, kRanks[i].id};
  return names;
}();
constexpr auto kOldTexels = [] {
  std::array<NamedValue, 4> names{{{0, "none"}}};
  for (std::uint32_t i = 0; i < 3; ++i) names[i + 1] = {i + kOldTexelStep, kTexels[i].id};
  return names;
}();
constexpr NameTable kOldBaseTypeNames{kOldBaseTypes};
constexpr NameTable kOldRankNames{kOldRanks};
constexpr NameTable kOldTexelNames{kOldTexels};

constexpr FieldType kBaseTypeType{FieldKind::enumeration, "base type", &kBaseTypeNames};
constexpr FieldType kRankType{FieldKind::enumeration, "rank", &kRankNames};
constexpr FieldType kTexelType{FieldKind::enumeration, "texel type", &kTexelNames};
constexpr FieldType kOldBaseTypeType{FieldKind::enumeration, "base type, old numbers", &kOldBaseTypeNames};
constexpr FieldType kOldRankType{FieldKind::enumeration, "rank, old numbers", &kOldRankNames};
constexpr FieldType kOldTexelType{FieldKind::enumeration, "texel type, old numbers", &kOldTexelNames};
}  // namespace

const FieldType kStagesType{FieldKind::flags, "stage mask", &kStageMaskNames};
const FieldType kShaderTypeType{FieldKind::enumeration, "shader type", &kShaderTypeNames};
const FieldType kMagicType{FieldKind::text, "`VBC`"};

const FieldType& field_type(BaseType) { return kBaseTypeType; }
const FieldType& field_type(Rank) { return kRankType; }
const FieldType& field_type(TexelType) { return kTexelType; }
const FieldType& field_type(OldBaseType) { return kOldBaseTypeType; }
const FieldType& field_type(OldRank) { return kOldRankType; }
const FieldType& field_type(OldTexelType) { return kOldTexelType; }

std::string_view id(Stage stage) { return kStageMaskNames.find(stage_bit(stage)); }
std::string_view id(BaseType type) { return kBaseTypeNames.find(static_cast<std::uint32_t>(type)); }
std::string_view id(Rank rank) { return kRankNames.find(static_cast<std::uint32_t>(rank)); }
std::string_view id(TexelType type) { return kTexelNames.find(static_cast<std::uint32_t>(type)); }
std::string_view id(Layout layout) { return kLayoutNameTable.find(static_cast<std::uint32_t>(layout)); }
std::string_view since(Layout layout) { return kLayoutSince[static_cast<std::size_t>(layout)]; }

const NameTable& stage_mask_names() { return kStageMaskNames; }
const NameTable& base_type_names() { return kBaseTypeNames; }
const NameTable& rank_names() { return kRankNames; }
const NameTable& texel_type_names() { return kTexelNames; }
const NameTable& layout_names() { return kLayoutNameTable; }

void print_type(Text& out, BaseType type, unsigned components, unsigned columns, unsigned array_size) {
  const bool is_number = type >= BaseType::boolean && type <= BaseType::real;
  const bool is_matrix = columns >= 2 && columns <= 4 && components >= 2 && components <= 4 && type == BaseType::real;
  if (is_matrix) {
    (out << id(type)).dec(columns) << 'x';
    out.dec(components);
  } else if (is_number && columns == 1 && components >= 1 && components <= 4) {
    out << id(type);
    if (components != 1) out.dec(components);
  } else {
    (out << "type(").dec(static_cast<unsigned>(type)) << ',';
    out.dec(components) << ',';
    out.dec(columns) << ')';
  }
  if (array_size != 1) (out << '[').dec(array_size) << ']';
}

void print_stages(Text& out, std::uint16_t mask) {
  if (mask == 0) {
    out << "none";
  } else {
    print_flags(out, mask, kStageMaskNames);
  }
}

std::string SubpassImage::name() const {
  const View bytes{std::span<const std::byte>(string)};
  const auto text = [&](std::size_t at, std::uint64_t size, std::size_t most) -> std::string {
    if (size == 0 || size > most) return {};
    const std::string_view found = bytes.clamped(at, static_cast<std::size_t>(size)).text();
    const bool is_name = std::all_of(found.begin(), found.end(), [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    return is_name && found.size() == size ? std::string(found) : std::string();
  };
  constexpr std::size_t kShort = 15;
  const auto u64 = [&](std::size_t at) { return bytes.load<std::uint64_t>(at).value_or(0); };
  // layouts of std::string on x86-64; measured: libstdc++, guess: the others, by their headers
  switch (string.size()) {
    case 24: return text(1, bytes.u8(0).value_or(1) % 2 == 0 ? bytes.u8(0).value_or(0) / 2U : 0, 22);  // libc++: size, characters
    case 32:
      if (u64(24) == kShort) return text(0, u64(16), kShort);  // MSVC: characters, size, capacity
      return text(16, u64(8), kShort);                         // libstdc++: pointer, size, characters
    case 40: return text(8, u64(24), kShort);                  // MSVC, debug: a pointer in front
    default: return {};
  }
}

std::uint16_t File::stage_mask() const {
  std::uint16_t mask = 0;
  for (std::size_t i = 0; i < kStages; ++i)
    if (!stages[i].empty()) mask = static_cast<std::uint16_t>(mask | stage_bit(i));
  return mask;
}

bool File::has_wrapped_counts() const {
  return std::any_of(stages.begin(), stages.end(), [](const auto& code) { return code.size() / kWordBytes > kStageWords; });
}

bool File::conforms() const {
  return form.layout == Layout::current && (subpass_inputs.empty() || !form.raw_subpass()) && trailing.empty() && !has_wrapped_counts();
}

bool is_vbc(View file) { return file.sub(0, kMagicBytes) && (file.u8(0).value() | file.u16(1).value() << 8) == kMagic; }

Result<File> parse(View file) {
  auto found = detect(file);
  if (!found) return std::move(found).error();
  File model = std::move(found->file);
  std::size_t at = found->code_offset;
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto bytes = file.clamped(at, found->stage_bytes[i]).bytes();
    model.places.stages[i] = static_cast<std::uint32_t>(at);
    model.stages[i].assign(bytes.begin(), bytes.end());
    at += bytes.size();
  }
  const auto rest = file.clamped(at, file.size()).bytes();
  model.places.trailing = static_cast<std::uint32_t>(at);
  model.trailing.assign(rest.begin(), rest.end());
  return model;
}

std::vector<std::byte> write(const File& file) {
  File copy;  // of the tables: a description takes what it writes as something to change
  copy.shader_type = file.shader_type;
  copy.tables = file.tables;
  copy.inputs = file.inputs;
  copy.outputs = file.outputs;
  copy.bindings = file.bindings;
  copy.uniform = file.uniform;
  copy.subpass_inputs = file.subpass_inputs;
  WordCounts counts;
  for (std::size_t i = 0; i < kStages; ++i) counts.words[i] = static_cast<std::uint16_t>(file.stages[i].size() / kWordBytes);
  Writer writer(LayoutPolicy{.fill = std::byte{0}, .pads_end = false});
  describe_tables(writer, copy, file.form, counts);
  auto bytes = writer.finish();
  if (traits(file.form.layout).has_code)
    for (const auto& code : file.stages) bytes.insert(bytes.end(), code.begin(), code.end());
  bytes.insert(bytes.end(), file.trailing.begin(), file.trailing.end());
  return bytes;
}

void record(View file, Tree& tree, std::uint32_t group) {
  auto found = detect(file);
  File model;
  WordCounts counts;
  // if no layout fits, the current one shows how far it goes
  const Form form = found ? found->file.form : Form{};
  TreeReader reader(file, TreeRecorder(tree, group));
  describe_tables(reader, model, form, counts);
  if (auto error = reader.take_error()) tree.fail(std::move(*error).within("VBC"));
  if (!found) {
    if (tree.errors().empty()) tree.fail(std::move(found).error());
    return;
  }
  std::size_t at = found->code_offset;
  for (std::size_t i = 0; i < kStages; ++i) {
    const std::size_t size = found->stage_bytes[i];
    if (size == 0) continue;
    const View code = file.clamped(at, size);
    const std::uint32_t stage = tree.add(
        {kStageFields[i], &kGroup, group, static_cast<std::uint32_t>(code.file_offset()), static_cast<std::uint32_t>(size), kNoIndex, 0});
    spirv::record_module(code, tree, stage);
    at += size;
  }
  if (const View rest = file.clamped(at, file.size()); !rest.empty())
    tree.add({"trailing", &kUnknown, group, static_cast<std::uint32_t>(rest.file_offset()), static_cast<std::uint32_t>(rest.size()),
              kNoIndex, 0});
}

}  // namespace unshade::vbc
