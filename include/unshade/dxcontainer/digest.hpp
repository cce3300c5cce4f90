// The digest in a container's header: MD5 with a padding of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxcontainer {

/// Two ways of padding the last block are in use. src: docs/reference/formats/dxcontainer.md, "Digest".
enum class DigestVariant : std::uint8_t { standard, debug };

/// The state of a container's digest.
enum class DigestState : std::uint8_t {
  valid,        ///< the standard variant over these bytes
  valid_debug,  ///< the debug variant over these bytes
  zero,         ///< all zero: unsigned
  // src: HLSL specifications, INF-0004: two values that no digest has tell runtimes not to check it
  bypass,          ///< 01 sixteen times: shaders of models that are out
  preview_bypass,  ///< 02 sixteen times: shaders of models to come, for runtimes in developer mode
  wrong,
};

/// `valid`, `valid-debug`, `unsigned`, `bypass`, `preview-bypass`, `wrong`.
std::string_view id(DigestState state);

/// The digest that stands for a state: of the two sentinels, else zeros.
Digest sentinel(DigestState state);

/// The digest over a container's bytes; `container` is the whole of it, from the magic on. What is digested begins at byte 20.
Digest compute_digest(View container, DigestVariant variant = DigestVariant::standard);

/// The plain MD5 of bytes, which is what a HASH part holds of bitcode. src: RFC 1321
Digest md5(View bytes);
/// Those of two, which takes little more time than that of the longer one.
std::array<Digest, 2> md5(View first, View second);

/// Compares the digest in the header with both variants and the sentinels.
DigestState check_digest(const Container& container);

}  // namespace unshade::dxcontainer
