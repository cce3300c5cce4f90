// A shader as source.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <unshade/core/text/identifiers.hpp>
#include <unshade/present/made.hpp>
#include <unshade/write/source.hpp>
#include <unshade/write/translate.hpp>

#include "capi/object.hpp"
#include "capi/printed.hpp"

using namespace unshade;
using capi::guarded;

namespace {

/// What a word chooses; a null pointer leaves what is chosen. False: it is none of the words.
template <std::size_t N, class Value>
bool choose(const char* word, const std::array<std::string_view, N>& words, Value& chosen) {
  if (word == nullptr) return true;
  const auto found = std::ranges::find(words, std::string_view(word));
  if (found == words.end()) return false;
  chosen = static_cast<Value>(found - words.begin());
  return true;
}

Result<std::string> document_of(std::string_view file, std::string_view language, const write::SourceText& source) {
  return capi::printed_files(present::Schema::decompile, present::Json::Layout::compact, [&](present::Json& json) -> Result<void> {
    present::write_source_text(file, "", language, source, true, json);
    return {};
  });
}

}  // namespace

unshade_code unshade_decompile(const unshade_shader* shader, const unshade_decompile_options* options, unshade_blob** text,
                               unshade_blob** document, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  if (document != nullptr) *document = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return capi::invalid_argument(error, "shader or text is NULL");
    unshade_decompile_options given{};
    if (!capi::read_options(options, given)) return capi::invalid_argument(error, capi::kSmallOptions);
    write::SourceOptions how;
    how.entry = capi::or_empty(given.entry);
    how.language = write::usual_language(shader->shader.family);
    how.setting = write::Setting::readable;
    if (!choose(given.language, write::kShadingLanguageIds, how.language)) return capi::invalid_argument(error, "unknown language");
    if (!choose(given.setting, write::kSettingIds, how.setting)) return capi::invalid_argument(error, "unknown setting");
    if (!choose(given.environment, write::kGlslEnvironmentIds, how.glsl.environment))
      return capi::invalid_argument(error, "unknown environment");
    if (how.language != ShadingLanguage::glsl && (given.environment != nullptr || given.version != 0 || given.flip_y != 0))
      return capi::invalid_argument(error, "environment, version and flip_y are only valid for GLSL");
    how.glsl.version = given.version;
    if (given.version != 0 && !is_glsl_version(given.version, how.glsl.environment == write::GlslEnvironment::es))
      return capi::invalid_argument(error, "unknown GLSL version");
    how.glsl.flip_y = given.flip_y != 0;
    auto made = write::to_source(shader->shader, how);
    if (!made) return capi::fail(error, made.error());
    std::unique_ptr<unshade_blob> printed;
    if (document != nullptr) {
      write::find_in_listing(shader->shader, *made);
      const auto json = document_of(capi::or_empty(given.file), write::kShadingLanguageIds[static_cast<std::size_t>(how.language)], *made);
      if (!json) return capi::fail(error, json.error());
      printed.reset(capi::make_blob(*json));
    }
    *text = capi::make_blob(made->text);
    if (document != nullptr) *document = printed.release();
    return UNSHADE_OK;
  });
}
