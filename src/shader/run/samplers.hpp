// Samplers of a case.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/vm/sampler.hpp>

namespace unshade::shader::runner {

/// What the fields of a map say; others are as in `made`.
Result<vm::Sampler> sampler_of(const Value& given, vm::Sampler made = {});

}  // namespace unshade::shader::runner
