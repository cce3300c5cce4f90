// The code of a function.
#include <algorithm>
#include <array>
#include <string_view>

#include <unshade/dxil/query.hpp>

#include "dxil/listing/module.hpp"

namespace unshade::dxil::listing {

namespace {

/// Where the comment with a block's predecessors begins.
constexpr std::size_t kPredecessorColumn = 50;

/// Mnemonics, such as Text::copy takes.
struct Mnemonic {
  char text[Text::kSlack] = {};
  std::uint8_t count = 0;
};
constexpr auto kMnemonics = [] {
  constexpr std::string_view kTexts[] = {
#define DXIL_OPCODE(id, text, group, sem) text,
#include <unshade/dxil/ir.def>
  };
  std::array<Mnemonic, std::size(kTexts)> mnemonics{};
  for (std::size_t i = 0; i < std::size(kTexts); ++i) {
    for (const char c : kTexts[i]) mnemonics[i].text[mnemonics[i].count++] = c;
  }
  return mnemonics;
}();

}  // namespace

/// Uses of a block are newest first, as LLVM prepends them while it reads; a stored order of uses comes on top of that.
void IrPrinter::find_predecessors(const Body& body) {
  predecessors_.assign(body.blocks.count, Range{});
  const auto for_each_edge = [&](auto&& edge) {
    for (std::uint32_t i = body.blocks.count; i-- > 0;) {
      const Range instructions = module_.blocks[body.blocks.first + i].instructions;
      if (instructions.empty()) continue;
      const Instruction& last = module_.instructions[instructions.end() - 1];
      const OperandLayout& layout = operand_layout(last.opcode);
      const auto operands = module_.operands_of(last.operands);
      for (std::size_t k = operands.size(); k-- > 0;)
        if (layout.kind(k) == OperandKind::block) edge(i, operands[k]);
    }
  };
  std::uint32_t edges = 0;
  for_each_edge([&](std::uint32_t, std::uint32_t to) { ++predecessors_[to].count; });
  for (Range& range : predecessors_) {
    range.first = edges;
    edges += range.count;
    range.count = 0;
  }
  predecessor_list_.resize(edges);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) {
    Range& range = predecessors_[to];
    predecessor_list_[range.first + range.count++] = from;
  });
  for (std::uint32_t i = body.use_lists.first; i < body.use_lists.end(); ++i) {
    const UseListOrder& order = module_.use_lists[i];
    const auto places = module_.operands_of(order.order);
    if (!order.of_block || places.size() != predecessors_[order.id].count) continue;
    const auto list = std::span(predecessor_list_).subspan(predecessors_[order.id].first, places.size());
    std::vector<std::uint32_t> sorted(list.begin(), list.end());
    bool sound = true;
    for (std::size_t k = 0; k < places.size(); ++k) {
      sound = sound && places[k] < sorted.size();
      if (sound) sorted[places[k]] = list[k];
    }
    if (sound) std::copy(sorted.begin(), sorted.end(), list.begin());
  }
}

void IrPrinter::enter_values(const Body* body) {
  body_ = body;
  locals_ = body == nullptr ? nullptr : module_.local_values.data() + body->values.first;
  value_texts_.resize(module_values_);
  first_result_ = kNone;
  if (body == nullptr) return;
  local_numbers_.assign(body->values.count, LocalNumber{});
  std::uint32_t results = body->parameters;
  while (results < body->values.count && locals_[results].kind != ValueKind::instruction) ++results;
  first_result_ = module_values_ + results;
  value_texts_.resize(first_result_);
}

void IrPrinter::enter_body(const Body& body) {
  find_predecessors(body);
  block_slots_.assign(body.blocks.count, kNone);
  std::uint32_t next = 0;
  LocalNumber following = LocalNumber::zero();
  const auto number = [&](std::uint32_t local) {
    local_numbers_[local] = following;
    following.count_up();
    ++next;
  };
  for (std::uint32_t i = 0; i < body.parameters; ++i)
    if (locals_[i].name.empty()) number(i);
  for (std::uint32_t i = 0; i < body.blocks.count; ++i) {
    const Block& block = module_.blocks[body.blocks.first + i];
    if (block.name.empty()) {
      block_slots_[i] = next++;
      following.count_up();
    }
    for (std::uint32_t k = block.instructions.first; k < block.instructions.end(); ++k) {
      const Instruction& instruction = module_.instructions[k];
      if (instruction.value != kNone) {
        const std::uint32_t local = instruction.value - module_values_;
        if (locals_[local].name.empty()) number(local);
      }
      attributes_.add(instruction.attributes);
    }
  }
}

