#include "shader/document/document.hpp"

#include <algorithm>
#include <bit>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/limits.hpp>

namespace unshade::shader::document {

namespace {

constexpr std::string_view kBytes = "bytes";
constexpr std::string_view kSizeKey = "size";
constexpr std::string_view kGaps = "gaps";
constexpr std::string_view kAt = "at";

std::uint64_t weight(const Value& value) {
  if (const auto* text = value.as_text()) return text->size() + 1;
  if (const auto* bytes = value.as_bytes()) return bytes->size() + 1;
  std::uint64_t sum = 1;
  if (const auto* list = value.as_list())
    for (const Value& element : *list) sum += weight(element);
  if (const auto* map = value.as_map())
    for (const auto& member : *map) sum += weight(member.value);
  return sum;
}

/// Calls `f(from, to)` for each run of bytes that differ; runs close to one another are one, since each costs more than a few bytes.
template <class F>
void for_each_difference(std::span<const std::byte> built, std::span<const std::byte> original, F&& f) {
  constexpr std::size_t kJoin = 8;
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::size_t i = 0; i < original.size(); ++i) {
    if (i < built.size() && built[i] == original[i]) continue;
    if (i > to + kJoin || from == to) {
      if (from != to) f(from, to);
      from = i;
    }
    to = i + 1;
  }
  if (from != to) f(from, to);
}

}  // namespace

// --- reading ---------------------------------------------------------------------------------------------------------------------------

DocumentReader::DocumentReader(const Value& map) : map_(map) {
  if (const auto* members = map.as_map()) {
    taken_.assign(members->size(), false);
  } else {
    fail(ErrorCode::bad_value, map, "", "expected a map, found " + std::string(id(map.kind())));
  }
}

const Value* DocumentReader::take(std::string_view key) {
  const auto* members = map_.as_map();
  if (members == nullptr) return nullptr;
  for (std::size_t i = 0; i < members->size(); ++i) {
    if ((*members)[i].key != key || taken_[i]) continue;
    taken_[i] = true;
    return &(*members)[i].value;
  }
  return nullptr;
}

std::vector<std::byte> DocumentReader::take_bytes(std::string_view key) {
  std::vector<std::byte> bytes;
  if (const Value* const value = take(key))
    if (auto problem = parse_bytes(*value, bytes); !problem.empty()) fail(ErrorCode::bad_value, *value, key, std::move(problem));
  return bytes;
}

std::uint32_t DocumentReader::take_u32(std::string_view key, std::uint32_t otherwise) {
  const Value* const value = take(key);
  if (value == nullptr) return otherwise;
  std::uint64_t number = 0;
  if (auto problem = parse_field(*value, 4, kUnsigned, number); !problem.empty())
    fail(ErrorCode::bad_value, *value, key, std::move(problem));
  return static_cast<std::uint32_t>(number);
}

void DocumentReader::fail(ErrorCode code, const Value& at, std::string_view key, std::string message) {
  if (failed_) return;
  failed_ = true;
  error_ = {code, at.text_offset, std::string(key), std::move(message)};
}

Result<void> DocumentReader::finish() {
  if (const auto* members = map_.as_map(); members != nullptr && !failed_) {
    for (std::size_t i = 0; i < members->size(); ++i) {
      if (taken_[i]) continue;
      const auto& member = (*members)[i];
      return Error{ErrorCode::bad_value, member.key_offset, member.key.substr(0, 64), "unknown field, or not valid here"};
    }
  }
  if (failed_) return error_;
  return {};
}

// --- hints -----------------------------------------------------------------------------------------------------------------------------

Patches count_patches(std::span<const std::byte> built, std::span<const std::byte> original) {
  Patches patches;
  patches.any = built.size() != original.size();
  for_each_difference(built, original, [&](std::size_t from, std::size_t to) {
    patches.any = true;
    patches.bytes += to - from;
  });
  return patches;
}

