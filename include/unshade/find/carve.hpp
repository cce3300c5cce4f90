// Shaders inside any bytes: found by their magic numbers, checked by their structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::find {

/// How sure it is that a hit is a shader of this size.
enum class Certainty : std::uint8_t {
  possible,  ///< its parts fill it exactly, but the digest is wrong
  likely,    ///< its structure is right; no digest, or no function, says where it ends
  certain,   ///< its digest is right, or its structure was followed to its last byte
};
/// `certain`, ...
std::string_view id(Certainty certainty);

/// How a shader lies in other bytes.
enum class Form : std::uint8_t { container, spirv, shbin, vbc, bitcode, database };
/// `container`, ...
std::string_view id(Form form);

/// A shader that was found.
struct Hit {
  std::uint64_t offset = 0;  ///< bytes from the start of the file
  std::uint64_t size = 0;    ///< bytes
  Form form = Form::container;
  shader::Family family = shader::Family::unknown;
  Certainty certainty = Certainty::certain;
  std::optional<std::uint64_t> parent;  ///< offset of the hit that it lies in; see nest()
};

/// Larger shaders are not found; those of some forms have lower limits.
inline constexpr std::size_t kLargestHit = std::size_t{1} << 26;

/// What may be a shader, but reaches beyond the bytes that were searched.
struct Unfinished {
  std::uint64_t offset = 0;  ///< bytes from the start of the file
  std::size_t needs = 0;     ///< bytes from there that tell whether it is one; 0: not known
};

/// What carve() finds, in the order of the offsets.
struct Carved {
  std::vector<Hit> hits;
  std::vector<Unfinished> unfinished;
};

/// Looks for shaders that begin in the first `starts` bytes of a piece of a file. `is_last`: the file ends with it. Work is bounded in
/// proportion to the piece: of what was made to cost more, less is checked.
/// Containers whose header states their size: DXContainer, also with a wrong digest if its parts fill it exactly. By their structure:
/// SPIR-V with a memory model, SHBIN, bitcode of DXIL, program databases that hold a container, VBC of the current layout.
/// What is unfinished is found by another call, whose piece begins there, with `starts` 1.
Carved carve(View piece, std::size_t starts, bool is_last);

/// Puts the hits of a file in order, with their parents, and drops what cannot be a shader of its own: bitcode in a container, what is
/// merely possible inside another shader, and what overlaps one that is as certain.
void nest(std::vector<Hit>& hits);

}  // namespace unshade::find
