// Printing modules.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/ir/text.hpp>

#include "ir/describe.hpp"
#include "ir/text/fields.hpp"
#include "ir/text/literals.hpp"

namespace unshade::ir {
namespace {

class Printer : public FieldArchive {
 public:
  Printer(const Module& module, const ModuleLabels& labels, Text& out) : FieldArchive(labels, out), module_(module) {}

  /// `trees`: of all functions, or none.
  void print_module(std::span<const Structure> trees = {}) {
    out_ << "stage";
    word(module_.stage);
    out_ << '\n';
    print_name("entry", module_.entry);
    print_name("patch_constant", module_.patch_constant);
    record("info", module_.info);
    record("modes", module_.modes);
    print_signature("input", module_.signatures.input);
    print_signature("output", module_.signatures.output);
    print_signature("patch", module_.signatures.patch);
    print_named("resource", words::Symbol::resource, module_.resources);
    print_named("variable", words::Symbol::variable, module_.variables);
    print_messages();
    for (std::size_t at = 0; at < module_.functions.size(); ++at)
      print_function(static_cast<std::uint32_t>(at), trees.empty() ? nullptr : &trees[at]);
  }

 private:
  // A line with the fields of a record that do not have their default; none if all have it.
  template <class Record>
  void record(std::string_view name, Record value) {
    const std::size_t before = out_.size();
    out_ << name;
    const std::size_t empty = out_.size();
    words::describe(*this, value);
    if (out_.size() == empty) {
      out_.truncate(before);
    } else {
      out_ << '\n';
    }
  }

  void print_name(std::string_view key, std::string_view name) {
    if (name.empty()) return;
    out_ << key << ' ';
    quote(out_, name);
    out_ << '\n';
  }

  void print_signature(std::string_view name, const std::vector<Element>& elements) {
    for (Element element : elements) {
      out_ << name << ' ';
      quote(out_, element.semantic);
      words::describe(*this, element);
      out_ << '\n';
    }
  }

  template <class Named>
  void print_named(std::string_view name, words::Symbol kind, const std::vector<Named>& list) {
    for (std::size_t at = 0; at < list.size(); ++at) {
      out_ << name;
      print_label(kind, at, list[at].name);
      Named value = list[at];
      words::describe(*this, value);
      out_ << '\n';
    }
  }

  void print_messages() {
    for (std::size_t at = 0; at < module_.messages.size(); ++at) {
      out_ << "message";
      symbol(words::Symbol::message, static_cast<std::uint32_t>(at));
      MessageFormat value = module_.messages[at];
      words::describe(*this, value);
      out_ << '\n';
    }
  }

  void print_label(words::Symbol kind, std::size_t at, std::string_view name) {
    symbol(kind, static_cast<std::uint32_t>(at));
    if (name.empty() || labels_.of[static_cast<std::size_t>(kind)].texts[at] == name) return;
    out_ << ' ';
    quote(out_, name);
  }

  void print_types(std::span<const Type> types) {
    out_ << " (";
    std::string_view between;
    for (const Type type : types) out_ << std::exchange(between, " ") << text(type);
    out_ << ')';
  }

  void print_function(std::uint32_t number, const Structure* tree) {
    const Function& function = module_.functions[number];
    const ValueNames names(function);
    function_ = &function;
    names_ = &names;
    out_ << "\nfunction";
    print_label(words::Symbol::function, number, function.name);
    if (!function.parameters.empty()) print_types(function.parameters);
    if (!function.results.empty()) {
      out_ << " ->";
      print_types(function.results);
    }
    if (function.irreducible) out_ << " irreducible";
    out_ << " {\n";
    if (tree == nullptr) {
      for (const BlockId block : function.order) print_block(block);
    } else {
      print_tree(*tree);
    }
    out_ << "}\n";
  }

  /// Without its terminator if that is part of a tree.
  void print_block(BlockId number, bool in_tree = false) {
    const Block& block = function_->blocks[number];
    print_block_name(number);
    out_ << ':';
    if (block.merge != kNone && !in_tree) print_block_name(block.merge, " merge ");
    if (block.continue_ != kNone && !in_tree) print_block_name(block.continue_, " continue ");
    out_ << '\n';
    ++indent_;
    for (Id id = block.first; id != kNone && !(in_tree && id == block.last); id = function_->next[id]) print_instruction(id);
    --indent_;
  }

