#include "shader/capability/run.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/lines.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/dxbc/instruction_lines.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/ir/lower_dxil.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>

#include "shader/capability/listing.hpp"
#include "shader/capability/modules.hpp"
#include "shader/family/dxil.hpp"
#include "shader/family/family.hpp"
#include "shader/sources/lines.hpp"

namespace unshade::shader::capability {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using family::program_bitcode;

namespace {

/// The token program, or of a container without one the Direct3D 9 program of its level 9 part.
Result<ir::Module> lower_dxbc(const Shader& shader, const LowerOptions& options) {
  const dxcontainer::Container& container = *shader.container();
  const bool is_level9 =
      container.find(dxcontainer::PartRole::tokens) == nullptr && container.find(dxcontainer::PartRole::level9) != nullptr;
  const ir::DxbcOptions how{.keep_copies = options.keep_copies, .keep_calls = options.keep_calls};
  return is_level9 ? ir::lower_level9(container, how) : ir::lower_token_program(container, how);
}

Result<std::vector<std::string>> dxbc_instruction_lines(const Shader& shader, std::string_view) {
  const Container& container = *shader.container();
  if (const Part* const code = container.find(dxcontainer::PartRole::tokens)) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return program.error();
    return dxbc::instruction_lines(*program);
  }
  const Part* const part = container.find(dxcontainer::PartRole::level9);
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no program"};
  const auto level9 = dxbc::parse_level9(*part);
  if (!level9) return level9.error();
  return dxbc::sm2::instruction_lines(level9->program);
}

Result<ir::Module> lower_bitcode(const Shader& shader, const Result<View>& bitcode, const ir::DxilOptions& how) {
  if (!bitcode) return bitcode.error();
  const auto module = shader.module(*bitcode);
  if (!module) return module.error();
  return ir::lower(**module, how);
}

/// What a module computes, without names and places in its listing.
std::string computation_of(ir::Module module) {
  for (ir::Function& function : module.functions) {
    function.names.clear();
    function.sources.clear();
  }
  for (ir::Resource& resource : module.resources) resource.name.clear();
  for (ir::Variable& variable : module.variables) variable.name.clear();
  module.entry.clear();
  module.patch_constant.clear();
  Text text;
  ir::print(module, text);
  return text.str();
}

/// The program that is stepped through: listings show the one in ILDB if there is one. It must compute what the one that runs does.
Result<ir::Module> lower_listed(const Shader& shader, const ir::DxilOptions& how) {
  const Container* const container = shader.container();
  const Part* const debug = container != nullptr ? container->find(fourcc("ILDB")) : nullptr;
  if (debug == nullptr || container->find(fourcc("DXIL")) == nullptr) return lower_bitcode(shader, program_bitcode(shader, true), how);
  auto runs = lower_bitcode(shader, program_bitcode(shader), how);
  if (!runs) return runs;
  auto listed = lower_bitcode(shader, program_bitcode(shader, true), how);
  if (!listed || computation_of(*std::move(runs)) == computation_of(*listed)) return listed;
  return Error{ErrorCode::bad_value, container->file.file_offset() + debug->offset, "ILDB",
               "the program in ILDB differs from the one in DXIL, which runs"};
}

Result<ir::Module> lower_dxil(const Shader& shader, const LowerOptions& options) {
  const ir::DxilOptions how{.entry = options.entry, .keep_copies = options.keep_copies, .keep_calls = options.keep_calls};
  return options.keep_copies ? lower_listed(shader, how) : lower_bitcode(shader, program_bitcode(shader), how);
}

// A name between quotes, as listings of LLVM have it.
std::string escaped(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string made;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\')
      made += c;
    else
      ((made += '\\') += kDigits[byte >> 4]) += kDigits[byte & 15];
  }
  return made;
}

std::vector<std::string> lines_of_function(std::string_view listing, std::string_view function) {
  const std::string plain = " @" + std::string(function) + '(';
  const std::string quoted = " @\"" + escaped(function) + "\"(";
  std::vector<std::string> lines;
  bool inside = false;
  for_each_line(listing, [&](std::string_view line) {
    if (line.starts_with("define ")) inside = line.find(plain) != std::string_view::npos || line.find(quoted) != std::string_view::npos;
    if (line == "}") inside = false;
    // cases of a switch are on lines of their own
    const bool begins = line.size() > 2 && line.starts_with("  ") && line[2] != ' ' && line[2] != ']' && line[2] != ';';
    if (inside && begins) lines.emplace_back(trimmed(line));
  });
  return lines;
}

Result<std::vector<std::string>> dxil_instruction_lines(const Shader& shader, std::string_view function) {
  Text text;
  if (auto done = listing_row(Family::dxil).code.list(shader, text, {}); !done) return std::move(done).error();
  return lines_of_function(text.view(), function);
}

