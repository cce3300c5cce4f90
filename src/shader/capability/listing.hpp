// Listings of the families.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>

#include "shader/diff/code.hpp"

namespace unshade::shader::capability {

struct ListingRow {
  Family family = Family::unknown;
  Result<void> (*disassemble)(const Shader& shader, Text& out, const ListingOptions& options) = nullptr;
  std::string_view comment = ";";  ///< what begins a comment
  /// How the instructions alone are listed.
  diff::Code code{};
};

const ListingRow& listing_row(Family family);

}  // namespace unshade::shader::capability