void IrPrinter::print_body(const Body& body) {
  std::uint32_t attachment = body.attachments.first;
  while (attachment < body.attachments.end() && module_.attachments[attachment].instruction == kNone) ++attachment;
  for (std::uint32_t i = 0; i < body.blocks.count && !full(); ++i) {
    print_label(i);
    const Range instructions = module_.blocks[body.blocks.first + i].instructions;
    for (std::uint32_t k = instructions.first; k < instructions.end() && !full(); ++k) {
      const Instruction& instruction = module_.instructions[k];
      place(k, body);
      print_instruction(instruction);
      if (instruction.location != kNone && module_.locations[instruction.location].scope != kNone) {
        out_ << ", !dbg ";
        print_metadata_slot(metadata_.slot_of_location(instruction.location));
      }
      print_attachments(metadata_.attachments_of(body, k - body.instructions.first, attachment), ", ");
      if (exact_) print_exact_flags(instruction);
      const std::size_t comment = out_.size();
      if (comments_) print_comment(instruction);
      place(PlacedComment::By::instruction, k, comment);
      out_ << '\n';
    }
  }
}

void IrPrinter::place_origin(std::uint32_t instruction, const Body& body) {
  const std::uint32_t offset = module_.instructions[instruction].offset;
  const std::uint32_t next = instruction + 1 < body.instructions.end() ? module_.instructions[instruction + 1].offset : offset;
  origins_->push_back({out_.size(), offset, next > offset ? next - offset : 1});
}

void IrPrinter::print_label(std::uint32_t block) {
  const std::string_view name = module_.text(module_.blocks[body_->blocks.first + block].name);
  const Range predecessors = predecessors_[block];
  std::size_t line = out_.size();
  if (!name.empty()) {
    out_ << '\n';
    line = out_.size();
    print_name(out_, name, NamePrefix::none);
    out_ << ':';
  } else if (!predecessors.empty()) {
    out_ << '\n';
    line = out_.size();
    out_ << "; <label>:";
    out_.dec(block_slots_[block]);
  }
  std::size_t comment = name.empty() ? line : out_.size();
  if (block != 0) {
    // The comment before an unused block without a name ends with its line.
    const std::size_t column = out_.size() - line;
    out_.repeat(' ', column < kPredecessorColumn ? kPredecessorColumn - column : 1) << ';';
    if (!name.empty()) comment = out_.size();
    if (predecessors.empty()) {
      out_ << " No predecessors!";
    } else {
      out_ << " preds = ";
      for (std::uint32_t i = predecessors.first; i < predecessors.end(); ++i) {
        if (i != predecessors.first) out_ << ", ";
        print_block(predecessor_list_[i]);
      }
    }
  }
  place(PlacedComment::By::block, body_->blocks.first + block, comment);
  out_ << '\n';
}

void IrPrinter::print_block(std::uint32_t block) {
  if (full()) return;
  const std::string_view name = module_.text(module_.blocks[body_->blocks.first + block].name);
  if (!name.empty()) {
    print_name(out_, name, NamePrefix::local);
    return;
  }
  out_ << '%';
  out_.dec(block_slots_[block]);
}

void IrPrinter::print_typed_block(std::uint32_t block) {
  out_ << text(TypeKind::label) << ' ';
  print_block(block);
}

void IrPrinter::print_flags(std::uint16_t flags) {
  if ((flags & flag::kFast) != 0) {
    out_ << " fast";
  } else {
    if ((flags & flag::kNoNaNs) != 0) out_ << " nnan";
    if ((flags & flag::kNoInfs) != 0) out_ << " ninf";
    if ((flags & flag::kNoSignedZeros) != 0) out_ << " nsz";
    if ((flags & flag::kReciprocal) != 0) out_ << " arcp";
  }
  if ((flags & flag::kNoUnsignedWrap) != 0) out_ << " nuw";
  if ((flags & flag::kNoSignedWrap) != 0) out_ << " nsw";
  if ((flags & flag::kExact) != 0) out_ << " exact";
  if ((flags & flag::kInBounds) != 0) out_ << " inbounds";
}

void IrPrinter::print_ordering(Ordering ordering) {
  if (ordering != Ordering::not_atomic) out_ << ' ' << text(ordering);
}

