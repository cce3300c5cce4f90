#include "system/command_line.hpp"

#include <cstddef>

namespace unshade::system {

std::string command_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_of(" \t\n\v\"") == std::string::npos) {
      line += word;
      continue;
    }
    line += '"';
    std::size_t backslashes = 0;
    for (const char letter : word) {
      // backslashes are themselves, but before a quote
      if (letter == '"') line.append(backslashes + 1, '\\');
      backslashes = letter == '\\' ? backslashes + 1 : 0;
      line += letter;
    }
    line.append(backslashes, '\\');
    line += '"';
  }
  return line;
}

}  // namespace unshade::system
