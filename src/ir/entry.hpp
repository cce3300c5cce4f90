// The entry point of a module that a name means.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>

namespace unshade::ir {

struct NamedEntry {
  std::string_view name;
  Stage stage = Stage::none;
};

/// The number of an entry point, by its name, or its name and stage: `main:vertex`. An empty name means the first one of `stage`, of any if
/// none has it. `path`: of the entry points, for errors. Errors: missing; bad_value, if several have the name.
Result<std::size_t> entry_named(std::span<const NamedEntry> all, std::string_view name, Stage stage, const char* path);

}  // namespace unshade::ir
