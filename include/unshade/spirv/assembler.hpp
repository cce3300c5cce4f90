// From assembly text to a module: the language of spirv-as, and all that our listings say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/message.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>

namespace unshade::spirv {

/// What ids get which numbers.
enum class Numbering : std::uint8_t {
  automatic,  ///< preserve for a text that begins with the header of a listing, else renumber
  preserve,   ///< %17 is 17, and names fill the gaps from 1 on: spirv-as --preserve-numeric-ids. `; id %17` after a name counts as well
  renumber,   ///< in the order of their first use from 1 on, whatever they are called: spirv-as without switches
};

struct AssemblerOptions {
  Numbering numbering = Numbering::automatic;
  /// Version, generator, bound and schema as the comments at the start of a listing say, if they are there.
  bool header_comments = true;
  /// The version word of the module, whatever comments say: 0x00010300 for 1.3. Without either it is that of spirv-as: 1.6.
  std::optional<std::uint32_t> version = std::nullopt;
};

/// The version that a target environment of spirv-as --target-env stands for: `vulkan1.1` is 1.3.
std::optional<std::uint32_t> target_version(std::string_view environment);

/// The names of all of them, for messages: `vulkan1.0, vulkan1.1, ...`.
std::string target_environments(std::string_view separator = ", ");

/// Assembles a text. Source: docs/reference/formats/spirv.md, "Assembly text". Errors: `offset` is the byte of the text, `path` its
/// `LINE:COLUMN`, both from 1; the message says what was expected. Stops at the first. `origins`, if given, gets the line of each
/// instruction.
Result<std::vector<std::byte>> assemble(std::string_view text, const AssemblerOptions& options = {},
                                        std::vector<ByteOrigin>* origins = nullptr);

/// Whether a text assembles to the bytes of the module.
bool assembles_to(std::string_view text, View module);

}  // namespace unshade::spirv
