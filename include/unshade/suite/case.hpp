// A case of a suite, and the scene that it may draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/scene/scene.hpp>
#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>

namespace unshade::suite::cases {

/// A case with its row of the table and with what the suite says of all.
struct Case {
  std::string shader;
  std::string entry;
  bool check = false;
  std::uint32_t shader_offset = 0;  ///< in the text, of the name
  std::string scene;                ///< its file; empty: the case runs the shader
  std::uint32_t scene_offset = 0;
  std::uint32_t offset = 0;  ///< of the case's name, or of the case
  Value given;               ///< for run::execute()
  Value expect;              ///< null: it must finish
  Value tolerance;           ///< a map with what the suite says of it
};

/// Errors: bad_value; missing for a name in a text that is not a column of the table; limit.
Result<Case> expand(const Suite& suite, std::size_t test);

/// The scene that a case draws, and options that find its files beside it.
class SceneFile {
 public:
  /// Errors: those of its file and its text, with the place in the message.
  Result<void> read(const Case& one, const TestOptions& options);
  const Value& scene() const { return scene_; }
  const scene::SceneOptions& drawing() const { return drawing_; }
  /// `cube.toml:3:1: pass[0]: ...`
  std::string placed(const Error& error) const;

 private:
  const TestOptions* options_ = nullptr;
  std::string name_;
  std::vector<std::byte> bytes_;
  Value scene_;
  scene::SceneOptions drawing_;
};

}  // namespace unshade::suite::cases
