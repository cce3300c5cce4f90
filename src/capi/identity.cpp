// The names that tools give a shader.
#include <unshade/find/identity.hpp>

#include "capi/object.hpp"

using namespace unshade;

namespace {

/// The library's texts end in no zero.
struct KindTexts {
  std::string id;
  std::string tools;
  std::string summary;
};

const std::vector<KindTexts>& kind_texts() {
  static const std::vector<KindTexts> texts = [] {
    std::vector<KindTexts> made;
    for (const find::IdentityKind& kind : find::identity_kinds())
      made.push_back({std::string(kind.id), std::string(kind.tools), std::string(kind.summary)});
    return made;
  }();
  return texts;
}

}  // namespace

unshade_code unshade_identity_kind_at(uint32_t index, unshade_identity_kind* kind) {
  return capi::guarded(nullptr, [&]() -> unshade_code {
    if (index >= kind_texts().size()) return UNSHADE_INVALID_ARGUMENT;
    const KindTexts& texts = kind_texts()[index];
    return capi::fill(kind, {sizeof(unshade_identity_kind), texts.id.c_str(), texts.tools.c_str(), texts.summary.c_str()});
  });
}

unshade_code unshade_identity(const unshade_shader* shader, const char* kind, unshade_blob** name, unshade_error** error) {
  if (name != nullptr) *name = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || kind == nullptr || name == nullptr) return capi::invalid_argument(error, "shader, kind or name is NULL");
    const auto found = find::identity(shader->shader, kind);
    if (!found) return capi::fail(error, UNSHADE_MISSING, 0, kind, "the shader has no such name");
    *name = capi::make_blob(*found);
    return UNSHADE_OK;
  });
}
