#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/shader/source_array.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string source_array(View file) {
  std::size_t work = 0;
  for (const SourceArray& array : find_source_arrays(file.text())) {
    if (array.begin > array.end || array.end > file.size()) return "an array that does not lie in the text";
    // Arrays may stand inside each other as deep as brackets nest.
    work += array.end - array.begin;
    if (work > 4 * file.size() + 4096) break;
    const SourceBytes read = read_source_array(file, array);
    if (!read.read) {
      if (read.read.error().path.empty() || read.read.error().offset > file.file_offset() + file.size()) return "an error without a place";
      continue;
    }
    if (read.bytes.size() < 16) continue;
    Text text;
    write_source_array(View(read.bytes), "x", SourceLanguage::c, SourceType::byte, text);
    const auto again = find_source_arrays(text.view());
    if (again.size() != 1) return "what is written is not found again";
    const View written(std::as_bytes(std::span(text.view())));
    const SourceBytes back = read_source_array(written, again[0]);
    if (!back.read || back.bytes != read.bytes) return "what is written is read as something else";
  }
  // Nothing in a comment is an array.
  for (const auto language : {SourceLanguage::c, SourceLanguage::rust}) {
    Text comment;
    write_source_comment(file.text(), language, comment);
    if (comment.size() > 8 * file.size() + 64) return "a comment out of proportion";
    if (!find_source_arrays(comment.view()).empty()) return "something got out of the comment";
  }
  return {};
}

}  // namespace unshade::fuzz
