#include <unshade/spirv/validate/check.hpp>

#include <bitset>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spirv/grammar/number_text.hpp"
#include "spirv/grammar/operands.hpp"

namespace unshade::spirv {

namespace {

constexpr const Rule* kRules[] = {
#define UNSHADE_RULE(name, id, severity, summary) &rules::name,
#include <unshade/spirv/validate/rules.def>
#undef UNSHADE_RULE
};

constexpr std::string_view kSectionNames[] = {"any",          "capabilities",        "extensions",          "imports", "memory model",
                                              "entry points", "execution modes",     "strings and sources", "names",   "processes",
                                              "annotations",  "types and constants", "functions",           "graphs"};

/// Whether an instruction may use ids that are defined after it. src: SPIR-V specification, "Universal Validation Rules"
bool looks_ahead(const OpcodeInfo& info) {
  switch (info.group) {
    case OpcodeGroup::debug:
    case OpcodeGroup::annotation:
    case OpcodeGroup::mode_setting:
    case OpcodeGroup::device_side_enqueue:
    case OpcodeGroup::type_declaration:
    case OpcodeGroup::control_flow: return true;
    default: break;
  }
  return info.has(traits::ahead);
}

class Checker {
 public:
  Checker(const Module& module, const IdTable& ids, Findings& findings) : module_(module), ids_(ids), findings_(findings) {}

  void check() {
    header();
    look_through();
    std::uint32_t index = 0;
    for (const Instruction instruction : module_) {
      instruction_ = instruction;
      index_ = index++;
      const OpcodeInfo* const info = instruction.info();
      if (info != nullptr) {
        check_operands(*info);
        check_layout(*info);
        if (info->opcode == Opcode::ext_inst_import) check_set();
      }
      follows_unknown_ = info == nullptr;
    }
    for (const UnknownOpcode& one : unknown_)
      findings_.add(rules::kOpcodeUnknown, one.offset, "instructions[" + std::to_string(one.index) + ']',
                    "opcode " + std::to_string(one.opcode) +
                        (one.count == 1 ? std::string() : ", in " + std::to_string(one.count) + " instructions"));
    const std::uint64_t end = module_.bytes().file_offset() + module_.bytes().size();
    if (in_function_ || in_graph_)
      findings_.add(rules::kFunction, end, "instructions", std::string("the module ends in a ") + (in_graph_ ? "graph" : "function"));
    if (memory_models_ == 0) findings_.add(rules::kMemoryModel, end, "instructions", "there is no OpMemoryModel");
    if (entry_points_ == 0 && !has(Capability::linkage)) findings_.add(rules::kEntryPoint, end, "instructions", "there is no OpEntryPoint");
  }

