// Where the names of a list are found.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace unshade {

/// The first element of each name. Of a list that only grows, each element is looked at once.
class NameIndex {
 public:
  /// The number of the first element whose name, which `name_of` gives, is this. `list` has to be the same at each call.
  template <class List, class NameOf>
  std::optional<std::size_t> find(const List& list, std::string_view name, NameOf name_of) {
    for (; known_ < list.size(); ++known_) first_.try_emplace(std::string(std::invoke(name_of, list[known_])), known_);
    const auto found = first_.find(name);
    return found == first_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, std::size_t, std::less<>> first_;
  std::size_t known_ = 0;
};

}  // namespace unshade
