// Numbers in the memory of resources.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/texel/formats.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::equivalence {

/// A number of an element.
struct Part {
  std::uint32_t offset = 0;
  cases::NumberType type;
};

/// What repeats in a resource: elements of a structured buffer, texels, or words of which nothing is known.
struct Layout {
  std::vector<Part> parts;
  std::uint32_t stride = 4;
  std::optional<texel::Format> format;  ///< of texels
  bool known = false;                   ///< false: parts are words that may be anything
};

/// The largest element, in bytes, whose parts are listed.
inline constexpr std::uint32_t kMostElement = 65536;

/// Of elements of a type.
cases::NumberType number_type(shader::BaseType base);

/// By the format that a case gives the resource, else by the type of its elements in the reflection.
Layout layout_of(const ir::Resource& resource, const Value* given, const shader::Reflection* reflection);

/// A number, and the same as f32 if nothing is known of it.
cases::Number load(const Layout& layout, std::size_t part, std::span<const std::byte> element);

}  // namespace unshade::suite::equivalence
