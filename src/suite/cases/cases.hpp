// The cases of a suite: tables expanded, and what a run gave compared with what is expected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/run/picture.hpp>
#include <unshade/run/run.hpp>
#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>
#include <unshade/vm/formats.hpp>

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

/// Names of the fields of a suite, of a case (besides those of run::execute()), of its expectations, and of an expected resource.
std::span<const std::string_view> suite_fields();
std::span<const std::string_view> test_fields();
/// That a map has no other fields than these. `what`: the map in the message. Errors: bad_value.
Result<void> check_fields(const Value& map, std::span<const std::string_view> own, std::span<const std::string_view> more,
                          std::string_view what);
std::span<const std::string_view> expect_fields();
std::span<const std::string_view> expected_resource_fields();

// --- compare.cpp -------------------------------------------------------------------------------------------------------------------------

/// What a component in memory or of a signature is.
struct NumberType {
  enum class Kind : std::uint8_t { real, sint, uint, boolean, texel };
  Kind kind = Kind::real;
  std::uint8_t bytes = 4;
  const vm::Format* format = nullptr;  ///< of texels; may be null if they hold plain numbers
  std::uint8_t component = 0;          ///< of the texel
};
/// `f32`, `u16`; nothing if no type has the name.
std::optional<NumberType> find_number_type(std::string_view name);

struct Number {
  NumberType type;
  double real = 0;
  std::uint64_t bits = 0;  ///< of integers sign-extended, of reals those of their type
};
Number real_number(double value, NumberType type);
Number whole_number(std::uint64_t bits, NumberType type);
/// What bits in memory are.
Number number_of_bits(std::uint64_t bits, NumberType type);
std::string shown(const Number& number);
/// Units in the last place between two numbers of a type: of normalized ones, their steps.
double ulps_between(const Number& a, const Number& b);

/// How far a number may be from what is expected: within one of these. Without any, both must be equal as numbers; with `exact`, all bits.
struct Tolerance {
  double ulp = 0;
  double absolute = 0;
  double relative = 0;
  bool exact = false;
};
/// Those of a map, or `inherited` if it has none.
Result<Tolerance> tolerance_of(const Value& map, Tolerance inherited);

/// One of the conditions of a text: `>= 0`.
struct Condition {
  enum class Is : std::uint8_t { any, nan, number, finite, eq, ne, lt, le, gt, ge };
  Is is = Is::any;
  double value = 0;
  std::optional<Integer> whole{};  ///< the same, of a bound without a fraction
};
/// Those of a text, which must all hold: `0..1` is two. Nothing if it has none.
std::optional<std::vector<Condition>> conditions_of(std::string_view text);
bool holds(const Condition& condition, const Number& number);
/// What a value that is no condition expects, as memory can hold it. Errors: bad_value, also for what it cannot hold.
Result<Number> expected_number(const Value& expected, NumberType type);

struct Mismatch {
  std::string expected;
  std::string actual;
};
/// Compares a number with what is expected of it: a number, a text that is a predicate, or a map of these with a tolerance.
/// Errors: bad_value for an expectation that is none of these.
Result<std::optional<Mismatch>> compared(const Number& actual, const Value& expected, const Tolerance& tolerance);
std::optional<Mismatch> compared(const Number& actual, const Number& expected, const Tolerance& tolerance);

// --- layout.cpp --------------------------------------------------------------------------------------------------------------------------

/// How numbers lie in a resource: parts of elements.
struct Layout {
  std::vector<NumberType> parts;
  std::vector<std::uint32_t> offsets;
  std::uint32_t stride = 0;
  std::shared_ptr<const vm::Format> format;  ///< of texels that are loaded as a whole; may be null

  void add(NumberType type);
  Number load(std::span<const std::byte> bytes, std::size_t number) const;
  std::size_t count(std::size_t bytes) const { return bytes / stride * parts.size(); }
};
/// As what is expected of a resource says, else by the format that the case gives it as; `given`: null if it gives none. Feedback maps are
/// of R8_UINT. Errors: bad_value.
Result<Layout> layout_of(const Value& expected, const Value* given, bool is_feedback_map);
/// Names of the fields by which contents are expected as numbers, and of those that have them as an input does.
inline constexpr std::string_view kContents[] = {"values", "words", "hex", "csv", "npy", "file"};
inline constexpr std::span<const std::string_view> kData = std::span(kContents).subspan(2);
/// What the case gives as a resource; null if it does not. `key`: its binding.
const Value* given_resource(const Case& one, const ir::Module& module, std::string_view name, std::string_view key,
                            std::string_view other_name);

