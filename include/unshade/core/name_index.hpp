// Where the names of a list are found.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unshade {

/// The elements of each name, the first one before all. Of a list that only grows, each element is looked at once.
class NameIndex {
 public:
  /// The number of the first element whose name, which `name_of` gives, is this. `list` has to be the same at each call.
  template <class List, class NameOf>
  std::optional<std::size_t> find(const List& list, std::string_view name, NameOf name_of) {
    for (std::size_t number = next_.size(); number < list.size(); ++number) {
      const auto [of_name, is_first] = names_.try_emplace(std::string(std::invoke(name_of, list[number])), Ends{number, number});
      if (!is_first) next_[std::exchange(of_name->second.last, number)] = number;
      next_.emplace_back();
    }
    const auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second.first);
  }
  /// The next element with the name of one that find() or this gave.
  std::optional<std::size_t> next(std::size_t number) const { return next_[number]; }

 private:
  struct Ends {
    std::size_t first, last;
  };
  std::map<std::string, Ends, std::less<>> names_;
  std::vector<std::optional<std::size_t>> next_;
};

}  // namespace unshade
