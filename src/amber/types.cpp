#include "amber/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade::amber {
namespace {

constexpr struct {
  std::string_view name;
  DataScalar::Kind kind;
  std::uint8_t bytes;
} kScalars[] = {
    {"int8", DataScalar::Kind::sint, 1},   {"int16", DataScalar::Kind::sint, 2},  {"int32", DataScalar::Kind::sint, 4},
    {"int64", DataScalar::Kind::sint, 8},  {"uint8", DataScalar::Kind::uint, 1},  {"uint16", DataScalar::Kind::uint, 2},
    {"uint32", DataScalar::Kind::uint, 4}, {"uint64", DataScalar::Kind::uint, 8}, {"float16", DataScalar::Kind::real, 2},
    {"float", DataScalar::Kind::real, 4},  {"double", DataScalar::Kind::real, 8},
};

bool read_scalar(std::string_view word, TypeShape& to) {
  const auto row = std::ranges::find(kScalars, word, [](const auto& one) { return one.name; });
  if (row == std::end(kScalars)) return false;
  to.kind = row->kind;
  to.bytes = row->bytes;
  return true;
}

std::uint32_t dimension(char digit) { return digit >= '2' && digit <= '4' ? static_cast<std::uint32_t>(digit - '0') : 0; }

/// Lays out one type after the other.
class Laying {
 public:
  Laying(Layout layout, const std::vector<Structure>& structures, std::size_t most)
      : layout_(layout), structures_(structures), most_(most) {}

  std::uint32_t rounded(std::uint64_t size, std::uint32_t alignment) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(round_up(size, alignment), kMostBytes));
  }
  static std::uint32_t vector_alignment(const TypeShape& type) { return type.bytes * (type.rows == 3 ? 4 : type.rows); }
  std::uint32_t column_stride(const TypeShape& type) const {
    const std::uint32_t alignment = vector_alignment(type);
    return layout_ == Layout::std140 ? rounded(alignment, 16) : alignment;
  }
  std::uint32_t alignment(const TypeShape& type) const {
    std::uint32_t made = 1;
    if (type.structure != kNone) {
      for (const auto& member : structures_[type.structure].members) made = std::max(made, alignment(member.type));
      if (layout_ == Layout::std140) made = rounded(made, 16);
    } else {
      made = type.columns > 1 ? column_stride(type) : vector_alignment(type);
    }
    return type.is_array && layout_ == Layout::std140 ? rounded(made, 16) : made;
  }

  /// The end of one that begins at an offset.
  std::uint64_t lay(const TypeShape::Member& member, std::uint64_t at) {
    TypeShape type = member.type;
    if (!type.is_array) return lay_one(member, at);
    const std::uint32_t own_alignment = alignment(type);
    type.is_array = false;
    TypeShape::Member one = member;
    one.type = type;
    const std::uint32_t count = std::max(1U, member.type.count);
    std::uint64_t stride = member.array_stride;
    for (std::uint32_t k = 0; k < count && scalars.size() <= most_; ++k) {
      const std::uint64_t end = lay_one(one, at);
      if (stride == 0) stride = rounded(end - at, own_alignment);
      at += stride;
    }
    return at;
  }

  static constexpr std::uint32_t kMostBytes = std::uint32_t{1} << 30;
  std::vector<DataScalar> scalars;

 private:
  std::uint64_t lay_one(const TypeShape::Member& member, std::uint64_t at) {
    const TypeShape& type = member.type;
    if (type.structure != kNone) {
      const Structure& structure = structures_[type.structure];
      std::uint64_t end = at;
      for (const auto& inner : structure.members) {
        if (scalars.size() > most_) return end;
        const std::uint64_t first = inner.offset ? at + *inner.offset : at + rounded(end - at, alignment(inner.type));
        end = std::max(end, lay(inner, first));
      }
      return structure.stride != 0 ? std::max(end, at + structure.stride) : at + rounded(end - at, alignment(type));
    }
    const std::uint32_t stride = type.columns == 1 ? 0 : member.matrix_stride != 0 ? member.matrix_stride : column_stride(type);
    for (std::uint32_t column = 0; column < type.columns; ++column) {
      for (std::uint32_t row = 0; row < type.rows; ++row) {
        const std::uint64_t offset = at + std::uint64_t{column} * stride + row * type.bytes;
        scalars.push_back({type.kind, type.bytes, static_cast<std::uint32_t>(std::min<std::uint64_t>(offset, kMostBytes))});
      }
    }
    return at + (type.columns == 1 ? type.rows * type.bytes : std::uint64_t{type.columns} * stride);
  }

  Layout layout_;
  const std::vector<Structure>& structures_;
  std::size_t most_;
};

