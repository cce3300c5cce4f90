// Which shaders of a database: conditions, as SQL.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/find/facts.hpp>
#include <unshade/find/sketch.hpp>

#include <unshade/index/schema.hpp>

namespace unshade::index {

/// A condition, and the values of its parameters.
class Query {
 public:
  /// Shaders that have a name with `text` in it, in small or capital letters.
  void add_text(std::string_view text);
  /// `cbuffer:Camera`, `Camera`, `t3`, `input:TEXCOORD*`: a binding, or another name of the interface. Returns what is wrong, or nothing.
  std::string add_binding(std::string_view text);
  /// `opcode:sample_d`, `sample*`, `discard_nz`, `dx.op.sample.f32`: an opcode, as listings spell it, whatever its suffix and overload.
  void add_opcode(std::string_view text);
  /// A name that any tool gives the shader, or at least its first eight digits. Returns what is wrong, or nothing.
  std::string add_identity(std::string_view text);
  /// A condition of SQL over the view `shaders`.
  void add_condition(std::string_view sql);
  /// Shaders whose listing has all words of a text. Returns what is wrong, or nothing.
  std::string add_words(std::string_view text);

  /// The ids of the shaders, in ascending order. Those without a place are left out. Throws Fault; of the kind sql, its message begins with
  /// the option that it is about.
  std::vector<std::int64_t> run(Connection& database) const;

 private:
  void add(std::string_view sql, std::vector<std::string> values = {});

  std::string sql_;
  std::vector<std::string> values_;  // of parameters, in their order
  bool has_condition_ = false;
  bool has_words_ = false;
};

/// The bytes that a name of a shader stands for, whatever its spelling: `0x5BA01B57`, `fs.7a74...`, `ac5d747a-ff0df274-...`. Nothing if
/// these are no digits, or fewer than eight.
std::optional<std::vector<std::byte>> identity_bytes(std::string_view text);

/// How like a shader is.
struct Likeness {
  std::int64_t id = 0;
  double similarity = 0;  ///< of the sketches, from 0 to 1
};
/// Of the shaders `among`, those that are as similar, the most similar first; of the same family alone.
std::vector<Likeness> like(Connection& database, const find::Sketch& sketch, shader::Family family, double threshold,
                           const std::vector<std::int64_t>& among);

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

/// Reads rows, one after the other.
class Rows {
 public:
  explicit Rows(Connection& database);
  FoundRow of(std::int64_t id);
  /// The bytes of a shader that the database keeps; nothing if it keeps none.
  std::optional<std::vector<std::byte>> bytes_of(const FoundRow& row);

 private:
  Statement shader_, places_;
  std::optional<Statement> bytes_;
};

}  // namespace unshade::index
