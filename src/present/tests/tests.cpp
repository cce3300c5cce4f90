#include <unshade/present/tests.hpp>

#include <algorithm>

#include <unshade/core/text.hpp>
#include <unshade/present/schemas.hpp>

#include "present/tests/words.hpp"

namespace unshade::present {

namespace {

using suite::Failure;
using suite::Outcome;
using suite::Place;
using suite::Status;
using tests::at;
using tests::more;
using tests::sentence;

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

void begin_tests(Json& json) {
  begin_document(Schema::test, json);
  json.key("tests");
  json.begin_array();
}

void end_outcomes(Json& json) { json.end_array(); }

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
  if (!outcome.mismatches.empty()) json.array("format_mismatches", outcome.mismatches, [&](const std::string& text) { json.string(text); });
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

void print_scripts(std::span<const WrittenScript> scripts, Printer& out) {
  for (const WrittenScript& one : scripts) {
    out.text << (one.path.empty() ? "not written  " : "written  ");
    print_safely(out.text, one.path.empty() ? one.test + ": " + one.reason : one.path);
    out.text << '\n';
  }
}

void write_scripts(std::span<const WrittenScript> scripts, Json& json) {
  json.objects("amber", scripts, [&](const WrittenScript& one) {
    json.member("test", one.test);
    if (one.path.empty()) {
      json.member("reason", one.reason);
    } else {
      json.member("file", one.path);
    }
  });
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

}  // namespace unshade::present
