#include <unshade/pica/validate.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/core/findings.hpp>
#include <unshade/core/lanes.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/pica/usage.hpp>

#include "pica/shbin_layout.hpp"
#include "pica/word.hpp"

namespace unshade::pica {

namespace {

constexpr const Rule* kRules[] = {
#define UNSHADE_RULE(name, id, severity, summary) &rules::name,
#include <unshade/pica/rules.def>
#undef UNSHADE_RULE
};

// src: docs/reference/formats/shbin.md, "Flow control"
constexpr unsigned kCallDepth = 4;
constexpr unsigned kIfDepth = 8;
constexpr unsigned kLoopDepth = 4;
constexpr std::uint16_t kGeometryOutputs = 7;

std::string mask_text(std::uint32_t mask) { return std::string(WriteMask(mask).text()); }

class Checker {
 public:
  Checker(View file, const std::vector<std::uint32_t>& code, const std::vector<Descriptor>& descriptors, std::uint64_t code_offset)
      : code_(code), descriptors_(descriptors), code_offset_(code_offset), found_(file.size(), file.file_offset()) {
    words_.reserve(code.size());
    for (const std::uint32_t word : code) words_.push_back(decode(word));
    reached_.assign(code.size(), false);
  }

  void add(const Rule& rule, std::uint64_t offset, std::string path, std::string message) {
    found_.add(rule, offset, std::move(path), std::move(message));
  }

  void check_code() {
    for (std::uint32_t at = 0; at < words_.size(); ++at) check_word(at);
    check_blocks();
  }

  void check_executable(const Tables& tables, std::uint64_t offset, const std::string& path, Stage stage, std::uint32_t entry,
                        std::uint32_t end) {
    const bool is_geometry = stage == Stage::geometry;
    if (entry >= code_.size() || (end != 0 && end < entry) || end > code_.size()) {
      add(rules::kEntry, offset + 8, path,
          "entry " + std::to_string(entry) + ", end " + std::to_string(end) + " of " + std::to_string(code_.size()) + " words");
      check_tables(tables, offset, path);
      return;
    }
    work_ += code_.size();
    if (work_ > kUsageWords) return check_tables(tables, offset, path);
    const Usage usage = usage_of(code_, descriptors_, entry);
    std::size_t last = 0;
    for (std::size_t i = 0; i < usage.reached.size(); ++i) {
      if (!usage.reached[i]) continue;
      reached_[i] = true;
      last = i;
      const Instruction& word = words_[i];
      const OpcodeInfo& row = info(word.opcode);
      if (!is_geometry && row.stages == Stages::geometry) at(rules::kEmitInVertex, static_cast<std::uint32_t>(i), "in a vertex shader");
      if (is_geometry && row.takes('d') && word.destination >= kGeometryOutputs && word.destination < kOutputs)
        at(rules::kGeometryOutput, static_cast<std::uint32_t>(i), "o" + std::to_string(word.destination));
    }
    if (!is_geometry && last >= kVertexProgramWords) add(rules::kVertexSize, offset, path, "reaches word " + std::to_string(last));
    if (usage.runs_off) add(rules::kEndMissing, offset + 8, path, "a path from word " + std::to_string(entry) + " leaves the code");
    if (is_geometry && !usage.emits) add(rules::kEmitMissing, offset, path, "no emit is reachable");
    check_outputs(tables, offset, path, usage);
    check_call_depth(offset, path, entry);
    check_tables(tables, offset, path);
  }

  void check_reached() {
    if (work_ > kUsageWords) return;
    for (std::uint32_t from = 0; from < reached_.size(); ++from) {
      if (reached_[from] || words_[from].opcode == Opcode::nop) continue;
      std::uint32_t to = from;
      while (to < reached_.size() && !reached_[to]) ++to;
      at(rules::kUnreachable, from, std::to_string(to - from) + " words");
      from = to;
    }
  }

  std::vector<Diagnostic> take() { return found_.take(); }

