// What buffers begin with, and comparisons of what they hold.
#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstring>
#include <string>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/text.hpp>
#include <unshade/texel/formats.hpp>

#include "amber/lexer.hpp"
#include "amber/run/script_run.hpp"
#include "amber/types.hpp"

namespace unshade::amber::runner {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

constexpr texel::Format kHalf{{{{0, 16}}}, texel::Encoding::float_, false, texel::Block::none, 2};

/// Of an integer, which the reader has seen to be whole and to fit.
std::uint64_t whole_bits(const ScriptNumber& number) {
  if (number.is_whole) return number.bits;
  const double magnitude = std::abs(number.real);
  const std::uint64_t whole = magnitude < 0x1p64 ? static_cast<std::uint64_t>(magnitude) : 0;
  return number.real < 0 ? 0 - whole : whole;
}

void write(const DataScalar& scalar, const ScriptNumber& number, std::byte* to) {
  std::uint64_t bits = whole_bits(number);
  if (scalar.kind == DataScalar::Kind::real) {
    const auto narrow = static_cast<float>(number.real);
    if (scalar.bytes == 2) return texel::store_texel(kHalf, {std::bit_cast<std::uint32_t>(narrow)}, to);
    bits = scalar.bytes == 8 ? std::bit_cast<std::uint64_t>(number.real) : std::bit_cast<std::uint32_t>(narrow);
  }
  std::memcpy(to, &bits, scalar.bytes);
}

/// A number as it is in memory.
struct Actual {
  double real = 0;
  std::uint64_t bits = 0;  ///< of integers, sign-extended
  DataScalar::Kind kind{};
  bool single = false;
};

Actual read(const DataScalar& scalar, const std::byte* from) {
  Actual made;
  made.kind = scalar.kind;
  std::memcpy(&made.bits, from, scalar.bytes);
  switch (scalar.kind) {
    case DataScalar::Kind::real:
      made.single = scalar.bytes != 8;
      if (scalar.bytes == 8) {
        made.real = std::bit_cast<double>(made.bits);
      } else {
        const auto word = scalar.bytes == 2 ? texel::load_texel(kHalf, from)[0] : static_cast<std::uint32_t>(made.bits);
        made.real = static_cast<double>(std::bit_cast<float>(word));
      }
      break;
    case DataScalar::Kind::sint:
      made.bits = static_cast<std::uint64_t>(sign_extended(made.bits, 8 * scalar.bytes));
      made.real = static_cast<double>(static_cast<std::int64_t>(made.bits));
      break;
    default: made.real = static_cast<double>(made.bits); break;
  }
  return made;
}

std::string shown(const Actual& value) {
  if (value.kind == DataScalar::Kind::real) return shown_number(value.real, value.single);
  if (value.kind == DataScalar::Kind::sint) return std::to_string(static_cast<std::int64_t>(value.bits));
  return std::to_string(value.bits);
}

double bound_of(double expected, Expect::Tolerance tolerance) {
  return tolerance.is_percent ? std::abs(expected) * tolerance.value / 100 : tolerance.value;
}

bool is_near(double actual, double expected, Expect::Tolerance tolerance) {
  if (std::isnan(actual) || std::isnan(expected)) return std::isnan(actual) && std::isnan(expected);
  if (actual == expected) return true;
  // a part of infinity has no bound
  return std::isfinite(actual) && std::isfinite(expected) && std::abs(actual - expected) <= bound_of(expected, tolerance);
}

bool holds(const Expect& expect, const Actual& actual, const ScriptNumber& expected, const DataScalar& scalar, std::size_t at) {
  using How = Expect::How;
  const bool is_real = actual.kind == DataScalar::Kind::real;
  // the expected number as the memory can hold it
  std::byte rounded[8]{};
  write(scalar, expected, rounded);
  const Actual wanted = read(scalar, rounded);
  const bool is_signed = actual.kind == DataScalar::Kind::sint;
  const bool is_below_zero = is_signed && static_cast<std::int64_t>(actual.bits) < 0;
  // an integer may be expected by the bits of the other sign; its order is that of the number itself
  const bool has_sign_of_expected = is_real || is_below_zero == (expected.real < 0);
  // a bound that becomes 0 as a float is still not 0
  const double bound = wanted.real == 0 ? expected.real : wanted.real;
  const auto order = [&]() -> std::partial_ordering {
    if (is_real) return actual.real <=> bound;
    if (!has_sign_of_expected) return is_below_zero ? std::partial_ordering::less : std::partial_ordering::greater;
    return actual.bits <=> whole_bits(expected);
  };
  const auto equal = [&](double real) {
    if (!expect.tolerances.empty()) {
      const auto& tolerance = expect.tolerances[expect.tolerances.size() == 1 ? 0 : at % expect.tolerances.size()];
      if (is_real) return is_near(actual.real, expected.real, tolerance);
      const bool is_less =
          is_signed ? static_cast<std::int64_t>(actual.bits) < static_cast<std::int64_t>(wanted.bits) : actual.bits < wanted.bits;
      const std::uint64_t distance = is_less ? wanted.bits - actual.bits : actual.bits - wanted.bits;
      return static_cast<double>(distance) <= bound_of(wanted.real, tolerance);
    }
    // src: google/amber:src/verifier.cc, kEpsilon
    return is_real ? is_near(actual.real, real, {0.000001, true}) : actual.bits == wanted.bits;
  };
  switch (expect.how) {
    case How::eq: return equal(wanted.real);
    case How::ne: return !equal(wanted.real);
    case How::lt: return order() < 0;
    case How::le: return order() < 0 || (has_sign_of_expected && equal(bound));
    case How::gt: return order() > 0;
    default: return order() > 0 || (has_sign_of_expected && equal(bound));
  }
}

constexpr std::string_view kComparisons[] = {"", "not ", "less than ", "at most ", "more than ", "at least "};

std::optional<suite::Failure> compared_values(const Expect& expect, const ScriptBuffer& buffer, const Memory& memory) {
  const DataType& type = buffer.type;
  suite::Failure made;
  made.what = "buffer " + buffer.name;
  if (type.scalars.empty()) return made.what += " has no numbers", made;
  std::uint64_t element = expect.offset / type.stride;
  std::size_t part = 0;
  const std::uint64_t within = expect.offset % type.stride;
  while (part < type.scalars.size() && type.scalars[part].offset != within) ++part;
  if (part == type.scalars.size()) return made.what += ": no number begins at byte " + std::to_string(expect.offset), made;
  for (std::size_t at = 0; at < expect.values.size(); ++at) {
    const DataScalar& scalar = type.scalars[part];
    const std::uint64_t offset = element * type.stride + scalar.offset;
    if (offset + scalar.bytes > memory.bytes.size())
      return made.what +=
             ": offset " + std::to_string(offset) + " is out of bounds of its " + std::to_string(memory.bytes.size()) + " bytes",
             made;
    const Actual actual = read(scalar, memory.bytes.data() + offset);
    if (!holds(expect, actual, expect.values[at], scalar, at)) {
      made.what += ", byte " + std::to_string(offset);
      made.expected = std::string(kComparisons[static_cast<std::size_t>(expect.how)]);
      const bool is_real = scalar.kind == DataScalar::Kind::real;
      const ScriptNumber& wanted = expect.values[at];
      made.expected += is_real || !wanted.is_whole             ? shown_number(wanted.real, is_real && scalar.bytes != 8)
                       : scalar.kind == DataScalar::Kind::sint ? std::to_string(static_cast<std::int64_t>(wanted.bits))
                                                               : std::to_string(wanted.bits);
      made.actual = shown(actual);
      return made;
    }
    if (++part == type.scalars.size()) {
      part = 0;
      ++element;
    }
  }
  return std::nullopt;
}

std::string shown_color(const std::array<double, 4>& color, std::size_t components) {
  std::string made;
  for (std::size_t k = 0; k < components; ++k) {
    Text text;
    const double scaled = color[k] * 255;
    if (scaled == std::floor(scaled) && std::abs(scaled) < 1e9) {
      text.dec_signed(static_cast<std::int64_t>(scaled));
    } else {
      text.shortest(static_cast<float>(scaled));
    }
    made += (k == 0 ? "" : " ") + text.str();
  }
  return made;
}

std::optional<suite::Failure> compared_colors(const Expect& expect, const ScriptBuffer& buffer, const Memory& memory) {
  suite::Failure made;
  made.what = "buffer " + buffer.name;
  const texel::Format& format = buffer.type.format;
  const auto [left, top, width, height] = expect.area;
  if (format.bytes() == 0 || memory.width == 0) return made.what += " is not a picture", made;
  if (std::uint64_t{left} + width > memory.width || std::uint64_t{top} + height > memory.height)
    return made.what += " has " + std::to_string(memory.width) + " by " + std::to_string(memory.height) + " pixels", made;
  std::array<double, 4> wanted{};
  std::array<Expect::Tolerance, 4> tolerances;
  // src: google/amber:src/verifier.cc, kDefaultTexelTolerance
  tolerances.fill({0.002, false});
  for (std::size_t k = 0; k < expect.values.size(); ++k) wanted[k] = expect.values[k].real / 255;
  for (std::size_t k = 0; k < 4 && !expect.tolerances.empty(); ++k)
    tolerances[k] = expect.tolerances[expect.tolerances.size() == 4 ? k : 0];
  std::uint64_t different = 0;
  for (std::uint32_t y = top; y < top + height; ++y) {
    for (std::uint32_t x = left; x < left + width; ++x) {
      const std::size_t place = (std::size_t{y} * memory.width + x) * buffer.type.stride;
      if (place + format.bytes() > memory.bytes.size()) return made.what += " is smaller than its pixels", made;
      const auto texel = texel::load_texel(format, memory.bytes.data() + place);
      std::array<double, 4> actual{};
      bool same = true;
      for (std::size_t k = 0; k < expect.values.size(); ++k) {
        actual[k] = format.encoding == texel::Encoding::uint   ? texel[k]
                    : format.encoding == texel::Encoding::sint ? static_cast<double>(static_cast<std::int32_t>(texel[k]))
                                                               : static_cast<double>(std::bit_cast<float>(texel[k]));
        if (format.is_integer()) actual[k] /= 255;
        same = same && is_near(actual[k], wanted[k], tolerances[k]);
      }
      if (same || different++ != 0) continue;
      made.what += ", pixel " + std::to_string(x) + ' ' + std::to_string(y);
      made.expected = shown_color(wanted, expect.values.size());
      made.actual = shown_color(actual, expect.values.size());
    }
  }
  if (different == 0) return std::nullopt;
  made.what += ", of " + std::to_string(different) + " that differ";
  return made;
}

// Earth mover's distance of the shares that values of 8 bits have, for the component in which it is largest.
double histogram_distance(const Memory& a, const Memory& b, std::uint32_t stride) {
  double most = 0;
  for (std::uint32_t component = 0; component < stride; ++component) {
    std::array<std::array<std::uint64_t, 256>, 2> bins{};
    for (std::size_t at = component; at < a.bytes.size(); at += stride) ++bins[0][std::to_integer<std::size_t>(a.bytes[at])];
    for (std::size_t at = component; at < b.bytes.size(); at += stride) ++bins[1][std::to_integer<std::size_t>(b.bytes[at])];
    double carried = 0;
    double sum = 0;
    for (std::size_t k = 0; k < 256; ++k) {
      carried += static_cast<double>(bins[0][k]) / (static_cast<double>(a.bytes.size()) / stride) -
                 static_cast<double>(bins[1][k]) / (static_cast<double>(b.bytes.size()) / stride);
      sum += std::abs(carried);
    }
    most = std::max(most, sum / 256);
  }
  return most;
}

std::optional<suite::Failure> compared_buffers(const Expect& expect, const Script& script, const std::vector<Memory>& memory) {
  const ScriptBuffer& buffer = script.buffers[expect.buffer];
  const ScriptBuffer& other = script.buffers[expect.other];
  const Memory& a = memory[expect.buffer];
  const Memory& b = memory[expect.other];
  suite::Failure made;
  made.what = "buffers " + buffer.name + " and " + other.name;
  if (a.bytes.size() != b.bytes.size()) {
    made.what += ", bytes";
    made.expected = std::to_string(b.bytes.size());
    made.actual = std::to_string(a.bytes.size());
    return made;
  }
  const DataType& type = buffer.type;
  const std::size_t elements = a.bytes.size() / type.stride;
  if (expect.how == Expect::How::buffer) {
    const auto [first, second] = std::ranges::mismatch(a.bytes, b.bytes);
    if (first == a.bytes.end()) return std::nullopt;
    const auto at = static_cast<std::size_t>(first - a.bytes.begin());
    std::uint64_t different = 0;
    for (std::size_t k = at; k < a.bytes.size(); ++k) different += a.bytes[k] != b.bytes[k] ? 1 : 0;
    for (const DataScalar& scalar : type.scalars) {
      const std::size_t offset = at / type.stride * type.stride + scalar.offset;
      if (at < offset || at >= offset + scalar.bytes || offset + scalar.bytes > a.bytes.size()) continue;
      made.what += ", byte " + std::to_string(offset);
      made.expected = shown(read(scalar, b.bytes.data() + offset));
      made.actual = shown(read(scalar, a.bytes.data() + offset));
    }
    if (made.expected.empty()) {
      made.what += ", byte " + std::to_string(at);
      made.expected = std::to_string(std::to_integer<unsigned>(b.bytes[at]));
      made.actual = std::to_string(std::to_integer<unsigned>(a.bytes[at]));
    }
    made.what += ", of " + std::to_string(different) + " that differ";
    return made;
  }
  double distance = 0;
  if (expect.how == Expect::How::histogram) {
    const texel::Format& format = type.format;
    if (format.bytes() != 4 || format.components[3].bits != 8) return made.what += " must have 8 bits in each of four components", made;
    if (!a.bytes.empty()) distance = histogram_distance(a, b, type.stride);
    made.what += ", histogram distance";
  } else {
    double sum = 0;
    for (std::size_t element = 0; element < elements; ++element) {
      for (const DataScalar& scalar : type.scalars) {
        const std::size_t offset = element * type.stride + scalar.offset;
        if (offset + scalar.bytes > a.bytes.size()) continue;
        const double difference = read(scalar, a.bytes.data() + offset).real - read(scalar, b.bytes.data() + offset).real;
        sum += difference * difference;
      }
    }
    distance = elements == 0 ? 0 : std::sqrt(sum / static_cast<double>(elements * type.scalars.size()));
    made.what += ", root mean square difference";
  }
  if (distance <= expect.tolerances[0].value) return std::nullopt;
  made.expected = "at most " + shown_number(expect.tolerances[0].value, true);
  made.actual = shown_number(distance, true);
  return made;
}

Result<std::vector<std::byte>> file_bytes(const ScriptBuffer& buffer, const suite::TestOptions& options) {
  if (options.read_file != nullptr) {
    if (auto read_bytes = options.read_file(options.self, buffer.path)) return read_bytes;
  }
  return Error{ErrorCode::missing, 0, "", "the file `" + buffer.path + "` of buffer " + buffer.name + " cannot be read"};
}

Result<std::vector<std::byte>> initial_bytes(const ScriptBuffer& buffer, const suite::TestOptions& options) {
  using From = ScriptBuffer::From;
  const DataType& type = buffer.type;
  std::vector<std::byte> made;
  std::vector<ScriptNumber> values = buffer.values;
  if (buffer.from == From::text_file || buffer.from == From::binary_file) {
    auto read_bytes = file_bytes(buffer, options);
    if (!read_bytes) return std::move(read_bytes).error();
    if (buffer.from == From::binary_file) {
      read_bytes->resize(std::min<std::uint64_t>(kMostBytes, buffer.count != 0 ? buffer.count * type.stride : read_bytes->size()));
      return read_bytes;
    }
    amber::Lexer words(View(*read_bytes).text());
    while (const amber::Token word = words.next_of_any_line()) {
      const auto number = amber::number_of(word.text);
      if (!number) return Error{ErrorCode::bad_value, 0, buffer.path, "expected a number, found `" + std::string(word.text) + '`'};
      if (!type.scalars.empty()) {
        const DataScalar& scalar = type.scalars[values.size() % type.scalars.size()];
        if (!amber::can_hold(scalar, *number))
          return Error{ErrorCode::bad_value, 0, buffer.path,
                       "expected " + amber::numbers_of(scalar) + ", found `" + std::string(word.text) + '`'};
      }
      values.push_back(*number);
    }
  }
  const std::size_t parts = type.scalars.size();
  std::uint64_t elements = buffer.count;
  if (buffer.is_image) {
    elements = std::uint64_t{buffer.width} * buffer.height;
    elements = elements > kMostBytes ? elements : elements * buffer.depth;
    elements = elements > kMostBytes ? elements : elements * buffer.samples;
    std::uint64_t width = buffer.width;
    std::uint64_t height = buffer.height;
    std::uint64_t depth = buffer.depth;
    for (std::uint32_t level = 1; level < std::min(buffer.levels, 32U); ++level) {
      width = std::max<std::uint64_t>(1, width / 2);
      height = std::max<std::uint64_t>(1, height / 2);
      depth = std::max<std::uint64_t>(1, depth / 2);
      elements += width * height * depth;
    }
  }
  const bool is_list = buffer.from == From::data || buffer.from == From::text_file;
  if (is_list && parts != 0) elements = std::max<std::uint64_t>(elements, divide_up(std::uint64_t{values.size()}, parts));
  if (elements > kMostBytes / std::max(1U, type.stride))
    return Error{ErrorCode::limit, 0, "", "the buffer " + buffer.name + " is larger than 1 GiB"};
  made.resize(elements * type.stride);
  if (buffer.from == From::nothing || parts == 0 || values.empty()) return made;
  ScriptNumber next = values[0];
  std::size_t at = 0;
  for (std::uint64_t element = 0; element < elements; ++element) {
    for (const DataScalar& scalar : type.scalars) {
      const std::uint64_t offset = element * type.stride + scalar.offset;
      if (offset + scalar.bytes > made.size()) continue;
      if (is_list) {
        if (at >= values.size()) return made;
        next = values[at++];
      }
      write(scalar, next, made.data() + offset);
      if (buffer.from != From::series) continue;
      next.bits += values[1].bits;
      next.real += values[1].real;
    }
  }
  return made;
}

// A picture as texels of the buffer's format.
Result<Memory> picture_memory(const ScriptBuffer& buffer, const suite::TestOptions& options) {
  const auto file = file_bytes(buffer, options);
  if (!file) return file.error();
  if (options.read_picture == nullptr) return Error{ErrorCode::missing, 0, "", "pictures cannot be read"};
  const auto picture = options.read_picture(options.self, *file);
  if (!picture) return Error{ErrorCode::bad_value, 0, buffer.path, picture.error().message};
  const texel::Format from = *texel::find_format(texel::format_name(picture->format));
  const texel::Format& to = buffer.type.format;
  Memory made{{}, picture->width, picture->height};
  const std::size_t texels = std::size_t{picture->width} * picture->height;
  made.bytes.resize(texels * to.bytes());
  for (std::size_t k = 0; k < texels && (k + 1) * from.bytes() <= picture->bytes.size(); ++k)
    texel::store_texel(to, texel::load_texel(from, picture->bytes.data() + k * from.bytes()), made.bytes.data() + k * to.bytes());
  return made;
}

}  // namespace

Result<Memory> initial_memory(const ScriptBuffer& buffer, const suite::TestOptions& options) {
  if (buffer.from == ScriptBuffer::From::png_file) return picture_memory(buffer, options);
  auto bytes = initial_bytes(buffer, options);
  if (!bytes) return std::move(bytes).error();
  return Memory{std::move(*bytes), buffer.width, buffer.height};
}

std::optional<suite::Failure> compared(const Expect& expect, const Script& script, const std::vector<Memory>& memory) {
  using How = Expect::How;
  if (expect.how == How::buffer || expect.how == How::rmse || expect.how == How::histogram) return compared_buffers(expect, script, memory);
  const ScriptBuffer& buffer = script.buffers[expect.buffer];
  if (expect.how == How::color) return compared_colors(expect, buffer, memory[expect.buffer]);
  return compared_values(expect, buffer, memory[expect.buffer]);
}

}  // namespace unshade::amber::runner
