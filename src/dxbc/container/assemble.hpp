// A container from a listing: which parts it has, and what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "dxbc/assemble/scanner.hpp"

namespace unshade::dxbc::container {

struct AssembledPart {
  std::uint32_t fourcc = 0;
  std::vector<std::byte> data;
};

/// The parts of a text in their order, and the header and bytes around them.
struct AssembledContainer {
  std::vector<AssembledPart> parts;
  std::optional<dxcontainer::Digest> digest;  ///< if it is not to be computed
  std::vector<std::byte> after;               ///< bytes after the parts that belong to the container
  std::vector<std::byte> trailing;            ///< bytes after the container

  Result<std::vector<std::byte>> write() const;
};

/// Assembles a text; faults go to `messages`, and what comes back is of use without them only.
AssembledContainer assemble_container(std::string_view text, assembler::Messages& messages, const AssemblerOptions& options);

}  // namespace unshade::dxbc::container