 private:
  void at(const Rule& rule, std::uint32_t word, std::string message) {
    std::string text(info(words_[word].opcode).text);
    add(rule, code_offset_ + kWordBytes * std::uint64_t{word}, "code[" + std::to_string(word) + ']',
        text.empty() ? std::move(message) : text + ": " + message);
  }

  void check_word(std::uint32_t at_word) {
    const Instruction& i = words_[at_word];
    const OpcodeInfo& row = info(i.opcode);
    if (row.format == Format::unknown || i.rest != 0) {
      at(rules::kUnknownInstruction, at_word, hex32(code_[at_word]));
      if (row.format == Format::unknown) return;
    }
    if (has_descriptor(row.format)) {
      if (i.descriptor >= descriptors_.size())
        at(rules::kDescriptorMissing, at_word, std::to_string(i.descriptor) + " of " + std::to_string(descriptors_.size()));
      const Operands operands = operands_of(i, nullptr);
      for (const SourceOperand& source : operands.all())
        if (source.index != Index::none && !source.is_constant()) at(rules::kIndexIgnored, at_word, std::string(id(source.index)));
      int input = -1;
      for (const SourceOperand& source : operands.all()) {
        if (!source.is_input()) continue;
        if (input >= 0 && input != source.reg) {
          at(rules::kTwoInputs, at_word, "v" + std::to_string(input) + " and v" + std::to_string(source.reg));
          break;
        }
        input = source.reg;
      }
    }
    if (i.opcode == Opcode::mova && at_word + 1 < words_.size() && words_[at_word + 1].opcode == Opcode::mova)
      at(rules::kMovaTwice, at_word + 1, "follows another mova");
    if (i.opcode == Opcode::cmp && (i.compare_x > Comparison::ge || i.compare_y > Comparison::ge))
      at(rules::kComparison, at_word, "operator 6 or 7");
    if (i.opcode == Opcode::setemit && i.vertex > 2) at(rules::kEmitSlot, at_word, std::to_string(i.vertex));
    if (row.has_target()) {
      const std::size_t behind = row.flow == Flow::jump ? i.target + 1U : row.opens_block() ? i.whole_block_end() : i.end();
      if (behind > words_.size())
        at(rules::kTarget, at_word, std::to_string(i.target) + '+' + std::to_string(i.count) + " of " + std::to_string(words_.size()));
      if (i.count > word::kDocumentedCount) at(rules::kCountBits, at_word, std::to_string(i.count));
    }
  }

  /// What is open at a word, as the hardware sees it: an end for each block, of the part that is entered when a condition holds.
  void check_blocks() {
    struct Open {
      std::uint32_t end;
      std::uint32_t scope;  ///< with an else part: where that ends
      bool is_loop;
    };
    std::vector<Open> open;
    std::vector<bool> ends(words_.size() + 1, false);
    std::uint64_t work = 0;
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      std::erase_if(open, [i](const Open& o) { return o.scope <= i; });
      work += open.size();
      if (work > 64 * words_.size() + 4096) return;  // nests deeper than anything that could run
      const Instruction& word = words_[i];
      const OpcodeInfo& row = info(word.opcode);
      const Flow flow = row.flow;
      if (flow == Flow::leave && std::none_of(open.begin(), open.end(), [](const Open& o) { return o.is_loop; }) && !is_called_from_loop_) {
        breaks_.push_back(i);
      }
      if (flow == Flow::call && word.count != 0 && word.end() <= words_.size()) {
        ends[word.end()] = true;
        if (std::any_of(open.begin(), open.end(), [](const Open& o) { return o.is_loop; })) is_called_from_loop_ = true;
      }
      if (!row.opens_block()) continue;
      const bool is_loop = flow == Flow::loop;
      const std::uint32_t end = word.block_end();
      if (end <= i || end > words_.size()) continue;
      ends[end] = true;
      if (std::any_of(open.begin(), open.end(), [end](const Open& o) { return o.end == end; }))
        at(rules::kBlockEndsMeet, i, "word " + std::to_string(end));
      open.push_back({end, word.whole_block_end(), is_loop});
      const auto depth =
          static_cast<unsigned>(std::count_if(open.begin(), open.end(), [is_loop](const Open& o) { return o.is_loop == is_loop; }));
      if (depth > (is_loop ? kLoopDepth : kIfDepth)) at(is_loop ? rules::kLoopDepth : rules::kIfDepth, i, std::to_string(depth) + " deep");
    }
    // A procedure that a loop calls may break that loop, as far as anybody knows.
    if (!is_called_from_loop_)
      for (const std::uint32_t i : breaks_) at(rules::kBreakOutside, i, "not in a loop");
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      const Flow flow = info(words_[i].opcode).flow;
      if (ends[i + 1] && (flow == Flow::jump || flow == Flow::call || flow == Flow::leave))
        at(rules::kBlockEnd, i, "the last word of a block");
    }
  }

