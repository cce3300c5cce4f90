// What the user knows of the names in what is decompiled: a file of new names, and a header that declares resources.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/shader/hlsl/declarations.hpp>
#include <unshade/write/source.hpp>

#include "cli/io/io.hpp"
#include "cli/line/verb.hpp"

namespace unshade::cli::verbs {

inline constexpr Option kNames{"names", 0, Takes::file, "FILE", {}, "names of your choice, from a file in TOML"};
inline constexpr Option kNamesOut{"names-out", 0, Takes::file, "FILE", {}, "write a file for --names with all names of the texts"};
inline constexpr Option kLayout{"layout", 0,  Takes::file,
                                "FILE",   {}, "names and members of stripped resources, from declarations in HLSL: a header's cbuffers"};

/// The same for all files of a run.
class GivenNames {
 public:
  /// False, and a complaint.
  bool read(const Args& args, Io& io);
  /// Has a text written with what is given. False, and a complaint once, if new names cannot be names in its language.
  bool apply(unshade::write::SourceOptions& options, Io& io);
  /// Whether an error is one of new names, which then is reported at its place.
  bool report(std::string_view shader, const Error& error, Io& io) const;
  /// Reports what was not used for a text, and keeps its names.
  void add(const std::string& shader, const unshade::write::SourceText& text, Io& io);
  /// Warns of names that fit none of the texts, and writes the file that is asked for.
  Exit finish(Io& io) const;

 private:
  using Table = unshade::write::NewNames::Table;
  bool read_names(const Value& document, Io& io);
  bool read_table(const Value& from, Table& into, Io& io);
  bool read_layout(const std::string& name, Io& io);
  std::size_t place_of(std::string_view path) const;
  void add_places(const std::string& path, const Value& value);
  std::string file() const;

  std::optional<Input> names_file_;
  Value document_;
  std::map<std::string, std::size_t, std::less<>> places_;  ///< in the file, by what write/names.hpp calls it: `members/cb0/data`
  std::optional<unshade::write::NewNames> names_;
  std::optional<shader::HlslDeclarations> declarations_;
  std::string names_out_;
  std::map<ShadingLanguage, bool> checked_;              ///< whether names can be names in a language
  std::vector<unshade::write::SourceName> all_;          ///< of all texts, each once
  std::set<std::pair<std::string, std::string>> known_;  ///< those in all_, by what they are within
  std::size_t texts_ = 0;
};

}  // namespace unshade::cli::verbs
