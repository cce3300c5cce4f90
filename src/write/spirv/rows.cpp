// Vectors: rows of values that are computed alike, and what several values are as one operand.
#include <algorithm>

#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {

using ir::VectorOperand;

Word FunctionWriter::constant(Type type, std::uint64_t bits) {
  const Word made = writer_.constant_of(type, bits);
  if (row_.empty()) return made;
  const std::vector<Word> all(row_.size(), made);
  return out_.composite_constant(word_type(type), all);
}

Word FunctionWriter::operand(std::size_t at) {
  if (row_.empty()) return value(operands()[at]);
  SmallVector<Id, 4> all;
  for (const Id id : row_) all.push_back(function_.operands_of(id)[at]);
  return vector_of(all);
}

// The value that all members of the row that is written have as an operand; kNone: they have several, or a constant.
Id FunctionWriter::common_operand(std::size_t at) const {
  if (row_.empty()) return kNone;
  const Id first = function_.operands_of(row_.front())[at];
  const bool is_common = std::ranges::all_of(row_, [&](Id id) { return function_.operands_of(id)[at] == first; });
  return is_common && function_.block_of[first] != kNone ? first : kNone;
}

// Values of one type as a vector: components of one or two vectors, a constant if all are.
Word FunctionWriter::vector_of(std::span<const Id> ids) {
  if (ids.size() == 1) return value(ids[0]);
  const Word scalar = writer_.type_of(type(ids[0]));
  const Word whole = out_.vector_type(scalar, static_cast<unsigned>(ids.size()));
  if (std::ranges::all_of(ids, [&](Id id) { return known(id).has_value(); })) {
    Words words;
    for (const Id id : ids) words.push_back(value(id));
    return out_.composite_constant(whole, words);
  }
  const std::size_t known_as = operands_.add(ids).first;
  if (is_here(operands_[known_as])) return operands_[known_as].word;
  Word word = components_of(ids, scalar, whole);
  if (word == 0) {
    Words words;
    for (const Id id : ids) words.push_back(value(id));
    word = op(Opcode::composite_construct, whole, words);
  }
  operands_[known_as] = {label_, word};
  return word;
}

// 0 if they are not components of at most two vectors of one type.
Word FunctionWriter::components_of(std::span<const Id> ids, Word scalar, Word whole) {
  std::array<const Part*, 2> sources{};
  Words indexes;
  bool is_identity = true;
  for (const Id id : ids) {
    const Part* const part = part_of(id);
    if (part == nullptr || part->component == kNone) return 0;
    if (sources[0] == nullptr) sources[0] = part;
    if (part->type != sources[0]->type) return 0;
    const bool is_second = part->word != sources[0]->word;
    if (is_second && sources[1] == nullptr) sources[1] = part;
    if (is_second && part->word != sources[1]->word) return 0;
    is_identity = is_identity && !is_second && part->component == indexes.size();
    indexes.push_back(part->component + (is_second ? sources[0]->width : 0));
  }
  Word word = sources[0]->word;
  const Word type = out_.vector_type(sources[0]->type, static_cast<unsigned>(ids.size()));
  if (!is_identity || sources[0]->width != ids.size()) {
    Words words{word, sources[1] == nullptr ? word : sources[1]->word};
    words.append(indexes);
    word = op(Opcode::vector_shuffle, type, words);
  }
  return sources[0]->type == scalar ? word : op(Opcode::bitcast, whole, {word});
}

// Operations of which each component of the result is that of the operands.
bool FunctionWriter::is_by_components(Op op) {
  switch (op) {
    case Op::fmad:
    case Op::fmul_zero:
    case Op::fmad_zero:
    case Op::fsat:
    case Op::frcp:
    case Op::select:
    case Op::iand:
    case Op::ior:
    case Op::ixor:
    case Op::inot:
    case Op::ieq:
    case Op::ine: return true;
    default: return is_table_row(op);
  }
}

namespace {

constexpr int kExtract = 5, kConstruct = 3, kShuffle = 5, kDecoration = 3;

bool is_in_order(const VectorOperand& operand, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    if (operand.places[k] != k) return false;
  return true;
}

}  // namespace

