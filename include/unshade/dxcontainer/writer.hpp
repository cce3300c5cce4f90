// Puts parts together into a container.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>

namespace unshade::dxcontainer {

/// A part to be written. Borrows its bytes.
struct PartBytes {
  std::uint32_t fourcc = 0;
  std::span<const std::byte> data{};
  std::span<const std::byte> before{};  ///< bytes of no part that precede it; compilers write none
};

/// What a digest is to be.
enum class Signing : std::uint8_t {
  standard,  ///< computed, as compilers and validators do
  debug,     ///< computed, the debug variant
  given,     ///< ContainerForm::digest as it is: zeros, a sentinel, or what an unedited file had
};

/// The header and bytes around the parts.
struct ContainerForm {
  Signing signing = Signing::standard;
  Digest digest{};
  std::uint16_t major_version = 1;
  std::uint16_t minor_version = 0;
  std::span<const std::byte> after{};     ///< bytes after the last part that belong to the container
  std::span<const std::byte> trailing{};  ///< bytes after the container, which neither size nor digest covers
};

/// The file: header, index, and the parts in their order, each after the one before without padding, as fxc and dxc lay them out.
/// Errors: limit if there are more parts than limits::kParts or more bytes than limits::kFileBytes.
/// Source: docs/reference/formats/dxcontainer.md, "Container".
Result<std::vector<std::byte>> write_container(std::span<const PartBytes> parts, const ContainerForm& form = {});

/// How the digest of an existing container is to be given to its successor: computed again in the variant that it had if it was right,
/// else kept as it is.
Signing signing_of(const Container& container);

}  // namespace unshade::dxcontainer
