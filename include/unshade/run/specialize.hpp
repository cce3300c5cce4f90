// Specialization constants of SPIR-V that a case sets.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/spirv/edit.hpp>

namespace unshade::run {

/// The constant that a name, or the number of a constant_id, means; null if there is none. `reflection` may be null.
const shader::SpecializationConstant* specialization_named(const shader::Reflection* reflection, std::string_view name);
/// What a map of constants says of those of a reflection. Errors: bad_value.
Result<std::vector<spirv::SpecializedConstant>> specializations_of(const Value& constants, const shader::Reflection& reflection);
/// A copy of a file of SPIR-V modules with other defaults. Errors: those of its parsers.
Result<std::vector<std::byte>> specialized_file(View file, const std::vector<spirv::SpecializedConstant>& values);

}  // namespace unshade::run
