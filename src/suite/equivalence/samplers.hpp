// Samplers for two shaders: those that a root signature states, and ones that are generated.
#pragma once

#include <cstdint>

#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/ir/module.hpp>

#include "suite/equivalence/numbers.hpp"

namespace unshade::suite::equivalence {

/// What a root signature, which may be null, states of an element of an array of samplers; null if it states nothing.
const dxcontainer::StaticSampler* static_sampler(const dxcontainer::RootSignature* root, const ir::Resource& resource, std::uint32_t index);

/// As cases have it.
Value any_sampler(bool compares, Numbers& numbers);

}  // namespace unshade::suite::equivalence
