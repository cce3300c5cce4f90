// Places in documents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <unshade/core/value.hpp>

namespace unshade::test {

/// The value at a path of keys and numbers: `parts/0/RDEF/creator`. Null where there is none.
inline Value* at(Value& value, std::string_view path) {
  Value* here = &value;
  while (!path.empty() && here != nullptr) {
    const std::string key(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(key.size() + 1, path.size()));
    if (auto* list = here->as_list()) {
      const std::size_t index = std::stoul(key);
      here = index < list->size() ? &(*list)[index] : nullptr;
    } else {
      here = const_cast<Value*>(here->find(key));
    }
  }
  return here;
}

}  // namespace unshade::test
