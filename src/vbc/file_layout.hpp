// The layouts of VBC files, described once for every archive.
// Source: docs/reference/formats/vbc.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/archive/outlines.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

inline constexpr std::size_t kMagicBytes = 3;
inline constexpr std::uint32_t kMagic = 0x43'4256;  ///< `VBC`
inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::size_t kVariableBytes = 8;
inline constexpr std::size_t kBindingBytes = 8;
inline constexpr std::size_t kWordBytes = 4;
inline constexpr std::uint32_t kSpirvMagic = 0x0723'0203;

/// Where the layouts differ: a row for each, in the order of the enumeration.
struct LayoutTraits {
  bool has_shader_type;
  bool has_word_counts;
  bool has_code;
  bool has_stage_masks;
  bool wide_counts;    ///< counts of variables and bindings have 32 bits, else 8
  bool wide_uniform;   ///< size, offsets and lengths of names have 32 bits; the name is last
  bool short_uniform;  ///< nothing follows a size of 0
  bool typed_members;
  bool old_numbers;  ///< of types, ranks and texel types
};

// src: LibVega/VSL, the commits that `Layout` names
inline constexpr std::array<LayoutTraits, kLayouts> kLayoutTraits{{
    // type  counts  code  masks  wide   uniform  short  typed  old
    {true, true, true, true, true, false, true, true, false},     // current
    {true, false, true, true, true, false, true, true, false},    // uncounted
    {true, false, false, true, true, false, true, true, false},   // reflection
    {true, true, true, true, true, true, true, true, true},       // wide
    {true, true, true, true, true, true, false, true, true},      // wide_full
    {true, true, true, true, true, true, false, false, true},     // wide_untyped
    {false, true, true, false, false, true, false, false, true},  // first
}};

constexpr const LayoutTraits& traits(Layout layout) { return kLayoutTraits[static_cast<std::size_t>(layout)]; }

/// Base types as they were numbered before 2021-01-22.
enum class OldBaseType : std::uint8_t {
  void_,
  boolean,
  signed_int,
  unsigned_int,
  real,
  sampler,
  image,
  uniform,
  ro_buffer,
  rw_buffer,
  ro_texels,
  rw_texels,
  subpass_input,
  structure,
};
/// The same of ranks: one more than now, 0 is none.
enum class OldRank : std::uint8_t {};
/// The same of texel types: those of base types.
enum class OldTexelType : std::uint8_t {};

// One number for each number, so that nothing is lost on the way back.
constexpr BaseType to_new(OldBaseType old) {
  switch (old) {
    case OldBaseType::uniform: return BaseType::uniform;
    case OldBaseType::ro_buffer: return BaseType::ro_buffer;
    case OldBaseType::rw_buffer: return BaseType::rw_buffer;
    case OldBaseType::ro_texels: return BaseType::ro_texels;
    case OldBaseType::rw_texels: return BaseType::rw_texels;
    case OldBaseType::subpass_input: return BaseType::subpass_input;
    default: return static_cast<BaseType>(old);
  }
}
constexpr OldBaseType to_old(BaseType type) {
  switch (type) {
    case BaseType::uniform: return OldBaseType::uniform;
    case BaseType::ro_buffer: return OldBaseType::ro_buffer;
    case BaseType::rw_buffer: return OldBaseType::rw_buffer;
    case BaseType::ro_texels: return OldBaseType::ro_texels;
    case BaseType::rw_texels: return OldBaseType::rw_texels;
    case BaseType::subpass_input: return OldBaseType::subpass_input;
    default: return static_cast<OldBaseType>(type);
  }
}
inline constexpr unsigned kOldRankStep = 1;
inline constexpr unsigned kOldTexelStep = 2;
constexpr Rank to_new(OldRank old) { return static_cast<Rank>(static_cast<unsigned>(old) - kOldRankStep); }
constexpr OldRank to_old(Rank rank) { return static_cast<OldRank>(static_cast<unsigned>(rank) + kOldRankStep); }
constexpr TexelType to_new(OldTexelType old) { return static_cast<TexelType>(static_cast<unsigned>(old) - kOldTexelStep); }
constexpr OldTexelType to_old(TexelType type) { return static_cast<OldTexelType>(static_cast<unsigned>(type) + kOldTexelStep); }

const FieldType& field_type(BaseType);
const FieldType& field_type(Rank);
const FieldType& field_type(TexelType);
const FieldType& field_type(OldBaseType);
const FieldType& field_type(OldRank);
const FieldType& field_type(OldTexelType);
extern const FieldType kStagesType;
extern const FieldType kShaderTypeType;
extern const FieldType kMagicType;

/// An enumeration that was renumbered.
template <class Archive, class E>
void enum8(Archive& a, const char* name, E& value, const LayoutTraits& t) {
  if (!t.old_numbers) return a.enum8(name, value);
  auto old = to_old(value);
  a.enum8(name, old);
  if constexpr (Archive::kReads) value = to_new(old);
}

