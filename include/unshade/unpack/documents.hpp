// Shaders that were found as JSON; docs/reference/json has the shapes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>

#include <unshade/unpack/contents.hpp>
#include <unshade/unpack/search.hpp>

namespace unshade::unpack {

/// A shader, as a line of its own: `unshade.scan/1`. `ids`: of its first names, which are given; `output`: where it was written, or empty.
void write_found(std::string_view file, const FoundShader& shader, std::span<const std::string> ids, std::string_view output,
                 present::Printer& out);

/// One shader in a line, for people.
void print_content(std::size_t number, const Content& content, std::string_view output, present::Printer& out);
/// One shader's object of `unshade.extract/1`.
void write_content(const Content& content, std::string_view output, present::Json& json);

}  // namespace unshade::unpack