  void print_tree(const Structure& tree) {
    std::vector<std::uint32_t> open;
    const auto close_until = [&](std::size_t at) {
      for (; !open.empty() && tree.nodes[open.back()].end <= at; open.pop_back()) {
        const NodeKind kind = tree.nodes[open.back()].kind;
        if (kind == NodeKind::then_ || kind == NodeKind::else_) continue;
        --indent_;
        print_line("}");
      }
    };
    indent_ = 1;
    for (std::uint32_t at = 0; at < tree.nodes.size(); ++at) {
      close_until(at);
      if (print_node(tree, at)) open.push_back(at);
    }
    close_until(tree.nodes.size());
    indent_ = 0;
  }

  // Whether it holds others, whose lines are to come.
  bool print_node(const Structure& tree, std::uint32_t at) {
    const Node& node = tree.nodes[at];
    const Id last = node.block == kNone ? kNone : function_->blocks[node.block].last;
    const auto is_next = [&](NodeKind kind) { return node.end != at + 1 && tree.nodes[at + std::size_t{1}].kind == kind; };
    const auto begin = [&] {
      const bool chooses = node.kind == NodeKind::if_ || node.kind == NodeKind::switch_;
      if (chooses && last < function_->sources.size()) print_source(function_->sources[last]);
      out_ << " {\n";
      ++indent_;
      return true;
    };
    switch (node.kind) {
      case NodeKind::then_: return true;
      case NodeKind::else_:
        if (node.parent + 1 == at) return true;
        --indent_;
        print_line("} else {");
        ++indent_;
        return true;
      default: break;
    }
    if (node.kind == NodeKind::return_ && at != 0 && tree.nodes[at - 1].kind == NodeKind::block && tree.nodes[at - 1].block == node.block) {
      print_instruction(last);
      return false;
    }
    indent();
    switch (node.kind) {
      case NodeKind::block: print_block(node.block, true); return false;
      case NodeKind::return_:
        print_block_name(node.block, "return ");
        out_ << '\n';
        return false;
      case NodeKind::if_:
        out_ << (is_next(NodeKind::else_) ? "if not" : "if");
        print_value(function_->operands_of(last)[0], Type::b1);
        return begin();
      case NodeKind::switch_:
        out_ << "switch";
        print_value(function_->operands_of(last)[0], function_->insts[last].type);
        return begin();
      case NodeKind::case_: print_labels(tree, node, function_->blocks[tree.nodes[node.parent].block].last); return begin();
      case NodeKind::loop:
        print_block_name(node.block, "loop ");
        if (node.latch != node.block) print_block_name(node.latch, " latch ");
        return begin();
      case NodeKind::once: out_ << "once"; return begin();
      case NodeKind::break_:
      case NodeKind::continue_:
        print_block_name(node.block, node.kind == NodeKind::break_ ? "break " : "continue ");
        if (node.crossed != 0) {
          out_ << " crossing";
          number(node.crossed);
        }
        out_ << '\n';
        return false;
      default: return false;
    }
  }
  void print_labels(const Structure& tree, const Node& node, Id last) {
    std::string_view before = "case";
    bool is_default = false;
    for (const std::uint32_t label : std::span(tree.labels).subspan(node.first_label, node.label_count)) {
      if (label == 1) {
        is_default = true;
        continue;
      }
      out_ << std::exchange(before, "");
      print_value(function_->operands_of(last)[label - std::size_t{1}], function_->insts[last].type);
    }
    if (is_default) out_ << (before.empty() ? " default" : "default");
  }

  void indent() {
    for (unsigned depth = std::min(indent_, kDeepest); depth != 0; --depth) out_ << "  ";
  }
  void print_line(std::string_view text) {
    indent();
    out_ << text << '\n';
  }
  void print_block_name(BlockId block, std::string_view before = {}) {
    out_ << before << '^';
    out_.dec(block);
  }

