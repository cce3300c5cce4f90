// Documents as text: YAML or JSON of any kind becomes a value that prints to text of the same value, or is refused with a place in it.
#include <string>
#include <string_view>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/value.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/document.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

std::string fault_of(const Error& error, std::string_view text) {
  if (error.message.empty()) return "a fault without a message";
  if (error.offset > text.size()) return "a fault beyond the text: " + to_string(error);
  return {};
}

}  // namespace

std::string document_text(View file) {
  const std::string_view text = file.text();
  const auto value = document_text::read_yaml(text);
  if (!value) return fault_of(value.error(), text);
  Text printed;
  present::print_yaml(printed, *value);
  const auto again = document_text::read_yaml(printed.view());
  if (!again) return "what is printed is refused: " + to_string(again.error());
  Text twice;
  present::print_yaml(twice, *again);
  if (twice.view() != printed.view()) return "what is printed is read as something else";
  const auto built = [&]() -> Result<std::vector<std::byte>> {
    if (!shader::is_llvm_document(*value)) return shader::build_document(*value);
    const auto rest = document_text::read_llvm_rest(text);
    if (!rest) return rest.error();
    return shader::build_llvm_document(*value, *rest);
  }();
  if (!built) return fault_of(built.error(), text);
  if (built->size() > limits::kBuiltBytesBase * 2 + limits::kBuiltBytesPerWeight * 64 * (file.size() + 1))
    return "a file out of proportion to its document";
  return {};
}

}  // namespace unshade::fuzz