// A row or a dot product is written as one if that takes no more words than its members do one by one: an operand that is no vector has to
// be made one, and members that are used by themselves are extracted.
void FunctionWriter::choose_rows() {
  if (rows_.rows.empty() && rows_.dots.empty()) return;
  is_row_.assign(rows_.rows.size(), false);
  is_row_done_.assign(rows_.rows.size(), false);
  for (std::size_t number = 0; number < rows_.rows.size(); ++number) {
    const ir::Inst& first = function_.insts[rows_.members_of(static_cast<std::uint32_t>(number)).front()];
    is_row_[number] = is_by_components(first.op) && first.type != Type::handle && first.type != Type::void_;
  }
  for (const ir::VectorDot& dot : rows_.dots) is_dot_.push_back(may_be_dot(dot));
  constexpr unsigned kRounds = 4;
  for (unsigned round = 0; round < kRounds; ++round)
    if (!drop_rows()) return;
}

// Of one instruction of the file. In which order a device adds is open, so that precise ones are dot products only where the target's rules
// are wanted; who computes on a CPU adds from left to right.
bool FunctionWriter::may_be_dot(const ir::VectorDot& dot) const {
  const ir::Inst& last = function_.insts[dot.last()];
  const bool is_open = !writer_.is_exact() || !ir::has(last.flags, ir::Flags::precise);
  if (last.op != Op::fmad || !is_open || writer_.module.modes.fused_mad || function_.sources.empty()) return false;
  const std::uint32_t instruction = function_.sources[dot.steps[0]].instruction;
  return instruction != kNone && std::ranges::all_of(std::span(dot.steps).first(dot.count),
                                                     [&](Id id) { return function_.sources[id].instruction == instruction; });
}

// The words that it takes to make values a vector. Marks those that are needed as scalars for it.
int FunctionWriter::words_of_operand(std::span<const Id> list, bool may_be_scalar, std::vector<bool>& is_alone) const {
  const VectorOperand operand = ir::operand_of(function_, rows_, list);
  const auto count = static_cast<int>(list.size());
  switch (operand.kind) {
    case VectorOperand::Kind::constants: return 0;
    case VectorOperand::Kind::same: is_alone[list.front()] = true; return may_be_scalar ? 0 : kConstruct + count;
    case VectorOperand::Kind::swizzle:
      if (is_row_[operand.of])
        return rows_.rows[operand.of].count == list.size() && is_in_order(operand, list.size()) ? 0 : kShuffle + count;
      [[fallthrough]];
    case VectorOperand::Kind::mixed:
      for (const Id id : list) is_alone[id] = true;
      return kConstruct + count;
    case VectorOperand::Kind::members:
    case VectorOperand::Kind::element: return is_in_order(operand, list.size()) ? 0 : kShuffle + count;
  }
  return 0;
}

