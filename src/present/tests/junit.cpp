#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/tests.hpp>

#include "present/tests/words.hpp"

namespace unshade::present {

namespace {

using suite::Failure;
using suite::Outcome;
using suite::Status;
using tests::at;
using tests::more;
using tests::sentence;

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

}  // namespace unshade::present