/// A number that has 16 bits in newer layouts, 32 in older ones.
template <class Archive>
void number(Archive& a, const char* name, std::uint32_t& value, bool wide) {
  if (wide) return a.u32(name, value);
  auto narrow = static_cast<std::uint16_t>(value);
  a.u16(name, narrow);
  if constexpr (Archive::kReads) value = narrow;
}

/// Bytes without a meaning, which are kept; bytes to the tree if they are not zero.
template <class Archive>
void padding(Archive& a, std::span<std::uint8_t> bytes) {
  const FieldType* type = &kPadding;
  View view{std::as_bytes(bytes)};
  if constexpr (Archive::kReads) {
    const View ahead = a.part().clamped(a.position(), bytes.size());
    for (std::size_t i = 0; i < ahead.size(); ++i)
      if (ahead.u8(i) != 0) type = &kBytes;
  }
  a.raw("padding", view, bytes.size(), *type);
  if constexpr (Archive::kReads)
    for (std::size_t i = 0; i < view.size(); ++i) bytes[i] = view.u8(i).value_or(0);
}

/// The number of records; the vector's own size on writing.
template <class Archive, class T>
std::uint32_t count_of(Archive& a, const char* name, std::vector<T>& items, bool wide) {
  auto count = static_cast<std::uint32_t>(items.size());
  if (wide) {
    a.u32(name, count);
  } else {
    auto narrow = static_cast<std::uint8_t>(count);
    a.u8(name, narrow);
    count = narrow;
  }
  return count;
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, Variable& v, const LayoutTraits& t) {
  a.u8("location", v.location);
  enum8(a, "type", v.type, t);
  a.u8("components", v.components);
  a.u8("columns", v.columns);
  a.u8("array_size", v.array_size);
  padding(a, v.padding);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, Binding& b, const LayoutTraits& t) {
  a.u8("slot", b.slot);
  enum8(a, "type", b.type, t);
  if (t.has_stage_masks) a.u16("stages", b.stages, kStagesType);
  if (is_buffer(b.type)) {
    if (!t.has_stage_masks) padding(a, std::span(b.padding).subspan(0, 1));
    a.u16("struct_bytes", b.struct_bytes);
    if (!t.has_stage_masks) padding(a, std::span(b.padding).subspan(1, 1));
  } else {
    enum8(a, "rank", b.rank, t);
    enum8(a, "texel", b.texel, t);
    a.u8("component_bytes", b.component_bytes);
    a.u8("components", b.components);
  }
  if (is_buffer(b.type) || !t.has_stage_masks) padding(a, std::span(b.padding).subspan(2));
}

/// Bytes: 7 and the name; 12 and the name in older layouts, 8 without a type.
template <class Archive>
void describe(Archive& a, Member& m, const LayoutTraits& t) {
  const auto name = [&](std::size_t size) {
    View text{std::as_bytes(std::span<const char>(m.name))};
    a.raw("name", text, size, kText);
    if constexpr (Archive::kReads) m.name = text.text();
  };
  const auto type = [&] {
    enum8(a, "type", m.type, t);
    a.u8("components", m.components);
    a.u8("columns", m.columns);
    a.u8("array_size", m.array_size);
  };
  if (t.wide_uniform) {
    a.u32("offset", m.offset);
    if (t.typed_members) type();
    auto length = static_cast<std::uint32_t>(m.name.size());
    a.u32("name_bytes", length);
    name(length);
  } else {
    auto length = static_cast<std::uint8_t>(m.name.size());
    a.u8("name_bytes", length);
    name(length);
    number(a, "offset", m.offset, false);
    type();
  }
}

/// The least size of a member, against which a count is checked.
constexpr std::size_t member_bytes(const LayoutTraits& t) { return t.wide_uniform ? (t.typed_members ? 12 : 8) : 7; }

/// Bytes: 2 or 4 if the size is 0 and the layout says no more, else 8 or 10 and the members.
template <class Archive>
void describe(Archive& a, Uniform& u, const LayoutTraits& t, Places& places) {
  number(a, "size", u.size, t.wide_uniform);
  if constexpr (kOutlines<Archive>) {
    if (t.short_uniform) a.unless_zero("size");
  } else {
    if (u.size == 0 && t.short_uniform) return;
  }
  if (t.has_stage_masks) a.u16("stages", u.stages, kStagesType);
  const std::uint32_t count = count_of(a, "member_count", u.members, true);
  if constexpr (kOutlines<Archive>) {
    Member member;
    return a.groups("members", count, [&] { describe(a, member, t); });
  }
  if constexpr (Archive::kReads) {
    places.members = static_cast<std::uint32_t>(a.position());
    u.members.clear();
    if (!a.ok()) return;
    if (count > a.rest() / member_bytes(t)) {
      return a.fail(ErrorCode::truncated, "members",
                    std::to_string(count) + " members exceed the remaining " + std::to_string(a.rest()) + " bytes");
    }
    u.members.resize(count);
  }
  for (std::size_t i = 0; i < u.members.size() && a.ok(); ++i)
    a.group("members", static_cast<std::uint32_t>(i), [&] { describe(a, u.members[i], t); });
}

