#include "capi/object.hpp"

#include <unshade/core/inflate.hpp>

namespace unshade::capi {

namespace {

// Never freed, never changed: what is handed out if there is no memory for more.
unshade_error& no_memory() {
  static unshade_error error{UNSHADE_OUT_OF_MEMORY, 0, {}, "out of memory"};
  return error;
}

constexpr const char* kCodeNames[] = {"ok",      "truncated", "out-of-range", "bad-magic",   "bad-value",
                                      "overlap", "cycle",     "limit",        "unsupported", "missing"};
static_assert(code_of(ErrorCode::truncated) == UNSHADE_TRUNCATED && code_of(ErrorCode::out_of_range) == UNSHADE_OUT_OF_RANGE &&
              code_of(ErrorCode::bad_magic) == UNSHADE_BAD_MAGIC && code_of(ErrorCode::bad_value) == UNSHADE_BAD_VALUE &&
              code_of(ErrorCode::overlap) == UNSHADE_OVERLAP && code_of(ErrorCode::cycle) == UNSHADE_CYCLE &&
              code_of(ErrorCode::limit) == UNSHADE_LIMIT && code_of(ErrorCode::unsupported) == UNSHADE_UNSUPPORTED &&
              code_of(ErrorCode::missing) == UNSHADE_MISSING);

}  // namespace

unshade_code fail(unshade_error** error, unshade_code code, std::uint64_t offset, std::string_view path, std::string_view message) {
  if (error != nullptr) *error = new unshade_error{code, offset, std::string(path), std::string(message)};
  return code;
}

unshade_code fail(unshade_error** error, const Error& fault) {
  return fail(error, code_of(fault.code), fault.offset, fault.path, fault.message);
}

std::string message_with_path(const Error& error) {
  Text text;
  if (!error.path.empty()) print_safely(text, error.path), text << ": ";
  text << error.message;
  return text.str();
}

unshade_code invalid_argument(unshade_error** error, std::string_view message) {
  return fail(error, UNSHADE_INVALID_ARGUMENT, 0, {}, message);
}

unshade_code out_of_memory(unshade_error** error) noexcept {
  if (error != nullptr) *error = &no_memory();
  return UNSHADE_OUT_OF_MEMORY;
}

dxil::Inflate zlib() {
  return {[](std::span<const std::byte> stream, std::span<std::byte> out, void*) { return inflate_zlib(stream, out); }, nullptr};
}

unshade_blob* make_blob(std::string_view bytes) { return new unshade_blob{std::string(bytes)}; }

}  // namespace unshade::capi

using namespace unshade;

const char* unshade_version(void) { return UNSHADE_VERSION; }

const char* unshade_code_name(unshade_code code) {
  if (code == UNSHADE_OUT_OF_MEMORY) return "out-of-memory";
  if (code == UNSHADE_INVALID_ARGUMENT) return "invalid-argument";
  constexpr auto kCount = static_cast<unshade_code>(std::size(capi::kCodeNames));
  return code >= 0 && code < kCount ? capi::kCodeNames[code] : "unknown";
}

unshade_code unshade_error_code(const unshade_error* error) { return error != nullptr ? error->code : UNSHADE_OK; }
uint64_t unshade_error_offset(const unshade_error* error) { return error != nullptr ? error->offset : 0; }
const char* unshade_error_path(const unshade_error* error) { return error != nullptr ? error->path.c_str() : ""; }
const char* unshade_error_message(const unshade_error* error) { return error != nullptr ? error->message.c_str() : ""; }
void unshade_error_free(unshade_error* error) {
  if (error != &capi::no_memory()) delete error;
}

const void* unshade_blob_data(const unshade_blob* blob) { return blob != nullptr ? blob->bytes.c_str() : ""; }
size_t unshade_blob_size(const unshade_blob* blob) { return blob != nullptr ? blob->bytes.size() : 0; }
void unshade_blob_free(unshade_blob* blob) { delete blob; }
