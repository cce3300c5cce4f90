// Keys that a map of a document has twice.
#pragma once

#include <optional>

#include <unshade/core/value.hpp>

namespace unshade {

/// Two members of a map with the same key, in the order of their key offsets.
struct DuplicateKey {
  const Value::Member& first;
  const Value::Member& second;
};
/// Of a map that was read; nothing if each key is unique.
std::optional<DuplicateKey> find_duplicate_key(const Value::Map& map);

}  // namespace unshade
