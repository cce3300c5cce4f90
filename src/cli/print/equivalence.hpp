// What a comparison of two shaders found: for people, and as JSON.
#pragma once

#include <span>
#include <string>

#include <unshade/suite/equivalence.hpp>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// `names`: of both shaders. Mismatches of the interfaces are not printed.
void print_equivalence(const suite::Equivalence& found, std::span<const std::string, 2> names, Printer& out);

/// docs/reference/json/run-against.schema.json has the shape.
void write_equivalence(const suite::Equivalence& found, Json& json);

}  // namespace unshade::cli::print
