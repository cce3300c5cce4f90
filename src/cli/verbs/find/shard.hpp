// A part of the files, for one of several machines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/line/verb.hpp"

namespace unshade::cli::verbs {

inline constexpr Option kShard{"shard", 0,  Takes::text,
                               "I/N",   {}, "search only the files of the I-th of N shards, which their names decide"};

/// `3/16`: the third of sixteen. The name of a file decides in which it is, whatever the others are.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;

  bool has(const std::string& name) const;
};
/// Nothing if the text is none.
std::optional<Shard> shard_of(std::string_view text);
inline constexpr std::string_view kShardFault = "--shard must be I/N, I from 1 to N";

}  // namespace unshade::cli::verbs
