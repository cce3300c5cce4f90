// Properties of the assembler of token programs.
#include <algorithm>
#include <cstring>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

using dxcontainer::fourcc;

/// What is wrong with the tokens that a program's exact listing assembles to.
std::string relisted(const dxcontainer::Part& part) {
  const auto program = dxbc::parse_program(part);
  if (!program) return {};
  Text text;
  dxbc::ProgramListingOptions options;
  options.exact_floats = true;
  options.checks = &dxbc::listing_checks();
  if (!dxbc::list_program(*program, part.name(), text, options)) return {};
  const auto again = dxbc::assemble_program(text.view());
  if (!again.ok) return "its exact listing is refused: " + (again.messages.empty() ? std::string() : to_string(again.messages.front()));
  // the length is that of the program, whatever its head says: parse_program has made them agree
  if (4 * again.tokens.size() != program->tokens.size() ||
      std::memcmp(again.tokens.data(), program->tokens.data(), program->tokens.size()) != 0)
    return "its exact listing gives other tokens";
  return {};
}

const dxcontainer::Part* program_part(const dxcontainer::Container& container) { return container.find(dxcontainer::PartRole::tokens); }

}  // namespace

std::string dxbc_assemble(View file) {
  const Assembly assembly = dxbc::assemble(file.text());
  bool failed = false;
  for (const auto& message : assembly.messages) {
    failed = failed || message.severity == Severity::error;
    if (message.line == 0 || message.column == 0) return "a message without a place";
    if (to_string(message).size() > 4096) return "a message without end";
  }
  if (failed == assembly.ok) return assembly.ok ? "made in spite of an error" : "refused without an error";
  if (!assembly.ok) return {};
  if (assembly.file.size() > file.size() * kTextPerByte + kTextBase) return "a file out of proportion";
  const auto container = dxcontainer::parse_container(View({assembly.file.data(), assembly.file.size()}));
  if (!container) return "what was made cannot be read: " + to_string(container.error());
  const auto* part = program_part(*container);
  return part != nullptr ? relisted(*part) : std::string();
}

std::string dxbc_roundtrip(View file) {
  if (!dxcontainer::is_container(file)) return {};
  const auto container = dxcontainer::parse_container(file);
  if (!container) return {};
  const auto* part = program_part(*container);
  return part != nullptr ? relisted(*part) : std::string();
}

}  // namespace unshade::fuzz