/// Bytes: 40, 48 or 56: an object of the compiler as it lay in memory.
template <class Archive>
void describe(Archive& a, SubpassImage& image, std::size_t bytes) {
  View string{std::span<const std::byte>(image.string)};
  a.raw("string", string, bytes - 16);
  if constexpr (Archive::kReads) image.string.assign(string.bytes().begin(), string.bytes().end());
  a.u32("index", image.index);
  a.u32("padding", image.padding, kHex);
  a.u64("format_address", image.format, kHex);
}

/// Bytes: 4, or those of the image in its place.
template <class Archive>
void describe(Archive& a, SubpassInput& s, const LayoutTraits& t, std::size_t bytes) {
  if (bytes == Form::kSubpassBytes) {
    enum8(a, "texel", s.texel, t);
    a.u8("components", s.components);
    return padding(a, s.padding);
  }
  if constexpr (Archive::kReads) s.image.emplace();
  // an input that was added beside images has none of its own
  SubpassImage none;
  none.string.assign(bytes - 16, std::byte{0});
  describe(a, s.image ? *s.image : none, bytes);
}

template <class Archive>
void describe(Archive& a, TableSizes& s) {
  a.u16("samplers", s.samplers);
  a.u16("images", s.images);
  a.u16("buffers", s.buffers);
  a.u16("ro_texels", s.ro_texels);
  a.u16("rw_texels", s.rw_texels);
}

inline constexpr const char* kStageFields[kStages] = {"vertex", "tess_control", "tess_evaluation", "geometry", "fragment"};

/// 16 bits for each stage: what division by 65536 leaves of its words.
struct WordCounts {
  std::array<std::uint16_t, kStages> words{};
};

template <class Archive>
void describe(Archive& a, WordCounts& c) {
  for (std::size_t i = 0; i < kStages; ++i) a.u16(kStageFields[i], c.words[i]);
}

/// Bytes: 25; 15 without word counts, 24 without a shader type.
template <class Archive>
void describe_header(Archive& a, File& f, const LayoutTraits& t, WordCounts& counts) {
  Places& p = f.places;
  const auto here = [&] { return static_cast<std::uint32_t>(a.position()); };
  View magic{std::as_bytes(std::span<const char>("VBC", kMagicBytes))};
  a.raw("magic", magic, kMagicBytes, kMagicType);
  std::uint8_t version = kVersion;
  a.u8("version", version);
  if (t.has_shader_type) {
    a.u8("shader_type", f.shader_type, kShaderTypeType);
    if (f.shader_type != File::kGraphics)
      a.fail_at(ErrorCode::unsupported, here() - 1, "shader_type",
                "the shader type is " + std::to_string(f.shader_type) + ", expected graphics (1)");
  }
  p.word_counts = here();
  if (t.has_word_counts) a.record("word_counts", counts);
  p.table_sizes = here();
  a.record("table_sizes", f.tables);
}

/// Everything before the SPIR-V.
template <class Archive>
void describe_tables(Archive& a, File& f, const Form& form, WordCounts& counts) {
  const LayoutTraits& t = traits(form.layout);
  Places& p = f.places;
  const auto here = [&] { return static_cast<std::uint32_t>(a.position()); };
  describe_header(a, f, t, counts);

  const std::uint32_t inputs = count_of(a, "input_count", f.inputs, t.wide_counts);
  p.inputs = here();
  a.records("inputs", f.inputs, inputs, kVariableBytes, t);
  const std::uint32_t outputs = count_of(a, "output_count", f.outputs, t.wide_counts);
  p.outputs = here();
  a.records("outputs", f.outputs, outputs, kVariableBytes, t);
  const std::uint32_t bindings = count_of(a, "binding_count", f.bindings, t.wide_counts);
  p.bindings = here();
  a.records("bindings", f.bindings, bindings, kBindingBytes, t);
  p.uniform = here();
  a.group("uniform", kNoIndex, [&] { describe(a, f.uniform, t, p); });
  const std::uint32_t subpass_inputs = count_of(a, "subpass_input_count", f.subpass_inputs, true);
  p.subpass_inputs = here();
  a.records("subpass_inputs", f.subpass_inputs, subpass_inputs, form.subpass_bytes, t, std::size_t{form.subpass_bytes});
}

}  // namespace unshade::vbc
