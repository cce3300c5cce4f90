#include "cli/verbs/other_words.hpp"

#include <cstddef>
#include <utility>

#include <unshade/core/spelling.hpp>

#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs {

namespace {

/// Calls `f(word, verb)` for each word that is no verb; `verb` is `run`, or `run --step`.
template <class F>
void for_each_other_word(F f) {
  for (const Verb& verb : all()) {
    for_each_choice(verb.words, [&](std::string_view word) {
      const auto sign = word.find('=');
      std::string meant(verb.name);
      if (sign != std::string_view::npos) meant += ' ' + std::string(word.substr(sign + 1));
      f(word.substr(0, sign), std::move(meant));
    });
  }
}

struct NearWord {
  std::size_t far = 3;  // further off is no typing mistake
  std::string verb;
};

/// The verb that a word probably means, or an empty text: another tool's word for it, or a typing mistake in a verb or such a word.
std::string meant_by(std::string_view word) {
  if (word.size() > 32) return {};
  const auto consider = [&](std::string_view known, std::string verb, NearWord& nearest) {
    const auto far = spelling_distance(word, known);
    if (far > 1 && known.size() <= 2) return;                 // of a short word, two other letters leave nothing
    if (far < nearest.far) nearest = {far, std::move(verb)};  // of equals the first in the table
  };
  NearWord name;
  NearWord other;
  for (const Verb& verb : all()) consider(verb.name, std::string(verb.name), name);
  for_each_other_word([&](std::string_view known, std::string verb) { consider(known, std::move(verb), other); });
  return other.far < name.far ? other.verb : name.verb;
}

}  // namespace

std::string no_such_verb(std::string_view word) {
  std::string message = "no verb '" + std::string(word) + "'";
  if (const auto verb = meant_by(word); !verb.empty()) message += "; did you mean '" + verb + "'?";
  return message;
}

std::string verb_of_word(std::string_view word) {
  std::string meant;
  for_each_other_word([&](std::string_view known, std::string verb) {
    if (known == word) meant = std::move(verb);
  });
  return meant;
}

}  // namespace unshade::cli::verbs
