#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs {

namespace {

constexpr const Verb* kVerbs[] = {
    &info::kVerb,      &dump::kVerb,     &build::kVerb,  &dis::kVerb,     &as::kVerb,          &link::kVerb,
    &reflect::kVerb,   &graph::kVerb,    &ir::kVerb,     &run::kVerb,     &draw::kVerb,        &test::kVerb,
    &diff::kVerb,      &validate::kVerb, &scan::kVerb,   &extract::kVerb, &hash::kVerb,        &match::kVerb,
#ifdef UNSHADE_HAS_DATABASE
    &index::kVerb,     &search::kVerb,
#endif
    &embed::kVerb,     &pack::kVerb,     &edit::kVerb,   &strip::kVerb,   &sign::kVerb,        &part::kVerb,
    &rootsig::kVerb,   &pdb::kVerb,      &source::kVerb,
#ifdef UNSHADE_HAS_KHRONOS
    &decompile::kVerb,
#endif
    &git_setup::kVerb, &help::kVerb,     &schema::kVerb, &man::kVerb,     &completions::kVerb,
};

}  // namespace

std::span<const Verb* const> all() { return kVerbs; }

const Verb* find(std::string_view name) {
  for (const Verb* verb : kVerbs)
    if (verb->name == name) return verb;
  return nullptr;
}

}  // namespace unshade::cli::verbs
