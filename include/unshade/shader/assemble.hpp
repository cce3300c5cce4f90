// Text back to bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/message.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

struct ListingChecks;

/// Whose assembly language a text is in, by its first lines that are no comments; pica if nothing says otherwise.
Family language_of(std::string_view text);

/// What is said of a text that is in no assembly language, with how those begin: that of the PICA200 is told by most of its lines. Nothing
/// of other texts.
std::optional<Message> no_language(std::string_view text);

/// Whether a text is HLSL or GLSL source by its first statement, which no listing begins with.
bool is_shading_language(std::string_view text);

/// Whether the first line that is no comment is a directive, such as `.proc main`: those of PICA200 sources are.
bool begins_with_directive(std::string_view text);

struct AssembleOptions {
  bool preserve_ids = false;               ///< SPIR-V: %17 is 17 whatever the text begins with
  bool renumber_ids = false;               ///< SPIR-V: ids in the order of their first use
  std::optional<std::uint32_t> version{};  ///< SPIR-V: the version word, if no comment says it
  std::optional<View> into{};              ///< DXIL: the container that gets the program
  bool container = false;                  ///< DXIL: a container is made for the program; without it and `into` bitcode alone comes out
};

/// Whether a file is no shader and could be a listing: a text, which may end in zeros.
bool may_be_listing(View file);

/// What a listing assembles to, in the language that it begins in: a container where its assembler can make one. Of text that is no listing
/// a message says what it is.
Assembly assemble_listing(View file);
/// Its file. Errors: unsupported for sources that have to be compiled; else bad_value, the first error of the assembler, whose path is
/// `LINE:COLUMN`.
Result<std::vector<std::byte>> binary_of(View file);
/// The same of a file that may be a shader, which is given back as it is.
Result<std::vector<std::byte>> binary_of(std::vector<std::byte> file);

/// Assembles a text. Of PICA200 it is the only source; pica::assemble() takes several.
Assembly assemble(Family language, std::string_view text, const AssembleOptions& options = {});

/// The assemblers' part in exact listings, for ListingOptions::checks.
const ListingChecks& listing_checks();

}  // namespace unshade::shader
