// What a comparison of two shaders found: for people, and as JSON.
#pragma once

#include <span>
#include <string>

#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/suite/equivalence.hpp>

namespace unshade::present {

/// `names`: of both shaders. Mismatches of the interfaces are not printed.
void print_equivalence(const suite::Equivalence& found, std::span<const std::string, 2> names, Printer& out);

/// docs/reference/json/run-against.schema.json has the shape.
void write_equivalence(const suite::Equivalence& found, Json& json);

}  // namespace unshade::present
