// Validation and assembly, which answer with lists of messages.
#include <memory>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/shader/validate.hpp>

#include "capi/messages.hpp"
#include "capi/object.hpp"

using namespace unshade;
using capi::guarded;

void unshade_messages_free(unshade_messages* messages) { delete messages; }
uint32_t unshade_message_count(const unshade_messages* messages) {
  return messages != nullptr ? static_cast<std::uint32_t>(messages->list.size()) : 0;
}
int unshade_has_errors(const unshade_messages* messages) { return messages != nullptr && messages->errors ? 1 : 0; }
unshade_code unshade_message_at(const unshade_messages* messages, uint32_t index, unshade_message* message) {
  return messages != nullptr ? capi::fill_from(message, messages->list, index) : UNSHADE_INVALID_ARGUMENT;
}

namespace {

unshade_messages* messages_of(const std::vector<Diagnostic>& findings) {
  auto made = std::make_unique<unshade_messages>();
  for (const Diagnostic& found : findings) made->add(found.rule->severity, found.rule->id, found.path, found.message, found.offset, 0, 0);
  return made.release();
}

}  // namespace

unshade_code unshade_shader_validate(const unshade_shader* shader, unshade_messages** findings, unshade_error** error) {
  if (findings != nullptr) *findings = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || findings == nullptr) return capi::invalid_argument(error, "shader or findings is NULL");
    *findings = messages_of(shader::validate(shader->shader).diagnostics());
    return UNSHADE_OK;
  });
}

unshade_code unshade_validate(const void* bytes, size_t size, unshade_messages** findings, unshade_error** error) {
  if (findings != nullptr) *findings = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (findings == nullptr || (bytes == nullptr && size != 0)) return capi::invalid_argument(error, "bytes or findings is NULL");
    *findings = messages_of(shader::validate(capi::view_of(bytes, size)));
    return UNSHADE_OK;
  });
}

unshade_code unshade_assemble(unshade_family language, const char* text, size_t size, unshade_blob** file, unshade_messages** messages,
                              unshade_error** error) {
  const unshade_assemble_options options{sizeof(unshade_assemble_options), language, 0, nullptr, 0};
  return unshade_assemble_with(&options, text, size, file, messages, error);
}

unshade_code unshade_assemble_with(const unshade_assemble_options* options, const char* text, size_t size, unshade_blob** file,
                                   unshade_messages** messages, unshade_error** error) {
  if (file != nullptr) *file = nullptr;
  if (messages != nullptr) *messages = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (options == nullptr || options->struct_size < sizeof(unshade_assemble_options))
      return capi::invalid_argument(error, "options is NULL or has an unknown size");
    if (file == nullptr || (text == nullptr && size != 0)) return capi::invalid_argument(error, "text or file is NULL");
    if (options->language < 0 || options->language > UNSHADE_UNKNOWN_FAMILY) return capi::invalid_argument(error, "unknown family");
    const std::string_view source = without_byte_order_mark({text != nullptr ? text : "", size});
    auto family = static_cast<shader::Family>(options->language);
    if (family == shader::Family::unknown) family = shader::language_of(source);
    shader::AssembleOptions how;
    how.container = options->make_container != 0;
    if (options->into != nullptr) how.into = capi::view_of(options->into, options->into_size);
    if ((how.container || options->into != nullptr) && !shader::traits_of(family).assembles_containers)
      return capi::invalid_argument(error, "make_container is only valid for DXIL");
    if (how.container && options->into != nullptr) return capi::invalid_argument(error, "into and make_container must not be combined");
    if (options->into != nullptr && options->into_size == 0) return capi::invalid_argument(error, "into is empty");
    const Assembly assembled = shader::assemble(family, source, how);
    auto made = capi::make_messages(assembled.messages);
    std::unique_ptr<unshade_blob> blob;
    if (assembled.ok) blob.reset(capi::make_blob(View(assembled.file).text()));
    unshade_code code = UNSHADE_OK;
    if (!assembled.ok) code = capi::fail_by_first(error, assembled.messages);
    *file = blob.release();
    if (messages != nullptr) *messages = made.release();
    return code;
  });
}
