// Functions of the assembly language: names, blocks, what follows instructions.
#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

#include "dxil/assemble/parser.hpp"
#include "dxil/listing/module.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::assembler {

/// The value of a name, defined or not.
std::uint32_t TextParser::local(const Token& token) {
  const auto next = static_cast<std::uint32_t>(locals_.size());
  std::uint32_t found = next;
  std::string_view name;
  if (token.is_number) {
    found = local_numbers_.try_emplace(token.number, next).first->second;
  } else {
    name = name_of(token);
    found = local_names_.try_emplace(name, next).first->second;
  }
  if (found == next) {
    Local& made = locals_.emplace_back();
    made.at = token.at;
    made.name = name;
    made.number = token.number;
  }
  return found;
}

bool TextParser::local_operand(const Token& token, std::uint32_t type, std::uint32_t& operand) {
  const std::uint32_t index = local(token);
  if (index >= kBlockMark) return fail(ErrorCode::limit, token.at, "too many names in a function");
  Local& of = locals_[index];
  if (of.is_block) return fail(ErrorCode::bad_value, token.at, "expected a value, found a block");
  if (of.type == kNone) of.type = type;
  if (type != kNone && of.type != type) return type_error(token.at, "the value has a different type");
  operand = kLocalMark | index;
  return true;
}

/// Whether a definition may have this number; after it comes the one after. A number that is given twice is found elsewhere.
bool TextParser::number_is_next(const Token& token, std::uint32_t& next) {
  if (numbers_ == Numbers::dense && token.number != next)
    return fail(ErrorCode::bad_value, token.at, "expected the next number, " + std::to_string(next));
  if (token.number != next && !std::exchange(has_gap_, true)) gap_at_ = token.at;
  if (token.number == kNone) return fail(ErrorCode::limit, token.at, "the number is too large");
  if (token.number >= next) next = token.number + 1;
  return true;
}

/// The number of a block without a label.
std::uint32_t TextParser::number_of_block() const {
  if (numbers_ == Numbers::dense) return next_local_number_;
  constexpr std::string_view kLabel = "<label>:";
  for (const auto& [begin, end] : lexer_.comments()) {
    const std::string_view comment = lexer_.text().substr(begin, end - begin);
    const std::size_t at = comment.find_first_not_of("; \t");
    if (at == std::string_view::npos || !comment.substr(at).starts_with(kLabel)) continue;
    const std::string_view digits = comment.substr(at + kLabel.size());
    const auto number = as_number<std::uint32_t>(digits.substr(0, digits.find_first_not_of("0123456789")));
    if (number && *number >= next_local_number_) return *number;
  }
  return next_local_number_;
}

/// A value or block is there. Without a name it takes the next number.
bool TextParser::define(const Token& name, bool has_name, std::uint32_t type, bool is_block, std::uint32_t index) {
  Token token = name;
  if (!has_name) {
    token = token_;
    token.is_number = true;
    token.quoted = false;
    token.number = is_block ? number_of_block() : next_local_number_;
  }
  if (token.is_number && !number_is_next(token, next_local_number_)) return false;
  Local& of = locals_[local(token)];
  if (of.index != kNone) return fail(ErrorCode::bad_value, token.at, "the name is already defined");
  if (is_block ? of.type != kNone : of.is_block)
    return fail(ErrorCode::bad_value, token.at, "the name is used both as a block and as a value");
  if (!is_block && of.type != kNone && of.type != type) return type_error(of.at, "the value has a different type");
  of.type = is_block ? kNone : type;
  of.is_block = is_block;
  of.index = index;
  if (!token.is_number && !of.name.empty()) {
    const StringRange kept = keep(of.name);
    if (is_block)
      m_.blocks[body_.blocks.first + index].name = kept;
    else
      m_.local_values[body_.values.first + index].name = kept;
  }
  return true;
}

bool TextParser::block_operand(std::uint32_t& operand) {
  if (token_.kind != Kind::local) return expected("a block as `%5`");
  const Token token = token_;
  const std::uint32_t index = local(token);
  if (index >= kBlockMark) return fail(ErrorCode::limit, token.at, "too many names in a function");
  Local& of = locals_[index];
  if (!of.is_block && (of.index != kNone || of.type != kNone))
    return fail(ErrorCode::bad_value, token.at, "expected a block, found a value");
  of.is_block = true;
  next();
  operand = kBlockMark | index;
  return true;
}

bool TextParser::typed_block(std::uint32_t& operand) { return expect(text(TypeKind::label)) && block_operand(operand); }

