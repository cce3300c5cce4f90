// Rows of the tables that translate documents of ours into LLVM's and back, and what applies them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/words.hpp>
#include <unshade/shader/document.hpp>

#include "shader/document/document.hpp"

namespace unshade::shader::document::llvm_form {

/// How a field of ours is represented in LLVM's document.
enum class Form : std::uint8_t {
  same,     ///< text
  number,   ///< decimal, whatever it is here
  hex,      ///< hexadecimal
  boolean,  ///< `true` and `false`
  name,     ///< an enumerator, by LLVM's names
  words,    ///< an enumerator, named as here but in PascalCase, or as in `names`; the number in documents of LLVM 19
  real,     ///< a float
  bytes,    ///< a list of hexadecimal numbers
  numbers,  ///< a list of hexadecimal numbers of 32 bits
};

inline const FieldType& unsigned_type() { return kUnsigned; }

/// One field: a row. A field that the one document has not, the other has not either: which stage or version has it is told by our
/// descriptions alone.
struct Key {
  std::string_view ours;                       ///< names of members, from the part's map down: `runtime_info.kind`
  const char* llvm;                            ///< name of the member
  Form form = Form::number;                    ///< how it is there
  std::uint8_t bytes = 4;                      ///< of the field
  const FieldType& (*type)() = unsigned_type;  ///< how it is here
  const NameTable* names = nullptr;            ///< Form::name: all of LLVM's names; Form::words: those that differ
  const Bits* bits = nullptr;                  ///< of the field, those that it is; null: all
};

template <class E>
const FieldType& type_of() {
  return field_type(E{});
}
template <const FieldType& kType>
const FieldType& is() {
  return kType;
}

/// LLVM's words for one of Direct3D's enumerations.
template <class E>
inline constexpr NameTable kWords = dxcontainer::kNamesOf<E, &dxcontainer::Word::llvm>;

/// Adds LLVM's members to `llvm`. False if a value has no name there.
bool to_llvm(std::span<const Key> keys, const Value& ours, Value& llvm, LlvmVersion version = LlvmVersion::v19);
/// Takes LLVM's members, of any version, out of `reader` and adds ours.
void to_ours(std::span<const Key> keys, DocumentReader& reader, Value& ours);

/// The value at a path of members, `runtime_info.kind`; null if there is none.
const Value* find(const Value& map, std::string_view path);
void set(Value& map, std::string_view path, Value value);
/// `value` with the place of `place` in the text.
Value at(const Value& place, Value value);
/// The list with its numbers in hexadecimal.
Value numbers_of(const Value* list);
/// A number; 0 for anything else.
std::uint64_t number_of(const Value* value);
/// `uav_structured_with_counter` as LLVM writes it: UAVStructuredWithCounter.
std::string in_pascal_case(std::string_view words);

/// A list of records by `one(record, made)`.
template <class F>
bool list_to_llvm(const Value* ours, const char* name, Value& llvm, F&& one) {
  Value made = Value::list();
  if (ours != nullptr && ours->as_list() != nullptr) {
    for (const Value& element : *ours->as_list()) {
      Value record = Value::map();
      if (!one(element, record)) return false;
      made.push(std::move(record));
    }
  }
  llvm.add(name, std::move(made));
  return true;
}

/// Puts an error of `name` below it into `reader`, unless one is there.
void pass_on(DocumentReader& reader, Error error, const std::string& name);

template <class F>
void list_to_ours(DocumentReader& reader, const char* name, std::string_view to, Value& ours, F&& one) {
  const Value* const list = reader.take(name);
  if (list == nullptr) return;
  if (list->as_list() == nullptr) return reader.fail(ErrorCode::bad_value, *list, name, "expected a list");
  Value made = at(*list, Value::list());
  for (std::size_t i = 0; i < list->as_list()->size() && reader.ok(); ++i) {
    const Value& element = (*list->as_list())[i];
    DocumentReader record(element);
    Value mine = at(element, Value::map());
    one(record, mine);
    if (auto done = record.finish(); !done)
      return pass_on(reader, std::move(done).error(), std::string(name) + '[' + std::to_string(i) + ']');
    made.push(std::move(mine));
  }
  ours.add(to, std::move(made));
}

/// Takes the map `name` of `reader`, if there is one, by `one(record)`.
template <class F>
void map_to_ours(DocumentReader& reader, const char* name, F&& one) {
  const Value* const map = reader.take(name);
  // An empty map is written as nothing.
  if (map == nullptr || map->is(Value::Kind::null)) return;
  DocumentReader record(*map);
  one(record);
  if (auto done = record.finish(); !done) pass_on(reader, std::move(done).error(), name);
}

Result<Value> finished(DocumentReader& reader, Value ours);

/// A number that LLVM states though it follows from others: `is` at any rate. An error if another one is stated.
void expect_number(DocumentReader& reader, const char* name, std::uint64_t is);

/// A flag that is a member of its own, `true` or left out.
struct Flag {
  std::uint32_t mask;
  std::string name;
};
/// Adds the flags that are set. False if `flags` has others.
bool flags_to_llvm(std::span<const Flag> names, std::uint64_t flags, Value& llvm);
std::uint32_t flags_to_ours(std::span<const Flag> names, DocumentReader& reader);

}  // namespace unshade::shader::document::llvm_form
