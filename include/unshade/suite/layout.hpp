// How the numbers that are expected of a resource lie in its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/suite/case.hpp>
#include <unshade/suite/numbers.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::suite::cases {

/// How numbers lie in a resource: parts of elements.
struct Layout {
  std::vector<NumberType> parts;
  std::vector<std::uint32_t> offsets;
  std::uint32_t stride = 0;
  std::shared_ptr<const texel::Format> format;  ///< of texels that are loaded as a whole; may be null

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
/// What the case gives as a resource; null if it does not. `key`: its binding. `bindings`: of the shader, for the names of its blocks and
/// other spellings of bindings; null for a scene.
const Value* given_resource(const Case& one, const run::Bindings* bindings, std::string_view name, std::string_view key,
                            std::string_view other_name);

}  // namespace unshade::suite::cases
