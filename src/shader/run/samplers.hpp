// Samplers of a case.
#pragma once

#include <span>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/vm/sampler.hpp>

namespace unshade::shader::runner {

/// What the fields of a map say; others are as in `made`.
Result<vm::Sampler> sampler_of(const Value& given, vm::Sampler made = {});

std::span<const std::string_view> sampler_fields();

}  // namespace unshade::shader::runner