texel::Format texel_of(const DataType& type) {
  texel::Format made;
  if (type.scalars.empty() || type.scalars.size() > 4) return made;
  const DataScalar& first = type.scalars[0];
  for (std::size_t k = 0; k < type.scalars.size(); ++k) {
    const DataScalar& one = type.scalars[k];
    if (one.kind != first.kind || one.bytes != first.bytes || one.offset != k * first.bytes || one.bytes > 4) return made;
  }
  if (first.kind == DataScalar::Kind::real && first.bytes < 2) return made;
  for (std::size_t k = 0; k < type.scalars.size(); ++k)
    made.components[k] = {static_cast<std::uint8_t>(8 * first.bytes * k), static_cast<std::uint8_t>(8 * first.bytes)};
  made.size = static_cast<std::uint8_t>(first.bytes * type.scalars.size());
  made.encoding = first.kind == DataScalar::Kind::real   ? texel::Encoding::float_
                  : first.kind == DataScalar::Kind::sint ? texel::Encoding::sint
                                                         : texel::Encoding::uint;
  return made;
}

}  // namespace

std::string shown_number(double value, bool single) {
  Text text;
  if (single) {
    text.shortest(static_cast<float>(value));
  } else {
    text.shortest(value);
  }
  return text.str();
}

std::optional<TypeShape> parse_type(std::string_view word, const FindStructure& find) {
  TypeShape made;
  made.name = word;
  if (const std::size_t bracket = word.find('['); bracket != std::string_view::npos && word.ends_with(']')) {
    const std::string_view count = word.substr(bracket + 1, word.size() - bracket - 2);
    made.is_array = true;
    if (!count.empty()) {
      made.count = as_number<decltype(made.count)>(count).value_or(0);
      if (made.count == 0) return std::nullopt;
    }
    word = word.substr(0, bracket);
  }
  if (read_scalar(word, made)) return made;
  if (word.starts_with("vec") && word.size() > 6 && word[4] == '<' && word.ends_with('>')) {
    made.rows = dimension(word[3]);
    return made.rows != 0 && read_scalar(word.substr(5, word.size() - 6), made) ? std::optional(made) : std::nullopt;
  }
  if (word.starts_with("mat") && word.size() > 8 && word[4] == 'x' && word[6] == '<' && word.ends_with('>')) {
    made.columns = dimension(word[3]);
    made.rows = dimension(word[5]);
    return made.rows != 0 && made.columns != 0 && read_scalar(word.substr(7, word.size() - 8), made) ? std::optional(made) : std::nullopt;
  }
  if (const auto structure = find(word)) {
    made.structure = static_cast<std::uint32_t>(*structure);
    return made;
  }
  if (made.is_array) return std::nullopt;
  if (auto wide = parse_wide_format(word)) return wide;
  made.format = parse_format(word);
  return made.format ? std::optional(made) : std::nullopt;
}

std::optional<TypeShape> parse_wide_format(std::string_view name) {
  constexpr std::string_view kComponents[] = {"R64", "G64", "B64", "A64"};
  constexpr std::pair<std::string_view, DataScalar::Kind> kEndings[] = {
      {"_UINT", DataScalar::Kind::uint}, {"_SINT", DataScalar::Kind::sint}, {"_SFLOAT", DataScalar::Kind::real}};
  TypeShape made;
  made.name = name;
  made.bytes = 8;
  made.rows = 0;
  made.is_tight = true;
  while (made.rows < 4 && name.starts_with(kComponents[made.rows])) {
    name.remove_prefix(3);
    ++made.rows;
  }
  const auto* const ending = std::ranges::find(kEndings, name, [](const auto& row) { return row.first; });
  if (made.rows == 0 || ending == std::end(kEndings)) return std::nullopt;
  made.kind = ending->second;
  return made;
}

// Names of Vulkan are those of DXGI but for floats, sRGB and packed words, whose first component stands highest.
std::optional<texel::Format> parse_format(std::string_view name) {
  const std::size_t pack = name.find("_PACK");
  name = name.substr(0, pack);
  const std::size_t bar = name.find('_');
  if (bar == std::string_view::npos) return std::nullopt;
  std::string components(name.substr(0, bar));
  std::string_view encoding = name.substr(bar + 1);
  // of stencil beside depth, the depth
  if (encoding == "SFLOAT_S8_UINT" || encoding == "UNORM_S8_UINT") encoding = encoding.substr(0, encoding.find('_'));
  if (pack != std::string_view::npos) {
    std::string reversed;
    for (std::size_t end = components.size(); end != 0;) {
      const std::size_t letter = components.find_last_of("RGBAXDE", end - 1);
      if (letter == std::string::npos) return std::nullopt;
      reversed += components.substr(letter, end - letter);
      end = letter;
    }
    components = std::move(reversed);
  }
  constexpr std::pair<std::string_view, std::string_view> kEncodings[] = {
      {"UNORM", "_UNORM"},  {"SNORM", "_SNORM"},     {"UINT", "_UINT"},       {"SINT", "_SINT"},       {"SFLOAT", "_FLOAT"},
      {"UFLOAT", "_FLOAT"}, {"SRGB", "_UNORM_SRGB"}, {"USCALED", "_USCALED"}, {"SSCALED", "_SSCALED"},
  };
  const auto found = std::ranges::find(kEncodings, encoding, [](const auto& row) { return row.first; });
  if (found == std::end(kEncodings)) return std::nullopt;
  const bool has_exponent = components == "R9G9B9E5" && encoding == "UFLOAT";
  return texel::find_format(components + (has_exponent ? "_SHAREDEXP" : std::string(found->second)));
}

