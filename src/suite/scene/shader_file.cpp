#include "suite/scene/shader_file.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <unshade/pica/assembler.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::suite {
namespace {

Result<std::vector<std::byte>> assembled(std::string_view text) {
  const shader::Family language = shader::language_of(text);
  const auto failed = [](const std::vector<Message>& messages) {
    for (const Message& one : messages)
      if (one.severity == Severity::error) return Error{ErrorCode::bad_value, 0, "", to_string(one)};
    return Error{ErrorCode::bad_value, 0, "", "the text cannot be assembled"};
  };
  if (language == shader::Family::pica) {
    const pica::Source source{"", text};
    const pica::Assembly made = pica::assemble({&source, 1});
    if (!made.ok) return failed(made.messages);
    return pica::write_assembly(made);
  }
  shader::AssembleOptions options;
  options.container = language == shader::Family::dxil;
  Assembly made = shader::assemble(language, text, options);
  if (!made.ok) return failed(made.messages);
  return std::move(made.file);
}

}  // namespace

Result<std::vector<std::byte>> binary_of(std::vector<std::byte> file) {
  if (shader::identify(View(file)) != shader::Family::unknown || std::ranges::find(file, std::byte{0}) != file.end()) return file;
  return assembled(View(file).text());
}

}  // namespace unshade::suite
