// One field of the tree gets another value, in place.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/tree_path.hpp>
#include <unshade/core/value.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/file_summary.hpp>

#include "shader/edit/edits.hpp"

namespace unshade::shader {

namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
  return text.starts_with("0x") ? as_number<std::uint64_t>(text.substr(2), 16) : as_number<std::uint64_t>(text);
}

/// A number, or the name of one.
std::optional<std::uint64_t> named_number(std::string_view text, const NameTable& names) {
  for (const NamedValue& named : names.values)
    if (named.id == text) return named.value;
  if (text.starts_with("unknown(") && text.ends_with(')')) text = text.substr(8, text.size() - 9);
  return whole_number(text);
}

/// Calls `visit` with what is between separators until it returns false; whether it never did.
template <class Visit>
bool each_piece(std::string_view text, char separator, Visit visit) {
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (!visit(trimmed(text.substr(0, end)))) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::uint64_t> flags(std::string_view text, const NameTable& names) {
  std::uint64_t sum = 0;
  const bool read = each_piece(text, '|', [&](std::string_view piece) {
    const auto one = named_number(piece, names);
    sum |= one.value_or(0);
    return one.has_value();
  });
  return read ? std::optional(sum) : std::nullopt;
}

/// `name=value` for those that change.
std::optional<std::uint64_t> bit_fields(std::string_view text, std::uint64_t before, std::span<const Bits> bits) {
  if (const auto all = whole_number(text)) return all;
  auto word = static_cast<std::uint32_t>(before);
  const bool read = each_piece(text, ' ', [&](std::string_view piece) {
    const auto equals = piece.find('=');
    if (equals == std::string_view::npos) return false;
    const auto field = std::ranges::find_if(bits, [&](const Bits& one) { return piece.substr(0, equals) == one.name; });
    if (field == bits.end()) return false;
    const std::string_view given = piece.substr(equals + 1);
    const auto value = field->names != nullptr ? named_number(given, *field->names) : whole_number(given);
    if (!value || *value > std::numeric_limits<std::uint32_t>::max() ||
        field->get(field->put(0, static_cast<std::uint32_t>(*value))) != *value)
      return false;
    word = field->put(word, static_cast<std::uint32_t>(*value));
    return true;
  });
  return read ? std::optional<std::uint64_t>(word) : std::nullopt;
}

std::optional<std::uint64_t> mask(std::string_view text) {
  if (text == "none") return 0;
  std::uint64_t made = 0;
  for (const char c : text) {
    const auto component = find_component(c);
    if (!component) return whole_number(text);
    made |= std::uint64_t{1} << *component;
  }
  return made;
}

std::optional<std::uint64_t> real(std::string_view text, std::size_t size) {
  if (size >= 8) {
    const auto value = as_number<double>(text);
    return value ? std::optional(std::bit_cast<std::uint64_t>(*value)) : std::nullopt;
  }
  const auto value = as_number<float>(text);
  return value ? std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(*value)) : std::nullopt;
}

/// The integer that a field of `size` bytes gets; nothing if the text is none.
std::optional<std::uint64_t> integer_of(const FieldType& type, std::size_t size, std::uint64_t before, std::string_view text) {
  switch (type.kind) {
    case FieldKind::real: return real(text, size);
    case FieldKind::enumeration: return named_number(text, *type.names);
    case FieldKind::flags: return flags(text, *type.names);
    case FieldKind::bits: return bit_fields(text, before, type.bits);
    case FieldKind::component_mask: return mask(text);
    case FieldKind::signed_integer:
      if (const auto value = as_number<std::int64_t>(text)) {
        const unsigned unused = 64 - 8 * static_cast<unsigned>(std::min<std::size_t>(size, 8));
        const auto bits = static_cast<std::uint64_t>(*value);
        if (unused != 0 && (static_cast<std::int64_t>(bits << unused) >> unused) != *value) return std::nullopt;
        return unused == 0 ? bits : bits & (~std::uint64_t{0} >> unused);
      }
      return std::nullopt;
    default: return whole_number(text);
  }
}

/// The bytes that a field gets; nothing if the text is no value of it.
std::optional<std::vector<std::byte>> bytes_of(const FieldType& type, View before, std::string_view text) {
  std::vector<std::byte> made(before.size());
  switch (type.kind) {
    case FieldKind::fourcc:
    case FieldKind::text: {
      // what ends in a zero still does
      const bool is_terminated = type.kind == FieldKind::text && !before.empty() && before.bytes().back() == std::byte{0};
      if (text.size() + (is_terminated ? 1 : 0) > made.size() || (type.kind == FieldKind::fourcc && text.size() != made.size())) return {};
      std::memcpy(made.data(), text.data(), text.size());
      return made;
    }
    case FieldKind::bytes:
    case FieldKind::padding:
    case FieldKind::unknown: {
      std::vector<std::byte> given;
      if (!from_hex(text, given) || given.size() != made.size()) return {};
      return given;
    }
    default: break;
  }
  if (made.empty() || made.size() > 8) return {};
  const auto value = integer_of(type, made.size(), little_endian(before), text);
  if (!value || (made.size() < 8 && *value >> (8 * made.size()) != 0)) return {};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::byte>(*value >> (8 * i));
  return made;
}

}  // namespace

Result<Edited> set_field(const Shader& shader, std::string_view path, std::string_view value) {
  const Tree tree = annotate(shader);
  const auto found = find_field(tree, path);
  if (!found) return Error{ErrorCode::missing, shader.file.file_offset(), std::string(path), "the file has no such field"};
  const Field& field = tree.fields()[*found];
  if (field.type->kind == FieldKind::group || field.type->kind == FieldKind::custom)
    return Error{ErrorCode::unsupported, field.offset, std::string(path), "a field of this kind has no value that can be set"};
  const auto made = bytes_of(*field.type, tree.bytes(field), value);
  if (!made) return Error{ErrorCode::bad_value, field.offset, std::string(path), "not a value of this field: " + std::string(value)};

  const auto bytes = shader.file.bytes();
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  const auto at = static_cast<std::size_t>(field.offset - shader.file.file_offset());
  if (at > file.size() || made->size() > file.size() - at)
    return Error{ErrorCode::unsupported, field.offset, std::string(path), "the field is not in the file's own bytes"};
  std::ranges::copy(*made, file.begin() + static_cast<std::ptrdiff_t>(at));
  const auto opened = open(View(file));
  if (!opened)
    return Error{ErrorCode::bad_value, opened.error().offset, opened.error().path, "the file would not open: " + opened.error().message};

  const auto digest = summarize(shader).digest;
  const bool was_right = digest == dxcontainer::DigestState::valid || digest == dxcontainer::DigestState::valid_debug;
  if (!was_right || path == "header/digest") return edit::edited(shader, std::move(file));
  const auto with_hash = sign(shader, Sign::keep, true);
  auto made_right =
      sign(*opened, *digest == dxcontainer::DigestState::valid ? Sign::standard : Sign::debug, with_hash && !with_hash->changed);
  if (!made_right) return made_right;
  return edit::edited(shader, std::move(made_right->bytes), std::move(made_right->notes));
}

}  // namespace unshade::shader
