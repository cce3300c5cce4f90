// What a test is: something that runs, what it expects, and what came out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/scene/scene.hpp>

namespace unshade::suite {

/// A place in a text, both from 1; 0: none.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class Status : std::uint8_t {
  passed,
  failed,
  skipped,  ///< it needs what is not there
};
/// `passed`.
std::string_view id(Status status);

/// What did not come out as expected.
struct Failure {
  Place place;           ///< of the expectation
  std::string what;      ///< that was looked at: `buffer results, byte 16`
  std::string expected;  ///< empty: it could not run at all, `what` says why
  std::string actual;
};

/// A value that would have been right, for the text of a suite.
struct Correction {
  std::uint64_t offset = 0;  ///< in the text, of the value that is expected
  std::string text;          ///< to stand in its place: a number, a list of them, or hexadecimal digits in quotes
};

/// A picture that a test made.
struct MadePicture {
  std::string name;  ///< of a golden picture, its path as the suite has it; else what it shows: `u0.difference`
  bool is_golden = false;
  picture::Picture picture;
};

struct Outcome {
  std::string name;
  std::string file;  ///< that the test is in: the script or suite
  Status status = Status::passed;
  std::string reason;                   ///< of what was skipped
  Place place;                          ///< of what the reason is about
  std::vector<Failure> failures;        ///< the first kMostFailures
  std::uint32_t expectations = 0;       ///< that were looked at
  std::uint32_t failed = 0;             ///< of them
  std::uint64_t operations = 0;         ///< that the interpreter executed, each for all lanes of a wave
  std::vector<Correction> corrections;  ///< with TestOptions::corrects
  std::vector<MadePicture> pictures;    ///< of comparisons that failed; golden ones with TestOptions::corrects
  // With TestOptions::corrects:
  std::vector<std::uint64_t> kept;  ///< offsets in the text of the suite, of values that are expected and right
  std::vector<std::string> inputs;  ///< files that the test reads, as its suite names them, but for those that it expects
  std::uint32_t elsewhere{};        ///< values that are not as expected and come from another file: columns of a CSV

  std::vector<std::string> mismatches{};  ///< resources of integers that a shader declares as floats, or the reverse: a sentence each
};
inline constexpr std::size_t kMostFailures = 16;

/// A text that others refer to by name.
struct NamedText {
  std::string name;
  std::string text;
};

/// A shader in a language that this library does not compile.
struct ShaderSource {
  std::string_view language;  ///< `GLSL` or `HLSL`
  Stage stage = Stage::none;
  std::string_view text;
  std::string_view entry = "main";
  std::uint32_t version = 0x10000;           ///< of the module, as its header has it: 0x00010300 is 1.3
  std::span<const NamedText> includes = {};  ///< that it may include, before files beside the script
  std::string_view folder = {};              ///< of these; empty: the current one
};

/// What scenes, suites and scripts may use, and what is to be reported of them. Without SceneOptions::read_document, suites cannot draw
/// scenes.
struct TestOptions : scene::SceneOptions {
  bool covers = false;    ///< count executions, for SuiteRunner::coverage()
  bool corrects = false;  ///< say what would have been right
  /// Makes a SPIR-V module of a shader; null: scripts with such shaders are skipped. Errors: missing, if there is no compiler; else what is
  /// wrong with the shader, `path` the `LINE:COLUMN` in its text or empty.
  Result<std::vector<std::byte>> (*compile)(void* self, const ShaderSource& source) = nullptr;
  dxil::Inflate inflate = {};  ///< of sources in debug files, for SuiteRunner::coverage(); null: those that are compressed are not read
};

}  // namespace unshade::suite
