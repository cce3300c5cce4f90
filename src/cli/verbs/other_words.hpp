// What words mean that are no verbs.
#pragma once

#include <string>
#include <string_view>

namespace unshade::cli::verbs {

/// The error for a word that is no verb, with the one that it probably means: another tool's word, or a typing mistake.
std::string no_such_verb(std::string_view word);

/// The verb, with an option if it has to be given, that does what another tool's word says: `disassemble`, `step`. Empty if there is none.
std::string verb_of_word(std::string_view word);

}  // namespace unshade::cli::verbs
