#include <unshade/core/tree.hpp>
#include <unshade/shader/edit.hpp>

#include "capi/object.hpp"

using namespace unshade;
using capi::guarded;

namespace {

unshade_code finish(Result<shader::Edited> edited, unshade_edit** edit, unshade_error** error) {
  if (!edited) return capi::fail(error, edited.error());
  *edit = new unshade_edit{*std::move(edited)};
  return UNSHADE_OK;
}

static_assert(static_cast<int>(shader::Sign::keep) == UNSHADE_SIGN_KEEP && static_cast<int>(shader::Sign::bypass) == UNSHADE_SIGN_BYPASS &&
              static_cast<int>(shader::Sign::zero) == UNSHADE_SIGN_ZERO);

/// Runs an edit; `body` gives the library's result.
template <class Body>
unshade_code make_edit(const unshade_shader* shader, unshade_edit** edit, unshade_error** error, Body body) {
  if (edit != nullptr) *edit = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || edit == nullptr) return capi::invalid_argument(error, "shader or edit is NULL");
    return body();
  });
}

/// An item of a list whose items may be longer than those that this version knows.
template <class Item>
Item item_at(const Item* items, std::size_t index, std::size_t item_size) {
  Item item;
  std::memcpy(&item, reinterpret_cast<const std::byte*>(items) + index * item_size, sizeof item);
  return item;
}

}  // namespace

void unshade_edit_free(unshade_edit* edit) { delete edit; }
const void* unshade_edit_data(const unshade_edit* edit) { return edit != nullptr ? edit->edited.bytes.data() : nullptr; }
size_t unshade_edit_size(const unshade_edit* edit) { return edit != nullptr ? edit->edited.bytes.size() : 0; }
int unshade_edit_changed(const unshade_edit* edit) { return edit != nullptr && edit->edited.changed ? 1 : 0; }
uint32_t unshade_edit_note_count(const unshade_edit* edit) {
  return edit != nullptr ? static_cast<std::uint32_t>(edit->edited.notes.size()) : 0;
}
const char* unshade_edit_note(const unshade_edit* edit, uint32_t index) {
  return edit != nullptr && index < edit->edited.notes.size() ? edit->edited.notes[index].c_str() : nullptr;
}

unshade_code unshade_strip(const unshade_shader* shader, uint32_t what, unshade_edit** edit, unshade_error** error) {
  return make_edit(shader, edit, error, [&]() -> unshade_code {
    Strip options;
    options.debug = (what & UNSHADE_STRIP_DEBUG) != 0;
    options.reflection = (what & UNSHADE_STRIP_REFLECTION) != 0;
    options.private_data = (what & UNSHADE_STRIP_PRIVATE_DATA) != 0;
    options.root_signature = (what & UNSHADE_STRIP_ROOT_SIGNATURE) != 0;
    options.statistics = (what & UNSHADE_STRIP_STATISTICS) != 0;
    options.debug_name = (what & UNSHADE_STRIP_DEBUG_NAME) != 0;
    options.names = (what & UNSHADE_STRIP_NAMES) != 0;
    return finish(shader::strip(shader->shader, options), edit, error);
  });
}

unshade_code unshade_rename(const unshade_shader* shader, const unshade_rename_item* items, size_t count, size_t item_size,
                            unshade_edit** edit, unshade_error** error) {
  return make_edit(shader, edit, error, [&]() -> unshade_code {
    if ((items == nullptr && count != 0) || item_size < sizeof *items) return capi::invalid_argument(error, "items is NULL or too small");
    std::vector<shader::Rename> renames;
    for (std::size_t i = 0; i < count; ++i) {
      const auto item = item_at(items, i, item_size);
      if (item.what < UNSHADE_RENAME_ENTRY || item.what > UNSHADE_RENAME_NODE || item.from == nullptr || item.to == nullptr)
        return capi::invalid_argument(error, "an item has no name or an unknown kind");
      renames.push_back({static_cast<shader::Rename::What>(item.what), item.from, item.to});
    }
    return finish(shader::rename(shader->shader, renames), edit, error);
  });
}

unshade_code unshade_rebind(const unshade_shader* shader, const unshade_rebind_item* items, size_t count, size_t item_size,
                            unshade_edit** edit, unshade_error** error) {
  return make_edit(shader, edit, error, [&]() -> unshade_code {
    if ((items == nullptr && count != 0) || item_size < sizeof *items) return capi::invalid_argument(error, "items is NULL or too small");
    std::vector<shader::Rebind> rebinds;
    for (std::size_t i = 0; i < count; ++i) {
      const auto item = item_at(items, i, item_size);
      if (item.kind > 0x7f) return capi::invalid_argument(error, "kind is not a letter");
      constexpr std::uint32_t kStays = 0xffff'ffff;
      rebinds.push_back({static_cast<char>(item.kind), item.from, item.from_space, item.to,
                         item.to_space != kStays ? std::optional(item.to_space) : std::nullopt});
    }
    return finish(shader::rebind(shader->shader, rebinds), edit, error);
  });
}

unshade_code unshade_set_field(const unshade_shader* shader, const char* path, const char* value, unshade_edit** edit,
                               unshade_error** error) {
  return make_edit(shader, edit, error, [&]() -> unshade_code {
    if (path == nullptr || value == nullptr) return capi::invalid_argument(error, "path or value is NULL");
    return finish(shader::set_field(shader->shader, path, value), edit, error);
  });
}

unshade_code unshade_sign(const unshade_shader* shader, int32_t how, int with_hash, unshade_edit** edit, unshade_error** error) {
  return make_edit(shader, edit, error, [&]() -> unshade_code {
    if (how < UNSHADE_SIGN_KEEP || how > UNSHADE_SIGN_ZERO) return capi::invalid_argument(error, "unknown way to sign");
    return finish(shader::sign(shader->shader, static_cast<shader::Sign>(how), with_hash != 0), edit, error);
  });
}

unshade_code unshade_change_part(const unshade_shader* shader, int32_t what, const char* name, const void* data, size_t size,
                                 unshade_edit** edit, unshade_error** error) {
  return make_edit(shader, edit, error, [&]() -> unshade_code {
    if (what < UNSHADE_PART_ADD || what > UNSHADE_PART_REMOVE) return capi::invalid_argument(error, "unknown change");
    if (name == nullptr || std::strlen(name) != 4) return capi::invalid_argument(error, "the name of a part must have four characters");
    if (data == nullptr && size != 0) return capi::invalid_argument(error, "data is NULL");
    shader::PartChange change;
    change.what = static_cast<shader::PartChange::What>(what);
    change.fourcc = static_cast<std::uint32_t>(little_endian(capi::view_of(name, 4)));
    change.data = capi::view_of(data, size).bytes();
    return finish(shader::change_parts(shader->shader, {&change, 1}), edit, error);
  });
}