// Drops rows and dot products that cost more than their members. False if there are none.
bool FunctionWriter::drop_rows() {
  const auto is_together = [&](Id id) {
    return (rows_.row[id] != kNone && is_row_[rows_.row[id]]) || (rows_.dot[id] != kNone && is_dot_[rows_.dot[id]]);
  };
  std::vector<bool> is_alone(function_.insts.size(), false);  // used as a scalar
  std::vector<int> operand_words(rows_.rows.size(), 0), words_of_dot(rows_.dots.size(), 0);
  std::vector<Id> list;
  for (std::uint32_t row = 0; row < rows_.rows.size(); ++row) {
    if (!is_row_[row]) continue;
    const auto members = rows_.members_of(row);
    const ir::Inst& inst = function_.insts[members.front()];
    for (std::size_t at = 0; at < inst.operand_count; ++at) {
      list.clear();
      for (const Id id : members) list.push_back(function_.operands_of(id)[at]);
      operand_words[row] += words_of_operand(list, inst.op == Op::fmul, is_alone);
    }
  }
  for (std::size_t number = 0; number < rows_.dots.size(); ++number) {
    if (!is_dot_[number]) continue;
    const ir::VectorDot& dot = rows_.dots[number];
    for (const auto* const side : {&dot.a, &dot.b})
      words_of_dot[number] += words_of_operand(std::span(*side).first(dot.count), false, is_alone);
  }
  for (const BlockId block : function_.order) {
    for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
      const ir::Inst& inst = function_.insts[id];
      // outputs and places in textures are made vectors anyway
      const bool takes_vectors = inst.op == Op::output || ir::texture_handles(inst.op) != 0;
      if (is_together(id) || takes_vectors) continue;
      const auto operands = function_.operands_of(id);
      const bool may_be_blocks = ir::names_blocks(inst.op);
      for (std::size_t at = 0; at < operands.size(); ++at)
        if (!may_be_blocks || !ir::is_block_operand(inst.op, at)) is_alone[operands[at]] = true;
    }
  }
  bool drops = false;
  for (std::uint32_t row = 0; row < rows_.rows.size(); ++row) {
    if (!is_row_[row]) continue;
    const auto members = rows_.members_of(row);
    const ir::Inst& inst = function_.insts[members.front()];
    const int each = 3 + inst.operand_count + (ir::has(inst.flags, ir::Flags::precise) ? kDecoration : 0);
    int saved = each * (static_cast<int>(members.size()) - 1) - operand_words[row];
    for (const Id id : members) saved -= is_alone[id] ? kExtract : 0;
    if (saved > 0) continue;
    is_row_[row] = false;
    drops = true;
  }
  constexpr int kProduct = 5, kSum = 8, kDot = 5;
  for (std::size_t number = 0; number < rows_.dots.size(); ++number) {
    if (!is_dot_[number]) continue;
    const ir::VectorDot& dot = rows_.dots[number];
    const int decorations = ir::has(function_.insts[dot.steps[0]].flags, ir::Flags::precise) ? kDecoration * (dot.count - 1) : 0;
    if (kProduct + kSum * (dot.count - 1) + decorations - kDot - words_of_dot[number] > 0) continue;
    is_dot_[number] = false;
    drops = true;
  }
  return drops;
}

bool FunctionWriter::dot(Id id) {
  const std::uint32_t number = rows_.dot.empty() ? kNone : rows_.dot[id];
  if (number == kNone || !is_dot_[number]) return false;
  const ir::VectorDot& dot = rows_.dots[number];
  if (dot.last() != id) return true;
  const Word a = vector_of(dot.first()), b = vector_of(dot.second());
  id_ = id;
  inst_ = &function_.insts[id];
  define(id, op(Opcode::dot, word_type(type(id)), {a, b}));
  precise(words_[id]);
  return true;
}

bool FunctionWriter::row(Id id) {
  const std::uint32_t number = rows_.row.empty() ? kNone : rows_.row[id];
  if (number == kNone || !is_row_[number]) return false;
  if (is_row_done_[number]) return true;
  is_row_done_[number] = true;
  row_ = rows_.members_of(number);
  id_ = row_.front();
  inst_ = &function_.insts[id_];
  const bool is_test = ir::info(inst_->op).results == "b";
  const Word scalar = writer_.type_of(is_test ? Type::b1 : inst_->type);
  const auto members = row_;
  compute(id_);
  row_ = {};
  if (writer_.debug || names_values_) name_row(members);
  for (std::uint32_t k = 0; k < members.size(); ++k)
    define_part(members[k], row_word_, k, scalar, static_cast<std::uint32_t>(members.size()));
  return true;
}

// After what the source calls its first member, without the component.
void FunctionWriter::name_row(std::span<const Id> members) {
  if (unnamed_.erase(row_word_) == 0) return;
  const auto given = function_.names.find(members.front());
  std::string name = given != function_.names.end() ? given->second
                     : writer_.debug                ? writer_.debug->register_of(function_, members.front())
                                                    : std::string();
  out_.name(row_word_, name.substr(0, name.rfind('.')));
}

}  // namespace unshade::write::spirv_writer