/// What a hull shader's functions, which the IR names by what they are, are called in the module.
std::string name_in_module(const dxil::Module& module, std::string_view function) {
  const bool is_patch = function == "patch_constant";
  if (!is_patch && function != "control_point") return std::string(function);
  const dxil::ProgramMetadata program = dxil::read_program_metadata(module);
  for (const dxil::EntryPoint& entry : program.entries) {
    const std::uint32_t patch = dxil::read_entry_properties(program, entry).patch_constant_function;
    const std::uint32_t found = is_patch ? patch : entry.function;
    if (patch != dxil::kNone && found < module.functions.size())
      return std::string(module.text(module.values[module.functions[found].value].name));
  }
  return std::string(function);
}

Result<SteppedLines> dxil_stepped_lines(const Shader& shader, std::string_view function) {
  const auto bitcode = program_bitcode(shader, true);
  if (!bitcode) return bitcode.error();
  const auto module = shader.module(*bitcode);
  if (!module) return module.error();
  Text text;
  if (auto done = dxil::list_module(**module, bitcode->size(), text, {.comments = false}); !done) return std::move(done).error();
  SteppedLines made{name_in_module(**module, function), {}};
  made.lines = lines_of_function(text.view(), made.function);
  return made;
}

Result<ir::Module> lower_pica(const Shader& shader, const LowerOptions& options) {
  const auto* const shbin = std::get_if<pica::Shbin>(&shader.content);
  if (shbin == nullptr) {
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", "an object must be linked before it can be lowered"};
  }
  std::size_t executable = options.executable;
  if (!options.entry.empty()) {
    auto found = ir::executable_of_entry(*shbin, options.entry);
    if (!found) {
      Error error = std::move(found).error();
      error.offset = shader.file.file_offset();
      return error;
    }
    executable = *found;
  }
  return ir::lower(*shbin, executable,
                   {.f24 = options.f24, .keep_copies = options.keep_copies, .constants_in_code = options.constants_in_code});
}

Result<std::vector<std::string>> pica_instruction_lines(const Shader& shader, std::string_view) {
  Text text;
  ListingOptions options;
  options.offsets = true;
  options.lines = LineDirectives::never;
  if (auto done = listing_row(Family::pica).disassemble(shader, text, options); !done) return std::move(done).error();
  // `add r3, c95, r1 {0}   ; 0x00000034`: the first word has the least offset
  std::vector<std::pair<std::uint32_t, std::string_view>> words;
  for_each_line(text.view(), [&](std::string_view line) {
    constexpr std::string_view kComment = " ; 0x";
    const auto at = line.rfind(kComment);
    if (!line.starts_with('\t') || at == std::string_view::npos) return;
    std::uint32_t offset = 0;
    const std::string_view digits = line.substr(at + kComment.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), offset, 16);
    words.emplace_back(offset, trimmed(line.substr(0, at)));
  });
  std::vector<std::string> lines;
  if (words.empty()) return lines;
  const std::uint32_t first = std::ranges::min(words, {}, [](const auto& word) { return word.first; }).first;
  for (const auto& [offset, line] : words) {
    const std::uint32_t word = (offset - first) / 4;
    if (lines.size() <= word) lines.resize(word + std::size_t{1});
    lines[word] = line;
  }
  return lines;
}

Result<std::vector<std::string>> spirv_instruction_lines(const Shader& shader, std::string_view function) {
  const auto module = module_with_entry(shader, function);
  if (!module) return module.error();
  Text listing;
  spirv::list_module(*module, listing, {.indent = false, .header = false});
  std::vector<std::string> lines;
  // texts may hold line ends
  std::string_view rest = listing.view();
  while (!rest.empty()) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < rest.size() && (quoted || rest[end] != '\n'); ++end) {
      if (rest[end] == '"') quoted = !quoted;
      if (quoted && rest[end] == '\\') ++end;
    }
    end = std::min(end, rest.size());
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

Result<ir::Module> lower_spirv(const Shader& shader, const LowerOptions& options) {
  const auto module = module_with_entry(shader, options.entry, options.stage);
  if (!module) return module.error();
  auto made = ir::lower(
      *module, {.entry = options.entry, .stage = options.stage, .keep_copies = options.keep_copies, .keep_calls = options.keep_calls});
  // by which instruction_lines() tells the modules apart
  if (const auto modules = modules_of(shader); made && modules && modules->size() > 1)
    made->functions.front().name = ir::name_with_stage(made->functions.front().name, made->stage);
  return made;
}

constexpr RunRow kRuns[] = {
    {Family::dxbc, lower_dxbc, dxbc_instruction_lines, nullptr, sources::lines_in_dxbc},
    {Family::dxil, lower_dxil, dxil_instruction_lines, dxil_stepped_lines, sources::lines_in_dxil},
    {Family::pica, lower_pica, pica_instruction_lines, nullptr, sources::lines_in_shbin},
    {Family::spirv, lower_spirv, spirv_instruction_lines, nullptr, sources::lines_in_modules},
    {Family::vbc, lower_spirv, spirv_instruction_lines, nullptr, sources::lines_in_modules},
};

}  // namespace

const RunRow& run_row(Family family) { return family::find_row(kRuns, family); }

}  // namespace unshade::shader::capability