Patches add_patches(Value& map, std::span<const std::byte> built, std::span<const std::byte> original) {
  const Patches patches = count_patches(built, original);
  if (built.size() != original.size()) map.add(kSizeKey, Value::integer(original.size()));
  if (patches.bytes == 0) return patches;
  Value gaps = Value::list();
  for_each_difference(built, original, [&](std::size_t from, std::size_t to) {
    Value gap = Value::map();
    gap.add(kAt, Value::integer(from, true));
    gap.add(kBytes, Value::bytes(View(original.subspan(from, to - from))));
    gaps.push(std::move(gap));
  });
  map.add(kGaps, std::move(gaps));
  return patches;
}

void apply_patches(DocumentReader& reader, std::vector<std::byte>& bytes, std::uint64_t most) {
  if (const Value* const value = reader.take(kSizeKey)) {
    std::uint64_t size = 0;
    if (auto problem = parse_field(*value, 4, kUnsigned, size); !problem.empty()) {
      reader.fail(ErrorCode::bad_value, *value, kSizeKey, std::move(problem));
    } else if (size > most) {
      reader.fail(ErrorCode::limit, *value, kSizeKey, "the size exceeds the document's content");
    } else {
      bytes.resize(static_cast<std::size_t>(size));
    }
  }
  const Value* const gaps = reader.take(kGaps);
  if (gaps == nullptr) return;
  const auto* list = gaps->as_list();
  if (list == nullptr) return reader.fail(ErrorCode::bad_value, *gaps, kGaps, "expected a list");
  for (std::size_t i = 0; i < list->size() && reader.ok(); ++i) {
    const Value& value = (*list)[i];
    DocumentReader gap(value);
    const std::uint32_t at = gap.take_u32(kAt, 0);
    const auto with = gap.take_bytes(kBytes);
    const std::string path = std::string(kGaps) + '[' + std::to_string(i) + ']';
    if (auto done = gap.finish(); !done) {
      Error error = std::move(std::move(done).error()).within(path);
      const Value where = [&] {
        Value at_error;
        at_error.text_offset = static_cast<std::uint32_t>(error.offset);
        return at_error;
      }();
      return reader.fail(error.code, where, error.path, std::move(error.message));
    }
    if (at > bytes.size() || with.size() > bytes.size() - at)
      return reader.fail(ErrorCode::out_of_range, value, path, "the gap is after the end of the file");
    std::copy(with.begin(), with.end(), bytes.begin() + at);
  }
}

