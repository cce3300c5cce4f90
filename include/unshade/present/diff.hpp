// What differs between two shaders, for people and as JSON.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/shader/diff.hpp>

namespace unshade::present {

struct DiffNames {
  std::string_view before;
  std::string_view after;
};

/// In sections, `-` and `+` before what one of them has, `~` before what both have with other values; lines of code with
/// `context` lines around.
void print_difference(const DiffNames& names, const shader::Difference& difference, std::uint32_t context, Printer& out);

/// A line: whether they differ, and where.
void print_difference_briefly(const DiffNames& names, const shader::Difference& difference, Printer& out);

/// The whole document: docs/reference/json/diff.schema.json.
void write_difference(const DiffNames& names, const shader::Difference& difference, Json& json);
/// Its members but for `schema`, into an object that is open.
void write_difference_members(const DiffNames& names, const shader::Difference& difference, Json& json);

}  // namespace unshade::present
