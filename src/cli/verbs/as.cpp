#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <unshade/pica/assembler.hpp>

#include "cli/io.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli {

namespace {

constexpr Option kHeader{"header", 'H', Takes::file, "FILE", {}, "also write a C header with the registers of uniforms"};
constexpr Option kNoNop{"no-nop", 'n', Takes::nothing, {}, {}, "put no NOPs where the end of a block needs one; warn instead"};
constexpr Option kLineInfo{"line-info", 0, Takes::nothing, {}, {}, "a table of the source line of each word"};
constexpr Option kLabels{"labels", 0, Takes::nothing, {}, {}, "procedures and labels in the label tables"};
constexpr Option kOptions[] = {kHeader, kNoNop, kLineInfo, kLabels};

void complain(Io& io, const pica::AssemblerMessage& message) {
  const Rule& rule = pica::rule(message.message);
  std::string where = message.file;
  if (message.line != 0) where += ':' + std::to_string(message.line);
  if (message.column != 0) where += ':' + std::to_string(message.column);
  io.report(where, rule.severity, rule.id, message.text);
}

Exit run_as(const Args& args, Io& io) {
  std::deque<Input> inputs;
  std::vector<pica::Source> sources;
  for (const std::string& name : args.operands) {
    auto input = io.read(name);
    if (!input) return Exit::failed;
    inputs.push_back(std::move(*input));
    sources.push_back({inputs.back().name, inputs.back().view().text()});
  }
  if (io.to_terminal()) {
    io.report({}, "usage", "as writes no bytes to a terminal: give it -o FILE");
    return Exit::failed;
  }
  pica::AssemblerOptions options;
  options.padding_nops = !args.has(kNoNop.name);
  options.line_info = args.has(kLineInfo.name);
  options.labels = args.has(kLabels.name);
  options.header = args.has(kHeader.name);
  const pica::Assembly assembly = pica::assemble(sources, options);
  for (const auto& message : assembly.messages) complain(io, message);
  if (!assembly.ok) return Exit::invalid;
  const auto bytes = pica::write_shbin(assembly.shbin);
  io.out.text << std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (options.header) {
    const auto path = args.value(kHeader.name);
    OutputFile file;
    if (!file.open(std::string(path)) || !file.write(assembly.header) || !file.commit()) {
      io.report(path, "io", file.fault);
      return Exit::failed;
    }
  }
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade as shader.v.pica -o shader.shbin", "assemble one source"},
    {"unshade as skin.v.pica quad.g.pica -o both.shbin -H both.h", "two executables in one file, and a C header of the uniforms"},
    {"unshade as --line-info --labels shader.v.pica -o debug.shbin", "with tables for a debugger"},
};

}  // namespace

const Verb kAs{
    .name = "as",
    .summary = "assemble PICA200 programs, as picasso does",
    .description =
        "Assembles sources in picasso's language (docs/pica.md) into one SHBIN file, byte for byte as picasso 2.7.2 writes it. "
        "Each source gives an executable, in their order, unless it says .nodvle; procedures are known to all of them.",
    .operands = {"FILE", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 fine (warnings perhaps), 1 a source has errors, 2 usage, or input and output",
    .run = run_as,
};

}  // namespace unshade::cli
