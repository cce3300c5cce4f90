#include "shader/hlsl/names.hpp"

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/identifiers.hpp>

namespace unshade::shader::hlsl {

std::string mended(std::string_view name) {
  std::string word;
  word.reserve(name.size() + 1);
  for (const char c : name) {
    if (c == ']') continue;
    word += is_name_character(c) ? c : '_';
  }
  if (word.empty() || is_digit(word.front())) word.insert(word.begin(), '_');
  if (is_keyword(ShadingLanguage::hlsl, word)) word += '_';
  return word;
}

void print_comment_text(Text& out, std::string_view text) {
  for (const char c : text) out << (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c == '\\' ? '/' : c);
}

}  // namespace unshade::shader::hlsl
