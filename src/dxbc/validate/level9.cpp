// Level 9 programs: each instruction against its row of the instruction table, and the blocks that they make.
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/level9/sm2_flow.hpp>

#include "dxbc/validate/validate.hpp"
#include "dxbc/validate/written_temps.hpp"

namespace unshade::dxbc::validate {

namespace {

using sm2::RegisterType;

constexpr std::uint32_t kTemporaryRegisters = 32;  // src: "Registers" of vs_3_0 and ps_3_0 on learn.microsoft.com

constexpr std::uint32_t bit(RegisterType type) { return 1U << static_cast<unsigned>(type); }

constexpr std::uint32_t kFloatConstants =
    bit(RegisterType::constant) | bit(RegisterType::constant2) | bit(RegisterType::constant3) | bit(RegisterType::constant4);
constexpr std::uint32_t kTemporaries = bit(RegisterType::temp) | bit(RegisterType::half_temp);
constexpr std::uint32_t kOutputs = bit(RegisterType::rasterizer_output) | bit(RegisterType::attribute_output) |
                                   bit(RegisterType::texcoord_or_output) | bit(RegisterType::color_output) |
                                   bit(RegisterType::depth_output);
constexpr std::uint32_t kAddressOrTexture = bit(RegisterType::address_or_texture);
constexpr std::uint32_t kInputs = bit(RegisterType::input) | bit(RegisterType::miscellaneous);

/// The registers that an operand may be, by its letter in the shape.
struct OperandKind {
  char letter;
  std::uint32_t vertex;
  std::uint32_t pixel;
  std::string_view text;
};
constexpr OperandKind same(char letter, std::uint32_t types, std::string_view text) { return {letter, types, types, text}; }
constexpr OperandKind kOperandKinds[] = {
    {'s', kTemporaries | kInputs | kFloatConstants, kTemporaries | kInputs | kFloatConstants | kAddressOrTexture, "a register of floats"},
    same('r', kTemporaries, "a temporary register"),
    same('c', kFloatConstants, "a constant of floats"),
    same('j', bit(RegisterType::integer_constant), "a constant of integers"),
    same('q', bit(RegisterType::boolean_constant) | bit(RegisterType::predicate), "a boolean constant or the predicate"),
    same('p', bit(RegisterType::predicate), "the predicate"),
    same('t', bit(RegisterType::sampler), "a sampler"),
    same('l', bit(RegisterType::label), "a label"),
    same('a', bit(RegisterType::loop), "aL"),
    same('d', kTemporaries | kOutputs | kAddressOrTexture, "a register that can be written"),
    {'A', kAddressOrTexture, 0, "a0"},
    same('P', bit(RegisterType::predicate), "the predicate"),
    same('K', kTemporaries | kInputs | kAddressOrTexture, "a temporary or texture coordinate register"),
    same('C', kFloatConstants, "a constant of floats"),
    same('I', bit(RegisterType::integer_constant), "a constant of integers"),
    same('B', bit(RegisterType::boolean_constant), "a boolean constant"),
    same('D', kInputs | kOutputs | bit(RegisterType::sampler) | kAddressOrTexture, "an input, output or sampler"),
};

constexpr const OperandKind* find_kind(char letter) {
  for (const OperandKind& kind : kOperandKinds)
    if (kind.letter == letter) return &kind;
  return nullptr;
}
constexpr bool all_known(std::string_view letters) {
  for (const char letter : letters)
    if (find_kind(letter) == nullptr) return false;
  return true;
}
static_assert(all_known(sm2::OpcodeInfo::kDestinations) && all_known(sm2::OpcodeInfo::kSources),
              "every letter of operands must have registers");

class Level9Validator {
 public:
  Level9Validator(const dxcontainer::Part& part, const Level9& level9, Findings& findings)
      : part_(part), level9_(level9), findings_(findings) {}

  void run() {
    sm2::Cursor cursor(level9_.program);
    version_ = cursor.version();
    written_.begin(kTemporaryRegisters);
    // observed: fxc's XNA variants read r0 where Aon9 reads an input
    if (part_.fourcc != dxcontainer::fourcc("Aon9")) written_.stop();
    while (cursor.next(in_)) {
      if (in_.is_comment()) continue;
      if (in_.info != nullptr) instruction(*in_.info);
      ++index_;
    }
    if (!open_.empty()) report(rules::kLevel9Block, number(open_.size()) + " blocks are not closed at the end of the program");
    for (const WrittenTemps::Read& read : written_.finish()) {
      findings_.add(rules::kLevel9Unwritten, level9_.program.file_offset() + read.token,
                    std::string(part_.name()) + "/program/instructions[" + number(read.instruction) + ']',
                    std::string(sm2::find_opcode(read.code)->text) + ": r" + number(read.component / 4) + '.' +
                        component_letter(read.component % 4) + " is not written before");
    }
  }

 private:
  void report(const Rule& rule, std::string message) {
    const std::string text = in_.info != nullptr ? std::string(in_.info->text) + ": " : "";
    findings_.add(rule, level9_.program.file_offset() + in_.offset,
                  std::string(part_.name()) + "/program/instructions[" + number(index_) + ']', text + message);
  }

  std::string name(const sm2::Operand& operand) const {
    Text text;
    print(text, operand, version_);
    return text.str();
  }

