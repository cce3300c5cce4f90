// The names of a text: each once, and new ones where the user gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/analysis/names.hpp>
#include <unshade/write/names.hpp>

namespace unshade::write::source {

/// A name as it is without new names, which keys of NewNames are compared with, and as it is in the text.
struct Name {
  std::string plain, shown;
};
inline Name operator+(const Name& name, std::string_view suffix) {
  return {name.plain + std::string(suffix), name.shown + std::string(suffix)};
}
inline Name operator+(const Name& a, const Name& b) { return {a.plain + b.plain, a.shown + b.shown}; }

class Names {
 public:
  using Kind = SourceName::Kind;

  /// `given` may be null.
  Names(ShadingLanguage language, const NewNames* given) : plain_(language), shown_(language), given_(given) {}

  /// An identifier as ir::Namer::claim gives it, and what it is in the text. `wanted.shown` differs from `wanted.plain` where that is made
  /// of a name that has a new one: `t3Sample`.
  Name claim(const Name& wanted, std::uint64_t key, Kind kind);
  std::string claim(std::string_view wanted, std::uint64_t key, Kind kind = Kind::resource) {
    return claim(Name{std::string(wanted), std::string(wanted)}, key, kind).shown;
  }
  /// A member of a buffer that is known by its name alone.
  std::string claim_constant(std::string_view within, const Name& wanted, std::uint64_t key);
  /// A member of a structure, whose names are unique already.
  std::string member(std::string_view within, std::string_view name);
  /// A name that is not replaced: a function, a word that a writer has of its own.
  std::string reserve(std::string_view wanted, std::uint64_t key = 0);

  bool are_given() const { return given_ != nullptr; }
  /// New names that something else has, or that a function has which the text calls. Nothing: there are none.
  std::optional<Error> conflict(std::string_view text) const;
  /// Functions that a text calls, but whose name a variable has: with others it would not be what is called.
  std::set<std::string> hidden_functions(std::string_view text) const;
  /// In the order of the claims.
  std::vector<SourceName> take() { return std::move(all_); }

 private:
  const std::string* given(std::string_view within, std::string_view name, Kind kind) const;
  std::string show(const Name& wanted, std::string_view plain, std::uint64_t key, SourceName& made);
  void refuse(const SourceName& of, const std::string& why);
  std::string path_of_given(const SourceName& of) const;

  ir::Namer plain_, shown_;
  const NewNames* given_;
  std::vector<SourceName> all_;
  std::map<std::string, std::size_t, std::less<>> owners_;              ///< by the name in the text, those that have new ones: in all_
  std::set<std::string, std::less<>> known_;                            ///< names in the text, but for members
  std::map<std::pair<std::string, std::string>, std::size_t> members_;  ///< by structure and name, in all_
  std::optional<Error> conflict_;
};

}  // namespace unshade::write::source
