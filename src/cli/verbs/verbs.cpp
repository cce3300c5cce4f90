#include "cli/verbs/verbs.hpp"

#include <cstddef>
#include <iterator>

namespace unshade::cli::verbs {

namespace {

namespace groups {
#define UNSHADE_VERB_GROUP(id, title) constexpr VerbGroup id{#id, title};
#define UNSHADE_VERB(group, id, name, summary, words)
#include "cli/verbs/verbs.def"
}  // namespace groups

constexpr Verb kVerbs[] = {
#define UNSHADE_VERB_GROUP(id, title)
#define UNSHADE_VERB(group, id, name, summary, words) {name, summary, words, groups::group, id::kBody},
#include "cli/verbs/verbs.def"
};

constexpr bool has_names_once() {
  for (std::size_t at = 0; at < std::size(kVerbs); ++at)
    for (std::size_t before = 0; before < at; ++before)
      if (kVerbs[before].name == kVerbs[at].name) return false;
  return true;
}
static_assert(has_names_once());

constexpr bool has_groups_together() {
  for (std::size_t at = 1; at < std::size(kVerbs); ++at)
    for (std::size_t before = 0; before + 1 < at; ++before)
      if (&kVerbs[before].group == &kVerbs[at].group && &kVerbs[at - 1].group != &kVerbs[at].group) return false;
  return true;
}
static_assert(has_groups_together());

}  // namespace

std::span<const Verb> all() { return kVerbs; }

const Verb* find(std::string_view name) {
  for (const Verb& verb : kVerbs)
    if (verb.name == name) return &verb;
  return nullptr;
}

}  // namespace unshade::cli::verbs