// --- picture.cpp -------------------------------------------------------------------------------------------------------------------------

/// How far a picture may be from what is expected, in steps of 8 bits.
struct PictureBounds {
  std::array<double, 4> channel{};  ///< that a pixel may differ by
  double share = 0;                 ///< of the pixels that may differ by more
  std::optional<double> mean;       ///< of the differences of all channels
};
Result<PictureBounds> picture_bounds_of(const Value& map);
/// Compares pictures in R8G8B8A8_UNORM; of those that do not agree, `difference` shows where.
std::optional<Mismatch> compared(const run::Picture& actual, const run::Picture& expected, const PictureBounds& bounds,
                                 run::Picture& difference);

// --- drawn.cpp ---------------------------------------------------------------------------------------------------------------------------

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
  std::string folder_;  ///< with a slash, or empty
  std::vector<std::byte> bytes_;
  Value scene_;
  scene::SceneOptions drawing_;
};

/// Options that note what they read, with TestOptions::corrects.
class ReadLog {
 public:
  /// Borrows both.
  ReadLog(const TestOptions& options, std::vector<std::string>& names) : from_(options), options_(options), names_(names) {
    if (!options.corrects) return;
    options_.self = this;
    if (options.read_file != nullptr) {
      options_.read_file = [](void* self, std::string_view path) {
        const ReadLog& own = *static_cast<ReadLog*>(self);
        own.names_.emplace_back(path);
        return own.from_.read_file(own.from_.self, path);
      };
    }
    if (options.read_picture != nullptr) {
      options_.read_picture = [](void* self, std::span<const std::byte> bytes) {
        const ReadLog& own = *static_cast<ReadLog*>(self);
        return own.from_.read_picture(own.from_.self, bytes);
      };
    }
  }
  ReadLog(const ReadLog&) = delete;
  ReadLog& operator=(const ReadLog&) = delete;
  const TestOptions& options() const { return options_; }

 private:
  const TestOptions& from_;
  TestOptions options_;
  std::vector<std::string>& names_;
};

/// Draws the scene of a case, and checks targets and resources. `checking`: for the pictures that it expects.
void draw(const Suite& suite, const Case& one, const TestOptions& options, const TestOptions& checking, Outcome& outcome);

// --- expect.cpp --------------------------------------------------------------------------------------------------------------------------

/// Compares the result of a run, as run::execute() gives it, and adds to an outcome.
void check(const Suite& suite, const Case& one, const ir::Module& module, const Value& result, const run::RunOptions& options,
           bool corrects, Outcome& outcome);

// --- messages.cpp ------------------------------------------------------------------------------------------------------------------------

struct WrongMessage {
  const Value* place = nullptr;  ///< what expects it
  std::string what;              ///< `message 2, lane`
  Mismatch mismatch;
};
/// Compares the messages of a result with a list of texts and maps. Errors: bad_value for a list that is none.
Result<std::vector<WrongMessage>> messages_that_differ(const Value& result, const Value& expected);

// --- to_amber.cpp ------------------------------------------------------------------------------------------------------------------------

/// A case as a script of Amber. `module`: the SPIR-V of `shader`. Errors: unsupported, with what Amber cannot say; those of the case.
Result<std::string> amber_script(const Suite& suite, std::size_t test, const Case& one, const run::Runnable& shader, View module,
                                 const run::RunOptions& options);

// --- scene_to_amber.cpp ------------------------------------------------------------------------------------------------------------------

/// A case that draws a scene as a script of Amber. Errors: as those above; their message has the place in the scene.
Result<std::string> scene_script(const Suite& suite, std::size_t test, const Case& one, const TestOptions& options);

}  // namespace unshade::suite::cases
