// What differs between two shaders, for people and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/present/files.hpp>
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

/// What two folders have, beside the differences of files that both have.
struct FolderSum {
  std::size_t same_bytes = 0;
  std::size_t same_meaning = 0;
  std::size_t different = 0;
  std::vector<std::string> only_before;  ///< paths in the folder
  std::vector<std::string> only_after;
};
/// The document of two folders, docs/reference/json/diff-folders.schema.json: begun, then a pair for each path with different bytes.
void begin_folders(const DiffNames& folders, Json& json);
void write_pair(std::string_view path, const DiffNames& names, const shader::Difference& difference, Json& json);
void end_folders(const FolderSum& sum, std::span<const Fault> faults, Json& json);
/// `only in FOLDER: PATH`, a line each, and a line with the counts.
void print_folder_sum(const DiffNames& folders, const FolderSum& sum, Printer& out);

}  // namespace unshade::present