// Depth of 16 bits beside stencil lies here in 4 bytes, and stencil beside depth of 32 bits in 8: what Vulkan leaves to its implementation.
std::optional<draw::DepthStencilTarget> parse_depth_stencil(std::string_view name) {
  struct Row {
    std::string_view name;
    std::string_view known;  ///< DXGI's name of the depth; empty: none
    std::uint8_t bytes;
    std::optional<std::uint32_t> stencil_byte;
  };
  constexpr Row kRows[] = {
      {"D16_UNORM", "D16_UNORM", 2, std::nullopt},  {"X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT", 4, std::nullopt},
      {"D32_SFLOAT", "D32_FLOAT", 4, std::nullopt}, {"S8_UINT", "", 1, 0},
      {"D16_UNORM_S8_UINT", "D16_UNORM", 4, 2},     {"D24_UNORM_S8_UINT", "D24_UNORM_S8_UINT", 4, 3},
      {"D32_SFLOAT_S8_UINT", "D32_FLOAT", 8, 4},
  };
  const auto row = std::ranges::find(kRows, name, &Row::name);
  if (row == std::end(kRows)) return std::nullopt;
  draw::DepthStencilTarget made;
  if (const auto depth = draw::find_depth_stencil_format(row->known)) made.texture.format = depth->texture.format;
  made.texture.format.size = row->bytes;
  made.stencil_byte = row->stencil_byte;
  return made;
}

std::optional<DataType> lay_out(const TypeShape& type, Layout layout, const std::vector<Structure>& structures, std::size_t most) {
  if (type.format) return type_of(*type.format, type.name);
  DataType made;
  made.name = type.name;
  Laying laying(layout, structures, most);
  const std::uint64_t end = laying.lay({type, {}, 0, 0}, 0);
  if (laying.scalars.size() > most) return std::nullopt;
  // three components take the room of four, but in texels
  made.stride = type.is_array || type.structure != kNone
                    ? laying.rounded(end, 1)
                    : laying.rounded(end, type.columns > 1 || type.is_tight ? 1 : Laying::vector_alignment(type));
  made.scalars = std::move(laying.scalars);
  if (made.stride == 0) made.stride = 1;
  made.format = texel_of(made);
  return made;
}

DataType type_of(const texel::Format& format, std::string_view name) {
  DataType made;
  made.name = name;
  made.format = format;
  made.stride = format.bytes();
  const auto kind_of = [](texel::Encoding encoding) {
    switch (encoding) {
      case texel::Encoding::float_: return DataScalar::Kind::real;
      case texel::Encoding::sint:
      case texel::Encoding::snorm:
      case texel::Encoding::sscaled: return DataScalar::Kind::sint;
      default: return DataScalar::Kind::uint;
    }
  };
  const auto kind = kind_of(format.encoding);
  for (const auto& [first, bits] : format.components) {
    if (bits == 0) continue;
    if (bits % 8 != 0 || bits == 24) {
      made.scalars = {{DataScalar::Kind::uint, static_cast<std::uint8_t>(std::min(8U, made.stride)), 0}};
      return made;
    }
    made.scalars.push_back({kind, static_cast<std::uint8_t>(bits / 8), first / 8U});
  }
  std::ranges::sort(made.scalars, {}, &DataScalar::offset);
  return made;
}

std::string numbers_of(const DataScalar& scalar) {
  const std::string bits = std::to_string(8 * scalar.bytes) + " bits";
  return scalar.kind == DataScalar::Kind::real ? "a number that fits into a float of " + bits : "a whole number of " + bits;
}

bool can_hold(const DataScalar& scalar, const ScriptNumber& number) {
  if (scalar.kind == DataScalar::Kind::real) {
    if (!std::isfinite(number.real) || scalar.bytes == 8) return true;
    return scalar.bytes == 2 ? (texel::nearest_f16(number.real) & 0x7fff) != 0x7c00 : std::isfinite(static_cast<float>(number.real));
  }
  const int bits = 8 * scalar.bytes;
  if (!number.is_whole)
    return number.real == std::floor(number.real) && number.real < std::ldexp(1.0, bits) && number.real >= -std::ldexp(1.0, bits - 1);
  if (number.real < 0) return 0 - number.bits <= std::uint64_t{1} << (bits - 1);
  return scalar.bytes == 8 || number.bits >> bits == 0;
}

}  // namespace unshade::amber
