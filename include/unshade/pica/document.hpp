// SHBIN files as documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/value_reader.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// The document of a file; `places`: whether it states where things are.
Value shbin_to_value(Shbin shbin, Places places);
Value object_to_value(Object object, Places places);
/// The file, `most` bytes at most; laid out as picasso does unless the document states places, and `store` takes them. Errors: overlap
/// if things have no room at these.
Result<std::vector<std::byte>> shbin_from_value(const Value& value, std::uint64_t most, ValueStore& store);
Result<std::vector<std::byte>> object_from_value(const Value& value, std::uint64_t most, ValueStore& store);

}  // namespace unshade::pica
