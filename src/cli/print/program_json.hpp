// A PICA200 program that was made, as JSON: what is in it, and its bytes.
#pragma once

#include <cstddef>
#include <span>

#include <unshade/pica/shbin.hpp>

#include "cli/io/json.hpp"

namespace unshade::cli::print {

/// `{"size": ..., "words": ..., "descriptors": ..., "executables": [{"stage", "entry", "end"}], "bytes": "44564c42..."}`
void write_program(const pica::Shbin& shbin, std::span<const std::byte> bytes, Json& json);

}  // namespace unshade::cli::print
