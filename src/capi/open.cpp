// Opening, summary, listing, source text.
#include <mutex>
#include <optional>
#include <utility>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/shader/embed.hpp>
#include <unshade/shader/listing.hpp>

#include "capi/listing.hpp"
#include "capi/object.hpp"

using namespace unshade;
using capi::fail;
using capi::guarded;

static_assert(static_cast<int>(shader::Family::dxbc) == UNSHADE_DXBC && static_cast<int>(shader::Family::dxil) == UNSHADE_DXIL &&
              static_cast<int>(shader::Family::pica) == UNSHADE_PICA && static_cast<int>(shader::Family::spirv) == UNSHADE_SPIRV &&
              static_cast<int>(shader::Family::vbc) == UNSHADE_VBC && static_cast<int>(shader::Family::unknown) == UNSHADE_UNKNOWN_FAMILY);
static_assert(static_cast<int>(shader::SourceLanguage::c) == UNSHADE_SOURCE_C &&
              static_cast<int>(shader::SourceLanguage::cpp) == UNSHADE_SOURCE_CPP &&
              static_cast<int>(shader::SourceLanguage::rust) == UNSHADE_SOURCE_RUST);

namespace {

unshade_code open_view(std::unique_ptr<unshade_shader> made, View file, unshade_shader** out, unshade_error** error) {
  auto opened = shader::open(file);
  if (!opened) return fail(error, opened.error());
  made->shader = *std::move(opened);
  *out = made.release();
  return UNSHADE_OK;
}

unshade_code open_owned(std::vector<std::byte> bytes, unshade_shader** out, unshade_error** error) {
  auto made = std::make_unique<unshade_shader>();
  made->owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const View file(*made->owned);
  return open_view(std::move(made), file, out, error);
}

}  // namespace

const unshade_shader::Known& unshade_shader::known() const {
  const std::lock_guard lock(mutex_);
  if (!known_) {
    Known made{shader::summarize(shader), {}};
    if (made.summary.digest) made.digest = id(*made.summary.digest);
    known_ = std::move(made);
  }
  return *known_;
}

const char* unshade_family_name(unshade_family family) {
  constexpr const char* kNames[] = {"dxbc", "dxil", "pica", "spirv", "vbc", "unknown"};
  return family >= 0 && family <= UNSHADE_UNKNOWN_FAMILY ? kNames[family] : "unknown";
}

unshade_family unshade_identify(const void* bytes, size_t size) {
  if (bytes == nullptr) return UNSHADE_UNKNOWN_FAMILY;
  unshade_family family = UNSHADE_UNKNOWN_FAMILY;
  guarded(nullptr, [&] {
    family = static_cast<unshade_family>(shader::identify(capi::view_of(bytes, size)));
    return UNSHADE_OK;
  });
  return family;
}

unshade_code unshade_open(const void* bytes, size_t size, unshade_shader** shader, unshade_error** error) {
  if (shader != nullptr) *shader = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or shader is NULL");
    const auto* from = static_cast<const std::byte*>(bytes);
    return open_owned(std::vector<std::byte>(from, from + size), shader, error);
  });
}

unshade_code unshade_open_borrowed(const void* bytes, size_t size, unshade_shader** shader, unshade_error** error) {
  if (shader != nullptr) *shader = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or shader is NULL");
    return open_view(std::make_unique<unshade_shader>(), capi::view_of(bytes, size), shader, error);
  });
}

unshade_code unshade_open_source(const char* text, size_t size, const char* name, unshade_shader** shader, unshade_error** error) {
  if (shader != nullptr) *shader = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || (text == nullptr && size != 0)) return capi::invalid_argument(error, "text or shader is NULL");
    auto found = shader::shader_in_source(capi::view_of(text, size), name != nullptr ? std::string_view(name) : std::string_view{});
    if (!found) return fail(error, found.error());
    return open_owned(std::move(found->bytes), shader, error);
  });
}

void unshade_shader_free(unshade_shader* shader) { delete shader; }

const void* unshade_shader_data(const unshade_shader* shader) { return shader != nullptr ? shader->shader.file.data() : nullptr; }
size_t unshade_shader_size(const unshade_shader* shader) { return shader != nullptr ? shader->shader.file.size() : 0; }

unshade_code unshade_summarize(const unshade_shader* shader, unshade_summary* summary) {
  if (shader == nullptr) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> unshade_code {
    const auto& [known, digest] = shader->known();
    return capi::fill(summary, {sizeof(unshade_summary), static_cast<unshade_family>(known.family), known.instruction_count.value_or(0),
                                known.size, known.stage.c_str(), known.profile.c_str(), known.creator.c_str(), digest.c_str(),
                                static_cast<std::uint32_t>(known.parts.size()), known.trailing});
  });
}

unshade_code unshade_part_at(const unshade_shader* shader, uint32_t index, unshade_part* part) {
  if (shader == nullptr) return UNSHADE_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> unshade_code {
    const auto& parts = shader->known().summary.parts;
    if (index >= parts.size()) return UNSHADE_INVALID_ARGUMENT;
    return capi::fill(part, {sizeof(unshade_part), parts[index].fourcc.c_str(), parts[index].offset, parts[index].size});
  });
}

unshade_code unshade_part_data(const unshade_shader* shader, uint32_t index, unshade_blob** data, unshade_error** error) {
  if (data != nullptr) *data = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || data == nullptr) return capi::invalid_argument(error, "shader or data is NULL");
    if (shader->shader.container() == nullptr) return fail(error, UNSHADE_UNSUPPORTED, 0, {}, "the file is no container");
    const auto parts = shader->shader.parts();
    if (index >= parts.size()) return fail(error, UNSHADE_MISSING, 0, {}, "the container has no part of this index");
    *data = capi::make_blob(parts[index].data.text());
    return UNSHADE_OK;
  });
}

unshade_code unshade_disassemble(const unshade_shader* shader, uint32_t flags, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return capi::invalid_argument(error, "shader or text is NULL");
    Text listing;
    if (const auto done = shader::disassemble(shader->shader, listing, capi::listing_options(flags)); !done)
      return fail(error, done.error());
    *text = capi::make_blob(listing.view());
    return UNSHADE_OK;
  });
}

unshade_code unshade_embed(const unshade_shader* shader, int32_t language, const char* name, int with_listing, unshade_blob** text,
                           unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return capi::invalid_argument(error, "shader or text is NULL");
    if (language < UNSHADE_SOURCE_C || language > UNSHADE_SOURCE_RUST) return capi::invalid_argument(error, "unknown language");
    shader::EmbedOptions options;
    options.language = static_cast<shader::SourceLanguage>(language);
    if (name != nullptr) options.name = name;
    options.listing = with_listing != 0;
    options.type = shader::default_source_type(shader->shader, options.language);
    Text source;
    const std::string_view prologue = shader::source_prologue(options.language, *options.type);
    if (!prologue.empty()) source << prologue << '\n';
    if (const auto done = shader::embed(shader->shader, options, source); !done) return fail(error, done.error());
    *text = capi::make_blob(source.view());
    return UNSHADE_OK;
  });
}
