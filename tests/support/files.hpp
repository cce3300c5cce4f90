// Files that tests read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::test {

inline std::filesystem::path source_dir() { return UNSHADE_SOURCE_DIR; }

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

inline View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}, 0); }

/// A sample of tests/data/dxbc.
inline std::vector<std::byte> sample(std::string_view name) { return read_bytes(source_dir() / "tests/data/dxbc" / name); }

/// Bytes from commented hex: pairs of digits, blanks where you like, `#` to the end of the line, "text" between quotes as it is.
inline std::vector<std::byte> from_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) bytes.push_back(static_cast<std::byte>(text[i]));
    } else if (digit(text[i]) >= 0 && i + 1 < text.size() && digit(text[i + 1]) >= 0) {
      bytes.push_back(static_cast<std::byte>(digit(text[i]) * 16 + digit(text[i + 1])));
      ++i;
    }
  }
  return bytes;
}

/// The corpus: UNSHADE_CORPUS, or ../shared/corpus beside the checkout. Empty where there is none; tests skip then.
inline std::filesystem::path corpus_dir() {
  const char* given = std::getenv("UNSHADE_CORPUS");
  const std::filesystem::path dir = given != nullptr && *given != '\0' ? std::filesystem::path(given) : source_dir() / "../shared/corpus";
  std::error_code fault;
  return std::filesystem::is_directory(dir, fault) ? dir : std::filesystem::path();
}

/// Why a corpus test skips itself.
inline constexpr const char* kNoCorpus = "no corpus: set UNSHADE_CORPUS to a folder that holds dxbc/, or put it at ../shared/corpus";

/// All files below a folder whose name ends so, in the order of their paths.
inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& dir, std::string_view ending) {
  std::vector<std::filesystem::path> files;
  std::error_code fault;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir, fault))
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace unshade::test
