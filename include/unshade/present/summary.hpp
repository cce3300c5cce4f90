// What files are, a line each.
#pragma once

#include <span>
#include <string>

#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/shader/file_summary.hpp>

namespace unshade::present {

/// A file's name and summary. Owns all it says.
struct SummaryRow {
  std::string file;
  shader::Summary summary;
};

/// One line per file in aligned columns: name, family, profile, size, instructions, digest, compiler, parts with their sizes.
void print_summaries(std::span<const SummaryRow> rows, Printer& out);

/// One file's object; docs/reference/json/info.schema.json has its shape.
void write_summary(const SummaryRow& row, Json& json);

}  // namespace unshade::present
