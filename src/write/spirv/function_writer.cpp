#include "write/spirv/function_writer.hpp"

#include <algorithm>

namespace unshade::write::spirv_writer {

namespace {

// Members of rows next to each other; nothing if there are no rows.
std::optional<ir::Function> with_rows_together(const ir::Function& function, ir::Vectors& rows) {
  rows = ir::vectors_of(function);
  if (rows.rows.empty()) return std::nullopt;  // but there may be dot products
  ir::Function made = function;
  ir::bring_together(made, rows);
  return made;
}

}  // namespace

FunctionWriter::FunctionWriter(Writer& writer, const ir::Function& function, const ir::Structure& tree)
    : writer_(writer),
      out_(writer.out),
      ordered_(with_rows_together(function, rows_)),
      function_(ordered_ ? *ordered_ : function),
      tree_(tree),
      words_(function.insts.size(), 0),
      is_reserved_(function.insts.size(), false),
      tuple_of_(function.insts.size(), kNone),
      number_(static_cast<std::size_t>(&function - writer.module.functions.data())),
      names_values_(writer.debug || !function.names.empty()),
      part_of_(function.insts.size(), kNone),
      frame_of_(tree.nodes.size(), kNone) {}

void FunctionWriter::run(Word id) {
  place(first_label_ = out_.fresh());
  if (writer_.debug) {
    debug_function_ = writer_.debug->function(number_, function_.name);
    writer_.debug->define_function(body_, debug_function_, id);
  }
  choose_rows();
  count_constants();
  walk();
  Section& all = out_.functions();
  const Word nothing = out_.void_type();
  all.put(Opcode::function, {nothing, id, 0, out_.function_type(nothing)});
  all.append(body_);
  all.put(Opcode::function_end, {});
}

Type FunctionWriter::type(Id id) const { return ir::result_type(function_, id); }

Word FunctionWriter::value(Id id) {
  const ir::Inst& inst = function_.insts[id];
  if (inst.op == Op::constant) return inst.type == Type::handle ? 0 : writer_.constant_of(inst.type, ir::constant_bits(function_, id));
  if (inst.op == Op::undef) return inst.type == Type::handle ? 0 : out_.undef(writer_.type_of(inst.type));
  if (Part* const part = part_of(id); part != nullptr) {
    if (is_here(part->made)) return part->made.word;
    const Word to = writer_.type_of(type(id));
    Word word = part->component == kNone ? part->word : extract(part->word, part->component, part->type);
    if (part->type != to) word = op(Opcode::bitcast, to, {word});
    part->made = {label_, word};
    name_value(id, word);
    return word;
  }
  if (words_[id] == 0) {
    words_[id] = out_.fresh();
    is_reserved_[id] = true;
  }
  return words_[id];
}

void FunctionWriter::define_part(Id id, Word word, std::uint32_t component, Word type, std::uint32_t width) {
  const Word to = word_type(this->type(id));
  if (is_reserved_[id]) {
    if (component != kNone) word = extract(word, component, type);
    return define(id, type == to ? word : op(Opcode::bitcast, to, {word}));
  }
  if (component == kNone && type == to) return define(id, word);
  if (part_of_[id] != kNone) return;
  part_of_[id] = static_cast<std::uint32_t>(parts_.size());
  parts_.push_back({word, component, type, width, {}});
}

Word FunctionWriter::constant_vector(const Variable& variable, std::span<const Word> before, Word vector) {
  Words key{variable.id};
  key.append(before);
  Placed& whole = vectors_[vectors_.add(key).first];
  if (!is_here(whole)) whole = {label_, op(Opcode::load, vector, {pointer(variable.storage, vector, variable.id, before)})};
  return whole.word;
}

// A value that was used before has its number already: the instruction that gives it takes it, if it is the last one.
void FunctionWriter::define(Id id, Word word) {
  if (!row_.empty()) {
    row_word_ = word;
    return;
  }
  if (!is_reserved_[id]) {
    words_[id] = word;
    return;
  }
  is_reserved_[id] = false;
  if (word == last_result_ && body_.words().size() == last_end_) {
    body_.rename_last(words_[id]);
    if (unnamed_.erase(word) != 0) unnamed_.insert(words_[id]);
  } else {
    body_.put(Opcode::copy_object, {word_type(type(id)), words_[id], word});
  }
}

std::optional<std::uint64_t> FunctionWriter::known(Id id) const {
  if (function_.insts[id].op != Op::constant) return std::nullopt;
  return ir::constant_bits(function_, id);
}

Word FunctionWriter::op(Opcode opcode, Word type, std::span<const Word> operands) {
  const Word made = out_.fresh();
  body_.put(opcode, {type, made}, operands);
  last_result_ = made;
  if (names_values_) unnamed_.insert(made);
  last_end_ = body_.words().size();
  return made;
}

Word FunctionWriter::op(Opcode opcode, Word type, std::initializer_list<Word> operands) {
  return op(opcode, type, std::span(operands.begin(), operands.size()));
}

Word FunctionWriter::glsl(Glsl what, Word type, std::initializer_list<Word> operands) {
  Words words{out_.glsl(), word(what)};
  words.append({operands.begin(), operands.size()});
  return op(Opcode::ext_inst, type, words);
}

// A member of a tuple.
Word FunctionWriter::member(Id tuple, unsigned number, Type of) {
  if (tuple_of_[tuple] == kNone) return value(tuple);  // of one member
  const Tuple& from = tuples_[tuple_of_[tuple]];
  if (number == from.status_at) return from.status;
  if (from.composite == 0) return number < from.count ? members_[from.first + number] : constant(of, 0);
  Word found = op(Opcode::composite_extract, from.part_type, {from.composite, number + from.shift});
  if (from.part_type != word_type(of)) found = op(Opcode::bitcast, word_type(of), {found});
  return found;
}

void FunctionWriter::define_members(std::span<const Word> members) {
  if (inst_->results == 1) return define(id_, members[0]);
  Tuple made;
  made.first = static_cast<std::uint32_t>(members_.size());
  made.count = static_cast<std::uint32_t>(members.size());
  members_.insert(members_.end(), members.begin(), members.end());
  tuple_of_[id_] = static_cast<std::uint32_t>(tuples_.size());
  tuples_.push_back(made);
}

// The same of parts of vectors.
void FunctionWriter::define_parts(std::span<const Part> parts) {
  if (inst_->results == 1) return define_part(id_, parts[0].word, parts[0].component, parts[0].type, parts[0].width);
  tuple_parts_[id_].assign(parts.begin(), parts.end());
}

void FunctionWriter::precise(Word made) {
  if (ir::has(inst_->flags, ir::Flags::precise)) out_.decorate(made, Decoration::no_contraction);
}

void FunctionWriter::at_line(Id id) {
  if (!writer_.debug) return;
  const std::uint32_t line = writer_.debug->line_of(number_, function_, id);
  if (line == 0 || line == current_line_) return;
  if (!has_scope_) writer_.debug->scope(body_, debug_function_);
  has_scope_ = true;
  writer_.debug->line(body_, line);
  current_line_ = line;
}

// What the source calls a value, or the register that it is written to.
void FunctionWriter::name_value(Id id, Word word) {
  if (unnamed_.erase(word) == 0) return;
  const auto given = function_.names.find(id);
  if (given != function_.names.end()) return out_.name(word, given->second);
  if (writer_.debug) out_.name(word, writer_.debug->register_of(function_, id));
}

void write_function(Writer& writer, const ir::Function& function, const ir::Structure& tree, Word id) {
  FunctionWriter(writer, function, tree).run(id);
}

}  // namespace unshade::write::spirv_writer
