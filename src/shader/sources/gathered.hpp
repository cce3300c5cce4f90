// Sources while they are gathered from a file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/source_files.hpp>

namespace unshade::shader::sources {

inline Error missing(const Shader& shader) { return {ErrorCode::missing, shader.file.file_offset(), "sources", "the file has no sources"}; }

/// An empty list is an error as well.
inline Result<Sources> or_missing(const Shader& shader, Result<Sources> found) {
  if (found && found->files.empty()) return missing(shader);
  return found;
}

/// Names and texts may be shared in the file and are copied here: together they may be so many times its size, and kTextBase more.
inline constexpr std::size_t kTextPerByte = 16;
inline constexpr std::size_t kTextBase = std::size_t{1} << 16;

class Gathered {
 public:
  explicit Gathered(std::string where, std::size_t bytes) : left_(bytes * kTextPerByte + kTextBase) { sources.where = std::move(where); }

  Sources sources;

  /// False if it would be too much.
  bool add(std::string_view name, std::string_view text, bool has_text) {
    if (!take(sizeof(SourceFile) + name.size() + text.size())) return false;
    sources.files.push_back({std::string(name), std::string(text), has_text});
    return true;
  }
  bool append(std::string_view text) {
    if (!take(text.size())) return false;
    sources.files.back().text += text;
    return true;
  }
  /// For what is kept beside the files.
  bool spend(std::size_t bytes) { return take(bytes); }
  Error too_much(View file) const { return {ErrorCode::limit, file.file_offset(), "sources", "shared texts expand beyond the limit"}; }

 private:
  bool take(std::size_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  std::size_t left_;
};

}  // namespace unshade::shader::sources
