// Statements about parts, after the program: what they state, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/container.hpp>

#include "dxbc/assemble/program.hpp"
#include "dxbc/assemble/scanner.hpp"
#include "dxbc/container/part_statements.hpp"

namespace unshade::dxbc::container {

/// A part as `.part` names it; without data it is the one that is made.
struct GivenPart {
  std::uint32_t fourcc;
  std::optional<std::vector<std::byte>> data;
  bool has_bytes;  ///< what was taken of `data` is there no more
  const char* at;
  std::optional<std::uint32_t> beside{};  ///< the checksum of the program that code for level 9 was beside
};

/// `.statistic mov_instruction_count 5`
struct StatedCount {
  std::string_view field;
  std::uint32_t value = 0;
  const char* at = nullptr;
};

struct PartStatements {
  std::vector<GivenPart> parts;
  std::vector<StatedCount> counts;
  bool states_instruction_count = false;
  std::uint32_t compile_flags = kUsualCompileFlags;
  const char* compile_flags_at = nullptr;
  std::optional<std::vector<bool>> packed;  ///< of each binding
  const char* packed_at = nullptr;
  std::optional<dxcontainer::Digest> digest;
  std::vector<std::byte> after;     ///< bytes after the parts that belong to the container
  std::vector<std::byte> trailing;  ///< bytes after the container
};

/// Reads statements to the end of the text. `bindings`: how many the table above has. Faults go to `messages`.
PartStatements read_part_statements(assembler::ProgramAssembler& assembler, std::size_t bindings, assembler::Messages& messages);

}  // namespace unshade::dxbc::container
