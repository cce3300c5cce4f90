// What documents and texts tell of: a file by its name, which is open or only bytes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/present/summary.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>

#include "capi/object.hpp"
#include "capi/printed.hpp"

namespace unshade::capi {

class NamedFile {
 public:
  NamedFile(const char* name, const unshade_shader& opened) : name_(or_empty(name)), given_(&opened) {}
  NamedFile(const char* name, View bytes) : name_(or_empty(name)), bytes_(bytes) {}

  std::string_view name() const { return name_; }
  /// Bytes are opened when they are first asked for as a shader.
  Result<const shader::Shader*> shader() {
    if (given_ != nullptr) return &given_->shader;
    if (!opened_) {
      auto opened = shader::open(bytes_);
      if (!opened) return std::move(opened).error();
      opened_ = *std::move(opened);
    }
    return &*opened_;
  }
  Result<present::SummaryRow> summary() {
    const auto opened = shader();
    if (!opened) return opened.error();
    return present::SummaryRow{std::string(name_), given_ != nullptr ? given_->known().summary : shader::summarize(**opened)};
  }
  // Of bytes that do not open they tell why.
  Tree fields() const { return given_ != nullptr ? shader::annotate(given_->shader) : shader::annotate(bytes_); }
  std::vector<Diagnostic> findings() const {
    return given_ != nullptr ? shader::validate(given_->shader).diagnostics() : shader::validate(bytes_);
  }

 private:
  std::string_view name_;
  const unshade_shader* given_ = nullptr;  ///< null: bytes_
  View bytes_{};
  std::optional<shader::Shader> opened_{};
};

/// A function of the C interface that tells of an opened shader, by `tell(file)`, which gives a text or an error. `fault`: what is wrong
/// with other arguments, or null.
template <class Tell>
unshade_code tell_of(const unshade_shader* shader, const char* name, const char* fault, unshade_blob** text, unshade_error** error,
                     Tell tell) noexcept {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return invalid_argument(error, "shader or text is NULL");
    if (fault != nullptr) return invalid_argument(error, fault);
    NamedFile file(name, *shader);
    return hand_out(tell(file), text, error);
  });
}
/// The same of bytes.
template <class Tell>
unshade_code tell_of(const void* bytes, std::size_t size, const char* name, const char* fault, unshade_blob** text, unshade_error** error,
                     Tell tell) noexcept {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (text == nullptr || (bytes == nullptr && size != 0)) return invalid_argument(error, "bytes or text is NULL");
    if (fault != nullptr) return invalid_argument(error, fault);
    NamedFile file(name, view_of(bytes, size));
    return hand_out(tell(file), text, error);
  });
}

}  // namespace unshade::capi
