#include "cli/verbs/other_words.hpp"

#include <cstddef>

#include <unshade/core/spelling.hpp>

#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs {

namespace {

/// Other words for verbs: of other tools, and likely guesses. With an option, the verb does it if that is given.
struct OtherWord {
  std::string_view word;
  std::string_view verb;  ///< `run`, or `run --step`
};
constexpr OtherWord kOtherWords[] = {
    {"animate", "draw --animate"},
    {"asm", "as"},
    {"assemble", "as"},
    {"assembler", "as"},
    {"attach", "rootsig"},
    {"carve", "scan"},
    {"cfg", "graph"},
    {"check", "validate"},
    {"cmp", "diff"},
    {"compare", "diff"},
    {"convert", "decompile"},
    {"coverage", "test --coverage"},
    {"crc", "hash"},
    {"cross", "decompile"},
    {"debug", "run --step"},
    {"decode", "dis"},
    {"detach", "rootsig"},
    {"disasm", "dis"},
    {"disassemble", "dis"},
    {"dot", "graph --dot"},
    {"dump-bin", "dis"},
    {"dumpbin", "dis"},
    {"equal", "run --against"},
    {"equivalence", "run --against"},
    {"exec", "run"},
    {"execute", "run"},
    {"extractpart", "part"},
    {"extractrootsignature", "rootsig"},
    {"file", "info"},
    {"find", "scan"},
    {"fingerprint", "hash"},
    {"fix", "sign"},
    {"flow", "graph"},
    {"glsl", "decompile"},
    {"grep", "search"},
    {"header", "embed"},
    {"hexdump", "dump"},
    {"history", "draw --history"},
    {"hlsl", "decompile"},
    {"identify", "info"},
    {"inject", "extract --replace"},
    {"inspect", "dump"},
    {"interpret", "run"},
    {"json", "dump"},
    {"lint", "validate"},
    {"list", "info"},
    {"listing", "dis"},
    {"listparts", "part"},
    {"lower", "ir"},
    {"ls", "info"},
    {"md5", "hash"},
    {"merge", "link"},
    {"msl", "decompile"},
    {"obj2yaml", "dump"},
    {"objdump", "dis"},
    {"paint", "draw"},
    {"parts", "part"},
    {"print", "dis"},
    {"profile", "run --profile"},
    {"readelf", "dump"},
    {"rebind", "edit"},
    {"reflection", "reflect"},
    {"rename", "edit"},
    {"render", "draw"},
    {"replace", "extract --replace"},
    {"rootsignature", "rootsig"},
    {"rust", "embed --lang rust"},
    {"sarif", "validate --sarif"},
    {"setprivate", "part"},
    {"setrootsignature", "rootsig"},
    {"sha1", "hash"},
    {"sha256", "hash"},
    {"show", "dis"},
    {"simulate", "run"},
    {"sources", "source"},
    {"step", "run --step"},
    {"stepper", "run --step"},
    {"trace", "run --trace"},
    {"translate", "decompile"},
    {"transpile", "decompile"},
    {"unpack", "extract"},
    {"usage", "help"},
    {"val", "validate"},
    {"verify", "validate"},
    {"yaml", "dump"},
    {"yaml2obj", "build"},
};

/// The verb that a word probably means, or an empty text: another tool's word for it, or a typing mistake in a verb or such a word.
std::string_view meant_by(std::string_view word) {
  if (word.size() > 32) return {};
  std::string_view nearest;
  std::size_t best = 3;  // further off is no typing mistake
  const auto consider = [&](std::string_view known, std::string_view verb) {
    if (find(verb.substr(0, verb.find(' '))) == nullptr) return;
    // Of a short word, two other letters leave nothing.
    if (const auto far = spelling_distance(word, known); far < best && (far < 2 || known.size() > 2)) {
      best = far;
      nearest = verb;
    }
  };
  for (const OtherWord& other : kOtherWords)
    if (other.word == word) consider(other.word, other.verb);
  for (const Verb* verb : all()) consider(verb->name, verb->name);
  for (const OtherWord& other : kOtherWords) consider(other.word, other.verb);
  return nearest;
}

}  // namespace

std::string no_such_verb(std::string_view word) {
  std::string message = "no verb '" + std::string(word) + "'";
  if (const auto verb = meant_by(word); !verb.empty()) message += "; did you mean '" + std::string(verb) + "'?";
  return message;
}

std::string_view verb_of_word(std::string_view word) {
  for (const OtherWord& other : kOtherWords)
    if (other.word == word && find(other.verb.substr(0, other.verb.find(' '))) != nullptr) return other.verb;
  return {};
}

}  // namespace unshade::cli::verbs
