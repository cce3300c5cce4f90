// Assemblers of the families.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct AssemblingRow {
  Family family = Family::unknown;
  Assembly (*assemble)(std::string_view text, const AssembleOptions& options) = nullptr;
};

const AssemblingRow& assembling_row(Family family);

/// What comes of assembling, for assemblers that stop at the first error. The path of an error is `LINE:COLUMN`, if it has one.
Assembly assembly_of(Result<std::vector<std::byte>> made);

}  // namespace unshade::shader::capability
