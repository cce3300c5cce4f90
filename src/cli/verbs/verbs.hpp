// The verbs, one file and one namespace each. A verb is glue: what it prints comes from the library or from print/.
#pragma once

#include <span>
#include <string_view>

#include "cli/line/verb.hpp"

namespace unshade::cli::verbs {

namespace info {
extern const Verb kVerb;
}
namespace dump {
extern const Verb kVerb;
}
namespace build {
extern const Verb kVerb;
}
namespace dis {
extern const Verb kVerb;
}
namespace as {
extern const Verb kVerb;
}
namespace link {
extern const Verb kVerb;
}
namespace reflect {
extern const Verb kVerb;
}
namespace diff {
extern const Verb kVerb;
}
namespace validate {
extern const Verb kVerb;
}
namespace extract {
extern const Verb kVerb;
}
namespace embed {
extern const Verb kVerb;
}
namespace pack {
extern const Verb kVerb;
}
namespace edit {
extern const Verb kVerb;
}
namespace strip {
extern const Verb kVerb;
}
namespace sign {
extern const Verb kVerb;
}
namespace part {
extern const Verb kVerb;
}
namespace rootsig {
extern const Verb kVerb;
}
namespace pdb {
extern const Verb kVerb;
}
namespace source {
extern const Verb kVerb;
}
namespace graph {
extern const Verb kVerb;
}
namespace ir {
extern const Verb kVerb;
}
namespace run {
extern const Verb kVerb;
}
namespace draw {
extern const Verb kVerb;
}
namespace test {
extern const Verb kVerb;
}
namespace decompile {
extern const Verb kVerb;  // if the room khronos is built
}
namespace hash {
extern const Verb kVerb;
}
namespace match {
extern const Verb kVerb;
}
namespace index {
extern const Verb kVerb;  // if SQLite is found
}
namespace search {
extern const Verb kVerb;  // if SQLite is found
}
namespace scan {
extern const Verb kVerb;
}
namespace git_setup {
extern const Verb kVerb;
}
namespace help {
extern const Verb kVerb;
}
namespace schema {
extern const Verb kVerb;
}
namespace man {
extern const Verb kVerb;
}
namespace completions {
extern const Verb kVerb;
}

/// All verbs, in the order in which help lists them.
std::span<const Verb* const> all();
/// The verb of a name, or null.
const Verb* find(std::string_view name);

}  // namespace unshade::cli::verbs
