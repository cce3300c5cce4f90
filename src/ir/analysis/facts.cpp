#include <unshade/ir/analysis/facts.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/ir/text.hpp>

namespace unshade::ir {
namespace {

class Printer {
 public:
  Printer(const Facts& facts, Text& out) : facts_(facts), out_(out) {}

  void run() {
    for (const DeclaredWord& word : facts_.types.words) print_word(word);
    for (std::size_t at = 0; at < facts_.functions.size(); ++at) print_function(at);
  }

 private:
  void print_word(const DeclaredWord& word) {
    const Variable& variable = facts_.module().variables[word.variable];
    out_ << "word @" << (variable.name.empty() ? std::string_view("?") : std::string_view(variable.name));
    if (word.offset != kNone) number(" ", word.offset);
    out_ << ' ' << text(word.declared) << '\n';
  }

  void print_function(std::size_t number_of) {
    const Function& function = facts_.module().functions[number_of];
    const ValueNames names(function);
    f_ = &function;
    names_ = &names;
    tree_ = &facts_.tree(number_of);
    facts_of_ = &facts_.functions[number_of];
    out_ << "function @" << function.name << " {\n";
    for (const BlockId block : function.order) {
      number("^", block);
      out_ << ":\n";
      for (Id id = function.blocks[block].first; id != kNone; id = function.next[id])
        if (function.insts[id].results != 0) print_value(number_of, id);
    }
    for (std::uint32_t row = 0; row < facts_of_->vectors.rows.size(); ++row) print_row(row);
    for (const VectorDot& dot : facts_of_->vectors.dots) print_dot(dot);
    for (const BlockId block : function.order) {
      for (std::size_t at = 0; at < function.blocks[block].predecessor_count; ++at) print_edge(block, at);
    }
    out_ << "}\n";
  }

  void print_value(std::size_t function, Id id) {
    value("  ", id);
    out_ << ' ' << info(f_->insts[id].op).text << ' ' << text(facts_of_->writings.of[id]);
    if (facts_of_->writings.of[id] == Writing::inside) {
      const Id statement = facts_of_->writings.statement[id];
      if (f_->insts[statement].results != 0) {
        value(" in ", statement);
      } else {
        out_ << " in " << info(f_->insts[statement].op).text;
      }
    }
    number(" uses ", facts_of_->uses.count[id]);
    if (const Declared declared = facts_.types.of[function][id]; declared != Declared::as_is) out_ << ' ' << text(declared);
    if (facts_of_->webs.web[id] != kNone) number(" web ", facts_of_->webs.web[id]);
    if (facts_of_->vectors.row[id] != kNone) {
      number(" row ", facts_of_->vectors.row[id]);
      out_ << '.' << "xyzw"[facts_of_->vectors.place[id]];
    }
    if (facts_of_->scopes.before[id] != kNone) print_place(tree_->nodes[facts_of_->scopes.before[id]]);
    out_ << '\n';
  }

  void print_place(const Node& node) {
    out_ << " declared before";
    if (node.kind != NodeKind::block) out_ << ' ' << text(node.kind);
    if (node.block != kNone) number(" ^", node.block);
  }

  void print_row(std::uint32_t row) {
    const auto members = facts_of_->vectors.members_of(row);
    const Inst& inst = f_->insts[members[0]];
    number("  row ", row);
    out_ << ' ' << info(inst.op).text << ' ' << text(inst.type);
    if (facts_of_->vectors.rows[row].of_group) out_ << " group";
    for (const Id id : members) value(" ", id);
    for (std::size_t at = 0; at < inst.operand_count; ++at) {
      std::vector<Id> values;
      for (const Id id : members) values.push_back(f_->operands_of(id)[at]);
      print_operand(operand_of(*f_, facts_of_->vectors, values), values.size());
    }
    out_ << '\n';
  }

  void print_dot(const VectorDot& dot) {
    value("  dot ", dot.steps[dot.count - std::size_t{1}]);
    for (const auto& side : {dot.a, dot.b}) print_operand(operand_of(*f_, facts_of_->vectors, std::span(side).first(dot.count)), dot.count);
    out_ << '\n';
  }

  void print_operand(const VectorOperand& operand, std::size_t count) {
    using Kind = VectorOperand::Kind;
    const auto places = [&] {
      out_ << '.';
      for (std::size_t at = 0; at < count; ++at) out_ << (operand.places[at] < 4 ? "xyzw"[operand.places[at]] : '?');
    };
    switch (operand.kind) {
      case Kind::mixed: out_ << ", mixed"; break;
      case Kind::constants: out_ << ", constants"; break;
      case Kind::same: value(", same ", operand.of); break;
      case Kind::swizzle:
        number(", row ", operand.of);
        places();
        break;
      case Kind::members:
        value(", ", operand.of);
        places();
        break;
      case Kind::element:
        out_ << ", " << info(f_->insts[operand.of].op).text;
        places();
        break;
    }
  }

  void print_edge(BlockId block, std::size_t at) {
    const auto assignments = facts_of_->webs.on_edge(*f_, block, at);
    if (assignments.empty()) return;
    number("  edge ^", f_->predecessors_of(block)[at]);
    number(" ^", block);
    out_ << ':';
    std::string_view between = " ";
    for (const WebAssignment& one : assignments) {
      out_ << between;
      between = ", ";
      if (one.kind == MoveStep::Kind::keep) out_ << "spare of ";
      number("web ", one.web);
      out_ << " = ";
      if (one.kind == MoveStep::Kind::restore) {
        out_ << "spare";
      } else if (f_->block_of[one.value] == kNone) {
        out_ << info(f_->insts[one.value].op).text;
      } else {
        value("", one.value);
      }
    }
    out_ << '\n';
  }

  void value(std::string_view before, Id id) { out_ << before << '%' << names_->of(id); }
  void number(std::string_view before, std::uint32_t value) {
    out_ << before;
    out_.dec(value);
  }

  const Facts& facts_;
  Text& out_;
  const Function* f_ = nullptr;
  const ValueNames* names_ = nullptr;
  const Structure* tree_ = nullptr;
  const FunctionFacts* facts_of_ = nullptr;
};

}  // namespace

Facts::Facts(const Structured& structured, const WritingOptions& options) : of(structured), types(declared_types(*structured.module)) {
  for (std::size_t at = 0; at < structured.trees.size(); ++at) {
    const Function& function = structured.module->functions[at];
    FunctionFacts& made = functions.emplace_back();
    made.uses = uses_of(function);
    made.writings = writings_of(function, made.uses, options);
    made.webs = phi_webs_of(function, made.writings);
    made.scopes = scopes_of(function, structured.trees[at], made.writings);
    made.vectors = vectors_of(function);
  }
}

void print(const Facts& facts, Text& out) { Printer(facts, out).run(); }

std::string print(const Facts& facts) {
  Text out;
  print(facts, out);
  return out.str();
}

}  // namespace unshade::ir
