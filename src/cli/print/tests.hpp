// Outcomes of tests: for people, and as JSON, TAP and JUnit's XML.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <unshade/suite/test.hpp>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"

namespace unshade::cli::print {

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

void write_outcome(const suite::Outcome& outcome, Json& json);
void write_counts(const TestCounts& counts, Json& json);

/// TAP version 13, which readers of 14 take too: Perl's prove refuses 14, and lists of texts with colons.
/// src: testanything.org/tap-version-13-specification.html
void begin_tap(std::size_t count, Printer& out);
void print_tap(const suite::Outcome& outcome, std::size_t number, Printer& out);

/// The XML that JUnit's Ant task writes, as far as CI systems read it: a suite for each file. Outcomes of a file must follow each other.
std::string junit(std::span<const TimedOutcome> outcomes);

}  // namespace unshade::cli::print