// --- bodies ------------------------------------------------------------------------------------------------------------------------------

bool TextParser::body() {
  body_.metadata.first = static_cast<std::uint32_t>(m_.local_metadata.size());
  body_.blocks.first = static_cast<std::uint32_t>(m_.blocks.size());
  body_.instructions.first = static_cast<std::uint32_t>(m_.instructions.size());
  body_.attachments.first = static_cast<std::uint32_t>(m_.attachments.size());
  const std::size_t first_operand = m_.operands.size();
  in_body_ = true;
  while (token_.kind == Kind::metadata_name) {
    Instruction none;
    if (!attachment(none)) return false;
  }
  if (!expect('{')) return false;
  if (is('}')) return expected("an instruction");
  bool open = false;
  while (!is('}')) {
    if (!open && !block_label()) return false;
    open = true;
    if (token_.kind == Kind::label) return expected("an instruction: the block has no terminator");
    if (!instruction()) return false;
    Block& block = m_.blocks.back();
    ++block.instructions.count;
    open = !is_terminator(m_.instructions.back().opcode);
  }
  if (open) return expected("a terminator");
  next();
  in_body_ = false;
  // Names become what they stand for.
  for (const Local& local : locals_) {
    if (local.index != kNone) continue;
    const std::string name = local.name.empty() ? std::to_string(local.number) : std::string(local.name);
    return fail(ErrorCode::missing, local.at, "undefined %" + name);
  }
  for (std::size_t b = body_.blocks.first; b < m_.blocks.size(); ++b) {
    const Instruction& last = m_.instructions[m_.blocks[b].instructions.end() - 1];
    if (last.opcode != Opcode::br) continue;
    for (const std::uint32_t operand : m_.operands_of(last.operands))
      has_loop_ = has_loop_ || ((operand & kLocalMark) == 0 && (operand & kBlockMark) != 0 &&
                                locals_[operand & ~kBlockMark].index <= b - body_.blocks.first);
  }
  const auto resolve = [&](std::uint32_t& operand) {
    if ((operand & kMetadataOperand) != 0) return;
    if ((operand & kLocalMark) != 0)
      operand = kLocalMark | locals_[operand & ~kLocalMark].index;
    else if ((operand & kBlockMark) != 0)
      operand = locals_[operand & ~kBlockMark].index;
  };
  for (std::size_t i = first_operand; i < m_.operands.size(); ++i) resolve(m_.operands[i]);
  for (std::size_t i = body_.metadata.first; i < m_.local_metadata.size(); ++i) resolve(m_.local_metadata[i].value);
  body_.values.count = static_cast<std::uint32_t>(m_.local_values.size()) - body_.values.first;
  body_.metadata.count = static_cast<std::uint32_t>(m_.local_metadata.size()) - body_.metadata.first;
  body_.blocks.count = static_cast<std::uint32_t>(m_.blocks.size()) - body_.blocks.first;
  body_.instructions.count = static_cast<std::uint32_t>(m_.instructions.size()) - body_.instructions.first;
  body_.attachments.count = static_cast<std::uint32_t>(m_.attachments.size()) - body_.attachments.first;
  m_.bodies.push_back(body_);
  return true;
}

bool TextParser::block_label() {
  const auto index = static_cast<std::uint32_t>(m_.blocks.size()) - body_.blocks.first;
  Block block;
  block.instructions.first = static_cast<std::uint32_t>(m_.instructions.size());
  m_.blocks.push_back(block);
  const auto number = static_cast<std::uint32_t>(m_.blocks.size() - 1);
  const Token token = token_;
  if (token.kind != Kind::label && index != 0) keep_comments(listing::PlacedComment::By::block, number);
  if (token.kind != Kind::label) return define(token, false, kNone, true, index);
  next();
  keep_comments(listing::PlacedComment::By::block, number);
  Token name = token;
  return define(name, true, kNone, true, index);
}

/// `!name !5` of an instruction or a function.
bool TextParser::attachment(Instruction& instruction) {
  if (token_.kind != Kind::metadata_name) return expected("metadata as `!name !5`");
  const std::string_view name = name_of(token_);
  next();
  const std::size_t at = token_.at;
  std::uint32_t node = 0;
  if (!metadata_operand(node)) return false;
  if (node == kNone) return fail(ErrorCode::bad_value, at, "expected a node");
  const bool of_instruction = m_.blocks.size() != body_.blocks.first;
  if (name == "dbg" && of_instruction) {
    const auto [found, added] = locations_of_nodes_.try_emplace(node, static_cast<std::uint32_t>(m_.locations.size()));
    if (added) {
      m_.locations.emplace_back();
      location_nodes_.push_back(node);
      location_places_.push_back(at);
    }
    instruction.location = found->second;
    return true;
  }
  Attachment made;
  made.kind = metadata_kind(name);
  made.node = node;
  if (of_instruction) made.instruction = static_cast<std::uint32_t>(m_.instructions.size()) - body_.instructions.first;
  m_.attachments.push_back(made);
  return true;
}