  void instruction(const sm2::OpcodeInfo& row) {
    if (!row.models(version_).has(version_.model())) {
      Text version;
      print(version, version_);
      report(rules::kLevel9Model, "not in " + version.str());
    }
    sm2::decode(in_, version_, operands_);
    const unsigned required = row.required_operands();
    if (operands_.count < required) {
      report(rules::kLevel9OperandCount, number(operands_.count) + " operands, expected " + number(required));
    } else if (operands_.tokens_used < in_.body.size() / 4) {
      report(rules::kLevel9OperandCount, number(in_.body.size() / 4) + " tokens, but its operands have " + number(operands_.tokens_used));
    }
    unsigned slot = 0;
    for (std::size_t token = 0; token < row.token_count && slot < operands_.count; ++token) {
      if (!sm2::OpcodeInfo::is_operand(row.tokens[token])) continue;
      operand(operands_.items[slot++], row.tokens[token], row.reads[token]);
    }
    gradient(row);
    read_temps(row);
    block(row);
    flow(row);
    write_temps(row);
  }

  void operand(const sm2::Operand& operand, char letter, const sm2::SourceLanes& lanes) {
    const OperandKind* const kind = find_kind(letter);
    const std::uint32_t allowed = version_.is_pixel() ? kind->pixel : kind->vertex;
    if ((bit(operand.type) & allowed) == 0) return report(rules::kLevel9OperandKind, name(operand) + " is not " + std::string(kind->text));
    const bool has_components = operand.type != RegisterType::boolean_constant;
    if (has_components && lanes.fixed.count() == 1 && !operand.swizzle.is_broadcast())
      report(rules::kLevel9Swizzle, name(operand) + " selects more than one component");
  }

  void gradient(const sm2::OpcodeInfo& row) {
    if (row.gradient == sm2::Gradient::none || operands_.count < 2 || operands_.items[1].type != RegisterType::temp) return;
    if (operands_.predicate) {
      report(rules::kLevel9Gradient, "a gradient of " + name(operands_.items[1]) + " under a predicate");
    } else if (varying_ != 0) {
      report(rules::kLevel9Gradient, "a gradient of " + name(operands_.items[1]) + " in a block that not all pixels enter");
    }
  }

  /// Whether pixels can decide differently about the block: by what they compare, or by the predicate.
  bool varies(const sm2::OpcodeInfo& row) const {
    return row.tokens[0] == 's' || (operands_.count != 0 && operands_.items[0].type == RegisterType::predicate);
  }

  void block(const sm2::OpcodeInfo& row) {
    if (row.block == sm2::Block::open) {
      open_.push_back(varies(row));
      varying_ += open_.back() ? 1 : 0;
    } else if (row.block != sm2::Block::inside && open_.empty()) {
      written_.stop();
      report(rules::kLevel9Block, "no block is open");
    } else if (row.block == sm2::Block::close) {
      varying_ -= open_.back() ? 1 : 0;
      open_.pop_back();
    }
  }

  // Shader model 1 has texture registers instead, and its r0 is the output.
  void read_temps(const sm2::OpcodeInfo& row) {
    if (version_.model() < 20) return;
    const WriteMask written = operands_.count != 0 && operands_.items[0].is_destination ? operands_.items[0].write_mask : WriteMask();
    unsigned slot = 0;
    for (std::size_t token = 0; token < row.token_count && slot < operands_.count; ++token) {
      if (!sm2::OpcodeInfo::is_operand(row.tokens[token])) continue;
      const sm2::Operand& operand = operands_.items[slot++];
      if (row.tokens[token] != 's' || operand.type != RegisterType::temp || operand.index >= kTemporaryRegisters) continue;
      // All textures have two coordinates; how many more is their declaration's to say.
      const bool is_texture = row.unit == sm2::Unit::texture;
      for (const unsigned component : operand.swizzle.read(is_texture ? WriteMask::first_components(2) : row.reads[token].of(written)))
        written_.read({operand.index * 4U + component, index_, in_.offset, static_cast<std::uint16_t>(in_.code()), 0});
    }
  }

  void write_temps(const sm2::OpcodeInfo& row) {
    if (row.tokens[0] != 'd' || operands_.count == 0 || operands_.items[0].type != RegisterType::temp) return;
    const sm2::Operand& operand = operands_.items[0];
    if (operand.index >= kTemporaryRegisters) return;
    for (const unsigned component : operand.write_mask) written_.write(operand.index * 4U + component, index_);
  }

  void flow(const sm2::OpcodeInfo& row) {
    using program::Flow;
    const Flow flow = sm2::flow_of(row);
    switch (flow) {
      case Flow::body: written_.begin_function(); break;
      case Flow::if_: written_.begin_if(); break;
      case Flow::else_: written_.begin_else(); break;
      case Flow::counted_loop:
        written_.begin_loop(index_);
        written_.leave_block(false);  // no rounds
        break;
      case Flow::end_loop:
        written_.leave_block(false);  // no more
        written_.end_block();
        break;
      case Flow::end_if: written_.end_block(); break;
      case Flow::break_:
      case Flow::break_if: written_.leave_block(flow == Flow::break_ && !operands_.predicate); break;
      case Flow::return_: written_.leave(true); break;
      default:
        if (row.sem == "call" || row.sem == "call_if") written_.call();
        break;
    }
  }

  const dxcontainer::Part& part_;
  const Level9& level9_;
  Findings& findings_;
  sm2::Version version_;  // of the program: that of the part can be lower
  sm2::Instruction in_;
  sm2::Operands operands_;
  std::uint32_t index_ = 0;  // without comments
  std::vector<bool> open_;   // blocks: whether pixels can decide differently about it
  unsigned varying_ = 0;     // of open_
  WrittenTemps written_;
};

}  // namespace

void check_level9(const dxcontainer::Part& part, const Level9& level9, Findings& findings) {
  Level9Validator(part, level9, findings).run();
}

}  // namespace unshade::dxbc::validate
