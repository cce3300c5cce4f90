// JSON of files that were made: edited, assembled, linked, packed, translated, written as source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/message.hpp>
#include <unshade/core/result.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/present/json.hpp>
#include <unshade/write/source.hpp>
#include <unshade/write/translate.hpp>

namespace unshade::present {

/// What came of the edit of a file: a fault, a reason why it was skipped, or another file.
struct EditedFile {
  std::string file;
  std::string_view family;
  std::optional<Error> error;
  std::string skipped;
  bool changed = false;
  std::uint64_t size_before = 0;
  std::uint64_t size = 0;
  std::vector<std::string> notes;
  std::string output;  ///< the file that it was written to; empty: the document has `bytes`, in hexadecimal
  std::vector<std::byte> bytes;
};
/// An element of `files`.
void write_edited(const EditedFile& edited, Json& json);

/// A program that was made. Of PICA200 sources and objects it tells what is in it; of others, the family.
struct MadeProgram {
  std::span<const std::byte> bytes;
  std::string_view family;
  const pica::Shbin* shbin = nullptr;
};
/// unshade.as/1; `program` is null if there is none.
void write_assembled(std::span<const Message> messages, const MadeProgram* program, Json& json);
/// unshade.link/1
void write_linked(std::span<const std::string> files, const MadeProgram& program, Json& json);
/// unshade.pack/1
void write_packed(const MadeProgram& program, Json& json);

/// An element of `files`: source of a module. `has_score`: with the measures of the text.
void write_source_text(std::string_view file, std::string_view stage, std::string_view language, const write::SourceText& source,
                       bool has_score, Json& json);
/// An element of `files`: a shader that was translated to SPIR-V, with where its resources are bound. `has_bytes`: with the module, in
/// hexadecimal.
void write_translation(std::string_view file, const write::Translation& translation, bool has_bytes, Json& json);
/// An element of `files`: a shader as an array. `name`: of the array.
void write_embedded(std::string_view file, std::string_view family, std::string_view name, std::uint64_t size, std::string_view source,
                    Json& json);

}  // namespace unshade::present
