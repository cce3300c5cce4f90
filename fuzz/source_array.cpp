#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/shader/array_text.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string source_array(View file) {
  std::size_t work = 0;
  for (const shader::SourceArray& array : shader::find_source_arrays(file.text())) {
    if (array.begin > array.end || array.end > file.size()) return "an array that does not lie in the text";
    // Arrays may stand inside each other as deep as brackets nest.
    work += array.end - array.begin;
    if (work > 4 * file.size() + 4096) break;
    const shader::SourceBytes read = shader::read_source_array(file, array);
    if (!read.read) {
      if (read.read.error().path.empty() || read.read.error().offset > file.file_offset() + file.size()) return "an error without a place";
      continue;
    }
    if (read.bytes.size() < 16) continue;
    Text text;
    shader::write_source_array(View(read.bytes), "x", shader::SourceLanguage::c, shader::SourceType::byte, text);
    const auto again = shader::find_source_arrays(text.view());
    if (again.size() != 1) return "what is written is not found again";
    const View written(std::as_bytes(std::span(text.view())));
    const shader::SourceBytes back = shader::read_source_array(written, again[0]);
    if (!back.read || back.bytes != read.bytes) return "what is written is read as something else";
  }
  // Nothing in a comment is an array.
  for (const auto language : {shader::SourceLanguage::c, shader::SourceLanguage::rust}) {
    Text comment;
    shader::write_source_comment(file.text(), language, comment);
    if (comment.size() > 8 * file.size() + 64) return "a comment out of proportion";
    if (!shader::find_source_arrays(comment.view()).empty()) return "something got out of the comment";
  }
  return {};
}

}  // namespace unshade::fuzz
