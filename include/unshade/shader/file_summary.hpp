// A summary of a file, in one line.
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

/// Facts that `info` shows. Reads the container, what states the compiler (of DXIL that is in the module), and the code to count it.
struct Summary {
  Family family = Family::unknown;
  std::string stage;                               ///< `pixel`, `vertex`, `geometry`, `hull`, `domain`, `compute`, ... or empty
  std::string profile;                             ///< `ps_5_0`, or empty
  std::string creator;                             ///< compiler as the file names it, or empty
  std::uint64_t size = 0;                          ///< bytes of the file
  std::optional<std::uint32_t> instruction_count;  ///< see instruction_count(); none if there is no code, or it cannot be read
  std::uint32_t trailing = 0;                      ///< bytes after the container
  std::optional<dxcontainer::DigestState> digest;
  std::vector<PartSummary> parts;
};

Summary summarize(const Shader& shader);
/// The same without the state of the digest and the count, which take reading all of the file.
Summary outline(const Shader& shader);

}  // namespace unshade::shader
