// Names for files of results.
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/file_names.hpp>
#include <unshade/core/text/lowered.hpp>
#include <unshade/run/run.hpp>

namespace unshade::run {
namespace {

/// Characters of a name that a file's name takes from it.
constexpr std::size_t kMostCharacters = 100;

std::string file_name(std::string_view name) {
  std::string made;
  for (const char c : name.substr(0, kMostCharacters)) {
    const bool plain = is_name_character(c) || c == '-' || (c == '.' && !made.empty());
    made += plain ? c : '_';
  }
  if (names_device(made)) made.insert(0, 1, '_');
  return made.empty() ? "_" : made;
}

}  // namespace

std::vector<std::string> file_names(std::span<const ResultArray> arrays) {
  std::set<std::string> taken;  // in small letters
  std::vector<std::string> made;
  for (const ResultArray& array : arrays) {
    std::string name = file_name(array.name);
    if (!taken.insert(lowered(name)).second) {
      const std::string base = array.key.empty() ? name : name + '_' + file_name(array.key);
      name = base;
      for (unsigned number = 2; !taken.insert(lowered(name)).second; ++number) name = base + '_' + std::to_string(number);
    }
    made.push_back(std::move(name));
  }
  return made;
}

}  // namespace unshade::run
