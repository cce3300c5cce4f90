// A part of the files, for one of several machines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace unshade::unpack {

/// `3/16`: the third of sixteen. The name of a file decides in which it is, whatever the others are.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;

  bool has(const std::string& name) const;
};
/// Nothing if the text is none.
std::optional<Shard> shard_of(std::string_view text);

}  // namespace unshade::unpack
