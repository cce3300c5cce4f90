// Root signatures, and files put together of others.
#include <unshade/dxcontainer/root_signature_text.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/shader/root_signature.hpp>
#include <unshade/shader/source_files.hpp>
#include <unshade/vbc/pack.hpp>

#include "capi/messages.hpp"
#include "capi/object.hpp"

using namespace unshade;
using capi::guarded;

namespace {

unshade_code hand_out_bytes(const std::vector<std::byte>& bytes, unshade_blob** blob) {
  *blob = capi::make_blob(View(bytes).text());
  return UNSHADE_OK;
}

/// A root signature, the data of a part RTS0, as text.
unshade_code hand_out_text(const Result<std::vector<std::byte>>& part, unshade_blob** text, unshade_error** error) {
  if (!part) return capi::fail(error, part.error());
  const auto signature = dxcontainer::parse_root_signature({dxcontainer::fourcc("RTS0"), 0, View(*part)});
  if (!signature) return capi::fail(error, signature.error());
  Text printed;
  if (auto done = dxcontainer::print_root_signature(*signature, printed); !done) return capi::fail(error, done.error());
  *text = capi::make_blob(printed.view());
  return UNSHADE_OK;
}

bool has_null(const unshade_shader* const* shaders, std::size_t count) {
  return shaders == nullptr || std::find(shaders, shaders + count, nullptr) != shaders + count;
}

}  // namespace

unshade_code unshade_shader_root_signature_text(const unshade_shader* shader, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return capi::invalid_argument(error, "shader or text is NULL");
    return hand_out_text(shader::root_signature_of(shader->shader), text, error);
  });
}

unshade_code unshade_root_signature_text(const void* bytes, size_t size, unshade_blob** text, unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (text == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or text is NULL");
    return hand_out_text(shader::root_signature_of(capi::view_of(bytes, size)), text, error);
  });
}

unshade_code unshade_root_signature_make(const char* text, size_t size, unshade_blob** part, unshade_messages** messages,
                                         unshade_error** error) {
  if (part != nullptr) *part = nullptr;
  if (messages != nullptr) *messages = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (part == nullptr || (text == nullptr && size != 0)) return capi::invalid_argument(error, "text or part is NULL");
    const auto parsed = dxcontainer::parse_root_signature_text({text, size});
    if (messages != nullptr) *messages = capi::make_messages(parsed.messages).release();
    if (!parsed.ok) return capi::fail_by_first(error, parsed.messages);
    return hand_out_bytes(dxcontainer::write_root_signature(parsed.signature), part);
  });
}

unshade_code unshade_root_signature_attach(const unshade_shader* shader, const void* part, size_t size, unshade_edit** edit,
                                           unshade_error** error) {
  if (edit != nullptr) *edit = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || edit == nullptr) return capi::invalid_argument(error, "shader or edit is NULL");
    if (part == nullptr) {
      auto detached = shader::detach_root_signature(shader->shader);
      if (!detached) return capi::fail(error, detached.error());
      *edit = new unshade_edit{*std::move(detached)};
      return UNSHADE_OK;
    }
    auto attached = shader::attach_root_signature(shader->shader, capi::view_of(part, size).bytes());
    if (!attached) return capi::fail(error, attached.error());
    for (const Diagnostic& finding : attached->findings)
      attached->edited.notes.push_back(std::string(finding.rule->id) + ": " + finding.path + ": " + finding.message);
    *edit = new unshade_edit{std::move(attached->edited)};
    return UNSHADE_OK;
  });
}

unshade_code unshade_embed_sources(const unshade_shader* shader, const unshade_source_text* items, size_t count, size_t item_size,
                                   unshade_edit** edit, unshade_error** error) {
  if (edit != nullptr) *edit = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || edit == nullptr) return capi::invalid_argument(error, "shader or edit is NULL");
    if ((items == nullptr && count != 0) || item_size < sizeof *items) return capi::invalid_argument(error, "items is NULL or too small");
    std::vector<dxil::SourceText> files;
    for (std::size_t i = 0; i < count; ++i) {
      unshade_source_text item;
      std::memcpy(&item, reinterpret_cast<const std::byte*>(items) + i * item_size, sizeof item);
      if (item.name == nullptr || item.text == nullptr) return capi::invalid_argument(error, "an item has no name or no text");
      files.push_back({item.name, item.text});
    }
    auto edited = shader::embed_sources(shader->shader, files, capi::zlib());
    if (!edited) return capi::fail(error, edited.error());
    *edit = new unshade_edit{*std::move(edited)};
    return UNSHADE_OK;
  });
}

unshade_code unshade_pack(const unshade_shader* const* modules, size_t count, const unshade_shader* like, unshade_blob** file,
                          unshade_error** error) {
  if (file != nullptr) *file = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (file == nullptr || has_null(modules, count)) return capi::invalid_argument(error, "a module or file is NULL");
    std::vector<View> views;
    for (std::size_t i = 0; i < count; ++i) {
      if (modules[i]->shader.family != shader::Family::spirv) return capi::invalid_argument(error, "a file is no SPIR-V module");
      views.push_back(modules[i]->shader.file);
    }
    vbc::PackOptions options;
    if (like != nullptr) {
      const auto* const model = std::get_if<vbc::File>(&like->shader.content);
      if (model == nullptr) return capi::invalid_argument(error, "the file to take tables from is no VBC");
      options = vbc::options_like(*model);
    }
    const auto packed = vbc::pack(views, options);
    if (!packed) return capi::fail(error, packed.error());
    return hand_out_bytes(vbc::write(*packed), file);
  });
}

unshade_code unshade_link(const unshade_shader* const* files, size_t count, unshade_blob** file, unshade_error** error) {
  if (file != nullptr) *file = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (file == nullptr || count == 0 || has_null(files, count)) return capi::invalid_argument(error, "a file is NULL, or there are none");
    std::vector<pica::Shbin> programs;
    for (std::size_t i = 0; i < count; ++i) {
      const shader::Shader& shader = files[i]->shader;
      if (const auto* const object = std::get_if<pica::Object>(&shader.content))
        programs.push_back(pica::from_object(*object));
      else if (const auto* const shbin = std::get_if<pica::Shbin>(&shader.content))
        programs.push_back(*shbin);
      else
        return capi::invalid_argument(error, "a file is neither a SHBIN nor an object");
    }
    const auto linked = pica::link(programs);
    if (!linked) return capi::fail(error, linked.error());
    return hand_out_bytes(pica::write_shbin(*linked), file);
  });
}
