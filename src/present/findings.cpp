#include <unshade/present/findings.hpp>

#include <algorithm>

#include <unshade/present/schemas.hpp>

namespace unshade::present {

namespace {

Paint severity_paint(Severity severity) {
  switch (severity) {
    case Severity::note: return Paint::faint;
    case Severity::warning: return Paint::warning;
    case Severity::error: return Paint::error;
  }
  return Paint::plain;
}

}  // namespace

void print_findings(std::string_view file, std::span<const Diagnostic> findings, Printer& out) {
  for (const Diagnostic& finding : findings) {
    print_safely(out.text, file);
    out.text << ":0x";
    out.text.hex(finding.offset) << ": ";
    out.paint(severity_paint(finding.rule->severity)) << id(finding.rule->severity) << '[' << finding.rule->id << ']';
    out.paint(Paint::plain) << ": ";
    if (!finding.path.empty()) {
      print_safely(out.text, finding.path);
      out.text << ": ";
    }
    print_safely(out.text, finding.message);
    out.text << '\n';
    if (!out.keep_going()) return;
  }
}

Verdict::Verdict(std::span<const Diagnostic> findings, Severity fatal) {
  for (const Diagnostic& finding : findings) {
    const Severity severity = finding.rule->severity;
    if (severity >= fatal) is_valid = false;
    ++(severity == Severity::error ? errors : severity == Severity::warning ? warnings : notes);
  }
}

void print_verdict(std::string_view file, const Verdict& verdict, Printer& out) {
  print_safely(out.text, file);
  out.text << ": ";
  out.painted(verdict.is_valid ? Paint::good : Paint::error, verdict.is_valid ? "valid" : "not valid");
  char before = ':';
  const auto add = [&](std::size_t number, Severity severity) {
    if (number == 0) return;
    (out.text << before << ' ').dec(number) << ' ' << id(severity) << (number == 1 ? "" : "s");
    before = ',';
  };
  add(verdict.errors, Severity::error);
  add(verdict.warnings, Severity::warning);
  add(verdict.notes, Severity::note);
  out.text << '\n';
}

void print_rules(std::span<const Rule* const> rules, Printer& out) {
  std::size_t width = 0;
  for (const Rule* rule : rules) width = std::max(width, rule->id.size());
  for (const Rule* rule : rules) {
    out.painted(Paint::heading, rule->id);
    out.text.repeat(' ', width - rule->id.size() + 2);
    out.painted(severity_paint(rule->severity), id(rule->severity));
    out.text.repeat(' ', 9 - id(rule->severity).size()) << rule->summary << '\n';  // 9: "warning" and two blanks
  }
}

void write_rules(std::span<const Rule* const> rules, Json& json) {
  begin_document(Schema::rules, json);
  json.objects("rules", rules, [&](const Rule* rule) {
    json.member("id", rule->id);
    json.member("severity", id(rule->severity));
    json.member("summary", rule->summary);
  });
  end_document(json);
}

void write_findings(std::string_view file, const Verdict& verdict, std::span<const Diagnostic> findings, Json& json) {
  json.begin_object();
  json.member("file", file);
  json.member("valid", verdict.is_valid);
  json.objects("findings", findings, [&](const Diagnostic& finding) {
    json.member("rule", finding.rule->id);
    json.member("severity", id(finding.rule->severity));
    json.member("offset", finding.offset);
    json.member("path", finding.path);
    json.member("message", finding.message);
  });
  json.end_object();
}

}  // namespace unshade::present