void IrPrinter::print_instruction(const Instruction& instruction) {
  if (instruction.value != kNone) {
    print_result("  ", instruction.value, " = ");
  } else {
    out_ << "  ";
  }
  const Opcode opcode = instruction.opcode;
  const std::uint16_t flags = instruction.flags;
  if ((flags & flag::kMustTail) != 0) {
    out_ << "musttail ";
  } else if ((flags & flag::kTail) != 0) {
    out_ << "tail ";
  }
  const Mnemonic& mnemonic = kMnemonics[static_cast<std::size_t>(opcode)];
  out_.copy(mnemonic.text, mnemonic.count);
  if (flags != 0) {
    if ((flags & flag::kAtomic) != 0 && (opcode == Opcode::load || opcode == Opcode::store)) out_ << " atomic";
    if ((flags & flag::kWeak) != 0) out_ << " weak";
    if ((flags & flag::kVolatile) != 0) out_ << " volatile";
    print_flags(flags);
  }
  if (opcode == Opcode::call) {
    print_call(instruction, 1);
    return;
  }
  if (opcode == Opcode::icmp || opcode == Opcode::fcmp) out_ << ' ' << text(instruction.predicate());
  if (opcode == Opcode::atomicrmw) out_ << ' ' << text(instruction.operation());
  print_operands(instruction);
  switch (opcode) {
    case Opcode::load:
    case Opcode::store:
    case Opcode::cmpxchg:
    case Opcode::atomicrmw:
    case Opcode::fence:
      if (instruction.ordering != Ordering::not_atomic) {
        if (instruction.single_thread) out_ << " singlethread";
        print_ordering(instruction.ordering);
        if (opcode == Opcode::cmpxchg) print_ordering(instruction.failure_ordering);
      }
      break;
    default: break;
  }
  if ((opcode == Opcode::load || opcode == Opcode::store) && instruction.alignment_code != 0) {
    out_ << ", align ";
    out_.dec(instruction.alignment());
  }
}

void IrPrinter::print_operands(const Instruction& instruction) {
  const auto operands = module_.operands_of(instruction.operands);
  switch (instruction.opcode) {
    case Opcode::invoke:
      print_call(instruction, 3);
      out_ << "\n          to ";
      print_typed_block(operands[1]);
      out_ << " unwind ";
      print_typed_block(operands[2]);
      return;
    case Opcode::br:
      out_ << ' ';
      if (operands.size() == 3) {
        print_typed_value(operands[2]);
        out_ << ", ";
        print_typed_block(operands[0]);
        out_ << ", ";
        print_typed_block(operands[1]);
      } else {
        print_typed_block(operands[0]);
      }
      return;
    case Opcode::switch_: print_switch(instruction); return;
    case Opcode::indirectbr:
      out_ << ' ';
      print_typed_value(operands[0]);
      out_ << ", [";
      for (std::size_t i = 1; i < operands.size(); ++i) {
        if (i != 1) out_ << ", ";
        print_typed_block(operands[i]);
      }
      out_ << ']';
      return;
    case Opcode::phi:
      print_type(" ", instruction.type, " ");
      for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
        if (i != 0) out_ << ", ";
        print_value("[ ", operands[i], ", ");
        print_block(operands[i + 1]);
        out_ << " ]";
      }
      return;
    case Opcode::extractvalue:
    case Opcode::insertvalue: {
      const std::size_t values = instruction.opcode == Opcode::extractvalue ? 1 : 2;
      print_typed_value(" ", operands[0]);
      for (std::size_t i = 1; i < operands.size(); ++i) {
        if (i < values) {
          print_typed_value(", ", operands[i]);
        } else {
          out_ << ", ";
          out_.dec(operands[i]);
        }
      }
      return;
    }
    case Opcode::landingpad: {
      out_ << ' ';
      print_type(instruction.type);
      const bool cleanup = (instruction.flags & flag::kCleanup) != 0;
      if (cleanup) out_ << "\n          cleanup";
      for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
        out_ << (operands[i] == 0 ? "\n          catch " : "\n          filter ");
        print_typed_value(operands[i + 1]);
      }
      return;
    }
    case Opcode::ret:
      out_ << ' ';
      if (operands.empty()) {
        out_ << text(TypeKind::void_);
      } else {
        print_typed_value(operands[0]);
      }
      return;
    case Opcode::alloca_: {
      out_ << ((instruction.flags & flag::kInAlloca) != 0 ? " inalloca " : " ");
      print_type(instruction.second_type);
      // How many is left out if it is the i32 1.
      constexpr std::uint32_t kUsualWidth = 32;
      const Value& count = value(operands[0]);
      const Constant* constant = count.kind == ValueKind::constant ? &module_.constants[count.index] : nullptr;
      const bool one = constant != nullptr && constant->kind == ConstantKind::integer && constant->bits == 1;
      if (!one || module_.types[count.type].number != kUsualWidth) {
        out_ << ", ";
        print_typed_value(operands[0]);
      }
      if (instruction.alignment_code != 0) {
        out_ << ", align ";
        out_.dec(instruction.alignment());
      }
      return;
    }
    case Opcode::va_arg:
      out_ << ' ';
      print_typed_value(operands[0]);
      out_ << ", ";
      print_type(instruction.type);
      return;
    case Opcode::fence:
    case Opcode::unreachable: return;
    default: break;
  }
  if (is_cast(instruction.opcode)) {
    print_typed_value(" ", operands[0]);
    print_type(" to ", instruction.type, "");
    return;
  }
  print_plain_operands(instruction);
}

