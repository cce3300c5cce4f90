#include <unshade/core/value.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <unshade/core/text/utf8.hpp>

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

std::optional<DuplicateKey> find_duplicate_key(const Value::Map& map) {
  std::vector<const Value::Member*> members;
  members.reserve(map.size());
  for (const Value::Member& member : map) members.push_back(&member);
  std::ranges::sort(members, [](const Value::Member* a, const Value::Member* b) {
    return a->key != b->key ? a->key < b->key : a->key_offset < b->key_offset;
  });
  const auto found = std::ranges::adjacent_find(members, {}, &Value::Member::key);
  if (found == members.end()) return std::nullopt;
  return DuplicateKey{*found[0], *found[1]};
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
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (character.bytes == 0) return false;
    // Control characters are escaped: mangled names begin with 0x01. Escape begins what a terminal obeys, and is no text.
    const bool is_escaped = character.code < 0x20 && character.code != 0 && character.code != 0x1b;
    if (!is_visible(character.code) && !is_escaped) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

namespace {

constexpr unsigned kBlank = 16, kNoDigit = 17;
constexpr auto kHexDigits = [] {
  std::array<std::uint8_t, 256> made{};
  made.fill(kNoDigit);
  for (unsigned digit = 0; digit < 16; ++digit) {
    made[static_cast<unsigned char>("0123456789abcdef"[digit])] = static_cast<std::uint8_t>(digit);
    made[static_cast<unsigned char>("0123456789ABCDEF"[digit])] = static_cast<std::uint8_t>(digit);
  }
  for (const char blank : {' ', '\n', '\r', '\t'}) made[static_cast<unsigned char>(blank)] = kBlank;
  return made;
}();

}  // namespace

bool from_hex(std::string_view text, std::vector<std::byte>& bytes) {
  const auto digit_at = [&](std::size_t at) -> unsigned { return kHexDigits[static_cast<unsigned char>(text[at])]; };
  bytes.resize(text.size() / 2);
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned high = digit_at(at);
    if (high == kBlank) {
      ++at;
      continue;
    }
    const unsigned low = at + 1 < text.size() ? digit_at(at + 1) : kNoDigit;
    if (high > 15 || low > 15) return false;
    bytes[count++] = static_cast<std::byte>(high << 4 | low);
    at += 2;
  }
  bytes.resize(count);
  return true;
}

}  // namespace unshade
