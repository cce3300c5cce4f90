// A file that a verb made, as JSON: its bytes in hexadecimal, and what there is to say of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::print {

struct EditNote {
  Severity severity = Severity::note;
  std::string_view id;  ///< `repaired`
  std::string path;     ///< of the field
  std::string message;
};

void write_made_file(std::string_view schema, const std::vector<EditNote>& notes, std::string_view family, std::span<const std::byte> bytes,
                     Io& io);

}  // namespace unshade::cli::print
