#include <unshade/core/archive/value_fields.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/lanes.hpp>
#include <unshade/core/text.hpp>

namespace unshade {

namespace {

constexpr std::string_view kRest = "rest";  // bits that no bit field accounts for
constexpr std::string_view kReserved = "reserved";
constexpr std::string_view kBytesKey = "bytes";

std::string expected(std::string_view what, const Value& found) {
  return "expected " + std::string(what) + ", found " + std::string(id(found.kind()));
}

std::uint64_t ones(std::size_t size) { return size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1; }

std::string parse_integer(const Value& from, std::size_t size, std::uint64_t& value) {
  const Integer* const integer = from.as_integer();
  if (integer == nullptr) return expected("a whole number", from);
  const std::uint64_t most = ones(size);
  if (integer->negative) {
    if (integer->magnitude > most / 2 + 1) return "the number does not fit into " + std::to_string(8 * size) + " bits";
    value = (~integer->magnitude + 1) & most;
  } else {
    if (integer->magnitude > most) return "the number does not fit into " + std::to_string(8 * size) + " bits";
    value = integer->magnitude;
  }
  return {};
}

std::string no_such_name(const FieldType& type, std::string_view name) {
  return "unknown " + std::string(type.name) + " \"" + std::string(name.substr(0, 64)) + '"';
}

const NamedValue* find_name(const NameTable& names, std::string_view id) {
  for (const NamedValue& named : names.values)
    if (named.id == id) return &named;
  return nullptr;
}

Value flags_value(std::uint64_t value, const NameTable& names) {
  Value made = Value::list();
  for (const NamedValue& named : names.values) {
    if (named.value == 0 || (value & named.value) != named.value) continue;
    made.push(Value::text(named.id));
    value &= ~std::uint64_t{named.value};
  }
  if (value != 0) made.push(Value::integer(value, true));
  return made;
}

/// One name of a flag, or bits without a name.
std::string parse_flag(const Value& from, std::size_t size, const FieldType& type, std::uint64_t& value) {
  const std::string* const name = from.as_text();
  if (name == nullptr) return parse_integer(from, size, value);
  const NamedValue* const named = find_name(*type.names, *name);
  if (named == nullptr) return no_such_name(type, *name);
  value = named->value;
  return {};
}

/// Whether an element of a list is the same as one before it.
bool stands_before(const Value& element, const Value::List& list) {
  for (const Value& other : list) {
    if (&other == &element) break;
    if (other == element) return true;
  }
  return false;
}

std::string parse_flags(const Value& from, std::size_t size, const FieldType& type, std::uint64_t& value) {
  const Value::List* const list = from.as_list();
  if (list == nullptr) return parse_flag(from, size, type, value);
  value = 0;
  for (const Value& element : *list) {
    std::uint64_t bit = 0;
    if (auto problem = parse_flag(element, size, type, bit); !problem.empty()) return problem;
    if ((value & bit) != 0 && stands_before(element, *list)) return "the flag is given twice";
    value |= bit;
  }
  return {};
}

// 64 flags: the names' values are numbers of bits.
Value wide_flags_value(std::uint64_t value, const NameTable& names) {
  Value made = Value::list();
  for (const NamedValue& named : names.values) {
    if (named.value >= 64 || (value >> named.value & 1) == 0) continue;
    made.push(Value::text(named.id));
    value &= ~(std::uint64_t{1} << named.value);
  }
  if (value != 0) made.push(Value::integer(value, true));
  return made;
}

std::string parse_wide_flags(const Value& from, std::size_t size, const FieldType& type, std::uint64_t& value) {
  const Value::List* const list = from.as_list();
  if (list == nullptr) return parse_integer(from, size, value);
  value = 0;
  for (const Value& element : *list) {
    std::uint64_t bits = 0;
    if (const std::string* const name = element.as_text()) {
      const NamedValue* const named = find_name(*type.names, *name);
      if (named == nullptr || named->value >= 64) return no_such_name(type, *name);
      bits = std::uint64_t{1} << named->value;
    } else if (auto problem = parse_integer(element, size, bits); !problem.empty()) {
      return problem;
    }
    if ((value & bits) != 0 && stands_before(element, *list)) return "the flag is given twice";
    value |= bits;
  }
  return {};
}

Value enumerator_value(std::uint64_t value, const NameTable& names) {
  const auto name = value <= 0xffff'ffff ? names.find(static_cast<std::uint32_t>(value)) : std::string_view{};
  return name.empty() ? Value::integer(value, true) : Value::text(name);
}

std::string parse_enumerator(const Value& from, std::size_t size, const NameTable& names, std::string_view type_name,
                             std::uint64_t& value) {
  const std::string* const name = from.as_text();
  if (name == nullptr) return parse_integer(from, size, value);
  const NamedValue* const named = find_name(names, *name);
  if (named == nullptr) return "unknown " + std::string(type_name) + " \"" + name->substr(0, 64) + '"';
  value = named->value;
  return {};
}

Value bits_value(std::uint64_t value, const FieldType& type) {
  Value made = Value::map();
  auto word = static_cast<std::uint32_t>(value);
  std::uint64_t rest = value;
  for (const Bits& bits : type.bits) {
    if (bits.name == kReserved) continue;  // there may be several: they are the rest
    const std::uint32_t field = bits.get(word);
    rest &= ~std::uint64_t{bits.put(0, 0xffff'ffff)};
    made.add(bits.name, bits.names != nullptr ? enumerator_value(field, *bits.names) : Value::integer(field));
  }
  if (rest != 0) made.add(kRest, Value::integer(rest, true));
  return made;
}

std::string parse_bits(const Value& from, std::size_t size, const FieldType& type, std::uint64_t& value) {
  const Value::Map* const map = from.as_map();
  if (map == nullptr) return parse_integer(from, size, value);
  value = 0;
  for (const Value::Member& member : *map) {
    std::uint64_t field = 0;
    const Bits* found = nullptr;
    for (const Bits& bits : type.bits)
      if (member.key == bits.name) found = &bits;
    if (found == nullptr && member.key != kRest) return "no field \"" + member.key.substr(0, 64) + "\" in " + std::string(type.name);
    auto problem = found != nullptr && found->names != nullptr ? parse_enumerator(member.value, size, *found->names, found->name, field)
                                                               : parse_integer(member.value, size, field);
    if (problem.empty() && found != nullptr && found->count < 32 && field >> found->count != 0)
      problem = "the value of \"" + member.key + "\" does not fit into " + std::to_string(found->count) + " bits";
    if (!problem.empty()) return problem;
    value = found != nullptr ? found->put(static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(field)) : value | field;
  }
  return {};
}

Value mask_value(std::uint64_t value) {
  if (value > 0xf) return Value::integer(value, true);
  return Value::text(std::string(WriteMask(value).text()));
}

std::string parse_mask(const Value& from, std::size_t size, std::uint64_t& value) {
  const std::string* const text = from.as_text();
  if (text == nullptr) return parse_integer(from, size, value);
  value = 0;
  for (const char c : *text) {
    const auto component = find_component(c);
    if (!component) return "a mask must consist of x, y, z and w";
    if (value >> *component != 0) return "the letters of a mask must be in the order xyzw, each at most once";
    value |= std::uint64_t{1} << *component;
  }
  return {};
}

Value fourcc_value(std::uint64_t value) {
  std::string text;
  for (unsigned i = 0; i < 4; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  for (const char c : text)
    if (c <= 0x20 || c >= 0x7f) return Value::integer(value, true);
  return Value::text(text);
}

std::string parse_fourcc(const Value& from, std::size_t size, std::uint64_t& value) {
  const std::string* const text = from.as_text();
  if (text == nullptr) return parse_integer(from, size, value);
  if (text->size() != 4) return "expected four characters";
  value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::uint64_t{static_cast<unsigned char>((*text)[i])} << (8 * i);
  return {};
}

// The canonical quiet NaN of a width prints as `nan`; others keep their bits.
template <class Float, class Bits, Bits kNan>
Value real_text(Float value) {
  if (std::isfinite(value)) return Value::real(value);
  if (std::isinf(value)) return Value::text(value < 0 ? "-inf" : "inf");
  const auto bits = std::bit_cast<Bits>(value);
  if (bits == kNan) return Value::text("nan");
  Text text;
  (text << "nan(0x").hex(bits) << ')';
  return Value::text(text.view());
}

template <class Float, class Bits, Bits kNan>
std::string parse_any_real(const Value& from, Float& value) {
  if (const Real* const real = from.as_real()) {
    value = sizeof(Float) == 4 ? static_cast<Float>(real->narrow) : static_cast<Float>(real->wide);
    if (std::isfinite(real->wide) && !std::isfinite(value)) return "the number does not fit into a 32-bit float";
    return {};
  }
  if (const Integer* const integer = from.as_integer()) {
    value = static_cast<Float>(integer->magnitude);
    if (integer->negative) value = -value;
    return {};
  }
  const std::string* const text = from.as_text();
  if (text == nullptr) return expected("a number", from);
  std::string_view word = *text;
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  if (word == "inf" || word == ".inf") {
    value = std::numeric_limits<Float>::infinity();
    if (negative) value = -value;
    return {};
  }
  if (negative) return "expected a number, found text";
  if (word == "nan" || word == ".nan") {
    value = std::bit_cast<Float>(kNan);
    return {};
  }
  constexpr std::string_view kPrefix = "nan(0x";
  if (word.starts_with(kPrefix) && word.ends_with(')')) {
    Bits bits = 0;
    const char* const end = word.data() + word.size() - 1;
    const auto done = std::from_chars(word.data() + kPrefix.size(), end, bits, 16);
    if (done.ec == std::errc{} && done.ptr == end) {
      value = std::bit_cast<Float>(bits);
      return {};
    }
  }
  return "expected a number, found text";
}

/// Whether bits look more like a float than like an integer, for words of unknown type. Only how they are shown hangs on it.
bool looks_real(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 23 & 0xff;
  return exponent >= 127 - 30 && exponent <= 127 + 30;
}

}  // namespace

Value field_value(std::uint64_t value, std::size_t size, const FieldType& type) {
  switch (type.kind) {
    case FieldKind::enumeration:
      if (type.names != nullptr) return enumerator_value(value, *type.names);
      break;
    case FieldKind::flags:
      if (type.names != nullptr) return flags_value(value, *type.names);
      break;
    case FieldKind::custom:
      if (type.names != nullptr) return wide_flags_value(value, *type.names);
      return Value::integer(value, true);
    case FieldKind::bits:
      if (size <= 4) return bits_value(value, type);
      break;
    case FieldKind::component_mask: return mask_value(value);
    case FieldKind::fourcc:
      if (size == 4) return fourcc_value(value);
      break;
    case FieldKind::signed_integer: {
      const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
      return Value::signed_integer(static_cast<std::int64_t>((value ^ sign) - sign));
    }
    case FieldKind::real:
      if (size == 4) return real_value(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
      if (size == 8) return real_value(std::bit_cast<double>(value));
      break;
    case FieldKind::unsigned_integer:
      // all ones stands for "none" or "unbounded" nearly everywhere
      return Value::integer(value, size >= 4 && value == ones(size));
    default: break;
  }
  return Value::integer(value, true);
}

std::string parse_field(const Value& from, std::size_t size, const FieldType& type, std::uint64_t& value) {
  value = 0;
  switch (type.kind) {
    case FieldKind::enumeration:
      if (type.names != nullptr) return parse_enumerator(from, size, *type.names, type.name, value);
      break;
    case FieldKind::flags:
      if (type.names != nullptr) return parse_flags(from, size, type, value);
      break;
    case FieldKind::custom:
      if (type.names != nullptr) return parse_wide_flags(from, size, type, value);
      break;
    case FieldKind::bits:
      if (size <= 4) return parse_bits(from, size, type, value);
      break;
    case FieldKind::component_mask: return parse_mask(from, size, value);
    case FieldKind::fourcc:
      if (size == 4) return parse_fourcc(from, size, value);
      break;
    case FieldKind::real:
      if (size == 4) {
        float real = 0;
        auto problem = parse_real(from, real);
        value = std::bit_cast<std::uint32_t>(real);
        return problem;
      }
      if (size == 8) {
        double real = 0;
        auto problem = parse_real(from, real);
        value = std::bit_cast<std::uint64_t>(real);
        return problem;
      }
      break;
    default: break;
  }
  return parse_integer(from, size, value);
}

Value real_value(float value) { return real_text<float, std::uint32_t, 0x7fc0'0000>(value); }
Value real_value(double value) { return real_text<double, std::uint64_t, 0x7ff8'0000'0000'0000>(value); }
std::string parse_real(const Value& from, float& value) { return parse_any_real<float, std::uint32_t, 0x7fc0'0000>(from, value); }
std::string parse_real(const Value& from, double& value) {
  return parse_any_real<double, std::uint64_t, 0x7ff8'0000'0000'0000>(from, value);
}

Value text_value(std::string_view text) {
  if (is_plain_text(text)) return Value::text(text);
  Value made = Value::map();
  made.add(kBytesKey, Value::bytes(View(std::as_bytes(std::span(text.data(), text.size())))));
  return made;
}

std::string parse_text(const Value& from, std::string& text) {
  if (const std::string* const found = from.as_text()) {
    text = *found;
    return {};
  }
  const Value::Map* const map = from.as_map();
  if (map == nullptr || map->size() != 1 || map->front().key != kBytesKey) return expected("text", from);
  std::vector<std::byte> bytes;
  if (auto problem = parse_bytes(map->front().value, bytes); !problem.empty()) return problem;
  text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return {};
}

Value bytes_value(View bytes) { return Value::bytes(bytes); }

std::string parse_bytes(const Value& from, std::vector<std::byte>& bytes) {
  if (const auto* const found = from.as_bytes()) {
    bytes = *found;
    return {};
  }
  const std::string* const text = from.as_text();
  if (text == nullptr) return expected("bytes as hexadecimal text", from);
  if (!from_hex(*text, bytes)) return "expected pairs of hexadecimal digits";
  return {};
}

Value numbers_value(View bytes, Numbers how) {
  if (bytes.size() % 4 != 0) return bytes_value(bytes);
  Value made = Value::list();
  made.as_list()->reserve(bytes.size() / 4);
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    const auto word = bytes.load_unchecked<std::uint32_t>(at);
    if (how == Numbers::real || (how == Numbers::mixed && looks_real(word))) {
      made.push(real_value(std::bit_cast<float>(word)));
    } else {
      made.push(field_value(word, 4, how == Numbers::sint ? kSigned : how == Numbers::hex ? kHex : kUnsigned));
    }
  }
  return made;
}

std::string parse_numbers(const Value& from, Numbers how, std::vector<std::byte>& bytes) {
  const Value::List* const list = from.as_list();
  if (list == nullptr) return parse_bytes(from, bytes);
  bytes.clear();
  bytes.reserve(4 * list->size());
  for (const Value& element : *list) {
    std::uint64_t word = 0;
    const bool is_real = how == Numbers::real || (how == Numbers::mixed && element.as_integer() == nullptr);
    if (auto problem = parse_field(element, 4, is_real ? kReal : kUnsigned, word); !problem.empty()) return problem;
    append_little_endian(bytes, static_cast<std::uint32_t>(word));
  }
  return {};
}

}  // namespace unshade
