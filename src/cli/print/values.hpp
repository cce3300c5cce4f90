// Numbers that a shader computed, for people.
#pragma once

#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/core/value.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// A number, or what holds them: `1.5, 2.0`, `{position = 1.0, 0.0, 0.0; id = 7}`.
void print_value(const Value& value, Text& out);

/// What a resource holds: a line for each element if its values are known, else words in hexadecimal with the same as f32. Lines that are
/// equal to the one before are counted, and lines after the first 64 too.
void print_memory(const Value& resource, Printer& out);

}  // namespace unshade::cli::print
