// Token programs, and the Direct3D 9 programs of level 9 parts: both mark their blocks by instructions.
#include <string>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/level9/sm2_flow.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/flow.hpp>
#include <unshade/dxbc/sm2.hpp>

#include "shader/flow/flow.hpp"

namespace unshade::shader::flow {

namespace {

using Word = dxbc::program::Flow;

/// The line without its indentation and what an offset and tokens in front add: from the first letter of the mnemonic on.
std::string_view from_word(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  line.remove_prefix(at == std::string_view::npos ? line.size() : at);
  return line.substr(0, line.find("  //"));
}

Error misfit(const char* fault, std::uint64_t offset, const std::string& part) {
  return {ErrorCode::bad_value, offset, part, fault == nullptr ? "the blocks do not cover the code" : fault};
}

Result<void> add_tokens(const dxcontainer::Part& part, const Lines& lines, std::size_t origin, Flow& flow) {
  const auto program = dxbc::parse_program(part);
  if (!program) return program.error();
  Structured blocks(lines, flow, "main");
  dxbc::Decoder decoder(*program);
  dxbc::Instruction instruction;
  std::string name;
  unsigned phases[3] = {};
  for (; !decoder.at_end() && origin < lines.origins().size(); ++origin) {
    if (!decoder.next(instruction)) return decoder.error();
    const Word word = dxbc::program::flow_of(instruction);
    if (word == Word::body || word == Word::case_) {
      name = from_word(lines.line(lines.line_of(origin)), instruction.info->text);
      if (word == Word::case_) {
        name = name.substr(std::min<std::size_t>(instruction.info->text.size() + 1, name.size()));
        if (name.starts_with("l(") && name.ends_with(")")) name = name.substr(2, name.size() - 3);
      } else if (instruction.opcode() == dxbc::Opcode::hs_fork_phase || instruction.opcode() == dxbc::Opcode::hs_join_phase) {
        unsigned& count = phases[instruction.opcode() == dxbc::Opcode::hs_fork_phase ? 0 : 1];
        name += ' ' + std::to_string(count++);
      }
    }
    if (!blocks.add(word, origin, name)) return misfit(blocks.fault(), instruction.bytes.file_offset(), part.name());
  }
  if (!blocks.finish()) return misfit(blocks.fault(), part.data.file_offset() + part.data.size(), part.name());
  return {};
}

Result<void> add_level9(const dxcontainer::Part& part, const Lines& lines, std::size_t count, Flow& flow) {
  const auto level9 = dxbc::parse_level9(part);
  if (!level9) return level9.error();
  const std::size_t first = flow.functions.size();
  Structured blocks(lines, flow, "main");
  dxbc::sm2::Cursor cursor(level9->program);
  dxbc::sm2::Instruction instruction;
  for (std::size_t origin = 0; origin < count && cursor.next(instruction);) {
    if (instruction.is_comment()) continue;
    const Word word = instruction.info != nullptr ? dxbc::sm2::flow_of(*instruction.info) : Word::plain;
    const std::string_view line = lines.line(lines.line_of(origin));
    const std::string name(word == Word::body ? from_word(line, instruction.info->text) : std::string_view());
    if (!blocks.add(word, origin++, name)) return misfit(blocks.fault(), level9->program.file_offset() + instruction.offset, part.name());
  }
  if (!blocks.finish()) return misfit(blocks.fault(), part.data.file_offset() + part.data.size(), part.name());
  for (std::size_t k = first; k < flow.functions.size(); ++k) {
    Text stage;
    print(stage, level9->version);
    flow.functions[k].stage = stage.str();
  }
  return {};
}

}  // namespace

// The listing has the level 9 program above the token program, if it has its tables.
Result<void> flow_of_dxbc(const Shader& shader, const Lines& lines, Flow& flow) {
  const dxcontainer::Part* const tokens = shader.container()->find(dxcontainer::PartRole::tokens);
  const auto inside = [&](const dxcontainer::Part& part, const TextOrigin& origin) {
    return origin.offset >= part.data.file_offset() && origin.offset - part.data.file_offset() < part.data.size();
  };
  std::size_t level9 = 0;
  while (level9 < lines.origins().size() && (tokens == nullptr || !inside(*tokens, lines.origins()[level9]))) ++level9;
  if (level9 != 0) {
    for (const dxcontainer::Part& part : shader.parts())
      if (dxbc::is_level9(part.fourcc) && inside(part, lines.origins()[0])) {
        if (auto done = add_level9(part, lines, level9, flow); !done) return done;
        break;
      }
  }
  if (tokens == nullptr || level9 == lines.origins().size()) return {};
  return add_tokens(*tokens, lines, level9, flow);
}

}  // namespace unshade::shader::flow