  void check_outputs(const Tables& tables, std::uint64_t offset, const std::string& path, const Usage& usage) {
    for (std::size_t i = 0; i < tables.outputs.size(); ++i) {
      const OutputRecord& o = tables.outputs[i];
      const std::uint64_t here = offset + tables.outputs.offset + kOutputBytes * std::uint64_t{i};
      const std::string where = path + "/outputs[" + std::to_string(i) + ']';
      if (id(o.type).empty() || o.register_index >= kOutputs || o.mask > 0xf || o.mask == 0) {
        add(rules::kOutputType, here, where,
            "type " + std::to_string(static_cast<unsigned>(o.type)) + ", register " + std::to_string(o.register_index) + ", mask " +
                shown_mask(o.mask));
        continue;
      }
      const std::uint32_t missing = meant_mask(o) & ~std::uint32_t{usage.outputs[o.register_index]};
      if (missing != 0)
        add(rules::kOutputUnwritten, here, where, 'o' + std::to_string(o.register_index) + '.' + mask_text(missing) + " is never written");
    }
  }

  /// Words that can run inside of so many calls, for each number of them.
  void check_call_depth(std::uint64_t offset, const std::string& path, std::uint32_t entry) {
    std::vector<bool> level(words_.size(), false);
    for (std::uint32_t i = entry; i < words_.size(); ++i) {
      level[i] = true;
      if (info(words_[i].opcode).flow == Flow::stop) break;
    }
    for (unsigned depth = 1; depth <= kCallDepth + 1; ++depth) {
      std::vector<int> starts(words_.size() + 1, 0);
      bool any = false;
      for (std::size_t i = 0; i < words_.size(); ++i) {
        const Instruction& word = words_[i];
        if (!level[i] || info(word.opcode).flow != Flow::call || word.count == 0 || word.target >= words_.size()) continue;
        ++starts[word.target];
        --starts[std::min<std::size_t>(words_.size(), word.target + std::size_t{word.count})];
        any = true;
      }
      if (!any) return;
      int inside = 0;
      for (std::size_t i = 0; i < words_.size(); ++i) {
        inside += starts[i];
        level[i] = inside > 0;
      }
    }
    add(rules::kCallDepth, offset, path, "calls nest deeper than " + std::to_string(kCallDepth));
  }

