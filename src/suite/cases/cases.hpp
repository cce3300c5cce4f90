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
#include <unshade/picture/picture.hpp>
#include <unshade/run/run.hpp>
#include <unshade/suite/case.hpp>
#include <unshade/suite/layout.hpp>
#include <unshade/suite/numbers.hpp>
#include <unshade/suite/pictures.hpp>
#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::suite::cases {

/// Names of the fields of a suite, of a case (besides those of run::execute()), of its expectations, and of an expected resource.
std::span<const std::string_view> suite_fields();
std::span<const std::string_view> test_fields();
/// That a map has no other fields than these. `what`: the map in the message. Errors: bad_value.
Result<void> check_fields(const Value& map, std::span<const std::string_view> own, std::span<const std::string_view> more,
                          std::string_view what);
std::span<const std::string_view> expect_fields();
std::span<const std::string_view> expected_resource_fields();

// --- drawn.cpp ---------------------------------------------------------------------------------------------------------------------------

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

/// Compares the result of a run, as run::execute() gives it, and adds to an outcome. `shader`: null for what a scene drew.
void check(const Suite& suite, const Case& one, const run::Runnable* shader, const Value& result, const run::RunOptions& options,
           bool corrects, Outcome& outcome);

// --- messages.cpp ------------------------------------------------------------------------------------------------------------------------

struct WrongMessage {
  const Value* place = nullptr;  ///< what expects it
  std::string what;              ///< `message 2, lane`
  Mismatch mismatch;
};
/// Compares the messages of a result with a list of texts and maps. Errors: bad_value for a list that is none.
Result<std::vector<WrongMessage>> messages_that_differ(const Value& result, const Value& expected);

// --- picture.cpp -------------------------------------------------------------------------------------------------------------------------

/// The memory of a resource as a picture in R8G8B8A8_UNORM, of the format and size that `expected` or else `given` says; `given`: what the
/// case gives as the resource, or null. Errors, which name fields of `expected`: bad_value, those of picture::as_rgba8().
Result<picture::Picture> resource_picture(const Value& image, const Value& expected, const Value* given, std::span<const std::byte> memory);

// --- results.cpp -------------------------------------------------------------------------------------------------------------------------

/// Of elements of a type.
NumberType number_type(ir::Type type, bool is_signed);
/// A number of a result of a run.
Number result_number(const Value& value, NumberType type);
/// Appends a list of a result; false if there is none.
bool add_result_numbers(const Value* list, NumberType type, std::vector<Number>& to);

}  // namespace unshade::suite::cases
