// Samplers of a case.
#pragma once

#include <span>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/texel/sampler.hpp>

namespace unshade::run {

/// What the fields of a map say; others are as in `made`.
Result<texel::Sampler> sampler_of(const Value& given, texel::Sampler made = {});

/// All fields of a sampler: a map of which sampler_of() makes the same again.
Value described(const texel::Sampler& sampler);

std::span<const std::string_view> sampler_fields();
/// A sampler that a root signature has. src: D3D12_STATIC_SAMPLER_DESC
texel::Sampler sampler_of(const dxcontainer::StaticSampler& given);

}  // namespace unshade::run