  void check_tables(const Tables& tables, std::uint64_t offset, const std::string& path) {
    const auto class_of = [](std::uint32_t number) {
      return number < kUniformConstants                  ? 0
             : number < kUniformIntegers                 ? 1
             : number < kUniformIntegers + kIntConstants ? 2
             : number < kUniformBooleans                 ? -1
             : number < kUniformEnd                      ? 3
                                                         : -1;
    };
    std::vector<bool> named(kUniformEnd, false);
    for (std::size_t i = 0; i < tables.uniforms.size(); ++i) {
      const Uniform& u = tables.uniforms[i];
      const std::uint64_t here = offset + tables.uniforms.offset + kUniformBytes * std::uint64_t{i};
      const std::string where = path + "/uniforms[" + std::to_string(i) + ']';
      if (u.symbol.offset >= tables.symbols.size()) add(rules::kSymbolMissing, here, where, "offset " + std::to_string(u.symbol.offset));
      if (u.first > u.last || class_of(u.first) < 0 || class_of(u.first) != class_of(u.last)) {
        add(rules::kUniformRange, here, where, std::to_string(u.first) + " to " + std::to_string(u.last));
        continue;
      }
      for (std::uint32_t k = u.first; k <= u.last; ++k) named[k] = true;
    }
    for (std::size_t i = 0; i < tables.labels.size(); ++i) {
      const Label& label = tables.labels[i];
      const std::uint64_t here = offset + tables.labels.offset + kLabelBytes * std::uint64_t{i};
      const std::string where = path + "/labels[" + std::to_string(i) + ']';
      if (label.symbol.offset >= tables.symbols.size())
        add(rules::kSymbolMissing, here, where, "offset " + std::to_string(label.symbol.offset));
      if (label.address_words > code_.size()) add(rules::kLabelRange, here, where, "address " + std::to_string(label.address_words));
    }
    for (std::size_t i = 0; i < tables.constants.size(); ++i) {
      const Constant& c = tables.constants[i];
      const std::uint64_t here = offset + tables.constants.offset + kConstantBytes * std::uint64_t{i};
      const std::string where = path + "/constants[" + std::to_string(i) + ']';
      const auto type = static_cast<unsigned>(c.type);
      constexpr unsigned kCounts[] = {kBoolConstants, kIntConstants, kFloatConstants};
      constexpr unsigned kFirsts[] = {kUniformBooleans, kUniformIntegers, kUniformConstants};
      if (type > 2 || c.register_index >= kCounts[type]) {
        add(rules::kConstantRegister, here, where, "type " + std::to_string(type) + ", register " + std::to_string(c.register_index));
      } else if (named[kFirsts[type] + c.register_index]) {
        Text text;
        print_uniform_register(text, kFirsts[type] + c.register_index);
        add(rules::kConstantOverlap, here, where, text.str() + " is also a uniform");
      }
    }
  }

  const std::vector<std::uint32_t>& code_;
  const std::vector<Descriptor>& descriptors_;
  std::uint64_t code_offset_;
  std::uint64_t work_ = 0;
  std::vector<Instruction> words_;
  std::vector<bool> reached_;
  std::vector<std::uint32_t> breaks_;
  bool is_called_from_loop_ = false;
  Findings found_;
};

}  // namespace

std::span<const Rule* const> validation_rules() { return kRules; }

std::vector<Diagnostic> check_file(View file) {
  if (is_shbin(file)) {
    const auto shbin = parse_shbin(file);
    if (!shbin) return {{&rules::kUnreadable, shbin.error().offset, shbin.error().path, shbin.error().message}};
    const Program& p = shbin->program;
    const std::uint64_t program = kDvlbHeaderBytes + 4 * std::uint64_t{shbin->executables.size()};
    Checker checker(file, p.code.items, p.descriptors.items, program + p.code.offset);
    if (p.header_bytes != Program::kHeaderBytes) checker.add(rules::kShortHeader, program, "program", "0x1c bytes");
    checker.check_code();
    for (std::size_t i = 0; i < shbin->executables.size(); ++i) {
      const Executable& e = shbin->executables[i];
      checker.check_executable(e, e.offset, "executables[" + std::to_string(i) + ']', e.stage, e.entry_words, e.end_words);
    }
    if (!shbin->executables.empty()) checker.check_reached();
    return checker.take();
  }
  const auto object = parse_object(file);
  if (!object) return {{&rules::kUnreadable, object.error().offset, object.error().path, object.error().message}};
  Checker checker(file, object->code.items, object->descriptors.items, object->code.offset);
  checker.check_code();
  checker.check_executable(*object, 0, "DVOJ", object->stage, 0, static_cast<std::uint32_t>(object->code.size()));
  return checker.take();
}

}  // namespace unshade::pica
