#include "cli/table.hpp"

#include "cli/verbs/verbs.hpp"

namespace unshade::cli {

namespace {

constexpr const Verb* kVerbs[] = {
    &kInfo,      &kDump,       &kBuild, &kDis,         &kAs,   &kLink, &kReflect, &kDiff, &kValidate, &kExtract,
    &kEmbed,     &kPack,       &kEdit,  &kStrip,       &kSign, &kPart, &kRootSig, &kPdb,  &kSource,
#ifdef UNSHADE_HAS_KHRONOS
    &kDecompile,
#endif
    &kHelpVerb,  &kSchemaVerb, &kMan,   &kCompletions,
};

}  // namespace

std::span<const Verb* const> all_verbs() { return kVerbs; }

const Verb* find_verb(std::string_view name) {
  for (const Verb* verb : kVerbs)
    if (verb->name == name) return verb;
  return nullptr;
}

}  // namespace unshade::cli
