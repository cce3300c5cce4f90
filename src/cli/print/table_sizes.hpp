// The sizes of a VBC's descriptor tables on the command line: `samplers=16,images=4`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <unshade/vbc/file.hpp>

namespace unshade::cli::print {

/// Changes the sizes that the text names. A message if it cannot be understood.
std::optional<std::string> parse_table_sizes(std::string_view text, vbc::TableSizes& sizes);

}  // namespace unshade::cli::print