  void print_instruction(Id id) {
    const Inst& inst = function_->insts[id];
    const OpInfo& row = info(inst.op);
    indent();
    if (inst.results != 0) out_ << '%' << names_->of(id) << " = ";
    out_ << row.text;
    if (row.types != 0 || (inst.op == Op::call && inst.results != 0)) out_ << ' ' << text(inst.type);
    if (row.results.ends_with('*') && inst.results > 1) {
      out_ << " x";
      out_.dec(inst.results);
    }
    if (inst.op == Op::constant) {
      out_ << ' ';
      print_literal(out_, inst.type, constant_bits(*function_, id));
    }
    std::uint32_t extra = inst.extra;
    words::describe_extra(*this, inst.op, extra);
    const auto operands = function_->operands_of(id);
    if (inst.op == Op::phi) {
      const auto origins = function_->predecessors_of(function_->block_of[id]);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        if (at < origins.size()) print_block_name(origins[at], " ");
        print_value(operands[at], inst.type);
      }
    } else {
      const bool fits = operand_letters(inst, letters_);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        if (is_block_operand(inst.op, at)) {
          print_block_name(operands[at], " ");
        } else {
          print_value(operands[at], fits ? letter_type(inst, letters_[at]) : Type::void_);
        }
      }
    }
    flags(inst.flags);
    if (id < function_->sources.size()) print_source(function_->sources[id]);
    out_ << '\n';
  }

  void print_source(const Source& source) {
    if (source.instruction == kNone) return;
    out_ << " !";
    out_.dec(source.instruction);
    if (source.group == kNone) return;
    out_ << '.';
    out_.dec(source.group);
    if (source.component == kNoComponent) return;
    out_ << '.';
    if (source.component < 4) {
      out_ << "xyzw"[source.component];
    } else {
      out_.dec(source.component);
    }
  }

  void print_value(Id id, Type expected) {
    out_ << ' ';
    const Inst& inst = function_->insts[id];
    if (function_->block_of[id] != kNone || (inst.op != Op::constant && inst.op != Op::undef)) {
      out_ << '%' << names_->of(id);
      return;
    }
    if (inst.op == Op::undef) {
      out_ << "undef";
    } else {
      print_literal(out_, inst.type, constant_bits(*function_, id));
    }
    if (inst.type != expected) out_ << ':' << text(inst.type);
  }

  static constexpr unsigned kDeepest = 40;  ///< what is deeper has no more in front of it, so that a text is in proportion to its tree

  const Module& module_;
  const Function* function_ = nullptr;
  const ValueNames* names_ = nullptr;
  unsigned indent_ = 0;
  std::string letters_;
};

}  // namespace

ValueNames::ValueNames(const Function& function) : names_(function.insts.size()) {
  std::unordered_set<std::string> taken;
  std::size_t number = 0;
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      if (function.insts[id].results == 0) continue;
      std::string& name = names_[id];
      name = std::to_string(number++);
      const auto given = function.names.find(id);
      if (given == function.names.end() || given->second.empty()) continue;
      std::string own = is_name_start(given->second[0]) ? given->second : '_' + given->second;
      for (char& c : own)
        if (!words::is_label_character(c)) c = '_';
      while (!taken.insert(own).second) own += '.' + name;
      name = std::move(own);
    }
  }
}

struct FieldPrinter::Labels : ModuleLabels {
  using ModuleLabels::ModuleLabels;
};
FieldPrinter::FieldPrinter(const Module& module) : labels_(std::make_unique<const Labels>(module)) {}
FieldPrinter::~FieldPrinter() = default;

void FieldPrinter::print(Op op, std::uint32_t extra, Text& out) const {
  FieldArchive archive(*labels_, out);
  words::describe_extra(archive, op, extra);
}

void FieldPrinter::print(Flags flags, Text& out) const { FieldArchive(*labels_, out).flags(flags); }

void FieldPrinter::print_function(std::uint32_t index, Text& out) const {
  FieldArchive(*labels_, out).symbol(words::Symbol::function, index);
}

void print(const Module& module, Text& out) { Printer(module, ModuleLabels(module), out).print_module(); }

std::string print(const Module& module) {
  Text out;
  print(module, out);
  return out.str();
}

void print(const Structured& structured, Text& out) {
  Printer(*structured.module, ModuleLabels(*structured.module), out).print_module(structured.trees);
}

std::string print(const Structured& structured) {
  Text out;
  print(structured, out);
  return out.str();
}

}  // namespace unshade::ir
