// Which shaders of a database: conditions, and what is found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>

namespace unshade::index {

/// A shader must fulfil all conditions.
struct Conditions {
  std::vector<std::string> names{};    ///< parts of a name in the interface, in small or capital letters
  std::vector<std::string> binds{};    ///< `cbuffer:Camera`, `Camera`, `t3`, `input:TEXCOORD*`: a binding, or another name of the interface
  std::vector<std::string> uses{};     ///< `sample*`, `discard_nz`, `dx.op.sample.f32`: an opcode, as listings spell it
  std::optional<std::string> hash{};   ///< a name that any tool gives the shader, or at least its first eight digits
  std::optional<std::string> where{};  ///< SQL over the view `shaders`
  std::optional<std::string> words{};  ///< of a listing; only of databases that keep these
};

/// Conditions as SQL.
class Query {
 public:
  /// `keeps_words`: of the database that is to be searched. The path of an error is the condition that it is about: `binds`, `hash`,
  /// `words`, or `conditions`, whose message names it.
  static Result<Query> of(const Conditions& conditions, bool keeps_words);

 private:
  friend class Database;

  std::string sql_;
  std::vector<std::string> values_;  // of parameters, in their order
  bool has_condition_ = false;
  bool has_words_ = false;

  void add(std::string_view sql, std::vector<std::string> values = {});
  void add_text(std::string_view text);
  Result<void> add_binding(std::string_view text);
  void add_opcode(std::string_view text);
  Result<void> add_identity(std::string_view text);
  void add_condition(std::string_view sql);
  Result<void> add_words(std::string_view text);
};

/// Where a shader is.
struct FoundPlace {
  std::string path;
  std::string layers;  ///< as scan prints them; empty: in the file as it is
  std::uint64_t offset = 0;
  std::string certainty;
};

/// What is shown of a shader.
struct FoundRow {
  std::int64_t id = 0;
  std::array<std::byte, 16> xxh3{};
  std::string family, stage, profile, creator;
  std::uint64_t size = 0;
  std::optional<std::uint64_t> instructions;
  std::vector<FoundPlace> places;
};

/// A line of a listing.
struct ListedLine {
  std::size_t number = 0;  ///< from 1 on
  std::string text;
  bool is_match = false;  ///< else it stands around one
};

/// A shader that was found.
struct Found {
  FoundRow row;
  std::optional<double> similarity{};  ///< to what was asked for, from 0 to 1
  std::vector<ListedLine> lines{};     ///< of its listing, if a pattern was asked for
};

/// Lines to look for in the listings of shaders.
struct LineSearch {
  std::string expression{};  ///< Perl-compatible; characters are those of UTF-8
  bool ignores_case = false;
  std::size_t around = 0;  ///< lines that are given before and after each
  std::size_t threads = 1;
  /// Asked before a shader is read from the files that it lies in; false ends the search. May be empty.
  std::function<bool(const FoundRow&)> may_read{};
  /// Gets shaders that are in their files no more. May be empty.
  std::function<void(const FoundRow&)> gone{};
  /// Called now and then with the number of shaders that were listed. May be empty.
  std::function<void(std::uint64_t shaders)> progress{};

  /// The error, with the path `regex`, if the expression is none.
  Result<void> check() const;
};

}  // namespace unshade::index
