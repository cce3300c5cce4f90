// The field tree as flat words.
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/core/tree_path.hpp>
#include <unshade/shader/annotate.hpp>

#include "capi/object.hpp"

using namespace unshade;
using capi::guarded;

struct unshade_tree {
  unshade_tree(std::shared_ptr<const std::vector<std::byte>> bytes, Tree fields) : owned(std::move(bytes)), tree(std::move(fields)) {}

  std::shared_ptr<const std::vector<std::byte>> owned;  // null: the bytes are the caller's
  Tree tree;
  std::vector<std::uint32_t> words;
  std::vector<const char*> names;
  std::vector<std::uint32_t> leaves;
  mutable Mutex mutex;  // of the texts
  mutable capi::Texts texts;
};

static_assert(static_cast<int>(FieldKind::group) == UNSHADE_FIELD_GROUP &&
              static_cast<int>(FieldKind::unsigned_integer) == UNSHADE_FIELD_UNSIGNED &&
              static_cast<int>(FieldKind::enumeration) == UNSHADE_FIELD_ENUMERATION &&
              static_cast<int>(FieldKind::bits) == UNSHADE_FIELD_BITS && static_cast<int>(FieldKind::bytes) == UNSHADE_FIELD_BYTES &&
              static_cast<int>(FieldKind::custom) == UNSHADE_FIELD_CUSTOM);
static_assert(kNoIndex == UNSHADE_NO_OFFSET);

namespace {

std::unique_ptr<unshade_tree> make_tree(std::shared_ptr<const std::vector<std::byte>> bytes, Tree fields) {
  auto tree = std::make_unique<unshade_tree>(std::move(bytes), std::move(fields));
  unshade_tree& made = *tree;
  std::unordered_map<const char*, std::uint32_t> numbers;
  made.words.reserve(made.tree.fields().size() * UNSHADE_FIELD_WORDS);
  for (const Field& field : made.tree.fields()) {
    const auto [name, is_new] = numbers.try_emplace(field.name, static_cast<std::uint32_t>(made.names.size()));
    if (is_new) made.names.push_back(field.name);
    made.words.insert(made.words.end(),
                      {field.parent, field.offset, field.size, field.index, name->second, static_cast<std::uint32_t>(field.type->kind)});
  }
  made.leaves = made.tree.leaves();
  return tree;
}

template <class Print>
unshade_code text_of(const unshade_tree* tree, std::uint32_t field, unshade_blob** text, unshade_error** error, Print print) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (tree == nullptr || text == nullptr) return capi::invalid_argument(error, "tree or text is NULL");
    if (field >= tree->tree.fields().size()) return capi::invalid_argument(error, "no such field");
    *text = capi::make_blob(print());
    return UNSHADE_OK;
  });
}

}  // namespace

unshade_code unshade_shader_annotate(const unshade_shader* shader, unshade_tree** tree, unshade_error** error) {
  if (tree != nullptr) *tree = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || tree == nullptr) return capi::invalid_argument(error, "shader or tree is NULL");
    *tree = make_tree(shader->owned, shader::annotate(shader->shader)).release();
    return UNSHADE_OK;
  });
}

unshade_code unshade_annotate(const void* bytes, size_t size, unshade_tree** tree, unshade_error** error) {
  if (tree != nullptr) *tree = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (tree == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or tree is NULL");
    const auto* const from = static_cast<const std::byte*>(bytes);
    auto copy = std::make_shared<const std::vector<std::byte>>(from, from + size);
    Tree fields = shader::annotate(View(*copy));
    *tree = make_tree(std::move(copy), std::move(fields)).release();
    return UNSHADE_OK;
  });
}

void unshade_tree_free(unshade_tree* tree) { delete tree; }

const uint32_t* unshade_tree_fields(const unshade_tree* tree, uint32_t* count) {
  if (count != nullptr) *count = tree != nullptr ? static_cast<std::uint32_t>(tree->tree.fields().size()) : 0;
  return tree != nullptr ? tree->words.data() : nullptr;
}

const char* unshade_tree_name(const unshade_tree* tree, uint32_t number) {
  return tree != nullptr && number < tree->names.size() ? tree->names[number] : nullptr;
}

unshade_code unshade_tree_path(const unshade_tree* tree, uint32_t field, unshade_blob** path, unshade_error** error) {
  return text_of(tree, field, path, error, [&] { return tree->tree.path(field); });
}

unshade_code unshade_tree_value(const unshade_tree* tree, uint32_t field, unshade_blob** text, unshade_error** error) {
  return text_of(tree, field, text, error, [&] {
    Text value;
    tree->tree.print_value(value, tree->tree.fields()[field]);
    return value.str();
  });
}

uint32_t unshade_tree_at(const unshade_tree* tree, uint64_t offset) {
  if (tree == nullptr) return 0;
  const auto& fields = tree->tree.fields();
  const auto after = std::ranges::upper_bound(tree->leaves, offset, {}, [&](std::uint32_t leaf) { return fields[leaf].offset; });
  if (after == tree->leaves.begin()) return 0;
  const std::uint32_t leaf = *std::prev(after);
  return offset - fields[leaf].offset < fields[leaf].size ? leaf : 0;
}

uint32_t unshade_tree_find(const unshade_tree* tree, const char* path) {
  return tree != nullptr && path != nullptr ? find_field(tree->tree, path).value_or(0) : 0;
}

unshade_code unshade_tree_detail_at(const unshade_tree* tree, uint32_t field, uint32_t index, unshade_detail* detail) {
  if (tree == nullptr || field >= tree->tree.fields().size()) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> unshade_code {
    const std::lock_guard lock(tree->mutex);
    const FieldType& type = *tree->tree.fields()[field].type;
    const auto value = static_cast<std::uint32_t>(little_endian(tree->tree.bytes(tree->tree.fields()[field])));
    if (type.kind == FieldKind::bits) {
      if (index >= type.bits.size()) return UNSHADE_INVALID_ARGUMENT;
      const Bits& bits = type.bits[index];
      const std::uint32_t part = bits.get(value);
      const char* const meaning = bits.names != nullptr ? tree->texts.add(bits.names->find(part)) : "";
      return capi::fill(detail, {sizeof(unshade_detail), bits.name, part, bits.first, bits.count, part != 0, meaning});
    }
    const bool is_flags = type.kind == FieldKind::flags;
    if ((type.kind != FieldKind::enumeration && !is_flags) || index >= type.names->values.size()) return UNSHADE_INVALID_ARGUMENT;
    const NamedValue& named = type.names->values[index];
    const bool is_set = is_flags ? (value & named.value) == named.value && named.value != 0 : value == named.value;
    return capi::fill(detail, {sizeof(unshade_detail), tree->texts.add(named.id), named.value, 0, 0, is_set, ""});
  });
}

uint32_t unshade_tree_error_count(const unshade_tree* tree) {
  return tree != nullptr ? static_cast<std::uint32_t>(tree->tree.errors().size()) : 0;
}

unshade_code unshade_tree_error_at(const unshade_tree* tree, uint32_t index, unshade_message* message) {
  if (tree == nullptr || index >= tree->tree.errors().size()) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&] {
    const std::lock_guard lock(tree->mutex);
    const Error& error = tree->tree.errors()[index];
    return capi::fill(message, {sizeof(unshade_message), "error", unshade_code_name(capi::code_of(error.code)), tree->texts.add(error.path),
                                tree->texts.add(error.message), error.offset, 0, 0});
  });
}
