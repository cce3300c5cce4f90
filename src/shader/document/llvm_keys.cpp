// Rows of the tables between documents of ours and LLVM's, applied in both directions.
#include "shader/document/llvm_keys.hpp"

#include <string>
#include <utility>
#include <vector>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/text/characters.hpp>

namespace unshade::shader::document::llvm_form {

namespace {

std::pair<std::string_view, std::string_view> split(std::string_view path) {
  const auto dot = path.find('.');
  return dot == std::string_view::npos ? std::pair{path, std::string_view()} : std::pair{path.substr(0, dot), path.substr(dot + 1)};
}

/// Words that LLVM writes otherwise than with one capital.
constexpr std::pair<std::string_view, std::string_view> kWordsOfLlvm[] = {{"srv", "SRV"},
                                                                          {"uav", "UAV"},
                                                                          {"cbv", "CBV"},
                                                                          {"ms", "MS"},
                                                                          {"cbuffer", "CBuffer"},
                                                                          {"tbuffer", "TBuffer"},
                                                                          {"texture1d", "Texture1D"},
                                                                          {"texture2d", "Texture2D"},
                                                                          {"texture3d", "Texture3D"}};

}  // namespace

const Value* find(const Value& map, std::string_view path) {
  const auto [name, rest] = split(path);
  const Value* const found = map.find(name);
  return found == nullptr || rest.empty() ? found : find(*found, rest);
}

void set(Value& map, std::string_view path, Value value) {
  const auto [name, rest] = split(path);
  if (rest.empty()) return static_cast<void>(map.add(name, std::move(value)));
  Value* inner = nullptr;
  if (auto* const members = map.as_map())
    for (Value::Member& member : *members)
      if (member.key == name) inner = &member.value;
  if (inner == nullptr) {
    map.add(name, Value::map());
    inner = &map.as_map()->back().value;
    inner->text_offset = value.text_offset;
  }
  set(*inner, rest, std::move(value));
}

Value at(const Value& place, Value value) {
  value.text_offset = place.text_offset;
  return value;
}

Value numbers_of(const Value* list) {
  Value made = Value::list();
  if (list != nullptr && list->as_list() != nullptr)
    for (const Value& element : *list->as_list())
      made.push(element.as_integer() != nullptr ? Value::integer(element.as_integer()->magnitude, true) : element);
  return made;
}

std::uint64_t number_of(const Value* value) {
  return value != nullptr && value->as_integer() != nullptr && !value->as_integer()->negative ? value->as_integer()->magnitude : 0;
}

std::string in_pascal_case(std::string_view words) {
  std::string made;
  while (!words.empty()) {
    const auto bar = words.find('_');
    const std::string_view word = words.substr(0, bar);
    words = bar == std::string_view::npos ? std::string_view() : words.substr(bar + 1);
    std::string mine(word);
    if (!mine.empty()) mine.front() = upper(mine.front());
    for (const auto& [ours, llvm] : kWordsOfLlvm)
      if (word == ours) mine = llvm;
    made += mine;
  }
  return made;
}

namespace {

/// LLVM's name of an enumerator by Form::words; empty if it has none.
std::string word_of(const Key& key, std::uint32_t number) {
  if (key.names != nullptr && !key.names->find(number).empty()) return std::string(key.names->find(number));
  const NameTable* const ours = key.type().names;
  return ours != nullptr ? in_pascal_case(ours->find(number)) : std::string();
}
/// The other way: an empty text, or what is wrong.
std::string number_of_word(const Key& key, const Value& value, std::uint64_t& number) {
  const std::string* const text = value.as_text();
  if (text == nullptr) return parse_field(value, key.bytes, kUnsigned, number);
  for (const NameTable* const table : {key.names, key.type().names}) {
    if (table == nullptr) continue;
    for (const NamedValue& named : table->values) {
      number = named.value;
      if (word_of(key, named.value) == *text) return {};
    }
  }
  return "no " + std::string(key.type().name) + " is called \"" + *text + '"';
}

}  // namespace

bool to_llvm(std::span<const Key> keys, const Value& ours, Value& llvm, LlvmVersion version) {
  for (const Key& key : keys) {
    const Value* const value = find(ours, key.ours);
    if (value == nullptr) continue;
    switch (key.form) {
      case Form::same: {
        std::string text;
        if (!parse_text(*value, text).empty() || !is_plain_text(text)) return false;
        llvm.add(key.llvm, *value);
        continue;
      }
      case Form::bytes:
        if (value->as_bytes() == nullptr) return false;
        llvm.add(key.llvm, *value);
        continue;
      case Form::numbers: llvm.add(key.llvm, numbers_of(value)); continue;
      case Form::real:
        if (value->as_real() == nullptr) return false;  // infinities and NaNs are texts here
        llvm.add(key.llvm, *value);
        continue;
      default: break;
    }
    std::uint64_t number = 0;
    if (!parse_field(*value, key.bytes, key.type(), number).empty()) return false;
    switch (key.form) {
      case Form::boolean: llvm.add(key.llvm, Value::boolean(number != 0)); break;
      case Form::name: {
        const auto name = key.names->find(static_cast<std::uint32_t>(number));
        if (name.empty()) return false;
        llvm.add(key.llvm, Value::text(name));
        break;
      }
      case Form::words: {
        if (version == LlvmVersion::v19) {
          llvm.add(key.llvm, Value::integer(number));
          break;
        }
        const std::string name = word_of(key, static_cast<std::uint32_t>(number));
        if (name.empty()) return false;
        llvm.add(key.llvm, Value::text(name));
        break;
      }
      default: llvm.add(key.llvm, Value::integer(number, key.form == Form::hex)); break;
    }
  }
  return true;
}

void to_ours(std::span<const Key> keys, DocumentReader& reader, Value& ours) {
  for (const Key& key : keys) {
    const Value* const value = reader.take(key.llvm);
    if (value == nullptr) continue;
    const auto fail = [&](std::string problem) { reader.fail(ErrorCode::bad_value, *value, key.llvm, std::move(problem)); };
    std::uint64_t number = 0;
    switch (key.form) {
      case Form::same:
      case Form::numbers: set(ours, key.ours, *value); continue;
      case Form::bytes: {
        std::vector<std::byte> bytes;
        if (const auto* const list = value->as_list()) {
          bytes.reserve(list->size());
          for (const Value& element : *list) {
            if (auto problem = parse_field(element, 1, kHex, number); !problem.empty())
              return reader.fail(ErrorCode::bad_value, element, key.llvm, std::move(problem));
            bytes.push_back(static_cast<std::byte>(number));
          }
        } else if (auto problem = parse_bytes(*value, bytes); !problem.empty()) {
          return fail(std::move(problem));
        }
        set(ours, key.ours, at(*value, Value::bytes(View(std::span<const std::byte>(bytes)))));
        continue;
      }
      case Form::boolean:
        if (value->as_boolean() == nullptr) return fail("expected true or false");
        number = *value->as_boolean() ? 1 : 0;
        break;
      case Form::name: {
        const FieldType named{FieldKind::enumeration, key.type().name, key.names};
        if (auto problem = parse_field(*value, key.bytes, named, number); !problem.empty()) return fail(std::move(problem));
        break;
      }
      case Form::words:
        if (auto problem = number_of_word(key, *value, number); !problem.empty()) return fail(std::move(problem));
        break;
      case Form::real: {
        float real = 0;
        if (auto problem = parse_real(*value, real); !problem.empty()) return fail(std::move(problem));
        set(ours, key.ours, at(*value, real_value(real)));
        continue;
      }
      default:
        if (auto problem = parse_field(*value, key.bytes, kUnsigned, number); !problem.empty()) return fail(std::move(problem));
        if (key.bits != nullptr && number >> key.bits->count != 0)
          return fail("the number does not fit into " + std::to_string(key.bits->count) + " bits");
        break;
    }
    set(ours, key.ours, at(*value, field_value(number, key.bytes, key.type())));
  }
}

void pass_on(DocumentReader& reader, Error error, const std::string& name) {
  Value where;
  where.text_offset = static_cast<std::uint32_t>(error.offset);
  Error placed = std::move(error).within(name);
  reader.fail(placed.code, where, placed.path, std::move(placed.message));
}

Result<Value> finished(DocumentReader& reader, Value ours) {
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return ours;
}

void expect_number(DocumentReader& reader, const char* name, std::uint64_t is) {
  const Value* const stated = reader.take(name);
  if (stated == nullptr) return;
  std::uint64_t number = 0;
  if (auto problem = parse_field(*stated, 8, kUnsigned, number); !problem.empty())
    return reader.fail(ErrorCode::bad_value, *stated, name, std::move(problem));
  if (number != is)
    reader.fail(ErrorCode::bad_value, *stated, name, "expected " + std::to_string(is) + ", found " + std::to_string(number));
}

bool flags_to_llvm(std::span<const Flag> names, std::uint64_t flags, Value& llvm) {
  for (const Flag& flag : names) {
    if ((flags & flag.mask) != 0) llvm.add(flag.name, Value::boolean(true));
    flags &= ~std::uint64_t{flag.mask};
  }
  return flags == 0;
}

std::uint32_t flags_to_ours(std::span<const Flag> names, DocumentReader& reader) {
  std::uint32_t flags = 0;
  for (const Flag& flag : names) {
    const Value* const value = reader.take(flag.name);
    if (value == nullptr) continue;
    if (value->as_boolean() == nullptr) {
      reader.fail(ErrorCode::bad_value, *value, flag.name, "expected true or false");
    } else if (*value->as_boolean()) {
      flags |= flag.mask;
    }
  }
  return flags;
}

}  // namespace unshade::shader::document::llvm_form
