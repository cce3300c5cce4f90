#include "cli/print/tests.hpp"

#include <algorithm>

#include <unshade/core/text.hpp>

namespace unshade::cli::print {
namespace {

using suite::Failure;
using suite::Outcome;
using suite::Place;
using suite::Status;

std::string at(std::string_view name, Place place) {
  std::string made(name);
  if (place.line != 0) made += ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
  return made;
}

std::string sentence(const Failure& failure) {
  return failure.expected.empty() && failure.actual.empty() ? failure.what
                                                            : failure.what + ": expected " + failure.expected + ", found " + failure.actual;
}

/// What is said of failures that an outcome counts but does not have; empty if it has all.
std::string more(const Outcome& outcome) {
  const std::size_t hidden = outcome.failed - std::min<std::size_t>(outcome.failed, outcome.failures.size());
  return hidden == 0 ? "" : "... and " + std::to_string(hidden) + " more";
}

/// The name of a test without that of its suite.
std::string_view name_in_file(const Outcome& outcome) {
  const std::string_view name = outcome.name;
  const std::string before = outcome.file + ": ";
  return name.starts_with(before) && name.size() > before.size() ? name.substr(before.size()) : name;
}

// Text for XML, without the characters that it cannot hold.
void escape(Text& out, std::string_view text) {
  std::string valid = as_utf8(text);
  // src: XML 1.0, production 2: no U+FFFE and no U+FFFF
  for (std::size_t at = 0; (at = valid.find("\xef\xbf", at)) != std::string::npos; at += 3)
    if (at + 2 < valid.size() && static_cast<unsigned char>(valid[at + 2]) >= 0xbe) valid[at + 2] = '\xbd';
  for (const char c : valid) {
    switch (c) {
      case '&': out << "&amp;"; break;
      case '<': out << "&lt;"; break;
      case '>': out << "&gt;"; break;
      case '"': out << "&quot;"; break;
      case '\n': out << "&#10;"; break;
      default: out << (static_cast<unsigned char>(c) < 0x20 ? ' ' : c); break;
    }
  }
}

void attribute(Text& out, std::string_view name, std::string_view value) {
  out << ' ' << name << "=\"";
  escape(out, value);
  out << '"';
}

// One element with all failures: of several, many readers show one.
void junit_failures(const Outcome& outcome, Text& out) {
  out << "<failure";
  std::string message = outcome.failures.empty() ? "failed" : sentence(outcome.failures[0]);
  if (outcome.failed > 1) message += " (and " + std::to_string(outcome.failed - 1) + " more)";
  attribute(out, "message", message);
  out << '>';
  std::string text;
  for (const Failure& failure : outcome.failures)
    text += (text.empty() ? "" : "\n") + at(outcome.file, failure.place) + ": " + sentence(failure);
  if (const std::string hidden = more(outcome); !hidden.empty()) text += '\n' + hidden;
  escape(out, text);
  out << "</failure>\n";
}

void junit_case(const TimedOutcome& one, Text& out) {
  const Outcome& outcome = one.outcome;
  out << "<testcase";
  attribute(out, "classname", outcome.file);
  attribute(out, "name", name_in_file(outcome));
  attribute(out, "file", outcome.file);
  out << " time=\"";
  out.fixed(one.seconds, 3) << "\"";
  if (outcome.status == Status::passed) {
    out << "/>\n";
    return;
  }
  out << ">\n";
  if (outcome.status == Status::skipped) {
    out << "<skipped";
    attribute(out, "message", outcome.reason);
    out << "/>\n";
  } else {
    junit_failures(outcome, out);
  }
  out << "</testcase>\n";
}

// The tests of a file.
void junit_suite(std::span<const TimedOutcome> outcomes, Text& out) {
  TestCounts counts;
  double seconds = 0;
  for (const TimedOutcome& one : outcomes) {
    counts.add(one.outcome);
    seconds += one.seconds;
  }
  out << "<testsuite";
  attribute(out, "name", outcomes[0].outcome.file);
  out << " tests=\"";
  out.dec(outcomes.size()) << "\" failures=\"";
  out.dec(counts.failed) << "\" errors=\"0\" skipped=\"";
  out.dec(counts.skipped) << "\" time=\"";
  out.fixed(seconds, 3) << "\">\n";
  for (const TimedOutcome& one : outcomes) junit_case(one, out);
  out << "</testsuite>\n";
}

}  // namespace

void TestCounts::add(const Outcome& outcome) {
  ++(outcome.status == Status::passed ? passed : outcome.status == Status::failed ? failed : skipped);
}

void print_outcome(const Outcome& outcome, Printer& out) {
  const auto word = [&](Paint paint, std::string_view text) {
    out.painted(paint, text);
    out.text.repeat(' ', 9 - text.size());
    print_safely(out.text, outcome.name);
  };
  switch (outcome.status) {
    case Status::passed: word(Paint::good, "passed"); break;
    case Status::failed: word(Paint::error, "failed"); break;
    case Status::skipped:
      word(Paint::faint, "skipped");
      out.text << ": ";
      print_safely(out.text, outcome.reason);
      break;
  }
  out.text << '\n';
  for (const Failure& failure : outcome.failures) {
    out.text << "  ";
    print_safely(out.text, at(outcome.file, failure.place));
    out.text << ": ";
    print_safely(out.text, sentence(failure));
    out.text << '\n';
  }
  if (const std::string hidden = more(outcome); !hidden.empty()) out.text << "  " << hidden << '\n';
}

void print_counts(const TestCounts& counts, Printer& out) {
  out.text.dec(counts.passed) << " passed, ";
  out.text.dec(counts.failed) << " failed, ";
  out.text.dec(counts.skipped) << " skipped\n";
}

void write_outcome(const Outcome& outcome, Json& json) {
  const auto place = [&](Place where) {
    if (where.line == 0) return;
    json.member("line", where.line);
    json.member("column", where.column);
  };
  json.begin_object();
  json.member("name", outcome.name);
  json.member("file", outcome.file);
  json.member("status", id(outcome.status));
  if (outcome.status == Status::skipped) {
    json.member("reason", outcome.reason);
    place(outcome.place);
  }
  json.member("expectations", outcome.expectations);
  json.member("operations", outcome.operations);
  if (outcome.status == Status::failed) {
    json.member("failed", outcome.failed);
    json.objects("failures", outcome.failures, [&](const Failure& failure) {
      place(failure.place);
      json.member("what", failure.what);
      if (!failure.expected.empty()) json.member("expected", failure.expected);
      if (!failure.actual.empty()) json.member("actual", failure.actual);
    });
  }
  json.end_object();
}

void write_counts(const TestCounts& counts, Json& json) {
  json.member("passed", std::uint64_t{counts.passed});
  json.member("failed", std::uint64_t{counts.failed});
  json.member("skipped", std::uint64_t{counts.skipped});
}

void begin_tap(std::size_t count, Printer& out) {
  out.text << "TAP version 13\n1..";
  out.text.dec(count) << '\n';
}

void print_tap(const Outcome& outcome, std::size_t number, Printer& out) {
  const auto escaped = [&](std::string_view text) {
    std::string made;
    for (const char c : text) {
      if (c == '#' || c == '\\') made += '\\';
      made += c;
    }
    print_safely(out.text, made);
  };
  out.text << (outcome.status == Status::failed ? "not ok " : "ok ");
  out.text.dec(number) << " - ";
  escaped(outcome.name);
  if (outcome.status == Status::skipped) {
    out.text << " # SKIP ";
    print_safely(out.text, outcome.reason);
  }
  out.text << '\n';
  if (outcome.failures.empty()) return;
  out.text << "  ---\n  failures:\n";
  for (const Failure& failure : outcome.failures) {
    std::string quoted = at(outcome.file, failure.place) + ": " + sentence(failure);
    for (std::size_t k = 0; (k = quoted.find('\'', k)) != std::string::npos; k += 2) quoted.insert(k, 1, '\'');
    out.text << "    - message: '";
    print_safely(out.text, quoted);
    out.text << "'\n";
  }
  if (const std::string hidden = more(outcome); !hidden.empty()) out.text << "    - message: '" << hidden << "'\n";
  out.text << "  ...\n";
}

std::string junit(std::span<const TimedOutcome> outcomes) {
  Text out;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  while (!outcomes.empty()) {
    const auto end = std::ranges::find_if(outcomes, [&](const TimedOutcome& one) { return one.outcome.file != outcomes[0].outcome.file; });
    const auto count = static_cast<std::size_t>(end - outcomes.begin());
    junit_suite(outcomes.first(count), out);
    outcomes = outcomes.subspan(count);
  }
  out << "</testsuites>\n";
  return out.str();
}

}  // namespace unshade::cli::print
