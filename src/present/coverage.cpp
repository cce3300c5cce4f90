// Coverage of shaders by tests, as text and JSON.
#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/present/tests.hpp>

namespace unshade::present {

namespace {

void print_line(const std::string& name, const suite::CoveredText& text, std::string_view lines, Text& out) {
  print_safely(out << "covered  ", name);
  (out << ": ").dec(text.executed) << " of ";
  out.dec(text.lines.size()) << lines;
  out.dec(text.taken) << " of ";
  out.dec(text.ways) << " ways of branches\n";
}

void write_counts(const suite::CoveredText& text, std::string_view lines, Json& json) {
  json.member(lines, std::uint64_t{text.lines.size()});
  json.member("executed", std::uint64_t{text.executed});
  json.member("branches", std::uint64_t{text.ways});
  json.member("taken", std::uint64_t{text.taken});
}

}  // namespace

void print_coverage(const std::vector<suite::CoveredShader>& shaders, Printer& out) {
  for (const suite::CoveredShader& shader : shaders) {
    const std::string& entry = shader.coverage.entry;
    print_line(shader.coverage.shader + (entry.empty() ? "" : ", ") + entry, shader.listing, " instructions, ", out.text);
    for (const suite::CoveredText& source : shader.sources)
      print_line(shader.coverage.shader + ", " + source.name, source, " lines, ", out.text);
  }
}

void write_coverage(const std::vector<suite::CoveredShader>& shaders, Json& json) {
  json.objects("coverage", shaders, [&](const suite::CoveredShader& shader) {
    json.member("shader", shader.coverage.shader);
    if (!shader.coverage.entry.empty()) json.member("entry", shader.coverage.entry);
    json.member("function", shader.coverage.function);
    write_counts(shader.listing, "instructions", json);
    if (shader.sources.empty()) return;
    json.objects("sources", shader.sources, [&](const suite::CoveredText& source) {
      json.member("file", source.name);
      write_counts(source, "lines", json);
    });
  });
}

}  // namespace unshade::present
