// What a file is that is no shader binary: archives, programs, pictures, bytecode of others, by their first bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/core/view.hpp>

namespace unshade::shader {

/// What a file of a kind is good for.
enum class FileUse : std::uint8_t {
  none,
  search,    ///< shaders may lie inside: archives, compressed files, programs, captures, caches
  assemble,  ///< a listing, or a source of an assembly language
  compile,   ///< a source of a shading language
  build,     ///< a document of which a file is made
  test,      ///< tests of shaders
  draw,      ///< a picture that shaders draw
  ask,       ///< a database
  decode,    ///< other bytes as text: UTF-16
  lowered,   ///< a module of unshade's intermediate representation
  rewrite,   ///< text that would be a listing if it were written otherwise: an assembler says where
};

struct FileKind {
  std::string_view id;    ///< `zip`
  std::string_view name;  ///< with its article: `a ZIP archive`
  FileUse use = FileUse::none;
  std::string_view tools{};  ///< that make a shader or a file of it, of text to compile or to rewrite: `naga, tint`
};

/// The kind of a file by its first bytes; null if they say nothing. 33 KiB of them tell all kinds. Text is known by shader::other_kind().
const FileKind* file_kind_of(View head);

/// The row of a kind, for those that know text; null for an id that there is none of.
const FileKind* find_file_kind(std::string_view id);

}  // namespace unshade::shader
