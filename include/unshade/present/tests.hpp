// Outcomes of tests: for people, and as JSON, TAP and JUnit's XML.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/suite/coverage.hpp>
#include <unshade/suite/test.hpp>

namespace unshade::present {

/// An outcome, and how long it took.
struct TimedOutcome {
  suite::Outcome outcome;
  double seconds = 0;
};

struct TestCounts {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  void add(const suite::Outcome& outcome);
};

void print_outcome(const suite::Outcome& outcome, Printer& out);
void print_counts(const TestCounts& counts, Printer& out);

/// The document, with docs/reference/json/test.schema.json as its shape: begun, then each outcome, then the counts with what else the
/// document has.
void begin_tests(Json& json);
void write_outcome(const suite::Outcome& outcome, Json& json);
/// Closes the list of outcomes.
void end_outcomes(Json& json);
void write_counts(const TestCounts& counts, Json& json);

/// A suite that was written out as a script of Amber.
struct WrittenScript {
  std::string test;    ///< `SUITE: CASE`
  std::string path;    ///< empty: it was not written
  std::string reason;  ///< why
};
/// A line for each.
void print_scripts(std::span<const WrittenScript> scripts, Printer& out);
void write_scripts(std::span<const WrittenScript> scripts, Json& json);

/// TAP version 13, which readers of 14 take too: Perl's prove refuses 14, and lists of texts with colons.
/// src: testanything.org/tap-version-13-specification.html
void begin_tap(std::size_t count, Printer& out);
void print_tap(const suite::Outcome& outcome, std::size_t number, Printer& out);

/// The XML that JUnit's Ant task writes, as far as CI systems read it: a suite for each file. Outcomes of a file must follow each other.
std::string junit(std::span<const TimedOutcome> outcomes);

/// A line for each shader, and for each source.
void print_coverage(const std::vector<suite::CoveredShader>& shaders, Printer& out);
/// `"coverage": [...]`, a member of the document.
void write_coverage(const std::vector<suite::CoveredShader>& shaders, Json& json);

}  // namespace unshade::present
