// Functions of SPIR-V modules, and of the stages of a VBC.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/spirv/code.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "shader/flow/flow.hpp"

namespace unshade::shader::flow {

namespace {

/// `%main` of `%main = OpFunction %void None %3`
std::string result_of(std::string_view line) {
  line.remove_prefix(std::min(line.find('%'), line.size()));
  return std::string(line.substr(0, line.find(" = ")));
}

FlowEnd end_without_successor(spirv::Opcode opcode) {
  return opcode == spirv::Opcode::unreachable ? FlowEnd::unreachable : FlowEnd::return_;
}

class Module {
 public:
  /// `first`, `count`: its instructions among the origins.
  Module(const spirv::Module& module, const Lines& lines, std::size_t first, std::size_t count)
      : module_(module), lines_(lines), first_(first), count_(count) {}

  Result<void> add_functions(std::string_view stage, Flow& flow) {
    const spirv::IdTable ids(module_);
    const auto code = spirv::read_code(module_, ids);
    if (!code) return code.error();
    std::map<std::uint32_t, std::string_view> stages;
    for (const spirv::Instruction instruction : module_) {
      if (instruction.opcode() == spirv::Opcode::function) break;
      if (instruction.opcode() == spirv::Opcode::entry_point && instruction.word_count() > 2)
        stages.emplace(instruction.word(2), id(spirv::stage_of(static_cast<spirv::ExecutionModel>(instruction.word(1)))));
    }
    for (const spirv::CodeFunction& function : code->functions()) {
      if (function.block_count == 0) continue;
      FlowFunction& made = flow.functions.emplace_back();
      made.name = result_of(line_at(function.first_word));
      const auto entry = stages.find(function.id);
      made.stage = !stage.empty() ? stage : entry != stages.end() ? entry->second : std::string_view();
      const auto blocks = code->blocks(function);
      made.blocks.resize(blocks.size());
      for (std::uint32_t b = 0; b < blocks.size(); ++b) add_block(*code, blocks[b], b, made);
    }
    return {};
  }

 private:
  static constexpr std::uint32_t kLabelWords = 2;

  /// The instruction that begins at a word, by its place among the origins.
  std::size_t origin_of(std::uint32_t word) const {
    const auto origins = lines_.origins().subspan(first_, count_);
    const std::uint64_t offset = module_.bytes().file_offset() + std::uint64_t{4} * word;
    const auto found = std::lower_bound(origins.begin(), origins.end(), offset,
                                        [](const TextOrigin& origin, std::uint64_t at) { return origin.offset < at; });
    return first_ + std::min(static_cast<std::size_t>(found - origins.begin()), origins.size() - 1);
  }
  std::string_view line_at(std::uint32_t word) const { return lines_.line(lines_.line_of(origin_of(word))); }

  void add_block(const spirv::Code& code, const spirv::Block& block, std::uint32_t number, FlowFunction& made) const {
    FlowBlock& shown = made.blocks[number];
    const std::size_t first = origin_of(block.first_word - kLabelWords), last = origin_of(block.terminator);
    lines_.place(shown, first, last);
    shown.name = result_of(lines_.line(lines_.line_of(first)));
    shown.instructions = static_cast<std::uint32_t>(last - first);  // without the label
    const auto successors = code.successors(block);
    const spirv::Opcode opcode = (*spirv::Module::Iterator(module_, block.terminator)).opcode();
    const auto add = [&](std::uint32_t to, FlowKind kind, std::string label = {}) {
      made.edges.push_back({number, to, kind, std::move(label)});
    };
    if (successors.empty()) {
      shown.end = end_without_successor(opcode);
    } else if (opcode == spirv::Opcode::branch_conditional && successors.size() == 2) {
      shown.end = FlowEnd::branch;
      add(successors[0], FlowKind::taken);
      add(successors[1], FlowKind::not_taken);
    } else if (opcode == spirv::Opcode::switch_) {
      shown.end = FlowEnd::branch;
      for (const spirv::SwitchCase& label : code.cases(block)) add(label.block, FlowKind::case_, std::to_string(label.value));
      add(successors[0], FlowKind::default_);
    } else {
      for (const std::uint32_t to : successors) add(to, FlowKind::next);
    }
  }

  const spirv::Module& module_;
  const Lines& lines_;
  std::size_t first_, count_;
};

}  // namespace

Result<void> flow_of_spirv(const Shader& shader, const Lines& lines, Flow& flow) {
  if (const auto* const module = std::get_if<spirv::Module>(&shader.content)) {
    if (lines.origins().empty()) return {};
    return Module(*module, lines, 0, lines.origins().size()).add_functions({}, flow);
  }
  const auto& file = std::get<vbc::File>(shader.content);
  std::size_t at = 0;
  for (std::size_t i = 0; i < vbc::kStages; ++i) {
    const View bytes = shader.file.clamped(file.places.stages[i], file.stages[i].size());
    std::size_t end = at;
    const auto is_inside = [&](const TextOrigin& origin) {
      return origin.offset >= bytes.file_offset() && origin.offset - bytes.file_offset() < bytes.size();
    };
    while (end < lines.origins().size() && is_inside(lines.origins()[end])) ++end;
    if (end == at) continue;  // listed as bytes, or not there
    const auto module = spirv::parse(bytes);
    if (!module) return module.error();
    if (auto done = Module(*module, lines, at, end - at).add_functions(id(static_cast<vbc::Stage>(i)), flow); !done) return done;
    at = end;
  }
  return {};
}

}  // namespace unshade::shader::flow
