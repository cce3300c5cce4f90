// A shader as SPIR-V.
#include <string_view>

#include <unshade/present/made.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/write/translate.hpp>

#include "capi/object.hpp"
#include "capi/printed.hpp"

using namespace unshade;
using capi::guarded;

namespace {

Result<std::string> bindings_of(std::string_view file, const write::Translation& translation) {
  return capi::printed_files(present::Schema::translate, present::Json::Layout::compact, [&](present::Json& json) -> Result<void> {
    present::write_translation(file, translation, false, json);
    return {};
  });
}

}  // namespace

unshade_code unshade_translate(const unshade_shader* shader, const unshade_translate_options* options, unshade_blob** module,
                               unshade_blob** bindings, unshade_error** error) {
  if (module != nullptr) *module = nullptr;
  if (bindings != nullptr) *bindings = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || module == nullptr) return capi::invalid_argument(error, "shader or module is NULL");
    unshade_translate_options given{};
    if (!capi::read_options(options, given)) return capi::invalid_argument(error, capi::kSmallOptions);
    write::TranslateOptions how;
    how.entry = capi::or_empty(given.entry);
    how.file_name = capi::or_empty(given.file);
    if (given.native != 0) how.spirv.numbers = write::Numbers::native;
    how.spirv.flip_y = given.flip_y != 0;
    if (given.target_env != nullptr) {
      const auto version = spirv::target_version(given.target_env);
      if (!version) return capi::invalid_argument(error, "unknown target environment");
      how.spirv.version = *version;
    }
    if (given.binding_model != nullptr) {
      const auto model = write::binding_model(given.binding_model);
      if (!model) return capi::invalid_argument(error, "unknown binding model");
      how.spirv.binding = *model;
    }
    if (given.debug_info != nullptr && !write::choose_debug_info(given.debug_info, how))
      return capi::invalid_argument(error, "unknown kind of debug information");
    const auto moved = write::with_first_set(how.spirv.binding, given.first_set);
    if (!moved) return capi::invalid_argument(error, "first_set " + moved.error().message);
    how.spirv.binding = *moved;
    if (given.has_heap_set != 0) how.spirv.binding.heap_set = given.heap_set;
    if (given.shifts != nullptr) {
      const auto shifts = write::parse_shifts(given.shifts, how.spirv.binding);
      if (!shifts) return capi::fail(error, shifts.error());
      how.spirv.binding = *shifts;
    }
    const auto made = write::to_spirv(shader->shader, how);
    if (!made) return capi::fail(error, made.error());
    std::unique_ptr<unshade_blob> document;
    if (bindings != nullptr) {
      const auto text = bindings_of(capi::or_empty(given.file), *made);
      if (!text) return capi::fail(error, text.error());
      document.reset(capi::make_blob(*text));
    }
    *module = capi::make_blob(View(made->bytes).text());
    if (bindings != nullptr) *bindings = document.release();
    return UNSHADE_OK;
  });
}
