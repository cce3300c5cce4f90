// The table of verbs. Each is one file and one namespace, and is glue: what it prints comes from the library or from print/.
#pragma once

#include <span>
#include <string_view>

#include "cli/line/verb.hpp"

namespace unshade::cli::verbs {

#define UNSHADE_VERB_GROUP(id, title)
#define UNSHADE_VERB(group, id, name, summary, words) \
  namespace id {                                      \
  extern const VerbBody kBody;                        \
  }
#include "cli/verbs/verbs.def"

/// All verbs, in the order in which help lists them: those of a group together.
std::span<const Verb> all();
/// The verb of a name, or null.
const Verb* find(std::string_view name);

}  // namespace unshade::cli::verbs