 private:
  void header() {
    const Header& header = module_.header();
    const std::uint64_t start = module_.bytes().file_offset();
    if (module_.is_big_endian()) findings_.add(rules::kByteOrder, start, "header/magic", "the words are big-endian");
    if ((header.version & ~0x00ff'ff00U) != 0 || header.major() != 1 || header.version > kNewestVersion)
      findings_.add(rules::kVersion, start + 4, "header/version",
                    (header.version & ~0x00ff'ff00U) != 0
                        ? "found " + hex32(header.version) + ", expected zeros in the first and the last byte"
                        : "found " + std::to_string(header.major()) + '.' + std::to_string(header.minor()) + ", expected 1.0 to 1.6");
    if (header.schema != 0) findings_.add(rules::kSchema, start + 16, "header/schema", "found " + hex32(header.schema));
  }

  // --- capabilities and entry points
  // ----------------------------------------------------------------------------------------------------------------
  static constexpr std::size_t kMostCapabilities = std::size_t{1} << 16;

  bool has(Capability capability) const {
    const auto at = static_cast<std::size_t>(capability);
    return at < kMostCapabilities && capabilities_[at];
  }
  void look_through() {
    std::vector<Capability> open;
    std::uint32_t index = 0;
    for (const Instruction instruction : module_) {
      if (instruction.info() == nullptr) note_unknown(instruction, index);
      ++index;
      if (instruction.opcode() == Opcode::capability && instruction.word_count() > 1)
        open.push_back(static_cast<Capability>(instruction.word(1)));
      if (instruction.opcode() == Opcode::entry_point && instruction.word_count() > 2) entries_.insert(instruction.word(2));
      // after the condition, which a specialization constant decides
      if (instruction.opcode() == Opcode::conditional_capability_intel && instruction.word_count() > 2)
        open.push_back(static_cast<Capability>(instruction.word(2)));
      if (instruction.opcode() == Opcode::conditional_entry_point_intel && instruction.word_count() > 3)
        entries_.insert(instruction.word(3));
    }
    // One declares those that it needs itself.
    while (!open.empty()) {
      const Capability capability = open.back();
      open.pop_back();
      const auto at = static_cast<std::size_t>(capability);
      if (at >= kMostCapabilities || capabilities_[at]) continue;
      capabilities_.set(at);
      const Enumerant* const row = find_enumerant(OperandKind::capability, static_cast<std::uint32_t>(capability));
      has_unknown_capability_ |= row == nullptr;
      if (row == nullptr) continue;
      open.insert(open.end(), row->capabilities.begin(), row->capabilities.end());
    }
  }
  /// One message for each unknown opcode, and none for what depends on the ids that it may define.
  void note_unknown(const Instruction& instruction, std::uint32_t index) {
    const auto opcode = static_cast<std::uint32_t>(instruction.opcode());
    auto& place = unknown_places_[opcode];
    if (place == 0) {
      unknown_.push_back({opcode, index, module_.file_offset(instruction), 0});
      place = unknown_.size();
    }
    ++unknown_[place - 1].count;
    // a type's result is its first word, a value's its second
    for (std::uint32_t word = 1; word <= 2 && word < instruction.word_count(); ++word) unknown_ids_.insert(instruction.word(word));
  }
  void need(std::span<const Capability> any, std::uint32_t word, std::string_view what) {
    // A capability that is not known may imply others.
    if (any.empty() || has_unknown_capability_) return;
    for (const Capability capability : any)
      if (has(capability)) return;
    std::string message(what);
    message += " needs ";
    for (std::size_t i = 0; i < any.size(); ++i) {
      if (i != 0) message += " or ";
      const Enumerant* const row = find_enumerant(OperandKind::capability, static_cast<std::uint32_t>(any[i]));
      message += row != nullptr ? row->text : std::string_view("?");
    }
    add(rules::kCapability, word, std::move(message));
  }

  // --- operands --------------------------------------------------------------------------------------------------------------------
  void check_operands(const OpcodeInfo& info) {
    need(info.capabilities, 0, "the instruction");
    std::uint32_t unknown = 0;
    const Decoded decoded = grammar::each_operand(instruction_, &info, ids_, [&](const Operand& operand) {
      if (is_id(operand.kind)) return check_id(info, operand);
      if (operand.kind == OperandKind::unknown) {
        if (unknown == 0) unknown = operand.word;
        return;
      }
      check_value(operand);
    });
    if (unknown != 0) {
      Text message;
      message << "word ";
      message.dec(unknown) << ", 0x";
      message.hex(instruction_.word(unknown));
      const bool is_debug =
          info.group == OpcodeGroup::debug || (is_extended(info.opcode) && spirv::is_debug(ids_.set(instruction_.word(3))));
      add(is_debug && decoded == Decoded::in_part ? rules::kDebugUnknown : rules::kOperandUnknown, unknown, message.str());
    }
    if (decoded == Decoded::too_short) add(rules::kOperandMissing, 0, std::to_string(instruction_.word_count()) + " words, expected more");
  }

  void check_set() {
    if (instruction_.word_count() < 3) return;
    std::string buffer;
    const std::string_view name = literal_string(instruction_, 2, buffer);
    if (find_set(name) == ExtendedSet::none) add(rules::kExtendedSet, 2, '`' + std::string(name.substr(0, 64)) + '`');
  }

  void check_id(const OpcodeInfo& info, const Operand& operand) {
    const std::uint32_t id = instruction_.word(operand.word);
    const auto shown = [&] { return std::string(operand.name) + " %" + std::to_string(id); };
    if (id == 0) return add(rules::kIdZero, operand.word, operand.name);
    if (id >= module_.header().bound)
      add(rules::kBound, operand.word, shown() + ", but the bound is " + std::to_string(module_.header().bound));
    const auto definition = ids_.definition(id);
    if (operand.kind == OperandKind::id_result) {
      if (definition && definition->first_word() != instruction_.first_word())
        add(rules::kIdTwice, operand.word, shown() + " is already defined at " + offset_text(*definition));
      return;
    }
    if (!definition) {
      if (unknown_ids_.contains(id)) return;
      // optimizers leave the names of removed ids in the module
      const bool is_name = info.opcode == Opcode::name || info.opcode == Opcode::member_name;
      return add(is_name ? rules::kNameUndefined : rules::kIdUndefined, operand.word, shown());
    }
    if (definition->first_word() >= instruction_.first_word() && !looks_ahead(info))
      add(rules::kIdForward, operand.word, shown() + " is defined later, at " + offset_text(*definition));
    if (operand.kind == OperandKind::id_result_type && !generates_type(definition->opcode()))
      add(rules::kTypeId, operand.word, shown() + " is not a type");
    if (operand.kind != OperandKind::id_ref) return;
    if (info.opcode == Opcode::entry_point && operand.word == 2 && definition->opcode() != Opcode::function)
      add(rules::kEntryFunction, operand.word, shown() + " is not a function");
    const bool is_mode = info.opcode == Opcode::execution_mode || info.opcode == Opcode::execution_mode_id;
    if (is_mode && operand.word == 1 && !entries_.contains(id))
      add(rules::kEntryFunction, operand.word, shown() + " is not an entry point");
  }

  void check_value(const Operand& operand) {
    if (operand.enumerant != nullptr) {
      // A capability's own are those that it brings. What built-ins need depends on how they are used.
      if (operand.kind != OperandKind::capability && operand.kind != OperandKind::built_in)
        need(operand.enumerant->capabilities, operand.word, operand.enumerant->text);
    } else if (is_mask(operand.kind)) {
      for (std::uint32_t left = instruction_.word(operand.word), bit = 1; left != 0; bit <<= 1) {
        if ((left & bit) == 0) continue;
        left ^= bit;
        if (const Enumerant* const row = find_enumerant(operand.kind, bit)) need(row->capabilities, operand.word, row->text);
      }
    } else if (operand.kind == OperandKind::literal_number) {
      if (!grammar::is_canonical(literal_bits(instruction_, operand), operand.number))
        add(rules::kLiteralBits, operand.word, "found " + hex32(instruction_.word(operand.word)));
    } else if (operand.kind == OperandKind::literal_string) {
      const std::uint32_t last = operand.word + operand.words - 1U;
      if (!grammar::is_padded(instruction_.word(last))) add(rules::kStringPadding, last, "found " + hex32(instruction_.word(last)));
    }
  }

  // --- order -----------------------------------------------------------------------------------------------------------------------
  void check_layout(const OpcodeInfo& info) {
    if (info.opcode == Opcode::memory_model && memory_models_++ != 0) add(rules::kMemoryModel, 0, "a second OpMemoryModel");
    if (info.section == Section::entry_points || info.opcode == Opcode::graph_entry_point_arm) ++entry_points_;
    // What graphs are made of is not in blocks.
    if (in_graph_) {
      in_graph_ = info.opcode != Opcode::graph_end_arm;
      return;
    }
    in_graph_ = info.opcode == Opcode::graph_arm;
    if (in_function_) return check_in_function(info);
    if (info.opcode == Opcode::function) {
      in_function_ = true;
      in_parameters_ = true;
      in_block_ = false;
      section_ = Section::functions;
      return;
    }
    const Section section = info.section;
    if (section == Section::functions) return add(rules::kFunction, 0, "the instruction is not in a function");
    if (section == Section::any) return;
    // Instructions without meaning may follow the functions too.
    if (is_extended(info.opcode) && section < section_) return;
    if (section < section_) {
      add(rules::kLayout, 0,
          "found among " + std::string(kSectionNames[static_cast<std::size_t>(section_)]) + ", expected among " +
              std::string(kSectionNames[static_cast<std::size_t>(section)]));
    } else {
      section_ = section;
    }
  }

  void check_in_function(const OpcodeInfo& info) {
    if (info.section == Section::any) return;
    switch (info.opcode) {
      case Opcode::function: return add(rules::kFunction, 0, "OpFunction in another function");
      case Opcode::function_end:
        if (in_block_ && !follows_unknown_) add(rules::kBlock, 0, "the last block has no terminator");
        in_function_ = false;
        return;
      case Opcode::function_parameter:
        if (!in_parameters_) add(rules::kFunction, 0, "OpFunctionParameter after the first block");
        return;
      case Opcode::label:
        if (in_block_ && !follows_unknown_) add(rules::kBlock, 0, "the previous block has no terminator");
        in_block_ = true;
        in_parameters_ = false;
        return;
      default: break;
    }
    const Section section = info.section;
    if (section != Section::functions && section != Section::definitions)
      return add(rules::kLayout, 0, std::string(kSectionNames[static_cast<std::size_t>(section)]) + " must precede functions");
    if (!in_block_) {
      if (!is_extended(info.opcode)) add(rules::kBlock, 0, "the instruction is not in a block");
    } else if (info.has(traits::ends)) {
      in_block_ = false;
    }
  }

  std::string offset_text(const Instruction& instruction) const {
    Text text;
    text << "0x";
    text.hex(module_.file_offset(instruction));
    return text.str();
  }

  void add(const Rule& rule, std::uint32_t word, std::string message) {
    std::string path = "instructions[" + std::to_string(index_) + "]";
    if (const OpcodeInfo* const info = instruction_.info()) path += "/Op" + std::string(info->text);
    findings_.add(rule, module_.file_offset(instruction_, word), std::move(path), std::move(message));
  }

  const Module& module_;
  const IdTable& ids_;
  Findings& findings_;
  std::bitset<kMostCapabilities> capabilities_;
  std::unordered_set<std::uint32_t> entries_;
  struct UnknownOpcode {
    std::uint32_t opcode = 0;
    std::uint32_t index = 0;  ///< of the first instruction
    std::uint64_t offset = 0;
    std::size_t count = 0;
  };
  std::vector<UnknownOpcode> unknown_;
  std::unordered_map<std::uint32_t, std::size_t> unknown_places_;  // 1 + place in unknown_, by opcode
  std::unordered_set<std::uint32_t> unknown_ids_;                  // that unknown instructions may define
  bool follows_unknown_ = false;                                   // the previous instruction is unknown, and may be a terminator
  bool has_unknown_capability_ = false;
  Instruction instruction_;
  std::uint32_t index_ = 0;
  Section section_ = Section::any;
  std::uint32_t memory_models_ = 0;
  std::uint32_t entry_points_ = 0;
  bool in_function_ = false;
  bool in_graph_ = false;
  bool in_parameters_ = false;
  bool in_block_ = false;
};

}  // namespace

std::span<const Rule* const> validation_rules() { return kRules; }

void check_module(View bytes, Findings& findings) {
  const auto module = parse(bytes);
  if (!module) return findings.add(rules::kUnreadable, module.error().offset, module.error().path, module.error().message);
  check_module(*module, findings);
}

void check_module(const Module& module, Findings& findings) {
  const IdTable ids(module);
  Checker(module, ids, findings).check();
  check_effects(module, ids, findings);
}

}  // namespace unshade::spirv
