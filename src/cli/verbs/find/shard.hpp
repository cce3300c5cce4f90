// A part of the files, as verbs take it.
#pragma once

#include <string_view>

#include <unshade/unpack/shard.hpp>

#include "cli/line/verb.hpp"

namespace unshade::cli::verbs {

inline constexpr Option kShard{"shard", 0,  Takes::text,
                               "I/N",   {}, "search only the files of the I-th of N shards, which their names decide"};
inline constexpr std::string_view kShardFault = "--shard must be I/N, I from 1 to N";

}  // namespace unshade::cli::verbs
