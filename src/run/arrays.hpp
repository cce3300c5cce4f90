// Results of a run as arrays of numbers, for files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/ir/module.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/vm/machine.hpp>
#include <unshade/vm/resources.hpp>

namespace unshade::run {

/// Shapes what a texture or typed buffer holds: levels (if several) as a list of texels, else layers, slices, rows, texels, samples and
/// components, without those that are 1. Bytes of a texel, if its components are not numbers of 8, 16 or 32 bits.
void shape_texels(const texel::Descriptor& view, ResultArray& to);
/// Shapes other memory: elements of `stride` bytes (0: one after the other) of the reflection's types if they are all the same, else words.
/// `row`: may be null, as `reflection`.
void shape_elements(std::uint32_t stride, const shader::Reflection* reflection, const shader::Resource* row, ResultArray& to);

/// An array of 32-bit numbers.
ResultArray words_of(std::string name, const std::vector<std::uint32_t>& words, std::vector<std::uint64_t> shape);

/// Outputs of lanes, vertices or groups; what is beside them, such as indices.
void add_lanes(const ir::Module& module, const vm::Lanes& lanes, std::vector<ResultArray>& to);
void add_groups(const ir::Module& module, const vm::Groups& groups, std::vector<ResultArray>& to);

}  // namespace unshade::run
