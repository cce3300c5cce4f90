// Findings of validation, as text and JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <unshade/core/diagnostic.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>

namespace unshade::present {

/// `FILE:0x1c: error[isgn.mask-overlap]: path: message`, a line each.
void print_findings(std::string_view file, std::span<const Diagnostic> findings, Printer& out);
/// Whether a file is valid, and how many findings of each severity it has.
struct Verdict {
  /// Not valid if there are findings of at least the severity `fatal`.
  Verdict(std::span<const Diagnostic> findings, Severity fatal);

  bool is_valid = true;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
};

/// `FILE: valid`, or `FILE: not valid: 2 errors, 1 warning`
void print_verdict(std::string_view file, const Verdict& verdict, Printer& out);
/// One line per rule: id, severity, what has to hold.
void print_rules(std::span<const Rule* const> rules, Printer& out);

/// The same as a document; docs/reference/json/rules.schema.json has its shape.
void write_rules(std::span<const Rule* const> rules, Json& json);

/// One file's object; docs/reference/json/validate.schema.json has its shape.
void write_findings(std::string_view file, const Verdict& verdict, std::span<const Diagnostic> findings, Json& json);

}  // namespace unshade::present