namespace {

/// A value as bytes: the same ones for the same value only.
void pack(const Value& value, std::string& out) {
  const auto number = [&](std::uint64_t bits) {
    for (; bits >= 0x80; bits >>= 7) out += static_cast<char>(bits | 0x80);
    out += static_cast<char>(bits);
  };
  const auto text = [&](std::string_view characters) {
    number(characters.size());
    out += characters;
  };
  out += static_cast<char>(value.kind());
  if (const bool* const boolean = value.as_boolean()) number(*boolean ? 1 : 0);
  if (const Integer* const integer = value.as_integer()) {
    number(integer->negative ? 1 : 0);
    number(integer->magnitude);
  }
  if (const Real* const real = value.as_real()) number(std::bit_cast<std::uint64_t>(real->single ? double{real->narrow} : real->wide));
  if (const std::string* const characters = value.as_text()) text(*characters);
  if (const Value::Bytes* const bytes = value.as_bytes()) text(View(std::span<const std::byte>(*bytes)).text());
  if (const Value::List* const list = value.as_list()) {
    number(list->size());
    for (const Value& element : *list) pack(element, out);
  }
  if (const Value::Map* const map = value.as_map()) {
    number(map->size());
    for (const Value::Member& member : *map) {
      text(member.key);
      pack(member.value, out);
    }
  }
}

/// Where two documents differ, and what the user's document has there.
struct FirstDifference {
  std::string path;
  const Value* user;
  const Value* wanted;
  const Value* got;
};

/// `path`: of the values. The user's document may lack what it leaves to defaults.
FirstDifference find_difference(const Value& wanted, const Value& got, const Value& user, std::string path) {
  const auto inside = [&](std::string name, const Value& wanted_one, const Value& got_one, const Value* users) {
    if (!path.empty() && !name.starts_with('[')) name.insert(0, 1, '/');
    return find_difference(wanted_one, got_one, users != nullptr ? *users : user, path + name);
  };
  if (wanted.as_map() != nullptr && got.as_map() != nullptr) {
    for (const Value::Member& member : *wanted.as_map())
      if (const Value* const other = got.find(member.key); other != nullptr && *other != member.value)
        return inside(member.key, member.value, *other, user.find(member.key));
  }
  if (wanted.as_list() != nullptr && got.as_list() != nullptr) {
    const Value::List& list = *wanted.as_list();
    for (std::size_t i = 0; i < std::min(list.size(), got.as_list()->size()); ++i) {
      const Value& other = (*got.as_list())[i];
      const bool is_there = user.as_list() != nullptr && i < user.as_list()->size();
      if (other != list[i]) return inside('[' + std::to_string(i) + ']', list[i], other, is_there ? &(*user.as_list())[i] : nullptr);
    }
  }
  return {std::move(path), &user, &wanted, &got};
}

Error overlap_at(const FirstDifference& at) {
  std::string message = "structures overlap at the offsets that the document states";
  if (const std::string* const text = at.got->as_text(); text != nullptr && at.wanted->as_text() != nullptr)
    message += ": this would be read as \"" + text->substr(0, 64) + '"';
  return {ErrorCode::overlap, at.user->text_offset, at.path, std::move(message)};
}

}  // namespace

Result<FileBytes> build_hinted(const HintedThing& thing, const Value& fields, DocumentReader& reader, std::uint64_t most, Hints hints,
                               std::optional<Error>& note) {
  bool met_hint = false;
  auto built = thing.build(hints == Hints::dropped ? Places::left_to_the_writer : Places::stated, met_hint);
  if (hints == Hints::dropped) {
    reader.take(kSizeKey);
    reader.take(kGaps);
    return built;
  }
  std::optional<Error> error;
  bool patched = false;
  reader.take(kSizeKey);
  reader.take(kGaps);
  if (built) {
    const FileBytes before = *built;
    DocumentReader patches(reader.map());
    apply_patches(patches, *built, most);
    patched = *built != before;
    if (!patches.ok()) error = std::move(patches.finish()).error();
    if (error && error->code != ErrorCode::out_of_range) return *std::move(error);
  } else {
    error = std::move(built).error();
  }
  if (!met_hint && !patched && !error) return built;
  // What it says without hints is what it has to say with them.
  auto plain = thing.build(Places::left_to_the_writer, met_hint);
  if (!plain) return error ? Result<FileBytes>(*std::move(error)) : std::move(built);
  if (!error) {
    // one after the other: such trees are many times as large as what they are made of
    std::string packed;
    {
      const auto wanted = thing.tell(*plain);
      if (!wanted) return built;
      pack(*wanted, packed);
    }
    std::string packed_got;
    if (const auto got = thing.tell(*built)) pack(*got, packed_got);
    if (packed_got == packed) return built;
    const auto wanted = thing.tell(*plain);
    const auto got = thing.tell(*built);
    error = overlap_at(wanted && got ? find_difference(*wanted, *got, fields, {}) : FirstDifference{{}, &fields, &fields, &fields});
  }
  if (hints == Hints::kept) {
    error->message += "; remove the hints, or build with --no-hints";
    return *std::move(error);
  }
  error->message += "; a new layout is used";
  note = std::move(error);
  return plain;
}

std::uint64_t most_bytes(const Value& document) {
  return std::min<std::uint64_t>(limits::kBuiltBytesPerWeight * weight(document) + limits::kBuiltBytesBase, limits::kFileBytes);
}

}  // namespace unshade::shader::document
