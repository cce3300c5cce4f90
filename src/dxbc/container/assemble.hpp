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

#include "dxbc/assemble/program.hpp"
#include "dxbc/assemble/scanner.hpp"

namespace unshade::dxbc::container {

struct AssembledPart {
  std::uint32_t fourcc = 0;
  std::vector<std::byte> data;
  const char* at = nullptr;  ///< of its `.part` statement, if it has one
};

/// The parts of a text in their order, and the header and bytes around them.
struct AssembledContainer {
  std::vector<AssembledPart> parts;
  std::optional<dxcontainer::Digest> digest;  ///< if it is not to be computed
  std::vector<std::byte> after;               ///< bytes after the parts that belong to the container
  std::vector<std::byte> trailing;            ///< bytes after the container

  std::vector<assembler::ProgramAssembler::Start> statements;  ///< of the program

  Result<std::vector<std::byte>> write() const;
  /// Which lines of the text the bytes of what write() gives come from.
  std::vector<ByteOrigin> origins(std::string_view text, View file) const;
};

/// Assembles a text; faults go to `messages`, and what comes back is of use without them only.
AssembledContainer assemble_container(std::string_view text, assembler::Messages& messages, const AssemblerOptions& options);

}  // namespace unshade::dxbc::container
