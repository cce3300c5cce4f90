// What a file is, in a line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

struct PartSummary {
  std::string fourcc;    ///< as text, unprintable characters escaped
  std::uint32_t offset;  ///< of the part's header, bytes from the start of the file
  std::uint32_t size;    ///< of its data
};

/// Facts that `info` shows. Reads the container and the first tokens of the program, no more.
struct Summary {
  Family family = Family::unknown;
  std::string stage;                    ///< `pixel`, `vertex`, `geometry`, `hull`, `domain`, `compute`, ... or empty
  std::string profile;                  ///< `ps_5_0`, or empty
  std::string creator;                  ///< compiler as the file names it, or empty
  std::uint64_t size = 0;               ///< bytes of the file
  std::uint32_t instruction_count = 0;  ///< of the statistics; 0 where there are none
  std::uint32_t trailing = 0;           ///< bytes behind the container
  std::optional<dxcontainer::DigestState> digest;
  std::vector<PartSummary> parts;
};

Summary summarize(const Shader& shader);

}  // namespace unshade::shader