bool TextParser::instruction_tail(Instruction& instruction) {
  bool more = pending_comma_;
  pending_comma_ = false;
  while (more || take(',')) {
    more = false;
    if (!attachment(instruction)) return false;
  }
  return true;
}

bool TextParser::instruction() {
  Instruction made;
  if (!exact_flags(made)) return false;  // of a comment before it
  Token name;
  const bool has_name = token_.kind == Kind::local;
  if (has_name) {
    name = token_;
    next();
    if (!expect('=')) return false;
  }
  const Token word = token_;
  if (take("musttail")) {
    made.flags |= flag::kMustTail | flag::kTail;
  } else if (take("tail")) {
    made.flags |= flag::kTail;
  }
  if (token_.kind != Kind::word) return expected("an instruction");
  made.opcode = opcode_of(token_.text);
  if (made.opcode == Opcode::invalid || (made.flags != 0 && made.opcode != Opcode::call)) {
    std::set<std::string_view> known;  // in an order that does not depend on hashes
    for (const auto& [text, opcode] : opcodes_) known.insert(text);
    Nearest nearest(token_.text);
    for (const std::string_view one : known) nearest.consider(one);
    return expected("an instruction", nearest.question());
  }
  next();
  std::vector<std::uint32_t> operands;
  made.type = kNone;
  if (!operands_of(made, operands)) return false;
  if (made.type == kNone) made.type = plain_type(TypeKind::void_);
  if (!instruction_tail(made)) return false;
  made.operands = {static_cast<std::uint32_t>(m_.operands.size()), static_cast<std::uint32_t>(operands.size())};
  m_.operands.insert(m_.operands.end(), operands.begin(), operands.end());
  if (type_at(made.type).kind != TypeKind::void_) {
    const std::uint32_t index = static_cast<std::uint32_t>(m_.local_values.size()) - body_.values.first;
    Value value;
    value.kind = ValueKind::instruction;
    value.type = made.type;
    value.index = static_cast<std::uint32_t>(m_.instructions.size());
    m_.local_values.push_back(value);
    made.value = kLocalMark | index;
    if (!has_name) name.at = word.at;
    if (!define(has_name ? name : word, has_name, made.type, false, index)) return false;
  } else if (has_name) {
    return fail(ErrorCode::bad_value, name.at, "the instruction has no value to name");
  }
  if (!exact_flags(made)) return false;
  m_.instructions.push_back(made);
  keep_comment_behind(static_cast<std::uint32_t>(m_.instructions.size() - 1));
  return true;
}

/// `; exact: flags 29` after an instruction: the bits that its record has. Nothing else may have it.
bool TextParser::exact_flags(Instruction& instruction) {
  std::string_view note = std::exchange(exact_flags_, {});
  if (note.empty()) return true;
  const auto at = static_cast<std::size_t>(note.data() - lexer_.text().data());
  if ((instruction.flags & flag::kFast) == 0)
    return fail(ErrorCode::bad_value, at, "exact flags must follow an instruction that is `fast`");
  note.remove_prefix(listing::kExactComment.size() + listing::kExactFlags.size());
  const std::string_view others = note.substr(std::min(note.find(';'), note.size()));  // `; line:33 col:23`
  if (others.find(listing::kExactComment) != std::string_view::npos)
    return fail(ErrorCode::bad_value, at, "`; exact: flags` is given twice");
  const auto bits = as_number<std::uint32_t>(trimmed(note.substr(0, note.size() - others.size())));
  if (!bits || *bits > 31 || (*bits & 1) == 0)
    return fail(ErrorCode::bad_value, at, "exact flags must be one odd number up to 31: bit 0 is `fast`");
  instruction.flags = static_cast<std::uint16_t>((instruction.flags & ~flag::kFastMath) | module::fast_math_flags(*bits));
  flags_stated_.resize(m_.instructions.size());
  flags_stated_.push_back(true);
  return true;
}

}  // namespace unshade::dxil::assembler
