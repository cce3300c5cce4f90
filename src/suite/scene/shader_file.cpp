#include "suite/scene/shader_file.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/traits.hpp>

namespace unshade::suite {
namespace {

Result<std::vector<std::byte>> assembled(std::string_view text) {
  const shader::Family language = shader::language_of(text);
  Assembly made = shader::assemble(language, text, {.container = shader::traits_of(language).assembles_containers});
  if (made.ok) return std::move(made.file);
  for (const Message& one : made.messages) {
    if (one.severity != Severity::error) continue;
    // a text that goes wrong at once is no listing
    return Error{ErrorCode::bad_value, 0, "",
                 (one.line <= 1 ? "expected a compiled shader or a listing; the assembler of listings says: " : "") + to_string(one)};
  }
  return Error{ErrorCode::bad_value, 0, "", "the text cannot be assembled"};
}

}  // namespace

Result<std::vector<std::byte>> binary_of(std::vector<std::byte> file) {
  if (shader::is_shader(View(file)) || std::ranges::find(file, std::byte{0}) != file.end()) return file;
  return assembled(View(file).text());
}

}  // namespace unshade::suite
