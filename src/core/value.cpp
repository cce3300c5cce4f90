#include <unshade/core/value.hpp>

#include <bit>

namespace unshade {

bool operator==(const Real& a, const Real& b) {
  return a.single == b.single ? (a.single ? std::bit_cast<std::uint32_t>(a.narrow) == std::bit_cast<std::uint32_t>(b.narrow)
                                          : std::bit_cast<std::uint64_t>(a.wide) == std::bit_cast<std::uint64_t>(b.wide))
                              : std::bit_cast<std::uint32_t>(a.narrow) == std::bit_cast<std::uint32_t>(b.narrow);
}

// Here, where a member is a complete type.
Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

bool operator==(const Value& a, const Value& b) { return a.state_ == b.state_; }

Value Value::boolean(bool value) {
  Value made;
  made.state_ = value;
  return made;
}
Value Value::integer(std::uint64_t value, bool hexadecimal) { return integer(Integer{value, false, hexadecimal}); }
Value Value::signed_integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return integer(Integer{value < 0 ? ~bits + 1 : bits, value < 0, false});
}
Value Value::integer(Integer value) {
  Value made;
  made.state_ = value;
  return made;
}
Value Value::real(float value) { return real(Real{value, value, true}); }
Value Value::real(double value) { return real(Real{value, static_cast<float>(value), false}); }
Value Value::real(Real value) {
  Value made;
  made.state_ = value;
  return made;
}
Value Value::text(std::string_view value) {
  Value made;
  made.state_.emplace<std::string>(value);
  return made;
}
Value Value::bytes(View value) {
  Value made;
  made.state_.emplace<Bytes>(value.bytes().begin(), value.bytes().end());
  return made;
}
Value Value::list() { return list(List{}); }
Value Value::map() { return map(Map{}); }
Value Value::list(List values) {
  Value made;
  made.state_ = std::move(values);
  return made;
}
Value Value::map(Map members) {
  Value made;
  made.state_ = std::move(members);
  return made;
}

const Value* Value::find(std::string_view key) const {
  const Map* const members = as_map();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members)
    if (member.key == key) return &member.value;
  return nullptr;
}

Value& Value::add(std::string_view key, Value value) {
  if (as_map() == nullptr) state_ = Map{};
  return as_map()->emplace_back(Member{std::string(key), std::move(value), 0}).value;
}

Value& Value::push(Value value) {
  if (as_list() == nullptr) state_ = List{};
  return as_list()->emplace_back(std::move(value));
}

std::string_view id(Value::Kind kind) {
  constexpr std::string_view kIds[] = {"nothing", "boolean", "integer", "number", "text", "bytes", "list", "map"};
  return kIds[static_cast<std::size_t>(kind)];
}

std::uint64_t count_bytes(const Value& value) {
  if (const auto* bytes = value.as_bytes()) return bytes->size();
  std::uint64_t sum = 0;
  if (const auto* list = value.as_list())
    for (const Value& element : *list) sum += count_bytes(element);
  if (const auto* map = value.as_map())
    for (const auto& member : *map) sum += count_bytes(member.value);
  return sum;
}

bool is_plain_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) {
      // Control characters are escaped: mangled names begin with 0x01. Escape begins what a terminal obeys, and is no text.
      if (first == 0 || first == 0x1b || first == 0x7f) return false;
      ++at;
      continue;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length > text.size() - at) return false;
    std::uint32_t code = first & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
      const auto next = static_cast<unsigned char>(text[at + i]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3fU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    // C1 controls, surrogates, and what are no characters
    if (code < kLeast[length] || code < 0xa0 || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff || (code & 0xfffe) == 0xfffe ||
        code == 0xfeff || code == 0x2028 || code == 0x2029)
      return false;
    at += length;
  }
  return true;
}

bool from_hex(std::string_view text, std::vector<std::byte>& bytes) {
  bytes.clear();
  bytes.reserve(text.size() / 2);
  unsigned high = 0;
  bool half = false;
  for (const char c : text) {
    unsigned digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else if (!half && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) {
      continue;
    } else {
      return false;
    }
    if (half) bytes.push_back(static_cast<std::byte>(high << 4 | digit));
    high = digit;
    half = !half;
  }
  return !half;
}

}  // namespace unshade
