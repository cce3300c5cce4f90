// What is behind the handles of the C interface, and what all its functions do: keep exceptions in, fill structs of any version.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/unshade.h>

#include <unshade/core/mutex.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

struct unshade_error {
  unshade_code code = UNSHADE_OK;
  std::uint64_t offset = 0;
  std::string path;
  std::string message;
};

struct unshade_blob {
  std::string bytes;  // for the zero after them
};

struct unshade_shader {
  std::shared_ptr<const std::vector<std::byte>> owned;  // null: the bytes are the caller's
  unshade::shader::Shader shader;

  /// What unshade_summarize() and unshade_part_at() tell, whose texts stay with the object.
  struct Known {
    unshade::shader::Summary summary;
    std::string digest;
  };
  /// Made when it is first asked for: the digest is of the whole file, and instructions are counted.
  const Known& known() const;

 private:
  mutable unshade::Mutex mutex_;
  mutable std::optional<Known> known_;
};

struct unshade_edit {
  unshade::shader::Edited edited;
};

namespace unshade::capi {

constexpr unshade_code code_of(ErrorCode code) { return static_cast<unshade_code>(code) + 1; }

/// Hands an error out if it is wanted; gives its code.
unshade_code fail(unshade_error** error, unshade_code code, std::uint64_t offset, std::string_view path, std::string_view message);
unshade_code fail(unshade_error** error, const Error& fault);
unshade_code invalid_argument(unshade_error** error, std::string_view message);
/// The message after the path, if there is one: that of a member of an archive.
std::string message_with_path(const Error& error);
/// As fail, without taking memory.
unshade_code out_of_memory(unshade_error** error) noexcept;

/// Runs `body`, which returns a code; what it throws (memory, no more) becomes one. Without exceptions, want of memory ends the program.
template <class Body>
unshade_code guarded(unshade_error** error, Body body) noexcept {
  if (error != nullptr) *error = nullptr;
#if defined(__cpp_exceptions)
  try {
    return body();
  } catch (const std::exception&) {
    return out_of_memory(error);
  }
#else
  return body();
#endif
}

/// Fills as much of the caller's struct as there is room for. `first_size`: that of the struct in the first version that had it.
template <class Struct>
unshade_code fill(Struct* out, const Struct& known, std::size_t first_size = sizeof(Struct)) noexcept {
  if (out == nullptr || out->struct_size < first_size) return UNSHADE_INVALID_ARGUMENT;
  const std::size_t size = out->struct_size;
  std::memcpy(out, &known, std::min(size, sizeof(Struct)));
  out->struct_size = size;
  return UNSHADE_OK;
}

template <class Struct>
unshade_code fill_from(Struct* out, const std::vector<Struct>& list, std::uint32_t index) noexcept {
  return index < list.size() ? fill(out, list[index]) : UNSHADE_INVALID_ARGUMENT;
}

constexpr const char* kSmallOptions = "struct_size of the options is too small";

/// The caller's options, if there are any. False: the caller's struct is too small.
template <class Options>
bool read_options(const Options* options, Options& how) {
  if (options == nullptr) return true;
  if (options->struct_size < sizeof how) return false;
  how = *options;
  return true;
}

/// Texts that an object owns: each once, where it stays.
class Texts {
 public:
  const char* add(std::string_view text) {
    if (text.empty()) return "";
    const auto found = places_.find(text);
    if (found != places_.end()) return found->second;
    const std::string& kept = texts_.emplace_back(text);
    places_.emplace(kept, kept.c_str());
    return kept.c_str();
  }

 private:
  std::deque<std::string> texts_;
  std::map<std::string_view, const char*> places_;
};

unshade_blob* make_blob(std::string_view bytes);

/// Of sources that a file holds compressed.
dxil::Inflate zlib();

inline View view_of(const void* bytes, std::size_t size) { return View({static_cast<const std::byte*>(bytes), size}); }

}  // namespace unshade::capi
