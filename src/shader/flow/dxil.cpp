// Functions of a DXIL module.
#include <algorithm>
#include <string>
#include <string_view>

#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/query.hpp>

#include "shader/flow/flow.hpp"

namespace unshade::shader::flow {

namespace {

/// Further lines of an instruction: `    i32 0, label %4`, `  ]`.
bool goes_on(std::string_view line) { return line.starts_with("    ") || line.starts_with("  ]"); }

/// `; <label>:13      ; preds = %4`, `loop.body:   ; preds = %4`
std::string label_of(std::string_view line) {
  constexpr std::string_view kUnnamed = "; <label>:";
  if (line.starts_with(kUnnamed)) {
    line.remove_prefix(kUnnamed.size());
    return '%' + std::string(line.substr(0, line.find_first_not_of("0123456789")));
  }
  const std::size_t end = line.starts_with('"') ? line.find('"', 1) + 1 : line.find(':');
  return end == std::string_view::npos || end == 0 ? std::string() : '%' + std::string(line.substr(0, end));
}

/// As the listing prints integers: signed.
std::string value_text(const dxil::ModuleQuery& query, const dxil::Body& body, std::uint32_t operand) {
  const auto bits = query.integer_of(&body, operand);
  if (!bits) return "?";
  const std::uint32_t width = query.type(query.type_of(body, operand)).number;
  if (width == 0 || width >= 64) return std::to_string(static_cast<std::int64_t>(*bits));
  const unsigned shift = 64 - width;
  return std::to_string(static_cast<std::int64_t>(*bits << shift) >> shift);
}

void add_edges(const dxil::ModuleQuery& query, const dxil::Body& body, std::uint32_t from, const dxil::Instruction& last,
               FlowFunction& function) {
  FlowBlock& block = function.blocks[from];
  const auto operands = query.module.operands_of(last.operands);
  const auto add = [&](std::uint32_t to, FlowKind kind, std::string label = {}) {
    if (to < function.blocks.size()) function.edges.push_back({from, to, kind, std::move(label)});
  };
  if (last.opcode == dxil::Opcode::br && operands.size() == 3) {
    block.end = FlowEnd::branch;
    add(operands[0], FlowKind::taken);
    add(operands[1], FlowKind::not_taken);
  } else if (last.opcode == dxil::Opcode::switch_ && operands.size() >= 2) {
    block.end = FlowEnd::branch;
    for (std::size_t k = 2; k + 1 < operands.size(); k += 2) add(operands[k + 1], FlowKind::case_, value_text(query, body, operands[k]));
    add(operands[1], FlowKind::default_);
  } else {
    dxil::for_each_successor(query.module, last, [&](std::uint32_t to) { add(to, FlowKind::next); });
    const bool leaves = last.opcode == dxil::Opcode::unreachable;
    if (function.edges.empty() || function.edges.back().from != from) block.end = leaves ? FlowEnd::unreachable : FlowEnd::return_;
  }
}

/// The program that the listing shows.
Result<View> listed_bitcode(const Shader& shader) {
  const View* whole = nullptr;
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) whole = &bitcode->bytes;
  if (whole != nullptr && whole->u32(8) != dxcontainer::fourcc("DXIL")) return *whole;
  const dxcontainer::Part bare{dxcontainer::fourcc("DXIL"), 0, whole != nullptr ? *whole : View()};
  const dxcontainer::Part* const part =
      whole != nullptr ? &bare : shader.container()->find_any({dxcontainer::fourcc("ILDB"), dxcontainer::fourcc("DXIL")});
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no bitcode"};
  const auto program = dxil::parse_program(*part);
  if (!program) return program.error();
  return program->bitcode;
}

}  // namespace

Result<void> flow_of_dxil(const Shader& shader, const Lines& lines, Flow& flow) {
  const auto bitcode = listed_bitcode(shader);
  if (!bitcode) return bitcode.error();
  const auto read = shader.module(*bitcode);
  if (!read) return read.error();
  const dxil::Module& module = **read;
  const dxil::ModuleQuery query{module};
  std::size_t origin = 0;
  for (const dxil::Function& function : module.functions) {
    if (function.body == dxil::kNone) continue;
    const dxil::Body& body = module.bodies[function.body];
    FlowFunction& made = flow.functions.emplace_back();
    made.name = query.name_of(function);
    made.blocks.resize(body.blocks.count);
    for (std::uint32_t b = 0; b < body.blocks.count; ++b) {
      const dxil::Block& block = module.blocks[body.blocks.first + b];
      FlowBlock& shown = made.blocks[b];
      shown.instructions = block.instructions.count;
      const std::size_t end = origin + block.instructions.count;
      if (block.instructions.empty() || end > lines.origins().size()) continue;
      lines.place(shown, origin, end - 1);
      const std::uint32_t limit = end < lines.origins().size() ? lines.line_of(end) : lines.count();
      std::uint32_t after = 0;
      while (shown.line - 1 + shown.lines + after < limit && goes_on(lines.line(shown.line - 1 + shown.lines + after))) ++after;
      const std::uint32_t above = shown.line >= 2 && (b != 0 || !module.text(block.name).empty()) ? 1 : 0;
      Lines::grow(shown, above, after);
      if (above != 0) shown.name = label_of(lines.line(shown.line - 1));
      origin = end;
      add_edges(query, body, b, module.instructions[block.instructions.end() - 1], made);
    }
    if (made.blocks.empty()) flow.functions.pop_back();
  }
  return {};
}

}  // namespace unshade::shader::flow