/// Operands of one type have it before the first, others each their own.
void IrPrinter::print_plain_operands(const Instruction& instruction) {
  const auto operands = module_.operands_of(instruction.operands);
  if (operands.empty()) return;
  bool each = false;
  switch (instruction.opcode) {
    case Opcode::getelementptr: print_type(" ", instruction.second_type, ","); break;
    case Opcode::load: print_type(" ", instruction.type, ","); break;
    case Opcode::store:  // in the text the value is before the pointer
      print_typed_value(" ", operands[1]);
      print_typed_value(", ", operands[0]);
      return;
    case Opcode::select:
    case Opcode::shufflevector: each = true; break;
    default: break;
  }
  const std::uint32_t type = value(operands[0]).type;
  for (std::size_t i = 1; i < operands.size() && !each; ++i) each = value(operands[i]).type != type;
  print_typed_value(" ", operands[0]);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    if (each) {
      print_typed_value(", ", operands[i]);
    } else {
      print_value(", ", operands[i], "");
    }
  }
}

void IrPrinter::print_switch(const Instruction& instruction) {
  const auto operands = module_.operands_of(instruction.operands);
  out_ << ' ';
  print_typed_value(operands[0]);
  out_ << ", ";
  print_typed_block(operands[1]);
  out_ << " [";
  for (std::size_t i = 2; i + 1 < operands.size(); i += 2) {
    out_ << "\n    ";
    print_typed_value(operands[i]);
    out_ << ", ";
    print_typed_block(operands[i + 1]);
  }
  out_ << "\n  ]";
}

void IrPrinter::print_call(const Instruction& call, std::size_t first_argument) {
  const auto operands = module_.operands_of(call.operands);
  const Type& type = module_.types[call.second_type];
  const auto parts = module_.parts_of(type);
  if (call.calling_convention != 0) {
    out_ << ' ';
    print_calling_convention(call.calling_convention);
  }
  const bool plain = !attributes_.has_more_than_function(call.attributes);
  if (!plain) print_attributes(call.attributes, AttributeGroup::kReturn, " ", {});
  print_type(" ", type.variadic ? call.second_type : parts[0], " ");
  print_value("", operands[0], "(");
  for (std::size_t i = first_argument; i < operands.size(); ++i) {
    const std::size_t parameter = i - first_argument + 1;  // counted from 1, as attributes and the type's parts do
    const std::uint32_t operand = operands[i];
    const bool label = parameter < parts.size() && module_.types[parts[parameter]].kind == TypeKind::label;
    const bool node = (operand & kMetadataOperand) != 0;
    if (plain && !label && !node) [[likely]] {
      if (parameter == 1) {
        print_typed_value(operand);
      } else {
        print_typed_value(", ", operand);
      }
      continue;
    }
    if (parameter != 1) out_ << ", ";
    if (node) {
      out_ << text(TypeKind::metadata);
    } else if (label) {
      out_ << text(TypeKind::label);
    } else {
      print_type(value(operand).type);
    }
    if (!plain) print_attributes(call.attributes, static_cast<std::uint32_t>(parameter), " ", {});
    out_ << ' ';
    if (node) {
      print_metadata(operand & ~kMetadataOperand);
    } else if (label) {
      print_block(operand);
    } else {
      print_value(operand);
    }
  }
  if ((call.flags & flag::kMustTail) != 0 && module_.types[module_.functions[body_->function].type].variadic) out_ << ", ...";
  out_ << ')';
  if (const std::uint32_t slot = attributes_.slot_of(call.attributes); slot != kNone) {
    out_ << " #";
    out_.dec(slot);
  }
}

}  // namespace unshade::dxil::listing
